//! Saved experiments: listed and shown beside runs, exported, removed with their runs.

use crate::common::{expect_file, repository};
use crate::results::pages::elements;
use crate::results::sample_runs::{experiment, runs};
use crate::results::{ResultFolder, text};
use serde_json::Value;
use swapadm::lab::builtin;
use swapadm::model::experiment::Experiment;

/// The runs of the builder, and an experiment of the first two.
fn folder() -> ResultFolder {
    let folder = ResultFolder::new();
    folder.write("4-priorities.json", text(&experiment()));
    folder
}

fn ids(folder: &ResultFolder) -> Vec<String> {
    let ids = folder.stdout(&["--csv", "-o", "id"]);
    ids.lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn pages_of_an_experiment_are_as_expected() {
    let expect = |name: &str, args: &[&str]| {
        let path = repository(&format!("tests/results/expected/{name}"));
        expect_file(&path, &folder().stdout(args), "UPDATE_GOLDEN");
    };
    expect("experiment.txt", &["show", "last"]);
    expect("experiment.md", &["export", "4", "--format", "markdown"]);
    expect("experiment.csv", &["show", "4", "--csv"]);
}

#[test]
fn options_of_runs_are_refused_for_an_experiment() {
    let folder = folder();
    for option in ["--bytes", "--explain", "--all"] {
        let refused = folder.run(&["show", "last", option]);
        assert_eq!(refused.status.code(), Some(2), "{option}");
    }
}

/// Including the text above and below its table.
#[test]
fn no_line_of_words_is_wider_than_a_terminal() {
    let folder = folder();
    let question = "How much longer than a line of a terminal may a question become? ".repeat(3);
    folder.write("5-long.json", text(&Experiment { question, ..experiment() }));
    let shown = folder.stdout(&["show", "5"]);
    let wide: Vec<&str> = shown.lines().filter(|line| line.chars().count() > 80).collect();
    assert!(wide.is_empty(), "{wide:#?}");
}

#[test]
fn a_list_says_what_is_an_experiment_and_what_it_lacks() {
    let document = folder().json(&["--json"]);
    let rows = document["tables"]["results"]["rows"].as_array().unwrap().clone();
    let of = |name: &str| rows.iter().map(|row| row[name].clone()).collect::<Vec<Value>>();
    assert_eq!(of("kind"), ["experiment", "run", "run", "run"]);
    assert_eq!(rows[0]["outcome"], "incomplete: 6 of 9 runs");
    assert_eq!((&rows[0]["repetitions"], &rows[0]["elapsed"]), (&6.into(), &Value::Null));
}

/// The exported document can be read again, and has derived figures in addition.
#[test]
fn the_document_is_the_whole_experiment() {
    let folder = folder();
    let document = folder.stdout(&["show", "4", "--json"]);
    assert_eq!(document, folder.stdout(&["export", "4"]));
    let back: Experiment = serde_json::from_str(&document).unwrap();
    assert_eq!(back, experiment());
    folder.write("copy.json", &document);
    assert_eq!(folder.stdout(&["show", "copy.json"]), folder.stdout(&["show", "4"]));
    let document: Value = serde_json::from_str(&document).unwrap();
    let equal = &document["table"][1];
    assert_eq!((&equal["priorities"], &equal["used0_priority"]), (&"equal".into(), &(-1).into()));
    assert_eq!((&equal["system"], &equal["system_count"]), (&16.4.into(), &3.into()));
    let distinct = &document["table"][2];
    assert_eq!(distinct["system"], Value::Null);
    assert_eq!(distinct["missing"]["system"]["why"], "not measured");
}

/// A built-in experiment, with its name and its published figures.
fn built_in() -> Experiment {
    let plan = builtin::find(builtin::EXPERIMENTS, "A").unwrap().plan().unwrap();
    let columns = plan.columns.clone();
    Experiment { title: plan.name, question: plan.question, columns, ..experiment() }
}

#[test]
fn built_in_experiments_show_published_figures() {
    let folder = folder();
    folder.write("5-balance.json", text(&built_in()));
    let shown = folder.stdout(&["show", "5", "--published"]);
    let place = |line: &str| shown.find(line).unwrap_or_else(|| panic!("{line}: {shown}"));
    assert!(place("Published: 31 processes") < place("priorities, against"), "{shown}");
    assert!(place("6.6G -1") > place("38M -1"), "{shown}");
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    assert!(!folder.stdout(&["show", "5"]).contains("Published"));
    for form in ["markdown", "html"] {
        let export = ["export", "5", "--format", form];
        assert!(!folder.stdout(&export).contains("Published: 31"), "{form}");
        let page = folder.stdout(&[&export[..], &["--published"]].concat());
        assert!(page.contains("Published: 31") && page.contains("15.7G -2"), "{form}");
    }
    let markdown = folder.stdout(&["show", "5", "--markdown", "--published"]);
    assert!(markdown.contains("| per NUMA node | 15.7G -2 |"), "{markdown}");
}

#[test]
fn documents_always_contain_published_figures() {
    let folder = folder();
    folder.write("5-balance.json", text(&built_in()));
    let document = folder.json(&["show", "5", "--json"]);
    let published = &document["published"];
    assert_eq!((&published["names"], &published["rows"][2][1]), (&1.into(), &"6.6G -1".into()));
    let schema = crate::common::schema::of_experiments();
    schema.0.validate(&document, schema.1).unwrap();
    assert_eq!(folder.json(&["show", "5", "--json", "--published"]), document);
    assert_eq!(folder.json(&["show", "4", "--json"])["published"], Value::Null);
}

/// Experiments of users are unknown by name: the published figures of their files are saved with them.
#[test]
fn published_figures_in_user_files_are_kept() {
    let folder = folder();
    let own = Experiment { title: "mine".to_owned(), ..experiment() };
    let mut document: Value = serde_json::from_str(&text(&own)).unwrap();
    document["published"] = serde_json::json!({
        "machine": "a machine of somebody else", "heads": ["priorities", "system s"], "names": 1,
        "rows": [["equal", "77.5"]],
    });
    folder.write("5-mine.json", document.to_string());
    let shown = folder.stdout(&["show", "5", "--published"]);
    assert!(shown.contains("Published: a machine of somebody else"), "{shown}");
    assert!(shown.contains("77.5"), "{shown}");
    for form in ["markdown", "html"] {
        assert!(folder.stdout(&["export", "5", "--published", "--format", form]).contains("77.5"));
    }
    let exported = folder.stdout(&["export", "5"]);
    folder.write("copy.json", &exported);
    assert_eq!(folder.stdout(&["show", "copy.json", "--published"]), shown);
    // An experiment saved by an earlier version without such figures.
    folder.write("6-mine.json", text(&own));
    folder.fails(&["show", "6", "--published"], 2);
}

#[test]
fn missing_published_figures_are_noted() {
    let folder = folder();
    let other = Experiment { question: "Another one?".to_owned(), ..built_in() };
    folder.write("5-balance.json", text(&other));
    for args in [
        &["show", "4", "--published"][..],
        &["show", "5", "--published"],
        &["show", "5", "--published", "--json"],
        &["export", "5", "--published"],
        &["export", "5", "--published", "--format", "html"],
    ] {
        let why = folder.fails(args, 2);
        assert!(why.contains("has no published figures") && why.contains("experiment list"));
    }
    for args in [&["show", "1", "--published"][..], &["export", "1", "--published"]] {
        let why = folder.fails(args, 2);
        assert!(why.contains("--published: before is a run"), "{why}");
    }
    folder.write("6-balance.json", text(&built_in()));
    folder.fails(&["show", "6", "--published", "--csv"], 2);
    let why = folder.fails(&["export", "6", "--published", "--format", "csv"], 2);
    assert!(why.contains("CSV has room for one table"), "{why}");
}

/// Experiments saved before that table existed have none.
#[test]
fn a_factor_across_makes_a_second_table() {
    let folder = folder();
    let across = Experiment { across: Some("priorities".to_owned()), ..built_in() };
    folder.write("5-balance.json", text(&across));
    let title = "System time s, by priorities:";
    assert!(folder.stdout(&["show", "5"]).contains(title));
    assert!(folder.stdout(&["export", "5", "--format", "html"]).contains(title));
    assert_eq!(folder.json(&["show", "5", "--json"])["across"], "priorities");
    let old = text(&across).replace("\"across\":\"priorities\",", "");
    assert!(!old.contains("across"));
    folder.write("5-balance.json", old);
    assert!(!folder.stdout(&["show", "5"]).contains(title));
    assert_eq!(folder.json(&["show", "5", "--json"])["across"], Value::Null);
}

fn shown() -> Value {
    folder().json(&["show", "4", "--json"])
}

#[test]
fn the_document_says_what_it_is_and_is_as_the_schema_says() {
    let schema = crate::common::schema::of_experiments();
    let check = |document: &Value| {
        schema.0.validate(document, schema.1).map_err(|error| format!("{error:#}"))
    };
    let mut document = shown();
    assert_eq!((&document["schema"], &document["kind"]), (&1.into(), &"experiment".into()));
    assert_eq!(check(&document), Ok(()));
    let page = std::fs::read_to_string(repository("man/swapadm-results.8")).unwrap();
    for member in document.as_object().unwrap().keys() {
        assert!(page.contains(&format!("\\fB{member}\\fR")), "the manual lacks {member}");
    }
    document["kind"] = "run".into();
    assert!(check(&document).is_err());
}

#[test]
fn each_number_of_the_table_has_its_unit() {
    let document = shown();
    let units = document["table_columns"].as_array().unwrap();
    let unit = |id: &str| &units.iter().find(|it| it["id"] == id).unwrap()["unit"];
    assert_eq!((unit("priorities"), unit("used0")), (&"text".into(), &"bytes".into()));
    assert_eq!((unit("system"), unit("system_deviation")), (&"s".into(), &"s".into()));
    assert_eq!((unit("throughput_sum"), unit("free_mean")), (&"MiB/s".into(), &"us".into()));
    assert_eq!(
        (unit("swapoff_count"), unit("used3_priority")),
        (&"count".into(), &"integer".into())
    );
    let ids: Vec<&str> = units.iter().map(|it| it["id"].as_str().unwrap()).collect();
    let csv = folder().stdout(&["show", "4", "--csv"]);
    assert_eq!(csv.lines().next(), Some(ids.join(",").as_str()));
}

/// Otherwise only JSON and HTML would have them.
#[test]
fn every_form_says_what_it_ran_with() {
    let folder = folder();
    let [text, markdown, page] =
        [&["show", "4"][..], &["show", "4", "--markdown"], &["export", "4", "--format", "html"]]
            .map(|args| folder.stdout(args));
    for line in [
        "Kernel: by case 7.1.0, 7.2.0",
        "Allocation: by case per node, round robin",
        "Memory limit: 64M",
    ] {
        assert!(text.contains(line) && markdown.contains(line) && page.contains(line), "{line}");
    }
    let settings = "proc/sys/vm/page-cluster=3";
    assert!(text.contains(&format!("Settings: {settings}")), "{text}");
    let csv = folder.stdout(&["show", "4", "--csv"]);
    let heads =
        ",run_kernel,run_allocation_policy,run_memory,run_cpus,run_limit,run_areas,run_settings\n";
    assert!(csv.contains(heads), "{csv}");
    assert!(
        csv.contains(
            ",7.1.0,per node,1073741824,4,67108864,/dev/zram0=zram/lzo-rle:100M:-2 /dev/zram1="
        ),
        "{csv}"
    );
    let row = &folder.json(&["show", "4", "--json"])["table"][1];
    assert_eq!((&row["run_limit"], &row["system_unit"]), (&67_108_864.into(), &"s".into()));
}

/// Factors and values have the names that the user wrote.
#[test]
fn a_name_with_a_comma_is_one_field() {
    let folder = folder();
    let mut named = experiment();
    for level in named.cases.iter_mut().flat_map(|case| &mut case.factors) {
        level.factor = "kind, \"size\"".to_owned();
        level.value.push_str(", of all");
    }
    folder.write("5-named.json", text(&named));
    let [named, plain] = ["5", "4"].map(|id| folder.stdout(&["show", id, "--csv"]));
    let rest = |csv: &str| csv.split_once(",used0,").unwrap().1.lines().next().unwrap().to_owned();
    assert!(named.starts_with("\"kind, \"\"size\"\"\",used0,"), "{named}");
    assert_eq!(rest(&named), rest(&plain));
    assert!(named.contains("\n\"equal, of all\","), "{named}");
}

#[test]
fn differences_have_units_and_those_that_are_missing_say_why() {
    let document = shown();
    let change = |value: &str, figure: &str| {
        let changes = document["changes"].as_array().unwrap().iter();
        let mut found = changes.filter(|it| it["figure"] == figure && it["value"] == value);
        found.next().unwrap_or_else(|| panic!("{figure} of {value} is missing"))
    };
    let system = change("equal", "system");
    assert_eq!((&system["unit"], &system["verdict"]), (&"s".into(), &"lower".into()));
    assert!((system["change"].as_f64().unwrap() + 20.0).abs() < 0.01, "{system}");
    for (low, high) in [("by_low", "by_high"), ("change_low", "change_high")] {
        assert!(system[low].as_f64().unwrap() < system[high].as_f64().unwrap());
    }
    let swapoff = change("equal", "swapoff");
    assert_eq!((&swapoff["by"], &swapoff["verdict"]), (&Value::Null, &Value::Null));
    assert!(swapoff["missing"]["by"]["why"].is_string(), "{swapoff}");
    let distinct = change("distinct", "system");
    assert_eq!((&distinct["by"], &distinct["unit"]), (&Value::Null, &"s".into()));
    assert_eq!(distinct["missing"]["by"]["why"], "not measured");
}

/// One repetition shows the difference, but not its significance.
#[test]
fn a_difference_of_single_runs_has_no_interval() {
    let folder = folder();
    let mut experiment = experiment();
    for run in experiment.cases.iter_mut().filter_map(|case| case.run.as_mut()) {
        run.measured.truncate(1);
    }
    folder.write("5-single.json", text(&experiment));
    let document = folder.json(&["show", "5", "--json"]);
    let system = &document["changes"][0];
    assert_eq!((&system["figure"], &system["verdict"]), (&"system".into(), &"too few runs".into()));
    assert!(system["by"].is_number() && system["by_low"].is_null(), "{system}");
    let why = system["missing"]["by_low"]["why"].as_str().unwrap();
    assert!(why.contains("two repetitions of each run"), "{why}");
}

#[test]
fn a_page_of_an_experiment_has_its_cases_beside_each_other_and_each_by_itself() {
    let page = folder().stdout(&["export", "4", "--format", "html"]);
    let elements = elements(&page);
    // The picture has a plot for each case with a run.
    assert_eq!(elements.iter().filter(|name| *name == "svg").count(), 2 + 3 + 2 * 4);
    assert!(!elements.contains(&"b".to_owned()) && !page.contains("src="), "names are text");
    assert!(page.contains("<p>Ended early: it was interrupted (SIGINT)</p>"));
    assert!(page.contains("-20.0+-2.3% better") && page.contains("Large folios split before"));
    assert!(page.contains("&lt;b&gt;default\n</text>"), "bars are called as cases are");
}

#[test]
fn an_experiment_goes_with_its_runs_when_that_is_wanted() {
    let folder = folder();
    let why = folder.fails(&["remove", "4"], 2);
    assert!(why.contains("its runs will be removed too: 1, 2") && why.contains("--yes"), "{why}");
    assert_eq!(ids(&folder), ["4", "3", "2", "1"]);
    folder.stdout(&["remove", "4", "--yes"]);
    assert_eq!(ids(&folder), ["3"]);
}

/// A foreign run with the number of one of its runs is kept.
#[test]
fn a_replaced_run_is_not_removed() {
    let folder = folder();
    let [before, ..] = runs();
    std::fs::remove_file(folder.path("2-after.json")).unwrap();
    folder.write("2-other.json", text(&swapadm::model::run::Run { id: 2, ..before }));
    folder.stdout(&["remove", "4", "-y"]);
    assert_eq!(ids(&folder), ["3", "2"]);
}

#[test]
fn run_commands_reject_experiments() {
    let folder = folder();
    let why = folder.fails(&["export", "3", "4", "--format", "html"], 2);
    assert!(why.contains("is an experiment") && why.contains("1, 2"), "{why}");
    folder.write("5-later.json", "{\"schema\": 9, \"cases\": []}");
    assert!(folder.fails(&["show", "5"], 6).contains("format version 9,"));
}
