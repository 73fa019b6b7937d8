//! The machine of a lesson: a built-in one or one of its own, started with changed keys.

use crate::lab::builtin::{self, Builtin, LOADS};
use crate::lab::load::file::KeyOverride;
use crate::model::load::Workload;
use crate::model::text::did_you_mean;
use crate::model::whole;
use crate::sim::areas::AreaSetup;
use crate::sim::dense::SeededRandom;
use crate::sim::describe::{BUILTIN_MACHINES, read_machine};
use crate::sim::machine::{Machine, MachineSetup};
use std::fmt::Write as _;
use toml_edit::{DocumentMut, Item, Table, Value};

/// The machine of a lesson.
#[derive(Clone, Debug)]
pub struct LessonMachine {
    name: String,
    /// The source that errors name.
    file: String,
    text: String,
}

/// A key of a lesson file with an error in its value.
type KeyError = (&'static str, String);

impl LessonMachine {
    /// The machine in the table of a lesson.
    pub(super) fn from_table(name: &str, file: &str, text: Option<&str>) -> Self {
        let text = text.unwrap_or_default().to_owned();
        Self { name: name.to_owned(), file: file.to_owned(), text }
    }

    /// Takes the built-in machine if the lesson names one, and checks that it has either a name or a table.
    pub(super) fn use_builtin(
        &mut self,
        named: Option<&str>,
        has_table: bool,
    ) -> Result<(), String> {
        let known = BUILTIN_MACHINES.map(|(name, _)| name);
        match (named, has_table) {
            (Some(_), true) => {
                Err("the lesson has a table [machine] too: use one of them".to_owned())
            }
            (None, true) => Ok(()),
            (None, false) => Err(format!(
                "the lesson needs a machine: add a table [machine], or use {}",
                known.join(", ")
            )),
            (Some(named), false) => {
                let found = BUILTIN_MACHINES.iter().find(|(name, _)| *name == named);
                let (name, text) = found.ok_or_else(|| {
                    let meant = did_you_mean(named, known);
                    format!(
                        "\"{named}\" is not a built-in machine: use {}{meant}",
                        known.join(", ")
                    )
                })?;
                (*name).clone_into(&mut self.name);
                (*text).clone_into(&mut self.text);
                self.name.clone_into(&mut self.file);
                Ok(())
            }
        }
    }

    /// The errors of its file.
    pub(super) fn read_errors(&self) -> Vec<String> {
        read_machine(&self.name, &self.file, &self.text).err().unwrap_or_default()
    }

    /// Checks changed keys, and the name of an area.
    pub(super) fn check(&self, set: Option<&[String]>, off: Option<&str>) -> Result<(), KeyError> {
        let setup = self.setup(set.unwrap_or_default(), None).map_err(|why| ("set", why))?;
        let load = setup.load.as_deref().map(|load| builtin_load(load, &setup.load_changes));
        load.transpose().map_err(|why| ("machine", why))?;
        match off {
            Some(off) if !setup.areas.iter().any(|area| is_called(area, off)) => {
                let paths: Vec<&str> = setup.areas.iter().map(|area| area.path.as_str()).collect();
                Err(("off", format!("there is no area \"{off}\": use {}", paths.join(", "))))
            }
            _ => Ok(()),
        }
    }

    /// The machine with these keys changed.
    pub fn setup(&self, changes: &[String], seed: Option<u64>) -> Result<MachineSetup, String> {
        let mut document: DocumentMut =
            self.text.parse().map_err(|_| format!("{} is not TOML", self.file))?;
        for change in changes {
            set_key(&mut document, change)?;
        }
        let text = document.to_string();
        let read = read_machine(&self.name, "machine", &text);
        let mut setup = read.map_err(|problems| problems.join("; "))?;
        if let Some(seed) = seed {
            let rounds = f64::from(setup.rounds_per_second) * size_factor(seed);
            setup.rounds_per_second = u32::try_from(whole(rounds)).unwrap_or(u32::MAX);
            setup.seed = seed;
        }
        Ok(setup)
    }

    /// Starts the machine with these keys changed, and the workload that it names.
    pub fn start(&self, changes: &[String], seed: Option<u64>) -> Result<Machine, String> {
        let setup = self.setup(changes, seed)?;
        let load = setup.load.as_deref().map(|load| builtin_load(load, &setup.load_changes));
        let mut machine = Machine::new(setup.clone());
        if let Some(load) = load.transpose()? {
            machine.start(&load)?;
        }
        Ok(machine)
    }
}

/// Whether an area has this path or name.
pub(super) fn is_called(area: &AreaSetup, name: &str) -> bool {
    area.path == name || area.path.rsplit('/').next() == Some(name)
}

/// Sets `KEY=VALUE` of a machine, `area.KEY`, `1.KEY` or `zswap.KEY`.
fn set_key(document: &mut DocumentMut, change: &str) -> Result<(), String> {
    let Some((key, text)) = change.split_once('=') else {
        return Err(format!("\"{change}\" is not a change: use KEY=VALUE"));
    };
    let (key, text) = (key.trim(), text.trim());
    let list = Some(text).filter(|text| text.starts_with('[')).and_then(|text| text.parse().ok());
    let value = list.unwrap_or_else(|| Value::from(text));
    let value = if text == "default" { Item::None } else { Item::Value(value) };
    match key.split_once('.') {
        None if key == "zswap" && text == "off" => drop(document.remove(key)),
        None => put(document, key, value),
        Some(("zswap", key)) => {
            let zswap = document.entry("zswap").or_insert_with(|| Item::Table(Table::new()));
            let table = zswap.as_table_mut().ok_or("zswap is not a table")?;
            put(table, key, value);
        }
        Some((which, key)) => {
            let number = which.parse::<usize>().ok();
            if number.is_none() && which != "area" {
                return Err(format!("\"{which}\" is unknown: use area.KEY, 1.KEY or zswap.KEY"));
            }
            let areas = document.get_mut("area").and_then(Item::as_array_of_tables_mut);
            let areas = areas.ok_or("the machine has no areas")?;
            let count = areas.len();
            if number.is_some_and(|number| number == 0 || number > count + 1) {
                return Err(format!(
                    "there is no area {which}: use 1 to {count}, or {} to add one",
                    count + 1
                ));
            }
            if number == Some(count + 1) {
                areas.push(Table::new());
            }
            let wanted = |place: usize| number.is_none_or(|number| number == place);
            for (_, area) in (1..).zip(areas.iter_mut()).filter(|(place, _)| wanted(*place)) {
                put(area, key, value.clone());
            }
        }
    }
    Ok(())
}

/// Sets a key, or removes it if there is no value.
fn put(table: &mut Table, key: &str, value: Item) {
    if value.is_none() {
        table.remove(key);
    } else {
        table.insert(key, value);
    }
}

/// How much larger than in its file the sizes of a lesson are with a seed, and the work of a second with them.
pub(super) fn size_factor(seed: u64) -> f64 {
    1.02 + SeededRandom::new(seed).share() * 0.23
}

/// The text with larger sizes in M, in its machines, workloads and sentences alike: what is compared stays comparable.
pub(super) fn scale_sizes(text: &str, factor: f64) -> String {
    let is_word = |it: char| it.is_alphanumeric() || it == '.';
    let mut scaled = String::new();
    for word in text.split_inclusive(|it| !is_word(it)) {
        let size = word.trim_end_matches(|it: char| !it.is_alphanumeric());
        let number = size.strip_suffix('M').and_then(|size| size.parse::<f64>().ok());
        match number {
            Some(number) => {
                let tenths = (number * factor * 10.0).round() / 10.0;
                let rest = word.strip_prefix(size).unwrap_or_default();
                let _ = write!(scaled, "{tenths}M{rest}");
            }
            None => scaled.push_str(word),
        }
    }
    scaled
}

/// A built-in workload with changed keys.
pub(super) fn builtin_load(name: &str, changes: &[String]) -> Result<Workload, String> {
    let found = builtin::find(LOADS, name).ok_or_else(|| {
        let names = LOADS.iter().map(|load| load.name);
        let all: Vec<&str> = names.clone().collect();
        format!(
            "\"{name}\" is not a built-in workload: use {}{}",
            all.join(", "),
            did_you_mean(name, names)
        )
    });
    let changes: Vec<KeyOverride> = changes.iter().map(|it| KeyOverride::parse(it)).collect();
    let load = found.map(Builtin::source)?.load(&changes);
    let load = load.map_err(|problems| {
        problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    })?;
    Ok(load.0)
}

/// Splits the table of the machine from a lesson. Each part has blank lines in place of the other, so that line
/// numbers stay.
pub(super) fn split_machine(text: &str) -> (String, Option<String>) {
    let (mut lesson, mut machine) = (String::new(), String::new());
    let (mut is_machine, mut is_quoted, mut found) = (false, false, false);
    for line in text.split_inclusive('\n') {
        let head = line.trim_start();
        let mut shown = line.to_owned();
        if !is_quoted && head.starts_with('[') {
            let name = head.trim_start_matches('[');
            let own = name.strip_prefix("machine");
            is_machine = own.is_some_and(|rest| rest.starts_with(['.', ']']));
            found |= is_machine;
            if is_machine {
                let inner = own.is_some_and(|rest| rest.starts_with('.'));
                shown = if inner { line.replacen("machine.", "", 1) } else { "\n".to_owned() };
            }
        }
        for quotes in ["\"\"\"", "'''"] {
            is_quoted ^= line.matches(quotes).count() % 2 == 1;
        }
        let (own, other) =
            if is_machine { (&mut machine, &mut lesson) } else { (&mut lesson, &mut machine) };
        own.push_str(&shown);
        other.push('\n');
    }
    (lesson, found.then_some(machine))
}
