//! `swapadm zram COMMAND`.

use super::areas::swapon_options;
use super::state;
use crate::change::format::FormatIntent;
use crate::change::zram::device::ZramTarget;
use crate::change::zram::upkeep::{UpkeepIntent, longest_idle_age};
use crate::change::zram::{ZramChange, ZramIntent, ZramParameters};
use crate::change::{ChangeError, ObservedMachine};
use crate::cli::args::zram::{
    ZramAreaArgs, ZramCommand, ZramSetupArgs as SetupArgs, ZramUpkeepArgs,
};
use crate::cli::exit::{CommandResult, usage};
use crate::cli::options;
use crate::columns::units;
use crate::columns::value::Unit;
use crate::model::name::safe_text;
use crate::model::{Bytes, Name, whole};
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt as _;

/// Parses arguments of zram commands for this machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct ZramParser<'a> {
    machine: &'a ObservedMachine<'a>,
    /// Receives remarks.
    say: fn(&str),
}

impl<'a> ZramParser<'a> {
    /// The parser for this machine; `say` receives remarks.
    pub(super) fn new(machine: &'a ObservedMachine<'a>, say: fn(&str)) -> Self {
        Self { machine, say }
    }

    /// Parses a command.
    pub(super) fn command(self, command: &ZramCommand) -> CommandResult<ZramIntent> {
        let (device, change) = match command {
            ZramCommand::Add { change, .. } if change.persist => {
                return Err(usage(PERSISTED_DEVICE));
            }
            ZramCommand::Add { size, setup, .. } => {
                let size = size.as_deref().map(|text| self.size(text)).transpose()?;
                return Ok(ZramIntent::Add(self.setup(setup, size)?));
            }
            ZramCommand::Swap { area, .. } => return self.swap(area),
            ZramCommand::Upkeep(args) => return self.upkeep(args),
            ZramCommand::Remove(args) => (&args.device, ZramChange::Remove),
            ZramCommand::Resize { device, size, .. } => {
                (device, ZramChange::Resize(self.size(size)?))
            }
            ZramCommand::Algorithm { device, algorithm, .. } => {
                (device, ZramChange::Algorithm(algorithm.clone()))
            }
            ZramCommand::Limit { device, limit, .. } => {
                (device, ZramChange::Limit(self.limit(limit)?))
            }
            ZramCommand::Compact(args) => (&args.device, ZramChange::Compact),
            ZramCommand::Idle { device, age, .. } => {
                let age = age.as_deref().map(|text| self.age(text)).transpose()?;
                (device, ZramChange::Idle(age))
            }
            ZramCommand::Writeback { device, pages, limit, .. } => {
                let limit = limit.as_deref();
                let limit = limit.map(|text| SizeParser::new(self)?.bytes("--limit", text));
                let (pages, limit) = (pages.clone(), limit.transpose()?);
                (device, ZramChange::Writeback { pages, limit })
            }
            ZramCommand::Recompress { device, pages, threshold, algorithm, .. } => {
                let (pages, algorithm) = (pages.clone(), algorithm.clone());
                (device, ZramChange::Recompress { pages, threshold: *threshold, algorithm })
            }
        };
        Ok(ZramIntent::Device(ZramTarget::find(self.machine, device)?.number, change))
    }

    /// A new device with swap on it.
    fn swap(self, area: &ZramAreaArgs) -> CommandResult<ZramIntent> {
        let label = area.label.as_ref().map(|label| Name::new(label.as_bytes()));
        let setup = self.setup(&area.setup, Some(self.size(&area.size)?))?;
        let format = FormatIntent { label, ..FormatIntent::new()? };
        let options = swapon_options(Some(&area.priority), area.discard.as_deref())?;
        Ok(ZramIntent::Swap(None, setup, format, options))
    }

    fn setup(self, setup: &SetupArgs, size: Option<Bytes>) -> CommandResult<ZramParameters> {
        let limit = setup.limit.as_deref();
        Ok(ZramParameters {
            size,
            algorithm: setup.algorithm.clone(),
            second_algorithm: setup.second_algorithm.clone(),
            limit: limit.map(|text| SizeParser::new(self)?.whole("--limit", text)).transpose()?,
            backing: setup.backing.as_ref().map(|backing| Name::new(backing.as_bytes())),
        })
    }

    fn upkeep(self, args: &ZramUpkeepArgs) -> CommandResult<ZramIntent> {
        let target = |device: &OsString| Ok(ZramTarget::find(self.machine, device)?.number);
        let devices = args.devices.iter().map(target).collect::<CommandResult<_>>()?;
        let (mut policy, file) = state::upkeep_policy(args.policy.as_deref(), self.machine.root)?;
        if let Some(percent) = args.compact_from {
            if !(0.0..=100.0).contains(&percent) {
                return Err(usage("--compact-from: use a share from 0 to 100 percent"));
            }
            policy.compact_from = percent / 100.0;
        }
        if let Some(text) = &args.budget {
            policy.budget = Some(SizeParser::new(self)?.whole("--budget", text)?);
        }
        if let Some(text) = &args.age {
            policy.age = self.age(text)?;
        }
        Ok(ZramIntent::Upkeep(UpkeepIntent { devices, policy, file }))
    }

    /// The size of a device.
    fn size(self, text: &str) -> CommandResult<Bytes> {
        SizeParser::new(self)?.whole("the size", text)
    }

    /// The limit on the memory of a device; 0 for none.
    fn limit(self, text: &str) -> CommandResult<Bytes> {
        if text == "none" {
            return Ok(Bytes(0));
        }
        let limit = SizeParser::new(self)?.whole("the limit", text);
        limit.map_err(|error| usage(format!("{error}; to remove the limit: none")))
    }

    /// The age of pages, in seconds.
    fn age(self, text: &str) -> CommandResult<u64> {
        let age = options::duration(text).ok_or_else(|| {
            let shown = safe_text(text);
            usage(format!("age \"{shown}\" is not valid: use a time such as 90, 30m or 1h"))
        })?;
        let seconds = age.as_secs().min(longest_idle_age(&self.machine.snapshot));
        if seconds < age.as_secs() {
            (self.say)(&format!(
                "age {} is above the uptime: using {} instead",
                safe_text(text),
                units::seconds(seconds as f64)
            ));
        }
        Ok(seconds)
    }
}

/// Why a device without swap cannot be persistent.
const PERSISTED_DEVICE: &str = "--persist: zram-generator creates swap on each of its devices: use swapadm zram swap --persist for swap, and a boot script for any other device";

/// The largest size that is accepted, in bytes.
const MOST: f64 = (1_u64 << 60) as f64;

/// Parses sizes, which may be shares of memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct SizeParser {
    memory: Bytes,
    /// The page size.
    page: u64,
    /// Receives remarks.
    say: fn(&str),
}

impl SizeParser {
    /// The parser for this machine.
    pub(super) fn new(typed: ZramParser<'_>) -> CommandResult<Self> {
        let snapshot = &typed.machine.snapshot;
        let memory = snapshot.memory("MemTotal").into_result().map_err(ChangeError::from)?;
        let page = *snapshot.page_size.get().map_err(ChangeError::from)?;
        Ok(Self { memory, page, say: typed.say })
    }

    /// Parses a size in bytes.
    pub(super) fn bytes(self, what: &str, text: &str) -> CommandResult<Bytes> {
        let number = match text.strip_suffix('%') {
            Some(share) => {
                share.parse::<f64>().ok().map(|share| share / 100.0 * self.memory.0 as f64)
            }
            None => units::parse(text, Unit::Bytes),
        };
        let number = number.filter(|number| (1.0..=MOST).contains(number));
        number.map(|number| Bytes(whole(number))).ok_or_else(|| {
            usage(format!(
                "{what} \"{}\" is not valid: use a size up to {}, such as 512M or 2G, or a share of the {} of memory, such as 50%",
                safe_text(text),
                units::bytes(MOST),
                units::bytes(self.memory.0 as f64),
            ))
        })
    }

    /// Parses a size and rounds it up to whole pages, with a remark.
    pub(super) fn whole(self, what: &str, text: &str) -> CommandResult<Bytes> {
        let asked = self.bytes(what, text)?;
        let whole = Bytes(asked.0.div_ceil(self.page).saturating_mul(self.page));
        // Rounding of a percentage needs no remark.
        if whole != asked && !text.ends_with('%') {
            (self.say)(&format!(
                "{what} {}: rounded up to {} bytes, whole pages of {}",
                safe_text(text),
                whole.0,
                self.page
            ));
        }
        Ok(whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_bytes_or_a_share_of_memory_in_whole_pages() {
        let amount = SizeParser { memory: Bytes(1 << 30), page: 4096, say: |_| {} };
        let of = |text| amount.whole("x", text).map(|bytes| bytes.0).ok();
        assert_eq!([of("2G"), of("50%"), of("5000")], [Some(2 << 30), Some(1 << 29), Some(8192)]);
        assert_eq!(of("150%"), Some((1 << 30) + (1 << 29)));
        for wrong in ["", "0", "-1", "x", "2X", "%", "-5%", "0%", "1e30", "nan", "inf%"] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
        let said = amount.bytes("--size", "2X").unwrap_err().to_string();
        assert!(said.contains("--size \"2X\"") && said.contains("1G"), "{said}");
    }
}
