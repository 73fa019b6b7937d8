//! Specifications of sessions as plain data, and parsers for values typed on a command line or in a
//! form.

use crate::change::{ChangeAttempt, ChangeError};
use crate::columns::units;
use crate::lab::experiment::settings::TemporaryAreaKinds;
use crate::lab::guard::GuardLimits;
use crate::lab::load::file::KeyOverride;
use crate::lab::run_spec::TemporaryAreaKind;
use crate::model::activation::Priority;
use crate::model::load::MemoryAmount;
use crate::model::name::safe_text;
use crate::model::{Bytes, Name};
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::os::unix::ffi::OsStrExt as _;

/// The specification of a session, as plain data.
#[derive(Clone, Debug)]
pub struct SessionSpec {
    /// The name of a workload or an experiment, or the path of its file.
    pub named: OsString,
    /// Which of the two, with its own options.
    pub subject: Subject,
    /// The memory limit of all processes of a run, overriding the file.
    pub limit: Option<MemoryAmount>,
    /// The number of runs per case, overriding the file.
    pub repetitions: Option<u32>,
    /// The random seed.
    pub seed: u64,
    /// The folder for temporary swap files.
    pub folder: Option<Name>,
    /// Limits that stop a run, overriding the usual ones.
    pub guard: GuardSpec,
    /// Accepted risks, by name.
    pub risks: Vec<String>,
    /// Whether the result is stored.
    pub is_stored: bool,
}

/// The subject of a session.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A workload.
    Load(LoadOptions),
    /// An experiment.
    Experiment(ExperimentOptions),
}

/// Options of a workload.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// The title of the result; by default the name of the workload.
    pub title: Option<String>,
    /// Overrides of keys of the workload.
    pub changes: Vec<KeyOverride>,
    /// Whether the run has no memory limit and puts the whole machine under pressure.
    pub whole_machine: bool,
    /// Temporary swap areas.
    pub areas: Vec<AreaSpec>,
    /// The priority of the temporary areas; by default above that of all active ones.
    pub priority: Option<Priority>,
    /// The compression algorithm of zram areas; by default the kernel's choice.
    pub algorithm: Option<String>,
    /// Settings that are changed for the run.
    pub settings: Vec<(String, String)>,
}

/// Options of an experiment.
#[derive(Clone, Debug, Default)]
pub struct ExperimentOptions {
    /// The factor by which its memory limits are multiplied.
    pub scale: Option<f64>,
    /// The kind of temporary areas, for cases that do not set it.
    pub kinds: Option<TemporaryAreaKinds>,
    /// The cases to run.
    pub only: Vec<FactorChoice>,
}

/// Temporary swap areas of one kind and size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AreaSpec {
    /// The kind.
    pub kind: TemporaryAreaKind,
    /// The number of areas.
    pub count: usize,
    /// The size of each area.
    pub size: Bytes,
}

impl fmt::Display for AreaSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = units::size(self.size);
        if self.count == 1 { f.write_str(&size) } else { write!(f, "{}x{size}", self.count) }
    }
}

/// The values of a factor to which an experiment is restricted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactorChoice {
    /// The factor.
    pub factor: String,
    /// The values.
    pub values: Vec<String>,
}

impl fmt::Display for FactorChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.factor, self.values.join(","))
    }
}

/// Limits that stop a run, where they differ from the usual ones.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GuardSpec {
    /// PSI full in percent above which a run is stopped.
    pub max_psi: Option<f64>,
    /// The memory that must stay available.
    pub available: Option<Bytes>,
    /// The swap that must stay free.
    pub swap: Option<Bytes>,
    /// The time limit in seconds.
    pub at_most: Option<f64>,
}

impl GuardSpec {
    /// Fills the missing limits with the usual ones.
    pub(super) fn or_usual(self, usual: GuardLimits) -> GuardLimits {
        GuardLimits {
            max_psi: self.max_psi.unwrap_or(usual.max_psi),
            min_available: self.available.unwrap_or(usual.min_available),
            min_swap: self.swap.unwrap_or(usual.min_swap),
            at_most: self.at_most.unwrap_or(usual.at_most),
        }
    }
}

/// The valid factors for the memory of an experiment.
const SCALES: std::ops::RangeInclusive<f64> = 0.001..=1000.0;
/// The valid numbers of areas in one option.
const AREAS: std::ops::RangeInclusive<usize> = 1..=32;

/// Describes an invalid value of an option.
fn invalid(option: &str, typed: &str, why: &str) -> ChangeError {
    ChangeError::Usage(format!("--{option} \"{}\": {why}", safe_text(typed)))
}

/// Parses a size with a unit, or a share of available memory.
pub fn parse_amount(option: &str, text: &str) -> ChangeAttempt<MemoryAmount> {
    let Some(share) = text.strip_suffix('%') else {
        return parse_size(option, text).map(MemoryAmount::Bytes);
    };
    let share = share.parse::<f64>().ok().filter(|share| *share > 0.0 && *share <= 100.0);
    let share = share.map(|share| MemoryAmount::Share(share / 100.0));
    share.ok_or_else(|| invalid(option, text, "use a share above 0% and at most 100%, such as 25%"))
}

/// Parses a size, where 0 needs no unit.
pub fn parse_size_or_zero(option: &str, text: &str) -> ChangeAttempt<Bytes> {
    if units::parse_size(text) == Some(Bytes(0)) { Ok(Bytes(0)) } else { parse_size(option, text) }
}

/// Parses a size with its unit: a number without a unit is more often a mistake than a number of
/// bytes.
fn parse_size(option: &str, text: &str) -> ChangeAttempt<Bytes> {
    parse_size_in(option, text, text)
}

/// The error for a negative size.
const NEGATIVE: &str = "a size cannot be negative: use a number with a unit, such as 512M or 2G";

/// Parses a size that is part of a longer value.
fn parse_size_in(option: &str, typed: &str, part: &str) -> ChangeAttempt<Bytes> {
    let has_unit = part.ends_with(|last: char| last.is_ascii_alphabetic());
    let size = units::parse_size(part).filter(|size| has_unit && *size > Bytes(0));
    size.ok_or_else(|| {
        if typed.starts_with('-') || part.starts_with('-') {
            return invalid(option, typed, NEGATIVE);
        }
        ChangeError::Usage(format!(
            "--{option} \"{}\" is not valid: use a size with a unit, such as 512M or 2G",
            safe_text(typed)
        ))
    })
}

/// Parses areas of one kind: `1G`, or `4x1G` for four of them.
pub fn parse_areas(kind: TemporaryAreaKind, text: &str) -> ChangeAttempt<AreaSpec> {
    let option = kind.word();
    let (count, each) = match text.split_once('x') {
        Some((count, each)) => (count.parse::<usize>().ok(), each),
        None => (Some(1), text),
    };
    let count = count.filter(|count| AREAS.contains(count)).ok_or_else(|| {
        let many = "use from 1 to 32 areas, such as 4x1G";
        invalid(option, text, if text.starts_with('-') { NEGATIVE } else { many })
    })?;
    Ok(AreaSpec { kind, count, size: parse_size_in(option, text, each)? })
}

/// Parses `KNOB=VALUE`.
pub fn parse_setting(text: &str) -> ChangeAttempt<(String, String)> {
    let pair = text.split_once('=').filter(|(knob, _)| !knob.is_empty());
    let pair = pair.map(|(knob, value)| (knob.to_owned(), value.to_owned()));
    let why = "use KNOB=VALUE, such as page-cluster=0; swapadm knobs lists the knobs";
    pair.ok_or_else(|| invalid("set", text, why))
}

/// Parses `FACTOR=VALUE,VALUE`. The experiment checks its factors and values when it is prepared.
pub fn parse_choice(text: &str) -> FactorChoice {
    let (factor, values) = text.split_once('=').unwrap_or((text, ""));
    let values = values.split(',').map(|value| value.trim().to_owned()).collect();
    FactorChoice { factor: factor.to_owned(), values }
}

/// Parses the kinds of temporary areas of an experiment.
pub fn parse_kinds(text: &str) -> ChangeAttempt<TemporaryAreaKinds> {
    TemporaryAreaKinds::parse(text)
        .map_err(|why| ChangeError::Usage(format!("--kind {}", safe_text(&why))))
}

/// Checks a factor for the memory of an experiment.
pub fn check_scale(factor: f64) -> ChangeAttempt<f64> {
    if SCALES.contains(&factor) {
        return Ok(factor);
    }
    let why = format!("--scale {factor}: use a number from 0.001 to 1000, such as 0.5");
    Err(ChangeError::Usage(why))
}

/// Makes the path of a folder absolute, without following links.
pub fn parse_folder(typed: &OsStr) -> ChangeAttempt<Name> {
    let whole = std::path::absolute(typed);
    let whole = whole.map_err(|error| ChangeError::file(typed.as_ref(), error))?;
    Ok(Name::new(whole.as_os_str().as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units_and_areas_a_number() {
        assert_eq!(parse_size("zram", "512M").unwrap(), Bytes(512 << 20));
        for wrong in ["512", "0M", "", "x", "-1G"] {
            let said = parse_size("zram", wrong).unwrap_err().to_string();
            assert!(said.contains("--zram") && said.contains("512M or 2G"), "{said}");
            assert_eq!(said.contains("cannot be negative"), wrong.starts_with('-'), "{said}");
        }
        for wrong in ["0%", "101%", "x%", "5"] {
            assert!(parse_amount("limit", wrong).is_err(), "{wrong}");
        }
        let two = AreaSpec { kind: TemporaryAreaKind::Zram, count: 2, size: Bytes(64 << 20) };
        assert_eq!(parse_areas(TemporaryAreaKind::Zram, "2x64M").unwrap(), two);
        let many = parse_areas(TemporaryAreaKind::File, "33x1G").unwrap_err().to_string();
        assert!(many.contains("--file \"33x1G\""), "{many}");
        for wrong in ["4x1", "4x", "1"] {
            let why = parse_areas(TemporaryAreaKind::Zram, wrong).unwrap_err().to_string();
            assert!(why.contains(&format!("--zram \"{wrong}\" is not valid: use a size")), "{why}");
        }
    }
}
