//! The rules: which value of each choice suits the facts, why, and what else is possible.

pub(super) mod areas;
mod compressed;
pub(super) mod notes;

use super::choice::{ChoiceValue, SetupChoice, SetupKey, SetupRequest};
use super::facts::SetupFacts;
use super::profile::MachineProfile;
use crate::model::kernel::Release;
use crate::model::name::safe_text;
use crate::model::{Bytes, Reading, knob, worded_enum};

worded_enum! {
    /// Kinds of compressed swap.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum Compression {
        /// A compressed cache in front of disk swap.
        Zswap = "zswap",
        /// Swap on a compressed device in memory.
        Zram = "zram",
        /// No compression.
        None = "none",
    }
}

/// Choices of disk swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DiskChoice {
    /// Disk swap stays as now.
    Keep,
    /// No disk swap.
    None,
    /// A new swap file of this size.
    File(Bytes),
}

/// The chosen values.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ChosenSetup {
    pub compression: Compression,
    /// Size of zram; none without zram.
    pub size: Option<Bytes>,
    /// Algorithm; `None` for the kernel's default, or as it is.
    pub algorithm: Option<String>,
    pub disk: DiskChoice,
    /// Whether faster areas come first.
    pub tiered: bool,
    /// New value, if it changes.
    pub swappiness: Option<String>,
    /// New value, if it changes.
    pub page_cluster: Option<String>,
    pub boot: bool,
}

impl ChosenSetup {
    /// The choices that decide which areas there are.
    pub(super) fn areas(&self) -> (Compression, DiskChoice) {
        (self.compression, self.disk)
    }
}

/// The values that a choice can have; the first one is proposed.
struct ValueList {
    key: SetupKey,
    now: Option<String>,
    values: Vec<ChoiceValue>,
}

impl ValueList {
    fn new(key: SetupKey, now: Option<String>) -> Self {
        Self { key, now, values: Vec::new() }
    }

    /// Adds a value, unless it is in the list already.
    fn with(mut self, value: impl Into<String>, reason: impl Into<String>) -> Self {
        let (value, reason) = (value.into(), reason.into());
        if self.values.iter().all(|other| other.value != value) {
            self.values.push(ChoiceValue { value, reason });
        }
        self
    }

    fn with_if(self, condition: bool, value: &str, reason: impl Into<String>) -> Self {
        if condition { self.with(value, reason) } else { self }
    }

    /// Takes the requested value, or else the proposed one. `parse` says whether a value that is not in
    /// the list is possible.
    fn choose(
        mut self,
        request: &SetupRequest,
        parse: impl FnOnce(&str) -> Result<(), String>,
    ) -> Result<SetupChoice, String> {
        let mut place = 0;
        if let Some(wish) = request.value(self.key) {
            if let Some(found) = self.values.iter().position(|it| it.value == wish) {
                place = found;
            } else {
                let word = self.key.word();
                self.key.check(wish)?;
                parse(wish).map_err(|why| format!("{word} \"{}\": {why}", safe_text(wish)))?;
                let reason = "as requested".to_owned();
                self.values.insert(0, ChoiceValue { value: wish.to_owned(), reason });
            }
        }
        if self.values.is_empty() {
            return Err(format!("{} has no value on this machine", self.key.word()));
        }
        let chosen = self.values.remove(place);
        Ok(SetupChoice {
            key: self.key,
            changes: self.now.as_ref() != Some(&chosen.value),
            now: self.now,
            chosen,
            cost: None,
            file: None,
            others: self.values,
            place,
        })
    }

    /// The error for a value that is not in the list.
    fn refuse_others(&self) -> impl FnOnce(&str) -> Result<(), String> + use<> {
        let all: Vec<String> = self.values.iter().map(|it| it.value.clone()).collect();
        move |_| Err(format!("not possible on this machine: use {}", all.join(" or ")))
    }
}

/// The rules for one machine and one request.
pub(super) struct Rules<'a> {
    pub facts: &'a SetupFacts,
    pub request: &'a SetupRequest,
}

impl Rules<'_> {
    /// All choices in order, and their values.
    pub(super) fn choices(&self) -> Result<(Vec<SetupChoice>, ChosenSetup), String> {
        let mut all = Vec::new();
        let choice = self.compression()?;
        let compression = Compression::from_word(&choice.chosen.value).unwrap_or(Compression::None);
        let (disk_choice, disk) = self.disk(compression)?;
        let is_zswap = compression == Compression::Zswap;
        let cost = is_zswap.then(|| compressed::zswap_cost(self.facts, disk));
        all.push(SetupChoice { cost, ..choice });
        let size = (compression == Compression::Zram).then(|| self.size()).transpose()?;
        let algorithm = self.algorithm(compression)?;
        let priorities = self.priorities(compression, disk)?;
        let has_swap = compression == Compression::Zram || disk != DiskChoice::None;
        // Requested values are checked in any case.
        let boot = self.boot()?;
        let is_lost = boot.chosen.value == YES && self.is_disk_alone_at_boot(compression, disk);
        let swappiness = Some(self.swappiness(compression, is_lost)?).filter(|_| has_swap);
        let page_cluster = Some(self.page_cluster(compression, disk)?).filter(|_| has_swap);
        // Swap that goes may be in a file that enables it at boot.
        let has_boot = has_swap || !self.facts.areas.is_empty();
        let boot = Some(boot).filter(|_| has_boot);
        let changed = |choice: &SetupChoice| choice.changes.then(|| choice.chosen.value.clone());
        let chosen = ChosenSetup {
            compression,
            size: size.as_ref().map(|(_, bytes)| *bytes),
            algorithm: algorithm.as_ref().and_then(changed).filter(|it| it != DEFAULT),
            disk,
            tiered: priorities.as_ref().is_some_and(|it| it.chosen.value == TIERED),
            swappiness: swappiness.as_ref().and_then(changed),
            page_cluster: page_cluster.as_ref().and_then(changed),
            boot: boot.as_ref().is_some_and(|it| it.chosen.value == YES),
        };
        all.extend(size.map(|(choice, _)| choice));
        all.extend(algorithm);
        all.push(disk_choice);
        all.extend(priorities);
        all.extend([swappiness, page_cluster, boot].into_iter().flatten());
        if !chosen.boot {
            for choice in &mut all {
                choice.file = None;
            }
        }
        Ok((all, chosen))
    }

    fn boot(&self) -> Result<SetupChoice, String> {
        let reason = "otherwise the setup ends with the next reboot";
        let list = ValueList::new(SetupKey::Boot, None)
            .with(YES, reason)
            .with("no", "to try the setup until the next reboot");
        let parse = list.refuse_others();
        let choice = list.choose(self.request, parse)?;
        Ok(SetupChoice { changes: false, ..choice })
    }
}

const YES: &str = "yes";
/// The algorithm that the kernel chooses.
const DEFAULT: &str = "default";
const TIERED: &str = "tiered";
const KEEP: &str = "keep";
const NONE: &str = "none";

/// The first release that reads nothing ahead from zram in any case.
const NO_READAHEAD: Release = Release(6, 19);

impl Rules<'_> {
    /// Whether disk swap is enabled at boot, but not the zram in front of it.
    fn is_disk_alone_at_boot(&self, kind: Compression, disk: DiskChoice) -> bool {
        let is_zram_lost = kind == Compression::Zram && !self.facts.has_zram_at_boot();
        is_zram_lost && disk != DiskChoice::None
    }

    /// The swappiness, which is set at boot too: `is_lost` if zram is not.
    fn swappiness(&self, kind: Compression, is_lost: bool) -> Result<SetupChoice, String> {
        let profile = self.facts.profile;
        let personal = matches!(profile, MachineProfile::Desktop | MachineProfile::SmallBoard);
        let (fit, why) = match kind {
            Compression::None if profile == MachineProfile::Database => {
                (Some("10"), "the kernel gives up cached files before memory of the database")
            }
            Compression::Zram if is_lost => {
                (None, "the kernel's default suits the disk swap that is left after the next boot")
            }
            Compression::Zram if personal => {
                (Some("150"), "reading compressed memory is cheaper than reading files again")
            }
            Compression::Zram | Compression::Zswap => {
                (Some("100"), "compressed swap costs about as much as reading files again")
            }
            Compression::None => (None, "the kernel's default suits disk swap"),
        };
        self.setting(SetupKey::Swappiness, &self.facts.swappiness, (fit, why))
    }

    fn page_cluster(&self, kind: Compression, disk: DiskChoice) -> Result<SetupChoice, String> {
        let release = self.facts.release.as_deref().and_then(Release::parse);
        let is_zram_only = kind == Compression::Zram && disk == DiskChoice::None;
        let (fit, why) = match (is_zram_only, release) {
            (true, Some(release)) if release >= NO_READAHEAD => {
                (None, "this kernel reads nothing ahead from zram in any case")
            }
            (true, _) => {
                (Some("0"), "reading ahead from memory saves no seeks, and decompresses in vain")
            }
            (false, _) => (None, "the kernel's default suits a disk"),
        };
        self.setting(SetupKey::PageCluster, &self.facts.page_cluster, (fit, why))
    }

    /// A setting: `fit` suits, unless it was set to another value than the kernel's default.
    fn setting(
        &self,
        key: SetupKey,
        now: &Reading<String>,
        (fit, why): (Option<&'static str>, &'static str),
    ) -> Result<SetupChoice, String> {
        let knob = knob::find(key.word());
        let default = knob.and_then(|knob| knob.default).unwrap_or_default();
        let now = now.get().map_err(|missing| format!("{}: {}", key.word(), missing.why()))?;
        let list = ValueList::new(key, Some(now.clone()));
        let list = match fit {
            _ if now != default => {
                let list = list.with(now.clone(), "set on this machine, so it stays");
                list.with(fit.unwrap_or(default), why)
            }
            Some(fit) => list.with(fit, why).with(default, "the kernel's default"),
            None => list.with(default, why),
        };
        let present = now.clone();
        let choice = list.choose(self.request, |text| {
            knob.map_or(Ok(()), |knob| knob.kind.parse_value(text, &present).map(|_| ()))
        })?;
        Ok(SetupChoice { file: choice.changes.then_some("sysctl.d"), ..choice })
    }
}
