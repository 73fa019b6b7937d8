//! `swapadm file create`, `resize` and `remove`.

use super::{Before, Change, format, on};
use crate::actions::persist::Goal;
use crate::actions::{Step, quoted, storage};
use crate::cli::args::{FileCommand, FileCreateArgs, FileRemoveArgs, FileResizeArgs};
use crate::cli::exit::{Exit, Failure};
use crate::cli::options::{Environment, SourceOptions};
use crate::columns::units;
use crate::model::activation::{Activation, Discard, Priority};
use crate::model::candidate::{Signature, Thing};
use crate::model::format::{FileForm, Format};
use crate::model::name::safe_text;
use crate::model::{Bytes, Missing, Name, Reading};
use crate::probes::candidate;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

/// Make, resize or remove a swap file.
///
/// # Errors
/// When the arguments make no sense, or the plan cannot be carried out.
pub fn run(
    command: &FileCommand,
    source: &SourceOptions,
    environment: &Environment,
) -> Result<Exit, Failure> {
    let before = Before::of(source.root()?);
    match command {
        FileCommand::Create(args) => create(&before, args, environment),
        FileCommand::Resize(args) => resize(&before, args, environment),
        FileCommand::Remove(args) => remove(&before, args, environment),
    }
}

fn create(
    before: &Before<'_>,
    args: &FileCreateArgs,
    environment: &Environment,
) -> Result<Exit, Failure> {
    super::empties_nothing(&args.change)?;
    let path = new_path(before, &args.file)?;
    let size = size(&args.size)?;
    let format = format::new(before, &path, size, &args.title)?;
    let (priority, discard) = on::manner(args.priority.as_deref(), args.discard.as_deref())?;
    let activation = args.on.then(|| Activation {
        path: path.clone(),
        priority: priority.unwrap_or(Priority::Default),
        discard: discard.unwrap_or(Discard::None),
    });
    let form = before.machine.file_form(&path, format, size);
    let plan = storage::create(before.areas()?, &path, form, activation);
    let goals: Vec<Goal> =
        plan.steps.iter().filter_map(Step::put_on).map(|area| Goal::On(area.into())).collect();
    let change = Change::of(before, plan, &args.change, environment);
    // A file that is only made is nobody's swap yet.
    if args.on { change.lasting(&goals)?.run() } else { change.run() }
}

fn resize(
    before: &Before<'_>,
    args: &FileResizeArgs,
    environment: &Environment,
) -> Result<Exit, Failure> {
    let (path, from) = swap_file(before, &args.file)?;
    let size = size(&args.size)?;
    let pages = Format::new(size, from.format.page_size, crate::change::new_uuid()?, None);
    let pages = pages.map_err(|why| Failure::Usage(format!("{}: {why}", path.safe())))?.pages;
    let to = FileForm { size, format: Format { pages, ..from.format.clone() }, ..from.clone() };
    let plan = storage::resize(before.areas()?, before.machine.discards()?, &path, [from, to]);
    let plan = plan.map_err(|refusal| Failure::Usage(refusal.to_string()))?;
    // What names it names it still: nothing is left for --persist.
    Change::of(before, plan, &args.change, environment).run()
}

fn remove(
    before: &Before<'_>,
    args: &FileRemoveArgs,
    environment: &Environment,
) -> Result<Exit, Failure> {
    let (path, from) = swap_file(before, &args.file)?;
    let plan = storage::remove(before.areas()?, before.machine.discards()?, &path, from);
    let plan = plan.map_err(|refusal| Failure::Usage(refusal.to_string()))?;
    Change::of(before, plan, &args.change, environment).lasting(&[Goal::Gone(path)])?.run()
}

/// A path for a new file, with the links above it followed; whatever is there itself is not.
fn new_path(before: &Before<'_>, file: &OsStr) -> Result<Name, Failure> {
    let shown = safe_text(&file.to_string_lossy());
    let given = std::path::absolute(file).map_err(|error| Failure::file(file.as_ref(), error))?;
    let (Some(folder), Some(name)) = (given.parent(), given.file_name()) else {
        return Err(Failure::Usage(format!("\"{shown}\" is no file: name one, such as /swapfile")));
    };
    if file.as_bytes().ends_with(b"/") {
        return Err(Failure::Usage(format!("\"{shown}\" is a folder: name a file in it")));
    }
    let folder = before.machine.new_folder(folder).map_err(Failure::Usage)?;
    Ok(Name::new(folder.join(name).as_os_str().as_bytes()))
}

/// A swap file that is there.
fn swap_file(before: &Before<'_>, file: &OsStr) -> Result<(Name, FileForm), Failure> {
    let path = match new_path(before, file)? {
        path if before.root().link(path.as_path()).known().is_some() => {
            let text = format!("{} is a link: name the file itself", path.safe());
            return Err(Failure::Usage(text));
        }
        path => path,
    };
    let found = candidate::read(before.root(), &path);
    let name = path.safe();
    if let Some(device) = &found.behind {
        return Err(Failure::Refused(format!(
            "{name} is behind {}, which would go on with what is left of it: detach that first (losetup -d {})",
            device.safe(),
            quoted(device)
        )));
    }
    if let Some(form) = found.form() {
        return Ok((path, form));
    }
    let why = match (&found.thing, &found.signature) {
        (Reading::Known(Thing::Device { .. }), _) => format!("{name} is a device, not a file"),
        (Reading::Known(Thing::Folder), _) => format!("{name} is a folder, not a file"),
        (Reading::Known(Thing::Other), _) => format!("{name} is no file"),
        (_, Reading::Missing { missing: missing @ Missing::Denied(_) }) => {
            return Err(Failure::Refused(format!(
                "{}, and without its header there is no plan: run it with sudo",
                missing.why()
            )));
        }
        (Reading::Missing { missing }, _) | (_, Reading::Missing { missing }) => missing.why(),
        (_, Reading::Known(Signature::Image(_))) => {
            format!("{name} holds the image of a machine that sleeps")
        }
        (_, Reading::Known(Signature::None | Signature::Old | Signature::Swap(_))) => {
            format!("{name} is no swap file: it has no swap header that this kernel takes")
        }
    };
    Err(Failure::Usage(format!("{why}; swapadm devices lists what is active")))
}

/// A size as people write it.
fn size(text: &str) -> Result<Bytes, Failure> {
    // What is left over of a page could never be used, on any machine.
    let whole = units::parse_size(text).map(|Bytes(bytes)| Bytes(bytes / PAGE * PAGE));
    let bytes = whole.filter(|bytes| (PAGE..MOST).contains(&bytes.0));
    bytes.ok_or_else(|| {
        let shown = safe_text(text);
        Failure::Usage(format!(
            "size \"{shown}\" is none: from 40K to 8E, such as 512M, 4G or 1.5T"
        ))
    })
}

const PAGE: u64 = 4096;
/// No file can be larger than the kernel can count.
const MOST: u64 = 1 << 63;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_whole_pages() {
        let sizes = ["64K", "1G", "1.5m", "8193", "2GiB"].map(|text| size(text).unwrap().0);
        assert_eq!(sizes, [65_536, 1 << 30, 3 << 19, 8192, 2 << 30]);
        for wrong in ["", "x", "0", "1", "-1G", "5s", "10%", "9E99", "nan", "inf", "99999999T"] {
            let told = size(wrong).unwrap_err().to_string();
            assert!(told.contains(wrong) && told.contains("40K to 8E"), "{told}");
        }
    }
}
