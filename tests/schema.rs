//! All `--json` output matches the schemas in `schema/`.

#![allow(clippy::disallowed_methods, reason = "this test reads a file of the repository")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "the helpers of a test stop it")]

use crate::common;

use boon::{SchemaIndex, Schemas};
use clap::ValueEnum as _;
use common::schema::compiled;
use common::{Machine, with_each, with_each_machine};
use serde_json::{Value, json};
use std::fs;
use swapadm::actions::check::CheckVerdict;
use swapadm::actions::estimate::BASES;
use swapadm::actions::journal::PlanEnd;
use swapadm::actions::rebalance::KINDS;
use swapadm::change::setup::{MachineProfile, SetupKey};
use swapadm::cli::args::StrategyName;
use swapadm::cli::schemas::{self, WrittenSchema};
use swapadm::derive::statistics::DifferenceVerdict;
use swapadm::lab::run_spec::TemporaryAreaKind;
use toml_edit::{DocumentMut, Item};

const COMMANDS: [&str; 14] = [
    "status",
    "devices",
    "groups",
    "zram",
    "zswap",
    "mthp",
    "readahead",
    "paging",
    "processes",
    "cgroups",
    "pressure",
    "knobs",
    "numa",
    "sources",
];

fn check(schema: &(Schemas, SchemaIndex), document: &Value, what: &str) {
    if let Err(error) = schema.0.validate(document, schema.1) {
        panic!("{what} is not as the schema says: {error:#}");
    }
}

#[test]
fn every_report_is_as_the_schema_says() {
    let schema = compiled();
    with_each_machine(|machine| check(&schema, &machine.report(), &machine.name));
}

/// A TOML file as JSON.
fn json_of(item: &Item) -> Value {
    match item {
        Item::Value(toml_edit::Value::String(text)) => text.value().clone().into(),
        Item::Value(toml_edit::Value::Integer(number)) => (*number.value()).into(),
        Item::Value(toml_edit::Value::Float(number)) => (*number.value()).into(),
        Item::Value(toml_edit::Value::Boolean(flag)) => (*flag.value()).into(),
        Item::Value(toml_edit::Value::Array(items)) => {
            items.iter().map(|item| json_of(&Item::Value(item.clone()))).collect()
        }
        Item::Table(table) => {
            let keys = table.iter().map(|(key, item)| (key.to_owned(), json_of(item)));
            Value::Object(keys.collect())
        }
        Item::ArrayOfTables(tables) => {
            tables.iter().map(|table| json_of(&Item::Table(table.clone()))).collect()
        }
        Item::None | Item::Value(_) => panic!("{item:?}"),
    }
}

#[test]
fn machines_and_lessons_are_as_their_schemas_say() {
    for (kind, folder) in [
        ("machine", "src/sim/machines"),
        ("lesson", "src/learn/lessons"),
        ("lesson", "tests/learn"),
    ] {
        let schema = common::schema::of_files(kind);
        for file in fs::read_dir(common::repository(folder)).unwrap() {
            let path = file.unwrap().path();
            let text = fs::read_to_string(&path).unwrap();
            let file: DocumentMut = text.parse().unwrap();
            let mut document = json_of(file.as_item());
            check(&schema, &document, &path.display().to_string());
            document["misspelt"] = 1.into();
            assert!(schema.0.validate(&document, schema.1).is_err(), "{}", path.display());
        }
    }
}

#[test]
fn every_command_is_as_the_schema_says() {
    let schema = compiled();
    with_each(&["6.1-mixed-loaded", "7.2-zswap-loaded", "host-cgroup-v1"], |name| {
        let machine = Machine::shared(name);
        for command in COMMANDS {
            let output = machine.run(&[command, "--json"]);
            let document = serde_json::from_slice(&output.stdout).unwrap();
            check(&schema, &document, &format!("{name}: {command}"));
            assert_eq!(document["command"], command, "{name}");
            // A table that could not be read still gives a document, and the exit status reports it.
            let nothing = document["tables"][command]["rows"].is_null() && command != "status";
            let expected = if nothing { 6 } else { 0 };
            assert_eq!(output.status.code(), Some(expected), "{name}: {command}");
        }
        check(&schema, &machine.json(&["processes", "--users", "--json"]), name);
        check(&schema, &machine.json(&["advise", "--no-config", "--json"]), name);
        check(&schema, &machine.json(&["devices", "-o", "name,used", "-J"]), name);
    });
}

#[test]
fn a_stream_is_one_document_a_line() {
    let schema = compiled();
    let machine = Machine::shared("6.12-mixed-loaded");
    let printed = machine.stdout(&["report", "--json", "--interval", "0.01", "--count", "2"]);
    assert_eq!(printed.lines().count(), 1, "a captured machine has one sample");
    check(&schema, &serde_json::from_str(&printed).unwrap(), "a line of a stream");
}

#[test]
fn a_dry_run_matches_its_schema() {
    let machine = Machine::shared("6.12-mixed-loaded");
    let refused = |arguments: &[&str]| {
        let output = machine.run(&[arguments, &["--dry-run", "--json"]].concat());
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let stress = refused(&["stress", "run", "usemem", "--set", "swappiness=1"]);
    check(&common::schema::of_loads(), &stress, "stress run");
    assert_eq!((&stress["kind"], &stress["run"]), (&"stress run".into(), &Value::Null));
    let file = tempfile::Builder::new().suffix(".toml").tempfile().unwrap();
    let text = "about = 'a'\nquestion = 'q'\ncolumns = ['system']\n[base]\nload = 'usemem'\n\
        [[factor]]\nname = 'f'\nkey = 'set.swappiness'\nvalues = [1, 60]\n\
        [published]\nmachine = 'm'\nheads = ['a']\nrows = [['1']]\n";
    std::fs::write(file.path(), text).unwrap();
    let document = refused(&["experiment", "run", file.path().to_str().unwrap()]);
    check(&common::schema::of_trials(), &document, "experiment run");
    assert_eq!(document["kind"], "experiment run");
    let schema = common::schema::of_trials();
    assert!(schema.0.validate(&stress, schema.1).is_err(), "the two differ");
}

#[test]
fn the_document_of_a_failure_is_as_its_schema_says() {
    use common::schema::{of_changes, of_loads, of_trials};
    let machine = Machine::shared("6.1-loaded");
    for (line, schema, version) in [
        ("set thp.shrink_underused=on", of_changes(), 1),
        ("off nosuch", of_changes(), 1),
        ("setup --with boot=x", of_changes(), 1),
        ("stress run nosuch", of_loads(), 2),
        ("experiment run nosuch", of_trials(), 2),
    ] {
        let words: Vec<&str> = line.split(' ').chain(["--dry-run", "--json"]).collect();
        let document: Value = serde_json::from_slice(&machine.run(&words).stdout).unwrap();
        assert_eq!(document["schema"], version, "{line}");
        assert!(document["error"].is_string() && document.as_object().unwrap().len() == 2);
        check(&schema, &document, line);
        let half = json!({ "schema": version, "title": "x" });
        assert!(schema.0.validate(&half, schema.1).is_err(), "{line}");
    }
}

#[test]
fn the_schema_rejects_foreign_documents() {
    let schema = compiled();
    let report = Machine::shared("6.1-noswap").report();
    let refuses = |change: &dyn Fn(&mut Value)| {
        let mut document = (*report).clone();
        change(&mut document);
        schema.0.validate(&document, schema.1).is_err()
    };
    assert!(refuses(&|document| document["schema"] = 1.into()));
    assert!(refuses(&|document| document["tables"]["nosuch"] = Value::Null));
    assert!(refuses(&|document| document["tables"]["headroom"]["rows"][0]["nosuch"] = 1.into()));
    assert!(refuses(&|document| document["tables"]["paging"]["rows"][0]["pswpin"] = "1".into()));
}

fn parsed(schema: &WrittenSchema) -> Value {
    serde_json::from_str(schema.text).unwrap()
}

/// The words with their meanings, as a schema lists them.
fn described<'w>(words: impl IntoIterator<Item = (&'w str, &'w str)>) -> Value {
    let words = words.into_iter();
    words.map(|(word, text)| json!({ "const": word, "description": text })).collect()
}

#[test]
fn the_schema_of_changes_has_the_words_of_the_program() {
    let schema = parsed(&schemas::CHANGE);
    let setup = &schema["properties"]["setup"]["properties"];
    let keys = SetupKey::ALL.map(|(_, word, _, values)| (word, values));
    assert_eq!(setup["choices"]["items"]["properties"]["key"]["oneOf"], described(keys));
    let profiles = MachineProfile::ALL.map(|kind| (kind.word(), kind.description()));
    assert_eq!(setup["profile"]["oneOf"], described(profiles));
    let definitions = &schema["$defs"];
    assert_eq!(definitions["estimate"]["properties"]["basis"]["oneOf"], described(BASES));
    let kinds = KINDS.map(|(kind, _)| kind);
    assert_eq!(definitions["finding"]["properties"]["id"]["enum"], json!(kinds));
    let strategies: Vec<_> = StrategyName::value_variants().iter().map(|it| it.word()).collect();
    assert_eq!(schema["properties"]["strategy"]["enum"], json!(strategies));
    let verdicts = [CheckVerdict::Ok, CheckVerdict::Note, CheckVerdict::Warn, CheckVerdict::Refuse];
    assert_eq!(definitions["check"]["properties"]["verdict"]["enum"], json!(verdicts));
    // A plan that only its own command undoes has no document of its own.
    let ends =
        [PlanEnd::Done, PlanEnd::Undone, PlanEnd::Partial, PlanEnd::Recovered, PlanEnd::Dismissed];
    assert_eq!(definitions["outcome"]["properties"]["end"]["enum"], json!(ends));
}

#[test]
fn the_schemas_of_the_lab_have_the_words_of_the_program() {
    let schemas = [schemas::EXPERIMENT, schemas::STRESS_RUN, schemas::EXPERIMENT_RUN];
    let [stored, stress, run] = schemas.map(|schema| parsed(&schema));
    let verdicts = DifferenceVerdict::ALL.iter().map(|verdict| Some(verdict.word()));
    let verdicts: Value = verdicts.chain([None]).collect();
    assert_eq!(stored["$defs"]["change"]["properties"]["verdict"]["enum"], verdicts);
    let kinds = &run["$defs"]["planned_case"]["properties"]["kinds"]["items"]["enum"];
    assert_eq!(*kinds, json!(TemporaryAreaKind::WORDS.map(|(word, _)| word)));
    for (name, definition) in stored["$defs"].as_object().unwrap() {
        assert_eq!(run["$defs"][name], *definition, "{name} stands in both schemas");
    }
    let check = &parsed(&schemas::CHANGE)["$defs"]["check"];
    assert_eq!([&stress["$defs"]["check"], &run["$defs"]["check"]], [check, check]);
}

#[test]
fn a_written_schema_describes_each_required_member() {
    for schema in schemas::WRITTEN.iter().filter(|schema| schema.name != schemas::CHANGE.name) {
        let members = schema.members();
        assert!(members.len() > 10, "{}", schema.name);
        assert!(members.iter().all(|(_, text)| !text.is_empty()), "{}: {members:?}", schema.name);
    }
}
