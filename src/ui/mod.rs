//! The terminal interface: messages in, a new state and effects out; a frame is drawn from the
//! state alone.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "of the many keys, commands and roles most mean nothing in most places"
)]

pub mod app;
pub mod availability;
pub mod change;
pub mod command;
pub mod confirm;
pub mod content;
pub mod glyphs;
pub mod history;
pub mod hit;
pub mod input;
pub mod job;
pub mod lab;
pub mod layout;
pub mod appearance;
pub mod map_state;
pub mod msg;
pub mod overlay;
pub mod page;
pub mod pane;
pub mod pane_data;
pub mod recent_findings;
pub mod row_actions;
mod runtime;
pub mod screen;
pub mod screens;
pub mod settings;
mod refresh;
pub mod table_state;
pub mod table_query;
pub mod theme;
pub mod thresholds;
mod update;
mod view;

pub use app::App;
pub use hit::HitMap;
pub use runtime::{ExitReason, ExitReport, File, Host, Opening, end_by, run};
pub use update::update;
pub use view::view;
