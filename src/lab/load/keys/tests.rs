use super::*;
use crate::lab::load::file;
use std::collections::BTreeSet;

const ONE: &str = "[[work]]\nsize = \"64M\"\n";

fn changed(changes: &[&str]) -> Workload {
    let changes: Vec<file::KeyOverride> =
        changes.iter().map(|it| file::KeyOverride::parse(it)).collect();
    let read = file::read_changed("mine", ONE, &changes);
    read.unwrap_or_else(|problems| panic!("{problems:?}")).0
}

#[test]
fn each_pattern_is_read_as_itself() {
    for word in AccessPattern::WORDS {
        let load = changed(&[&format!("pattern={word}")]);
        assert_eq!(load.works[0].order.word(), word);
    }
}

/// Returns a value that differs from the default of a key, and overrides that it needs.
fn different_value(key: &str) -> (&'static str, &'static [&'static str]) {
    match key {
        "about" => ("else", &[]),
        "limit" | "size" => ("99M", &[]),
        "together" => ("none", &[]),
        "after" => ("swapoff", &[]),
        "mthp" => ("64K=always", &[]),
        "at_most" => ("1h", &[]),
        "processes" | "rounds" | "passes" | "node" => ("7", &[]),
        "vary" | "writes" => ("42%", &[]),
        "memory" => ("memfd", &[]),
        "pattern" => ("random", &[]),
        "stride" => ("8K", &["pattern=strided"]),
        "skew" => ("1.5", &["pattern=zipf"]),
        "hot" | "hits" => ("33%", &["pattern=phases"]),
        "length" => ("3", &["pattern=phases"]),
        "touch" => ("word", &[]),
        "prefault" => ("false", &[]),
        "allocates" => ("true", &[]),
        "seconds" => ("5", &[]),
        "pace" => ("1M", &[]),
        "contents" => ("file:/x", &[]),
        "advice" => ("large", &[]),
        "free" => ("exit", &[]),
        "cpus" => ("0-1", &[]),
        other => panic!("{other} has no test"),
    }
}

/// Lists the keys that have a value.
fn all() -> impl Iterator<Item = &'static Key> {
    LOAD_KEYS.iter().chain(WORK_KEYS).filter(|key| !key.is_table())
}

fn fields(value: &serde_json::Value) -> impl Iterator<Item = (&String, &serde_json::Value)> {
    value.as_object().unwrap().iter()
}

#[test]
fn every_key_changes_a_field_and_every_field_has_a_key() {
    let mut reached = BTreeSet::new();
    for key in all() {
        let (value, before) = different_value(key.name);
        let said = format!("{}={value}", key.name);
        let plain = changed(before);
        let load = changed(&[before, &[said.as_str()]].concat());
        assert_ne!(load, plain, "{said}");
        let json = [plain, load].map(|load| serde_json::to_value(load).unwrap());
        let [tops, works] = [json.each_ref(), json.each_ref().map(|load| &load["works"][0])];
        for [plain, load] in [tops, works] {
            let both = fields(plain).zip(fields(load));
            let changed = both.filter(|((_, plain), (_, load))| plain != load);
            reached.extend(changed.map(|((field, _), _)| field.clone()));
        }
    }
    let json = serde_json::to_value(file::read("mine", ONE).unwrap()).unwrap();
    for (field, _) in fields(&json).chain(fields(&json["works"][0])) {
        assert!(field == "name" || reached.contains(field), "no key reaches {field}");
    }
}

#[test]
fn keys_are_distinct_and_have_help() {
    let names: BTreeSet<&str> = all().map(|key| key.name).collect();
    let count = all().count();
    assert_eq!((names.len(), KEYS.lines().count()), (count, count + 1));
    for line in KEYS.lines() {
        assert!(line.help.len() > 10 && !line.help.ends_with('.'), "{}", line.key);
        assert!(!line.takes.is_empty() && !line.default.is_empty(), "{}", line.key);
    }
    for key in all() {
        let Some((other, pattern)) = key.only_with else { continue };
        assert_eq!(other, "pattern");
        assert!(AccessPattern::WORDS.contains(&pattern), "{}", key.name);
    }
}

/// A file with one key set to this value, and the line of that key. Parameters of a pattern get the
/// pattern.
fn error_and_number(key: &Key, value: &str) -> (String, usize) {
    let line = format!("{} = {value}\n", key.name);
    let pattern = key.only_with.map(|(_, pattern)| format!("pattern = \"{pattern}\"\n"));
    let pattern = pattern.unwrap_or_default();
    match key.name {
        name if KEYS.find("", name).is_some() => (format!("{line}{ONE}"), 1),
        "size" => (format!("[[work]]\n{line}"), 2),
        _ => (format!("{ONE}{pattern}{line}"), 3 + pattern.lines().count()),
    }
}

/// The only error for this value of a key.
fn error_of(key: &Key, value: &str) -> String {
    let (text, line) = error_and_number(key, value);
    let wrongs = file::read("mine", &text).err().unwrap_or_default();
    let [wrong] = &wrongs[..] else { panic!("{} = {value}: {wrongs:?}", key.name) };
    let place = format!("mine:{line}: {}: ", key.name);
    let wrong = wrong.to_string();
    wrong.strip_prefix(&place).unwrap_or_else(|| panic!("{wrong}")).to_owned()
}

#[test]
fn errors_list_the_values_that_a_key_accepts() {
    for key in all() {
        let takes = format!("use {}", key.takes.describe());
        let is_text = matches!(key.takes, T::Line(_));
        let each = ["1979-05-27", "{ a = { b = 1 } }", "[[1]]", "\"\\u0007\""];
        let wrong = if is_text { &[][..] } else { &["\"\"", "\"zz\"", "-1", "\"-1\"", "\"-5M\""] };
        for value in each.iter().chain(wrong) {
            if value.starts_with('{') && key.name == "mthp" {
                continue;
            }
            let told = error_of(key, value);
            assert!(told.contains(&takes), "{} = {value}: {told}", key.name);
        }
    }
}

/// The values suggested in errors are valid.
#[test]
fn units_in_errors_make_the_value_valid() {
    // A stride must be a multiple of the page size.
    let is_free = |key: &&Key| key.name != "stride";
    let has_unit = |key: &&Key| matches!(key.takes, T::Amount(..) | T::Size(..)) && is_free(key);
    for key in all().filter(has_unit) {
        for number in ["5", "\"5\"", "512", "1000", "5000000000"] {
            let told = error_of(key, number);
            let (_, said) =
                told.split_once("has no unit: use ").unwrap_or_else(|| panic!("{told}"));
            for size in said.split(" or ") {
                let (text, _) = self::error_and_number(key, &format!("\"{size}\""));
                assert_eq!(file::read("mine", &text).err(), None, "{} = {size}", key.name);
            }
        }
        let absurd = error_of(key, "1e30");
        assert!(absurd.contains(&key.takes.describe()), "{}: {absurd}", key.name);
    }
}

#[test]
fn contents_are_parsed_as_they_are_displayed() {
    let read = |text: &str| file::read("mine", &format!("{ONE}contents = {text:?}\n"));
    for text in ["zero", "same", "words", "3:1", "1.5:1", "random", "file:/x y"] {
        assert_eq!(read(text).unwrap().works[0].contents.to_string(), text);
    }
    for text in ["", "1:1", "21:1", "3", "3:2", "nan:1", "file:x", "file:/\n", "Zero"] {
        assert!(read(text).unwrap_err()[0].text.contains(" is not valid: use "), "{text}");
    }
}
