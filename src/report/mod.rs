//! Output formats: text tables, JSON, CSV, Markdown, HTML, and the status page.
//!
//! All data comes through [`crate::columns`]; nothing here reads a kernel file.

pub mod advice;
pub mod csv;
pub mod html;
pub mod json;
pub mod map;
pub mod markdown;
pub mod metrics;
pub mod status;

pub use crate::columns::lines as table;
