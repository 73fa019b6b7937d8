//! The program from outside, and what holds for the whole repository: all tests that need no root and no process
//! of their own. In one program they are built and linked once, and run beside each other.

mod advise;
mod apply;
mod common;
mod damaged_input;
mod details;
mod differential;
mod earlier;
mod escapes;
mod figures;
mod fleet;
mod fuzz_seeds;
mod generated;
mod keys;
mod layers;
mod learn;
mod licences;
mod load_refusals;
mod machines;
mod manners;
mod metrics;
mod persistence;
#[path = "common/prune.rs"]
mod prune;
mod rebalance;
mod refusals;
mod reliability;
mod results;
mod scale;
mod scenarios;
mod schema;
mod setup;
mod shell_lines;
mod showcase;
#[path = "common/signals.rs"]
mod signals;
mod simulated;
mod table_notes;
mod terminal;
#[path = "common/tty.rs"]
mod tty;
mod user_files;
mod words;
mod worker;
mod zram_helper;
