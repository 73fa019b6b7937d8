//! A fixed machine for tests.

use super::MachineView;
use crate::model::activation::Discard;
use crate::model::block::BlockDevice;
use crate::model::swaparea::SwapArea;
use crate::model::zram::{ZramDevice, ZramSettings};
use crate::model::{Name, Part, PartSet, Reading, Snapshot, Stamp};
use crate::probes;
use crate::root::testing::TestTree;
use std::collections::BTreeMap;

#[derive(Default)]
pub(crate) struct FixedView {
    pub(crate) areas: Vec<SwapArea>,
    pub(crate) discards: BTreeMap<Name, Discard>,
    pub(crate) settings: BTreeMap<Name, String>,
    pub(crate) texts: BTreeMap<Name, String>,
    pub(crate) disks: BTreeMap<u64, ZramSettings>,
    pub(crate) contents: BTreeMap<Name, Vec<u8>>,
}

impl MachineView for FixedView {
    fn areas(&self) -> Reading<Vec<SwapArea>> {
        Reading::Known(self.areas.clone())
    }

    fn discard(&self, area: &SwapArea) -> Reading<Discard> {
        let found = self.discards.get(&area.path).copied();
        found.map_or_else(|| Reading::absent("the log does not tell"), Reading::Known)
    }

    fn parts(&self, _parts: &[Part]) -> Snapshot {
        Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 })
    }

    fn device(&self, _area: &SwapArea) -> Reading<BlockDevice> {
        Reading::not_sampled()
    }

    fn failed_reads(&self, _path: &Name) -> u64 {
        0
    }

    fn setting(&self, file: &Name) -> Reading<String> {
        let found = self.settings.get(file).cloned();
        found.map_or_else(|| Reading::absent("no such setting"), Reading::Known)
    }

    fn text(&self, file: &Name) -> Reading<Option<String>> {
        Reading::Known(self.texts.get(file).cloned())
    }

    fn disk(&self, number: u64) -> Reading<Option<ZramSettings>> {
        Reading::Known(self.disks.get(&number).cloned())
    }

    fn has_node(&self, number: u64) -> bool {
        self.disks.contains_key(&number)
    }

    fn content(&self, path: &Name, at: u64, length: usize) -> Reading<Vec<u8>> {
        let Some(found) = self.contents.get(path) else { return Reading::absent("no such file") };
        let at = usize::try_from(at).unwrap();
        Reading::Known(found.iter().skip(at).take(length).copied().collect())
    }
}

/// One zram device with this `mm_stat`, or one that does not answer.
pub(crate) fn zram(mm_stat: Option<&str>) -> Reading<Vec<ZramDevice>> {
    let tree = TestTree::with(&[("sys/block/zram0/initstate", "1\n")]);
    if let Some(stat) = mm_stat {
        tree.write("sys/block/zram0/mm_stat", stat);
    }
    probes::zram::read(&tree.root(), PartSet::NONE)
}
