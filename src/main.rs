//! The program: arguments in, exit status out.

use std::io;
use std::process::ExitCode;
use swapadm::cli;
use swapadm::lab::worker;
use swapadm::root::child_reader;
use swapadm::sys::{self, helper, process};

#[expect(clippy::disallowed_methods, reason = "this is the place that reads the arguments")]
fn main() -> ExitCode {
    sys::set_signal_effects();
    let mut arguments = std::env::args_os();
    let first = arguments.nth(1);
    match first.as_deref().and_then(|first| first.to_str()) {
        Some(child_reader::READ_FILES) => code(&child_reader::serve_read_files(arguments)),
        Some(helper::HELPER_ARGUMENT) => code(&helper::serve(arguments)),
        Some(process::WORK) => code(&worker::serve(arguments)),
        _ => ExitCode::from(cli::run(std::env::args_os()).code()),
    }
}

fn code(result: &io::Result<()>) -> ExitCode {
    if result.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
