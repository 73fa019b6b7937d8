//! Changes of models, and predictions for them.

use super::*;
use crate::actions::plan;
use crate::model::activation::Discard;
use crate::model::format::{Format, SwapFileSpec};
use crate::model::load::WorkerGroup;
use crate::model::paging::Counters;
use crate::model::swaparea::testing::area;
use crate::model::zram::ZramSettings;
use crate::model::{Part, Sampled, Stamp};
use crate::root::testing::TestTree;
use crate::sim::machine::Machine;
use crate::sim::testing::machine;
use crate::sim::testing::setup;

fn two_areas() -> MachineSetup {
    let areas = [("/a", 9), ("/b", 1)].map(|(path, priority)| AreaSetup {
        path: path.to_owned(),
        priority: Some(priority),
        ..setup(SimDevice::SolidState, 1 << 12)
    });
    machine("7.2", 4096, areas.into())
}

/// The areas after a plan, with their priorities and slots, and the notes.
fn after(plan: Plan, inactive: Vec<AreaSetup>) -> (Vec<(String, Option<i32>, u32)>, String) {
    let mut notes = Vec::new();
    let change = ModelChange::Plan(Box::new(plan), inactive);
    let then = changed(&two_areas(), &[change], &mut notes).unwrap();
    let areas = then.areas.into_iter().map(|area| (area.path, area.priority, area.slots));
    (areas.collect(), notes.join(" "))
}

fn row(path: &str, priority: i32, slots: u32) -> (String, Option<i32>, u32) {
    (path.to_owned(), Some(priority), slots)
}

fn with_steps(steps: Vec<Step>) -> Plan {
    Plan { steps, ..Plan::without_steps("test".to_owned()) }
}

fn on(path: &str) -> Step {
    let (path, priority) = (path.into(), Priority::Set(5));
    Step::On { area: Activation { path, priority, discard: Discard::None } }
}

#[test]
fn steps_of_a_plan_change_the_model() {
    let areas = [area("/a", 9, 16 << 20, 0), area("/b", 1, 16 << 20, 0)];
    let wishes = [(Name::from("/a"), Priority::Set(0))];
    let renewed = plan::priorities(&areas, |_| Discard::None, &wishes).unwrap();
    let (then, notes) = after(renewed, Vec::new());
    assert_eq!(then, [row("/b", 1, 1 << 12), row("/a", 0, 1 << 12)]);
    assert_eq!(notes, "");
    let off = plan::off(&areas, |_| Discard::None, &["/a".into()]).unwrap();
    assert_eq!(after(off, Vec::new()).0, [row("/b", 1, 1 << 12)]);
    let zram = ZramSettings { size: Bytes(8 << 20), ..ZramSettings::default() };
    let made = with_steps(vec![Step::zram(3, None, Some(zram)), on("/dev/zram3")]);
    let (then, notes) = after(made, Vec::new());
    assert_eq!((then[2].clone(), notes.as_str()), (row("/dev/zram3", 5, 2048), ""));
}

#[test]
fn an_area_too_small_for_the_model_is_named() {
    let mut setup = two_areas();
    setup.areas[0].slots = 1 << 14;
    setup.areas[1].slots = 1 << 28;
    let like = LikeMachine { setup, notes: Vec::new() };
    let now = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
    let machine = ModelledMachine::new(like, &SampleView::single(&now));
    let answer = predict(&machine, &[], &AssumedLoad::Filling, &mut |_| true).unwrap();
    assert!(answer.notes[0].starts_with("The area /a is too small"), "{:?}", answer.notes);
}

/// Priorities show the allocation order, whatever the release is.
#[test]
fn the_model_has_the_allocation_order_that_the_kernel_shows() {
    let model = |release: &str, priorities: [i32; 2]| {
        let mut snapshot = Machine::new(two_areas()).snapshot();
        let areas = priorities.map(|priority| area("/a", priority, 1 << 20, 0));
        snapshot.swaps = Sampled::new(None, Reading::Known(areas.into()));
        snapshot.allocator = Sampled::new(None, Reading::not_sampled());
        snapshot.simulated = None;
        let mut kernel = snapshot.kernel.reading.known().unwrap().clone();
        kernel.release = Reading::Known(release.to_owned());
        snapshot.kernel = Sampled::new(None, Reading::Known(kernel));
        like(&snapshot).unwrap().setup.policy.name
    };
    assert_eq!(model("6.18.1", [-1, -1]), "6.18+round-robin");
    assert_eq!(model("7.2.1", [-2, -3]), "7.2+per-node");
    assert_eq!(model("6.16.1", [-2, -3]), "6.18+scan-all+prefer-free");
    assert_eq!(model("7.2.1", [-1, -1]), "7.2");
    assert!(MODEL_PARTS.has(Part::Allocator));
}

#[test]
fn no_more_areas_are_added_than_a_kernel_has() {
    let with = |count| {
        let add = ModelChange::Add("1G@zram".to_owned());
        changed(&two_areas(), &vec![add; count], &mut Vec::new()).map(|then| then.areas.len())
    };
    assert_eq!(with(26), Ok(28));
    assert!(with(27).unwrap_err().contains("at most 28 swap areas"));
}

/// A burst between two samples says nothing about the next minute.
#[test]
fn growth_needs_as_many_samples_as_in_other_tables() {
    let sample = |second: u64| {
        let stamp = Stamp { boot_ns: second * 1_000_000_000, wall_ms: second * 1000 };
        let mut snapshot = Snapshot::empty(stamp);
        let areas = vec![area("/a", 9, 16 << 30, (1 + second) << 30)];
        snapshot.swaps = Sampled::new(Some(stamp), Reading::Known(areas));
        snapshot
    };
    let growth = |seconds: &[u64]| {
        let (mut last, mut before) = (sample(0), None);
        for second in seconds {
            let now = sample(*second);
            before = Some(now.earlier(&last, before.as_ref()));
            last = now;
        }
        let like = LikeMachine { setup: two_areas(), notes: Vec::new() };
        ModelledMachine::new(like, &SampleView { now: &last, before: before.as_ref() }).growth
    };
    assert!(growth(&[1]).missing().unwrap().why().contains("5 samples"));
    let expected = AssumedGrowth { rate: f64::from(1 << 30), measured: Some(12.0) };
    assert_eq!(growth(&[3, 6, 9, 12]), Reading::Known(expected));
}

#[test]
fn the_limit_of_a_workload_is_a_share_of_available_memory() {
    let mut now = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
    let memory = Counters::new("/proc/meminfo", vec![("MemAvailable".into(), 8 << 10)]);
    now.meminfo = Sampled::new(None, Reading::Known(memory));
    // The model of a real machine has no limit of its own.
    let setup = MachineSetup { limit_pages: None, ..two_areas() };
    let like = LikeMachine { setup, notes: Vec::new() };
    let machine = ModelledMachine::new(like, &SampleView::single(&now));
    let work = WorkerGroup::writing_once(1, Bytes(6 << 20));
    let load = Workload { limit: MemoryAmount::Share(0.5), ..Workload::together("x", vec![work]) };
    let load = AssumedLoad::Workload(Box::new(load));
    let answer = predict(&machine, &[], &load, &mut |_| true).unwrap();
    let AssumedLoad::Workload(used) = &answer.cases[0].prediction.assumed else { panic!() };
    assert_eq!(used.limit, MemoryAmount::Bytes(Bytes(4 << 20)));
    assert!(answer.cases[0].prediction.swapped_out >= Bytes(2 << 20), "2M do not fit");
}

/// A step that creates a swap file of 4 MiB.
fn file(path: &str) -> Step {
    let format = Format { page_size: 4096, pages: 1 << 10, uuid: None, label: None };
    let to = Some(SwapFileSpec { size: Bytes(4 << 20), format, nocow: false });
    Step::File { path: path.into(), from: None, to }
}

#[test]
fn a_file_that_is_created_again_stays_on_its_disk() {
    let mut machine = two_areas();
    machine.areas[0].device = SimDevice::RotationalFile;
    let plan = with_steps(vec![file("/a"), on("/a")]);
    let change = ModelChange::Plan(Box::new(plan), Vec::new());
    let then = changed(&machine, &[change], &mut Vec::new()).unwrap();
    let resized = then.areas.last().unwrap();
    assert_eq!((resized.device, resized.slots), (SimDevice::RotationalFile, 1 << 10));
}

#[test]
fn a_new_file_is_on_the_disk_of_its_file_system() {
    let tree = TestTree::with(&[
        ("proc/mounts", "/dev/sda2 / ext4 rw 0 0\n/dev/nvme0n1p1 /fast ext4 rw 0 0\n"),
        ("proc/swaps", "Filename Type Size Used Priority\n"),
        ("sys/block/sda/sda2/size", "8\n"),
        ("sys/block/sda/queue/rotational", "1\n"),
        ("sys/block/nvme0n1/nvme0n1p1/size", "8\n"),
        ("sys/block/nvme0n1/queue/rotational", "0\n"),
    ]);
    let root = tree.root();
    let plan = with_steps(vec![file("/slow"), on("/slow"), file("/fast/f"), on("/fast/f")]);
    let inactive = inactive_areas(&ObservedMachine::observe(&root), &plan);
    let change = ModelChange::Plan(Box::new(plan), inactive);
    let then = changed(&two_areas(), &[change], &mut Vec::new()).unwrap();
    let devices: Vec<_> = then.areas.iter().map(|it| (it.path.as_str(), it.device)).collect();
    let files = [("/slow", SimDevice::RotationalFile), ("/fast/f", SimDevice::File)];
    assert_eq!(devices[2..], files);
}

#[test]
fn what_the_model_lacks_of_a_plan_is_said() {
    let set = Step::Set {
        what: "swappiness".to_owned(),
        file: "/proc/sys/vm/swappiness".into(),
        from: "60".to_owned(),
        to: "10".to_owned(),
    };
    let (then, notes) = after(with_steps(vec![on("/dev/sdc"), set]), Vec::new());
    assert_eq!(then.len(), 2);
    assert_eq!(
        notes,
        "The model leaves out some of the plan: /dev/sdc, of unknown size; swappiness."
    );
    let known = AreaSetup { path: "/dev/sdc".to_owned(), ..setup(SimDevice::SolidState, 1 << 9) };
    let (then, notes) = after(with_steps(vec![on("/dev/sdc")]), vec![known]);
    assert_eq!((then.len(), notes.as_str()), (3, ""));
}

#[test]
fn an_area_to_add_has_size_and_device() {
    let area = parse_area("16G@nvme,priority=5,node=1", 1, 2).unwrap();
    assert_eq!((area.slots, area.device), (4 << 20, SimDevice::SolidState));
    assert_eq!(parse_area("16T@ssd", 1, 1).unwrap().slots, u32::MAX);
    assert_eq!((area.priority, area.node, area.path.as_str()), (Some(5), Some(1), "+1:16G@nvme"));
    for (typed, why) in [
        ("16G", "SIZE@DEVICE"),
        ("16G@tape", "zram, ssd, disk, file, file-on-disk or nvme"),
        ("1K@ssd", "from 40K to 16T"),
        ("99T@ssd", "from 40K to 16T"),
        ("17T@ssd", "from 40K to 16T"),
        ("1G@ssd,node=2", "this machine has no NUMA node 2"),
        ("1G@ssd,node=x", "use a number for node"),
        ("1G@ssd,priority=-3", "priority is from 0 to 32767"),
        ("1G@ssd,speed=9", "unknown key speed"),
    ] {
        let error = parse_area(typed, 1, 2).unwrap_err();
        assert!(error.contains(why), "{typed}: {error}");
    }
}
