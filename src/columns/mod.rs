//! Every value that can be shown, defined once.
//!
//! A [`Column`] has a stable name, a heading, a unit, a sentence of help and the kernel files it
//! comes from. The text table, JSON, CSV, filters, sorting, `--help-columns`, the manual and the
//! JSON schema are all made from it; none of them knows a value by another way.

pub mod filter;
pub mod query;
pub mod rows;
pub mod select;
pub mod text_table;
#[macro_use]
pub mod spec;
pub mod tables;
pub mod text;
pub mod tree;
pub mod units;
pub mod value;
pub mod verdict;

pub use query::{Query, Request};
pub use rows::Rows;
pub use text_table::{TextSection, TextTable, ExtraRows};
pub use spec::{Cells, Column, ColumnId, Info, Spec, Style, Table};
pub use tables::TABLES;
pub use value::{Unit, Value};
