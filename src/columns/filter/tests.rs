use super::*;
use crate::columns::TABLES;
use crate::columns::tables::lab::LAB_TABLES;
use crate::model::Missing;

fn devices() -> &'static Spec {
    TABLES.iter().find(|spec| spec.name == "devices").unwrap()
}

/// Does a row with this used size, name and a missing UUID pass?
fn passes(filter: &str, used: u64, name: &str) -> bool {
    let spec = devices();
    let filter = Filter::parse(spec, &[], filter).unwrap();
    let (used_at, name_at) = (spec.find("used").unwrap(), spec.find("name").unwrap());
    let values =
        [Value::Whole(used), Value::Text(name.into()), Value::Missing(Missing::absent("x"))];
    let cell = |column: usize| match column {
        column if column == used_at => Some(&values[0]),
        column if column == name_at => Some(&values[1]),
        _ => Some(&values[2]),
    };
    filter.accepts(&cell, &|word| shows_text(&values[1], Unit::Text, word))
}

#[test]
fn sizes_words_and_operators() {
    assert!(passes("used>1G", 2 << 30, "a"));
    assert!(!passes("used>1GiB", 1 << 30, "a"));
    assert!(passes("used >= 1.5k & name = /dev/a", 1536, "/dev/a"));
    assert!(passes("used<1|ZRAM", 5, "/dev/zram0"));
    assert!(passes("!(used<1 | zram)", 5, "/dev/sda"));
    assert!(passes("name~ZRAM", 0, "/dev/zram0") && !passes("name!~zram", 0, "/dev/zram0"));
    assert!(passes("name=\"/mnt/a b\"", 0, "/mnt/a b"));
    assert!(passes("name == '/mnt/a b'", 0, "/mnt/a b"));
    assert!(passes("USE%=- & NAME~a", 0, "a"));
    assert!(passes("out=- & In/s=- & use=-", 0, "a"), "headings without units");
    assert!(Filter::parse(devices(), &[], "nonsense=1").is_err());
}

#[test]
fn missing_values_match_only_the_dash() {
    assert!(passes("uuid=-", 0, "a") && !passes("uuid!=-", 0, "a"));
    assert!(!passes("uuid=x", 0, "a") && !passes("uuid!=x", 0, "a"));
    assert!(!passes("used=-", 0, "a"));
}

#[test]
fn a_dash_is_a_text_if_it_is_quoted_or_searched() {
    for filter in ["name~-", "name~\"-\"", "name=^'-'", "name='-'"] {
        assert!(passes(filter, 0, "-"), "{filter}");
        assert!(!passes(filter, 0, "a"), "{filter}");
    }
    assert!(!passes("name!~-", 0, "a-b") && passes("name!='-'", 0, "a"));
}

#[test]
fn a_name_matches_as_tables_show_it_and_in_its_exact_form() {
    let spec = TABLES.iter().find(|spec| spec.name == "cgroups").unwrap();
    let path = Value::Name("/a\\x2db".into());
    for text in ["/a\\x2db", "/a\\\\x2db"] {
        for (op, expected) in [("=", true), ("!=", false), ("=^", true), ("~", true), ("!~", false)]
        {
            let filter = Filter::parse(spec, &[], &format!("path{op}{text}")).unwrap();
            assert_eq!(filter.accepts(&|_| Some(&path), &|_| false), expected, "{op}{text}");
        }
    }
}

#[test]
fn errors_say_what_is_wrong() {
    let error = |text: &str| Filter::parse(devices(), &[], text).unwrap_err();
    assert!(error("nosuch>1").contains("no column \"nosuch\""));
    assert!(error("used>big").contains("\"big\" is not valid"));
    assert!(error("used>").contains("a column or value is missing at the end"));
    assert!(error("(used>1").contains("missing )"));
    assert!(error("used>1 used>2").contains("unexpected"));
    assert!(error("name=\"x").contains("missing closing \""));
    assert!(error("name>5").contains("is a text column"));
    assert_eq!(error("use>50"), "filter: use is a share from 0 to 1: use 50% or 0.5");
    assert!(error(&"(".repeat(100_000)).contains("too deeply"));
    assert!(error(&"a|".repeat(100_000)).contains("too many terms"));
}

#[test]
fn a_bare_word_is_searched_as_tables_show_it() {
    let shown = |value: &Value, unit, word: &str| shows_text(value, unit, word);
    let size = Value::Whole(1 << 30);
    assert!(shown(&size, Unit::Bytes, "1g") && shown(&size, Unit::Bytes, "1073741824"));
    assert!(!shown(&size, Unit::Bytes, "1073"), "no table shows it");
    assert!(shown(&Value::Real(0.5), Unit::Share, "50%"));
    assert!(shown(&Value::Text("ABC".into()), Unit::Text, "b"));
}

#[test]
fn a_moment_matches_as_far_as_it_was_typed() {
    let spec = LAB_TABLES.iter().find(|spec| spec.name == "results").unwrap();
    let began = Value::Text("2026-11-21T07:25:00.123Z".into());
    let passes = |filter: &str| {
        let filter = Filter::parse(spec, &[], filter).unwrap();
        filter.accepts(&|_| Some(&began), &|_| false)
    };
    for same in
        ["2026-11-21 07:25", "2026-11-21", "2026-11-21T07:25:00Z", "2026-11-21T07:25:00.123Z"]
    {
        assert!(passes(&format!("started='{same}'")), "{same}");
        assert!(!passes(&format!("started!='{same}'")), "{same}");
    }
    for other in ["2026-11-21 07:26", "2026-11-21 07:2", "2026-1", "2026-11-21T07:25:00.124Z"] {
        assert!(!passes(&format!("started='{other}'")), "{other}");
        assert!(passes(&format!("started!='{other}'")), "{other}");
    }
    assert!(passes("started~'11-21 07:2'"));
}
