//! The commands, by subject. Commands that print one table share a file.

pub mod advise;
pub mod change;
pub mod clusters;
pub mod cost;
pub mod learn;
mod listing;
pub mod machine;
pub mod metrics;
pub mod persist;
mod picture;
mod plain;
pub mod recording;
pub mod report;
pub mod results;
pub mod selection;
pub mod stream;
pub mod subject;
pub mod table;
pub mod watch;
pub mod what_if;
