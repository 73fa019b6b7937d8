//! Setups at the next boot.

use super::*;

/// Swappiness for compressed swap is not set at boot where only disk swap is.
#[test]
fn swappiness_suits_the_swap_that_is_there_after_boot() {
    let mut machine = TestMachine::new(16).with_area("/dev/zram0", (8, 0), 100);
    machine.at_boot.configured.clear();
    let mut machine = machine.with_area("/dev/sda2", (8, 0), -2);
    let swappiness = |machine: &TestMachine, with: &[&str]| {
        let setup = machine.propose_with(with).unwrap();
        setup.choices.into_iter().find(|it| it.key == SetupKey::Swappiness).unwrap().chosen.value
    };
    assert_eq!(swappiness(&machine, &[]), "100");
    machine.around.has_zram_generator = false;
    assert_eq!(swappiness(&machine, &[]), "60");
    assert_eq!(swappiness(&machine, &["boot=no"]), "100");
}

/// Partitions are left to systemd while fstab has no swap; then all devices get a line, except loop devices.
#[test]
fn all_disk_swap_is_set_up_at_boot_or_named() {
    let on_disks = |paths: &[&str]| {
        let machine = TestMachine::new(4);
        let mut machine = paths.iter().fold(machine, |it, path| it.with_area(path, (4, 0), -2));
        machine.at_boot.configured.clear();
        machine
    };
    let at_boot = |setup: &SetupProposal| {
        let Some(Intent::Setup(parts)) = &setup.intent else { return Vec::new() };
        let on = parts.iter().filter_map(|part| {
            let Intent::On(names, _) = part else { return None };
            Some(names.iter().map(Name::safe).collect::<Vec<_>>())
        });
        on.flatten().collect()
    };
    let note = |setup: &SetupProposal, id| {
        let found = setup.notes.iter().find(|note| note.id == id);
        found.map(|note| note.text.clone()).unwrap_or_default()
    };
    let setup = on_disks(&["/dev/nvme0n1p3", "/dev/nvme1n1p3"]).propose();
    assert_eq!(at_boot(&setup), [""; 0]);
    let command = "Otherwise: swapadm on /dev/nvme0n1p3 /dev/nvme1n1p3 --persist";
    assert!(note(&setup, "boot").ends_with(command), "{setup:?}");
    let setup = on_disks(&["/dev/nvme0n1p3", "/dev/dm-1", "/dev/loop0"]).propose();
    assert_eq!(at_boot(&setup), ["/dev/nvme0n1p3", "/dev/dm-1"]);
    assert_eq!(note(&setup, "boot"), "");
    assert!(note(&setup, "loop").starts_with("/dev/loop0: a loop device does not exist at boot"));
}

#[test]
fn what_the_machine_ignores_at_boot_is_noted() {
    let mut machine = TestMachine::new(16);
    let note = |machine: &TestMachine, with: &[&str]| {
        let setup = machine.propose_with(with).unwrap();
        setup.notes.into_iter().find(|note| note.id == "boot-ignored").map(|note| note.text)
    };
    assert_eq!(note(&machine, &[]), None);
    machine.at_boot.without_effect.insert(NoEffect::TargetMasked);
    let text = "part of this setup has no effect at boot: swap.target is masked";
    assert_eq!(note(&machine, &[]).as_deref(), Some(text));
    assert_eq!(note(&machine, &["boot=no"]), None);
}
