use super::*;
use crate::columns::TABLES;
use crate::config::{KeySpec, MAX_FILE_BYTES, ValueType as T, decode};
use crate::root::testing::mangled;
use std::collections::BTreeSet;

const FULL: &str = r#"# How I like it.
interval = 0.5 # half a second
color = 256
glyphs = "blocks"
mouse = false

# Not interested.
hidden = ["mthp", "paging"]

[columns] # by table
devices = "+in_rate"

[sort]
devices = "-used"

# Later than usual.
[thresholds]
use_warn = 0.9   # the disk is large
use_crit = "99%"
"#;

fn read(text: &str) -> (Settings, Vec<Problem>) {
    super::read("", text)
}

/// All paths of settings, each with its key and the name behind it.
fn all() -> impl Iterator<Item = (String, &'static KeySpec<Settings>, String)> {
    KEYS.keys("").flat_map(KeySpec::paths).map(|path| {
        let (key, name) = KEYS.find("", &path).unwrap();
        let name = name.to_owned();
        (path, key, name)
    })
}

fn problems(text: &str) -> Vec<String> {
    read(text).1.iter().map(ToString::to_string).collect()
}

fn written(old: &str, change: impl FnOnce(&mut Settings)) -> String {
    let (mut settings, _) = read(old);
    change(&mut settings);
    let new = carry(old, &read(old).0, &settings).unwrap();
    assert_eq!(read(&new).0, settings, "{new}");
    new
}

#[test]
fn a_file_is_read() {
    let (settings, problems) = read(FULL);
    assert_eq!(problems, []);
    assert_eq!(settings.interval, Duration::from_millis(500));
    assert_eq!(settings.color, ColorChoice::Palette256);
    assert_eq!(settings.glyphs, GlyphChoice::Blocks);
    assert!(!settings.mouse);
    assert_eq!(settings.hidden, ["mthp", "paging"]);
    assert_eq!(settings.columns["devices"], "+in_rate");
    assert_eq!(settings.sort["devices"], "-used");
    assert_eq!((settings.policy.use_warn, settings.policy.use_crit), (0.9, 0.99));
    let inline = "thresholds = { use_warn = 0.9 }\ncolumns.devices = \"all\"";
    assert_eq!(read(inline).0.policy.use_warn.to_string(), "0.9");
    assert_eq!(read(inline).0.columns["devices"], "all");
    assert_eq!(read(""), (Settings::default(), vec![]));
}

#[test]
fn bad_values_name_their_line_and_the_others_apply() {
    let told = [
        (
            "\ninterval = \"soon\"",
            "line 2: interval: \"soon\" is not valid: use seconds from 0.1 to 3600, such as 30, 0.5s or 10m",
        ),
        (
            "interval = 0.05",
            "line 1: interval: \"0.05\" is not valid: use seconds from 0.1 to 3600, such as 30, 0.5s or 10m",
        ),
        (
            "interval = nan",
            "line 1: interval: \"NaN\" is not valid: use seconds from 0.1 to 3600, such as 30, 0.5s or 10m",
        ),
        (
            "color = \"red\"",
            "line 1: color: \"red\" is not valid: use auto, always, true, 256, 16 or never",
        ),
        (
            "glyphs = [\"vt\"]",
            "line 1: glyphs: a value of type array is not valid: use auto, full, blocks, vt or ascii",
        ),
        (
            "mouse = 2026-11-21",
            "line 1: mouse: a value of type datetime is not valid: use true or false",
        ),
        (
            "screen = \"lab\\u001b\"",
            "line 1: screen: \"lab\\u{1b}\" is not valid: use overview, devices, compression, mthp, paging, processes, lab, map or learn; did you mean lab?",
        ),
        (
            "hidden = \"overview,devices,compression,mthp,paging,processes,lab,map,learn\"",
            "line 1: hidden: \"overview,devices,compression,mthp,paging,processes,lab,map,learn\" is not valid: use some of overview, devices, compression, mthp, paging, processes, lab, map, learn, but not all, or none",
        ),
        (
            "[thresholds]\nuse_warn = 80",
            "line 2: thresholds.use_warn: \"80\" is not valid: use a share from 0 to 1, such as 0.8 or 80%",
        ),
        (
            "thresholds = 3",
            "line 1: thresholds: this is a table: use thresholds.NAME, or a line [thresholds] above its keys",
        ),
        (
            "[[columns]]",
            "line 1: columns: this is a table: use columns.NAME, or a line [columns] above its keys",
        ),
        ("colour = 256", "line 1: colour: unknown key; did you mean color?"),
        (
            "\"thresholds.use_warn\" = 0.5",
            "line 1: thresholds.use_warn: unknown key; did you mean thresholds.use_warn without quotes?",
        ),
        ("[thresholds]\ncolor = 16", "line 2: thresholds.color: unknown key; did you mean color?"),
        (
            "[treshholds]\nuse_warn = 80",
            "line 1: treshholds: there is no such table, so none of its keys is known; did you mean thresholds?",
        ),
        (
            "[columns]\ndevcies = \"\"",
            "line 2: columns.devcies: unknown key; did you mean columns.devices?",
        ),
        ("qqqqqqqq = 1", "line 1: qqqqqqqq: unknown key"),
    ];
    for (text, sentence) in told {
        assert_eq!(problems(text), [sentence]);
        let (settings, _) = read(&format!("{text}\n[sort]\ndevices = \"name\""));
        assert_eq!(settings.sort["devices"], "name", "{text}");
    }
    let columns = problems("sort.devices = \"x\"\ncolumns.devices = \"+x\"");
    assert!(columns[0].starts_with("line 1: sort.devices: devices has no column \"x\"; columns: "));
    assert!(columns[1].starts_with("line 2: columns.devices: devices has no column \"x\""));
}

#[test]
fn invalid_toml_leaves_the_defaults() {
    for (text, line, says) in [
        ("mouse = false\n\ncolor", 3, "this is not TOML: "),
        ("mouse = false\nmouse = true", 2, "this key is set twice: "),
    ] {
        let (settings, problems) = read(text);
        assert_eq!(
            (settings.clone(), problems[0].place.line),
            (Settings::default(), Some(line)),
            "{text}"
        );
        assert!(problems[0].text.starts_with(says), "{problems:?}");
        assert!(problems[0].text.ends_with("; the whole file is ignored"), "{problems:?}");
        assert!(carry(text, &settings, &settings).is_err());
    }
    let large = format!("mouse = false #{}", "x".repeat(MAX_FILE_BYTES));
    assert_eq!(
        problems(&large),
        ["the file is larger than 65536 bytes: not read; the whole file is ignored"]
    );
    assert_eq!(decode("", b"a\n\n\xff").unwrap_err().place.line, Some(3));
}

#[test]
fn long_values_are_cut_in_messages() {
    let problems = problems(&format!("color = \"{}\"", "é".repeat(20_000)));
    assert_eq!(problems[0].chars().count(), 1000 + "line 1: color: ...".len());
}

#[test]
fn only_the_first_problems_are_reported() {
    let lines: Vec<String> = (0..500).map(|n| format!("colr{n} = 1")).collect();
    let (settings, problems) = read(&(lines.join("\n") + "\nmouse = false"));
    assert_eq!((settings.mouse, problems.len()), (false, 21));
    assert_eq!(problems[20].to_string(), "there are more errors");
}

#[test]
fn choice_words_are_unique() {
    let mut settings = Settings { hidden: vec!["mthp".to_owned()], ..Settings::default() };
    let (hidden, _) = KEYS.find("", "hidden").unwrap();
    hidden.set_text(&mut settings, "", "none").unwrap();
    assert_eq!((settings.hidden.len(), hidden.get.unwrap()(&settings, "").as_str()), (0, "none"));
    assert_eq!(written("hidden = [\"mthp\"]\n", |it| it.hidden.clear()), "hidden = []\n");
    // The word is already in the line when a person continues typing.
    hidden.set_text(&mut settings, "", "none, paging").unwrap();
    assert_eq!(settings.hidden, ["paging"]);
}

#[test]
fn every_setting_round_trips() {
    let other = |takes: T| match takes {
        T::Flag => "false",
        T::Word(words) | T::NotAll(words) => words()[1],
        T::Seconds(..) => "2.5",
        // A hundredth of this number differs from 0.07 in floating point.
        T::Fraction => "7%",
        T::Number(..) => "0.42",
        other => panic!("{other:?}"),
    };
    for (path, key, name) in all() {
        let get = |settings: &Settings| key.get.unwrap()(settings, &name);
        let mut settings = Settings::default();
        let own = get(&settings);
        key.set_text(&mut settings, &name, &own).unwrap();
        assert_eq!(settings, Settings::default(), "{path}");
        let typed = if name.is_empty() { other(key.takes) } else { first_column(&name) };
        key.set_text(&mut settings, &name, typed).unwrap();
        assert_eq!(get(&settings), typed);
        assert_ne!(settings, Settings::default(), "{path} sets nothing");
        let text = carry("", &Settings::default(), &settings).unwrap();
        assert_eq!(read(&text), (settings.clone(), vec![]), "{text}");
        key.set_text(&mut settings, &name, &own).unwrap();
        assert_eq!(settings, Settings::default(), "{path} set more than itself");
    }
}

fn first_column(table: &str) -> &'static str {
    TABLES.iter().find(|spec| spec.name == table).unwrap().key
}

#[test]
fn documented_values_are_accepted_and_others_refused() {
    for (_, key, name) in all() {
        let mut settings = Settings::default();
        for word in key.takes.words() {
            key.set_text(&mut settings, &name, word).unwrap();
            assert_eq!(key.get.unwrap()(&settings, &name), word);
        }
        let before = settings.clone();
        let told = key.set_text(&mut settings, &name, "\u{1}").unwrap_err();
        assert!(told.contains("use ") || told.contains("columns: "), "{told}");
        assert_eq!(settings, before);
    }
}

#[test]
fn keys_are_unique_and_documented() {
    let keys: BTreeSet<String> = all().map(|(path, ..)| path).collect();
    assert_eq!(keys.len(), SETTINGS.len() + PER_TABLE.len() * TABLES.len());
    for setting in SETTINGS {
        assert!(setting.help.len() > 10 && !setting.help.ends_with('.'), "{}", setting.name);
    }
    let policy = serde_json::to_value(Policy::DEFAULT).unwrap();
    for field in policy.as_object().unwrap().keys() {
        assert!(keys.contains(&format!("thresholds.{field}")), "{field} cannot be set");
    }
}

#[test]
fn only_what_changed_is_written() {
    assert_eq!(written(FULL, |_| ()), FULL);
    let new = written(FULL, |settings| {
        settings.interval = Duration::from_secs(2);
        settings.policy.use_warn = 0.7;
        settings.policy.imbalance_warn = 0.3;
        settings.columns.clear();
        settings.sort.insert("zram".to_owned(), "name".to_owned());
        settings.hidden = vec!["mthp".to_owned()];
        settings.screen = "paging".to_owned();
    });
    let expected = FULL
        .replace("0.5 # half", "2 # half")
        .replace("0.9   # the", "0.7   # the")
        .replace("\"+in_rate\"", "\"\"")
        .replace("\"-used\"\n", "\"-used\"\nzram = \"name\"\n")
        .replace(", \"paging\"]\n", "]\nscreen = \"paging\"\n")
        + "imbalance_warn = 0.3\n";
    assert_eq!(new, expected);
}

/// A file of an earlier version keeps its meaning; a value that the interface writes has precedence.
#[test]
fn former_names_of_keys_are_accepted() {
    let old = "[thresholds]\nskew_warn = 0.3\n";
    let (settings, problems) = read(old);
    assert_eq!((settings.policy.imbalance_warn, problems.len()), (0.3, 0));
    let new = written(old, |settings| settings.policy.imbalance_warn = 0.4);
    assert_eq!(new, format!("{old}imbalance_warn = 0.4\n"));
    for both in [new, "[thresholds]\nimbalance_warn = 0.4\nskew_warn = 0.3\n".to_owned()] {
        let (settings, problems) = read(&both);
        assert_eq!((settings.policy.imbalance_warn, problems.len()), (0.4, 0), "{both}");
    }
}

#[test]
fn unchanged_parts_of_a_file_stay() {
    let old = "later = [1,\n 2] # not yet\n\n[lab]\ncage = '1G'\n";
    let new = written(old, |settings| {
        settings.mouse = false;
        settings.policy.use_crit = 1.0;
        settings.sort.insert("devices".to_owned(), "name".to_owned());
    });
    let expected = "later = [1,\n 2] # not yet\nmouse = false\n\n[lab]\ncage = '1G'\n\n[thresholds]\nuse_crit = 1\n\n[sort]\ndevices = \"name\"\n";
    assert_eq!(new, expected);
}

#[test]
fn a_new_key_is_added_to_its_table() {
    let set = |old| written(old, |settings| settings.policy.use_warn = 0.5);
    assert_eq!(set(""), "[thresholds]\nuse_warn = 0.5\n");
    assert_eq!(set("# mine"), "# mine\n[thresholds]\nuse_warn = 0.5\n");
    assert_eq!(
        set("thresholds.use_crit = 0.9\nmouse = false\n"),
        "thresholds.use_crit = 0.9\nthresholds.use_warn = 0.5\nmouse = false\n"
    );
    assert_eq!(set("thresholds = {}"), "thresholds = { use_warn = 0.5 }\n");
    // The lines then end as on Linux.
    let old = "mouse = false\r\n# so\r\n[thresholds]\r\nuse_crit = 0.9 # x\r\n";
    assert_eq!(set(old), old.replace('\r', "") + "use_warn = 0.5\n");
}

#[test]
fn a_bad_value_is_left_until_it_is_set() {
    let old = "color = \"red\" # my favourite\n";
    assert_eq!(written(old, |settings| settings.mouse = false), format!("{old}mouse = false\n"));
    let new = written(old, |settings| settings.color = ColorChoice::Never);
    assert_eq!(new, "color = \"never\" # my favourite\n");
}

#[test]
fn conflicting_keys_are_not_overwritten() {
    let told = |old: &str| {
        let mut settings = Settings::default();
        settings.policy.use_warn = 0.5;
        settings.mouse = false;
        carry(old, &Settings::default(), &settings).unwrap_err().to_string()
    };
    assert_eq!(
        told("thresholds = 3"),
        "thresholds.use_warn: thresholds is not a table in this file: write it as [thresholds]"
    );
    assert_eq!(told("[mouse]"), "mouse: \"table\" is not valid: use true or false");
}

#[test]
fn one_run_overrides_are_not_saved() {
    let old = "interval = 2\n";
    let (mut from, _) = read(old);
    from.color = ColorChoice::Never;
    from.interval = Duration::from_secs(9);
    let mut to = from.clone();
    assert_eq!(carry(old, &from, &to).unwrap(), old);
    to.mouse = false;
    assert_eq!(carry(old, &from, &to).unwrap(), "interval = 2\nmouse = false\n");
    to.interval = Duration::from_secs(1);
    assert_eq!(carry(old, &from, &to).unwrap(), "interval = 1\nmouse = false\n");
}

#[test]
fn damaged_files_never_stop_the_program() {
    let mut changed = Settings::default();
    for (_, key, name) in all() {
        let typed = key.takes.words().last().copied().unwrap_or("1");
        let typed = if name.is_empty() { typed } else { first_column(&name) };
        key.set_text(&mut changed, &name, typed).unwrap();
    }
    mangled(FULL.as_bytes(), 2000, |bytes| {
        let Ok(text) = decode("", bytes) else { return };
        let (settings, problems) = read(text);
        for problem in problems {
            assert!(problem.place.line.is_none_or(|line| line <= text.lines().count().max(1) + 1));
        }
        if let Ok(new) = carry(text, &settings, &settings) {
            assert_eq!(new, text);
        }
        if let Ok(new) = carry(text, &settings, &changed) {
            assert_eq!(read(&new).0, changed, "{text}\n---\n{new}");
        }
    });
}
