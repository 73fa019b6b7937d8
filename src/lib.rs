//! swapadm: see, explain and administer swap on Linux.
//!
//! # Modules, and what each may use
//!
//! `model`, `config` and `sim` are packages of their own, so that the simulator is optimized in tests too.
//!
//! Data flows one way: [`root`] → [`probes`] → [`model::Snapshot`] → [`mod@derive`] → [`columns`] →
//! [`report`]. A module may use only the modules named on its line; `tests/layers.rs` reads the
//! sources and fails on any other edge.
//!
//! | module | purpose | may use |
//! |---|---|---|
//! | [`model`] | plain data, no input or output | nothing |
//! | [`ffi`] | system calls that no library wraps safely: all unsafe code | nothing |
//! | [`root`] | the only access to kernel files, live or captured | model, ffi |
//! | [`clock`] | the only source of time | model |
//! | [`probes`] | readers of kernel interfaces, a file for each | model, root, clock |
//! | [`sampler`] | takes snapshots live, records and replays them | probes, model, root, clock |
//! | [`mod@derive`] | pure: rates, balance, ratios, attribution | model |
//! | [`advice`] | pure: rules and their findings | model, derive |
//! | [`columns`] | every value that can be shown, defined once | model, derive, advice, sim |
//! | [`report`] | table, JSON, CSV, metrics, text pages | advice, columns, model, derive |
//! | [`sys`] | the only place that changes the machine: system calls, the lock, the helper | model, root, clock, ffi |
//! | [`actions`] | plans, checks, execution, the journal | model, derive, columns, sys, clock |
//! | [`mod@change`] | a change of this machine, from the `Intent` to the outcome | actions, columns, derive, probes, sim, sys, model, root, clock |
//! | [`config`] | TOML files: one description of a key for reader, errors, manual and editor | model |
//! | [`sim`] | the simulated machine: a seeded model of how kernels use swap | model, config |
//! | [`lab`] | workloads: their files and processes, runs under a memory limit, guards and measurement | actions, change, columns, config, derive, probes, sim, sys, model, root, clock |
//! | [`learn`] | lessons and demonstrations on simulated machines | actions, advice, change, columns, config, derive, lab, model, sim |
//! | [`waiting`] | waiting for signals, descriptors and time, with tokio | nothing |
//! | [`ui`] | the terminal interface: messages in, state and effects out | actions, advice, change, columns, config, derive, lab, learn, model, sampler, clock, waiting |
//! | [`cli`] | arguments, commands, generated documents | all |

#![allow(rustdoc::private_intra_doc_links, reason = "the table names private modules")]

pub(crate) use swapadm_config as config;
pub use swapadm_model as model;
pub use swapadm_sim as sim;

pub mod actions;
pub mod advice;
pub mod change;
pub mod cli;
pub mod clock;
pub mod columns;
pub mod derive;
pub(crate) mod ffi;
pub mod lab;
pub mod learn;
pub mod probes;
pub mod report;
pub mod root;
pub mod sampler;
pub mod sys;
pub mod ui;
pub(crate) mod waiting;
