//! The keys of an experiment's file. What reads the file, what is said of errors in it, the list
//! of keys and the manual are all made from this list, and from that of the settings.

use super::{When, settings};
use crate::stress::keys::{Line, NEEDED};

/// Cases that an experiment may have.
pub const MOST_CASES: usize = 256;
/// How often a case may be run.
pub const MOST_REPETITIONS: u32 = 1000;
/// How often it is where nobody says.
pub const REPETITIONS: u32 = 3;
/// How many headings of a published table name a row where nobody says.
pub const NAMES: usize = 1;

/// A table of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// Above all tables.
    Top,
    /// `[base]`: all of its keys are settings.
    Base,
    /// A `[[factor]]`.
    Factor,
    /// A `[[factor.value]]`, beside its settings.
    Value,
    /// A `[[note]]`.
    Note,
    /// `[published]`.
    Published,
}

impl Section {
    /// A key of it, as errors name that.
    pub fn key(self, name: &str) -> String {
        let of = match self {
            Self::Top => return name.to_owned(),
            Self::Base => "base",
            Self::Factor => "factor",
            Self::Value => "factor.value",
            Self::Note => "note",
            Self::Published => "published",
        };
        format!("{of}.{name}")
    }
}

/// One key.
struct Key {
    section: Section,
    name: &'static str,
    takes: fn() -> String,
    without: fn() -> String,
    help: &'static str,
}

const REFUSED: fn() -> String = || NEEDED.to_owned();
const NOTHING: fn() -> String = || "nothing of that".to_owned();
const TEXT: fn() -> String = || "a text".to_owned();

static KEYS: &[Key] = &[
    Key {
        section: Section::Top,
        name: "about",
        takes: TEXT,
        without: REFUSED,
        help: "What it does, in a sentence",
    },
    Key {
        section: Section::Top,
        name: "question",
        takes: TEXT,
        without: REFUSED,
        help: "What it answers, in a sentence",
    },
    Key {
        section: Section::Top,
        name: "repetitions",
        takes: || format!("a whole number from 1 to {MOST_REPETITIONS}"),
        without: || REPETITIONS.to_string(),
        help: "How often each case is run",
    },
    Key {
        section: Section::Top,
        name: "columns",
        takes: || "a list of figures, such as [\"system\", \"throughput_sum\"]".to_owned(),
        without: REFUSED,
        help: "The figures that its table shows, as swapadm results show --json names them; used stands for a column of each area",
    },
    Key {
        section: Section::Top,
        name: "across",
        takes: || "the name of a factor".to_owned(),
        without: || "no such table".to_owned(),
        help: "The factor whose values stand beside each other in a second table: a row for each combination of the other factors, in it the first figure of columns, and where there are two values what changes between them",
    },
    Key {
        section: Section::Top,
        name: "base",
        takes: || "a table [base] of settings".to_owned(),
        without: NOTHING,
        help: "What holds in all cases",
    },
    Key {
        section: Section::Top,
        name: "factor",
        takes: || format!("tables [[factor]], of no more than {MOST_CASES} cases in all"),
        without: REFUSED,
        help: "What differs between cases: each combination of the values of all factors is one",
    },
    Key {
        section: Section::Top,
        name: "note",
        takes: || "tables [[note]]".to_owned(),
        without: NOTHING,
        help: "What readers of the result should know",
    },
    Key {
        section: Section::Top,
        name: "published",
        takes: || "a table [published]".to_owned(),
        without: NOTHING,
        help: "What others measured. It is kept with the result",
    },
    Key {
        section: Section::Factor,
        name: "name",
        takes: || "a text, another one for each factor".to_owned(),
        without: REFUSED,
        help: "What the factor is called",
    },
    Key {
        section: Section::Factor,
        name: "key",
        takes: || "a setting, such as set.page-cluster".to_owned(),
        without: || "a [[factor.value]] for each value".to_owned(),
        help: "What its values are of",
    },
    Key {
        section: Section::Factor,
        name: "values",
        takes: || "a list of two values or more, all different".to_owned(),
        without: || "a [[factor.value]] for each value".to_owned(),
        help: "The values of that setting; others are compared with the first",
    },
    Key {
        section: Section::Factor,
        name: "value",
        takes: || "tables [[factor.value]], two or more".to_owned(),
        without: || "key and values".to_owned(),
        help: "The values, where they set several things; others are compared with the first",
    },
    Key {
        section: Section::Value,
        name: "name",
        takes: || "a text, another one for each value".to_owned(),
        without: REFUSED,
        help: "What the value is called",
    },
    Key {
        section: Section::Note,
        name: "text",
        takes: TEXT,
        without: REFUSED,
        help: "What is to be known",
    },
    Key {
        section: Section::Note,
        name: "when",
        takes: || format!("one of {}", When::WORDS.map(|(word, _)| word).join(", ")),
        without: || When::WORDS[0].0.to_owned(),
        help: "When it holds: zram and file mean where such areas are made",
    },
    Key {
        section: Section::Published,
        name: "machine",
        takes: TEXT,
        without: REFUSED,
        help: "On what it was measured, and what is different here",
    },
    Key {
        section: Section::Published,
        name: "heads",
        takes: || "a list of texts".to_owned(),
        without: || "no headings".to_owned(),
        help: "The headings of the table",
    },
    Key {
        section: Section::Published,
        name: "names",
        takes: || "a whole number from 1 to the number of heads".to_owned(),
        without: || NAMES.to_string(),
        help: "How many of the heads name a row",
    },
    Key {
        section: Section::Published,
        name: "rows",
        takes: || "a list of lists of texts, each with as many as there are heads".to_owned(),
        without: REFUSED,
        help: "The figures as they were published",
    },
];

/// The names of the keys of a table.
pub fn names(section: Section) -> Vec<&'static str> {
    KEYS.iter().filter(|key| key.section == section).map(|key| key.name).collect()
}

/// What a key takes. What is none of these is a setting.
pub(super) fn takes(section: Section, name: &str) -> String {
    let key = KEYS.iter().find(|key| key.section == section && key.name == name);
    key.map_or_else(|| settings::takes(name), |key| (key.takes)())
}

/// What the manual says of the keys, in its order.
pub fn lines() -> Vec<Line> {
    let of = |section: Section, heading: &'static str| {
        let keys = KEYS.iter().filter(move |key| key.section == section);
        keys.map(move |key| Line {
            heading,
            key: key.name.to_owned(),
            takes: (key.takes)(),
            default: (key.without)(),
            help: key.help.to_owned(),
        })
    };
    of(Section::Top, "Of the whole experiment")
        .chain(settings::lines("Of [base] and of each [[factor.value]]: settings of cases"))
        .chain(of(Section::Factor, "Of each [[factor]]"))
        .chain(of(Section::Value, "Of each [[factor.value]], beside its settings"))
        .chain(of(Section::Note, "Of each [[note]]"))
        .chain(of(Section::Published, "Of [published]"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::file::read;
    use super::*;

    const HEAD: &str = "about = 'a'\nquestion = 'q'\ncolumns = ['used']\n";
    const REST: &str = "[base]\nload = 'usemem'\n[[factor]]\nname = 'f'\n\
        key = 'set.swappiness'\nvalues = [1, 60]\n[[note]]\ntext = 't'\n[published]\n\
        machine = 'm'\nheads = ['a']\nrows = [['1']]\n";

    fn default(section: Section, name: &str) -> String {
        let key = KEYS.iter().find(|key| key.section == section && key.name == name).unwrap();
        (key.without)()
    }

    #[test]
    fn what_holds_without_a_key_is_what_is_told() {
        let plan = read("x", &format!("{HEAD}{REST}")).unwrap();
        assert_eq!(plan.repetitions.to_string(), default(Section::Top, "repetitions"));
        let names = plan.published.unwrap().names.to_string();
        assert_eq!(names, default(Section::Published, "names"));
        let when = When::WORDS.iter().find(|(_, when)| *when == plan.notes[0].when).unwrap().0;
        assert_eq!(when, default(Section::Note, "when"));
    }

    #[test]
    fn what_cannot_be_left_out_is_told_so() {
        let whole = format!("{HEAD}{REST}");
        let needed = KEYS.iter().filter(|key| (key.without)() == NEEDED);
        for key in needed.filter(|key| key.section != Section::Value && key.name != "factor") {
            let is_other = |line: &&str| !line.starts_with(&format!("{} = ", key.name));
            let text: Vec<&str> = whole.lines().filter(is_other).collect();
            assert!(text.len() < whole.lines().count(), "{}", key.name);
            let wrongs = read("x", &text.join("\n")).unwrap_err();
            assert!(wrongs.iter().any(|it| it.to_string().contains(key.name)), "{}", key.name);
        }
    }

    /// A file in which all tables are, with one key said so, and the line of that.
    fn said(heading: &str, key: &str, value: &str) -> (String, usize) {
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

    fn told(heading: &str, key: &str, value: &str) -> Vec<String> {
        let (text, _) = said(heading, key, value);
        read("mine", &text).err().unwrap_or_default().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_a_key_takes_is_told_of_every_value_that_it_does_not_take() {
        let tables = [
            (Section::Top, ""),
            (Section::Base, "[base]"),
            (Section::Factor, "[[factor]]"),
            (Section::Note, "[[note]]"),
            (Section::Published, "[published]"),
        ];
        let is_table =
            |name: &str| ["base", "factor", "value", "note", "published"].contains(&name);
        for (section, heading) in tables {
            let own = names(section).into_iter().filter(|name| !is_table(name));
            let settings = settings::names().into_iter().filter(|_| section == Section::Base);
            for key in own.chain(settings) {
                for value in ["1979-05-27", "[[[1]]]"] {
                    let (text, line) = said(heading, key, value);
                    let told = told(heading, key, value);
                    let place = format!("mine, line {line}: {}: ", section.key(key));
                    let takes = format!(" is not possible: use {}", takes(section, key));
                    let is_told =
                        |told: &&String| told.starts_with(&place) && told.ends_with(&takes);
                    assert_eq!(
                        told.iter().filter(is_told).count(),
                        told.len(),
                        "{text}: {told:#?}"
                    );
                    assert_eq!(told.len(), 1, "{text}: {told:#?}");
                }
            }
        }
        for key in ["base", "factor", "note", "published"] {
            for value in ["1", "'x'", "[1]", "1979-05-27"] {
                let head = format!("{HEAD}{key} = {value}\n");
                let wrongs = read("mine", &head).unwrap_err();
                let of = wrongs.iter().map(ToString::to_string);
                let says = format!("mine, line 4: {key}: it has to be written [");
                assert_eq!(of.filter(|told| told.starts_with(&says)).count(), 1, "{head}");
            }
        }
    }

    #[test]
    fn numbers_and_words_that_are_none_are_refused() {
        let texts =
            [("", "about"), ("", "question"), ("[[note]]", "text"), ("[published]", "machine")];
        for (heading, key) in texts {
            for value in ["5", "true", "''"] {
                let told = told(heading, key, value).concat();
                assert!(told.contains(" is not possible: use a text"), "{key} = {value}: {told}");
            }
        }
        for value in ["0", "-1", "1.5", "'zz'", "''", "1001"] {
            let told = told("", "repetitions", value).concat();
            assert!(told.contains("use a whole number from 1 to 1000"), "{value}: {told}");
        }
        for (key, value, says) in [
            ("limit", "512", "base.limit: \"512\" has no unit: say 512M or 512G"),
            ("limit", "'-5M'", "base.limit: \"-5M\" is not possible: use a size of 8M or more"),
            ("limit", "'4M'", "base.limit: \"4M\" is not possible: use a size of 8M or more"),
            ("devices", "64", "base.devices: \"64\" has no unit: say 64M or 64K"),
            ("devices", "'2x64'", "base.devices: \"2x64\" has no unit: say 2x64M or 2x64K"),
            ("devices", "'-2x5M'", "base.devices: \"-2x5M\" is not possible: use from 1 to 32"),
            ("devices", "'zz'", "base.devices: \"zz\" is not possible: use sizes such as 4x1G"),
            ("algorithm", "''", "base.algorithm: \"\" is not possible: use a name that"),
            ("load", "''", "base.load: \"\" is not possible: use the name of a load"),
            ("kind", "-1", "base.kind: \"-1\" is not possible: use zram, file"),
            ("priorities", "-1", "base.priorities: \"-1\" is not possible: use default, equal"),
            ("discard", "true", "base.discard: \"true\" is not possible: use none, once"),
            ("with", "5", "base.with: it has keys of its own: use with.NAME"),
            ("set", "'x'", "base.set: it has keys of its own: use set.NAME"),
            ("sise", "5", "base.sise: there is no such setting: use some of load, limit"),
        ] {
            let told = told("[base]", key, value);
            assert_eq!(told.len(), 1, "{told:#?}");
            assert!(told[0].contains(says), "{key} = {value}: {}", told[0]);
        }
        let both = told("[[factor]]", "value", "[{ name = 'a' }]").concat();
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
