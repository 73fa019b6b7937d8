//! Runs the target that the variable `SWAPADM_FUZZ_TARGET` names on inputs of libFuzzer.

#![no_main]

#[path = "../targets/mod.rs"]
mod targets;

use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;
use targets::{Check, TARGETS};

thread_local! {
    static CHECK: RefCell<Check> = RefCell::new(open());
}

/// Opens the named target.
fn open() -> Check {
    let name = std::env::var("SWAPADM_FUZZ_TARGET").unwrap_or_default();
    let found = TARGETS.iter().find(|target| target.name == name);
    let target = found.expect("SWAPADM_FUZZ_TARGET must be a target of fuzz/targets/mod.rs");
    (target.open)()
}

fuzz_target!(|input: &[u8]| CHECK.with_borrow_mut(|check| check(input)));
