//! The keys of an experiment's file.

use super::settings::SETTINGS_KEYS;
use super::{ExperimentPlan, FactorSettings, Note, NoteCondition, Published, table};
use crate::config::{
    self, KeyDefault as D, KeyGroup, KeyInput, MAX_FILE_BYTES, Schema, ValueType as T, setter,
};

/// The most cases of an experiment.
pub const MAX_CASES: usize = 256;

/// An experiment while its file is read, with the current table of each kind.
#[derive(Clone, Debug, Default)]
pub struct ExperimentDraft {
    pub(super) plan: ExperimentPlan,
    /// The key of a factor.
    pub(super) key: Option<String>,
    pub(super) values: Option<Vec<String>>,
    /// The base or a value of a factor; also holds the name of a factor.
    pub(super) value: FactorSettings,
    pub(super) note: Note,
    pub(super) published: Published,
}

/// Lists the keys for the manual.
pub fn lines() -> impl Iterator<Item = config::KeyHelp> {
    KEYS.lines()
}

/// All keys, in the order of the manual.
pub(super) static KEYS: Schema<ExperimentDraft> = Schema {
    groups: &[
        KeyGroup { sections: &[""], heading: "Whole experiment", keys: EXPERIMENT_KEYS },
        KeyGroup {
            sections: &["base", "factor.value"],
            heading: "[base] and each [[factor.value]]: settings of cases",
            keys: SETTINGS_KEYS,
        },
        KeyGroup { sections: &["factor"], heading: "Each [[factor]]", keys: FACTOR_KEYS },
        KeyGroup {
            sections: &["factor.value"],
            heading: "Each [[factor.value]], in addition to its settings",
            keys: VALUE_KEYS,
        },
        KeyGroup { sections: &["note"], heading: "Each [[note]]", keys: NOTE_KEYS },
        KeyGroup { sections: &["published"], heading: "[published]", keys: PUBLISHED_KEYS },
    ],
    bare: false,
    max_bytes: MAX_FILE_BYTES,
};

type Key = config::KeySpec<ExperimentDraft>;

const NOTHING: D = D::InWords("none");
const FACTORS: fn() -> String =
    || format!("tables [[factor]] with no more than {MAX_CASES} cases in all");
const NOTES: fn() -> String = || "tables [[note]]".to_owned();
const VALUES: fn() -> String = || "tables [[factor.value]], two or more".to_owned();

static EXPERIMENT_KEYS: &[Key] = &[
    Key::value("about", T::Text, D::Required, setter!(plan.about = text))
        .says("Description of the experiment, in one sentence"),
    Key::value("question", T::Text, D::Required, setter!(plan.question = text))
        .says("The question it answers, in one sentence"),
    Key::value("repetitions", T::Count(1, 1000), D::Is("3"), setter!(plan.repetitions = count))
        .says("Number of runs of each case"),
    Key::value(
        "columns",
        T::List("a list of figures, such as [\"system\", \"throughput_sum\"]"),
        D::Required,
        |to, it| read_columns(it).map(|list| to.plan.columns = list),
    )
    .says("Figures of the result table, named as in swapadm results show --json; used adds a column for each area"),
    Key::value(
        "answer",
        T::List("a list of columns"),
        D::InWords("the first figure of columns"),
        |to, it| read_columns(it).map(|list| to.plan.answer = list),
    )
    .says("Columns that answer the question, in the conclusion; its chart shows the first of them"),
    Key::value(
        "across",
        T::Other(|| "the name of a factor".to_owned()),
        D::InWords("no second table"),
        setter!(plan.across = Some(text)),
    )
    .says("Factor for a second table: its values are the columns, each combination of the other factors is a row, and the cells show the first figure of answer; with two values, a column shows the change between them; with answer, the conclusion compares these values only"),
    Key::table(
        "base",
        T::Table("a table [base] of settings"),
        NOTHING,
        "Settings of all cases",
    ),
    Key::table(
        "factor",
        T::Tables(MAX_CASES, FACTORS),
        D::Required,
        "A difference between cases: each combination of the values of all factors is one case",
    ),
    Key::table("note", T::Tables(MAX_CASES, NOTES), NOTHING, "Notes for readers of the result"),
    Key::table(
        "published",
        T::Table("a table [published]"),
        NOTHING,
        "Figures that others have measured, stored with the result",
    ),
];

static FACTOR_KEYS: &[Key] = &[
    Key::value(
        "name",
        T::Other(|| "a text, different for each factor".to_owned()),
        D::Required,
        setter!(value.name = text),
    )
    .says("Name of the factor"),
    Key::value(
        "key",
        T::Other(|| "a setting, such as set.page-cluster".to_owned()),
        D::InWords("a [[factor.value]] for each value"),
        setter!(key = Some(text)),
    )
    .says("Setting that the factor varies"),
    Key::value(
        "values",
        T::List("a list of two or more different values"),
        D::InWords("a [[factor.value]] for each value"),
        setter!(values = Some(list)),
    )
    .says("Values of that setting; the first is the baseline for comparisons"),
    Key::table(
        "value",
        T::Tables(MAX_CASES, VALUES),
        D::InWords("key and values"),
        "Values that change several settings; the first is the baseline for comparisons",
    ),
];

static VALUE_KEYS: &[Key] = &[Key::value(
    "name",
    T::Other(|| "a text, different for each value".to_owned()),
    D::Required,
    setter!(value.name = text),
)
.says("Name of the value")];

static NOTE_KEYS: &[Key] = &[
    Key::value("text", T::Text, D::Required, setter!(note.text = text)).says("Text of the note"),
    Key::value(
        "when",
        T::Word(|| NoteCondition::WORDS.map(|(word, _)| word).to_vec()),
        D::Is("always"),
        setter!(note.when in NoteCondition::WORDS),
    )
    .says("When the note applies; zram and file mean: with temporary areas of that kind"),
];

static PUBLISHED_KEYS: &[Key] = &[
    Key::value("machine", T::Text, D::Required, setter!(published.machine = text))
        .says("Where it was measured, and what differs from this experiment"),
    Key::value(
        "heads",
        T::List("a list of texts"),
        D::InWords("no headings"),
        setter!(published.heads = list),
    )
    .says("Headings of the table"),
    Key::value(
        "names",
        T::Other(|| "a whole number from 1 to the number of heads".to_owned()),
        D::Is("1"),
        |to, it| {
            let names = it.text.parse().ok().filter(|names| *names > 0);
            names.map(|names| to.published.names = names).ok_or_else(|| it.refuse())
        },
    )
    .says("Number of heads that name a row"),
    Key::value(
        "rows",
        T::Rows("a list of lists of texts, each as long as heads"),
        D::Required,
        |to, it| {
            to.published.rows = it.rows.to_vec();
            Ok(())
        },
    )
    .says("The published figures"),
];

fn read_columns(it: &KeyInput<'_>) -> Result<Vec<String>, String> {
    let list = it.list();
    if list.is_empty() {
        return Err(it.refuse());
    }
    let unknown = list.iter().filter(|id| !table::is_valid_column(id));
    let unknown: Vec<String> = unknown.map(|id| format!("\"{id}\"")).collect();
    if unknown.is_empty() {
        return Ok(list);
    }
    Err(format!(
        "unknown figure {}: use used, or a figure named by swapadm results show --json",
        unknown.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::super::file::read;
    use super::*;

    const HEAD: &str = "about = 'a'\nquestion = 'q'\ncolumns = ['used']\n";
    const REST: &str = "[base]\nload = 'usemem'\n[[factor]]\nname = 'f'\n\
        key = 'set.swappiness'\nvalues = [1, 60]\n[[note]]\ntext = 't'\n[published]\n\
        machine = 'm'\nheads = ['a']\nrows = [['1']]\n";

    fn default(section: &str, name: &str) -> String {
        let D::Is(text) = KEYS.find(section, name).unwrap().0.default else { panic!("{name}") };
        text.to_owned()
    }

    #[test]
    fn documented_defaults_are_the_real_ones() {
        let plan = read("x", &format!("{HEAD}{REST}")).unwrap();
        assert_eq!(plan.repetitions.to_string(), default("", "repetitions"));
        let names = plan.published.unwrap().names.to_string();
        assert_eq!(names, default("published", "names"));
        let when =
            NoteCondition::WORDS.iter().find(|(_, when)| *when == plan.notes[0].when).unwrap().0;
        assert_eq!(when, default("note", "when"));
    }

    #[test]
    fn required_keys_are_documented() {
        let whole = format!("{HEAD}{REST}");
        let groups = [EXPERIMENT_KEYS, FACTOR_KEYS, NOTE_KEYS, PUBLISHED_KEYS];
        let needed = groups.into_iter().flatten().filter(|key| matches!(key.default, D::Required));
        for key in needed.filter(|key| key.name != "factor") {
            let is_other = |line: &&str| !line.starts_with(&format!("{} = ", key.name));
            let text: Vec<&str> = whole.lines().filter(is_other).collect();
            assert!(text.len() < whole.lines().count(), "{}", key.name);
            let wrongs = read("x", &text.join("\n")).unwrap_err();
            assert!(wrongs.iter().any(|it| it.to_string().contains(key.name)), "{}", key.name);
        }
    }

    /// A file with all tables, in which one key is set to this value, and the line of that key.
    fn error_and_number(heading: &str, key: &str, value: &str) -> (String, usize) {
        let whole = format!("{HEAD}{REST}");
        let is_other = |line: &&str| !line.starts_with(&format!("{key} = "));
        let starts = |line: &&str| heading.is_empty() || line.trim() == heading;
        let mut lines: Vec<&str> = whole.lines().collect();
        let start = lines.iter().position(starts).unwrap();
        let start = if heading.is_empty() { start } else { start + 1 };
        let end = lines[start..].iter().position(|line| line.starts_with('['));
        let end = end.map_or(lines.len(), |end| start + end);
        let said = format!("{key} = {value}");
        let rest: Vec<&str> = lines[start..end].iter().copied().filter(is_other).collect();
        lines.splice(start..end, std::iter::once(said.as_str()).chain(rest));
        (lines.join("\n"), start + 1)
    }

    fn errors_of(heading: &str, key: &str, value: &str) -> Vec<String> {
        let (text, _) = error_and_number(heading, key, value);
        read("mine", &text).err().unwrap_or_default().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn errors_list_the_values_that_a_key_accepts() {
        for heading in ["", "[base]", "[[factor]]", "[[note]]", "[published]"] {
            let section = heading.trim_matches(['[', ']']);
            for key in KEYS.keys(section).filter(|key| !key.is_table()) {
                for value in ["1979-05-27", "[[[1]]]"] {
                    let (text, line) = error_and_number(heading, key.name, value);
                    let told = errors_of(heading, key.name, value);
                    let place = format!("mine:{line}: {}: ", KEYS.display_name(section, key.name));
                    let takes = format!(" is not valid: use {}", key.takes.describe());
                    let named = format!("this is a table: use {}.NAME", key.name);
                    let is_told = |told: &&String| {
                        let says = if key.needs_name() {
                            told.contains(&named)
                        } else {
                            told.ends_with(&takes)
                        };
                        told.starts_with(&place) && says
                    };
                    assert_eq!(told.iter().filter(is_told).count(), 1, "{text}: {told:#?}");
                    assert_eq!(told.len(), 1, "{text}: {told:#?}");
                }
            }
        }
        for key in ["base", "factor", "note", "published"] {
            for value in ["1", "'x'", "[1]", "1979-05-27"] {
                let head = format!("{HEAD}{key} = {value}\n");
                let wrongs = read("mine", &head).unwrap_err();
                let of = wrongs.iter().map(ToString::to_string);
                let says = format!("mine:4: {key}: write it as [");
                assert_eq!(of.filter(|told| told.starts_with(&says)).count(), 1, "{head}");
            }
        }
    }

    #[test]
    fn invalid_numbers_and_words_are_refused() {
        let texts =
            [("", "about"), ("", "question"), ("[[note]]", "text"), ("[published]", "machine")];
        for (heading, key) in texts {
            for value in ["5", "true", "''"] {
                let told = errors_of(heading, key, value).concat();
                assert!(told.contains(" is not valid: use a text"), "{key} = {value}: {told}");
            }
        }
        for value in ["0", "-1", "1.5", "'zz'", "''", "1001"] {
            let told = errors_of("", "repetitions", value).concat();
            assert!(told.contains("use a whole number from 1 to 1000"), "{value}: {told}");
        }
        for (key, value, says) in [
            ("limit", "512", "base.limit: \"512\" has no unit: use 512M or 512G"),
            ("limit", "'-5M'", "base.limit: \"-5M\" is not valid: use a size of 8M or more"),
            ("limit", "'4M'", "base.limit: \"4M\" is not valid: use a size of 8M or more"),
            ("devices", "64", "base.devices: \"64\" has no unit: use 64M or 64K"),
            ("devices", "'2x64'", "base.devices: \"2x64\" has no unit: use 2x64M or 2x64K"),
            ("devices", "'-2x5M'", "base.devices: \"-2x5M\" is not valid: use from 1 to 32"),
            ("devices", "'zz'", "base.devices: \"zz\" is not valid: use sizes such as 4x1G"),
            ("algorithm", "''", "base.algorithm: \"\" is not valid: use a compression"),
            ("load", "''", "base.load: \"\" is not valid: use the name of a workload"),
            ("kind", "-1", "base.kind: \"-1\" is not valid: use zram, file"),
            ("priorities", "-1", "base.priorities: \"-1\" is not valid: use default, equal"),
            ("discard", "true", "base.discard: \"true\" is not valid: use none, once"),
            ("with", "5", "base.with: this is a table: use with.NAME"),
            ("set", "'x'", "base.set: this is a table: use set.NAME"),
            ("sise", "5", "base.sise: unknown key: use load, limit"),
        ] {
            let told = errors_of("[base]", key, value);
            assert_eq!(told.len(), 1, "{told:#?}");
            assert!(told[0].contains(says), "{key} = {value}: {}", told[0]);
        }
        let both = errors_of("[[factor]]", "value", "[{ name = 'a' }]").concat();
        assert!(both.contains("factor: a factor has either key and values, or a"), "{both}");
    }

    #[test]
    fn keys_are_explained() {
        for line in lines() {
            assert!(line.help.len() > 10 && !line.help.ends_with('.'), "{}", line.key);
            assert!(!line.takes.is_empty() && !line.default.is_empty(), "{}", line.key);
        }
    }
}
