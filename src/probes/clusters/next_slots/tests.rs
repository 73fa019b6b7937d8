use super::super::kernel::SwapInfoAccess;
use super::super::testing::{MemoryImage, of_areas, recorded};
use super::*;
use crate::clock::Clock;

/// The next slots of the second area of a recorded kernel.
fn next_of(release: &str, memory: &MemoryImage, known: &SwapInfoAccess) -> Reading<Vec<NextSlot>> {
    let rows = recorded(release).rows();
    let maps = of_areas(memory, &Clock::Real, known, &rows, 4096).into_result().unwrap();
    maps[1].known().unwrap().next.clone()
}

#[test]
fn next_slots_are_shown_where_they_are_valid() {
    let place = |release: &str, change: &dyn Fn(&mut MemoryImage, &SwapInfoAccess)| {
        let recorded = recorded(release);
        let mut memory = recorded.memory();
        change(&mut memory, &recorded.known());
        next_of(release, &memory, &recorded.known()).into_result().unwrap()
    };
    let next = |cpu, order, slot| NextSlot { cpu, order, slot };
    for release in ["6.1", "6.12", "6.18", "7.2"] {
        assert_eq!(place(release, &|_, _| {}), [], "{release}: no slot was valid");
    }
    let by_area = place("6.12", &|memory, known| {
        let area = known.area(memory, 2);
        let (own, offset) = (memory.long(area + 528), known.symbols.per_cpu_offset.unwrap());
        let start = own.wrapping_add(memory.long(offset + 8));
        memory.set(start, &[9_u32.to_ne_bytes(), 65536_u32.to_ne_bytes()].concat());
    });
    assert_eq!(by_area, [next(Some(1), 0, 9)]);
    let by_cpu = place("7.2", &|memory, known| {
        let offset = memory.long(known.symbols.per_cpu_offset.unwrap() + 8);
        let start = known.symbols.percpu_swap_cluster.unwrap().wrapping_add(offset);
        memory.set(start + 80 + 4 * 8, &77_u64.to_ne_bytes());
    });
    assert_eq!(by_cpu, [next(Some(1), 4, 77)], "the second processor is at this area");
}

#[test]
fn unknown_next_slots_have_a_reason() {
    let why = |release: &str, lose: &dyn Fn(&mut SwapInfoAccess)| {
        let (recorded, mut known) = (recorded(release), recorded(release).known());
        lose(&mut known);
        next_of(release, &recorded.memory(), &known).missing().unwrap().to_string()
    };
    let unnamed = why("7.2", &|known| known.symbols.percpu_swap_cluster = None);
    assert_eq!(unnamed, "/proc/kallsyms does not have percpu_swap_cluster");
    let alone = why("6.12", &|known| known.symbols.per_cpu_offset = None);
    assert!(alone.starts_with("/proc/kallsyms does not have __per_cpu_offset"), "{alone}");
    let other = why("7.2", &|known| known.layout.next.of_all = None);
    assert!(other.contains("a form that swapadm does not know"), "{other}");
    let nowhere = why("7.2", &|known| known.symbols.percpu_swap_cluster = Some(8));
    assert!(nowhere.contains("try again"), "{nowhere}");
    let lost = why("6.18", &|known| known.symbols.per_cpu_offset = Some(8));
    assert!(lost.starts_with(""), "{lost}");
}
