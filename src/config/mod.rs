//! Files of keys in TOML or JSON: workloads, experiments, settings and states of swap.
//!
//! A kind of file is described by a [`Schema`]: its keys with name, type, range, help and default.
//! The reader, the errors with file and line, the manual pages and the settings editor are derived
//! from it.

mod edit;
mod json;
mod key;
mod problem;
mod reader;
pub(crate) mod value;

pub(crate) use edit::{Edit, edit};
pub(crate) use key::setter;
pub(crate) use key::{
    KeyDefault, KeyGroup, KeyHelp, KeyInput, KeyNames, KeySpec, REQUIRED, Schema,
};
pub(crate) use problem::{KeyLocation, Problem, Problems};
pub(crate) use reader::{Content, KeyEntry, MAX_FILE_BYTES, Section, decode, decode_up_to};
pub(crate) use value::ValueType;
