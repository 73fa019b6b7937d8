//! `swapadm format` and `swapadm file`: headers and swap files.

use super::areas::swapon_options;
use super::find;
use crate::change::format::FormatIntent;
use crate::change::{Intent, ObservedMachine};
use crate::cli::args::{FileCommand, FileCreateArgs, FormatArgs, HeaderArgs};
use crate::cli::exit::{CommandError, CommandResult, usage};
use crate::columns::units;
use crate::model::format::{PAGES, Uuid};
use crate::model::name::safe_text;
use crate::model::{Bytes, Name};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

/// The intent of `file`.
pub(super) fn intent(
    machine: &ObservedMachine<'_>,
    command: &FileCommand,
) -> CommandResult<Intent> {
    Ok(match command {
        FileCommand::Create(args) => create(machine, args)?,
        FileCommand::Resize { file, size, .. } => {
            Intent::ResizeFile(path(machine, file)?, self::size(size)?)
        }
        FileCommand::Remove { file, .. } => Intent::RemoveFile(path(machine, file)?),
    })
}

fn create(machine: &ObservedMachine<'_>, args: &FileCreateArgs) -> CommandResult<Intent> {
    let path = path(machine, &args.file)?;
    let size = size(&args.size)?;
    let format = header(machine, &path, &args.title)?;
    let options = swapon_options(args.priority.as_deref(), args.discard.as_deref())?;
    Ok(Intent::CreateFile(path, size, format, args.on.then_some(options)))
}

/// The path of a file with links in its directories followed, but not a link at the path itself.
fn path(machine: &ObservedMachine<'_>, file: &OsStr) -> CommandResult<Name> {
    let shown = safe_text(&file.to_string_lossy());
    let given =
        std::path::absolute(file).map_err(|error| CommandError::file(file.as_ref(), error))?;
    let (Some(folder), Some(name)) = (given.parent(), given.file_name()) else {
        return Err(usage(format!("\"{shown}\" is not a file name: use a path such as /swapfile")));
    };
    if file.as_bytes().ends_with(b"/") {
        return Err(usage(format!("\"{shown}\" is a directory: use a file in it")));
    }
    let folder = machine.new_folder(folder).map_err(CommandError::Usage)?;
    Ok(Name::new(folder.join(name).as_os_str().as_bytes()))
}

/// Parses the size of a swap file.
fn size(text: &str) -> CommandResult<Bytes> {
    // A part of a page cannot be used on any machine.
    let whole = units::parse_size(text).map(|Bytes(bytes)| Bytes(bytes / PAGE * PAGE));
    let bytes = whole.filter(|bytes| (PAGE..MOST).contains(&bytes.0));
    bytes.ok_or_else(|| {
        let shown = safe_text(text);
        usage(format!("size \"{shown}\" is not a size from 40K to 8E, such as 4G; without a unit it is in bytes"))
    })
}

const PAGE: u64 = 4096;
/// File sizes must be below this in the kernel.
const MOST: u64 = 1 << 63;

/// The intent of `format`.
pub(super) fn format_intent(
    machine: &ObservedMachine<'_>,
    args: &FormatArgs,
) -> CommandResult<Intent> {
    let path = find::storage(machine, &args.area)?;
    let format = header(machine, &path, &args.title)?;
    Ok(Intent::Format(path, format))
}

/// The header to write.
fn header(
    machine: &ObservedMachine<'_>,
    path: &Name,
    title: &HeaderArgs,
) -> CommandResult<FormatIntent> {
    let label = title.label.as_ref().map(|label| Name::new(label.as_bytes()));
    let page_size = title.page_size.as_deref().map(page_size).transpose()?;
    let format = FormatIntent { page_size, label, ..FormatIntent::new()? };
    Ok(match &title.uuid {
        Some(text) => {
            let uuid = Uuid::parse(text).map_err(CommandError::Usage)?;
            format.with_uuid(machine, path, uuid)?
        }
        None => format,
    })
}

/// Parses the page size of the machine that will use the area.
fn page_size(text: &str) -> CommandResult<u64> {
    let size = units::parse_size(text).map(|Bytes(size)| size);
    size.filter(|size| PAGES.iter().any(|known| *known as u64 == *size)).ok_or_else(|| {
        usage(format!(
            "--page-size \"{}\" is not valid: use a power of two from {} to {}, such as 64K",
            safe_text(text),
            PAGES[0],
            PAGES[4]
        ))
    })
}

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
