//! The simulated machine with the same areas and the same load as the real one.

use super::{AreaMedium, MEMORY, MIB, TestArea};
use std::fmt::Write as _;
use std::fs;
use swapadm::model::block::BlockDevice;
use swapadm::model::load::{PageContents, WorkerGroup, Workload};
use swapadm::model::{Bytes, Reading, Snapshot};
use swapadm::sim::describe::read_machine;
use swapadm::sim::machine::RunningMachine;
use swapadm::sim::policy::kernel_for;

/// Rounds between two samples, so that one of them is close to the same amount of swap.
const ROUNDS: u32 = 200;

/// The pages that each area holds when as many pages are swapped out as on the real machine. How much of the
/// memory limit the pages of the load can take is not the model's.
pub(super) fn used(areas: &[TestArea], places: &[usize], mib: u64, total: u64) -> Vec<u64> {
    let work = WorkerGroup::writing_once(1, Bytes(mib * MIB));
    nearest((areas, &rotating(&super::look(), places)), work, total, |_| ()).1
}

/// The memory that zram takes when as many pages with these contents are swapped out as on the real machine.
pub(super) fn zram_memory(area: TestArea, mib: u64, contents: PageContents, total: u64) -> u64 {
    let work = WorkerGroup { contents, ..WorkerGroup::writing_once(1, Bytes(mib * MIB)) };
    let memory = |now: &Snapshot| {
        let device = &now.zram.reading.known().expect("the devices")[0];
        device.mm.known().expect("its memory").mem_used.0
    };
    nearest((&[area], &[false]), work, total, memory).0
}

/// A figure and the pages of each area when closest to this many pages are swapped out.
fn nearest<T>(
    (areas, rotates): (&[TestArea], &[bool]),
    work: WorkerGroup,
    total: u64,
    figure: impl Fn(&Snapshot) -> T,
) -> (T, Vec<u64>) {
    let size = work.size.resolve(Bytes(0)).0;
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").expect("the release");
    let preset = kernel_for(release.trim()).expect("a model of this kernel");
    let setup = read_machine("same", "same.toml", &machine_file(preset, areas, rotates));
    let setup = setup.unwrap_or_else(|problems| panic!("{problems:?}"));
    let load = Workload::together("once", vec![work]);
    let mut machine = RunningMachine::new(setup, Some(&load)).expect("the load fits");
    let samples = (size / 4096).div_ceil(u64::from(ROUNDS)) + 2;
    let held = (0..samples).map(|_| machine.next_sample()).map(|now| (figure(&now), pages(&now)));
    held.min_by_key(|(_, held)| held.iter().sum::<u64>().abs_diff(total)).expect("a sample")
}

/// Whether the kernel takes the device of each area for a rotating one, on which it places swap differently.
/// A file lies on the disk of this machine.
fn rotating(snapshot: &Snapshot, places: &[usize]) -> Vec<bool> {
    let blocks = snapshot.block.reading.known().expect("the devices");
    let rotates = |block: &Reading<BlockDevice>| {
        block.known().is_some_and(|block| block.rotational.known() == Some(&true))
    };
    places.iter().map(|place| rotates(&blocks[*place])).collect()
}

fn machine_file(preset: &str, areas: &[TestArea], rotates: &[bool]) -> String {
    let mut text = format!(
        "kernel = \"{preset}\"\nmemory = \"{}M\"\nlimit = \"{}M\"\nrounds-per-second = {ROUNDS}\n",
        (MEMORY / MIB) + areas.iter().map(|area| area.mib).sum::<u64>(),
        MEMORY / MIB
    );
    for (number, area) in areas.iter().enumerate() {
        let device = match area.kind {
            AreaMedium::Zram => "zram",
            _ if rotates[number] => "disk",
            AreaMedium::Solid | AreaMedium::Rotating => "ssd",
            AreaMedium::File => "file",
        };
        let size = area.mib;
        write!(
            text,
            "\n[[area]]\npath = \"/area{number}\"\ndevice = \"{device}\"\nsize = \"{size}M\"\n"
        )
        .expect("a text takes it");
        if let Some(priority) = area.priority {
            writeln!(text, "priority = {priority}").expect("a text takes it");
        }
    }
    text
}

fn pages(snapshot: &Snapshot) -> Vec<u64> {
    let areas = super::all(snapshot).iter();
    areas.map(|area| area.used.known().expect("the value is known").0 / 4096).collect()
}
