//! Setups beside disk swap that is there already.

use super::*;
use crate::actions::rebalance::Strategy;
use crate::model::activation::Priority;
use crate::model::surroundings::SWAP_SERVICES;

fn reason(setup: &SetupProposal, key: SetupKey) -> &str {
    let choice = setup.choices.iter().find(|choice| choice.key == key).unwrap();
    &choice.chosen.reason
}

fn note(setup: &SetupProposal, id: &str) -> String {
    let note = setup.notes.iter().find(|note| note.id == id);
    note.map(|note| note.text.clone()).unwrap_or_default()
}

#[test]
fn flash_card_that_has_swap_is_spared_as_well() {
    let mut machine = TestMachine::new(4).with_area("/dev/mmcblk0p3", (1, 0), -2);
    machine.around.board = Reading::Known("Raspberry Pi 4".to_owned());
    machine.around.places = vec![place("mmcblk0p2", false, 20)];
    let setup = machine.propose();
    let chosen = "small-board: compression=zram! size=4G! algorithm=default! disk=keep ";
    assert!(summary(&setup).starts_with(chosen), "{}", summary(&setup));
    assert!(reason(&setup, SetupKey::Compression).contains("flash card"), "{setup:?}");
    let with_zswap = machine.propose_with(&["compression=zswap"]).unwrap();
    assert!(summary(&with_zswap).contains(" disk=keep "), "{}", summary(&with_zswap));
    machine.snapshot.zswap = known(zswap(true));
    assert!(!machine.propose().choices[0].changes, "its shrinker would write to the card");
    let mut empty = TestMachine::new(4);
    empty.around.zram = Reading::absent("run modprobe zram");
    empty.around.places = machine.around.places;
    let setup = empty.propose();
    assert!(summary(&setup).contains("compression=none disk=none"), "{}", summary(&setup));
}

/// zswap gives no room of its own: all that is swapped out needs a slot on the disk.
#[test]
fn full_zram_stays_unless_disk_swap_can_hold_its_contents() {
    let machine = |disk| {
        let machine = TestMachine::new(8).with_area("/dev/zram0", (4, 4096), 100);
        machine.with_area("/dev/nvme0n1p3", disk, -2)
    };
    let mut small = machine((1, 512));
    // 1.25 times the 4.5G in use are 5.6G.
    let setup = small.propose();
    assert!(summary(&setup).contains("compression=zswap! algorithm=lzo disk=5G!"), "{setup:?}");
    small.around.places = Vec::new();
    let setup = small.propose();
    assert!(summary(&setup).contains("compression=zram "), "{}", summary(&setup));
    assert!(reason(&setup, SetupKey::Compression).contains("add disk swap"), "{setup:?}");
    let mut large = machine((6, 512));
    large.around.places = Vec::new();
    assert!(summary(&large.propose()).contains("compression=zswap! algorithm=lzo disk=keep "));
}

/// The priority that a setup gives to the new swap file.
fn priority_of_file(setup: &SetupProposal) -> Option<Priority> {
    let Some(Intent::Setup(parts)) = &setup.intent else { return None };
    parts.iter().find_map(|part| {
        let Intent::CreateFile(.., on) = part else { return None };
        on.as_ref().unwrap().priority
    })
}

#[test]
fn new_file_is_filled_before_a_slower_disk() {
    for (release, default, chosen) in [("6.12.9", -2, 30), ("7.2.0", -1, 30), ("6.12.9", 29, 30)] {
        let machine = || {
            let mut machine = TestMachine::new(32);
            let snapshot = &mut machine.snapshot;
            snapshot.kernel = crate::derive::selection::policy::testing::kernel(release);
            machine.with_area("/dev/sda2", (1, 100), default)
        };
        let setup = machine().propose();
        assert!(summary(&setup).contains("priorities=tiered!"), "{}", summary(&setup));
        assert_eq!(priority_of_file(&setup), Some(Priority::Set(chosen)), "{release} {default}");
        let kept = machine().propose_with(&["priorities=keep"]).unwrap();
        assert_eq!(priority_of_file(&kept), None);
        let again = machine().with_area("/dev/nvme0n1p9", (16, 0), chosen.into()).propose();
        assert!(!intents(&again).contains(&"rebalance"), "{}", summary(&again));
    }
    let fast = TestMachine::new(32).with_area("/dev/nvme0n1p3", (1, 0), -2).propose();
    // With a default one, both would fill one by one because of default priorities.
    assert_eq!(priority_of_file(&fast), Some(Priority::Set(30)), "{}", summary(&fast));
}

/// The priorities that a setup gives to areas by name.
fn custom_priorities(setup: &SetupProposal) -> Vec<(String, Priority)> {
    let Some(Intent::Setup(parts)) = &setup.intent else { return Vec::new() };
    let custom = parts.iter().find_map(|part| {
        let Intent::Rebalance(Strategy::Custom(all)) = part else { return None };
        Some(all.iter().map(|(path, priority)| (path.safe(), *priority)).collect())
    });
    custom.unwrap_or_default()
}

#[test]
fn disks_above_the_new_areas_are_lowered() {
    let machine = TestMachine::new(32).with_area("/dev/nvme0n1p3", (16, 0), 32767);
    let setup = machine.propose_with(&["compression=zram"]).unwrap();
    assert_eq!(intents(&setup).first(), Some(&"zram"), "{}", summary(&setup));
    assert_eq!(
        custom_priorities(&setup),
        [("/dev/nvme0n1p3".to_owned(), Priority::Set(30))],
        "{}",
        summary(&setup)
    );
    let machine = TestMachine::new(32).with_area("/dev/sda2", (1, 100), 100);
    let setup = machine.propose();
    let lowered = [("/dev/sda2".to_owned(), Priority::Set(20))];
    assert_eq!(custom_priorities(&setup), lowered, "{}", summary(&setup));
    assert_eq!(priority_of_file(&setup), Some(Priority::Set(30)));
}

/// The priority of the zram device that a setup creates.
fn priority_of_zram(setup: &SetupProposal) -> Option<Priority> {
    let Some(Intent::Setup(parts)) = &setup.intent else { return None };
    parts.iter().find_map(|part| {
        let Intent::Zram(ZramIntent::Swap(.., options)) = part else { return None };
        options.priority
    })
}

#[test]
fn zram_comes_before_a_disk_of_unknown_speed_that_stays() {
    let with_unknown = |priority| {
        let mut machine = TestMachine::new(32)
            .with_area("/dev/nvme0n1p3", (16, 0), 32767)
            .with_area("/dev/sdb1", (8, 0), priority);
        let mut blocks = machine.snapshot.block.reading.known().cloned().unwrap();
        *blocks.last_mut().unwrap() = Reading::not_sampled();
        machine.snapshot.block = known(blocks);
        machine.propose_with(&["compression=zram"]).unwrap()
    };
    for (unknown, zram) in [(-2, 100), (50, 100), (150, 160), (32760, 32767)] {
        let setup = with_unknown(unknown);
        assert_eq!(priority_of_zram(&setup), Some(Priority::Set(zram)), "{}", summary(&setup));
        let lowered = [("/dev/nvme0n1p3".to_owned(), Priority::Set(30))];
        assert_eq!(custom_priorities(&setup), lowered, "an area of unknown speed stays");
    }
}

#[test]
fn hibernation_needs_room_on_the_resume_device_itself() {
    let machine = |gib, device: &str, image| {
        let machine = TestMachine::new(32).with_area("/dev/nvme0n1p3", (gib, 0), 5);
        let mut machine = machine.with_area("/dev/sda2", (64, 0), 4).with_resume(device);
        let Some(hibernation) = machine.snapshot.hibernation.reading.known().cloned() else {
            unreachable!()
        };
        let image_size = Reading::Known(Bytes(image * GIB));
        machine.snapshot.hibernation = known(Hibernation { image_size, ..hibernation });
        note(&machine.propose_with(&["compression=none", "disk=keep"]).unwrap(), "hibernation")
    };
    assert_eq!(machine(8, "nvme0n1p3", 8), "", "the kernel makes no larger image");
    assert!(machine(7, "nvme0n1p3", 8).contains("less free space"));
    assert!(machine(64, "sdb1", 8).contains("no area is active there"));
}

#[test]
fn swap_of_a_service_is_there_at_boot() {
    let mut machine = TestMachine::new(16).with_area("/dev/zram0", (8, 0), 100);
    machine = machine.with_area("/var/swap", (4, 0), -2).with_settings("100", "3");
    machine.around.has_zram_generator = false;
    machine.at_boot.configured.clear();
    machine.at_boot.services = vec![SWAP_SERVICES[0], SWAP_SERVICES[3]];
    let setup = machine.propose();
    assert_eq!(note(&setup, "zram-generator"), "");
    assert_eq!(setup.intent, None, "{}", summary(&setup));
    for (choice, unit) in [("compression=zswap", "zramswap"), ("disk=none", "dphys-swapfile")] {
        let text = note(&machine.propose_with(&[choice]).unwrap(), "service");
        assert!(text.ends_with(&format!("systemctl disable --now {unit}")), "{choice}: {text}");
    }
}

#[test]
fn network_disk_is_not_enabled_before_the_network_at_boot() {
    let mut machine = TestMachine::new(16).with_area("/dev/nbd0", (16, 0), -2);
    machine.at_boot.configured.clear();
    let setup = machine.propose();
    assert!(!intents(&setup).contains(&"on"), "{}", summary(&setup));
    assert!(note(&setup, "network").contains("/dev/nbd0"), "{:?}", setup.notes);
}

#[test]
fn unknown_use_is_not_nothing() {
    let mut machine = TestMachine::new(16).with_area("/dev/nvme0n1p3", (16, 0), -2);
    let mut areas = machine.snapshot.swaps.reading.known().cloned().unwrap();
    areas[0].used = Reading::failed("wrapped");
    machine.snapshot.swaps = known(areas);
    let line = machine.propose().machine;
    assert!(line.contains("/dev/nvme0n1p3 (16G, solid state, use unknown)"), "{line}");
}

#[test]
fn table_of_zram_is_as_large_as_the_checks_say() {
    let setup = TestMachine::new(32).propose_with(&["compression=zram", "size=8G"]).unwrap();
    let size = setup.choices.iter().find(|choice| choice.key == SetupKey::Size).unwrap();
    assert!(size.cost.as_ref().unwrap().starts_with("32M to 48M for its table"), "{size:?}");
}
