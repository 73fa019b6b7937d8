#![allow(clippy::disallowed_methods, reason = "the model is a tree of files")]

mod faults;
mod model;

use super::*;
use crate::actions::Step;
use crate::actions::journal::{JournalStore, PlanEnd};
use crate::actions::plan::{self, Plan};
use crate::actions::testing::mortal::Random;
use crate::change::draft::{DraftContext, PlanDraft};
use crate::change::{ChangeError, Intent, ObservedMachine};
use crate::model::Part;
use crate::model::activation::Discard;
use crate::model::zram::{device_number, device_path};
use crate::sys::Sys as _;
use model::{DISKS, FILES, KNOBS, ModelMachine, PAGE};
use std::collections::BTreeSet;
use std::fs;

fn draft_on(machine: &ObservedMachine<'_>, wanted: StateIntent) -> Result<PlanDraft, ChangeError> {
    let journal = &JournalStore::in_memory();
    Intent::State(Box::new(wanted)).draft(DraftContext { machine, journal, accepted_risks: &[] })
}

impl Random {
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
            let area = self.maybe(|random| StateArea {
                name: disk.into(),
                size: None,
                priority: random.maybe(Self::priority),
                discard: None,
            });
            state.areas.extend(area);
        }
        for file in FILES {
            let area = self.maybe(|random| StateArea {
                name: file.into(),
                size: Some(random.pages()),
                priority: random.maybe(Self::priority),
                discard: None,
            });
            state.areas.extend(area);
        }
        for number in 0..self.below(3) as u64 {
            state.zram.push(StateZram {
                number,
                size: self.pages(),
                algorithm: self.maybe(|random| ["lz4", "zstd"][random.below(2)].to_owned()),
                limit: self.maybe(|random| Bytes(random.below(3) as u64 * 8 * PAGE)),
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
            let value = self.maybe(|random| values[random.below(values.len())].to_owned());
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
            let is_active = machine.is_active(&file.into());
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
    let machine = ModelMachine::new();
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
    let machine = ModelMachine::new();
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
    let record = machine.carry_out(&draft.plan);
    let is_there = |file: &str| machine.place(&file.into()).exists();
    assert_eq!(FILES.map(is_there), [true, false]);
    machine.undo(&record);
    assert_eq!(FILES.map(|file| machine.place(&file.into()).exists()), [true, true]);
    assert_eq!(machine.areas.borrow().len(), 2);
}

#[test]
fn the_order_of_default_priorities_is_restored_and_a_wrong_name_is_refused() {
    let machine = ModelMachine::new();
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
    let machine = ModelMachine::new();
    let size = Bytes(16 * PAGE);
    machine.read_claim(&"hot_add".into()).unwrap();
    machine.write(&"/sys/block/zram0/disksize".into(), &size.0.to_string()).unwrap();
    let device = StateZram { size, ..StateZram::default() };
    let wanted = SwapStateFile { zram: vec![device], ..SwapStateFile::default() };
    let plan = machine.draft(&wanted).plan;
    assert!(matches!(plan.steps[..], [Step::Header { .. }, Step::On { .. }]), "{plan:?}");
    machine.carry_out(&plan);
    assert_reached(&machine, &wanted);
}

#[test]
fn a_device_that_only_needs_another_limit_keeps_its_header() {
    let machine = ModelMachine::new();
    let device =
        |limit| StateZram { size: Bytes(16 * PAGE), limit: Some(limit), ..StateZram::default() };
    let wanted = |limit| SwapStateFile { zram: vec![device(limit)], ..SwapStateFile::default() };
    machine.carry_out(&machine.draft(&wanted(Bytes(0))).plan);
    machine.disable(&device_path(0)).unwrap();
    let plan = machine.draft(&wanted(Bytes(8 * PAGE))).plan;
    assert!(matches!(plan.steps[..], [Step::Zram { .. }, Step::On { .. }]), "{plan:?}");
    machine.carry_out(&plan);
    assert_reached(&machine, &wanted(Bytes(8 * PAGE)));
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
    let mut random = Random(seed);
    let mut changed = 0;
    for _ in 0..pairs {
        let machine = ModelMachine::new();
        let (from, to) = (random.state(), random.state());
        let first = machine.draft(&from);
        machine.carry_out(&first.plan);
        assert_reached(&machine, &from);
        let before = machine.present();
        let second = machine.draft(&to);
        assert_room_first(&second.plan);
        let differs = !second.state.unwrap().differences.is_empty();
        assert_eq!(differs, !second.plan.steps.is_empty(), "{:#?}", second.plan.steps);
        let record = machine.carry_out(&second.plan);
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
        machine.undo(&record);
        assert_eq!(machine.present(), before);
    }
    assert!(changed > pairs / 2, "{changed}");
    println!("measured: {pairs} pairs on a model, of which {changed} differ, no failure");
}
