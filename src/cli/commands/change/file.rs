//! `swapadm format` and `swapadm file`: headers and swap files.

use super::areas::swapon_options;
use super::{CommandContext, carry_out, find};
use crate::change::Intent;
use crate::change::format::FormatIntent;
use crate::cli::args::{FileCommand, FileCreateArgs, FormatArgs, HeaderArgs};
use crate::cli::exit::{CommandError, Exit};
use crate::cli::options::{Environment, SourceOptions};
use crate::columns::units;
use crate::model::format::{PAGES, Uuid};
use crate::model::name::safe_text;
use crate::model::{Bytes, Name};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

/// Creates, resizes or removes a swap file.
///
/// # Errors
/// The arguments are wrong, or the plan cannot be carried out.
pub fn run(
    command: &FileCommand,
    source: &SourceOptions,
    environment: &Environment,
) -> Result<Exit, CommandError> {
    let before = CommandContext::new(source.root()?);
    let (intent, change) = match command {
        FileCommand::Create(args) => (create(&before, args)?, &args.change),
        FileCommand::Resize(args) => {
            let path = path(&before, &args.file)?;
            (Intent::ResizeFile(path, size(&args.size)?), &args.change)
        }
        FileCommand::Remove(args) => (Intent::RemoveFile(path(&before, &args.file)?), &args.change),
    };
    carry_out(&before, intent, change, environment)
}

fn create(before: &CommandContext<'_>, args: &FileCreateArgs) -> Result<Intent, CommandError> {
    super::refuse_pace(&args.change)?;
    let path = path(before, &args.file)?;
    let size = size(&args.size)?;
    let format = header(before, &path, &args.title)?;
    let options = swapon_options(args.priority.as_deref(), args.discard.as_deref())?;
    Ok(Intent::CreateFile(path, size, format, args.on.then_some(options)))
}

/// The path of a file with links in its directories followed, but not a link at the path itself.
fn path(before: &CommandContext<'_>, file: &OsStr) -> Result<Name, CommandError> {
    let shown = safe_text(&file.to_string_lossy());
    let given =
        std::path::absolute(file).map_err(|error| CommandError::file(file.as_ref(), error))?;
    let (Some(folder), Some(name)) = (given.parent(), given.file_name()) else {
        return Err(CommandError::Usage(format!(
            "\"{shown}\" is not a file name: use a path such as /swapfile"
        )));
    };
    if file.as_bytes().ends_with(b"/") {
        return Err(CommandError::Usage(format!("\"{shown}\" is a directory: use a file in it")));
    }
    let folder = before.machine.new_folder(folder).map_err(CommandError::Usage)?;
    Ok(Name::new(folder.join(name).as_os_str().as_bytes()))
}

/// Parses the size of a swap file.
fn size(text: &str) -> Result<Bytes, CommandError> {
    // A part of a page cannot be used on any machine.
    let whole = units::parse_size(text).map(|Bytes(bytes)| Bytes(bytes / PAGE * PAGE));
    let bytes = whole.filter(|bytes| (PAGE..MOST).contains(&bytes.0));
    bytes.ok_or_else(|| {
        let shown = safe_text(text);
        CommandError::Usage(format!(
            "size \"{shown}\" is not valid: use a number with K, M, G or T from 40K to 8E, such as 4G"
        ))
    })
}

const PAGE: u64 = 4096;
/// File sizes must be below this in the kernel.
const MOST: u64 = 1 << 63;

/// Writes a swap header.
///
/// # Errors
/// The device or file does not exist, or the plan cannot be carried out.
pub fn format(
    args: &FormatArgs,
    source: &SourceOptions,
    environment: &Environment,
) -> Result<Exit, CommandError> {
    super::refuse_pace(&args.change)?;
    let before = CommandContext::new(source.root()?);
    let path = find::storage(before.root(), &args.area)?;
    let format = header(&before, &path, &args.title)?;
    carry_out(&before, Intent::Format(path, format), &args.change, environment)
}

/// The header to write.
fn header(
    before: &CommandContext<'_>,
    path: &Name,
    title: &HeaderArgs,
) -> Result<FormatIntent, CommandError> {
    let label = title.label.as_ref().map(|label| Name::new(label.as_bytes()));
    let page_size = title.page_size.as_deref().map(page_size).transpose()?;
    let format = FormatIntent { page_size, label, ..FormatIntent::new()? };
    Ok(match &title.uuid {
        Some(text) => {
            let uuid = Uuid::parse(text).map_err(CommandError::Usage)?;
            format.with_uuid(&before.machine, path, uuid)?
        }
        None => format,
    })
}

/// Parses the page size of the machine that will use the area.
fn page_size(text: &str) -> Result<u64, CommandError> {
    let size = units::parse_size(text).map(|Bytes(size)| size);
    size.filter(|size| PAGES.iter().any(|known| *known as u64 == *size)).ok_or_else(|| {
        CommandError::Usage(format!(
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
