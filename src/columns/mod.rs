//! All tables and columns, each defined once.
//!
//! A [`Column`] has a stable name, a heading, a unit, a help text and the kernel files of its values. Text
//! tables, JSON, CSV, filters, sorting, `--help-columns`, the manual and the JSON schema are all generated
//! from it.

pub mod export;
pub mod filter;
pub mod lines;
pub mod query;
pub mod rows;
pub mod select;
pub mod text_table;
#[macro_use]
pub mod column;
#[macro_use]
pub mod spec;
pub mod tables;
pub mod text;
pub mod tree;
pub mod units;
pub mod value;
pub mod verdict;

pub use column::{Column, Info, Table};
pub use query::{Query, Request};
pub use rows::Rows;
pub use spec::{Cells, ColumnId, Spec, Style};
pub use tables::TABLES;
pub use text_table::{ExtraRows, TextSection, TextTable};
pub use value::{Unit, Value};
