//! Kernel settings: swappiness and page-cluster.

use super::{Compression, DiskChoice, Rules, ValueList};
use crate::change::setup::choice::{SetupChoice, SetupKey};
use crate::change::setup::profile::MachineProfile;
use crate::model::Reading;
use crate::model::kernel::Release;
use crate::model::knob;

/// The first release that reads nothing ahead from zram in any case.
const NO_READAHEAD: Release = Release(6, 19);

impl Rules<'_> {
    /// Whether disk swap is enabled at boot, but not the zram in front of it.
    pub(super) fn is_disk_alone_at_boot(&self, kind: Compression, disk: DiskChoice) -> bool {
        let is_zram_lost = kind == Compression::Zram && !self.facts.has_zram_at_boot();
        is_zram_lost && disk != DiskChoice::None
    }

    /// The swappiness, which is set at boot too: `is_lost` if zram is not.
    pub(super) fn swappiness(
        &self,
        kind: Compression,
        is_lost: bool,
    ) -> Result<SetupChoice, String> {
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

    pub(super) fn page_cluster(
        &self,
        kind: Compression,
        disk: DiskChoice,
    ) -> Result<SetupChoice, String> {
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
