use super::run::{RunContext, Runs};
use super::*;
use crate::actions::monitor::{Monitor, StopReason};
use crate::derive::lab::RunStatus;
use crate::lab::load::file::KeyOverride;
use crate::lab::run_spec::TemporaryAreaKind;
use crate::lab::store::Store;
use crate::model::Bytes;
use crate::model::activation::Priority;
use crate::model::load::MemoryAmount;
use crate::model::run::{RepetitionEnd, RepetitionResult, Run};
use crate::root::testing::TestTree;
use crate::sim::areas::AreaSetup;
use crate::sim::cost::SimDevice;
use crate::sim::layer::ZswapSetup;
use crate::sim::machine::MachineSetup;
use crate::sim::testing::setup;
use std::ops::ControlFlow;

/// An experiment session.
fn experiment(named: &str, options: ExperimentOptions) -> SessionSpec {
    SessionSpec {
        named: named.into(),
        subject: Subject::Experiment(options),
        limit: None,
        repetitions: Some(2),
        seed: 1,
        folder: None,
        guard: GuardSpec::default(),
        risks: Vec::new(),
        is_stored: false,
    }
}

/// A workload session with two temporary areas.
fn load(named: &str) -> SessionSpec {
    let area = AreaSpec { kind: TemporaryAreaKind::Zram, count: 2, size: Bytes(64 << 20) };
    let options = LoadOptions { areas: vec![area], ..LoadOptions::default() };
    SessionSpec {
        subject: Subject::Load(options),
        repetitions: None,
        ..experiment(named, ExperimentOptions::default())
    }
}

/// A machine with these active areas.
fn machine(swaps: &str) -> TestTree {
    let swaps = format!("Filename\tType\tSize\tUsed\tPriority\n{swaps}");
    TestTree::with(&[
        ("machine.toml", "page_size = 4096\n"),
        ("proc/meminfo", "MemTotal: 8000000 kB\nMemAvailable: 4000000 kB\n"),
        ("proc/swaps", &swaps),
        ("sys/block/sda/size", "1000\n"),
        ("sys/class/zram-control/hot_add", "0\n"),
    ])
}

fn prepared_on(tree: &TestTree, spec: &SessionSpec) -> Result<Prepared, ChangeError> {
    let (root, files) = (tree.root(), UserFiles::next_to(None));
    let store = Err("none".to_owned());
    LabContext { root: &root, journal: &JournalStore::in_memory(), files: &files, store: &store }
        .prepare(spec)
}

fn prepared(spec: &SessionSpec) -> Result<Prepared, ChangeError> {
    prepared_on(&machine(""), spec)
}

#[test]
fn a_load_has_one_case_and_one_setup() {
    let spec = SessionSpec { repetitions: Some(5), ..load("usemem") };
    let Prepared { session, setups, .. } = prepared(&spec).unwrap();
    assert_eq!((session.cases.len(), session.order.as_slice()), (1, &[0][..]));
    assert_eq!((session.repetitions, session.cases[0].spec.repetitions), (5, 5));
    assert_eq!(setups.len(), 1);
    assert!(session.load().is_some_and(|spec| spec.devices.len() == 2));
}

#[test]
fn the_summary_lists_the_cases() {
    let prepared = prepared(&experiment("balance", ExperimentOptions::default())).unwrap();
    let terms = prepared.planned_run();
    let cases = terms.cases.unwrap();
    assert_eq!(cases.names, ["default", "equal", "distinct"]);
    assert!(terms.runs[1].starts_with("equal: usemem, "), "{:?}", terms.runs);
    assert!(cases.order.starts_with("each 2 times, 6 in all"), "{}", cases.order);
    assert!(cases.needs_setup && terms.guard.len() > 2 && terms.at_most > 0.0);
    let areas = cases.areas.as_deref().unwrap_or_default();
    assert!(areas.starts_with("4 x ") && areas.ends_with(" on zram"), "{areas}");
    assert!(
        terms.memory_limit.starts_with("limit ")
            && terms.memory_limit.ends_with(" for each run, in a cgroup of its own"),
        "{}",
        terms.memory_limit
    );
}

#[test]
fn a_case_is_named_once_for_a_value_of_two_works() {
    let prepared = prepared(&experiment("balance", ExperimentOptions::default())).unwrap();
    let session = &prepared.session;
    let [first, second, third] = session.cases.as_slice() else { panic!("three cases") };
    let names = |cases: &[&SessionCase]| {
        let said = cases.iter().map(|case| (*case, "x")).collect::<Vec<_>>();
        session.group_by_case(said).remove(0).1
    };
    assert_eq!(names(&[first, first]).as_deref(), Some("default"));
    assert_eq!(names(&[first, first, second]).as_deref(), Some("default, equal"));
    assert_eq!(names(&[first, second, third]), None);
}

/// Areas and cases are confirmed; sizes and identifiers differ each time.
#[test]
fn confirmation_changes_with_swap_or_cases() {
    let area = "/dev/sda\tpartition\t1000\t0\t-2\n";
    let few = ExperimentOptions {
        only: vec![spec::parse_choice("priorities=equal")],
        scale: None,
        kinds: None,
    };
    for spec in [load("usemem"), experiment("balance", few)] {
        let confirmed = |tree: &TestTree, spec| prepared_on(tree, spec).unwrap().confirmed();
        let first = confirmed(&machine(""), &spec);
        assert!(first.needs_setup);
        assert_eq!(confirmed(&machine(""), &spec), first);
        assert_ne!(confirmed(&machine(area), &spec), first, "another area is active");
        let taken = machine("");
        taken.write("sys/block/zram0/disksize", "0\n");
        assert_eq!(confirmed(&taken, &spec), first, "the kernel gives the next number");
        let other = load("readahead");
        assert_ne!(confirmed(&machine(""), &other), first, "another workload is run");
        let options =
            LoadOptions { changes: vec![KeyOverride::parse("size=1G")], ..LoadOptions::default() };
        let larger = SessionSpec { subject: Subject::Load(options), ..load("usemem") };
        assert_ne!(confirmed(&machine(""), &larger), first, "its workload has another size");
    }
}

#[test]
fn sessions_that_do_not_fit_are_refused() {
    let why = |spec: &SessionSpec| prepared(spec).unwrap_err().to_string();
    let scarce = Some(MemoryAmount::Bytes(Bytes(4 << 20)));
    let said = why(&SessionSpec { limit: scarce, ..load("usemem") });
    assert!(said.starts_with("--limit: 4M is too little"), "{said}");
    let folder = Some("/srv".into());
    let options = ExperimentOptions::default;
    let said = why(&SessionSpec { folder, ..experiment("balance", options()) });
    assert!(said.starts_with("--file-in: the experiment has no swap file"), "{said}");
    let only = vec![spec::parse_choice("colour=red")];
    let said = why(&experiment("balance", ExperimentOptions { only, ..options() }));
    assert!(said.starts_with("--only \"colour=red\": balance has no factor colour"), "{said}");
}

/// A monitor that may request a stop before the first run.
struct StopAfter {
    asks: bool,
    begun: usize,
}

impl Monitor<SessionEvent> for StopAfter {
    fn event(&mut self, event: SessionEvent) -> ControlFlow<StopReason> {
        self.begun += usize::from(matches!(event, SessionEvent::Begins(_)));
        if self.asks { ControlFlow::Break(StopReason::Asked) } else { ControlFlow::Continue(()) }
    }
}

/// An experiment on a capture, where each run is refused.
fn run_stopping(leaving: &mut StopAfter) -> SessionOutcome {
    let spec = experiment("balance", ExperimentOptions::default());
    let prepared = prepared(&SessionSpec { repetitions: Some(1), ..spec }).unwrap();
    let tree = TestTree::with(&[("proc/swaps", "")]);
    let (root, journal) = (tree.root(), JournalStore::in_memory());
    Runs::new(RunContext { root: &root, lock: None, journal: &journal }, prepared, None)
        .run(leaving)
        .unwrap()
}

#[test]
fn no_run_begins_after_a_stop() {
    let mut leaving = StopAfter { asks: true, begun: 0 };
    let made = run_stopping(&mut leaving);
    assert_eq!((leaving.begun, made.is_done()), (0, false));
    assert_eq!(made.early, Some(RunStatus::Stopped));
    assert_eq!(made.experiment.why.as_deref(), Some("you stopped it"));
    assert!(matches!(made.storage, Storage::Skipped));
}

#[test]
fn a_failed_setup_is_not_reported_as_stopped() {
    let mut leaving = StopAfter { asks: false, begun: 0 };
    let mut made = run_stopping(&mut leaving);
    let text = include_str!("../../../tests/results/kept/1-before.json");
    let run: Run = serde_json::from_str(text).unwrap();
    assert!(run.measured.iter().all(|measured| measured.end == RepetitionEnd::Done));
    for case in &mut made.experiment.cases {
        case.run = None;
    }
    made.early = Some(RunStatus::Failed);
    assert_eq!(made.end(), None, "nothing ran");
    made.experiment.cases[0].run = Some(run.clone());
    assert_eq!(made.end(), Some(RunStatus::Failed), "some of its runs");
    made.early = Some(RunStatus::Stopped);
    assert_eq!(made.end(), Some(RunStatus::Stopped));
    for case in &mut made.experiment.cases {
        case.run = Some(run.clone());
    }
    made.early = Some(RunStatus::Failed);
    assert_eq!(made.end(), Some(RunStatus::Failed), "part of the setup is left");
    made.early = None;
    assert_eq!(made.end(), Some(RunStatus::Done));
}

/// A simulated machine with these areas, on which no workload has begun.
fn simulated(policy: &str, areas: Vec<AreaSetup>) -> MachineSetup {
    crate::sim::testing::machine(policy, 16 << 10, areas)
}

fn prepared_simulated(spec: &SessionSpec, machine: &MachineSetup) -> Session {
    prepare_simulated(spec, machine, &UserFiles::next_to(None)).unwrap()
}

/// A workload on the areas of a simulated machine.
fn on_its_areas(named: &str) -> SessionSpec {
    SessionSpec {
        subject: Subject::Load(LoadOptions::default()),
        limit: Some(MemoryAmount::Bytes(Bytes(16 << 20))),
        ..load(named)
    }
}

/// The processes write once, and free together: at the peak, areas hold all that was swapped out.
#[test]
fn areas_of_a_simulated_run_hold_at_their_peak_what_was_swapped_out() {
    for (rounds_per_second, cpus) in [(100, 1), (700, 3), (1_000_000, 2)] {
        let disk = AreaSetup { path: "/dev/sdb2".to_owned(), ..setup(SimDevice::SolidState, 9000) };
        let areas = vec![setup(SimDevice::Zram, 3000), disk];
        let machine = MachineSetup { cpus, rounds_per_second, ..simulated("7.2", areas) };
        let session = prepared_simulated(&on_its_areas("usemem"), &machine);
        let outcome =
            run_simulated(session, &machine, None, &mut StopAfter { asks: false, begun: 0 })
                .unwrap();
        let run = outcome.run().unwrap();
        let RepetitionResult { elapsed, used, .. } = &run.measured[0];
        let off = used.at.last().unwrap() - elapsed.unwrap();
        assert!(off.abs() < 1e-6 && used.at.is_sorted(), "{elapsed:?} {:?}", used.at);
        let peaks = crate::derive::lab::areas(run);
        let peaks = peaks.iter().map(|it| it.peak.known().copied().unwrap_or(-1.0) / 4096.0);
        let counters = &run.measured[0].counters;
        let held = counters["pswpout"] - counters["pswpin"];
        assert!(held > 4000, "{counters:?}");
        let differs = (peaks.sum::<f64>() - held as f64).abs();
        assert!(differs < 0.5, "{rounds_per_second} {cpus}: {differs}");
    }
}

/// The pool of zswap is a share of the machine's memory, also under the limit of a workload.
#[test]
fn a_simulated_run_has_the_pool_of_the_machine() {
    let zswap = Some(ZswapSetup { max_pool: 0.5, accept: 0.9 });
    let areas = vec![setup(SimDevice::SolidState, 12_000)];
    let machine = MachineSetup { zswap, ..simulated("7.2", areas) };
    let session = prepared_simulated(&on_its_areas("usemem"), &machine);
    let outcome =
        run_simulated(session, &machine, None, &mut StopAfter { asks: false, begun: 0 }).unwrap();
    let run = outcome.run().unwrap();
    let counters = &run.measured[0].counters;
    assert!(counters["zswpout"] > 4000, "{counters:?}");
    assert_eq!((counters["pswpout"], run.machine.memory), (0, Some(Bytes(64 << 20))));
}

/// Shares of memory are those of the machine's memory limit, which a run cannot raise.
#[test]
fn a_simulated_run_stays_within_the_memory_limit_of_the_machine() {
    let areas = vec![setup(SimDevice::SolidState, 24_000)];
    let small = MachineSetup { limit_pages: None, ..simulated("7.2", areas) };
    let limited =
        MachineSetup { memory_pages: 64 << 10, limit_pages: Some(16 << 10), ..small.clone() };
    for limit in [MemoryAmount::Share(0.25), MemoryAmount::Bytes(Bytes(80 << 20))] {
        let spec = SessionSpec { limit: Some(limit), ..on_its_areas("usemem") };
        let [small, limited] = [&small, &limited].map(|machine| {
            let session = prepared_simulated(&spec, machine);
            let mut monitor = StopAfter { asks: false, begun: 0 };
            let outcome = run_simulated(session, machine, None, &mut monitor).unwrap();
            outcome.run().unwrap().measured[0].counters["pswpout"]
        });
        assert!(small > 0, "{limit:?}");
        assert_eq!(limited, small, "{limit:?}");
    }
}

/// The summary of a run describes the keys of its workload, also those that the model takes no notice of.
#[test]
fn a_simulated_run_says_that_the_model_has_no_time() {
    let machine = simulated("7.2", vec![setup(SimDevice::Zram, 3000)]);
    let notes = |named| prepared_simulated(&on_its_areas(named), &machine).notes.join(" ");
    for (named, seconds, pace) in
        [("usemem", false, false), ("random-write", true, false), ("leak", false, true)]
    {
        let notes = notes(named);
        let says = |words| notes.contains(words);
        assert_eq!(says("The model has no clock: "), seconds || pace, "{named}: {notes}");
        assert_eq!(
            says("a workload with seconds makes 4 passes over its memory"),
            seconds,
            "{named}: {notes}"
        );
        assert_eq!(says("pace has no effect"), pace, "{named}: {notes}");
    }
}

/// An area of a run is used before those of the machine. Those of a simulated machine are disabled, which a note says.
#[test]
fn areas_of_an_experiment_come_first() {
    let zram = AreaSetup { priority: Some(100), ..setup(SimDevice::Zram, 3000) };
    let machine = simulated("6.12", vec![zram]);
    let says =
        |session: &Session| session.notes.iter().any(|it| it.contains("itself are disabled"));
    let of = |named| prepared_simulated(&experiment(named, ExperimentOptions::default()), &machine);
    let session = of("readahead");
    let first = |session: &Session| {
        let areas = session.cases.iter().flat_map(|case| &case.spec.devices);
        areas.map(|area| area.priority).collect::<Vec<_>>()
    };
    assert_eq!(first(&session), vec![Priority::Set(101); session.cases.len()]);
    assert!(says(&session) && says(&of("balance")), "{:?}", session.notes);
    let own = prepared_simulated(&on_its_areas("usemem"), &machine);
    assert!(!says(&own), "{:?}", own.notes);
    let real = prepared_on(
        &self::machine("/dev/sda\tpartition\t1000\t0\t100\n"),
        &experiment("freeing", ExperimentOptions::default()),
    );
    assert!(first(&real.unwrap().session).iter().all(|it| *it == Priority::Set(101)));
}

/// A monitor that counts the reports of a run, and stops it after some of them.
struct Stopper {
    reports: Vec<f64>,
    most: usize,
}

impl Monitor<SessionEvent> for Stopper {
    fn event(&mut self, event: SessionEvent) -> ControlFlow<StopReason> {
        if let SessionEvent::Running(view) = event {
            self.reports.push(view.progress.share.unwrap());
        }
        let is_over = self.reports.len() >= self.most;
        if is_over { ControlFlow::Break(StopReason::Asked) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn a_simulated_session_reports_progress_and_is_stopped_without_a_result() {
    let areas = vec![setup(SimDevice::Zram, 9000)];
    let machine = simulated("7.2", areas);
    let store = Err("a stopped session must not be stored".to_owned());
    for (most, is_done) in [(usize::MAX, true), (3, false)] {
        let mut monitor = Stopper { reports: Vec::new(), most };
        let session = prepared_simulated(&on_its_areas("usemem"), &machine);
        let outcome = run_simulated(session, &machine, Some(&store), &mut monitor).unwrap();
        let reports = &monitor.reports;
        assert!(reports.is_sorted() && reports.len() >= 3 && reports[0] < 0.5, "{reports:?}");
        assert_eq!(outcome.is_done(), is_done);
        assert_eq!(outcome.run().is_some(), is_done);
        assert_eq!(matches!(outcome.storage, Storage::Skipped), !is_done);
        assert_eq!(outcome.early == Some(RunStatus::Stopped), !is_done);
    }
}

/// A process that holds its memory gets it back from areas that are disabled, and frees it then.
#[test]
fn a_simulated_run_can_end_with_swapoff() {
    for policy in ["6.12", "7.2", "7.2+virtual-swap"] {
        let machine = simulated(policy, Vec::new());
        let area = AreaSpec { kind: TemporaryAreaKind::File, count: 1, size: Bytes(64 << 20) };
        let options = LoadOptions { areas: vec![area], ..LoadOptions::default() };
        let spec = SessionSpec { subject: Subject::Load(options), ..on_its_areas("swapoff-cost") };
        let session = prepared_simulated(&spec, &machine);
        let outcome =
            run_simulated(session, &machine, None, &mut StopAfter { asks: false, begun: 0 })
                .unwrap();
        let measured = &outcome.run().unwrap().measured[0];
        assert_eq!(measured.end, RepetitionEnd::Done, "{policy}");
        let held = measured.switched_off.unwrap().0 / 4096;
        assert!(held > 2000 && measured.swapoff.unwrap() > 0.0, "{policy}: {held}");
        // Up to 6.12 CPUs hold some slots without a page.
        assert!((held - 64..=held).contains(&measured.counters["pswpin"]), "{policy}: {held}");
    }
}

/// A session that is killed has stored the runs before.
#[test]
fn an_experiment_is_stored_after_each_run() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::in_folder(dir.path());
    let text = include_str!("../../../tests/results/kept/1-before.json");
    let run: Run = serde_json::from_str(text).unwrap();
    store.save(&mut run.clone()).unwrap();
    let mut outcome = SessionOutcome::not_run(
        prepared(&experiment("balance", ExperimentOptions::default())).unwrap(),
    );
    let cases = outcome.experiment.cases.len() as u64;
    assert!(cases >= 3, "{cases}");
    let listed = |store: &Store| -> Vec<(u64, u64, String)> {
        let entries = store.list().unwrap().into_iter();
        entries
            .map(|it| {
                it.short.into_result().map(|short| (it.id, short.repetitions, short.end)).unwrap()
            })
            .collect()
    };
    let mut add = |place: usize, is_stored: bool| {
        let mut made = Run { id: 0, repetitions: Some(2), ..run.clone() };
        made.measured.truncate(1);
        outcome.experiment.cases[place].add(made);
        let store = if is_stored { Ok(store.clone()) } else { Err("full".to_owned()) };
        outcome.store_case(&store, place);
        outcome.experiment.clone()
    };
    let number = 1 + cases + 1;
    add(1, true);
    let end = |count: u64| format!("incomplete: {count} of {} runs", 2 * cases);
    let of_run = || "1 of 2 runs".to_owned();
    assert_eq!(listed(&store)[..2], [(number, 1, end(1)), (3, 1, of_run())]);
    add(0, false);
    assert_eq!(listed(&store).len(), 3, "nothing was stored");
    let experiment = add(1, true);
    let all = [(number, 3, end(3)), (3, 2, "done".to_owned()), (2, 1, of_run())];
    assert_eq!(listed(&store)[..3], all);
    assert_eq!(store.experiment(number).unwrap(), experiment);
    assert_eq!(experiment.run_numbers(), "2, 3");
    // Numbers that others have taken meanwhile.
    let taken = store.folder().join("4-other.json");
    std::fs::copy(store.folder().join("2-before.json"), taken).unwrap();
    let experiment = add(2, true);
    assert_eq!(experiment.run_numbers(), format!("2, 3, {}", number + 1));
    assert_eq!(store.experiment(number).unwrap(), experiment);
    let experiment = add(2, false);
    let last = experiment.cases[2].run.as_ref().unwrap();
    assert_eq!(store.run(last.id).unwrap().measured.len(), 1, "the second run was not stored");
    let stored = outcome.store_result(&Ok(store.clone()));
    assert!(matches!(stored, Storage::Stored(id) if id == number), "{stored:?}");
    assert!(store.run(last.id).unwrap() == *last, "the final save makes up for it");
    assert_eq!(listed(&store).len() as u64, 1 + 3 + 1 + 1);
}
