//! Workloads and experiments on simulated machines.

use super::{in_store, json, stderr, stdout};
use crate::common;

#[test]
fn workloads_run_on_simulated_machines_and_are_stored_marked() {
    let dir = tempfile::tempdir().unwrap();
    let machines = "tests/simulated/tiers.toml,tests/simulated/equals.toml";
    let with = ["--with", "processes=2", "--with", "size=8M"];
    let run =
        [&["stress", "run", "usemem", "--limit", "16M", "--on", machines][..], &with].concat();
    let output = in_store(dir.path(), &run);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("times are estimates"), "{}", stderr(&output));
    let listed = stdout(&in_store(dir.path(), &["results", "list"]));
    for name in ["SIMULATED tiers: usemem", "SIMULATED equals: usemem"] {
        assert!(listed.contains(name), "{listed}");
    }
    let document = json(&in_store(dir.path(), &["results", "show", "1", "--json"]));
    let schema = common::schema::of_results();
    assert!(schema.0.validate(&document, schema.1).is_ok(), "{document}");
    let compared = in_store(dir.path(), &["results", "compare", "1", "2"]);
    assert!(stdout(&compared).contains("SIMULATED"), "{}", stdout(&compared));
}

#[test]
fn what_the_model_lacks_of_a_run_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let refusal = |load: &str, with: &[&str]| {
        let run = ["stress", "run", load, "--on", "laptop", "--no-keep"];
        let output = in_store(dir.path(), &[&run[..], with].concat());
        assert_eq!(output.status.code(), Some(2), "{load} {with:?}");
        stderr(&output)
    };
    for (load, with, why) in [
        ("usemem", &["--zram", "32T"][..], "the simulator takes 4 bytes for each"),
        ("usemem", &["-w", "node=7"], "node 7 does not exist"),
        ("usemem", &["-w", "cpus=63"], "CPU 63 does not exist"),
        ("usemem", &["-w", "mthp=16M=always"], "no folios of 16M"),
        ("swapoff-cost", &[], "done on temporary areas only: add --zram 1G"),
        ("usemem", &["--zram", "1G", "--algorithm", "lz4"], "not model compression algorithms"),
        ("usemem", &["--set", "page-cluster=99"], "not take \"99\" for page-cluster"),
        ("usemem", &["--timeout", "5m"], "cannot be used with"),
        ("usemem", &["--min-swap", "1G"], "cannot be used with"),
    ] {
        let said = refusal(load, with);
        assert!(said.contains(why), "no {why} in {said}");
    }
    let text = "about = 'a'\nquestion = 'q'\nrepetitions = 1\ncolumns = ['elapsed']\n[base]\nload = 'usemem'\n\
        [[factor]]\nname = 'speed'\nkey = 'with.pace'\nvalues = ['1M', '2M']\n";
    let file = dir.path().join("pace.toml");
    std::fs::write(&file, text).unwrap();
    let run = ["experiment", "run", file.to_str().unwrap(), "--on", "laptop"];
    for (more, why) in [
        (
            &[][..],
            "does not model with.pace, in which the values of the factor speed differ: leave some out with --only \"speed=VALUE\"",
        ),
        (&["--kind", "file"], "--kind: no case leaves"),
    ] {
        let said = stderr(&in_store(dir.path(), &[&run[..], more].concat()));
        assert!(said.contains(why), "no {why} in {said}");
    }
    std::fs::write(
        &file,
        text.replace("with.pace", "set.page-cluster").replace("'1M', '2M'", "'0', '3'"),
    )
    .unwrap();
    let said = stderr(&in_store(dir.path(), &[&run[..], &["--published"]].concat()));
    assert!(said.contains("has no published figures"), "{said}");
}

#[test]
fn old_kernels_fill_areas_one_by_one() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("old.toml");
    let text = std::fs::read_to_string("tests/simulated/equals.toml").unwrap();
    let kernel = text.lines().find(|line| line.starts_with("kernel")).unwrap();
    std::fs::write(&file, text.replace(kernel, "kernel = \"4.13\"")).unwrap();
    let run = ["stress", "run", "usemem", "--limit", "16M", "-w", "processes=2", "-w", "size=12M"];
    let shown =
        stdout(&in_store(dir.path(), &[&run[..], &["--on", file.to_str().unwrap()]].concat()));
    assert!(shown.contains("one by one"), "{shown}");
}

/// A stored result of a real run with one of the model: setup and figures stand side by side, and the title says
/// which one is simulated.
#[test]
fn a_simulated_result_is_compared_with_a_real_one() {
    let dir = tempfile::tempdir().unwrap();
    let run = ["stress", "run", "usemem", "--limit", "16M", "--on", "tests/simulated/tiers.toml"];
    let with = ["--with", "processes=2", "--with", "size=8M", "--repeat", "3"];
    stdout(&in_store(dir.path(), &[&run[..], &with].concat()));
    let real = "tests/results/kept/1-before.json";
    let compared = stdout(&in_store(dir.path(), &["results", "compare", real, "1"]));
    let words = compared.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in ["SIMULATED tiers: usemem", "kernel: 7.1.0 in A, 6.12", "Elapsed s"] {
        assert!(words.contains(part), "no {part} in {compared}");
    }
    let document = json(&in_store(dir.path(), &["results", "compare", real, "1", "--json"]));
    let rows = document["tables"]["comparison"]["rows"].as_array().unwrap();
    let elapsed = rows.iter().find(|row| row["figure"] == "elapsed").unwrap();
    assert!(elapsed["first_mean"].is_number() && elapsed["second_mean"].is_number(), "{elapsed}");
    // The model has no PSI and no user time: missing, not 0.
    for figure in ["user", "psi_full"] {
        let row = rows.iter().find(|row| row["figure"] == figure);
        assert!(row.is_none_or(|row| row["second_mean"].is_null()), "{row:?}");
    }
}

/// The answer of each built-in experiment is about the figures of its question, and its chart shows the first.
#[test]
fn built_in_experiments_answer_their_questions() {
    let dir = tempfile::tempdir().unwrap();
    for (command, answer, chart) in [
        (
            "balance --on four-zram",
            "Used space of each area at its peak: 51.4M, 51.3M, 51.2M, 51M with default; 51.4M, 51.3M, 51.2M, 51M with equal; 204.7M, 132K, 0B, 0B with distinct. No measurable difference in System time",
            "case used PRIO default used0 ###### 51.4M -1",
        ),
        (
            "nodes --limit 16M --on tests/simulated/equals.toml",
            "No measurable difference in Throughput, sum: 3 runs each",
            "case sum MiB/s 4 x 50% default ####",
        ),
        (
            "readahead --on small-disk",
            "Elapsed -73.13+-0% (better) with page-cluster 4 instead of 0, at pattern sequential, memory anonymous;",
            "case Elapsed s",
        ),
        (
            "folios --on build-server",
            "(better) with area large instead of small, at folios 64K to 2M; no measurable difference at folios 64K;",
            "64kB late case failures %",
        ),
        (
            "freeing --on laptop",
            "The areas of the machine itself are disabled in cases with temporary areas. The model does not time what a process frees by ending: free latency is that of munmap only.",
            "case mean us munmap ######################## 3799+-0 exit -",
        ),
        (
            "zswap --only contents=3:1 --on zswap-server",
            "zswap pool +81.84+-0 MiB with zswap Y instead of N, at contents 3:1; 3 runs each. Used space of each area at its peak: 163.8M with N 3:1; 245.7M with Y 3:1. Device writes -100+-0% (better)",
            "zswap pool case MiB",
        ),
    ] {
        let words: Vec<&str> =
            ["experiment", "run", "--no-keep"].into_iter().chain(command.split(' ')).collect();
        let shown = stdout(&in_store(dir.path(), &words));
        let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        for told in [answer, chart] {
            assert!(shown.contains(told), "{command}: no {told:?}: {shown}");
        }
    }
}

#[test]
fn experiments_have_the_kernel_as_a_factor_on_simulated_machines_only() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("order.toml");
    let text = "about = 'a'\nquestion = 'q'\nrepetitions = 1\ncolumns = ['used', 'swapped_out']\n\
        [base]\nload = 'usemem'\nlimit = '16M'\nwith.processes = 2\nwith.size = '12M'\n\
        [[factor]]\nname = 'kernel'\nkey = 'policy'\nvalues = ['6.12', '7.2']\n";
    std::fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    let run = ["experiment", "run", file, "--on", "tests/simulated/equals.toml"];
    let first = stdout(&in_store(dir.path(), &run));
    assert!(first.contains("6.12") && first.contains("7.2"), "{first}");
    let real = in_store(dir.path(), &["experiment", "run", file, "--dry-run"]);
    assert!(!real.status.success());
    assert!(stderr(&real).contains("--on MACHINE"), "{}", stderr(&real));
    std::fs::write(dir.path().join("bad.toml"), text.replace("6.12", "6.13")).unwrap();
    let bad = dir.path().join("bad.toml");
    let bad = in_store(dir.path(), &["experiment", "run", bad.to_str().unwrap(), "--dry-run"]);
    assert!(stderr(&bad).contains("unknown kernel \"6.13\": use 4.13"), "{}", stderr(&bad));
}

#[test]
fn a_plan_of_a_simulated_run_is_json_if_requested() {
    let dir = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| in_store(dir.path(), arguments);
    for command in [["stress", "run", "usemem"], ["experiment", "run", "balance"]] {
        let plan = json(&run(&[&command[..], &["--on", "laptop", "--dry-run", "--json"]].concat()));
        assert!(plan["outcome"].is_null(), "{plan}");
    }
    for (option, why) in [
        (["--on", "laptop,server", "--json"], "--json: each machine"),
        (["--on", "laptop", "--published"], "--published: "),
    ] {
        let refused = run(&[&["experiment", "run", "zswap", "--dry-run"], &option[..]].concat());
        assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
        assert!(stderr(&refused).contains(why), "{}", stderr(&refused));
    }
}

#[test]
fn published_experiments_stand_beside_the_model() {
    let dir = tempfile::tempdir().unwrap();
    let swapadm = |arguments: &[&str]| in_store(dir.path(), arguments);
    let policies = ["experiment", "run", "policies", "--only", "table=B,E"];
    let document = json(&swapadm(&[&policies[..], &["--json"]].concat()));
    let schema = common::schema::of_results();
    assert!(schema.0.validate(&document, schema.1).is_ok(), "{document}");
    let rows = document["tables"]["published"]["rows"].as_array().unwrap();
    for row in rows {
        assert!(row["source"].as_str().unwrap().len() > 30, "{row}");
        let is_missing = row["agreement"] == "not reproduced";
        assert_eq!(is_missing, row["model"].is_null(), "{row}");
        assert_eq!(is_missing, row["missing"]["model"]["why"].is_string(), "{row}");
    }
    let of = |case: &str, figure: &str| {
        rows.iter().find(|row| row["case"] == case && row["figure"] == figure).unwrap()
    };
    assert_eq!(of("per NUMA node", "order on node 2")["model"], "C A B D");
    assert_eq!(of("32 x 4 GiB, per node", "accesses/s")["agreement"], "holds");
    assert_eq!(of("key-value server", "requests/s")["agreement"], "not reproduced");
    let text = stdout(&swapadm(&policies));
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "B. Devices bound to NUMA nodes",
        "Published: Aaron Lu",
        "AGREEMENT",
        "Not reproduced: requests/s: the model has no requests of a server.",
        "SIMULATED",
    ] {
        assert!(words.contains(part), "no {part} in {text}");
    }
    for (option, why) in [
        (&["--on", "laptop"][..], "--on does not apply to policies"),
        (&["--published"], "--published does not apply to policies"),
        (&["--no-keep"], "--no-keep does not apply to policies"),
        (&["--seed", "2"], "--seed does not apply to policies"),
        (&["--dry-run", "--json"], "leave out --dry-run"),
        (&["--only", "table=X"], "policies has table=A,B,C,D,E"),
        (&["--scale", "0"], "--scale 0"),
    ] {
        let refused = swapadm(&[&["experiment", "run", "policies"][..], option].concat());
        assert_eq!(refused.status.code(), Some(2), "{option:?}");
        assert!(stderr(&refused).contains(why), "{}", stderr(&refused));
    }
    let plan = stdout(&swapadm(&["experiment", "run", "policies", "--dry-run"]));
    assert!(plan.contains("C. Swap readahead and page-cluster: 32 runs of the model"), "{plan}");
    assert!(stdout(&swapadm(&["experiment", "list"])).contains("policies"));
    let shown = swapadm(&["experiment", "show", "policies"]);
    assert!(stderr(&shown).contains("has no file"), "{}", stderr(&shown));
}
