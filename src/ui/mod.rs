//! The terminal interface: messages in, a new state and effects out; a frame is drawn from the
//! state alone.

pub mod settings;
