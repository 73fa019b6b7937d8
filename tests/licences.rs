//! Licences of the crates in the program: deny.toml allows all of them, and the list of a release has them all.

#![allow(clippy::disallowed_methods, reason = "tests run cargo and write their own files")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "the helpers of a test stop it")]

use crate::common;

use common::repository;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};

/// Prints the list of a release, from the sources in a folder.
fn list(folder: &Path) -> Output {
    Command::new(folder.join("packaging/licences"))
        .arg("1.2.3")
        .env("CARGO_NET_OFFLINE", "true")
        .env("SOURCE_DATE_EPOCH", "0")
        .output()
        .unwrap()
}

/// Crates as name and version.
type Crates = BTreeSet<(String, String)>;

/// The program with the crates that it needs itself, and with all that those need, without crates of tests and
/// builds. The latter are too many: cargo counts features that only tests enable.
fn crates() -> (Crates, Crates) {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--locked", "--format-version", "1"])
        .args(["--filter-platform", &host()])
        .current_dir(repository(""))
        .output()
        .unwrap();
    let all: Value = serde_json::from_slice(&output.stdout).unwrap();
    let nodes = all["resolve"]["nodes"].as_array().unwrap();
    let needs = |id: &str| -> Vec<&str> {
        let node = nodes.iter().find(|node| node["id"] == id).unwrap();
        let is_normal = |dep: &&Value| {
            dep["dep_kinds"].as_array().unwrap().iter().any(|kind| kind["kind"].is_null())
        };
        let deps = node["deps"].as_array().unwrap().iter().filter(is_normal);
        deps.map(|dep| dep["pkg"].as_str().unwrap()).collect()
    };
    let root = all["resolve"]["root"].as_str().unwrap();
    let own: BTreeSet<&str> = needs(root).into_iter().chain([root]).collect();
    let (mut waiting, mut found) = (vec![root], BTreeSet::new());
    while let Some(id) = waiting.pop() {
        if found.insert(id) {
            waiting.extend(needs(id));
        }
    }
    let packages = all["packages"].as_array().unwrap();
    let text = |package: &Value, key: &str| package[key].as_str().unwrap().to_owned();
    let named = |ids: &BTreeSet<&str>| {
        let packages = packages.iter().filter(|it| ids.contains(it["id"].as_str().unwrap()));
        packages.map(|package| (text(package, "name"), text(package, "version"))).collect()
    };
    (named(&own), named(&found))
}

/// The name of this machine for cargo.
fn host() -> String {
    let output = Command::new("rustc").arg("-vV").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().find_map(|line| line.strip_prefix("host: ")).unwrap().to_owned()
}

#[test]
fn the_list_of_a_release_has_each_crate_with_its_licence() {
    let output = list(&repository(""));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let values = |key: &str| -> Vec<String> {
        text.lines().filter_map(|line| line.strip_prefix(key)).map(str::to_owned).collect()
    };
    let (names, versions) = (values("PackageName: "), values("PackageVersion: "));
    let listed: Crates = names.iter().cloned().zip(versions).collect();
    let (own, all) = crates();
    assert!(listed.is_superset(&own), "{own:?} {listed:?}");
    assert!(listed.is_subset(&all), "{listed:?} {all:?}");
    assert!(own.len() > 10 && listed.len() > own.len(), "{listed:?}");
    for key in ["PackageLicenseConcluded: ", "PackageLicenseDeclared: ", "SPDXID: SPDXRef-Package-"]
    {
        let values = values(key);
        assert_eq!(values.len(), names.len(), "{key}");
        assert!(values.iter().all(|value| !value.is_empty() && !value.contains('/')), "{values:?}");
    }
    assert_eq!(values("Created: "), ["1970-01-01T00:00:00Z"]);
    assert_eq!(values("Relationship: SPDXRef-Package-swapadm DEPENDS_ON ").len(), names.len() - 1);
}

#[test]
fn a_licence_that_is_not_allowed_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(repository("")).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name();
        if !["target", "deny.toml", "packaging", ".git"].contains(&name.to_str().unwrap()) {
            symlink(entry.path(), folder.path().join(name)).unwrap();
        }
    }
    fs::create_dir(folder.path().join("packaging")).unwrap();
    fs::copy(repository("packaging/licences"), folder.path().join("packaging/licences")).unwrap();
    fs::write(folder.path().join("deny.toml"), "[licenses]\nallow = [\"Zlib\"]\n").unwrap();
    let output = list(folder.path());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(said.contains("is not allowed by deny.toml"), "{said}");
}
