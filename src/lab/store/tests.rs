use super::*;
use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;

fn run() -> Run {
    let text = include_str!("../../../tests/results/kept/1-before.json");
    Run { id: 0, ..serde_json::from_str(text).unwrap() }
}

#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::write(path, bytes)
}

fn names(folder: &Path) -> Vec<String> {
    let names = Root::live().names(folder).into_result().unwrap();
    names.into_iter().map(|name| String::from_utf8(name).unwrap()).collect()
}

#[test]
fn stored_results_are_read_again() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::in_folder(&dir.path().join("new/results"));
    assert_eq!(store.list().unwrap(), []);
    let mut first = run();
    assert_eq!(store.save(&mut first).unwrap(), 1);
    let mut second = Run { title: "../a/b c\u{1b}".to_owned(), ..run() };
    assert_eq!((store.save(&mut second).unwrap(), second.id), (2, 2));
    assert_eq!(store.run(1).unwrap(), first);
    assert_eq!(store.run(store.last(0).unwrap()).unwrap(), second);
    assert_eq!(names(store.folder()), ["1-before.json", "2-a-b-c.json"]);
    let ids: Vec<u64> = store.list().unwrap().iter().map(|entry| entry.id).collect();
    assert_eq!(ids, [2, 1]);
    let file = store.folder().join("1-before.json").symlink_metadata().unwrap();
    assert_eq!(file.permissions().mode() & 0o777, 0o600);
    store.remove(1).unwrap();
    assert!(store.read(1).unwrap_err().to_string().contains("stored results: 2"));
}

/// A new file under the number and name of a removed one is read again.
#[test]
fn the_cache_reads_only_new_results() {
    let dir = tempfile::tempdir().unwrap();
    let (store, known) = (Store::in_folder(dir.path()), ResultCache::default());
    store.save(&mut run()).unwrap();
    store.save(&mut run()).unwrap();
    assert_eq!(known.list(&store).unwrap(), store.list().unwrap());
    store.remove(2).unwrap();
    assert_eq!(known.list(&store).unwrap(), store.list().unwrap());
    let other = Run { at_ms: 1, ..run() };
    store.save(&mut other.clone()).unwrap();
    assert_eq!(known.list(&store).unwrap(), store.list().unwrap());
    // An unchanged file is not read again.
    #[expect(clippy::disallowed_methods, reason = "another process writes into it")]
    let file = File::options().write(true).open(dir.path().join("1-before.json")).unwrap();
    let written = file.metadata().unwrap().modified().unwrap();
    (&file).write_all(b"none").unwrap();
    file.set_modified(written).unwrap();
    assert!(store.list().unwrap()[1].short.known().is_none());
    assert!(known.list(&store).unwrap()[1].short.known().is_some());
}

#[test]
fn published_figures_are_stored_with_an_experiment() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::in_folder(dir.path());
    let document = r#"{"schema":1,"version":"x","id":0,"at_ms":1,"title":"mine","question":"?",
        "seed":1,"repetitions":1,"order":[],"columns":[],"across":null,"notes":[],"cases":[],
        "why":null}"#;
    let mut experiment: Experiment = serde_json::from_str(document).unwrap();
    let published = Published {
        machine: "another one".to_owned(),
        heads: vec!["a".to_owned()],
        names: 1,
        rows: vec![vec!["5".to_owned()]],
    };
    for published in [Some(&published), None] {
        let mut carried = ExperimentToStore { experiment: &mut experiment, published };
        let id = store.save(&mut carried).unwrap();
        let StoredResult::Experiment(read, beside) = store.read(id).unwrap() else {
            unreachable!()
        };
        assert_eq!((&*read, beside.published.as_ref()), (&experiment, published));
    }
}

/// Runs that end at the same moment, with equal or different titles, are all stored.
#[test]
fn concurrent_results_get_different_numbers() {
    let dir = tempfile::tempdir().unwrap();
    let keep = |thread: u32| {
        let store = Store::in_folder(dir.path());
        let mut run = Run { title: format!("from {thread}"), ..run() };
        run.measured.clear();
        (0..20).map(|_| store.save(&mut run).unwrap()).collect::<Vec<_>>()
    };
    let ids: Vec<u64> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..6).map(|thread| scope.spawn(move || keep(thread))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let different: BTreeSet<u64> = ids.iter().copied().collect();
    assert_eq!(different.len(), ids.len());
    assert_eq!(names(dir.path()).len(), ids.len(), "no other files are left");
}

#[test]
fn nothing_is_overwritten_at_the_largest_number() {
    let dir = tempfile::tempdir().unwrap();
    write(&dir.path().join("4294967295.json"), b"").unwrap();
    let store = Store::in_folder(dir.path());
    for _ in 0..2 {
        let why = store.save(&mut run()).unwrap_err().to_string();
        assert!(why.contains("no number is left"), "{why}");
    }
    assert_eq!(names(dir.path()), ["4294967295.json"]);
}

#[test]
fn reserved_numbers_are_skipped_and_failures_leave_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::in_folder(dir.path());
    let held = own_file::lock_file(&dir.path().join(".1.new")).unwrap().unwrap();
    assert_eq!(store.save(&mut run()).unwrap(), 2);
    assert_eq!(names(dir.path()), [".1.new", "2-before.json"]);
    drop(held);
    // A folder has the name.
    fs::create_dir(dir.path().join("3-before.json")).unwrap();
    assert_eq!(store.save(&mut run()).unwrap(), 4);
    let blocked = Store::in_folder(&dir.path().join("2-before.json"));
    let mut lost = run();
    blocked.save(&mut lost).unwrap_err();
    assert_eq!(lost.id, 0);
}

/// A path that is not a folder is an error, not an empty store.
#[test]
fn a_missing_folder_is_empty_and_an_unreadable_one_fails() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(Store::in_folder(&dir.path().join("not/there")).list().unwrap(), []);
    let file = dir.path().join("file");
    write(&file, b"").unwrap();
    for (folder, why) in [(file.clone(), "not a directory"), (file.join("x"), "Not a directory")] {
        let failure = Store::in_folder(&folder).list().unwrap_err();
        assert_eq!(failure.to_string(), format!("{}: {why}", folder.display()));
        assert!(matches!(failure, ChangeError::File { .. } | ChangeError::Missing(_)), "{failure}");
    }
}

/// A kill while writing leaves an unfinished file that no process holds.
#[test]
fn partial_files_are_removed_by_the_next_save() {
    let dir = tempfile::tempdir().unwrap();
    for name in [".7.new", ".x.new", ".new", "7.new"] {
        write(&dir.path().join(name), b"{").unwrap();
    }
    fs::create_dir(dir.path().join(".8.new")).unwrap();
    std::os::unix::fs::symlink(dir.path().join(".x.new"), dir.path().join(".9.new")).unwrap();
    assert_eq!(Store::in_folder(dir.path()).save(&mut run()).unwrap(), 1);
    let mut left = names(dir.path());
    left.sort_unstable();
    assert_eq!(left, [".8.new", ".9.new", ".new", ".x.new", "1-before.json", "7.new"]);
}

#[test]
fn only_result_file_names_have_a_number() {
    let ids = ["7-a.json", "7.json", "007-x-8.json", "a-7.json", "-.json", "7-a.txt", "0-a.json"];
    let ids = ids.map(|name| parse_id(name.as_bytes()));
    assert_eq!(ids, [Some(7), Some(7), Some(7), None, None, None, None]);
    assert_eq!(parse_id(b"99999999999999999999-a.json"), None);
    assert_eq!(file_name(3, "\u{e4}/../\n"), "3.json");
}
