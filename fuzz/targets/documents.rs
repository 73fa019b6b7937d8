//! Files that people or swapadm write, and texts that are typed or received.

use super::Check;
use super::tree::Tree;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::hint::black_box;
use std::io::Cursor;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use swapadm::actions::journal::{self, JournalLine, JournalStore};
use swapadm::change::Setting;
use swapadm::change::state::SwapStateFile;
use swapadm::cli::commands::change::state::file as state_file;
use swapadm::cli::commands::metrics::server;
use swapadm::columns::filter::{self, Filter};
use swapadm::columns::{Query, Request, TABLES, Value};
use swapadm::lab::{experiment, load, store};
use swapadm::learn::file::read_lesson;
use swapadm::learn::progress::LearnProgress;
use swapadm::model::{Missing, Name, Snapshot};
use swapadm::sampler::recording::{RecordingReader, RecordingWriter};
use swapadm::sim::cost::CostModel;
use swapadm::sim::describe::read_machine;
use swapadm::ui::settings::{self, Settings};

/// A target for texts. Bytes that are no text are refused before they reach the parser.
fn of_text(read: fn(&str)) -> Check {
    Box::new(move |input| {
        if let Ok(text) = std::str::from_utf8(input) {
            read(text);
        }
    })
}

const BUILTIN: &str = include_str!("../../src/lab/load/builtin/random-write.toml");

pub(super) fn workload() -> Check {
    of_text(|text| {
        black_box(load::file::read("fuzz", text).is_ok());
        // The first line as a changed key of a workload.
        let change = load::file::KeyOverride::parse(text.lines().next().unwrap_or_default());
        black_box(load::file::read_changed("fuzz", BUILTIN, &[change]).is_ok());
    })
}

pub(super) fn experiment() -> Check {
    of_text(|text| {
        black_box(experiment::file::read("fuzz", text).is_ok());
    })
}

/// The settings that were read are written over an empty file and read again. Shares are written with six digits, so the
/// first reading may differ, but no later one.
pub(super) fn settings() -> Check {
    of_text(|text| {
        let (read, _) = settings::read("fuzz", text);
        let write = |settings: &Settings| {
            let text = settings::carry("", &Settings::default(), settings);
            let text = text.expect("an empty file takes every setting");
            let (again, problems) = settings::read("fuzz", &text);
            assert!(problems.is_empty(), "{text}: {problems:?}");
            (text, again)
        };
        let (text_again, again) = write(&read);
        assert_eq!(write(&again), (text_again, again));
        if let Ok(reset) = settings::carry(text, &read, &Settings::default()) {
            let (back, _) = settings::read("fuzz", &reset);
            black_box(back);
        }
    })
}

/// A state with its settings in order. `None` if it repeats one, or names one as no kernel does: `apply` refuses
/// the second kind later.
fn sorted(mut state: SwapStateFile) -> Option<SwapStateFile> {
    let key = |(setting, _): &(Setting, String)| {
        (setting.group.as_ref().map(Name::exact), setting.knob.clone())
    };
    state.settings.sort_by_key(key);
    let is_repeated = state.settings.windows(2).any(|two| key(&two[0]) == key(&two[1]));
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    let is_named = |(setting, _): &(Setting, String)| setting.knob.chars().all(is_plain);
    (!is_repeated && state.settings.iter().all(is_named)).then_some(state)
}

pub(super) fn state() -> Check {
    of_text(|text| {
        if let Some(state) = state_file::read("fuzz", text).ok().and_then(sorted) {
            let written = state_file::text(&state);
            let again = state_file::read("fuzz", &written).ok().and_then(sorted);
            assert_eq!(again, Some(state), "{written}");
        }
    })
}

pub(super) fn machine() -> Check {
    of_text(|text| {
        if let Ok(machine) = read_machine("fuzz", "fuzz", text) {
            let written = machine.to_toml();
            assert_eq!(read_machine("fuzz", "fuzz", &written), Ok(machine), "{written}");
        }
    })
}

pub(super) fn costs() -> Check {
    of_text(|text| {
        black_box(CostModel::read("fuzz", text).is_ok());
    })
}

pub(super) fn lesson() -> Check {
    of_text(|text| {
        black_box(read_lesson("fuzz", "fuzz", text).is_ok());
    })
}

pub(super) fn progress() -> Check {
    of_text(|text| {
        let progress = LearnProgress::parse(text);
        assert_eq!(LearnProgress::parse(&progress.to_text()), progress);
    })
}

/// All snapshots of a recording.
fn replay(bytes: &[u8]) -> Vec<Snapshot> {
    RecordingReader::new(Cursor::new(bytes)).map(Iterator::collect).unwrap_or_default()
}

fn check_recording(bytes: &[u8]) {
    if let Ok(mut reader) = RecordingReader::new(Cursor::new(bytes)) {
        black_box(reader.stamps().count());
    }
    let snapshots = replay(bytes);
    let mut written = Vec::new();
    let mut writer = RecordingWriter::new(&mut written).expect("memory takes every byte");
    for snapshot in &snapshots {
        writer.add(snapshot).expect("memory takes every byte");
    }
    assert_eq!(replay(&written), snapshots);
}

pub(super) fn recording() -> Check {
    Box::new(check_recording)
}

/// An input is the lines of a recording before compression, without its first one.
pub(super) fn snapshot() -> Check {
    let mut begin = Vec::new();
    RecordingWriter::new(&mut begin).expect("memory takes every byte");
    Box::new(move |input| {
        let lines = input.split_inclusive(|byte| *byte == b'\n');
        let frames = lines.flat_map(|line| compress_to_vec(line, CompressionLevel::Uncompressed));
        check_recording(&begin.iter().copied().chain(frames).collect::<Vec<u8>>());
    })
}

pub(super) fn result() -> Check {
    let tree = Tree::new(&[]);
    let file = tree.file("result.json", b"");
    Box::new(move |input| {
        file.set(input);
        black_box(store::load(&tree.root().folder().join("result.json")));
    })
}

pub(super) fn journal() -> Check {
    Box::new(|input| {
        let text = String::from_utf8_lossy(input);
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let read = |line: &str| serde_json::from_str::<JournalLine>(line);
        for line in lines.iter().filter_map(|line| read(line).ok()) {
            let written = serde_json::to_string(&line).expect("every line can be written");
            assert_eq!(read(&written).ok(), Some(line), "{written}");
        }
        let store = JournalStore::Memory(Arc::new(Mutex::new(lines)));
        black_box(journal::read(&store).is_ok());
        let records = journal::read_unchecked(&store).expect("memory can be read");
        for record in &records {
            black_box((record.end(), record.is_open("boot"), record.steps_in_effect()));
            for step in &record.steps {
                black_box(step.describe());
            }
        }
        black_box(journal::undoable(&records, "boot").next());
        journal::Journal::open(&store, "boot").expect("memory can be read");
    })
}

fn cells(place: usize) -> Value {
    match place % 4 {
        0 => Value::Whole(place as u64),
        1 => Value::Text(format!("text {place}")),
        2 => Value::Real(0.5),
        _ => Value::Missing(Missing::NotSampled),
    }
}

/// The first byte of an input is the table; the rest is tried as a filter, as columns and as an order.
pub(super) fn filter() -> Check {
    Box::new(|input| {
        let Some((table, text)) = input.split_first() else { return };
        let Ok(text) = std::str::from_utf8(text) else { return };
        let spec = &TABLES[usize::from(*table) % TABLES.len()];
        if let Ok(filter) = Filter::parse(spec, &[0], text) {
            let values: Vec<Value> = (0..(spec.infos)().len()).map(cells).collect();
            black_box(filter.accepts(&|column| values.get(column), &|word| word.len() == 4));
            assert!(filter.columns().iter().all(|column| *column < values.len()));
        }
        let typed = || Some(text.to_owned());
        for request in [
            Request { filter: typed(), ..Request::default() },
            Request { columns: typed(), ..Request::default() },
            Request { sort: typed(), ..Request::default() },
        ] {
            if let Ok(query) = Query::new(spec, &request) {
                let row = |places: &[usize]| places.iter().map(|place| cells(*place)).collect();
                black_box(query.rows_from_cells(|places| vec![row(places), row(places)]));
            }
        }
        check_path(text);
    })
}

/// A filter for a path accepts this path.
fn check_path(path: &str) {
    let spec = TABLES.iter().find(|spec| spec.name == "cgroups").expect("the table exists");
    let Some(text) = filter::at_or_below("cgroup", path) else { return };
    let filter = Filter::parse(spec, &[], &text).unwrap_or_else(|why| panic!("{text}: {why}"));
    let value = Value::Text(path.to_owned());
    assert!(filter.accepts(&|_| Some(&value), &|_| false), "{text}");
}

pub(super) fn name() -> Check {
    Box::new(|input| {
        let name = Name::new(input);
        assert_eq!(Name::from_exact(&name.exact()), Ok(name.clone()));
        assert!(!name.safe().contains(char::is_control));
        if let Ok(text) = std::str::from_utf8(input)
            && let Ok(typed) = Name::from_exact(text)
        {
            assert_eq!(Name::from_exact(&typed.exact()), Ok(typed));
        }
    })
}

/// The answer to a complete request has the length that it names.
pub(super) fn http() -> Check {
    Box::new(|input| {
        let answer = server::answer_once_complete(input, |_| Rc::from("metrics"));
        let Some(answer) = answer else { return };
        let (head, body) = answer.split_once("\r\n\r\n").expect("the head has an end");
        let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: "));
        assert_eq!(length.and_then(|length| length.parse().ok()), Some(body.len()), "{answer}");
    })
}
