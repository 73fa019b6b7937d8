//! Notes below tables: reasons, explanations of headings, and lists of columns.

#![allow(clippy::disallowed_methods, reason = "tests build their own trees")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "the helpers of a test stop it")]
#![allow(dead_code, reason = "other tests use the rest of what is common")]

use crate::common;

use common::Machine;
use swapadm::cli::generate::command;

/// The notes on the error output.
fn beside(machine: &Machine, args: &[&str]) -> String {
    let output = machine.run(args);
    // Without any clusters, as in a captured tree, the report of clusters fails.
    let expected = if args.first() == Some(&"clusters") { 6 } else { 0 };
    assert_eq!(output.status.code(), Some(expected), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// A machine with splits of 2 MiB folios, and with swap files only.
fn split() -> Machine {
    let machine = Machine::unpack("6.18-mixed-loaded");
    let swaps = machine.text("proc/swaps").unwrap();
    let files = swaps.lines().filter(|line| !line.contains("partition"));
    let files: Vec<&str> = files.collect();
    machine.write("proc/swaps", files.join("\n") + "\n");
    let stats = "sys/kernel/mm/transparent_hugepage/hugepages-2048kB/stats/";
    machine.write(format!("{stats}swpout"), "30\n");
    machine.write(format!("{stats}swpout_fallback"), "10\n");
    machine
}

#[test]
fn the_reason_for_folio_splits_is_below_the_table() {
    let machine = split();
    let sentence = "\n2M: 10 of 40 folios (25%) were split since boot. Obstacle now: ";
    let page = machine.stdout(&["mthp"]);
    assert!(page.contains(sentence) && page.contains("(likely)."), "{page}");
    assert_eq!(page.matches("were split since boot").count(), 1, "{page}");
    for plain in
        [["mthp", "--raw"], ["mthp", "--csv"], ["mthp", "--markdown"], ["mthp", "--noheadings"]]
    {
        assert!(!machine.stdout(&plain).contains("Obstacle now"), "{plain:?}");
    }
}

/// Markdown has the rows and values of the table for people, exact on request, and nothing else.
#[test]
fn every_table_can_be_printed_as_markdown() {
    let machine = Machine::shared("7.2-mixed-loaded");
    let page = machine.stdout(&["devices", "-o", "name,size,priority", "--markdown"]);
    assert!(page.starts_with("| NAME | SIZE | PRIO |\n| --- | ---: | ---: |\n"), "{page}");
    let rows = machine.stdout(&["devices", "-o", "name,size,priority", "--csv", "--noheadings"]);
    assert_eq!(page.lines().count(), 2 + rows.lines().count(), "{page}");
    let exact = machine.stdout(&["devices", "-o", "name,size", "--markdown", "--bytes"]);
    for row in rows.lines() {
        let mut cells = row.split(',');
        let (name, size) = (cells.next().unwrap(), cells.next().unwrap());
        assert!(exact.contains(&format!("| {name} | {size} |")), "{exact}");
    }
    // A stream is one table, also of what is otherwise a record.
    let stream = ["paging", "-o", "in_rate", "--markdown", "--interval", "0.01", "--count", "2"];
    let stream = common::swapadm().args(stream).output().unwrap();
    let stream = String::from_utf8(stream.stdout).unwrap();
    let (head, rows) = stream.split_once("| ---: |\n").unwrap();
    assert_eq!((head, rows.lines().count()), ("| IN/s |\n", 2), "{stream}");
}

#[test]
fn zswap_use_is_shown_below_the_cost_table() {
    let machine = Machine::shared("7.2-zswap-loaded");
    let json = machine.json(&["cost", "--json"]);
    let rows = json["tables"]["cost"]["rows"].as_array().unwrap();
    let zswap = rows.iter().find(|row| row["name"] == "zswap").unwrap();
    let held = &machine.json(&["zswap", "--json"])["tables"]["zswap"]["rows"][0];
    assert_eq!((&zswap["memory"], &zswap["zswap_slots"]), (&held["pool"], &held["stored"]));
    let why = rows[0]["missing"]["memory"]["why"].as_str().unwrap();
    assert!(why.contains("zswap stores some of it"), "{why}");
    let page = machine.stdout(&["cost"]);
    assert!(page.contains("zswap stores 213.6M in 115.3M of memory."), "{page}");
    let none = Machine::shared("7.2-mixed-loaded").stdout(&["cost"]);
    assert!(!none.contains("zswap"), "nothing is in it: {none}");
}

#[test]
fn unusual_headings_are_explained_below_the_table() {
    let machine = Machine::shared("7.2-mixed-loaded");
    for (table, heads) in [("cost", ["META-FULL", "OFF-FITS"]), ("clusters", ["FRAG", "COVERAGE"])]
    {
        let page = String::from_utf8(machine.run(&[table]).stdout).unwrap();
        let told = beside(&machine, &[table]);
        for head in heads {
            assert!(page.contains(head) && told.contains(&format!("{head}: ")), "{told}");
        }
        assert_eq!(beside(&machine, &[table, "--noheadings"]), "");
    }
}

#[test]
fn each_command_with_a_table_lists_its_columns() {
    let machine = Machine::shared("7.2-mixed-loaded");
    let has_columns = |command: &&clap::Command| {
        command.get_arguments().any(|argument| argument.get_id() == "help_columns")
    };
    let program = command();
    let commands = program.get_subcommands().filter(has_columns).map(clap::Command::get_name);
    let commands: Vec<&str> = commands.collect();
    assert!(commands.contains(&"clusters") && commands.contains(&"cost"), "{commands:?}");
    for command in commands {
        // A report has no columns of its own.
        let args = match command {
            "report" => vec![command, "devices", "--help-columns"],
            "replay" => vec![command, "any.rec", "--help-columns"],
            _ => vec![command, "--help-columns"],
        };
        let help = machine.stdout(&args);
        assert!(help.ends_with("* shown by default\n"), "{args:?}: {help}");
    }
    let slots = machine.stdout(&["clusters", "zram0", "--cluster", "1", "--help-columns"]);
    assert!(slots.contains("* shown by default"), "{slots}");
}
