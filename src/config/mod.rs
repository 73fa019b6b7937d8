//! Files of keys in TOML: loads, experiments and settings.
//!
//! A kind of file is a [`Schema`]: its keys with name, type, range, help and default. The reader,
//! the errors with file and line, the manual pages and the editor of the interface are made of it.

mod edit;
mod key;
mod problem;
mod reader;
pub(crate) mod value;

pub(crate) use edit::{Edit, edit};
pub(crate) use key::setter;
pub(crate) use key::{Default, Group, Input, Key, Line, Names, REQUIRED, Schema};
pub(crate) use problem::{Place, Problem, Problems};
pub(crate) use reader::{Content, Entry, LARGEST, Section, text};
pub(crate) use value::ValueType;
