//! A table to export, and the formats for it.

use super::Rows;
use crate::model::{Snapshot, worded_enum};

worded_enum! {
    /// The format of an exported table.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum TableFormat {
        /// Comma-separated values.
        Csv = "CSV",
        /// JSON.
        Json = "JSON",
        /// Markdown.
        Markdown = "Markdown",
    }
}

impl TableFormat {
    /// The ending of its files.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Markdown => "md",
        }
    }

    /// The form of the values, in words.
    pub fn help(self) -> &'static str {
        match self {
            Self::Csv => {
                "Values in base units, missing ones empty, below the names of the columns."
            }
            Self::Json => "Values in base units, missing ones null with the reason.",
            Self::Markdown => "Headings and values as on screen.",
        }
    }
}

/// A table as it is on screen.
#[derive(Clone, Debug, PartialEq)]
pub struct TableExport {
    /// The name of the table.
    pub table: &'static str,
    /// The rows and columns that are shown, in their order.
    pub rows: Rows,
    /// The sample.
    pub snapshot: Snapshot,
    /// Seconds since the sample before, if there is one.
    pub seconds: Option<f64>,
}
