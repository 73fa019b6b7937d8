//! A model of a machine: a tree of files that change as a kernel changes them.

#![allow(clippy::disallowed_methods, reason = "the model is a tree of files")]

use super::*;
use crate::actions::MachineView;
use crate::actions::journal::{self, Record};
use crate::actions::testing::mortal::{BOOT, Fate, run_mortal};
use crate::actions::testing::{ZramDisks, add_zram, write_zram};
use crate::change::LiveMachine;
use crate::model::activation::Activation;
use crate::model::block::BlockDevice;
use crate::model::format::{Format, SwapFileSpec};
use crate::model::swaparea::SwapArea;
use crate::model::zram::ZramSettings;
use crate::model::{Reading, Snapshot};
use crate::root::Root;
use crate::root::testing::TestTree;
use crate::sys::{
    CreateFileError, HelperReport, HelperTask, Rewrite, RunningHelper, Sys, WriteError,
};
use nix::errno::Errno;
use std::cell::{Cell, RefCell};
use std::io;
use std::path::PathBuf;
use std::time::Duration;

pub(super) const PAGE: u64 = 4096;
const DISK: u64 = 64 * PAGE;
pub(super) const DISKS: [&str; 3] = ["/dev/sda", "/dev/sdb", "/dev/sdc"];
pub(super) const FILES: [&str; 2] = ["/swap1", "/swap2"];
pub(super) const KNOBS: [(&str, &str, &[&str]); 3] = [
    ("swappiness", "proc/sys/vm/swappiness", &["0", "60", "180"]),
    ("page-cluster", "proc/sys/vm/page-cluster", &["0", "3"]),
    ("zswap.enabled", "sys/module/zswap/parameters/enabled", &["Y", "N"]),
];

pub(super) struct ModelMachine {
    pub(super) tree: TestTree,
    root: Root,
    pub(super) areas: RefCell<Vec<(Name, i32)>>,
    disks: RefCell<ZramDisks>,
    /// Number of helpers started.
    helpers: Cell<usize>,
    /// The number of a helper that fails, and its report.
    fault: Cell<Option<(usize, HelperReport)>>,
}

impl ModelMachine {
    pub(super) fn new() -> Self {
        let tree = TestTree::new();
        tree.write("machine.toml", format!("page_size = {PAGE}\n"));
        tree.write("proc/sys/kernel/osrelease", "6.18.1\n");
        tree.write("proc/meminfo", "MemTotal: 8388608 kB\nMemAvailable: 8388608 kB\n");
        for (_, file, values) in KNOBS {
            tree.write(file, format!("{}\n", values[0]));
        }
        for (place, disk) in (1..).zip(DISKS) {
            let uuid = Uuid::from_bytes(&[place; 16]).unwrap();
            let mut bytes = Format::new(Bytes(DISK), PAGE, uuid, None).unwrap().page();
            bytes.resize(usize::try_from(DISK).unwrap(), 0);
            tree.write(disk.trim_start_matches('/'), bytes);
        }
        tree.folder("sys/block");
        let machine = Self {
            root: tree.root(),
            tree,
            areas: RefCell::default(),
            disks: RefCell::default(),
            helpers: Cell::new(0),
            fault: Cell::new(None),
        };
        machine.write_areas();
        machine
    }

    pub(super) fn place(&self, path: &Name) -> PathBuf {
        self.tree.path().join(path.as_path().strip_prefix("/").unwrap())
    }

    pub(super) fn write_areas(&self) {
        let mut lines = vec!["Filename\tType\tSize\tUsed\tPriority\n".to_owned()];
        for (path, priority) in &*self.areas.borrow() {
            let kind = if path.safe().starts_with("/dev/") { "partition" } else { "file" };
            let kib = (fs::metadata(self.place(path)).unwrap().len() - PAGE) / 1024;
            lines.push(format!("{} {kind} {kib} 0 {priority}\n", path.safe()));
        }
        self.tree.write("proc/swaps", lines.concat());
    }

    pub(super) fn is_active(&self, path: &Name) -> bool {
        self.areas.borrow().iter().any(|(area, _)| area == path)
    }

    pub(super) fn disable(&self, path: &Name) -> Result<(), Errno> {
        if !self.is_active(path) {
            return Err(Errno::EINVAL);
        }
        self.areas.borrow_mut().retain(|(area, _)| area != path);
        self.write_areas();
        Ok(())
    }

    /// Writes a file of zram, below /sys.
    fn write_zram(&self, file: &str, text: &str) -> Result<(), Errno> {
        let mut disks = self.disks.borrow_mut();
        let is_named = |number: &&u64| {
            file.ends_with("reset") && file.contains(&format!("zram{number}/"))
                || file.ends_with("hot_remove") && text == number.to_string()
        };
        let ends = disks.keys().copied().find(|number| is_named(&number));
        if ends.is_some_and(|number| self.is_active(&device_path(number))) {
            return Err(Errno::EBUSY);
        }
        write_zram(&mut disks, file, text)?;
        if let Some(number) = ends.filter(|number| !disks.contains_key(number)) {
            fs::remove_dir_all(self.tree.path().join(format!("sys/block/zram{number}"))).unwrap();
            fs::remove_file(self.place(&device_path(number))).unwrap();
        }
        disks.iter().for_each(|(number, disk)| self.show_disk(*number, disk));
        Ok(())
    }

    fn show_disk(&self, number: u64, disk: &ZramSettings) {
        let show = |file: &str, text: String| {
            self.tree.write(&format!("sys/block/zram{number}/{file}"), text);
        };
        let algorithm = disk.algorithm.as_deref().unwrap_or("lzo-rle");
        let words = ["lzo-rle", "lz4", "zstd"]
            .map(|word| if word == algorithm { format!("[{word}]") } else { word.to_owned() });
        show("comp_algorithm", words.join(" "));
        show("disksize", format!("{}\n", disk.size.0));
        show("initstate", format!("{}\n", u8::from(disk.size > Bytes(0))));
        show("mm_stat", format!("0 0 0 {} 0 0 0 0 0\n", disk.limit.0));
        let node = self.place(&device_path(number));
        if fs::metadata(&node).map(|facts| facts.len()).ok() != Some(disk.size.0) {
            fs::write(node, vec![0; usize::try_from(disk.size.0).unwrap()]).unwrap();
        }
    }

    pub(super) fn observe(&self) -> ObservedMachine<'_> {
        let parts = [Part::Kernel, Part::Swaps, Part::Zram, Part::Knobs];
        ObservedMachine::observe_parts(&self.root, parts.into_iter().collect())
    }

    pub(super) fn draft(&self, wanted: &SwapStateFile) -> PlanDraft {
        let intent = StateIntent::new(wanted.clone()).unwrap();
        draft_on(&self.observe(), intent)
            .unwrap_or_else(|failure| panic!("{failure}: {wanted:?} on {:?}", self.present()))
    }

    /// Makes a plan without any fault.
    pub(super) fn carry_out(&self, plan: &Plan) -> Record {
        let store = JournalStore::in_memory();
        let outcome = run_mortal(self, (&store, plan, None), &Fate::default(), &|_| {});
        let outcome = outcome.expect("nobody kills it");
        assert_eq!((outcome.end, outcome.why), (PlanEnd::Done, None), "{:#?}", plan.steps);
        journal::read(&store).unwrap().pop().unwrap()
    }

    pub(super) fn undo(&self, record: &Record) {
        self.carry_out(&plan::undo(record, self, BOOT).unwrap());
    }

    /// The present state, with areas of equal default priority in order of their names.
    pub(super) fn present(&self) -> SwapStateFile {
        let mut state = SwapStateFile::present(&self.observe(), false).unwrap();
        state.areas.sort_by_key(|area| area.name.clone());
        state.zram.sort_by_key(|device| device.number);
        // The order that an undone plan found is restored after it, by another plan.
        state.order.clear();
        state
    }

    /// The areas with default priority in the order of their activation.
    pub(super) fn order(&self) -> Vec<Name> {
        let areas = self.areas.borrow();
        let named = areas.iter().filter(|(_, priority)| *priority < 0);
        named.map(|(path, _)| path.clone()).collect()
    }

    /// Lets the helper with this number from now on fail with this report.
    pub(super) fn set_fault(&self, fault: Option<(usize, HelperReport)>) {
        self.helpers.set(0);
        self.fault.set(fault);
    }

    fn work(&self, work: &HelperTask) -> HelperReport {
        let number = self.helpers.replace(self.helpers.get() + 1);
        let fault = self.fault.get().filter(|(at, _)| *at == number).map(|(_, report)| report);
        let disabled = match fault {
            Some(HelperReport::OffFailed(error)) => Err(error),
            _ => self.disable(work.path()),
        };
        match (disabled, work, fault) {
            (Err(error), ..) => HelperReport::OffFailed(error),
            (Ok(()), HelperTask::Renew(_), Some(report)) => report,
            (Ok(()), HelperTask::Renew(area), None) => {
                self.swap_on(area).map_or_else(HelperReport::OnFailed, |()| HelperReport::Done)
            }
            _ => HelperReport::Done,
        }
    }
}

impl Sys for ModelMachine {
    fn swap_on(&self, area: &Activation) -> Result<(), Errno> {
        if self.is_active(&area.path) {
            return Err(Errno::EBUSY);
        }
        let bytes = fs::read(self.place(&area.path)).map_err(|_| Errno::ENOENT)?;
        if !bytes.get(..4096).is_some_and(|page| page.ends_with(b"SWAPSPACE2")) {
            return Err(Errno::EINVAL);
        }
        let lowest = self.areas.borrow().iter().map(|(_, priority)| *priority).min().unwrap_or(0);
        let priority = match area.priority {
            Priority::Set(number) => i32::from(number),
            Priority::Default => lowest.min(-1) - 1,
        };
        self.areas.borrow_mut().push((area.path.clone(), priority));
        self.write_areas();
        Ok(())
    }

    fn write(&self, file: &Name, text: &str) -> Result<(), Errno> {
        let file = file.safe();
        let of_zram = file.strip_prefix("/sys/").filter(|file| file.contains("/zram"));
        match of_zram {
            Some(file) => self.write_zram(file, text)?,
            None => self.tree.write(file.trim_start_matches('/'), format!("{text}\n")),
        }
        Ok(())
    }

    fn save(&self, _: &Name, _: Option<&str>, _: Option<&str>) -> Result<(), WriteError> {
        Err(Errno::ENOSYS.into())
    }

    fn read_claim(&self, _file: &Name) -> Result<String, Errno> {
        let mut disks = self.disks.borrow_mut();
        let number = add_zram(&mut disks);
        disks.iter().for_each(|(number, disk)| self.show_disk(*number, disk));
        Ok(number)
    }

    fn rewrite(&self, rewrite: &Rewrite<'_>) -> Result<(), WriteError> {
        if self.is_active(rewrite.path) {
            return Err(Errno::EBUSY.into());
        }
        let mut bytes = fs::read(self.place(rewrite.path)).map_err(|_| Errno::ENOENT)?;
        for (from, to) in &rewrite.places {
            let at = usize::try_from(from.at).unwrap();
            if bytes.get(at..at + from.bytes.len()) != Some(&from.bytes) {
                return Err(WriteError::Changed);
            }
            bytes[at..at + to.bytes.len()].copy_from_slice(&to.bytes);
        }
        fs::write(self.place(rewrite.path), bytes).unwrap();
        Ok(())
    }

    fn make_file(
        &self,
        path: &Name,
        (from, to): (Option<&SwapFileSpec>, &SwapFileSpec),
        _go_on: &mut dyn FnMut(Bytes) -> bool,
    ) -> Result<(), CreateFileError> {
        if self.place(path).exists() != from.is_some() {
            return Err(CreateFileError::Changed);
        }
        if self.is_active(path) {
            return Err(Errno::ETXTBSY.into());
        }
        let mut bytes = to.format.page();
        bytes.resize(usize::try_from(to.size.0).unwrap(), 0);
        fs::write(self.place(path), bytes).unwrap();
        Ok(())
    }

    fn remove_file(&self, path: &Name, _form: &SwapFileSpec) -> Result<(), WriteError> {
        if self.is_active(path) {
            return Err(Errno::EPERM.into());
        }
        fs::remove_file(self.place(path)).map_err(|_| Errno::ENOENT.into())
    }

    fn begin(&self, work: &HelperTask) -> io::Result<Box<dyn RunningHelper>> {
        Ok(Box::new(EndedHelper(self.work(work))))
    }
}

/// A helper that has ended with this report.
struct EndedHelper(HelperReport);

impl RunningHelper for EndedHelper {
    fn wait(&mut self, _time: Duration) -> Option<HelperReport> {
        Some(self.0)
    }

    fn stop(&mut self) {}
}

impl MachineView for ModelMachine {
    fn areas(&self) -> Reading<Vec<SwapArea>> {
        LiveMachine::new(&self.root).areas()
    }

    fn discard(&self, area: &SwapArea) -> Reading<Discard> {
        LiveMachine::new(&self.root).discard(area)
    }

    fn parts(&self, parts: &[Part]) -> Snapshot {
        LiveMachine::new(&self.root).parts(parts)
    }

    fn device(&self, area: &SwapArea) -> Reading<BlockDevice> {
        LiveMachine::new(&self.root).device(area)
    }

    fn failed_reads(&self, _path: &Name) -> u64 {
        0
    }

    fn setting(&self, file: &Name) -> Reading<String> {
        LiveMachine::new(&self.root).setting(file)
    }

    fn text(&self, file: &Name) -> Reading<Option<String>> {
        LiveMachine::new(&self.root).text(file)
    }

    fn disk(&self, number: u64) -> Reading<Option<ZramSettings>> {
        LiveMachine::new(&self.root).disk(number)
    }

    /// A tree has no device nodes.
    fn has_node(&self, number: u64) -> bool {
        self.disks.borrow().contains_key(&number)
    }

    fn content(&self, path: &Name, at: u64, length: usize) -> Reading<Vec<u8>> {
        LiveMachine::new(&self.root).content(path, at, length)
    }
}
