#![allow(clippy::disallowed_methods, reason = "the model is a tree of files")]

use super::*;
use crate::actions::journal::JournalStore;
use crate::actions::journal::{Event, PlanEnd, Record};
use crate::actions::plan::{self, Plan};
use crate::actions::{Step, StepState};
use crate::change::draft::{DraftContext, PlanDraft};
use crate::change::{ChangeError, Intent, LiveMachine, ObservedMachine};
use crate::model::Part;
use crate::model::activation::Activation;
use crate::model::zram::{ZramSettings, device_path};
use crate::root::Root;
use crate::root::testing::TestTree;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

const PAGE: u64 = 4096;
const DISK: u64 = 64 * PAGE;
const DISKS: [&str; 3] = ["/dev/sda", "/dev/sdb", "/dev/sdc"];
const FILES: [&str; 2] = ["/swap1", "/swap2"];
const KNOBS: [(&str, &str, &[&str]); 3] = [
    ("swappiness", "proc/sys/vm/swappiness", &["0", "60", "180"]),
    ("page-cluster", "proc/sys/vm/page-cluster", &["0", "3"]),
    ("zswap.enabled", "sys/module/zswap/parameters/enabled", &["Y", "N"]),
];

fn draft_on(machine: &ObservedMachine<'_>, wanted: StateIntent) -> Result<PlanDraft, ChangeError> {
    let journal = &JournalStore::in_memory();
    Intent::State(Box::new(wanted)).draft(DraftContext { machine, journal, accepted_risks: &[] })
}

/// A model of a machine: a tree whose files change as the steps say.
struct ModelMachine {
    tree: TestTree,
    root: Root,
    areas: Vec<(Name, i32)>,
}

impl ModelMachine {
    fn new() -> Self {
        let tree = TestTree::new();
        tree.write("machine.toml", format!("page_size = {PAGE}\n"));
        tree.write("proc/sys/kernel/osrelease", "6.18.1\n");
        tree.write("proc/meminfo", "MemTotal: 8388608 kB\nMemAvailable: 8388608 kB\n");
        for (_, file, values) in KNOBS {
            tree.write(file, format!("{}\n", values[0]));
        }
        for (place, disk) in (1..).zip(DISKS) {
            let uuid = Uuid::from_bytes(&[place; 16]).unwrap();
            let format = crate::model::format::Format::new(Bytes(DISK), PAGE, uuid, None).unwrap();
            let mut bytes = format.page();
            bytes.resize(usize::try_from(DISK).unwrap(), 0);
            tree.write(disk.trim_start_matches('/'), bytes);
        }
        tree.folder("sys/block");
        let root = tree.root();
        let machine = Self { tree, root, areas: Vec::new() };
        machine.write_areas();
        machine
    }

    fn place(&self, path: &Name) -> PathBuf {
        self.tree.path().join(path.as_path().strip_prefix("/").unwrap())
    }

    fn size(&self, path: &Name) -> u64 {
        match crate::model::zram::device_number(path) {
            Some(number) => device_size(&self.root, number),
            None => fs::metadata(self.place(path)).unwrap().len(),
        }
    }

    fn write_areas(&self) {
        let mut lines = vec!["Filename\tType\tSize\tUsed\tPriority\n".to_owned()];
        for (path, priority) in &self.areas {
            let kind = if path.safe().starts_with("/dev/") { "partition" } else { "file" };
            let kib = (self.size(path) - PAGE) / 1024;
            lines.push(format!("{} {kind} {kib} 0 {priority}\n", path.safe()));
        }
        self.tree.write("proc/swaps", lines.concat());
    }

    fn enable(&mut self, area: &Activation) {
        let lowest = self.areas.iter().map(|(_, priority)| *priority).min().unwrap_or(0);
        let priority = match area.priority {
            Priority::Set(number) => i32::from(number),
            Priority::Default => lowest.min(-1) - 1,
        };
        self.areas.push((area.path.clone(), priority));
    }

    fn make(&mut self, step: &Step) {
        if let Some(area) = step.disabled_area() {
            let before = self.areas.len();
            self.areas.retain(|(path, _)| *path != area.path);
            assert_eq!(self.areas.len() + 1, before, "{step:?}");
        }
        match step {
            Step::Set { file, to, .. } => {
                self.tree.write(file.safe().trim_start_matches('/'), format!("{to}\n"));
            }
            Step::Zram { number, to, .. } => self.set_zram(*number, to.as_ref()),
            Step::Header { path, .. } => {
                let mut bytes = fs::read(self.place(path)).unwrap();
                for patch in step.rewrites().to {
                    let at = usize::try_from(patch.at).unwrap();
                    bytes[at..at + patch.bytes.len()].copy_from_slice(&patch.bytes);
                }
                fs::write(self.place(path), bytes).unwrap();
            }
            Step::File { path, to: None, .. } => fs::remove_file(self.place(path)).unwrap(),
            Step::File { path, to: Some(form), .. } => {
                assert!(!self.place(path).exists());
                let mut bytes = form.format.page();
                bytes.resize(usize::try_from(form.size.0).unwrap(), 0);
                fs::write(self.place(path), bytes).unwrap();
            }
            Step::On { .. } | Step::Off { .. } | Step::Renew { .. } => {}
            Step::Save { .. } | Step::Order { .. } => panic!("{step:?}"),
        }
        if let Some(area) = step.enabled_area() {
            self.enable(area);
        }
        self.write_areas();
    }

    fn set_zram(&self, number: u64, to: Option<&ZramSettings>) {
        let (folder, node) = (format!("sys/block/zram{number}"), self.place(&device_path(number)));
        let Some(to) = to else {
            fs::remove_dir_all(self.tree.path().join(folder)).unwrap();
            fs::remove_file(node).unwrap();
            return;
        };
        let old = device_size(&self.root, number);
        let algorithm = to.algorithm.as_deref().unwrap_or("lzo-rle");
        let words = ["lzo-rle", "lz4", "zstd"]
            .map(|word| if word == algorithm { format!("[{word}]") } else { word.to_owned() });
        self.tree.write(&format!("{folder}/comp_algorithm"), words.join(" "));
        self.tree.write(&format!("{folder}/disksize"), format!("{}\n", to.size.0));
        self.tree.write(&format!("{folder}/initstate"), "1\n");
        self.tree.write(&format!("{folder}/mm_stat"), format!("0 0 0 {} 0 0 0 0 0\n", to.limit.0));
        if old != to.size.0 || !node.exists() {
            fs::write(node, vec![0; usize::try_from(to.size.0).unwrap()]).unwrap();
        }
    }

    fn observe(&self) -> ObservedMachine<'_> {
        let parts = [Part::Kernel, Part::Swaps, Part::Zram, Part::Knobs];
        ObservedMachine::observe_parts(&self.root, parts.into_iter().collect())
    }

    fn draft(&self, wanted: &SwapStateFile) -> PlanDraft {
        let intent = StateIntent::new(wanted.clone()).unwrap();
        draft_on(&self.observe(), intent)
            .unwrap_or_else(|failure| panic!("{failure}: {wanted:?} on {:?}", self.present()))
    }

    /// Makes a plan. Each step must find what it is planned for, and leave what it says.
    fn carry_out(&mut self, plan: &Plan) {
        for step in &plan.steps {
            let root = self.root.clone();
            let live = LiveMachine::new(&root);
            assert_eq!(step.state(&live), Ok(StepState::Before), "{step:?} in {:#?}", plan.steps);
            self.make(step);
            let is = if step.is_observable() { StepState::After } else { StepState::Before };
            assert_eq!(step.state(&live), Ok(is), "{step:?}");
        }
    }

    /// The present state, with areas of equal default priority in order of their names.
    fn present(&self) -> SwapStateFile {
        let mut state = SwapStateFile::present(&self.observe(), false).unwrap();
        state.areas.sort_by_key(|area| area.name.clone());
        state.zram.sort_by_key(|device| device.number);
        // The order that an undone plan found is restored after it, by another plan.
        state.order.clear();
        state
    }

    /// The areas with default priority in the order of their activation.
    fn order(&self) -> Vec<Name> {
        let named = self.areas.iter().filter(|(_, priority)| *priority < 0);
        named.map(|(path, _)| path.clone()).collect()
    }

    fn undo(&mut self, plan: Plan) {
        let made = |step| Event::Made { step, back: false, moved: 0, seconds: 0.0 };
        let steps = 0..plan.steps.len();
        let end = Event::End { end: PlanEnd::Done, why: None };
        let record = Record {
            plan: 1,
            boot: "now".to_owned(),
            title: plan.title,
            purpose: plan.purpose,
            events: steps
                .flat_map(|step| [Event::Try { step, back: false }, made(step)])
                .chain([end])
                .collect(),
            steps: plan.steps,
            ..Record::default()
        };
        let back = plan::undo(&record, &LiveMachine::new(&self.root), "now").unwrap();
        self.carry_out(&back);
    }
}

/// The size of a zram device; 0 if it does not exist.
fn device_size(root: &Root, number: u64) -> u64 {
    root.number(format!("sys/block/zram{number}/disksize")).known().copied().unwrap_or(0)
}

/// Pseudo-random numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % sides as u64).unwrap()
    }

    fn maybe<T>(&mut self, value: impl FnOnce(&mut Self) -> T) -> Option<T> {
        (self.below(3) > 0).then(|| value(self))
    }

    fn priority(&mut self) -> Priority {
        [Priority::Default, Priority::Set(5), Priority::Set(5), Priority::Set(90)][self.below(4)]
    }

    fn pages(&mut self) -> Bytes {
        Bytes((10 + self.below(3) as u64 * 7) * PAGE)
    }

    fn state(&mut self) -> SwapStateFile {
        let mut state = SwapStateFile { only: self.below(4) > 0, ..SwapStateFile::default() };
        for disk in DISKS {
            let area = self.maybe(|dice| StateArea {
                name: disk.into(),
                size: None,
                priority: dice.maybe(Self::priority),
                discard: None,
            });
            state.areas.extend(area);
        }
        for file in FILES {
            let area = self.maybe(|dice| StateArea {
                name: file.into(),
                size: Some(dice.pages()),
                priority: dice.maybe(Self::priority),
                discard: None,
            });
            state.areas.extend(area);
        }
        for number in 0..self.below(3) as u64 {
            state.zram.push(StateZram {
                number,
                size: self.pages(),
                algorithm: self.maybe(|dice| ["lz4", "zstd"][dice.below(2)].to_owned()),
                limit: self.maybe(|dice| Bytes(dice.below(3) as u64 * 8 * PAGE)),
                priority: self.maybe(Self::priority),
                ..StateZram::default()
            });
        }
        if self.below(2) > 0 {
            let areas = state.areas.iter().map(|area| area.name.clone());
            let zram =
                state.zram.iter().map(|it| Name::from(format!("zram{}", it.number).as_str()));
            state.order = areas.chain(zram).collect();
            for place in 1..state.order.len() {
                let other = self.below(place + 1);
                state.order.swap(place, other);
            }
        }
        for (knob, _, values) in KNOBS {
            let setting = Setting { knob: knob.to_owned(), group: None };
            let value = self.maybe(|dice| values[dice.below(values.len())].to_owned());
            state.settings.extend(value.map(|value| (setting, value)));
        }
        state
    }
}

/// Whether a machine is in a wanted state, looked at without the code that compares.
fn assert_reached(machine: &ModelMachine, wanted: &SwapStateFile) {
    let has = machine.present();
    for area in &wanted.areas {
        let found = has.areas.iter().find(|it| it.name == area.name).expect("it is active");
        assert!(area.size.is_none_or(|size| found.size == Some(size)), "{area:?} {found:?}");
        assert!(area.priority.is_none() || found.priority == area.priority, "{area:?} {found:?}");
    }
    for device in &wanted.zram {
        let found = has.zram.iter().find(|it| it.number == device.number).expect("it is active");
        assert_eq!(found.size, device.size);
        assert!(device.algorithm.is_none() || found.algorithm == device.algorithm);
        assert!(device.limit.is_none() || found.limit == device.limit);
        assert!(device.priority.is_none() || found.priority == device.priority);
    }
    for setting in &wanted.settings {
        assert!(has.settings.contains(setting), "{setting:?} {:?}", has.settings);
    }
    let path = |name: &Name| match name.safe().strip_prefix("zram") {
        Some(number) => device_path(number.parse().unwrap()),
        None => name.clone(),
    };
    let order = machine.order();
    let wished: Vec<Name> = wanted.order.iter().map(path).filter(|it| order.contains(it)).collect();
    let found: Vec<Name> = order.iter().filter(|it| wished.contains(it)).cloned().collect();
    assert_eq!(found, wished);
    if wanted.only {
        for file in FILES {
            let is_wanted = wanted.areas.iter().any(|area| area.name == file.into());
            let is_active = machine.areas.iter().any(|(path, _)| *path == file.into());
            assert_eq!(is_active, is_wanted);
        }
        let counts = |state: &SwapStateFile| (state.areas.len(), state.zram.len());
        assert_eq!(counts(&has), counts(wanted));
    }
}

/// Areas that are new come before those that go for good.
fn assert_room_first(plan: &Plan) {
    let on: BTreeSet<&Name> =
        plan.steps.iter().filter_map(Step::enabled_area).map(|area| &area.path).collect();
    let off: BTreeSet<&Name> =
        plan.steps.iter().filter_map(Step::disabled_area).map(|area| &area.path).collect();
    let is_new = |step: &Step| step.enabled_area().is_some_and(|area| !off.contains(&area.path));
    let goes = |step: &Step| step.disabled_area().is_some_and(|area| !on.contains(&area.path));
    let last_new = plan.steps.iter().rposition(is_new);
    let first_gone = plan.steps.iter().position(goes);
    if let (Some(new), Some(gone)) = (last_new, first_gone) {
        assert!(new < gone, "{:#?}", plan.steps);
    }
}

#[test]
fn a_deleted_file_waits_for_a_restart() {
    let machine = ModelMachine::new();
    let line = "/gone\\040(deleted) file 1020 0 5\n";
    machine.tree.write("proc/swaps", format!("Filename Type Size Used Priority\n{line}"));
    let gone = |only, priority: Option<u16>| SwapStateFile {
        only,
        areas: priority
            .into_iter()
            .map(|priority| StateArea {
                name: "/gone".into(),
                size: None,
                priority: Some(Priority::Set(priority)),
                discard: None,
            })
            .collect(),
        ..SwapStateFile::default()
    };
    for (wanted, expected) in
        [(gone(true, None), 1), (gone(true, Some(6)), 1), (gone(true, Some(5)), 0)]
    {
        let draft = machine.draft(&wanted);
        assert_eq!(draft.plan.steps, []);
        let state = draft.state.unwrap();
        assert_eq!(
            (state.restart.len(), state.differences.len()),
            (expected, expected),
            "{state:?}"
        );
    }
}

/// The row of such a file in /proc/swaps lacks the pages that the kernel cannot use.
#[test]
fn a_fragmented_file_has_the_size_of_its_header() {
    let mut machine = ModelMachine::new();
    let wanted = |priority| SwapStateFile {
        areas: vec![StateArea {
            name: FILES[0].into(),
            size: Some(Bytes(10 * PAGE)),
            priority: Some(Priority::Set(priority)),
            discard: None,
        }],
        ..SwapStateFile::default()
    };
    let plan = machine.draft(&wanted(5)).plan;
    machine.carry_out(&plan);
    let row = format!("{} file {} 0 5\n", FILES[0], 8 * PAGE / 1024);
    machine.tree.write("proc/swaps", format!("Filename Type Size Used Priority\n{row}"));
    assert_eq!(machine.draft(&wanted(5)).state.unwrap().differences, []);
    assert_eq!(machine.present().areas, wanted(5).areas);
    let steps = machine.draft(&wanted(6)).plan.steps;
    assert!(matches!(&steps[..], [Step::Renew { .. }]), "{steps:?}");
}

#[test]
fn only_what_is_named_stays_and_a_file_goes_with_its_area() {
    let mut machine = ModelMachine::new();
    let file = |name: &str| StateArea {
        name: name.into(),
        size: Some(Bytes(10 * PAGE)),
        priority: Some(Priority::Set(5)),
        discard: None,
    };
    let both = SwapStateFile { areas: FILES.map(file).to_vec(), ..SwapStateFile::default() };
    let plan = machine.draft(&both).plan;
    machine.carry_out(&plan);
    let one = SwapStateFile { only: true, areas: vec![file(FILES[0])], ..SwapStateFile::default() };
    let draft = machine.draft(&one);
    let gone: Vec<_> = draft.state.unwrap().differences;
    assert_eq!((gone.len(), gone[0].subject.as_str(), &gone[0].to), (1, FILES[1], &None));
    machine.carry_out(&draft.plan);
    let is_there = |file: &str| machine.place(&file.into()).exists();
    assert_eq!(FILES.map(is_there), [true, false]);
    machine.undo(draft.plan);
    assert_eq!(FILES.map(|file| machine.place(&file.into()).exists()), [true, true]);
    assert_eq!(machine.areas.len(), 2);
}

#[test]
fn the_order_of_default_priorities_is_restored_and_a_wrong_name_is_refused() {
    let mut machine = ModelMachine::new();
    let area = |name: &str| StateArea {
        name: name.into(),
        size: None,
        priority: Some(Priority::Default),
        discard: None,
    };
    let order = |names: [&str; 3]| SwapStateFile {
        areas: DISKS.map(area).to_vec(),
        order: names.map(Name::from).to_vec(),
        ..SwapStateFile::default()
    };
    let plan = machine.draft(&order(DISKS)).plan;
    machine.carry_out(&plan);
    let [a, b, c] = DISKS;
    assert_eq!(machine.order(), DISKS.map(Name::from));
    let draft = machine.draft(&order([a, c, b]));
    // A helper enables the area again also if this program is killed.
    let [Step::Renew { to, .. }] = &draft.plan.steps[..] else { panic!("{:?}", draft.plan.steps) };
    assert_eq!(to.path, b.into());
    let differs = &draft.state.unwrap().differences;
    assert_eq!(differs.len(), 1);
    assert_eq!(differs[0].to, Some(format!("{a}, {c}, {b}")));
    machine.carry_out(&draft.plan);
    assert_eq!(machine.order(), [a, c, b].map(Name::from));
    let swaps = fs::read_to_string(machine.tree.path().join("proc/swaps")).unwrap();
    machine.tree.write("proc/swaps", swaps.replace(a, &format!("{a}\\040(deleted)")));
    assert_eq!(machine.draft(&order([b, a, c])).plan.steps.len(), 1, "a deleted area stays");
    machine.write_areas();
    let wrong = StateIntent::new(order([a, "/dev/sdx", b])).unwrap();
    let refused = draft_on(&machine.observe(), wrong);
    let why = refused.err().unwrap().to_string();
    assert!(why.contains("default-order: /dev/sdx is not an area"), "{why}");
}

/// The settings are right already, so there is no step for them.
#[test]
fn a_device_that_is_set_up_but_not_active_gets_a_header() {
    let mut machine = ModelMachine::new();
    let size = Bytes(16 * PAGE);
    machine.set_zram(0, Some(&ZramSettings { size, ..ZramSettings::default() }));
    let device = StateZram { size, ..StateZram::default() };
    let wanted = SwapStateFile { zram: vec![device], ..SwapStateFile::default() };
    let plan = machine.draft(&wanted).plan;
    assert!(matches!(plan.steps[..], [Step::Header { .. }, Step::On { .. }]), "{plan:?}");
    machine.carry_out(&plan);
    assert_reached(&machine, &wanted);
}

/// A strict commit limit forbids swapoff, and zswap needs its compressor first.
#[test]
fn settings_come_when_they_do_not_hinder_others() {
    let machine = ModelMachine::new();
    machine.tree.write("proc/sys/vm/overcommit_memory", "0\n");
    machine.tree.write("proc/sys/vm/swappiness", "0\n");
    machine.tree.write("sys/module/zswap/parameters/enabled", "N\n");
    machine.tree.write("sys/module/zswap/parameters/compressor", "lzo\n");
    let setting = |(knob, value): (&str, &str)| {
        (Setting { knob: knob.to_owned(), group: None }, value.to_owned())
    };
    let wanted = SwapStateFile {
        areas: vec![StateArea {
            name: DISKS[0].into(),
            size: None,
            priority: Some(Priority::Set(5)),
            discard: None,
        }],
        settings: [
            ("overcommit_memory", "2"),
            ("zswap.enabled", "Y"),
            ("zswap.compressor", "zstd"),
            ("swappiness", "60"),
        ]
        .map(setting)
        .to_vec(),
        ..SwapStateFile::default()
    };
    let steps = machine.draft(&wanted).plan.steps;
    let subjects: Vec<Name> = steps.iter().map(|step| step.subject().base()).collect();
    let expected = ["compressor", "swappiness", "enabled", "sda", "overcommit_memory"];
    assert_eq!(subjects, expected.map(Name::from));
}

#[test]
fn any_state_leads_to_any_other_and_back() {
    lead_there_and_back(0x5eed_0023, 25);
}

#[test]
#[ignore = "takes minutes"]
fn five_hundred_states_lead_to_others_and_back() {
    lead_there_and_back(0x5eed_0500, 500);
}

fn lead_there_and_back(seed: u64, pairs: u32) {
    let mut dice = Dice(seed);
    let mut changed = 0;
    for _ in 0..pairs {
        let mut machine = ModelMachine::new();
        let (from, to) = (dice.state(), dice.state());
        let first = machine.draft(&from);
        machine.carry_out(&first.plan);
        assert_reached(&machine, &from);
        let before = machine.present();
        let second = machine.draft(&to);
        assert_room_first(&second.plan);
        let differs = !second.state.unwrap().differences.is_empty();
        assert_eq!(differs, !second.plan.steps.is_empty(), "{:#?}", second.plan.steps);
        machine.carry_out(&second.plan);
        assert_reached(&machine, &to);
        let again = machine.draft(&to);
        assert_eq!((again.plan.steps, again.state.unwrap().differences), (vec![], vec![]));
        let saved = SwapStateFile::present(&machine.observe(), false).unwrap();
        let saved = SwapStateFile { only: true, ..saved };
        assert_eq!(machine.draft(&saved).plan.steps, [], "{saved:?}");
        if second.plan.steps.is_empty() {
            continue;
        }
        changed += 1;
        machine.undo(second.plan);
        assert_eq!(machine.present(), before);
    }
    assert!(changed > pairs / 2, "{changed}");
    println!("measured: {pairs} pairs on a model, of which {changed} differ, no failure");
}
