//! Saved results: listed, shown, compared, exported and removed by the real program.
//!
//! `UPDATE_GOLDEN=1 cargo test --test suite results::` rewrites the saved runs and the golden output.

#![allow(clippy::disallowed_methods, reason = "tests build their own folders")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::print_stdout,
    reason = "the helpers of a test stop it"
)]

mod browser;
use crate::common;
mod dominant_process;
mod experiment_comparison;
mod experiments;
mod hostile;
mod narrow_terminal;
mod pages;
mod printed_output;
mod run_comparison;
mod sample_runs;

use std::fs;
use std::path::PathBuf;
use std::process::Output;
use tempfile::TempDir;

/// A folder with the runs of the builder, which a test may change.
struct ResultFolder(TempDir);

impl ResultFolder {
    fn new() -> Self {
        let folder = Self::empty();
        for (name, run) in sample_runs::NAMES.into_iter().zip(sample_runs::runs()) {
            folder.write(name, text(&run));
        }
        folder
    }

    fn empty() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut program = common::swapadm();
        program.arg("results").args(args).env("SWAPADM_RESULTS", self.0.path());
        program.current_dir(self.0.path()).output().unwrap()
    }

    /// The output of a successful command.
    fn stdout(&self, args: &[&str]) -> String {
        let output = self.run(args);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{args:?}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The error of a failing command.
    fn fails(&self, args: &[&str], code: i32) -> String {
        let output = self.run(args);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {errors}");
        assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
        errors
    }

    fn json(&self, args: &[&str]) -> serde_json::Value {
        serde_json::from_str(&self.stdout(args)).unwrap()
    }
}

/// A run or an experiment in its saved form.
fn text(kept: &impl serde::Serialize) -> String {
    serde_json::to_string(kept).unwrap() + "\n"
}
