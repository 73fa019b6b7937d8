//! One file for each command; the tables share one.

pub mod advise;
pub mod capture;
pub mod change;
pub mod clusters;
pub mod cost;
pub mod input;
pub mod persist;
mod plain;
pub mod record;
pub mod replay;
pub mod report;
pub mod results;
pub mod selection;
pub mod status;
pub mod stream;
pub mod table;
pub mod watch;
