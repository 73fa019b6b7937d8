//! The program: arguments in, exit code out.

use std::process::ExitCode;

#[expect(clippy::disallowed_methods, reason = "this is the place that reads the arguments")]
fn main() -> ExitCode {
    ExitCode::from(swapadm::cli::run(std::env::args_os()).code())
}
