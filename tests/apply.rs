//! `swapadm save` and `swapadm apply` on captured machines: what was saved differs in nothing, and plans for
//! other states.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "the helpers of a test stop it")]
#![allow(clippy::disallowed_methods, reason = "tests write their own files")]

use crate::common;

use common::{
    Machine, expect_file, machine_names, masked, repository, schema, with_each, with_each_machine,
};
use serde_json::Value;
use std::fs;
use std::process::Output;
use std::sync::Mutex;

/// Runs `apply` with a file of this text.
fn apply(machine: &Machine, text: &str, options: &[&str]) -> Output {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("swap.toml");
    fs::write(&file, text).unwrap();
    machine.run(&[&["apply", file.to_str().unwrap()], options].concat())
}

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// The present state as a file; none if the machine is a capture of a table alone.
fn saved(machine: &Machine, options: &[&str]) -> Option<String> {
    let output = machine.run(&[&["save"], options].concat());
    if output.status.success() {
        return Some(String::from_utf8(output.stdout).unwrap());
    }
    assert_eq!(output.status.code(), Some(6), "{}: {}", machine.name, printed(&output));
    assert!(printed(&output).contains("does not exist"), "{}", printed(&output));
    None
}

#[test]
fn what_was_saved_changes_nothing() {
    with_each_machine(|machine| {
        for options in [&[][..], &["--cgroups"]] {
            let Some(text) = saved(machine, options) else { return };
            let only = format!("only = true\n{text}");
            for (option, said) in
                [("--check", ""), ("--diff", ""), ("--dry-run", "Nothing to do: nothing differs\n")]
            {
                let output = apply(machine, &only, &[option]);
                let is = (output.status.code(), printed(&output));
                assert_eq!(is, (Some(0), said.to_owned()), "{} {option}: {text}", machine.name);
            }
        }
    });
}

/// Every setting that differs is in the file, or named there if its value depends on the machine.
#[test]
fn a_saved_state_leaves_out_no_setting_without_a_word() {
    let machine = Machine::unpack("6.18-mixed-loaded");
    let thp = "sys/kernel/mm/transparent_hugepage";
    let state = |word: &str, number: &str| {
        let choice = "always inherit madvise never\n".replace(word, &format!("[{word}]"));
        for file in ["enabled", "shmem_enabled", "hugepages-64kB/enabled"] {
            machine.write(format!("{thp}/{file}"), &choice);
        }
        machine.write("sys/kernel/mm/lru_gen/enabled", format!("0x000{number}\n"));
        machine.write(format!("{thp}/khugepaged/max_ptes_swap"), format!("{number}\n"));
        machine.write("proc/sys/vm/min_free_kbytes", format!("20000{number}\n"));
        machine.write("sys/fs/cgroup/hog/memory.zswap.writeback", format!("{number}\n"));
        saved(&machine, &["--cgroups"]).unwrap()
    };
    let (before, after) = (state("never", "1"), state("always", "0"));
    let output = apply(&machine, &before, &["--diff"]);
    assert_eq!(output.status.code(), Some(1));
    for line in [
        "thp.enabled = \"always\"",
        "thp.shmem_enabled = \"always\"",
        "thp.64kB.enabled = \"always\"",
        "lru_gen = \"0x0000\"",
        "khugepaged.max_ptes_swap = 0",
        "# not saved: min_free_kbytes = 200000: it depends on the memory of the machine",
        "memory.zswap.writeback = 0",
    ] {
        assert!(after.lines().any(|it| it == line), "{line}: {after}");
    }
    machine.write("etc/sysctl.d/x.conf", "vm.min_free_kbytes=99999\n");
    let rule = format!("w /{thp}/hugepages-64kB/enabled - - - - madvise\n");
    machine.write("etc/tmpfiles.d/x.conf", rule);
    machine.write("usr/bin/systemd-tmpfiles", "");
    let text = saved(&machine, &["--boot"]).unwrap();
    for line in ["min_free_kbytes = 99999", "thp.64kB.enabled = \"madvise\""] {
        assert!(text.lines().any(|it| it == line), "{line}: {text}");
    }
}

/// The state of one machine is applied to another: the plan is made, or refused with a reason, and is as the schema
/// says.
#[test]
fn states_of_other_machines_are_planned_or_refused() {
    let schema = schema::of_changes();
    let (documents, refused) = (Mutex::new(Vec::new()), Mutex::new(0));
    let names = machine_names();
    let pairs: Vec<_> = names.iter().zip(names.iter().cycle().skip(7)).collect();
    with_each(&pairs, |(name, other)| {
        let [machine, other] = [name, other].map(|name| Machine::shared(name));
        let Some(text) = saved(&other, &[]) else { return };
        let output = apply(&machine, &format!("only = true\n{text}"), &["--check", "--json"]);
        let document: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        match output.status.code() {
            Some(code @ (0 | 1)) => {
                let changes = document["steps"].as_array().unwrap().len();
                assert_eq!(document["changed"], changes > 0, "{document:#}");
                assert_eq!(code == 1, changes > 0, "{document:#}");
                documents.lock().unwrap().push(document);
            }
            Some(2 | 3 | 6) => *refused.lock().unwrap() += 1,
            code => panic!("{name}: {code:?}: {}", printed(&output)),
        }
    });
    let documents = documents.into_inner().unwrap();
    let refused = refused.into_inner().unwrap();
    assert!(documents.len() > 10 && refused > 0, "{} {refused}", documents.len());
    for document in documents {
        schema.0.validate(&document, schema.1).unwrap_or_else(|error| panic!("{error:#}"));
    }
}

#[test]
fn the_state_at_boot_is_that_of_configuration_files() {
    let machine = Machine::unpack("6.18-mixed-loaded");
    let fstab = "/dev/sdx1 none swap sw,pri=7,discard=once 0 0\n/dev/sdx2 none swap noauto 0 0\n";
    machine.write("etc/fstab", fstab);
    machine.write("etc/sysctl.d/1.conf", "vm.swappiness = 33\n");
    let section = "[zram5]\nzram-size = 512\ncompression-algorithm = zstd\n[zram6]\nzram-size = ram / 3\n\
                   [zram7]\nzram-size = 64\nmount-point = /run/compressed\n";
    machine.write("etc/systemd/zram-generator.conf", section);
    let text = saved(&machine, &["--boot"]).unwrap();
    let path = repository("tests/apply/expected/save-boot.txt");
    expect_file(&path, &text, "UPDATE_GOLDEN");
}

#[test]
fn plans_on_captured_machines_are_as_expected() {
    let with_zram = Machine::unpack("7.2-noswap");
    with_zram.write("sys/class/zram-control/hot_add", "");
    with_zram.write("usr/lib/systemd/system-generators/zram-generator", "");
    let with_service = Machine::unpack("7.2-idle");
    with_service.write("etc/systemd/system/multi-user.target.wants/zramswap.service", "");
    with_service.write("usr/lib/systemd/system-generators/zram-generator", "");
    let migrated = format!("boot = true\n{}", saved(&with_service, &[]).unwrap());
    let mixed = Machine::shared("6.18-mixed-loaded");
    let v1 = Machine::shared("host-cgroup-v1");
    let zram = "[[zram]]\ndevice = \"zram0\"\nsize = \"512M\"\nalgorithm = \"lz4\"\n";
    let file = "[[area]]\nname = \"/swap\"\nsize = \"1G\"\n";
    for (name, machine, text) in [
        ("new-zram", &with_zram, format!("{zram}\n[settings]\nswappiness = 100\n")),
        ("at-boot", &with_zram, format!("boot = true\n{zram}\n[zswap]\nenabled = false\n")),
        (
            "zram-and-priorities",
            &mixed,
            format!("{zram}priority = 200\n[settings]\npage-cluster = 0\n"),
        ),
        ("only", &mixed, "only = true\n[[zram]]\ndevice = \"zram0\"\nsize = \"256M\"\n".to_owned()),
        ("new-file", &mixed, format!("only = true\n{file}")),
        ("json", &v1, "{\"settings\": {\"swappiness\": 1}}".to_owned()),
        (
            "cgroup",
            &mixed,
            "[[cgroup]]\npath = \"/hog\"\nmemory.max = \"32M\"\nmemory.swap.max = \"1G\"\n"
                .to_owned(),
        ),
        ("migration", &with_service, migrated),
        ("nothing", &mixed, String::new()),
    ] {
        let mut all = Vec::new();
        for option in ["--diff", "--check", "--dry-run"] {
            let output = apply(machine, &text, &[option]);
            let code = output.status.code().unwrap();
            let said = masked(&printed(&output));
            all.push(format!("$ swapadm apply {option}\n{said}exit status {code}\n\n"));
        }
        let path = repository(&format!("tests/apply/expected/{name}.txt"));
        expect_file(&path, &format!("{text}\n{}", all.concat()), "UPDATE_GOLDEN");
    }
}

#[test]
fn what_boots_and_is_not_wanted_is_disabled_at_boot() {
    let machine = Machine::unpack("7.2-noswap");
    machine.write("etc/fstab", "/dev/sdz none swap pri=3 0 0\n");
    machine.write("etc/systemd/zram-generator.conf", "[zram0]\nzram-size = 512\n");
    machine.write("usr/lib/systemd/system-generators/zram-generator", "");
    let only = "only = true\nboot = true\n";
    assert_eq!(apply(&machine, only, &["--check"]).status.code(), Some(1));
    let differs = printed(&apply(&machine, only, &["--diff"]));
    assert!(differs.contains("+ /dev/sdz none swap pri=3,noauto 0 0"), "{differs}");
    assert!(differs.contains("+ zram-size=0"), "{differs}");
    let output = apply(&machine, only, &["--check", "--json"]);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let differences = document["differences"].as_array().unwrap();
    let of_fstab = differences.iter().find(|it| it["subject"] == "/etc/fstab").unwrap();
    assert_eq!(of_fstab["key"], "at boot");
    assert_eq!(of_fstab["from"], "/dev/sdz none swap pri=3 0 0");
    // A unit that nothing starts is left alone.
    let unit = "etc/systemd/system/dev-sdy.swap";
    machine.write(unit, "[Swap]\nWhat=/dev/sdy\n");
    machine.write("etc/systemd/system/multi-user.target.wants/x.service", "");
    let drop_in = "dev-sdy.swap.d";
    assert!(!printed(&apply(&machine, only, &["--diff"])).contains(drop_in));
    let wants = machine.path().join("etc/systemd/system/swap.target.wants");
    fs::create_dir_all(&wants).unwrap();
    std::os::unix::fs::symlink("../dev-sdy.swap", wants.join("dev-sdy.swap")).unwrap();
    assert!(printed(&apply(&machine, only, &["--diff"])).contains(drop_in));
    // What is not changed for the boot is named.
    let output = apply(&machine, "only = true\n", &["--yes"]);
    assert_eq!(output.status.code(), Some(0));
    let said = printed(&output);
    assert!(
        said.contains("Nothing to do: nothing differs\nNote: nothing is changed for the next boot"),
        "{said}"
    );
    assert!(said.contains("/etc/fstab"), "{said}");
}

#[test]
fn a_service_stays_enabled_where_nothing_can_replace_it_at_boot() {
    let machine = Machine::unpack("7.2-idle");
    machine.write("etc/systemd/system/multi-user.target.wants/zramswap.service", "");
    let numbered = saved(&machine, &[]).unwrap().replace("\"default\"", "7");
    machine.write("etc/fstab", "/dev/sdz none swap pri=3 0 0\n");
    let wanted = format!("only = true\nboot = true\n{numbered}");
    let drop_in = "/etc/systemd/system/zramswap.service.d/zz-swapadm.conf";
    let plan = printed(&apply(&machine, &wanted, &["--dry-run"]));
    assert!(plan.contains("only zram-generator can create"), "{plan}");
    assert!(plan.contains("zramswap.service stays enabled"), "{plan}");
    assert!(plan.contains("/dev/sdz stays enabled"), "{plan}");
    assert!(!plan.contains(drop_in) && !plan.contains("noauto"), "{plan}");
    // What nothing sets up at boot does not stay enabled there.
    let one = "only = true\nboot = true\n[[zram]]\ndevice = \"zram0\"\nsize = \"1G\"\n";
    let fewer = printed(&apply(&machine, one, &["--dry-run"]));
    assert!(fewer.contains("/dev/sdz stays enabled"), "{fewer}");
    assert!(!fewer.contains("/dev/zram1 stays enabled"), "{fewer}");
    machine.write("usr/lib/systemd/system-generators/zram-generator", "");
    let plan = printed(&apply(&machine, &wanted, &["--dry-run"]));
    assert!(plan.contains(drop_in) && plan.contains("noauto"), "{plan}");
    assert!(!plan.contains("stays enabled"), "{plan}");
}

#[test]
fn wrong_files_are_usage_errors_with_line_and_key() {
    let machine = Machine::shared("6.18-mixed-loaded");
    for (text, words) in [
        ("[[area]]\nname = \"/dev/none\"\n", "not in the captured tree"),
        ("[[area]]\nname = \"/dev/zram0\"\n", "[[zram]]"),
        ("[[area]]\nname = \"swap\"\nsize = \"1G\"\n", "absolute path"),
        ("[[zram]]\ndevice = \"zram7\"\nsize = \"1G\"\n", "cannot be created"),
        (
            "[[zram]]\ndevice = \"zram0\"\nsize = \"1G\"\n[[zram]]\ndevice = \"zram0\"\nsize = \"2G\"\n",
            "zram0 is named twice",
        ),
        (
            "[[cgroup]]\npath = \"/hog\"\nmemory.max = \"60M\"\n[[cgroup]]\npath = \"/hog\"\nmemory.max = \"96M\"\n",
            "memory.max of /hog is named twice",
        ),
        ("[settings]\nswappiness = 999\n", "use 0 to 200"),
        ("[settings]\ncolour = 1\n", "swap.toml:2: settings.colour: unknown setting"),
        ("[[cgroup]]\npath = \"/none\"\nmemory.max = \"1G\"\n", "no cgroup"),
        ("x = 1\n", "swap.toml:1: "),
    ] {
        let output = apply(&machine, text, &["--dry-run"]);
        let said = printed(&output);
        assert!([Some(2), Some(3)].contains(&output.status.code()), "{text}: {said}");
        assert!(said.contains(words), "{text}: {said}");
    }
}

#[test]
fn without_a_file_the_wanted_state_of_the_machine_is_applied() {
    const JSON: &str = "etc/swapadm/wanted.json";
    let machine = Machine::unpack("7.2-noswap");
    let diff = || {
        let output = machine.run(&["apply", "--diff"]);
        (output.status.code(), printed(&output))
    };
    let (code, said) = diff();
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("swapadm save > /etc/swapadm/wanted.toml"), "{said}");
    machine.write(JSON, r#"{"settings": {"swappiness": 42}}"#);
    let (code, said) = diff();
    assert!(code == Some(1) && said.contains("swappiness = 42"), "{said}");
    machine.write("etc/swapadm/wanted.toml", "[settings]\nswappiness = 43\n");
    for command in [&["apply", "--check"][..], &["zram", "upkeep", "--dry-run"]] {
        let output = machine.run(command);
        let said = printed(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("wanted.toml and /etc/swapadm/wanted.json both exist"), "{said}");
    }
    fs::remove_file(machine.path().join(JSON)).unwrap();
    let (code, said) = diff();
    assert!(code == Some(1) && said.contains("swappiness = 43"), "{said}");
}

#[test]
fn a_round_of_upkeep_takes_its_policy_from_the_wanted_state() {
    let machine = Machine::unpack("7.2-zram-writeback");
    let plan = |options: &[&str]| {
        let output = machine.run(&[&["zram", "upkeep", "--dry-run", "--json"], options].concat());
        let document: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", printed(&output)));
        (document["steps"].to_string(), document["checks"].to_string())
    };
    let compacts = |(steps, _): &(String, String)| steps.contains("compact");
    assert!(compacts(&plan(&["--compact-from", "0"])));
    assert!(!plan(&[]).1.contains("policy"));
    machine.write("etc/swapadm/wanted.toml", "[upkeep]\ncompact-from = \"0%\"\n");
    let by_file = plan(&[]);
    assert!(compacts(&by_file) && by_file.1.contains("policy of /etc/swapadm/wanted.toml"));
    assert!(!compacts(&plan(&["--compact-from", "100"])), "an option replaces a key");
    let dir = tempfile::tempdir().unwrap();
    let other = dir.path().join("other.toml");
    fs::write(&other, "[upkeep]\ncompact-from = \"100%\"\n").unwrap();
    assert!(!compacts(&plan(&["--policy", other.to_str().unwrap()])));
    machine.write("etc/swapadm/wanted.toml", "[upkeep]\nage = \"soon\"\n");
    let output = machine.run(&["zram", "upkeep", "--dry-run"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        printed(&output).contains("/etc/swapadm/wanted.toml:2: upkeep.age"),
        "{}",
        printed(&output)
    );
}

#[test]
fn upkeep_without_a_zram_device_says_so_and_what_makes_one() {
    let output = Machine::shared("7.2-noswap").run(&["zram", "upkeep", "--dry-run"]);
    assert_eq!(output.status.code(), Some(0));
    let said = printed(&output);
    assert!(said.contains("nothing to do, no zram device is set up: swapadm zram swap"), "{said}");
    assert!(!said.contains("already"), "{said}");
}

/// Runs a round of upkeep on a captured machine without carrying it out.
fn upkeep(machine: &Machine, options: &[&str]) -> String {
    let output = machine.run(&[&["zram", "upkeep", "--dry-run"], options].concat());
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    printed(&output).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn upkeep_says_for_each_kind_of_work_why_there_is_none() {
    let machine = Machine::unpack("6.12-zram-writeback");
    let said = upkeep(&machine, &["--compact-from", "50"]);
    for reason in [
        "upkeep of zram: nothing to do, for these reasons:",
        "zram0: pages are not compressed again, because",
        "zram0: nothing is written back, because no budget is given",
        "zram0: it is not compacted, because 1.8% of its memory is fragmented",
    ] {
        assert!(said.contains(reason), "{reason}: {said}");
    }
    let document = machine.json(&["zram", "upkeep", "--dry-run", "--json"]);
    for check in document["checks"].as_array().unwrap() {
        assert!(!check["text"].as_str().unwrap().ends_with(':'), "a part of a sentence: {check}");
    }
    let budget = ["--compact-from", "50", "--budget", "1G"];
    let said = upkeep(&machine, &budget);
    assert!(said.contains("zram0: no work on huge pages, because their count is 0"), "{said}");
    assert!(!said.contains("because it has no backing device"), "{said}");
    machine.write("sys/block/zram0/backing_dev", "/dev/full\n");
    machine.write("sys/class/block/full/size", "16\n");
    let said = upkeep(&machine, &budget);
    assert!(said.contains("nothing is written back, because its backing device is full"), "{said}");
    let output = machine.run(&["zram", "writeback", "zram0", "--dry-run"]);
    let said = printed(&output);
    assert!(said.contains("the backing device of zram0 is full: its space becomes free"), "{said}");
    machine.write("sys/block/zram0/backing_dev", "none\n");
    let said = upkeep(&machine, &budget);
    assert!(said.contains("nothing is written back, because it has no backing device"), "{said}");
    fs::remove_file(machine.path().join("sys/block/zram0/backing_dev")).unwrap();
    let said = upkeep(&machine, &budget);
    assert!(said.contains("because this kernel was built without CONFIG_ZRAM_WRITEBACK"), "{said}");
}

#[test]
fn upkeep_predicts_what_it_can_reach() {
    let machine = Machine::unpack("6.12-zram-writeback");
    let mm = "188284928 44626647 45453312 209715200 85848064 6519 0 512 9862\n";
    machine.write("sys/block/zram0/mm_stat", mm);
    machine.write("sys/block/zram0/recomp_algorithm", "#1: lzo [zstd]\n");
    let blocks = "1 0.000000 ......\n2 1.000000 s.....\n3 1.000000 ..h...\n";
    machine.write("sys/kernel/debug/zram/zram0/block_state", blocks);
    let said = upkeep(&machine, &["--budget", "1M", "--age", "1s"]);
    for forecast in [
        "2 idle pages: recompression reduces the compressed size by at most 8K",
        "512 huge pages: recompression reduces the compressed size by at most 2M",
        "2 idle pages: writeback writes at most 8K",
        "512 huge pages: writeback writes at most 1M",
    ] {
        assert!(said.contains(&format!("zram0: {forecast}")), "{forecast}: {said}");
    }
    machine.write("sys/kernel/debug/zram/zram0/block_state", "1 0.0");
    let said = upkeep(&machine, &["--budget", "1M"]);
    let unknown = "zram0: the number of idle pages is not known (block_state is truncated): writeback writes at most 1M";
    assert!(said.contains(unknown), "{said}");
}

#[test]
fn a_device_with_two_further_algorithms_stays_as_it_was_saved() {
    let machine = Machine::unpack("6.12-zram-writeback");
    machine.write("sys/block/zram0/recomp_algorithm", "#1: lz4hc [zstd]\n#2: [lz4hc] zstd\n");
    let text = saved(&machine, &[]).unwrap();
    assert!(text.contains("second-algorithm = \"zstd\""), "{text}");
    let said = printed(&apply(&machine, &text, &["--dry-run"]));
    assert!(said.contains("Nothing to do"), "{said}");
    let said = printed(&apply(
        &machine,
        &text.replace("second-algorithm = \"zstd\"", "second-algorithm = \"lz4hc\""),
        &["--dry-run"],
    ));
    assert!(said.contains("reset"), "{said}");
}

#[test]
fn an_area_that_only_a_restart_removes_is_not_called_equal() {
    let machine = Machine::unpack("7.2-idle");
    let wanted = format!("only = true\n{}", saved(&machine, &[]).unwrap());
    let swaps = machine.text("proc/swaps").unwrap();
    machine.write("proc/swaps", swaps + "/gone\\040(deleted) file 1020 0 -9\n");
    let stays = "/gone was deleted while active and stays active";
    let checked = apply(&machine, &wanted, &["--check"]);
    let said = printed(&checked);
    assert!(said.contains(stays) && !said.contains("0 steps"), "{said}");
    assert_eq!(checked.status.code(), Some(1));
    let said = printed(&apply(&machine, &wanted, &["--yes"]));
    assert!(said.contains(stays) && said.contains("Nothing can be done now"), "{said}");
}

#[test]
fn the_state_at_boot_has_the_swap_of_other_services() {
    let machine = Machine::unpack("7.2-noswap");
    machine.write("etc/systemd/system/multi-user.target.wants/zramswap.service", "");
    machine.write("etc/default/zramswap", "ALGO=lz4\nSIZE=256\n");
    machine.write("sys/class/zram-control/hot_add", "");
    machine.write("usr/lib/systemd/system-generators/zram-generator", "");
    let text = saved(&machine, &["--boot"]).unwrap();
    assert!(
        text.contains("[[zram]]\ndevice = \"zram0\"\nsize = \"256M\"\nalgorithm = \"lz4\""),
        "{text}"
    );
    let output = apply(&machine, &text, &["--dry-run", "--persist"]);
    let said = printed(&output);
    assert!(said.contains("zram-generator.conf") && said.contains("zramswap.service.d"), "{said}");
}

#[test]
fn missing_zram_devices_are_created_in_the_order_of_their_numbers() {
    let machine = Machine::unpack("7.2-noswap");
    machine.write("sys/class/zram-control/hot_add", "");
    let device = |number: u32, priority: u32| {
        format!("[[zram]]\ndevice = \"zram{number}\"\nsize = \"64M\"\npriority = {priority}\n")
    };
    let output = apply(&machine, &(device(1, 9) + &device(0, 5)), &["--dry-run"]);
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    let said = printed(&output);
    let [first, second] = ["/sys/block/zram0/disksize", "/sys/block/zram1/disksize"]
        .map(|file| said.find(file).unwrap_or_else(|| panic!("no {file}: {said}")));
    assert!(first < second, "{said}");
}
