//! Parses what is typed in the interface about zram devices.

use crate::change::zram::{ZramChange, ZramIntent};
use crate::cli::args::zram::{WRITEBACK, ZramAreaArgs};
use crate::cli::commands::change::zram::ZramParser;
use crate::cli::exit::CommandError;
use crate::model::name::safe_text;
use crate::ui::change::{ZramRequest, ZramValue};
use clap::Parser;
use std::ffi::OsStr;

/// A new area as typed: its size, followed by options of `zram swap`.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct TypedArea {
    #[command(flatten)]
    area: ZramAreaArgs,
}

/// A new device with swap on it.
pub(super) fn swap(typed: ZramParser<'_>, text: &str) -> Result<ZramIntent, CommandError> {
    typed.swap(&area(text)?)
}

/// A new area as it was typed.
fn area(text: &str) -> Result<ZramAreaArgs, CommandError> {
    let words = std::iter::once("--size").chain(text.split_whitespace());
    let understood = TypedArea::try_parse_from(words).map_err(|error| {
        let told = error.to_string();
        let why = told.lines().next().unwrap_or_default().trim_start_matches("error: ");
        CommandError::Usage(format!("{why}; options of zram swap may follow the size"))
    })?;
    Ok(understood.area)
}

/// A change of a device.
pub(super) fn device(
    typed: ZramParser<'_>,
    device: &str,
    request: &ZramRequest,
) -> Result<ZramIntent, CommandError> {
    let change = match request {
        ZramRequest::Compact => ZramChange::Compact,
        ZramRequest::Remove => ZramChange::Remove,
        ZramRequest::Set(value, text) => match value {
            ZramValue::Size => ZramChange::Resize(typed.size(text)?),
            ZramValue::Algorithm => ZramChange::Algorithm(text.clone()),
            ZramValue::Limit => ZramChange::Limit(typed.limit(text)?),
            ZramValue::Idle => {
                let age = Some(text).filter(|text| *text != "all");
                ZramChange::Idle(age.map(|text| typed.age(text)).transpose()?)
            }
            ZramValue::Writeback => ZramChange::Writeback { pages: pages(text)?, limit: None },
        },
    };
    typed.device(OsStr::new(device), change)
}

/// The kind of pages, as the kernel calls it.
fn pages(typed: &str) -> Result<String, CommandError> {
    if WRITEBACK.contains(&typed) {
        return Ok(typed.to_owned());
    }
    let (shown, known) = (safe_text(typed), WRITEBACK.join(", "));
    Err(CommandError::Usage(format!("pages \"{shown}\" are not valid: use {known}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::zram::PRIORITY;

    #[test]
    fn pages_to_write_back_are_those_that_the_command_takes() {
        let refused = pages("old").unwrap_err().to_string();
        for known in WRITEBACK {
            assert_eq!(pages(known).unwrap(), known);
            assert!(refused.contains(known), "{refused}");
        }
    }

    #[test]
    fn a_new_area_is_typed_as_its_size_and_options() {
        let understood = |typed| match area(typed) {
            Ok(area) => Ok((area.size, area.setup.algorithm.unwrap_or_default(), area.priority)),
            Err(error) => Err(error.to_string()),
        };
        let area = |size: &str, algorithm: &str, priority: &str| {
            Ok((size.to_owned(), algorithm.to_owned(), priority.to_owned()))
        };
        assert_eq!(understood("2G"), area("2G", "", PRIORITY));
        assert_eq!(understood(" 50%  -a zstd --priority 7"), area("50%", "zstd", "7"));
        for (typed, named) in
            [("2G zstd", "'zstd'"), ("2G --yes", "'--yes'"), ("--label x", "--size")]
        {
            let why = understood(typed).unwrap_err();
            assert!(why.contains(named) && !why.contains('\n'), "{typed}: {why}");
        }
    }
}
