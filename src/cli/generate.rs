//! Stub.
use super::args::GenerateArgs;
use super::exit::{Exit, Failure};

/// Stub.
pub fn run(_args: &GenerateArgs) -> Result<Exit, Failure> {
    Ok(Exit::Done)
}
