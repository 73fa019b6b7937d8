//! The file of an experiment: TOML, read strictly. Whatever cannot be followed is told, all at
//! once, with its line and its key, and nothing runs.

mod reader;

use super::keys::{MOST_CASES, MOST_REPETITIONS, NAMES, REPETITIONS, Section};
use super::settings::{Said, Settings};
use super::{Factor, Note, Plan, Published, Value, When, columns};
use super::{fits, matrix};
use crate::model::near::question;
use crate::stress::file::{Source, Wrong, no_toml};
use reader::{Reader, Table};
use toml_edit::Document;

/// Bytes that a file may have. Nobody types as many; a larger one is some other file.
pub const LARGEST: usize = 64 * 1024;
/// The experiment that a file says.
///
/// # Errors
/// All that cannot be followed.
pub fn read(name: &str, text: &str) -> Result<Plan, Vec<Wrong>> {
    let mut reader = Reader::of(name, text);
    if text.len() > LARGEST {
        reader.tell(
            None,
            None,
            &format!("the file has more than {LARGEST} bytes: this is no experiment"),
        );
        return Err(reader.wrongs);
    }
    let document = match Document::parse(text) {
        Ok(document) => document,
        Err(error) => {
            let (line, key, why) = no_toml(text, &error);
            reader.tell(line, key.as_deref(), &why);
            return Err(reader.wrongs);
        }
    };
    let plan = reader.plan(name, Table::top(document.as_table()));
    if reader.wrongs.is_empty() { Ok(plan) } else { Err(reader.wrongs) }
}

/// The same, called as it is known.
///
/// # Errors
/// All that cannot be followed.
pub fn plan(source: &Source) -> Result<Plan, Vec<Wrong>> {
    let plan = read(&source.file, &source.text)?;
    Ok(Plan { name: source.name.clone(), ..plan })
}

impl Reader<'_> {
    fn plan(&mut self, name: &str, top: Table<'_>) -> Plan {
        self.only(top);
        let about = self.words(top, "about");
        let question = self.words(top, "question");
        let columns = self.columns(top);
        let before = self.wrongs.len();
        let notes = self.tables(Section::Note, top, "note");
        let published = self.table(Section::Published, top, "published");
        let plan = Plan {
            name: name.to_owned(),
            file: name.to_owned(),
            about,
            question,
            repetitions: self.repetitions(top),
            columns,
            across: self.text(top, "across").map(|said| said.text),
            base: self.base(top),
            factors: self.factors(top).into_iter().map(|it| self.factor(it)).collect(),
            notes: notes.into_iter().map(|it| self.note(it)).collect(),
            published: published.map(|table| self.published(table)),
        };
        // What cannot be followed is missing there.
        if self.is_well_since(before) {
            self.matrix(top, &plan);
        }
        self.across(top, &plan);
        self.names_of_factors(top, &plan);
        plan
    }

    fn factors<'i>(&mut self, top: Table<'i>) -> Vec<Table<'i>> {
        self.tables(Section::Factor, top, "factor")
    }

    /// Cases are known by the names of their factors.
    fn names_of_factors(&mut self, top: Table<'_>, plan: &Plan) {
        let tables = self.factors(top);
        for (place, (table, factor)) in tables.into_iter().zip(&plan.factors).enumerate() {
            let name = &factor.name;
            // That one has no name is told already.
            let is_named = !name.is_empty();
            if is_named && plan.factors.iter().take(place).any(|other| other.name == *name) {
                let why = format!("two factors are called \"{name}\": give each a name of its own");
                self.tell_of(table, "name", &why);
            }
        }
    }

    fn repetitions(&mut self, top: Table<'_>) -> u32 {
        let Some(said) = self.text(top, "repetitions") else { return REPETITIONS };
        let count = said.text.parse().ok().filter(|count| (1..=MOST_REPETITIONS).contains(count));
        count.unwrap_or_else(|| {
            self.refuse(top, "repetitions", &format!("\"{}\"", said.text));
            REPETITIONS
        })
    }

    fn columns(&mut self, top: Table<'_>) -> Vec<String> {
        let before = self.wrongs.len();
        let columns = self.list(top, "columns").unwrap_or_default();
        if columns.is_empty() && self.is_well_since(before) {
            self.want(top, "columns");
        }
        for id in columns.iter().filter(|id| !columns::is_known(id)) {
            let why = format!(
                "there is no figure \"{id}\": use used, or those that swapadm results show --json names"
            );
            self.tell_of(top, "columns", &why);
        }
        columns
    }

    fn base(&mut self, top: Table<'_>) -> Settings {
        let base = self.table(Section::Base, top, "base");
        base.map(|table| self.settings(table)).unwrap_or_default()
    }

    /// All keys of a table that are settings.
    fn settings(&mut self, table: Table<'_>) -> Settings {
        let mut settings = Settings::default();
        for (key, said) in self.pairs(table) {
            self.put(&mut settings, &key, said, &table.key(&key));
        }
        settings
    }

    fn put(&mut self, settings: &mut Settings, key: &str, said: Said, shown: &str) {
        let line = said.line;
        if let Err(why) = settings.put(key, said) {
            self.tell(line, Some(shown), &why);
        }
    }

    fn factor(&mut self, table: Table<'_>) -> Factor {
        self.only(table);
        let before = self.wrongs.len();
        let name = self.needed(table, "name");
        let key = self.text(table, "key");
        let listed = self.list(table, "values");
        let line = ["values", "key", "name"].iter().find_map(|key| self.line(table, key));
        let values = match (key, listed) {
            (Some(key), Some(list)) if !table.has("value") => {
                let each = list.into_iter().map(|text| {
                    let mut settings = Settings::default();
                    let said = Said { text: text.clone(), line };
                    self.put(&mut settings, &key.text, said, &format!("factor.{}", key.text));
                    Value { name: text, settings }
                });
                each.collect()
            }
            (None, None) => {
                let values = self.tables(Section::Value, table, "value");
                values.into_iter().map(|it| self.value(it)).collect()
            }
            _ => {
                if self.is_well_since(before) {
                    let why =
                        "a factor has either key and values, or a [[factor.value]] for each value";
                    self.tell(line, Some("factor"), why);
                }
                Vec::new()
            }
        };
        if values.len() < 2 && self.is_well_since(before) {
            self.tell(
                line,
                Some("factor"),
                &format!("\"{name}\" has fewer than two values: nothing differs"),
            );
        }
        self.distinct(&values, line);
        Factor { name, values }
    }

    fn distinct(&mut self, values: &[Value], line: Option<usize>) {
        for (place, value) in values.iter().enumerate() {
            if values.iter().take(place).any(|other| other.name == value.name) {
                let why = format!("two values are called \"{}\"", value.name);
                self.tell(line, Some("factor"), &why);
            }
        }
    }

    fn value(&mut self, table: Table<'_>) -> Value {
        let name = self.needed(table, "name");
        Value { name, settings: self.settings(table) }
    }

    fn note(&mut self, table: Table<'_>) -> Note {
        self.only(table);
        let text = self.words(table, "text");
        let when = self.text(table, "when").map_or(When::Always, |said| {
            let found = When::WORDS.iter().find(|(word, _)| *word == said.text);
            if found.is_none() {
                self.refuse(table, "when", &format!("\"{}\"", said.text));
            }
            found.map_or(When::Always, |(_, when)| *when)
        });
        Note { text, when }
    }

    fn published(&mut self, table: Table<'_>) -> Published {
        self.only(table);
        let before = self.wrongs.len();
        let heads = self.list(table, "heads").unwrap_or_default();
        let rows = self.lists(table, "rows").unwrap_or_default();
        // What cannot be followed has no number of values.
        let names = if self.is_well_since(before) {
            self.rows_fit(table, &heads, &rows);
            self.names(table, heads.len())
        } else {
            NAMES
        };
        let machine = self.words(table, "machine");
        Published { machine, heads, names, rows }
    }

    fn rows_fit(&mut self, table: Table<'_>, heads: &[String], rows: &[Vec<String>]) {
        if let Some(row) = rows.iter().find(|row| row.len() != heads.len()) {
            let why = format!(
                "a row has {} values and there are {} headings: let there be as many of both",
                row.len(),
                heads.len()
            );
            self.tell_of(table, "rows", &why);
        }
    }

    /// How many of so many headings name a row.
    fn names(&mut self, table: Table<'_>, heads: usize) -> usize {
        let Some(said) = self.text(table, "names") else { return NAMES };
        let names = said.text.parse().ok().filter(|names| (1..=heads).contains(names));
        names.unwrap_or_else(|| {
            let why = format!(
                "\"{}\" is not possible: use a whole number from 1 to {heads}, the number of heads",
                said.text
            );
            self.tell_of(table, "names", &why);
            NAMES
        })
    }

    /// The values of a factor that is there, and a figure to show of them.
    fn across(&mut self, top: Table<'_>, plan: &Plan) {
        let Some(across) = &plan.across else { return };
        let line = self.line(top, "across");
        let factors = || plan.factors.iter().map(|factor| factor.name.as_str());
        if factors().all(|factor| factor != across) {
            let why = format!(
                "there is no factor \"{across}\": use one of {}{}",
                factors().collect::<Vec<_>>().join(", "),
                question(across, factors())
            );
            self.tell(line, Some("across"), &why);
        }
        if columns::first(&plan.columns).is_none() {
            let why = "there is no figure to show: columns has nothing but used";
            self.tell(line, Some("across"), why);
        }
    }

    /// What can be said of all of it together.
    fn matrix(&mut self, top: Table<'_>, plan: &Plan) {
        if plan.factors.is_empty() {
            let why = "there is nothing to compare: an experiment has one [[factor]] or more";
            return self.tell(None, Some("factor"), why);
        }
        let cases: usize = plan.factors.iter().map(|factor| factor.values.len()).product();
        if cases > MOST_CASES {
            let why = format!("{cases} cases are too many: use no more than {MOST_CASES}");
            let line = self.line(top, "factor");
            return self.tell(line, Some("factor"), &why);
        }
        self.fits(plan);
        let has_load = |settings: &Settings| settings.load.is_some();
        let varied =
            plan.factors.iter().any(|it| it.values.iter().all(|it| has_load(&it.settings)));
        if !has_load(&plan.base) && !varied {
            let line = self.line(top, "base");
            self.tell(
                line,
                Some("base.load"),
                "it has to be said: a load that is built in, or a file with one",
            );
        }
    }

    fn fits(&mut self, plan: &Plan) {
        let cases = matrix::cases(plan);
        if let Err(it) = fits::fits(&cases, &|case| case.settings.kinds.as_ref()) {
            self.tell(it.line, Some(it.key), &it.why);
        }
    }
}

#[cfg(test)]
mod tests;
