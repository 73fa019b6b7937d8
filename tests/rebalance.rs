//! `swapadm rebalance` on captured machines: its findings, exit status and output.

#![allow(clippy::disallowed_methods, reason = "tests build their own trees")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "the helpers of a test stop it")]

use crate::common;

use boon::{SchemaIndex, Schemas};
use common::{Machine, rows, sampled, schema, with_each, with_each_machine};
use serde_json::Value;
use std::process::Output;

thread_local! {
    static SCHEMA: (Schemas, SchemaIndex) = schema::of_changes();
}

const STRATEGIES: [&str; 4] = ["tiered", "equal", "numa", "spread"];

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

/// The JSON output, checked against the schema.
fn document(output: &Output) -> Value {
    let errors = String::from_utf8_lossy(&output.stderr);
    let document: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|why| unreachable!("no JSON: {why}: {errors}"));
    SCHEMA.with(|(schemas, index)| {
        assert!(schemas.validate(&document, *index).is_ok(), "{document:#}");
    });
    document
}

fn is_wrong(document: &Value) -> bool {
    document["findings"].as_array().unwrap().iter().any(|finding| finding["wrong"] == true)
}

#[test]
fn every_machine_gets_an_answer_by_every_strategy() {
    with_each_machine(|machine| {
        for strategy in STRATEGIES {
            let output = machine.run(&["rebalance", strategy, "--check", "--json"]);
            let document = document(&output);
            let what = format!("{}: {strategy}: {document:#}", machine.name);
            assert_eq!(document["strategy"], strategy, "{what}");
            match code(&output) {
                0 => assert!(!is_wrong(&document) && document["steps"] == Value::Array(vec![])),
                1 => assert!(is_wrong(&document) && document["steps"][0]["kind"] == "renew"),
                3 | 6 => assert!(document["error"].is_string() && !output.stderr.is_empty()),
                code => unreachable!("{code}: {what}"),
            }
            assert!(document["outcome"].is_null(), "{what}");
        }
    });
}

/// Every command that advice gives has something to change. Where advice is silent about a layout that rebalance
/// would change, swap is idle. Setup proposes a rebalance if and only if the check would make one.
#[test]
fn advice_and_rebalance_agree() {
    with_each_machine(|machine| {
        let advice = machine.json(&["advise", "--json"]);
        let fixes = rows(&advice, "findings").iter().filter_map(|row| row["fix"].as_str());
        let fixes: Vec<&str> =
            fixes.filter_map(|fix| fix.strip_prefix("swapadm rebalance")).collect();
        for fix in &fixes {
            let words = ["rebalance"].into_iter().chain(fix.split_whitespace());
            let output = machine.run(&words.chain(["--check"]).collect::<Vec<_>>());
            assert_eq!(code(&output), 1, "{}: rebalance{fix}", machine.name);
        }
        let is_uneven = code(&machine.run(&["rebalance", "spread", "--check"])) == 1;
        assert_eq!(is_uneven, fixes.contains(&" spread"), "{}", machine.name);
        let is_wrong = code(&machine.run(&["rebalance", "--check"])) == 1;
        let is_silent = machine.name.ends_with("-idle");
        assert!(!is_wrong || !fixes.is_empty() || is_silent, "{}", machine.name);
        let setup = document(&machine.run(&["setup", "--dry-run", "--json"]));
        // Without the size of memory there is no proposal.
        let Some(choices) = setup["setup"]["choices"].as_array() else { return };
        let changes =
            |key: &str| choices.iter().any(|it| it["key"] == key && it["changes"] == true);
        // With other areas, priorities are those of the setup.
        if !changes("compression") && !changes("disk") {
            assert_eq!(changes("priorities"), is_wrong, "{}", machine.name);
        }
    });
}

#[test]
fn each_machine_is_judged_by_its_kernel() {
    for (machine, strategy, code, words) in [
        ("6.1-numa2-loaded", "numa", 0, "nothing to do"),
        ("7.2-numa2-loaded", "numa", 3, "all after 6.18"),
        ("6.12-mixed-loaded", "numa", 3, "one node"),
        // The disks are preferred by their nodes, although zram shows the higher priority.
        ("6.1-numa2-loaded", "tiered", 1, "first on its node"),
        ("7.2-numa2-loaded", "tiered", 1, "areas of 2 speed classes share priority -1"),
        ("7.2-numa2-loaded", "equal", 0, "nothing to do"),
        // Default priorities of one class, one below the other, and all equal.
        ("6.12-loaded", "equal", 1, "so those of higher priority fill first"),
        ("7.2-loaded", "equal", 0, "nothing to do"),
        ("6.1-mixed-loaded", "equal", 1, "the 3 solid state areas have 2 priorities (50, -2)"),
        ("6.1-mixed-loaded", "tiered", 0, "To make them equal: swapadm rebalance equal"),
        ("6.1-mixed-loaded", "tiered", 0, "/dev/vda is unchanged: its speed is unknown"),
        ("6.1-mixed-loaded", "tiered", 0, "/mnt/swapfile is unchanged"),
        ("7.2-noswap", "tiered", 0, "rebalance tiered: nothing to do: no swap area is active"),
    ] {
        let output = Machine::shared(machine).run(&["rebalance", strategy, "--check"]);
        let both = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
        let said = String::from_utf8(both).unwrap();
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(self::code(&output), code, "{machine} {strategy}: {said}");
        assert!(said.contains(words), "{machine} {strategy}: {words:?} is not in {said}");
    }
}

#[test]
fn the_plan_follows_the_findings() {
    let machine = Machine::shared("7.2-numa2-loaded");
    let output = machine.run(&["rebalance", "--dry-run"]);
    let said = String::from_utf8(output.stdout).unwrap();
    let place = |word: &str| said.find(word).unwrap_or_else(|| unreachable!("{word}: {said}"));
    assert!(place("Now:") < place("After:") && place("After:") < place("Plan: rebalance"));
    assert!(place("Plan:") < place("By hand:"));
    let quiet = Machine::shared("7.2-loaded").run(&["rebalance", "--yes"]);
    let said = String::from_utf8(quiet.stdout).unwrap();
    assert_eq!(
        (quiet.status.code(), said.as_str()),
        (Some(0), "rebalance tiered: nothing to do: already balanced\n")
    );
}

/// Default priorities are renumbered only where they differ.
#[test]
fn behaviour_of_other_kernels_is_not_shown() {
    for (name, is) in [("7.2-numa2-loaded", false), ("6.12-numa2-loaded", true)] {
        let output = Machine::shared(name).run(&["off", "zram0", "--dry-run", "--json"]);
        let document = document(&output);
        let checks = document["checks"].as_array().unwrap();
        assert!(!checks.is_empty(), "{name}: {document:#}");
        assert_eq!(checks.iter().any(|check| check["id"] == "renumbered"), is, "{name}");
    }
}

/// Moved bytes and duration are the same in JSON and in the text.
#[test]
fn each_step_shows_its_cost() {
    let machine = Machine::shared("7.2-numa2-loaded");
    let journal = tempfile::NamedTempFile::new().unwrap();
    let area = r#"{"path":"/dev/zram0","priority":{"set":5},"discard":"none"}"#;
    let told = |args: &[&str]| {
        let mut command = machine.command(&[&["rebalance"], args].concat());
        command.env("SWAPADM_JOURNAL", journal.path()).output().unwrap()
    };
    let dry = ["tiered", "--dry-run", "--json"];
    let unknown = document(&told(&dry));
    let cost = |document: &Value| document["steps"][0]["estimate"].clone();
    assert_eq!(cost(&unknown)["moves_bytes"], 33428 * 1024, "{unknown:#}");
    assert_eq!(
        (&cost(&unknown)["seconds"], &cost(&unknown)["basis"]),
        (&Value::Null, &"unknown".into())
    );
    let lines = [
        format!(
            r#""event":"begin","title":"t","steps":[{{"kind":"off","area":{area}}}],"undoes":null"#
        ),
        r#""event":"try","step":0,"back":false"#.to_owned(),
        r#""event":"made","step":0,"back":false,"moved":33554432,"seconds":16.0"#.to_owned(),
        r#""event":"end","end":"done","why":null"#.to_owned(),
    ];
    let line =
        |line: &String| format!(r#"{{"plan":1,"at_ms":1790000000000,"boot":"x",{line}}}"#) + "\n";
    std::fs::write(journal.path(), lines.iter().map(line).collect::<String>()).unwrap();
    for args in [&dry[..], &["tiered", "--check", "--json"]] {
        let measured = document(&told(args));
        assert_eq!(cost(&measured), measured["estimate"], "there is one step");
        assert_eq!(cost(&measured)["basis"], "measured", "{measured:#}");
        let seconds = cost(&measured)["seconds"].as_f64().unwrap();
        assert!((seconds - 33428.0 / 2048.0).abs() < 0.01, "{seconds}");
        let rate = (&cost(&measured)["bytes_per_second"], &cost(&measured)["measured_ms"]);
        assert_eq!(
            (rate.0.as_f64(), rate.1.as_u64()),
            (Some(2_097_152.0), Some(1_790_000_000_000))
        );
    }
    let said = String::from_utf8(told(&["tiered", "--dry-run"]).stdout).unwrap();
    assert!(said.contains("time: at least 16.3s at 2M/s, as on 2026-09-21 14:13Z"), "{said}");
    let other =
        std::fs::read_to_string(journal.path()).unwrap().replace("/dev/zram0", "/dev/zram9");
    std::fs::write(journal.path(), other).unwrap();
    let alike = cost(&document(&told(&dry)));
    assert_eq!((&alike["basis"], &alike["measured_ms"]), (&"alike".into(), &Value::Null));
    assert_eq!(alike["bytes_per_second"].as_f64(), Some(2_097_152.0), "{alike:#}");
    let said = String::from_utf8(told(&["tiered", "--dry-run"]).stdout).unwrap();
    let words = "time: at least 16.3s at 2M/s, as other zram devices (1 drain)\n";
    assert!(said.contains(words), "{said}");
}

#[test]
fn invalid_requests_are_reported_in_json_too() {
    let machine = Machine::shared("7.2-mixed-loaded");
    let file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path().to_str().unwrap();
    let with = |text: &[u8]| std::fs::write(path, text).unwrap();
    let told = |args: &[&str], code: i32, word: &str| {
        let output = machine.run(&[&["rebalance"], args, &["--json"]].concat());
        let document = document(&output);
        let error = document["error"].as_str().unwrap();
        assert_eq!(self::code(&output), code, "{args:?}: {error}");
        assert!(error.contains(word) && !error.contains('\x1b'), "{args:?}: {error}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(said, format!("swapadm: {error}\n"));
    };
    told(&["custom"], 2, "custom needs a file");
    told(&["equal", path], 2, "only custom takes a file");
    told(&["equal", "--skew", "5"], 2, "--skew needs the strategy spread");
    for skew in ["0", "-5", "101", "x", "", "nan"] {
        told(&["spread", &format!("--skew={skew}")], 2, "percentage from 1 to 100");
    }
    told(&["equal", "--timeout", "soon"], 2, "--timeout \"soon\"");
    told(&["equal", "--max-psi", "200"], 2, "--max-psi \"200\"");
    for pace in ["0", "101", "x"] {
        told(&["equal", "--pace", pace], 2, "--pace \"");
    }
    told(&["equal", "--pace", "20", "--max-psi", "20"], 2, "--pace 20 must be below --max-psi");
    let rather = "custom takes a file with a line AREA PRIORITY for each area";
    told(&["custom", "/nonexistent"], 2, &format!("/nonexistent does not exist: {rather}"));
    told(&["custom", "/"], 2, &format!("/ is a directory: {rather}"));
    told(&["custom", path], 2, &format!("names no area: {rather}"));
    for (text, word) in [
        (&b"# one\n/dev/zram0 99999\n"[..], ":2: priority \"99999\" is not valid: use 0 to 32767"),
        (b"/dev/zram0 -3", ":1: priority \"-3\""),
        (b"zram0 5\nnosuch 5", ":2: \"nosuch\" is not an active area"),
        (b"zram0 5\n/dev/zram0=7", "named twice"),
        (b"zram0", ":1: \"zram0\" should be an area and its priority"),
        (b"\xff\x00\x1b[2J 5", ":1: "),
    ] {
        with(text);
        told(&["custom", path], 2, word);
    }
    with(&vec![b'#'; (1 << 20) + 1]);
    told(&["custom", path], 2, "too long");
    with(b"/dev/zram0 = 7 # a remark\n\nzram1=100\n");
    let output = machine.run(&["rebalance", "custom", path, "--check", "--json"]);
    assert_eq!((code(&output), document(&output)["steps"].as_array().unwrap().len()), (1, 1));
}

/// Damaged files lead to an answer or to a reason, never to an invented plan.
#[test]
fn damaged_files_are_no_reason_to_change_anything() {
    let swaps = |rest: &str| format!("Filename Type Size Used Priority\n{rest}");
    for text in [
        String::new(),
        "\u{0}\u{1}\u{2}".to_owned(),
        swaps("/dev/zram0 partition"),
        swaps("/dev/zram0 partition x y z\n"),
        swaps("/dev/zram0 partition 99999999999999999999 1 5\n/dev/zram1 partition 8 9 5\n"),
        swaps("/dev/zram0 partition 8 4 99999999999\n"),
        swaps("/dev/a\\033[2J partition 8 4 -2147483648\n/dev/b partition 8 4 2147483647\n"),
    ] {
        for strategy in STRATEGIES {
            let machine = Machine::empty();
            machine.write("proc/swaps", &text);
            let output = machine.run(&["rebalance", strategy, "--check", "--json"]);
            let document = document(&output);
            assert!([0, 3, 6].contains(&code(&output)), "{text:?}: {document:#}");
            assert_eq!(document["steps"], Value::Array(vec![]), "{text:?}");
        }
    }
}

/// Any single file full of rubbish: still a document, and no plan without a finding.
#[test]
fn rubbish_in_any_file_is_answered() {
    with_each(&["6.1-mixed-loaded", "7.2-numa2-loaded"], |name| {
        let files = Machine::shared(name).files();
        let matters = |file: &&std::path::PathBuf| {
            ["proc/s", "proc/meminfo", "sys/block", "sys/devices/system/node"]
                .iter()
                .any(|top| file.to_string_lossy().starts_with(top))
        };
        let machine = Machine::unpack(name);
        for (number, file) in files.iter().filter(matters).enumerate() {
            let whole = machine.bytes(file).unwrap();
            let damages = [&b""[..], b"\xff\0\x1b[2J -1\n", &whole[..whole.len() / 2]];
            for (kind, damage) in damages.into_iter().enumerate() {
                machine.write(file, damage);
                for strategy in sampled(STRATEGIES.to_vec(), STRATEGIES.len(), number + kind) {
                    let output = machine.run(&["rebalance", strategy, "--check", "--json"]);
                    let document = document(&output);
                    let code = code(&output);
                    let what = format!("{name} {} {strategy}: {document:#}", file.display());
                    assert!([0, 1, 3, 6].contains(&code), "{code} {what}");
                    assert_eq!(is_wrong(&document), code == 1, "{what}");
                    assert_eq!(document["steps"] == Value::Array(vec![]), code != 1, "{what}");
                }
            }
            machine.write(file, &whole);
        }
    });
}
