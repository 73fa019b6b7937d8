//! The program: arguments in, exit code out.

use std::process::ExitCode;
use swapadm::{cli, root::guard};

#[expect(clippy::disallowed_methods, reason = "this is the place that reads the arguments")]
fn main() -> ExitCode {
    let mut arguments = std::env::args_os();
    if arguments.nth(1).is_some_and(|first| first == guard::READ_FILES) {
        return guard::serve_read_files(arguments)
            .map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS);
    }
    ExitCode::from(cli::run(std::env::args_os()).code())
}
