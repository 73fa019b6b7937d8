use super::*;
use crate::columns::TABLES;
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

fn problems(text: &str) -> Vec<String> {
    read(text).1.iter().map(ToString::to_string).collect()
}

fn written(old: &str, change: impl FnOnce(&mut Settings)) -> String {
    let (mut settings, _) = read(old);
    change(&mut settings);
    let new = write(old, &settings, &Settings::default()).unwrap();
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
fn what_is_bad_names_its_line_and_the_rest_counts() {
    let told = [
        (
            "\ninterval = \"soon\"",
            "line 2: interval: \"soon\" is not possible: use seconds from 0.1 to 3600, such as 1, 0.5 or 500ms",
        ),
        (
            "interval = 0.05",
            "line 1: interval: \"0.05\" is not possible: use seconds from 0.1 to 3600, such as 1, 0.5 or 500ms",
        ),
        (
            "interval = nan",
            "line 1: interval: \"NaN\" is not possible: use seconds from 0.1 to 3600, such as 1, 0.5 or 500ms",
        ),
        (
            "color = \"red\"",
            "line 1: color: \"red\" is not possible: use auto, true, 256, 16 or never",
        ),
        (
            "glyphs = [\"vt\"]",
            "line 1: glyphs: \"array\" is not possible: use auto, full, blocks, vt or ascii",
        ),
        ("mouse = 2026-11-21", "line 1: mouse: \"datetime\" is not possible: use true or false"),
        (
            "screen = \"lab\\u001b\"",
            "line 1: screen: \"lab\\u{1b}\" is not possible: use overview, devices, compression, mthp, paging, processes, lab or map",
        ),
        (
            "hidden = \"overview,devices,compression,mthp,paging,processes,lab,map\"",
            "line 1: hidden: \"overview,devices,compression,mthp,paging,processes,lab,map\" is not possible: use some of overview, devices, compression, mthp, paging, processes, lab, map, but not all, or none",
        ),
        (
            "[thresholds]\nuse_warn = 80",
            "line 2: thresholds.use_warn: \"80\" is not possible: use a share from 0 to 1, such as 0.8 or 80%",
        ),
        ("thresholds = 3", "line 1: thresholds has to be a table: [thresholds]"),
        ("[[columns]]", "line 1: columns has to be a table: [columns]"),
        ("colour = 256", "line 1: \"colour\" cannot be set; is it color that is meant?"),
        (
            "\"thresholds.use_warn\" = 0.5",
            "line 1: \"thresholds.use_warn\" cannot be set; is it thresholds.use_warn that is meant?",
        ),
        (
            "[thresholds]\ncolor = 16",
            "line 2: \"thresholds.color\" cannot be set; is it color that is meant?",
        ),
        (
            "[treshholds]\nuse_warn = 80",
            "line 1: \"treshholds\" cannot be set; is it thresholds that is meant?",
        ),
        (
            "[columns]\ndevcies = \"\"",
            "line 2: \"columns.devcies\" cannot be set; is it columns.devices that is meant?",
        ),
        ("qqqqqqqq = 1", "line 1: \"qqqqqqqq\" cannot be set; the manual lists what can"),
    ];
    for (text, sentence) in told {
        assert_eq!(problems(text), [sentence]);
        let (settings, _) = read(&format!("{text}\n[sort]\ndevices = \"name\""));
        assert_eq!(settings.sort["devices"], "name", "{text}");
    }
    let columns = problems("sort.devices = \"x\"\ncolumns.devices = \"+x\"");
    assert!(columns[0].starts_with("line 1: sort.devices: devices has no column \"x\"; it has "));
    assert!(columns[1].starts_with("line 2: columns.devices: devices has no column \"x\""));
}

#[test]
fn what_is_no_toml_leaves_the_defaults() {
    for (text, line) in [("mouse = false\n\ncolor", 3), ("mouse = false\nmouse = true", 2)] {
        let (settings, problems) = read(text);
        assert_eq!((settings, problems[0].line), (Settings::default(), Some(line)), "{text}");
        assert!(problems[0].what.starts_with("this is not TOML, so nothing"), "{problems:?}");
        assert!(write(text, &Settings::default(), &Settings::default()).is_err());
    }
    let large = format!("mouse = false #{}", "x".repeat(LARGEST));
    assert_eq!(problems(&large), ["the file has more than 65536 bytes: not read"]);
    assert_eq!(text(b"a\n\n\xff").unwrap_err().line, Some(3));
}

#[test]
fn a_long_value_makes_no_long_sentence() {
    let problems = problems(&format!("color = \"{}\"", "é".repeat(20_000)));
    assert_eq!(problems[0].chars().count(), LONGEST + "line 1: ...".len());
}

#[test]
fn a_file_full_of_problems_tells_some_and_its_rest_counts() {
    let lines: Vec<String> = (0..5000).map(|n| format!("colr{n} = 1")).collect();
    let (settings, problems) = read(&(lines.join("\n") + "\nmouse = false"));
    assert_eq!((settings.mouse, problems.len()), (false, 21));
    assert_eq!(problems[20].to_string(), "more in the file cannot be followed");
}

#[test]
fn none_of_the_words_has_a_word() {
    let mut settings = Settings { hidden: vec!["mthp".to_owned()], ..Settings::default() };
    let hidden = Entry::find(None, "hidden").unwrap();
    hidden.set(&mut settings, "none").unwrap();
    assert_eq!((settings.hidden.len(), hidden.get(&settings).as_str()), (0, "none"));
    assert_eq!(written("hidden = [\"mthp\"]\n", |it| it.hidden.clear()), "hidden = []\n");
    // It stands there already when somebody types on.
    hidden.set(&mut settings, "none, paging").unwrap();
    assert_eq!(settings.hidden, ["paging"]);
}

#[test]
fn each_setting_goes_there_and_back() {
    let other = |form| match form {
        Form::Flag => "false",
        Form::Word(words) | Form::Any(words) => words[1],
        Form::Seconds(..) => "2.5",
        // A hundredth of this is not the number that 0.07 is.
        Form::Share => "7%",
        Form::Number(..) => "0.42",
        Form::Columns | Form::Order => "",
    };
    for entry in Entry::all() {
        let mut settings = Settings::default();
        let own = entry.get(&settings);
        entry.set(&mut settings, &own).unwrap();
        assert_eq!(settings, Settings::default(), "{}", entry.key());
        let typed = match entry {
            Entry::Single(setting) => other(setting.form),
            Entry::OfTable(_, spec) => spec.key,
        };
        entry.set(&mut settings, typed).unwrap();
        assert_eq!(entry.get(&settings), typed);
        assert_ne!(settings, Settings::default(), "{} sets nothing", entry.key());
        let text = write("", &settings, &Settings::default()).unwrap();
        assert_eq!(read(&text), (settings.clone(), vec![]), "{text}");
        entry.set(&mut settings, &own).unwrap();
        assert_eq!(settings, Settings::default(), "{} set more than itself", entry.key());
    }
}

#[test]
fn every_accepted_word_is_accepted_and_all_else_told() {
    assert_eq!(ColorChoice::ALL.map(ColorChoice::word), ColorChoice::WORDS);
    assert_eq!(GlyphChoice::ALL.map(GlyphChoice::word), GlyphChoice::WORDS);
    for entry in Entry::all() {
        let mut settings = Settings::default();
        for word in entry.form().words() {
            entry.set(&mut settings, word).unwrap();
            assert_eq!(entry.get(&settings), *word);
        }
        let before = settings.clone();
        let told = entry.set(&mut settings, "\u{1}").unwrap_err();
        assert!(told.contains("use ") || told.contains("it has "), "{told}");
        assert_eq!(settings, before);
    }
}

#[test]
fn keys_are_told_apart_and_explained() {
    let keys: BTreeSet<String> = Entry::all().map(|entry| entry.key()).collect();
    assert_eq!(keys.len(), SETTINGS.len() + PER_TABLE.len() * TABLES.len());
    for setting in SETTINGS {
        assert!(setting.help.len() > 10 && !setting.help.ends_with('.'), "{}", setting.key);
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
        settings.policy.skew_warn = 0.3;
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
        + "skew_warn = 0.3\n";
    assert_eq!(new, expected);
}

#[test]
fn what_a_file_does_not_know_stays() {
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
fn a_new_key_goes_where_its_table_is() {
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
fn nothing_is_put_over_something_else() {
    let told = |old: &str| {
        let mut settings = Settings::default();
        settings.policy.use_warn = 0.5;
        settings.mouse = false;
        write(old, &settings, &Settings::default()).unwrap_err().to_string()
    };
    assert_eq!(told("thresholds = 3"), "thresholds has to be a table: [thresholds]");
    assert_eq!(told("[mouse]"), "mouse: \"table\" is not possible: use true or false");
}

#[test]
fn what_holds_for_one_run_is_not_kept() {
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
fn no_damage_to_a_file_stops_the_program() {
    let mut changed = Settings::default();
    for entry in Entry::all() {
        let typed = match entry {
            Entry::Single(setting) => setting.form.words().last().copied().unwrap_or("1"),
            Entry::OfTable(_, spec) => spec.key,
        };
        entry.set(&mut changed, typed).unwrap();
    }
    mangled(FULL.as_bytes(), 2000, |bytes| {
        let Ok(text) = text(bytes) else { return };
        let (settings, problems) = read(text);
        for problem in problems {
            assert!(problem.line.is_none_or(|line| line <= text.lines().count().max(1) + 1));
        }
        if let Ok(new) = write(text, &settings, &Settings::default()) {
            assert_eq!(new, text);
        }
        if let Ok(new) = write(text, &changed, &Settings::default()) {
            assert_eq!(read(&new).0, changed, "{text}\n---\n{new}");
        }
    });
}
