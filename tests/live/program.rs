//! Running the program under test, and other programs.

use crate::lab::Lab;
use serde_json::Value;
use std::ffi::OsString;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use swapadm::model::Snapshot;
use swapadm::sampler::recording;

/// The user nobody.
pub(crate) const NOBODY: u32 = 65534;

/// The program under test, where it was built.
pub(crate) fn built() -> PathBuf {
    let here = || OsString::from(env!("CARGO_BIN_EXE_swapadm"));
    std::env::var_os("SWAPADM_BIN").unwrap_or_else(here).into()
}

/// The program, without environment variables that affect it.
pub(crate) fn command(program: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).env_remove("SWAPADM_ROOT").env("LC_ALL", "C");
    command
}

/// The copy that every user may run, with the journal of the laboratory.
pub(crate) fn journalled(lab: &Lab, arguments: &[&str]) -> Command {
    let mut command = command(&lab.scratch.program(), arguments);
    command.env("SWAPADM_JOURNAL", lab.scratch.file("journal"));
    command
}

/// The output of a command that must succeed.
pub(crate) fn output(command: &mut Command) -> String {
    let output = command.output().expect("the program starts");
    assert!(output.status.success(), "{command:?} failed: {}", describe_failure(&output));
    String::from_utf8(output.stdout).expect("text")
}

/// The JSON output.
pub(crate) fn json(command: &mut Command) -> Value {
    let text = output(command);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{command:?}: {error}: {text}"))
}

/// Validates the output of a command that runs loads.
pub(crate) fn in_form(schema: &str, document: &Value) {
    let (schemas, index) = crate::form::compile(schema);
    if let Err(error) = schemas.validate(document, index) {
        panic!("not as the schema says: {error:#}\n{document}");
    }
}

/// The rows of a table.
pub(crate) fn rows(document: &Value, table: &str) -> Vec<Value> {
    let rows = document["tables"][table]["rows"].as_array();
    rows.unwrap_or_else(|| panic!("there are no {table}: {}", document["tables"][table])).clone()
}

/// A table as JSON, as root.
pub(crate) fn table(table: &str, more: &[&str]) -> Vec<Value> {
    let arguments = [&[table, "--json"], more].concat();
    rows(&json(&mut command(&built(), &arguments)), table)
}

/// Snapshots half a second apart. Where zram's files are read by the program restarted as a helper, tests
/// cannot do it themselves.
pub(crate) fn snapshots(count: usize) -> Vec<Snapshot> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("recording");
    let path = file.to_str().expect("a plain name");
    output(&mut command(&built(), &["record", path, "-i", "0.5", "-c", &count.to_string()]));
    let recording = File::open(&file).expect("it was recorded");
    let reader = recording::RecordingReader::new(BufReader::new(recording)).expect("it is one");
    let snapshots: Vec<Snapshot> = reader.collect();
    assert_eq!(snapshots.len(), count);
    snapshots
}

/// Both outputs of a program; the outcome of a change comes first, since logs are truncated.
pub(crate) fn describe_failure(output: &Output) -> String {
    let out = String::from_utf8_lossy(&output.stdout);
    let err = String::from_utf8_lossy(&output.stderr);
    let told: Value = serde_json::from_str(&out).unwrap_or_default();
    let outcome = told.get("outcome").map(Value::to_string).unwrap_or_default();
    format!("{}: {outcome}{err}{out}", output.status)
}

/// The output of another program; none if it is missing or failed.
pub(crate) fn tool(name: &str, arguments: &[&str]) -> Option<String> {
    // A user's search path may lack /sbin.
    let mut places =
        ["/usr/sbin", "/sbin", "/usr/bin", "/bin"].iter().map(|place| Path::new(place).join(name));
    let path = places.find(|path| path.exists())?;
    let output = Command::new(path).args(arguments).env("LC_ALL", "C").output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
