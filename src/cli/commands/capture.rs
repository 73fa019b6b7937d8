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
                out::write_private(&to, bytes)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::NoRecording;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::PathBuf;

    #[test]
    fn what_is_written_is_for_our_eyes_only() {
        let dir = tempfile::tempdir().unwrap();
        let args =
            CaptureArgs { dir: dir.path().join("machine"), scrub: false, source: NoRecording };
        out::create_folder(&args.dir).unwrap();
        let bytes = Traced::Bytes(b"x".to_vec());
        let tree: Tree = [
            (PathBuf::from("etc"), Traced::Folder),
            (PathBuf::from("proc/7/cmdline"), bytes.clone()),
            (PathBuf::from("machine.toml"), bytes),
        ]
        .into();
        write(&args, &tree).unwrap();
        let mode = |path: &str| {
            let file = std::path::absolute(args.dir.join(path)).unwrap();
            file.symlink_metadata().unwrap().permissions().mode() & 0o777
        };
        let folders = ["", "etc", "proc", "proc/7"].map(mode);
        assert_eq!(folders, [0o700; 4]);
        assert_eq!([mode("proc/7/cmdline"), mode("machine.toml")], [0o600; 2]);
    }
}
