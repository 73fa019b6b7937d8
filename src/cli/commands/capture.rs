//! `swapadm capture`: a machine in a folder.

use crate::cli::args::CaptureArgs;
use crate::cli::exit::{Exit, Failure};
use crate::cli::options::SourceOptions;
use crate::cli::out;
use crate::clock::Clock;
use crate::model::name;
use crate::root::Traced;
use crate::sampler::capture::{self, Tree};
use std::ops::Bound;
use std::path::Path;

/// Capture the machine into a folder that must not be there yet.
///
/// # Errors
/// When the folder is there, or something cannot be written; what was written stays.
pub fn run(args: &CaptureArgs, source: &SourceOptions) -> Result<Exit, Failure> {
    let root = source.root()?;
    out::create_folder(&args.dir)?;
    let tree = capture::capture(root, &Clock::Real, args.scrub);
    write(args, &tree)?;
    let count = |kind: fn(&Traced) -> bool| tree.values().filter(|traced| kind(traced)).count();
    let files = count(|traced| matches!(traced, Traced::Bytes(_)));
    let errors = count(|traced| matches!(traced, Traced::Error(_)));
    let unread = match errors {
        0 => String::new(),
        errors => format!("; {errors} could not be read, and machine.toml says why"),
    };
    let dir = name::safe_text(&args.dir.to_string_lossy());
    out::remark(&format!("{dir}: {files} files{unread}. Read it with swapadm --sysroot {dir}"));
    Ok(Exit::Done)
}

fn write(args: &CaptureArgs, tree: &Tree) -> Result<(), Failure> {
    for (path, traced) in tree {
        let to = args.dir.join(path);
        // What lies below a path comes right after it.
        let mut after = tree.range::<Path, _>((Bound::Excluded(path.as_path()), Bound::Unbounded));
        let is_folder = after.next().is_some_and(|(other, _)| other.starts_with(path));
        match traced {
            Traced::Folder => out::create_folders(&to)?,
            Traced::Bytes(bytes) => {
                out::create_parents(&to)?;
                out::write_file(&to, bytes)?;
            }
            // A link to a folder of which files were read becomes that folder.
            Traced::Link(target) if !is_folder => {
                out::create_parents(&to)?;
                out::create_link(&to, target)?;
            }
            Traced::Link(_) | Traced::Error(_) => {}
        }
    }
    Ok(())
}
