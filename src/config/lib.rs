//! Files of keys in TOML or JSON: workloads, experiments, settings and states of swap.
//!
//! A kind of file is described by a [`Schema`]: its keys with name, type, range, help and default.
//! The reader, the errors with file and line, the manual pages and the settings editor are derived
//! from it.

use swapadm_model as model;

mod edit;
mod json;
mod key;
mod problem;
mod reader;
mod schema;
pub mod value;

pub use edit::{Edit, edit};
pub use json::quoted;
pub use key::{KeyDefault, KeyGroup, KeyHelp, KeyInput, KeyNames, KeySpec, REQUIRED, Schema};
pub use problem::{KeyLocation, Problem, Problems};
pub use reader::{Content, KeyEntry, MAX_FILE_BYTES, Section, decode, decode_up_to};
pub use value::ValueType;
