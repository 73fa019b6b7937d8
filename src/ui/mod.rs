//! The terminal interface: messages lead to a new state and effects; a frame is drawn from the state.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "most keys, commands and roles have no meaning in most places"
)]

pub mod app;
pub mod appearance;
pub mod area_charts;
pub mod availability;
pub mod change;
pub mod chart;
mod chart_values;
pub mod chart_view;
pub mod command;
pub mod confirm;
pub mod content;
pub mod events;
pub mod fix;
pub mod glyphs;
pub mod history;
pub mod hit;
pub mod input;
pub mod job;
pub mod lab;
pub mod layout;
pub mod learn;
mod lesson;
pub mod map_state;
pub mod msg;
mod named_row;
pub mod overlay;
pub mod page;
pub mod palette;
pub mod pane;
pub mod pane_data;
pub mod picture;
pub mod recent_findings;
mod refresh;
pub mod row_actions;
mod row_page;
mod runtime;
pub mod screen;
pub mod screens;
pub mod search;
pub mod settings;
pub mod setup;
mod subject;
pub mod table_query;
pub mod table_state;
pub mod theme;
pub mod thresholds;
mod update;
mod view;
pub mod what_if;

pub use app::App;
pub use hit::HitMap;
pub use runtime::{ExitReason, ExitReport, File, Host, Opening, Outbox, end_by, run};
pub use update::update;
pub use view::view;
