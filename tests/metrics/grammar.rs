//! The grammar of `OpenMetrics` 1.0, as far as counters and gauges need it.

use std::collections::BTreeSet;

/// A metric family.
#[derive(Debug)]
pub(crate) struct Family {
    pub(crate) name: String,
    kind: String,
    unit: String,
    has_help: bool,
    /// Samples as `LABELS VALUE`.
    pub(crate) samples: Vec<String>,
}

/// Parses a text and panics at everything that the grammar does not allow.
pub(crate) fn families(text: &str) -> Vec<Family> {
    let body = text.strip_suffix("# EOF\n").unwrap_or_else(|| panic!("no EOF: {text}"));
    let mut families: Vec<Family> = Vec::new();
    let mut series = BTreeSet::new();
    for line in body.lines() {
        if let Some(rest) = line.strip_prefix("# ") {
            metadata(&mut families, rest);
            continue;
        }
        assert!(!line.starts_with('#') && !line.is_empty(), "{line:?}");
        let family = families.last_mut().unwrap();
        let (key, value) = split_sample(line);
        let (name, labels) = key
            .split_once('{')
            .map_or((key, ""), |(name, rest)| (name, rest.strip_suffix('}').unwrap()));
        let ending = if family.kind == "counter" { "_total" } else { "" };
        assert_eq!(name, format!("{}{ending}", family.name), "{line}");
        check_labels(labels);
        check_value(value, &family.kind);
        assert!(series.insert(key.to_owned()), "twice: {line}");
        family.samples.push(format!("{labels} {value}"));
    }
    let names: BTreeSet<_> = families.iter().map(|family| &family.name).collect();
    assert_eq!(names.len(), families.len(), "a family is there twice");
    for family in &families {
        check_family(family);
    }
    families
}

fn metadata(families: &mut Vec<Family>, rest: &str) {
    let mut words = rest.splitn(3, ' ');
    let (what, name, text) = (words.next().unwrap(), words.next().unwrap(), words.next().unwrap());
    if what == "TYPE" {
        let (name, kind) = (name.to_owned(), text.to_owned());
        families.push(Family { name, kind, unit: String::new(), has_help: false, samples: vec![] });
        return;
    }
    let family = families.last_mut().unwrap();
    assert_eq!(family.name, name, "metadata of another family");
    assert!(family.samples.is_empty(), "metadata after samples");
    match what {
        "UNIT" => text.clone_into(&mut family.unit),
        "HELP" => {
            let plain = text.replace("\\\\", "").replace("\\n", "").replace("\\\"", "");
            assert!(!plain.contains(['\\', '"']), "{text}");
            family.has_help = true;
        }
        other => panic!("{other}"),
    }
}

fn check_family(family: &Family) {
    let name = &family.name;
    assert!(is_name(name, true), "{name}");
    assert!(["counter", "gauge"].contains(&family.kind.as_str()), "{family:?}");
    assert!(!name.ends_with("_total"), "{name}");
    assert!(family.has_help, "{name} has no help");
    assert!(!family.samples.is_empty(), "{name} has no sample");
    assert!(family.unit.is_empty() || name.ends_with(&format!("_{}", family.unit)), "{family:?}");
}

/// Whether a text is `[a-zA-Z_:][a-zA-Z0-9_:]*`, with or without colons.
fn is_name(text: &str, colons: bool) -> bool {
    let may = |c: char| c.is_ascii_alphanumeric() || c == '_' || (colons && c == ':');
    text.chars().all(may) && text.starts_with(|c: char| !c.is_ascii_digit()) && !text.is_empty()
}

/// The series and the value: the last space is outside of labels.
fn split_sample(line: &str) -> (&str, &str) {
    let end = line.rfind('}').map_or(0, |place| place + 1);
    let space = end + line[end..].find(' ').unwrap();
    (&line[..space], &line[space + 1..])
}

fn check_labels(labels: &str) {
    let mut rest = labels;
    let mut names = BTreeSet::new();
    while !rest.is_empty() {
        let (name, value) = rest.split_once("=\"").unwrap();
        assert!(is_name(name, false) && !name.starts_with("__"), "{name}");
        assert!(names.insert(name.to_owned()), "{name} is there twice");
        rest = after_value(value);
        rest = rest.strip_prefix(',').unwrap_or(rest);
    }
}

/// The text after the closing quote of a label's value.
fn after_value(text: &str) -> &str {
    let mut chars = text.char_indices();
    while let Some((place, c)) = chars.next() {
        match c {
            '"' => return &text[place + 1..],
            '\\' => assert!("\\n\"".contains(chars.next().unwrap().1), "{text}"),
            c => assert!(c != '\n'),
        }
    }
    panic!("no closing quote: {text}");
}

fn check_value(value: &str, kind: &str) {
    let number: f64 = value.parse().unwrap_or_else(|_| panic!("{value}"));
    assert!(!number.is_nan(), "{value}");
    assert!(kind != "counter" || (number >= 0.0 && number.is_finite()), "{value}");
}
