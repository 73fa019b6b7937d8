//! A fixed machine for tests, and what machines of tests share.

pub(crate) mod mortal;

use super::MachineView;
use crate::model::activation::Discard;
use crate::model::block::BlockDevice;
use crate::model::swaparea::SwapArea;
use crate::model::zram::{ZramDevice, ZramSettings};
use crate::model::{Bytes, Name, Part, PartSet, Reading, Snapshot, Stamp};
use crate::probes;
use crate::root::testing::TestTree;
use nix::errno::Errno;
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

/// The zram devices of a machine, by number.
pub(crate) type ZramDisks = BTreeMap<u64, ZramSettings>;

/// Creates the zram device with the lowest free number, as reading `hot_add` does.
pub(crate) fn add_zram(disks: &mut ZramDisks) -> String {
    let lowest = (0..9).find(|number| !disks.contains_key(number)).unwrap();
    disks.insert(lowest, ZramSettings::default());
    lowest.to_string()
}

/// Writes a file of zram below /sys.
pub(crate) fn write_zram(disks: &mut ZramDisks, file: &str, text: &str) -> Result<(), Errno> {
    if file == "class/zram-control/hot_remove" {
        return disks.remove(&text.parse().unwrap()).map(drop).ok_or(Errno::ENODEV);
    }
    let (number, attribute) = file.strip_prefix("block/zram").unwrap().split_once('/').unwrap();
    let disk = disks.get_mut(&number.parse().unwrap()).ok_or(Errno::ENOENT)?;
    let is_set_up = disk.size > Bytes(0);
    match attribute {
        "reset" => *disk = ZramSettings::default(),
        "mem_limit" => disk.limit = Bytes(text.parse().unwrap()),
        "disksize" | "comp_algorithm" if is_set_up => return Err(Errno::EBUSY),
        "disksize" => disk.size = Bytes(text.parse().unwrap()),
        "comp_algorithm" => disk.algorithm = Some(text.to_owned()),
        _ => return Err(Errno::ENOENT),
    }
    Ok(())
}
