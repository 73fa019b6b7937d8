//! Persistent changes, planned on captured machines.

#![allow(clippy::disallowed_methods, reason = "tests build their own trees")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "the helpers of a test stop it")]

use crate::common;

use common::Machine;
use swapadm::model::text::text_to_bytes;

/// Changing the limit of a device in use as swap keeps its configuration.
#[test]
fn a_zram_limit_persists_through_zram_generator() {
    let machine = Machine::unpack("6.12-mixed-loaded");
    machine.write("etc/systemd/zram-generator.conf", "[zram0]\nzram-size = 64\n");
    let arguments = ["zram", "limit", "zram0", "512M", "--persist", "--dry-run", "--json"];
    let (file, text) = saved(&machine, &arguments);
    assert_eq!(file, OURS);
    let text = text.unwrap();
    assert!(text.contains("[zram0]") && text.contains("zram-resident-limit=512"), "{text}");
}

/// The section of swapadm for zram-generator.
const OURS: &str = "/etc/systemd/zram-generator.conf.d/zz-swapadm.conf";

/// The file written by the last step of a plan, and its new content; none if it is removed.
fn saved(machine: &Machine, arguments: &[&str]) -> (String, Option<String>) {
    let output = machine.run(arguments);
    let said = String::from_utf8(output.stdout).unwrap();
    let plan: serde_json::Value = serde_json::from_str(&said).unwrap();
    let last = plan["steps"].as_array().and_then(|steps| steps.last()).cloned().unwrap_or_default();
    assert_eq!(last["kind"], "save", "{said}");
    (last["path"].as_str().unwrap().to_owned(), last["to"].as_str().map(str::to_owned))
}

/// The file written by this change with --persist, from a dry run.
fn persisted(machine: &Machine, wish: &[&str]) -> (String, Option<String>) {
    saved(machine, &[wish, &["--persist", "--dry-run", "--json"]].concat())
}

/// The state after boot where it differs.
fn boot_difference(machine: &Machine, what: &str) -> Option<String> {
    let output = machine.run(&["persist", "check", "--json"]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let found = document["differences"].as_array().unwrap().iter().find(|it| it["what"] == what);
    found.map(|it| format!("{} {}", it["now"].as_str().unwrap(), it["then"].as_str().unwrap()))
}

#[test]
fn an_fstab_that_cannot_be_read_is_not_an_empty_one() {
    let machine = Machine::unpack("6.12-mixed-loaded");
    let check = || {
        let output = machine.run(&["persist", "check"]);
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    // Without /etc in the capture nothing is known.
    let unknown = "/etc: unknown what it sets up at boot: this capture has no /etc\n";
    assert_eq!(check(), (Some(6), unknown.to_owned()));
    std::fs::create_dir_all(machine.path().join("etc")).unwrap();
    assert!(check().1.contains("/dev/vda: now on; after the next boot: not configured"));
    std::fs::create_dir_all(machine.path().join("etc/fstab")).unwrap();
    let (code, text) = check();
    assert!(text.starts_with("/etc/fstab: unknown what it sets up at boot"), "{text}");
    assert!(!text.contains("not configured"), "{text}");
    assert!(code == Some(6) || text.lines().count() > 1, "{code:?} {text}");
    let json = machine.run(&["persist", "check", "--json"]);
    let document: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(document["unreadable"][0]["file"], "/etc/fstab");
}

/// swapadm captures no sysctl.d, so its capture does not show what settings will be.
#[test]
fn settings_are_not_judged_on_a_capture_without_their_files() {
    let machine = Machine::unpack("6.12-noswap");
    std::fs::create_dir_all(machine.path().join("etc")).unwrap();
    machine.write("proc/sys/vm/swappiness", "61\n");
    let check = || {
        let output = machine.run(&["persist", "check"]);
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let unknown = "/etc/sysctl.d: unknown what it sets up at boot: this capture has no files of sysctl.d, so settings are not compared\n";
    assert_eq!(check(), (Some(6), unknown.to_owned()));
    machine.write("usr/lib/sysctl.d/50-default.conf", "");
    let (code, text) = check();
    assert!(code == Some(1) && text.starts_with("swappiness: now 61"), "{text}");
}

/// A capture has the headers of the areas that its configuration names: any other area may exist on its machine.
#[test]
fn a_capture_does_not_call_an_entry_stale() {
    let machine = Machine::unpack("6.12-mixed-loaded");
    let uuid = "07070707-0707-0707-0707-070707070707";
    let lines = ["/swap/a", &format!("UUID={uuid}"), "/swap/b", "UUID=1-2"];
    machine.write("etc/fstab", lines.map(|what| format!("{what} none swap sw 0 0\n")).concat());
    with_header(&machine, "swap/a", 1 << 20);
    with_header(&machine, "dev/sdz", 1 << 20);
    let tag_folder = machine.path().join("dev/disk/by-uuid");
    std::fs::create_dir_all(&tag_folder).unwrap();
    std::os::unix::fs::symlink("../../sdz", tag_folder.join(uuid)).unwrap();
    let copy = machine.path().join("copy");
    machine.stdout(&["capture", copy.to_str().unwrap()]);
    for tree in [machine.path(), &copy] {
        let tree = ["--sysroot", tree.to_str().unwrap()];
        let run = |args: &[&str]| {
            let output = common::swapadm().args(args).args(tree).output().unwrap();
            String::from_utf8(output.stdout).unwrap()
        };
        let check = run(&["persist", "check"]);
        for what in ["/swap/a", "/dev/sdz"] {
            let on = format!("{what}: now off; after the next boot: on (/etc/fstab:");
            assert!(check.contains(&on), "{check}");
        }
        for what in &lines[2..] {
            let unknown = format!(
                "/etc/fstab: unknown what it sets up at boot: {what} is not in the captured tree\n"
            );
            assert!(check.contains(&unknown), "{check}");
        }
        assert!(!check.contains("because"), "{check}");
        let advice = run(&["advise"]);
        assert!(advice.contains("/swap/b is set up at boot but not active"), "{advice}");
        assert!(!advice.contains("is stale:"), "{advice}");
        let plan = run(&["on", "/swap/a", "--dry-run"]);
        assert!(plan.contains("enable /swap/a") && !plan.contains("REFUSED"), "{plan}");
    }
}

/// A capture keeps what the kernel command line says about swap, and nothing else of it.
#[test]
fn a_capture_has_the_words_of_the_command_line_about_swap() {
    let machine = Machine::unpack("6.12-mixed-loaded");
    machine.write("etc/fstab", "/dev/vda none swap pri=10 0 0\n");
    let line = "BOOT_IMAGE=/secret ro systemd.swap=0 fstab=yes luks.key=secret \
        sysctl.kernel.domainname=secret sysctl.vm.swappiness=10 zswap.max-pool-percent=30 \
        \"systemd.swap-extra=/dev/a b\" fstab.secret=1 resume=/dev/vdb -- secret zswap.enabled=1\n";
    machine.write("proc/cmdline", line);
    let kept = "systemd.swap=0 fstab=yes sysctl.vm.swappiness=10 zswap.max-pool-percent=30 \
        \"systemd.swap-extra=/dev/a b\" resume=/dev/vdb -- zswap.enabled=1\n";
    let copy = machine.path().join("copy");
    machine.stdout(&["capture", copy.to_str().unwrap()]);
    assert_eq!(std::fs::read_to_string(copy.join("proc/cmdline")).unwrap(), kept);
    let check = ["persist", "check", "--sysroot", copy.to_str().unwrap()];
    let check = common::swapadm().args(check).output().unwrap();
    let check = String::from_utf8(check.stdout).unwrap();
    let off = "/dev/vda: now on; after the next boot: off, because the kernel command line has systemd.swap=0";
    assert!(check.contains(off), "{check}");
    let copy = machine.path().join("scrubbed");
    machine.stdout(&["capture", "--scrub", copy.to_str().unwrap()]);
    assert!(!copy.join("proc/cmdline").exists());
}

/// Disables an area of this machine.
fn switch_off(machine: &Machine, path: &str) {
    let swaps = std::fs::read_to_string(machine.path().join("proc/swaps")).unwrap();
    let rest: Vec<&str> = swaps.lines().filter(|line| !line.starts_with(path)).collect();
    machine.write("proc/swaps", rest.join("\n") + "\n");
}

/// `zram remove --persist` removes the section that `zram swap --persist` wrote.
#[test]
fn a_section_of_swapadm_is_removed_with_its_device() {
    let machine = Machine::unpack("6.12-mixed-loaded");
    machine.write("usr/lib/systemd/system-generators/zram-generator", "");
    let (file, text) = persisted(&machine, &["zram", "limit", "zram1", "64M"]);
    assert_eq!(file, OURS);
    machine.write(file.trim_start_matches('/'), text.unwrap());
    for wish in [&["zram", "remove", "zram1"][..], &["off", "zram1"]] {
        assert_eq!(persisted(&machine, wish), (OURS.to_owned(), None));
    }
}

#[test]
fn a_zram_generator_device_is_disabled_and_enabled_again() {
    let machine = Machine::unpack("6.12-mixed-loaded");
    machine.write("usr/lib/systemd/zram-generator.conf", "[zram0]\nzram-size = ram / 2\n");
    let (file, text) = persisted(&machine, &["off", "zram0"]);
    assert_eq!((file.as_str(), text.as_deref()), (OURS, Some("[zram0]\nzram-size=0\n")));
    assert_eq!(boot_difference(&machine, "/dev/zram0"), None);
    machine.write(file.trim_start_matches('/'), text.unwrap());
    assert_eq!(boot_difference(&machine, "/dev/zram0").as_deref(), Some("on off"));
    // As by `on`, which needs the device node.
    let (_, text) = persisted(&machine, &["priority", "zram0=100"]);
    assert_eq!(text.as_deref(), Some("[zram0]\nswap-priority=100\n"));
    switch_off(&machine, "/dev/zram0");
    assert_eq!(boot_difference(&machine, "/dev/zram0"), None, "the area stays disabled");
}

#[test]
fn an_area_whose_entry_has_no_effect_at_boot_is_reported() {
    let machine = Machine::unpack("6.12-mixed-loaded");
    machine.write("etc/fstab", "/dev/vda none swap pri=10 0 0\n");
    let difference = || boot_difference(&machine, "/dev/vda");
    assert_eq!(difference(), None);
    for option in ["systemd.swap=0", "fstab=no"] {
        machine.write("proc/cmdline", format!("quiet {option}\n"));
        let reason = format!("on off, because the kernel command line has {option}");
        assert_eq!(difference(), Some(reason));
    }
    machine.write("proc/cmdline", "quiet\n");
    machine.write("etc/systemd/system/swap.target", "");
    assert_eq!(difference().as_deref(), Some("on off, because swap.target is masked"));
    std::fs::remove_file(machine.path().join("etc/systemd/system/swap.target")).unwrap();
    machine.write("etc/fstab", "");
    let unit = "[Swap]\nWhat=/dev/vda\nOptions=pri=10\n";
    machine.write("run/systemd/generator/dev-vda.swap", unit);
    assert_eq!(difference().as_deref(), Some("on not configured"), "from an earlier fstab");
    machine.write("proc/cmdline", "systemd.swap-extra=/dev/vda:pri=10\n");
    assert_eq!(difference(), None);
}

/// An entry that would have no effect is not promised, whether it is there already or not.
#[test]
fn an_entry_without_effect_at_boot_is_refused_with_its_reason() {
    let machine = Machine::unpack("6.12-mixed-loaded");
    machine.write("etc/sysctl.conf", "");
    machine.write("state.toml", "[[area]]\nname = \"/dev/vda\"\npriority = 7\n");
    let state = machine.path().join("state.toml");
    let refused = |why: &str| {
        let output = machine.run(&["priority", "/dev/vda=7", "--persist", "--dry-run"]);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(3) && errors.contains(why), "{errors}");
        let applied = machine.stdout(&["apply", state.to_str().unwrap(), "--persist", "--dry-run"]);
        let applied = applied.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            applied.contains(&format!("not at boot: an entry for /dev/vda {why}")),
            "{applied}"
        );
        assert!(!applied.contains("also at boot"), "{applied}");
    };
    machine.write("etc/fstab", "/dev/vda none swap pri=10 0 0\n");
    machine.write("proc/cmdline", "quiet systemd.swap=0\n");
    refused("has no effect at boot: the kernel command line has systemd.swap=0");
    machine.write("proc/cmdline", "quiet\n");
    machine.write("run/systemd/container", "docker\n");
    refused("has no effect at boot: systemd sets up no swap in a container");
    std::fs::remove_file(machine.path().join("run/systemd/container")).unwrap();
    machine.write("etc/systemd/system/swap.target", "");
    machine.write("etc/fstab", "");
    refused("has no effect at boot: swap.target is masked");
    let check = machine.run(&["persist", "check"]);
    let check = String::from_utf8(check.stdout).unwrap();
    let fix =
        "/dev/vda: now on; after the next boot: not configured\n    systemctl unmask swap.target";
    assert!(check.contains(fix), "{check}");
}

/// Advice, check and `save --boot` agree about what is set up at boot.
#[test]
fn an_entry_without_effect_sets_nothing_up_for_any_report() {
    let machine = Machine::unpack("6.12-mixed-loaded");
    let all = || {
        ["advise", "persist check", "save --boot"].map(|command| {
            let arguments: Vec<&str> = command.split(' ').collect();
            String::from_utf8(machine.run(&arguments).stdout).unwrap()
        })
    };
    let says = |text: &str| all().map(|report| report.contains(text));
    machine.write("etc/systemd/system/mnt-extra.swap", "[Swap]\nWhat=/mnt/extra\n");
    machine.write("etc/systemd/system/dev-vda.swap", "[Swap]\nWhat=/dev/vda\nPriority=7777\n");
    assert_eq!((says("/mnt/extra"), says("7777")), ([true; 3], [true; 3]));
    assert!(all()[0].contains("vda will have another priority"));
    machine.write("etc/systemd/system/x.target.wants/x.service", "");
    assert_eq!((says("/mnt/extra"), says("7777")), ([false; 3], [false; 3]));
    assert!(!all()[0].contains("vda will have another priority"));
    machine.write("etc/systemd/zram-generator.conf", "[zram5]\nzram-size = 9\n");
    assert_eq!(says("zram5"), [true; 3]);
    let limited = "[zram5]\nzram-size = 9\nhost-memory-limit = 64\n";
    machine.write("etc/systemd/zram-generator.conf", limited);
    assert_eq!(says("zram5"), [false; 3]);
}

#[test]
fn settings_of_the_kernel_command_line_hold_after_a_boot() {
    let machine = Machine::unpack("6.12-mixed-loaded");
    machine.write("etc/sysctl.d/50.conf", "vm.page-cluster = 3\n");
    machine.write("proc/sys/vm/swappiness", "100\n");
    let parameters = "sys/module/zswap/parameters";
    machine.write(format!("{parameters}/enabled"), "Y\n");
    machine.write(format!("{parameters}/max_pool_percent"), "35\n");
    machine.write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    let names =
        ["swappiness", "page-cluster", "zswap.enabled", "zswap.max_pool_percent", "thp.enabled"];
    let differences = || names.map(|name| boot_difference(&machine, name));
    let unset = Some("100 60 (no file sets it)".to_owned());
    let pool = Some("35 20 (no file sets it)".to_owned());
    assert_eq!(differences(), [unset, None, None, pool, None]);
    let options = "quiet zswap.enabled=1 zswap.max-pool-percent=35 sysctl.vm/page-cluster=5 sysctl.vm.swappiness=60 sysctl.vm.swappiness=100 transparent_hugepage=madvise\n";
    machine.write("proc/cmdline", options);
    assert_eq!(differences(), [const { None }; 5], "files win over sysctl.*");
    machine.write(
        "proc/cmdline",
        "zswap.enabled=0 sysctl.vm.swappiness=10 transparent_hugepage=never\n",
    );
    let [swappiness, _, zswap, _, thp] = differences();
    assert_eq!(swappiness.as_deref(), Some("100 10"));
    assert_eq!((zswap.as_deref(), thp.as_deref()), (Some("Y N"), Some("madvise never")));
    let saved = String::from_utf8(machine.run(&["save", "--boot"]).stdout).unwrap();
    assert!(saved.contains("swappiness = 10\n"), "{saved}");
}

/// A mounted device is not swap after a boot either.
#[test]
fn a_zram_generator_section_with_a_file_system_is_not_swap() {
    let machine = Machine::unpack("6.12-mixed-loaded");
    switch_off(&machine, "/dev/zram0");
    machine.write("etc/systemd/zram-generator.conf", "[zram0]\nzram-size = 64\n");
    assert_eq!(boot_difference(&machine, "/dev/zram0").as_deref(), Some("off on"));
    let mounted = "[zram0]\nzram-size = 64\nmount-point = /run/x\n";
    machine.write("etc/systemd/zram-generator.conf", mounted);
    assert_eq!(boot_difference(&machine, "/dev/zram0"), None);
}

#[test]
fn a_zram_device_that_will_be_set_up_differently_is_reported() {
    let machine = Machine::unpack("6.12-mixed-loaded");
    let section = |size: &str, algorithm: &str| {
        let text = format!("[zram0]\nzram-size = {size}\ncompression-algorithm = {algorithm}\n");
        machine.write("etc/systemd/zram-generator.conf", text);
    };
    let of = |what: &str| boot_difference(&machine, &format!("/dev/zram0 {what}"));
    section("ram / 2", "lz4(level=3) (type=huge)");
    let [size, algorithm] = ["size", "algorithm"].map(of);
    assert_eq!(size, None, "it is computed at boot");
    assert!(algorithm.is_some_and(|it| it.ends_with(" lz4")));
    section("77", "lz4");
    assert!(of("size").is_some_and(|it| it.ends_with(" 77M")), "{:?}", of("size"));
}

#[test]
fn a_systemd_unit_is_disabled_and_enabled_again() {
    let machine = Machine::unpack("6.12-mixed-loaded");
    let says = "[Unit]\nDescription=x\n[Swap]\nWhat=/dev/vda\nPriority=10\n";
    machine.write("usr/lib/systemd/system/dev-vda.swap", says);
    let difference = || boot_difference(&machine, "/dev/vda");
    assert_eq!(difference(), None, "a capture has no links");
    machine.write("etc/systemd/system/multi-user.target.wants/x.service", "");
    assert_eq!(difference().as_deref(), Some("on off, because nothing starts the unit"));
    let output = machine.run(&["priority", "/dev/vda=11", "--persist", "--dry-run"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("systemctl enable dev-vda.swap"), "{said}");
    let wants = machine.path().join("etc/systemd/system/swap.target.wants");
    std::fs::create_dir_all(&wants).unwrap();
    std::os::unix::fs::symlink("../dev-vda.swap", wants.join("dev-vda.swap")).unwrap();
    let (file, text) = persisted(&machine, &["off", "/dev/vda"]);
    assert_eq!(file, "/etc/systemd/system/dev-vda.swap.d/zz-swapadm.conf");
    assert_eq!(boot_difference(&machine, "/dev/vda"), None);
    machine.write(file.trim_start_matches('/'), text.unwrap());
    assert_eq!(boot_difference(&machine, "/dev/vda").as_deref(), Some("on off"));
    let (_, text) = persisted(&machine, &["priority", "/dev/vda=10"]);
    assert_eq!(text.as_deref(), Some("[Swap]\nPriority=10\n"));
    switch_off(&machine, "/dev/vda");
    assert_eq!(boot_difference(&machine, "/dev/vda"), None, "the area stays disabled");
}

#[test]
fn a_service_limit_persists_in_a_drop_in() {
    let machine = Machine::unpack("6.12-mixed-loaded");
    let group = "sys/fs/cgroup/system.slice/db.service";
    machine.write(format!("{group}/memory.swap.max"), "max\n");
    machine.write(format!("{group}/memory.swap.high"), "max\n");
    let set = ["set", "--cgroup", "/system.slice/db.service"];
    let wish = |knob| [&set[..], &[knob, "1G"]].concat();
    let refused = |wish: &[&str]| {
        let output = machine.run(&[wish, &["--persist", "--dry-run"]].concat());
        assert_ne!(output.status.code(), Some(0));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused(&wish("memory.swap.max")).contains("not created by systemd"));
    machine.write("run/systemd/system/x", "");
    assert!(refused(&wish("memory.swap.high")).contains("no such setting"));
    let (file, text) = persisted(&machine, &wish("memory.swap.max"));
    assert_eq!(file, "/etc/systemd/system/db.service.d/zz-swapadm.conf");
    assert_eq!(text.as_deref(), Some("[Service]\nMemorySwapMax=1073741824\n"));
    machine.write(file.trim_start_matches('/'), text.unwrap());
    let reset = ["reset", "--cgroup", "/system.slice/db.service", "memory.swap.max"];
    assert_eq!(persisted(&machine, &reset), (file, None));
    let output = machine.run(&[&reset[..], &["--persist", "--dry-run"]].concat());
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("systemctl daemon-reload"), "{shown}");
}

/// Adds a file or a device node with a swap header.
fn with_header(machine: &Machine, path: &str, size: u32) {
    let mut bytes = vec![0; usize::try_from(size).unwrap()];
    for (place, part) in [
        (1024, &1_u32.to_le_bytes()[..]),
        (1028, &(size / 4096 - 1).to_le_bytes()),
        (1036, &[7; 16]),
        (4086, b"SWAPSPACE2"),
    ] {
        bytes[place..place + part.len()].copy_from_slice(part);
    }
    machine.write(path, bytes);
}

/// A leftover drop-in of a disabled unit must not disable a unit that systemd later generates from fstab.
#[test]
fn a_leftover_drop_in_disables_no_fstab_line() {
    let machine = Machine::unpack("6.12-mixed-loaded");
    let unit = "etc/systemd/system/swapnew.swap";
    machine.write(unit, "[Swap]\nWhat=/swapnew\n");
    with_header(&machine, "swapnew", 1 << 20);
    let ours = ("/etc/systemd/system/swapnew.swap.d/zz-swapadm.conf".to_owned(), None);
    let (file, text) = persisted(&machine, &["file", "remove", "/swapnew"]);
    assert_eq!(file, ours.0);
    machine.write(file.trim_start_matches('/'), text.unwrap());
    for gone in [unit, "swapnew"] {
        std::fs::remove_file(machine.path().join(gone)).unwrap();
    }
    assert_eq!(persisted(&machine, &["file", "create", "/swapnew", "4M", "--on"]), ours);

    let swaps = std::fs::read_to_string(machine.path().join("proc/swaps")).unwrap();
    machine.write("proc/swaps", format!("{swaps}/swapnew file 1020 0 5\n"));
    machine.write("etc/fstab", "/swapnew none swap sw,pri=5 0 0\n");
    assert_eq!(boot_difference(&machine, "/swapnew").as_deref(), Some("on off"));
    assert_eq!(persisted(&machine, &["priority", "/swapnew=5"]), ours);
    std::fs::remove_file(machine.path().join(ours.0.trim_start_matches('/'))).unwrap();
    assert_eq!(boot_difference(&machine, "/swapnew"), None);
}

#[test]
fn swap_files_persist_in_fstab() {
    let machine = Machine::unpack("6.12-mixed-loaded");
    let fstab = |text: &str| ("/etc/fstab".to_owned(), Some(text.to_owned()));
    let create = ["file", "create", "/swapnew", "4M", "--on", "--priority", "3"];
    let line = "/swapnew none swap sw,pri=3 0 0\n";
    assert_eq!(persisted(&machine, &create), fstab(line));
    machine.write("etc/fstab", format!("# mine\n{line}"));
    with_header(&machine, "swapnew", 1 << 20);
    assert_eq!(persisted(&machine, &["file", "remove", "/swapnew"]), fstab("# mine\n"));
    machine.write("etc/fstab", "/dev/ram0 none swap nofail,pri=1 0 0\n/dev/vda none swap sw\n");
    let text = "/dev/ram0 none swap nofail,pri=50 0 0\n/dev/vda none swap sw\n";
    assert_eq!(persisted(&machine, &["priority", "ram0=50"]), fstab(text));
}

/// A priority that is right now and otherwise in fstab would return with the next boot.
#[test]
fn rebalance_persists_priorities_that_are_right_now() {
    let machine = Machine::unpack("6.12-zram-writeback");
    let swaps = std::fs::read_to_string(machine.path().join("proc/swaps")).unwrap();
    let row: Vec<&str> = swaps.lines().nth(1).unwrap().split_whitespace().collect();
    let (area, priority) = (row[0], row[4]);
    let rebalance = ["rebalance", "tiered", "--persist", "--dry-run"];
    for line in ["pri=7", "sw"].map(|it| format!("{area} none swap {it},x-systemd.makefs")) {
        machine.write("etc/fstab", &line);
        let text = machine.stdout(&rebalance);
        assert!(text.contains(&format!("pri={priority}")), "{line}: {text}");
    }
    for options in [format!("pri={priority}"), "noauto,pri=7".to_owned()] {
        machine.write("etc/fstab", format!("{area} none swap {options}\n"));
        let text = machine.stdout(&rebalance);
        assert!(text.ends_with("nothing to do: already balanced\n"), "{options}: {text}");
    }
}

#[test]
fn zram_devices_persist_in_sections() {
    let machine = Machine::unpack("6.12-mixed-loaded");
    machine.write("usr/lib/systemd/system-generators/zram-generator", "");
    machine.write("sys/class/zram-control/hot_add", "");
    with_header(&machine, "dev/zram0", 64 << 20);
    let section = |device: &str, rest: &[&str]| {
        (OURS.to_owned(), Some(format!("[{device}]\n{}\n", rest.join("\n"))))
    };
    let (no_limit, prefers) = ("zram-resident-limit=0", "swap-priority=100");
    let new = section("zram2", &["zram-size=96", "compression-algorithm=lz4hc", no_limit, prefers]);
    let swap = ["zram", "swap", "--size", "96M", "--algorithm", "lz4hc"];
    assert_eq!(persisted(&machine, &swap), new);
    let resized = ["zram-size=128", "compression-algorithm=zstd", no_limit, prefers];
    let resize = ["zram", "resize", "zram0", "128M"];
    assert_eq!(persisted(&machine, &resize), section("zram0", &resized));
    let other = ["zram-size=64", "compression-algorithm=lz4", no_limit, prefers];
    let algorithm = ["zram", "algorithm", "zram0", "lz4"];
    assert_eq!(persisted(&machine, &algorithm), section("zram0", &other));
}

#[test]
fn a_cgroup_switch_is_reset() {
    let machine = Machine::unpack("6.12-mixed-loaded");
    machine.write("sys/fs/cgroup/system.slice/db.service/memory.zswap.writeback", "1\n");
    machine.write("run/systemd/system/x", "");
    let of = |word, rest: &[&str]| {
        let group = [word, "--cgroup", "/system.slice/db.service", "memory.zswap.writeback"];
        persisted(&machine, &[&group, rest].concat())
    };
    let (file, text) = of("set", &["0"]);
    assert_eq!(text.as_deref(), Some("[Service]\nMemoryZSwapWriteback=0\n"));
    machine.write(file.trim_start_matches('/'), text.unwrap());
    assert_eq!(of("reset", &[]), (file, None));
}

/// swapadm need not understand a comment in Latin-1.
#[test]
fn invalid_utf_8_is_preserved() {
    let machine = Machine::unpack("6.12-mixed-loaded");
    let fstab = b"# gr\xfcn\n/dev/zram0 none swap pri=5 0 0\n";
    machine.write("etc/fstab", fstab);
    machine.write("etc/sysctl.d/50-mine.conf", b"# gr\xfcn\nvm.swappiness = 10\n");
    let (file, text) = persisted(&machine, &["off", "zram0"]);
    assert_eq!(file, "/etc/fstab");
    let expected = b"# gr\xfcn\n/dev/zram0 none swap pri=5,noauto 0 0\n";
    assert_eq!(text_to_bytes(&text.unwrap()), expected);
    let shown = machine.run(&["off", "zram0", "--persist", "--dry-run"]);
    assert!(!String::from_utf8(shown.stdout).unwrap().contains('\u{fffd}'));
    let (file, text) = persisted(&machine, &["set", "swappiness=20"]);
    assert_eq!(file, "/etc/sysctl.d/50-mine.conf");
    assert_eq!(text_to_bytes(&text.unwrap()), b"# gr\xfcn\nvm.swappiness = 20\n");
}

/// A container mounts single files of its host: nothing can be renamed onto them.
#[test]
fn a_file_that_is_a_mount_point_is_refused_first() {
    let machine = Machine::unpack("6.12-mixed-loaded");
    machine.write("etc/fstab", "/dev/zram0 none swap pri=5 0 0\n");
    machine.write("proc/mounts", "/dev/sda1 /etc/fstab ext4 rw 0 0\n");
    let output = machine.run(&["off", "zram0", "--persist", "--dry-run", "--json"]);
    let plan: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut checks = plan["checks"].as_array().unwrap().iter();
    let refused = checks.find(|check| check["id"] == "writable").unwrap();
    assert!(refused["text"].as_str().unwrap().starts_with("/etc/fstab is a mount point"), "{plan}");
}

/// A machine with this link in a folder of boot settings, which leads to a file of this text.
fn with_link(link: &str, file: &str, text: &str) -> Machine {
    let machine = Machine::unpack("6.12-mixed-loaded");
    machine.write("usr/bin/systemd-tmpfiles", "");
    machine.write(file, text);
    let link = machine.path().join(link);
    std::fs::create_dir_all(link.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(format!("../../{file}"), link).unwrap();
    machine
}

/// Files are applied in the order of the names of links, not of the files that they lead to.
#[test]
fn a_setting_behind_a_link_is_overridden_by_a_file_of_ours() {
    let swappiness = |link: &str, file: &str| {
        persisted(&with_link(link, file, "vm.swappiness = 10\n"), &["set", "swappiness=33"])
    };
    let text = Some("vm.swappiness = 33\n".to_owned());
    // Undo and recover edit no such file.
    let (link, own) = ("etc/sysctl.d/60-my.conf", "/etc/sysctl.d/90-swapadm.conf");
    assert_eq!(swappiness(link, "etc/custom/swappiness"), (own.to_owned(), text.clone()));
    let (link, own) = ("etc/sysctl.d/95-site.conf", "/etc/sysctl.d/99-zz-swapadm.conf");
    assert_eq!(swappiness(link, "usr/share/10-site.conf"), (own.to_owned(), text.clone()));
    let edited = swappiness("etc/sysctl.d/60-my.conf", "etc/custom/my.conf");
    assert_eq!(edited, ("/etc/custom/my.conf".to_owned(), text), "a file of /etc is edited");
    let enabled = "/sys/module/zswap/parameters/enabled";
    let rule = format!("w {enabled} - - - - 0\n");
    let machine = with_link("etc/tmpfiles.d/00-a.conf", "usr/share/zz.conf", &rule);
    let output = machine.run(&["set", "zswap.enabled=Y", "--persist", "--dry-run"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("/usr/share/zz.conf sets") && said.contains("overrides"), "{said}");
}

#[test]
fn a_service_that_enables_an_area_at_boot_is_named() {
    let machine = Machine::unpack("6.12-mixed-loaded");
    machine.write("etc/fstab", "");
    let off = || {
        let output = machine.run(&["off", "zram0", "--persist", "--dry-run"]);
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(off().contains("no known configuration enables it"), "{}", off());
    machine.write("etc/systemd/system/multi-user.target.wants/zramswap.service", "");
    let said = "zramswap.service enables it at boot: systemctl disable --now zramswap";
    assert!(off().contains(said), "{}", off());
}

/// zram-generator counts in MiB.
#[test]
fn a_size_that_is_no_whole_mebibyte_is_kept_at_boot() {
    let machine = Machine::unpack("6.12-mixed-loaded");
    let size = |bytes: u64| machine.write("sys/block/zram0/disksize", format!("{bytes}\n"));
    machine.write("etc/systemd/zram-generator.conf", "[zram0]\nzram-size = 64\n");
    for (bytes, differs) in [(64 << 20, false), ((64 << 20) - 4096, false), (63 << 20, true)] {
        size(bytes);
        assert_eq!(boot_difference(&machine, "/dev/zram0 size").is_some(), differs, "{bytes}");
    }
}
