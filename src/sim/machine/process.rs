//! Processes: from a workload to accesses, and their turns on the CPUs.

use super::super::access::{AccessStep, Accesses, PAGE_BYTES};
use super::super::areas::{CLUSTER, MAX_PAGES, NONE, ORDERS};
use super::super::readahead::ReadaheadWindow;
use super::super::reclaim::Shadow;
use super::{EMPTY, IN_SWAP, Machine, RunQueue};
use crate::model::load::{
    AfterTouching, FolioAdvice, MemoryKind, OTHER_SIZES, PageContents, WorkerGroup, Workload,
};
use crate::model::{Bytes, whole};

/// Accesses after which the next process of a CPU runs.
const SLICE: u32 = 256;
/// Pages that a process frees in a round.
const FREED_AT_ONCE: u32 = 64;
/// Passes over the memory in place of a duration: the model has no time.
pub const PASSES_FOR_SECONDS: f64 = 4.0;
/// Bytes that the simulator takes for a page of a process.
const BYTES_PER_PAGE: u64 = 6;
/// The most memory that the simulator takes for pages of processes.
const MAX_BYTES: u64 = 1 << 30;
/// The most pages of processes.
pub(in super::super) const MAX_PROCESS_PAGES: u64 = MAX_BYTES / BYTES_PER_PAGE;

/// When processes that have accessed their memory free it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FreeTime {
    /// Each one at once.
    Own,
    /// All together.
    Together,
    /// All together, after a swapoff.
    AfterSwapoff,
}

/// State of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProcessState {
    /// Fills its memory.
    Filling,
    /// Waits until all others have filled theirs.
    Filled,
    /// Accesses its memory.
    Touching,
    /// Waits until all others have finished.
    Finished,
    /// Frees its memory.
    Freeing,
    /// Has ended.
    Ended,
}

/// A process.
#[derive(Clone, Debug)]
pub(super) struct SimProcess {
    /// The first page.
    pub(super) base: u32,
    /// Pages of its memory in this round.
    pub(super) pages: u32,
    pub(super) cpu: u32,
    pub(super) state: ProcessState,
    pub(super) readahead: ReadaheadWindow,
    /// The pages in memory.
    pub(super) resident: u32,
    /// The pages in swap.
    pub(super) in_swap: u32,
    /// Whether a page of it was ever swapped out.
    pub(super) swapped: bool,
    /// Size of a compressed page; 0 for same-filled pages.
    pub(super) compressed: u64,
    pub(super) is_zero: bool,
    group: WorkerGroup,
    size: u32,
    accesses: Accesses,
    left: u64,
    position: u32,
    rounds: u32,
    /// The estimated time at which its accesses began.
    begun_ns: Option<f64>,
    record: ProcessRecord,
}

/// The counted accesses of a process, and estimated times, of all its rounds.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProcessRecord {
    /// Number of its worker group.
    pub group: u32,
    /// Accesses to pages.
    pub touches: u64,
    /// Time from its first access to its last, in nanoseconds.
    pub touch_ns: f64,
    /// Time to free its memory in a round, in nanoseconds.
    pub free_ns: f64,
}

/// Bytes of a compressed page with these contents.
fn compressed_bytes(contents: &PageContents) -> u64 {
    match contents {
        PageContents::Zero | PageContents::Same => 0,
        PageContents::Words => PAGE_BYTES / 2,
        PageContents::Ratio(ratio) => whole(PAGE_BYTES as f64 / ratio.max(1.0)),
        PageContents::Random => PAGE_BYTES,
        PageContents::File(_) => PAGE_BYTES / 3,
    }
}

/// Pages of this much memory.
fn pages(bytes: Bytes) -> u64 {
    bytes.0.div_ceil(PAGE_BYTES)
}

impl Machine {
    /// Starts the processes of a workload. Its memory limit does not apply: that of the machine's setup does.
    ///
    /// # Errors
    /// Says why the workload does not fit into the simulator.
    pub fn start(&mut self, load: &Workload) -> Result<(), String> {
        let limit = Bytes(u64::from(self.setup.usable_pages()) * PAGE_BYTES);
        // The memory of each process begins at a multiple of the largest folio.
        let largest = |group: &WorkerGroup| {
            let size = Accesses::span(group.order, pages(group.size.resolve(limit)));
            let size = size as f64 * (1.0 + group.vary);
            (size / f64::from(CLUSTER)).ceil() * f64::from(CLUSTER)
        };
        let total: f64 =
            load.works.iter().map(|group| largest(group) * f64::from(group.processes)).sum();
        if total > MAX_PROCESS_PAGES as f64 {
            return Err(format!(
                "the processes have {total:.0} pages, and the simulator takes {BYTES_PER_PAGE} bytes for \
                 each: {:.1} GiB. The limit is {} GiB: use less memory or fewer processes",
                total * BYTES_PER_PAGE as f64 / f64::from(1 << 30),
                MAX_BYTES >> 30
            ));
        }
        self.start_together = load.start_together;
        self.free_time = match (load.after, load.free_together) {
            (AfterTouching::Swapoff, _) => FreeTime::AfterSwapoff,
            (AfterTouching::Nothing, true) => FreeTime::Together,
            (AfterTouching::Nothing, false) => FreeTime::Own,
        };
        self.set_folio_sizes(load);
        for (place, group) in (0..).zip(&load.works) {
            for number in 0..group.processes {
                self.start_process((place, group), number, pages(group.size.resolve(limit)));
            }
        }
        // Processes that fill nothing do not wait for others.
        (0..self.processes.len()).for_each(|number| self.pass_barriers(number));
        Ok(())
    }

    /// Applies the folio sizes that a workload sets; the others stay as they are.
    fn set_folio_sizes(&mut self, load: &Workload) {
        let others = load.mthp.get(OTHER_SIZES);
        for order in 1..ORDERS {
            let size = Bytes(PAGE_BYTES << order).exact();
            if let Some(word) = load.mthp.get(&size).or(others) {
                self.setup.set_folios(order, word);
            }
        }
    }

    fn start_process(&mut self, (place, group): (u32, &WorkerGroup), number: u32, size: u64) {
        let record = ProcessRecord { group: place, ..ProcessRecord::default() };
        let size = u32::try_from(size).unwrap_or(MAX_PAGES).max(1);
        let largest = span(group, vary(size, group.vary, 1.0));
        // Large folios are aligned, and so is the memory of each process.
        let base = self.pages.len().next_multiple_of(CLUSTER);
        self.pages.grow(base + largest, EMPTY);
        self.shadows.grow(base + largest, Shadow::default());
        let cpus: Vec<u32> = match (&group.cpus, group.node) {
            (Some(cpus), _) => cpus.iter().copied().filter(|cpu| *cpu < self.setup.cpus).collect(),
            (None, Some(node)) => {
                (0..self.setup.cpus).filter(|cpu| self.setup.node_of(*cpu) == node).collect()
            }
            (None, None) => Vec::new(),
        };
        let place = self.processes.len();
        let cpu = match cpus.len() {
            0 => place % self.setup.cpus,
            len => cpus.get(number as usize % len).copied().unwrap_or(0),
        };
        let seed = self.random.next_u64();
        let mut process = SimProcess {
            base,
            pages: size,
            cpu,
            state: ProcessState::Filling,
            readahead: ReadaheadWindow::at_boot(),
            resident: 0,
            in_swap: 0,
            swapped: false,
            compressed: compressed_bytes(&group.contents),
            is_zero: group.contents == PageContents::Zero,
            group: group.clone(),
            size,
            accesses: Accesses::new(group.order, size, seed),
            left: 0,
            position: 0,
            rounds: group.rounds,
            begun_ns: None,
            record,
        };
        self.has_zero_pages |= process.is_zero;
        self.begin_life(&mut process);
        let number = self.processes.push(process);
        if let Some(queue) = self.queues.get_mut(cpu as usize) {
            queue.processes.push(number);
        }
    }

    /// The records of the processes that made all their accesses.
    pub fn process_records(&self) -> impl Iterator<Item = ProcessRecord> {
        let done = |process: &&SimProcess| process.left == 0 && process.rounds == 0;
        self.processes.entries().filter(done).map(|process| process.record)
    }

    /// Lets processes free the memory that they hold for a swapoff.
    pub fn free_held_memory(&mut self) {
        self.free_time = FreeTime::Together;
        self.release(ProcessState::Finished, ProcessState::Freeing);
    }

    /// The share of the lives of all processes that has ended, with the accesses of those that have not.
    pub fn ended_share(&self) -> f64 {
        let ended = |process: &SimProcess| {
            let rounds = f64::from(process.group.rounds);
            let before = f64::from(process.group.rounds - process.rounds) - 1.0;
            match process.state {
                ProcessState::Ended => rounds,
                ProcessState::Filling | ProcessState::Filled | ProcessState::Touching => {
                    before + 1.0 - process.left as f64 / process.accesses_in_life().max(1) as f64
                }
                ProcessState::Finished | ProcessState::Freeing => before + 1.0,
            }
        };
        let all: f64 = self.processes.entries().map(|it| f64::from(it.group.rounds)).sum();
        self.processes.entries().map(ended).sum::<f64>() / all.max(1.0)
    }

    /// Gives a process its size, and its accesses.
    fn begin_life(&mut self, process: &mut SimProcess) {
        let vary_by = process.group.vary;
        process.pages = vary(process.size, vary_by, self.random.share() * 2.0 - 1.0);
        let seed = self.random.next_u64();
        process.accesses = Accesses::new(process.group.order, process.pages, seed);
        process.left = process.accesses_in_life();
        (process.position, process.rounds) = (0, process.rounds - 1);
        process.readahead = ReadaheadWindow::at_boot();
        let is_filled = !process.group.prefault;
        process.state = if is_filled { ProcessState::Filled } else { ProcessState::Filling };
    }

    /// The process that runs on a CPU.
    pub(super) fn pick(&mut self, cpu: u32) -> Option<u32> {
        let queue = self.queues.get_mut(cpu as usize)?;
        for _ in 0..=queue.processes.len() {
            let process = queue.processes.get(queue.current).copied();
            let may_run = process.filter(|process| self.processes[*process].may_run());
            if may_run.is_some() && queue.slice < SLICE {
                queue.slice += 1;
                return may_run;
            }
            queue.rotate();
        }
        None
    }

    /// Lets a process act once.
    pub(super) fn advance(&mut self, number: u32) {
        let process = &mut self.processes[number];
        match process.state {
            ProcessState::Filling => {
                let (page, is_last) = process.accesses.fill();
                if is_last {
                    process.state = ProcessState::Filled;
                }
                let page = process.base + page;
                self.touch_or_kill(number, page, true);
                self.pass_barriers(number);
            }
            ProcessState::Touching => self.access(number),
            ProcessState::Freeing => self.free_some(number),
            ProcessState::Filled | ProcessState::Finished | ProcessState::Ended => {
                self.pass_barriers(number);
            }
        }
    }

    fn access(&mut self, number: u32) {
        let process = &mut self.processes[number];
        if process.left == 0 {
            process.state = ProcessState::Finished;
            self.record_accesses(number);
            self.pass_barriers(number);
            return;
        }
        let (base, cpu) = (process.base, process.cpu);
        match process.accesses.next() {
            AccessStep::Free { first, count } => {
                self.free_pages(cpu, base + first, count);
            }
            AccessStep::Page(page) => {
                process.left -= 1;
                let share = process.group.writes;
                let writes = self.random.happens(share);
                self.touch_or_kill(number, base + page, writes);
            }
        }
    }

    /// Counts the accesses of a round that has ended. Between rounds, a process takes time too.
    fn record_accesses(&mut self, number: u32) {
        let now = self.elapsed_ns();
        let process = &mut self.processes[number];
        process.record.touches += process.accesses_in_life();
        process.record.touch_ns = now - process.begun_ns.unwrap_or(now);
    }

    fn touch_or_kill(&mut self, number: u32, page: u32, writes: bool) {
        if !self.touch(number, page, writes) {
            self.counters.oom_kill += 1;
            // The memory of a killed process is free before others go on.
            let (cpu, base, pages) = {
                let process = &mut self.processes[number];
                process.state = ProcessState::Ended;
                (process.cpu, process.base, process.span())
            };
            if self.frees_killed {
                self.free_pages(cpu, base, pages);
            }
            self.pass_barriers(number);
        }
    }

    fn free_some(&mut self, number: u32) {
        let process = &mut self.processes[number];
        let (cpu, first) = (process.cpu, process.base + process.position);
        let count = FREED_AT_ONCE.min(process.span() - process.position);
        process.position += count;
        let is_last = process.position >= process.span();
        let before = self.system_ns();
        self.free_pages(cpu, first, count);
        let freeing = self.system_ns() - before;
        let process = &mut self.processes[number];
        process.record.free_ns += freeing / f64::from(process.group.rounds.max(1));
        if is_last {
            let mut process = self.processes[number].clone();
            if process.rounds > 0 {
                self.begin_life(&mut process);
            } else {
                process.state = ProcessState::Ended;
            }
            self.processes[number] = process;
            self.pass_barriers(number);
        }
    }

    /// Lets processes go on that waited for others, or for nothing.
    fn pass_barriers(&mut self, number: u32) {
        use ProcessState::{Filled, Filling, Finished, Freeing, Touching};
        let all = |machine: &Self, blocked: &[ProcessState]| {
            !machine.processes.entries().any(|other| blocked.contains(&other.state))
        };
        let state = self.processes[number].state;
        let is_first = self.processes[number].rounds + 1 == self.processes[number].group.rounds;
        let is_last = self.processes[number].rounds == 0;
        match state {
            Filled if !(self.start_together && is_first) => {
                let now = self.elapsed_ns();
                self.processes[number].enter(Touching, now);
            }
            Filled | ProcessState::Ended if self.start_together && all(self, &[Filling]) => {
                self.release(Filled, Touching);
            }
            Finished if self.free_time == FreeTime::Own || !is_last => {
                let now = self.elapsed_ns();
                self.processes[number].enter(Freeing, now);
            }
            Filled | Filling | Finished | Freeing | Touching | ProcessState::Ended => {}
        }
        let begins_again = |other: &SimProcess| other.state == Freeing && other.rounds > 0;
        if self.free_time == FreeTime::Together
            && all(self, &[Filling, Filled, Touching])
            && !self.processes.entries().any(begins_again)
        {
            self.release(Finished, Freeing);
        }
    }

    fn release(&mut self, from: ProcessState, to: ProcessState) {
        let now = self.elapsed_ns();
        for process in self.processes.entries_mut().filter(|process| process.state == from) {
            process.enter(to, now);
        }
    }

    /// Frees a range of pages, wherever they are.
    fn free_pages(&mut self, cpu: u32, first: u32, count: u32) {
        for page in first..first + count {
            match self.pages[page] {
                EMPTY => {}
                entry if entry & IN_SWAP != 0 => {
                    self.set_entries(page, 1, EMPTY);
                    self.release_slot(cpu, entry & !IN_SWAP, page);
                }
                entry => {
                    let folio = self.folios.remove(entry - 1);
                    self.set_entries(folio.first, folio.pages(), EMPTY);
                    if folio.slot != NONE {
                        self.release_slots(cpu, &folio);
                    }
                }
            }
        }
    }

    /// The process that a page belongs to.
    pub(super) fn process_of(&self, page: u32) -> Option<&SimProcess> {
        self.process_number(page).map(|number| &self.processes[number])
    }

    /// The number of the process that a page belongs to.
    pub(super) fn process_number(&self, page: u32) -> Option<u32> {
        let (mut low, mut high) = (0, self.processes.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.processes[middle].base <= page { low = middle + 1 } else { high = middle }
        }
        low.checked_sub(1)
    }
}

impl SimProcess {
    /// Begins the accesses of a round, or to free memory.
    fn enter(&mut self, state: ProcessState, now_ns: f64) {
        (self.state, self.position) = (state, 0);
        if state == ProcessState::Touching {
            self.begun_ns.get_or_insert(now_ns);
        }
    }

    /// The count of pages with a page table entry like this one.
    pub(super) fn count_entry(&mut self, entry: u32) -> Option<&mut u32> {
        match entry {
            EMPTY => None,
            entry if entry & IN_SWAP != 0 => Some(&mut self.in_swap),
            _ => Some(&mut self.resident),
        }
    }

    /// The advice about large folios.
    pub(super) fn advice(&self) -> FolioAdvice {
        self.group.advice
    }

    /// Whether its memory is shared, which is read ahead by slot.
    pub(super) fn is_shared(&self) -> bool {
        matches!(self.group.memory, MemoryKind::Shared | MemoryKind::Memfd)
    }

    /// The mapping of the page that is accessed: its first page, and the one after its last.
    pub(super) fn mapping(&self) -> (u32, u32) {
        let (first, end) = self.accesses.mapping();
        (self.base + first, self.base + end)
    }

    /// Accesses to its pages in this round, without filling them.
    fn accesses_in_life(&self) -> u64 {
        whole(f64::from(self.pages) * self.group.passes.unwrap_or(PASSES_FOR_SECONDS))
    }

    /// Pages of its address space in this round.
    pub(super) fn span(&self) -> u32 {
        span(&self.group, self.pages)
    }

    fn may_run(&self) -> bool {
        matches!(self.state, ProcessState::Filling | ProcessState::Touching | ProcessState::Freeing)
    }
}

/// Pages of address space of a process with so many pages.
fn span(group: &WorkerGroup, pages: u32) -> u32 {
    u32::try_from(Accesses::span(group.order, u64::from(pages))).unwrap_or(MAX_PAGES)
}

impl RunQueue {
    fn rotate(&mut self) {
        self.slice = 0;
        self.current = (self.current + 1) % self.processes.len().max(1);
    }
}

/// A size with this deviation, as a part of the largest one.
fn vary(size: u32, largest: f64, deviation: f64) -> u32 {
    let size = whole(f64::from(size) * (1.0 + largest * deviation));
    u32::try_from(size).unwrap_or(MAX_PAGES).clamp(1, MAX_PAGES)
}

#[cfg(test)]
mod tests {
    use super::super::super::cost::SimDevice;
    use super::super::super::testing::setup;
    use super::super::super::testing::{group, load, machine};
    use super::*;

    #[test]
    fn processes_that_free_together_wait_for_the_last_round() {
        let areas = vec![setup(SimDevice::SolidState, 4096)];
        let mut machine = Machine::new(machine("7.2", 4096, areas));
        let rounds = WorkerGroup { rounds: 3, ..group(1, 512) };
        machine.start(&load(vec![group(1, 512), rounds])).unwrap();
        machine.run(|machine| machine.processes[0].state == ProcessState::Freeing);
        assert_eq!(machine.processes[1].rounds, 0);
    }

    /// Processes that free slots take time for it, in which nothing else is counted.
    #[test]
    fn records_count_accesses_and_the_time_of_freeing() {
        let mut machine = Machine::new(machine("7.2", 512, vec![setup(SimDevice::Zram, 4096)]));
        machine.start(&load(vec![group(2, 1024)])).unwrap();
        machine.run(|_| false);
        let records: Vec<ProcessRecord> = machine.process_records().collect();
        assert_eq!(records.len(), 2);
        for record in &records {
            assert_eq!(record.touches, 1024);
            assert!(record.touch_ns > 0.0 && record.free_ns > 0.0, "{record:?}");
            assert!(record.touch_ns + record.free_ns <= machine.elapsed_ns() * 2.0, "{record:?}");
        }
    }
}
