//! Rows on paper: text tables, JSON, CSV, and the one-page status.
//!
//! Nothing here knows a kernel file; everything comes through [`crate::columns`].

pub mod advice;
pub mod csv;
pub mod html;
pub mod json;
pub mod map;
pub mod markdown;
pub mod status;
pub mod table;
