use super::super::kernel::match_rows;
use super::super::testing::{MemoryImage, Recorded, recorded};
use super::*;
use crate::model::swaparea::testing::area;
use crate::model::{Reading, Stamp};
use crate::probes::btf::WANTED;
use crate::probes::btf::testing::{Builder, parsed};
use crate::root::testing::TestTree;

/// The area at this index of a recorded kernel.
fn described(memory: &MemoryImage, recorded: &Recorded, place: usize) -> (u64, AreaRecord) {
    let all = match_rows(memory, &recorded.known(), &recorded.rows(), 4096).into_result().unwrap();
    *all[place].known().unwrap()
}

fn look(memory: &MemoryImage, recorded: &Recorded, cluster: u64) -> Result<ClusterSlots, Missing> {
    let (address, area) = described(memory, recorded, 1);
    in_memory(memory, &recorded.known(), (address, &area), cluster)
}

fn slot(state: SlotState, count: Option<u8>) -> Slot {
    Slot { state, count: count.map(SlotCount::Exactly), ..Slot::default() }
}

/// A slot used more often than its byte or word can count.
fn shared(state: SlotState, most: u8) -> Slot {
    Slot { state, count: Some(SlotCount::MoreThan(most)), ..Slot::default() }
}

#[test]
fn bytes_give_the_state_of_slots() {
    let recorded = recorded("6.12");
    let mut memory = recorded.memory();
    let map = described(&memory, recorded, 1).1.map;
    let bytes = [0, 1, 0x41, 0x40, 0x3f, 0x7f, 0xbf, 0xff, 0xbe, 0x3e, 0x80, 0xc1];
    memory.set(map + 512, &[&bytes[..], &[0; 500]].concat());
    let slots = look(&memory, recorded, 1).unwrap();
    assert_eq!((slots.first, slots.slots.len(), slots.view), (512, 512, ClusterView::Kernel));
    let expected = [
        slot(SlotState::Free, None),
        slot(SlotState::Used, Some(1)),
        slot(SlotState::Cached, Some(1)),
        slot(SlotState::Cached, None),
        slot(SlotState::Bad, None),
        slot(SlotState::Bad, None),
        slot(SlotState::Used, Some(1)),
        slot(SlotState::Cached, Some(1)),
        shared(SlotState::Used, 62),
        slot(SlotState::Used, Some(62)),
        shared(SlotState::Used, 62),
        shared(SlotState::Cached, 62),
    ];
    assert_eq!(slots.slots[..12], expected);
}

/// The second cluster of a 7.2 kernel with these words, and owners of the same slots.
fn with_words(words: &[u64], owners: &[u16]) -> MemoryImage {
    let recorded = recorded("7.2");
    let mut memory = recorded.memory();
    let cluster = described(&memory, recorded, 1).1.clusters + 48;
    let (table, ids) = (0x1000_u64, 0x3000_u64);
    memory.set(cluster + 8, &table.to_ne_bytes());
    memory.set(cluster + 24, &ids.to_ne_bytes());
    memory.set(table, &[0; 4096]);
    memory.set(ids, &[0; 1024]);
    memory.set(table, &words.iter().flat_map(|word| word.to_ne_bytes()).collect::<Vec<_>>());
    memory.set(ids, &owners.iter().flat_map(|id| id.to_ne_bytes()).collect::<Vec<_>>());
    memory
}

#[test]
fn words_give_the_state_and_owner_of_slots() {
    let shadow = 2 << 60 | 1 << 59 | 0xabc1;
    let words = [0, shadow, 1 << 60 | 0x1234 << 2 | 2, BAD, 15 << 60 | 1, !0 << 4];
    let memory = with_words(&words, &[0, 7, 9, 0, 7]);
    let slots = look(&memory, recorded("7.2"), 1).unwrap().slots;
    let counted = |state, count, zero, owner| Slot {
        zero: Some(zero),
        owner: Some(owner),
        ..slot(state, count)
    };
    let expected = [
        slot(SlotState::Free, None),
        counted(SlotState::Used, Some(2), true, 7),
        counted(SlotState::Cached, Some(1), false, 9),
        slot(SlotState::Bad, None),
        Slot { zero: Some(false), owner: Some(7), ..shared(SlotState::Used, 14) },
        slot(SlotState::Unknown, None),
    ];
    assert_eq!(slots[..6], expected);
    assert_eq!(slots.len(), 512);
}

#[test]
fn a_cluster_without_a_table_is_free_and_one_past_the_end_is_missing() {
    let recorded = recorded("7.2");
    let mut memory = with_words(&[1; 512], &[]);
    let cluster = described(&memory, recorded, 1).1.clusters + 48;
    memory.set(cluster + 8, &[0; 8]);
    let slots = look(&memory, recorded, 1).unwrap().slots;
    assert!(slots.len() == 512 && slots.iter().all(|slot| slot.state == SlotState::Free));
    for cluster in [128, u64::MAX] {
        let why = look(&memory, recorded, cluster).unwrap_err();
        assert!(why.to_string().contains("the area has 128 clusters"), "{why}");
    }
}

/// The second cluster of a 7.2 kernel with other types.
fn of_types(types: &str) -> Result<ClusterSlots, Missing> {
    let memory = with_words(&[1 << 60 | 1; 512], &[7; 512]);
    let recorded = recorded("7.2");
    let (address, area) = described(&memory, recorded, 1);
    let layout =
        SwapLayout::from_types(&parsed(Builder::from_text(types), &WANTED).unwrap(), 512).unwrap();
    in_memory(&memory, &SwapInfoAccess { layout, ..recorded.known() }, (address, &area), 1)
}

#[test]
fn a_form_that_is_not_known_is_not_guessed() {
    let types = recorded("7.2").types;
    let earlier = types.replace(" comp ", " zeromap ");
    for other in
        [earlier, types.replace(" extend_table ", " other "), types.replace("8*512", "4*512")]
    {
        let why = of_types(&other).unwrap_err();
        assert!(why.to_string().contains("a form that swapadm does not know"), "{why}");
    }
}

#[test]
fn kernels_without_cgroups_have_slots_too() {
    let types = recorded("7.2").types;
    let own = Slot { zero: Some(false), owner: Some(7), ..slot(SlotState::Used, Some(1)) };
    assert_eq!(of_types(types).unwrap().slots, [own; 512]);
    let without = types.replace(" memcg_table ", " other ").replace("swap_memcg_table", "none");
    assert_eq!(of_types(&without).unwrap().slots, [Slot { owner: None, ..own }; 512]);
}

#[test]
fn zram_gives_the_marks_of_each_slot() {
    let list = "  0  1.000000 ......\n  1  1.000000 .wh...\n  255 2.000000 s..i..\n  256 3.000000 ......\n";
    let tree = TestTree::with(&[("sys/kernel/debug/zram/zram0/block_state", list)]);
    let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
    snapshot.page_size = Reading::Known(4096);
    let areas = vec![area("/dev/zram0", 0, 299 * 4096, 0)];
    snapshot.swaps = crate::model::Sampled::new(None, Reading::Known(areas));
    let look = |cluster| {
        let of = (0, cluster);
        read(&tree.root(), &Clock::Real, &snapshot, of, ClusterView::Stored)
    };
    let slots = look(0).unwrap().slots;
    assert_eq!(
        (slots.len(), slots[0].state, slots[2].state),
        (256, SlotState::Bad, SlotState::Free)
    );
    let marks = |at: usize| slots[at].stored.map(|it| (it.same, it.written, it.huge, it.idle));
    assert_eq!((marks(1), marks(255)), (Some((0, 1, 1, 0)), Some((1, 0, 0, 1))));
    let rest = look(1).unwrap();
    assert_eq!((rest.first, rest.slots.len(), rest.slots[0].state), (256, 44, SlotState::Used));
    assert!(look(2).unwrap_err().to_string().contains("the area has 2"));
}

#[test]
fn damaged_memory_never_panics() {
    let good = with_words(&[1; 512], &[7; 512]);
    let recorded = recorded("7.2");
    let (address, _) = described(&good, recorded, 1);
    for at in 0..656 {
        let mut memory = good.clone();
        memory.set(address + at, &[0xff; 4]);
        if let Ok(Some(area)) = AreaRecord::read(&memory, &recorded.known().layout.area, address) {
            for cluster in [0, 1, 127, u64::MAX / 512] {
                let _whatever = in_memory(&memory, &recorded.known(), (address, &area), cluster);
            }
        }
    }
}
