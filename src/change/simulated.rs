//! A simulated machine as plans and steps see and change it. It has no files: its journal is in memory, and its
//! root leads to nothing of this computer.

use crate::actions::MachineView;
use crate::actions::check::Check;
use crate::actions::journal::JournalStore;
use crate::clock::Clock;
use crate::model::activation::{Activation, Discard, Priority};
use crate::model::block::BlockDevice;
use crate::model::candidate::{Candidate, PathKind, Signature, SwapHeader};
use crate::model::format::SwapFileSpec;
use crate::model::kernel::{Access, CAP_SYS_ADMIN};
use crate::model::name::safe_text;
use crate::model::swaparea::SwapArea;
use crate::model::text::did_you_mean;
use crate::model::zram::ZramSettings;
use crate::model::{Bytes, Name, Part, Reading, Sampled, Snapshot};
use crate::root::Root;
use crate::sim::areas::{AreaSetup, SwapSpace};
use crate::sim::layer::LayerPolicy;
use crate::sim::machine::Machine;
use crate::sim::machine::RunningMachine;
use crate::sim::snapshot::NOT_MODELLED;
use crate::sys::{
    CreateFileError, HelperReport, HelperTask, Rewrite, RunningHelper, Sys, WriteError,
};
use nix::errno::Errno;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Bytes of a page.
const PAGE: u64 = 4096;

/// Two sessions are equal if they are the same one.
impl PartialEq for SimulatedTarget {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.machine, &other.machine)
    }
}

/// A simulated machine that runs, with the journal of its session. Copies are the same machine.
#[derive(Clone, Debug)]
pub struct SimulatedTarget {
    machine: Arc<Mutex<RunningMachine>>,
    /// The journal of the session.
    pub journal: JournalStore,
    root: Root,
}

impl SimulatedTarget {
    /// The boot ID in the journal.
    pub(super) const BOOT: &str = "simulated";

    /// A session on this machine, with an empty journal.
    pub fn new(machine: RunningMachine) -> Self {
        Self {
            machine: Arc::new(Mutex::new(machine)),
            journal: JournalStore::in_memory(),
            root: Root::without_files(),
        }
    }

    /// A session on a machine that goes on from where it is, with an empty journal.
    pub fn resumed(machine: Machine) -> Self {
        Self::new(RunningMachine::resumed(machine))
    }

    /// A root without any file.
    pub fn root(&self) -> &Root {
        &self.root
    }

    fn running(&self) -> MutexGuard<'_, RunningMachine> {
        self.machine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads or changes the machine, which has reached its first sample.
    pub fn with<T>(&self, work: impl FnOnce(&mut Machine) -> T) -> T {
        let mut running = self.running();
        running.begin(&mut |_| {});
        work(&mut running.machine)
    }

    /// Lets the machine reach its first sample, with reports of the share that it has reached.
    pub fn begin(&self, report: &mut dyn FnMut(f64)) {
        self.running().begin(report);
    }

    /// The next sample, a simulated second after the last one.
    pub fn next_sample(&self) -> Snapshot {
        self.running().next_sample()
    }

    /// The machine as it is. Whoever simulates it may change it.
    pub(super) fn snapshot(&self) -> Snapshot {
        let mut snapshot = self.with(|machine| machine.snapshot());
        let absent = || Reading::absent(NOT_MODELLED);
        let access = Access {
            uid: Reading::Known(0),
            capabilities: Reading::Known(CAP_SYS_ADMIN),
            btf_bytes: Reading::absent(NOT_MODELLED),
            kcore: absent(),
            kallsyms: absent(),
            kptr_restrict: Reading::absent(NOT_MODELLED),
            lockdown: Reading::absent(NOT_MODELLED),
            debugfs: absent(),
            cgroups: Reading::absent(NOT_MODELLED),
            zram: absent(),
            virtual_swap: Reading::Known(
                self.with(|machine| machine.setup.policy.layer == LayerPolicy::VirtualSwap),
            ),
        };
        snapshot.access = Sampled::new(Some(snapshot.stamp), Reading::Known(access));
        snapshot
    }

    /// The time of the machine.
    pub(super) fn clock(&self) -> Clock {
        Clock::at(self.with(|machine| machine.stamp()))
    }

    /// The check that says what the model leaves out.
    pub(super) fn note(&self) -> Check {
        let name = self.with(|machine| machine.setup.name.clone());
        let text = format!(
            "SIMULATED: this changes only the model of {}, for this session, and never this computer. Not in the model, so not checked: cgroup limits, PSI, hibernation and the configuration for boot",
            safe_text(&name)
        );
        Check::note("simulated", text)
    }

    /// The area that is named by its path or the last part of it, enabled or not.
    ///
    /// # Errors
    /// The machine has no such area.
    pub fn find(&self, named: &str) -> Result<Name, String> {
        let paths: Vec<String> = self.with(|machine| {
            let spaces = machine.swap.areas().entries();
            spaces.map(|space| space.setup.path.clone()).collect()
        });
        let base = |path: &String| path.rsplit('/').next() == Some(named);
        let found = paths.iter().find(|path| *path == named);
        let found = found.or_else(|| paths.iter().find(|path| base(path)));
        found.map(|path| Name::from(path.as_str())).ok_or_else(|| {
            let meant = did_you_mean(named, paths.iter().map(String::as_str));
            let all = paths.join(", ");
            format!(
                "the simulated machine has no area \"{}\": it has {all}{meant}",
                safe_text(named)
            )
        })
    }

    /// The area of a path, as it is in the model.
    fn area<T>(&self, path: &Name, read: impl FnOnce(&SwapSpace) -> T) -> Option<T> {
        self.with(|machine| {
            let number = machine.area_number(path.as_path().to_str()?)?;
            machine.swap.areas().entry(number).map(read)
        })
    }

    /// An area to enable: its device is in order, and nobody else uses it.
    pub(super) fn candidate(&self, path: &Name) -> Candidate {
        let setup = self.area(path, |space| space.setup.clone());
        let known = setup.map_or_else(|| Reading::absent(NOT_MODELLED), Reading::Known);
        let is_file = |setup: &AreaSetup| setup.device.is_file();
        let size = known.clone().map(|setup| Bytes(u64::from(setup.slots) * PAGE));
        Candidate {
            path: path.clone(),
            leads_to: None,
            thing: known.clone().map(|setup| {
                if is_file(&setup) {
                    PathKind::File
                } else {
                    PathKind::Device { major: 0, minor: 0 }
                }
            }),
            size: size.clone(),
            allocated: size,
            mode: Reading::Known(0o600),
            owner: Reading::Known(0),
            signature: known.map(|setup| {
                Signature::Swap(SwapHeader {
                    page_size: PAGE,
                    version: 1,
                    last_page: setup.slots.saturating_sub(1),
                    bad_pages: 0,
                    label: None,
                    uuid: None,
                    turned: false,
                })
            }),
            filesystem: Reading::absent(NOT_MODELLED),
            mounted: None,
            behind: None,
            holders: Vec::new(),
            read_only: false,
        }
    }

    fn swapoff(&self, path: &Name) -> HelperReport {
        self.with(|machine| {
            let number = path.as_path().to_str().and_then(|path| machine.area_number(path));
            let active = number.filter(|number| machine.swap.areas()[*number].is_enabled);
            match active.map(|number| machine.swapoff(number)) {
                Some(0) => HelperReport::Done,
                Some(_) => HelperReport::OffFailed(Errno::ENOMEM),
                None => HelperReport::OffFailed(Errno::EINVAL),
            }
        })
    }
}

/// The path of a file below the root.
fn below(file: &Name) -> &str {
    let path = file.as_path();
    path.strip_prefix("/").unwrap_or(path).to_str().unwrap_or_default()
}

impl MachineView for SimulatedTarget {
    fn areas(&self) -> Reading<Vec<SwapArea>> {
        Reading::Known(self.with(|machine| machine.active_areas()))
    }

    fn discard(&self, area: &SwapArea) -> Reading<Discard> {
        let discards = self.area(&area.path, |space| space.setup.discards);
        let discard = |discards| if discards { Discard::Pages } else { Discard::None };
        discards.map_or_else(|| Reading::absent(NOT_MODELLED), |it| Reading::Known(discard(it)))
    }

    fn parts(&self, _parts: &[Part]) -> Snapshot {
        self.snapshot()
    }

    fn device(&self, area: &SwapArea) -> Reading<BlockDevice> {
        let device = self.area(&area.path, SwapSpace::block_device);
        device.map_or_else(|| Reading::absent(NOT_MODELLED), Reading::Known)
    }

    fn failed_reads(&self, _path: &Name) -> u64 {
        0
    }

    fn setting(&self, file: &Name) -> Reading<String> {
        let text = self.with(|machine| machine.setting(below(file)));
        text.map_or_else(|| Reading::absent(NOT_MODELLED), Reading::Known)
    }

    fn text(&self, _file: &Name) -> Reading<Option<String>> {
        Reading::absent(NOT_MODELLED)
    }

    fn disk(&self, _number: u64) -> Reading<Option<ZramSettings>> {
        Reading::absent(NOT_MODELLED)
    }

    fn has_node(&self, _number: u64) -> bool {
        false
    }

    fn content(&self, _path: &Name, _at: u64, _length: usize) -> Reading<Vec<u8>> {
        Reading::absent(NOT_MODELLED)
    }
}

/// A task of the model, which has ended when it is asked for.
struct EndedTask(HelperReport);

impl RunningHelper for EndedTask {
    fn wait(&mut self, _time: Duration) -> Option<HelperReport> {
        Some(self.0)
    }

    fn stop(&mut self) {}
}

impl Sys for SimulatedTarget {
    fn swap_on(&self, area: &Activation) -> Result<(), Errno> {
        let priority = match area.priority {
            Priority::Default => None,
            Priority::Set(number) => Some(i32::from(number)),
        };
        self.with(|machine| {
            let path = area.path.as_path().to_str().ok_or(Errno::ENOENT)?;
            let number = machine.area_number(path).ok_or(Errno::ENOENT)?;
            if machine.swap.areas()[number].is_enabled {
                return Err(Errno::EBUSY);
            }
            machine.swapon(number, priority, area.discard == Discard::Pages);
            Ok(())
        })
    }

    fn write(&self, file: &Name, text: &str) -> Result<(), Errno> {
        let is_set = self.with(|machine| machine.set_setting(below(file), text));
        if is_set { Ok(()) } else { Err(Errno::EINVAL) }
    }

    fn save(&self, _: &Name, _: Option<&str>, _: Option<&str>) -> Result<(), WriteError> {
        Err(Errno::ENOSYS.into())
    }

    fn read_claim(&self, _: &Name) -> Result<String, Errno> {
        Err(Errno::ENOSYS)
    }

    fn rewrite(&self, _: &Rewrite<'_>) -> Result<(), WriteError> {
        Err(Errno::ENOSYS.into())
    }

    fn make_file(
        &self,
        _: &Name,
        _: (Option<&SwapFileSpec>, &SwapFileSpec),
        _: &mut dyn FnMut(Bytes) -> bool,
    ) -> Result<(), CreateFileError> {
        Err(Errno::ENOSYS.into())
    }

    fn remove_file(&self, _: &Name, _: &SwapFileSpec) -> Result<(), WriteError> {
        Err(Errno::ENOSYS.into())
    }

    fn begin(&self, work: &HelperTask) -> io::Result<Box<dyn RunningHelper>> {
        let report = match work {
            HelperTask::Off(path) => self.swapoff(path),
            HelperTask::Renew(area) => {
                let off = self.swapoff(&area.path);
                if off == HelperReport::Done {
                    self.swap_on(area).map_or_else(HelperReport::OnFailed, |()| HelperReport::Done)
                } else {
                    off
                }
            }
            HelperTask::Order { .. } => HelperReport::OrderFailed(Errno::ENOSYS),
        };
        Ok(Box::new(EndedTask(report)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{
        ExecutionContext, ExecutionOptions, Intent, ObservedMachine, Proposal, SwaponOptions,
        execute, propose,
    };
    use super::*;
    use crate::actions::check::CheckVerdict;
    use crate::actions::journal::{self, PlanEnd};
    use crate::actions::limits::ChangeLimits;
    use crate::actions::monitor::Unattended;
    use crate::actions::rebalance::Strategy;
    use crate::actions::run::ChangeOutcome;
    use crate::change::{ChangeError, Setting};
    use crate::sim::cost::SimDevice;
    use crate::sim::machine::MachineSetup;
    use crate::sim::testing::setup;
    use crate::sim::testing::{group, load, machine};

    /// A machine with two areas, half of which are used.
    fn session(policy: &str) -> SimulatedTarget {
        let area =
            |name: &str, device| AreaSetup { path: format!("/dev/{name}"), ..setup(device, 2048) };
        let areas = vec![area("zram0", SimDevice::Zram), area("sda2", SimDevice::SolidState)];
        let setup = MachineSetup {
            used_at_start: 0.5,
            rounds_per_second: 50,
            ..machine(policy, 1000, areas)
        };
        let work = load(vec![group(2, 1600)]);
        SimulatedTarget::new(RunningMachine::new(setup, Some(&work)).unwrap())
    }

    fn proposed(session: &SimulatedTarget, intent: Intent) -> Result<Proposal, ChangeError> {
        let machine = ObservedMachine::observe(session);
        propose(&machine, &session.journal, intent, ExecutionOptions::default())
    }

    fn carried_out(session: &SimulatedTarget, intent: Intent) -> (Proposal, ChangeOutcome) {
        let proposal = proposed(session, intent).unwrap();
        let context = ExecutionContext {
            target: session.into(),
            lock: None,
            journal: &session.journal,
            limits: ChangeLimits::default(),
        };
        let outcome = execute(context, &proposal, &mut Unattended).unwrap();
        (proposal, outcome)
    }

    /// Path, priority and used bytes of each active area.
    fn areas(session: &SimulatedTarget) -> Vec<(String, i32, u64)> {
        let areas = session.areas().known().cloned().unwrap();
        areas.iter().map(|it| (it.path.safe(), it.priority, it.used.known().unwrap().0)).collect()
    }

    #[test]
    fn priorities_change_and_are_undone_in_the_session() {
        let session = session("6.12");
        let before = areas(&session);
        assert_eq!((before[0].1, before[1].1), (-2, -3));
        let wishes = vec![(Name::from("/dev/sda2"), Priority::Set(100))];
        let (proposal, outcome) = carried_out(&session, Intent::Priorities(wishes));
        assert_eq!((outcome.end, outcome.plan), (PlanEnd::Done, 1));
        assert!(proposal.plan.title.starts_with("SIMULATED test: "), "{}", proposal.plan.title);
        assert_eq!(proposal.simulated.as_deref(), Some("test"));
        assert!(
            proposal.checks[0].text.contains("not checked: cgroup limits"),
            "{:?}",
            proposal.checks
        );
        let then = areas(&session);
        assert_eq!((then[0].1, then[1].1), (-2, 100));
        let sum = |areas: &[(String, i32, u64)]| areas.iter().map(|area| area.2).sum::<u64>();
        assert!(sum(&then) <= sum(&before) && sum(&then) > 0, "{before:?} {then:?}");
        let (_, undone) = carried_out(&session, Intent::Undo(Some(1)));
        assert_eq!(undone.end, PlanEnd::Done);
        assert_eq!(areas(&session)[1].1, -3);
        let records = journal::read(&session.journal).unwrap();
        assert_eq!(records.len(), 2);
        assert!(records.iter().all(|record| record.title.starts_with("SIMULATED test: ")));
    }

    #[test]
    fn areas_are_disabled_and_enabled_again() {
        let session = session("7.2");
        carried_out(&session, Intent::Off(vec!["/dev/zram0".into()]));
        let left = areas(&session);
        assert_eq!(left.len(), 1);
        assert_eq!(session.find("zram0").unwrap(), Name::from("/dev/zram0"));
        assert!(session.find("zram9").unwrap_err().contains("/dev/zram0, /dev/sda2"));
        let options = SwaponOptions { priority: Some(Priority::Set(7)), discard: None };
        let (proposal, _) = carried_out(&session, Intent::On(vec!["/dev/zram0".into()], options));
        let refusals = proposal.checks.iter().filter(|it| it.verdict != CheckVerdict::Ok);
        assert_eq!(refusals.count(), 1, "{:?}", proposal.checks);
        assert_eq!(areas(&session)[0], ("/dev/zram0".to_owned(), 7, 0));
        // The workload goes on, and fills the area first.
        let later = std::iter::repeat_with(|| session.next_sample()).nth(2).unwrap();
        assert!(later.swaps.reading.known().unwrap()[0].used.known().unwrap().0 > 0);
    }

    #[test]
    fn a_rebalance_without_work_has_a_whole_title() {
        let session = session("7.2");
        carried_out(&session, Intent::Rebalance(Strategy::Tiered));
        let again = proposed(&session, Intent::Rebalance(Strategy::Tiered)).unwrap();
        let nothing = "SIMULATED test: rebalance tiered: nothing to do, already in effect";
        assert_eq!(again.describe_nothing_to_do(), nothing);
    }

    /// Nothing that does not fit is moved.
    #[test]
    fn an_area_whose_content_fits_nowhere_is_refused() {
        let areas = vec![setup(SimDevice::Zram, 4096)];
        let setup =
            MachineSetup { used_at_start: 0.5, memory_pages: 1000, ..machine("7.2", 1000, areas) };
        let work = load(vec![group(2, 1600)]);
        let session = SimulatedTarget::new(RunningMachine::new(setup, Some(&work)).unwrap());
        let proposal = proposed(&session, Intent::Off(vec!["/dev/test".into()])).unwrap();
        assert_eq!(proposal.refusal().unwrap().id, "memory", "{:?}", proposal.checks);
    }

    #[test]
    fn settings_of_the_model_change_and_others_are_refused() {
        let session = session("7.2");
        let set = |knob: &str, value: &str| {
            let setting = Setting { knob: knob.to_owned(), group: None };
            Intent::Set(vec![(setting, value.to_owned())])
        };
        for (knob, value) in
            [("page-cluster", "0"), ("thp.64kB.enabled", "always"), ("zswap.enabled", "Y")]
        {
            let (_, outcome) = carried_out(&session, set(knob, value));
            assert_eq!(outcome.end, PlanEnd::Done, "{knob}");
        }
        let snapshot = session.snapshot();
        let zswap = snapshot.zswap.reading.known().unwrap();
        assert_eq!(zswap.enabled, Reading::Known(true));
        let refused = proposed(&session, set("swappiness", "1")).unwrap_err().to_string();
        assert!(refused.contains("not simulated"), "{refused}");
        let refused = proposed(&session, Intent::RemoveFile("/x".into())).unwrap_err().to_string();
        assert!(refused.contains("can only enable and disable areas"), "{refused}");
    }

    #[test]
    fn its_root_leads_to_nothing_of_this_computer() {
        let session = session("7.2");
        for path in ["proc/swaps", "/proc/self/status", "sys", "etc/fstab", "dev", ".."] {
            assert!(!session.root().exists(path), "{path}");
        }
        assert!(!session.root().is_live());
    }
}
