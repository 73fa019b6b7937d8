//! A machine in memory, with faults of its helpers.

use super::*;
use crate::actions::testing::{add_zram, write_zram};

pub(super) struct FakeMachine {
    pub(super) areas: RefCell<Vec<SwapArea>>,
    pub(super) settings: RefCell<BTreeMap<Name, String>>,
    pub(super) texts: RefCell<BTreeMap<Name, String>>,
    /// Beginnings of devices and files.
    pub(super) contents: RefCell<BTreeMap<Name, Vec<u8>>>,
    /// Setups of zram devices, by number.
    pub(super) disks: RefCell<BTreeMap<u64, ZramSettings>>,
    /// Number of helpers started.
    pub(super) helpers: Cell<usize>,
    /// The number of the faulty helper, and its fault.
    pub(super) fault: Option<(usize, Fault)>,
    /// The number of a helper that is slow enough to be stopped; and whether it obeys.
    pub(super) slow: Option<(usize, bool)>,
    /// Number of polls before a report.
    pub(super) waits: usize,
    /// Number of stop requests.
    pub(super) stops: Rc<Cell<usize>>,
    /// For each stop request, last first: what is left on the area, if it still exists, and the
    /// report. Later requests get none.
    pub(super) bursts: RefCell<Vec<(Option<u64>, HelperReport)>>,
    pub(super) memory: RefCell<FakeMemory>,
    /// Failed reads of every area before the first helper, and from then on.
    pub(super) failed_reads: (u64, u64),
    /// A file that cannot be read, and the number of readings that fail.
    pub(super) unreadable: RefCell<Option<(Name, usize)>>,
}

/// The file that shows the areas.
pub(super) const SWAPS: &str = "/proc/swaps";

pub(super) fn area(name: &str, priority: i32) -> SwapArea {
    testing::area(name, priority, 4096, 1024)
}

impl FakeMachine {
    pub(super) fn with(fault: Option<(usize, Fault)>) -> Self {
        let areas = vec![area("a", 1), area("b", 1), area("c", -2), area("d", 4)];
        let settings = ["x", "y"].map(|name| (Name::from(name), "1".to_owned())).into();
        Self {
            areas: RefCell::new(areas),
            settings: RefCell::new(settings),
            texts: RefCell::default(),
            contents: RefCell::default(),
            disks: RefCell::default(),
            helpers: Cell::new(0),
            fault,
            slow: None,
            waits: 5,
            stops: Rc::default(),
            bursts: RefCell::default(),
            memory: RefCell::default(),
            failed_reads: (0, 0),
            unreadable: RefCell::default(),
        }
    }

    /// The reading of this file, which fails as often as the test wants.
    pub(super) fn shown<T>(&self, file: &Name, known: impl FnOnce() -> Reading<T>) -> Reading<T> {
        match self.unreadable.borrow_mut().as_mut() {
            Some((unreadable, times)) if unreadable == file && *times > 0 => {
                *times -= 1;
                Reading::failed(format!("{} cannot be read", file.safe()))
            }
            _ => known(),
        }
    }

    pub(super) fn remove(&self, name: &Name) {
        self.areas.borrow_mut().retain(|area| area.path != *name);
    }

    pub(super) fn put(&self, wanted: &Activation) {
        let priority = match wanted.priority {
            Priority::Default => -2,
            Priority::Set(number) => i32::from(number),
        };
        self.areas.borrow_mut().push(area(&wanted.path.safe(), priority));
    }

    pub(super) fn empty_half(&self, name: &Name) {
        let mut areas = self.areas.borrow_mut();
        // Somebody else may have disabled it.
        for area in areas.iter_mut().filter(|area| area.path == *name) {
            area.used = area.used.as_ref().map(|used| Bytes(used.0 / 2));
        }
    }

    pub(super) fn current_areas(&self) -> Vec<plan::AreaState> {
        current_areas(&self.areas.borrow())
    }

    fn work(&self, work: &HelperTask) -> HelperReport {
        let number = self.helpers.replace(self.helpers.get() + 1);
        let meets = |(which, fault): &(usize, Fault)| {
            *which == number || (*fault == Fault::Full && *which < number)
        };
        let fault = self.fault.filter(meets).map(|(_, fault)| fault);
        match fault {
            Some(Fault::Off(error)) => {
                self.empty_half(work.path());
                return HelperReport::OffFailed(error);
            }
            Some(Fault::Full) => {
                self.empty_half(work.path());
                return HelperReport::OffFailed(Errno::ENOMEM);
            }
            Some(Fault::DeadBefore) => return HelperReport::Killed,
            Some(Fault::Meddled) => {
                let mut areas = self.areas.borrow_mut();
                if let Some(other) = areas.iter_mut().find(|area| area.path != *work.path()) {
                    other.priority = 99;
                }
            }
            _ => {}
        }
        self.remove(work.path());
        let HelperTask::Renew(wanted) = work else { return HelperReport::Done };
        match fault {
            Some(Fault::On | Fault::Lost) => HelperReport::OnFailed(Errno::EINVAL),
            Some(Fault::DeadBetween) => HelperReport::Killed,
            _ => {
                self.put(wanted);
                if fault == Some(Fault::DeadAfter) {
                    HelperReport::Killed
                } else {
                    HelperReport::Done
                }
            }
        }
    }
}

impl MachineView for FakeMachine {
    fn areas(&self) -> Reading<Vec<SwapArea>> {
        self.shown(&SWAPS.into(), || Reading::Known(self.areas.borrow().clone()))
    }

    fn discard(&self, _: &SwapArea) -> Reading<Discard> {
        Reading::absent("nobody asks")
    }

    fn parts(&self, parts: &[Part]) -> Snapshot {
        self.memory.borrow_mut().read(parts, &self.areas.borrow())
    }

    fn device(&self, _area: &SwapArea) -> Reading<BlockDevice> {
        Reading::not_sampled()
    }

    fn failed_reads(&self, _path: &Name) -> u64 {
        let (before, after) = self.failed_reads;
        if self.helpers.get() == 0 { before } else { after }
    }

    fn setting(&self, file: &Name) -> Reading<String> {
        let found = self.settings.borrow().get(file).cloned();
        let known = || found.map_or_else(|| Reading::absent("no such setting"), Reading::Known);
        self.shown(file, known)
    }

    fn disk(&self, number: u64) -> Reading<Option<ZramSettings>> {
        Reading::Known(self.disks.borrow().get(&number).cloned())
    }

    fn has_node(&self, number: u64) -> bool {
        self.disks.borrow().contains_key(&number)
    }

    fn text(&self, file: &Name) -> Reading<Option<String>> {
        Reading::Known(self.texts.borrow().get(file).cloned())
    }

    fn content(&self, path: &Name, at: u64, length: usize) -> Reading<Vec<u8>> {
        let contents = self.contents.borrow();
        let Some(found) = contents.get(path) else { return Reading::absent("no such file") };
        let at = usize::try_from(at).unwrap();
        Reading::Known(found.iter().skip(at).take(length).copied().collect())
    }
}

impl Sys for FakeMachine {
    fn swap_on(&self, wanted: &Activation) -> Result<(), Errno> {
        if matches!(self.fault, Some((_, Fault::Lost))) {
            return Err(Errno::EINVAL);
        }
        self.put(wanted);
        Ok(())
    }

    fn write(&self, file: &Name, text: &str) -> Result<(), Errno> {
        if text == "no" {
            return Err(Errno::EINVAL);
        }
        if let Some(file) = file.safe().strip_prefix("/sys/") {
            return write_zram(&mut self.disks.borrow_mut(), file, text);
        }
        // The kernel rounds this value.
        let text = if text == "5" { "4" } else { text };
        self.settings.borrow_mut().insert(file.clone(), text.to_owned());
        Ok(())
    }

    fn read_claim(&self, _file: &Name) -> Result<String, Errno> {
        Ok(add_zram(&mut self.disks.borrow_mut()))
    }

    fn rewrite(&self, rewrite: &Rewrite<'_>) -> Result<(), WriteError> {
        let [(from, to), ..] = &rewrite.places[..] else { panic!("{rewrite:?}") };
        let mut contents = self.contents.borrow_mut();
        let content = contents.get_mut(rewrite.path).ok_or(WriteError::Kernel(Errno::ENOENT))?;
        if content != &from.bytes {
            return Err(WriteError::Changed);
        }
        content.clone_from(&to.bytes);
        Ok(())
    }

    fn save(&self, file: &Name, from: Option<&str>, to: Option<&str>) -> Result<(), WriteError> {
        let mut texts = self.texts.borrow_mut();
        if texts.get(file).map(String::as_str) != from {
            return Err(WriteError::Changed);
        }
        match to {
            Some(to) => texts.insert(file.clone(), to.to_owned()),
            None => texts.remove(file),
        };
        Ok(())
    }

    fn make_file(
        &self,
        path: &Name,
        (from, to): (Option<&SwapFileSpec>, &SwapFileSpec),
        go_on: &mut dyn FnMut(Bytes) -> bool,
    ) -> Result<(), CreateFileError> {
        for done in [1, 2, 3] {
            if !go_on(Bytes(to.size.0 * done / 4)) {
                return Err(CreateFileError::Stopped);
            }
        }
        let mut contents = self.contents.borrow_mut();
        if contents.get(path) != from.map(content_of).as_ref() {
            return Err(CreateFileError::Changed);
        }
        contents.insert(path.clone(), content_of(to));
        Ok(())
    }

    fn remove_file(&self, path: &Name, _form: &SwapFileSpec) -> Result<(), WriteError> {
        let removed = self.contents.borrow_mut().remove(path);
        removed.map(drop).ok_or(WriteError::Kernel(Errno::ENOENT))
    }

    fn begin(&self, work: &HelperTask) -> io::Result<Box<dyn RunningHelper>> {
        let ended = |report, waits, heeds| -> io::Result<Box<dyn RunningHelper>> {
            Ok(Box::new(EndedHelper { report, waits, heeds, stops: Rc::clone(&self.stops) }))
        };
        if let Some((left, report)) = self.bursts.borrow_mut().pop() {
            self.helpers.set(self.helpers.get() + 1);
            self.leave(work.path(), left);
            return ended(report, self.waits, true);
        }
        let slow = self.slow.filter(|(which, _)| *which == self.helpers.get());
        let (waits, heeds) = slow.map_or((0, false), |(_, heeds)| (self.waits, heeds));
        if heeds {
            // The helper is stopped before any change.
            self.helpers.set(self.helpers.get() + 1);
            return ended(HelperReport::OffFailed(Errno::EINTR), waits, heeds);
        }
        ended(self.work(work), waits, heeds)
    }
}

/// A helper with this report after a number of polls.
struct EndedHelper {
    report: HelperReport,
    waits: usize,
    heeds: bool,
    /// Number of stop requests.
    stops: Rc<Cell<usize>>,
}

impl RunningHelper for EndedHelper {
    fn wait(&mut self, _time: Duration) -> Option<HelperReport> {
        match self.waits.checked_sub(1) {
            None => Some(self.report),
            Some(waits) => {
                self.waits = waits;
                None
            }
        }
    }
    fn stop(&mut self) {
        self.stops.set(self.stops.get() + 1);
        if self.heeds {
            self.waits = 0;
        }
    }
}

/// The bytes of a swap file of this form.
pub(super) fn content_of(form: &SwapFileSpec) -> Vec<u8> {
    let mut content = form.format.page();
    content.resize(usize::try_from(form.size.0).unwrap(), 0);
    content
}
