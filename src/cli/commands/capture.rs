//! Stub.
use crate::cli::args::CaptureArgs;
use crate::cli::exit::{Exit, Failure};
use crate::cli::options::SourceOptions;

/// Stub.
pub fn run(_args: &CaptureArgs, _source: &SourceOptions) -> Result<Exit, Failure> {
    Ok(Exit::Done)
}
