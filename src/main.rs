//! The program: arguments in, exit code out.

use std::io;
use std::process::ExitCode;
use swapadm::cli;
use swapadm::lab::worker;
use swapadm::root::guard;
use swapadm::sys::{self, helper, process};

#[expect(clippy::disallowed_methods, reason = "this is the place that reads the arguments")]
fn main() -> ExitCode {
    sys::outlive_file_limit();
    let mut arguments = std::env::args_os();
    let first = arguments.nth(1);
    match first.as_deref().and_then(|first| first.to_str()) {
        Some(guard::READ_FILES) => code(&guard::serve_read_files(arguments)),
        Some(helper::HELP) => code(&helper::serve(arguments)),
        Some(process::WORK) => code(&worker::serve(arguments)),
        _ => ExitCode::from(cli::run(std::env::args_os()).code()),
    }
}

fn code(result: &io::Result<()>) -> ExitCode {
    if result.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
