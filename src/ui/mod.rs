//! The terminal interface: messages in, a new state and effects out; a frame is drawn from the
//! state alone.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "of the many keys, commands and roles most mean nothing in most places"
)]

pub mod answers;
pub mod app;
pub mod atlas;
pub mod change;
pub mod command;
pub mod confirm;
pub mod content;
pub mod deeds;
pub mod found;
pub mod glyphs;
pub mod history;
pub mod hit;
pub mod host;
pub mod judge;
pub mod lab;
pub mod layout;
pub mod look;
pub mod msg;
pub mod overlay;
pub mod pane;
mod runtime;
pub mod screen;
pub mod screens;
pub mod series;
pub mod settings;
pub mod sheet;
pub mod theme;
mod update;
mod view;

pub use app::App;
pub use hit::HitMap;
pub use runtime::{Ending, Left, Opening, end_by, run};
pub use update::update;
pub use view::view;
