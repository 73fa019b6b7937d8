mod over;

use super::*;
use crate::config::{MAX_FILE_BYTES, decode};
use crate::lab::builtin::LOADS;
use crate::model::Bytes;
use crate::model::load::{
    AccessPattern, AfterTouching, FolioAdvice, FreeMethod, MemoryAmount, MemoryKind, PageContents,
    TouchUnit,
};
use crate::root::testing::mangled;

const WORK: &str = "[[work]]\nsize = \"64M\"\n";

fn errors_of(text: &str) -> Vec<String> {
    sentences(read("mine", text))
}

/// The errors of a work of 64M with these additional lines, which begin on line 3.
fn errors_of_work(lines: &str) -> Vec<String> {
    errors_of(&format!("{WORK}{lines}"))
}

fn sentences<T>(read: Result<T, Vec<Problem>>) -> Vec<String> {
    read.err().unwrap_or_default().iter().map(ToString::to_string).collect()
}

fn parse_changes(changes: &[&str]) -> Vec<KeyOverride> {
    changes.iter().map(|text| KeyOverride::parse(text)).collect()
}

fn changed(text: &str, changes: &[&str]) -> Workload {
    let read = read_changed("mine", text, &parse_changes(changes));
    read.unwrap_or_else(|problems| panic!("{problems:?}")).0
}

#[test]
fn a_file_is_read() {
    let text = r#"
about = "All of it."
limit = "1.5G"
together = ["free"]
after = "nothing"
at_most = "2m"
mthp = { "64K" = "always", 2048K = "never" }

[[work]]
processes = 3
rounds = 2
size = "150%"
vary = 12.5
memory = "shared"
pattern = "phases"
hot = "5%"
hits = 99
length = 2
touch = "word"
writes = "90%"
prefault = false
seconds = "500ms"
pace = "1M"
contents = "2.5:1"
advice = "small"
free = "exit"
allocates = true
cpus = [3, "0-1"]
node = 1

[[work]]
size = "64K"
"#;
    let load = read("mine", text).unwrap();
    let mthp = [("2M", "never"), ("64K", "always")];
    assert_eq!((load.name.as_str(), load.about.as_str()), ("mine", "All of it."));
    assert_eq!(load.limit, MemoryAmount::Bytes(Bytes(3 << 29)));
    assert!(!load.start_together && load.free_together);
    assert_eq!((load.after, load.at_most), (AfterTouching::Nothing, 120.0));
    assert!(load.mthp.iter().map(|(size, word)| (size.as_str(), word.as_str())).eq(mthp));
    let first = WorkerGroup {
        processes: 3,
        rounds: 2,
        size: MemoryAmount::Share(1.5),
        vary: 0.125,
        memory: MemoryKind::Shared,
        order: AccessPattern::Phases { hot: 0.05, hits: 0.99, length: 2.0 },
        touch: TouchUnit::Word,
        writes: 0.9,
        prefault: false,
        passes: None,
        seconds: Some(0.5),
        pace: Some(Bytes(1 << 20)),
        contents: PageContents::Ratio(2.5),
        advice: FolioAdvice::Small,
        free: FreeMethod::Exit,
        allocates: true,
        cpus: Some(vec![3, 0, 1]),
        node: Some(1),
    };
    let second = WorkerGroup {
        processes: 1,
        rounds: 1,
        size: MemoryAmount::Bytes(Bytes(64 << 10)),
        vary: 0.0,
        memory: MemoryKind::Anonymous,
        order: AccessPattern::Sequential,
        touch: TouchUnit::Page,
        writes: 1.0,
        prefault: true,
        passes: Some(1.0),
        seconds: None,
        pace: None,
        contents: PageContents::Words,
        advice: FolioAdvice::None,
        free: FreeMethod::Unmap,
        allocates: false,
        cpus: None,
        node: None,
    };
    assert_eq!(load.works, [first, second]);
}

#[test]
fn missing_keys_get_their_defaults() {
    let load = read("mine", WORK).unwrap();
    assert_eq!((load.limit, load.at_most), (MemoryAmount::Share(0.25), 600.0));
    assert!(load.start_together && load.free_together && load.mthp.is_empty());
    assert_eq!(read("mine", "work = [{ size = \"64M\" }]").unwrap(), load);
    let order = |lines: &str| read("mine", &format!("{WORK}{lines}")).unwrap().works[0].order;
    assert_eq!(order("pattern = \"strided\""), AccessPattern::Strided { stride: 64 << 10 });
    assert_eq!(order("pattern = \"zipf\""), AccessPattern::Zipf { skew: 1.0 });
    let phases = AccessPattern::Phases { hot: 0.1, hits: 0.9, length: 1.0 };
    assert_eq!(order("pattern = \"phases\""), phases);
    assert_eq!(order("pattern = \"churn\""), AccessPattern::Churn);
    assert_eq!(order("pattern = \"random\""), AccessPattern::Random);
}

#[test]
fn invalid_values_name_line_key_and_valid_values() {
    let size = "a size of 64K or more, such as 512M, or a share of the limit from 1% to 1000%, such as 50%";
    let share = "a share from 0% to 100%, such as 50% or the number 50";
    let contents = "zero, same, words, RATIO:1, random or file:PATH, where RATIO is from 1.1 to 20 and PATH begins with /";
    let patterns = "sequential, strided, random, zipf, phases or churn";
    let cases = [
        ("size = 512", "size: \"512\" has no unit: use 512M or 512K".to_owned()),
        ("size = \"512\"", "size: \"512\" has no unit: use 512M or 512K".to_owned()),
        ("size = 0", format!("size: \"0\" is not valid: use {size}")),
        ("size = \"-1G\"", format!("size: \"-1G\" is not valid: use {size}")),
        ("size = \"4K\"", format!("size: \"4K\" is not valid: use {size}")),
        ("size = \"1001%\"", format!("size: \"1001%\" is not valid: use {size}")),
        ("size = [1]", format!("size: a value of type array is not valid: use {size}")),
        ("size = true", format!("size: \"true\" is not valid: use {size}")),
        ("size = nan", format!("size: \"NaN\" is not valid: use {size}")),
        ("writes = 101", format!("writes: \"101\" is not valid: use {share}")),
        (
            "writes = 0.07",
            "writes: \"0.07\" is ambiguous: use 7% or 0.07%".to_owned(),
        ),
        ("contents = \"3\"", format!("contents: \"3\" is not valid: use {contents}")),
        (
            "contents = \"wrods\"",
            format!("contents: \"wrods\" is not valid: use {contents}; did you mean words?"),
        ),
        (
            "pattern = \"squential\"",
            format!("pattern: \"squential\" is not valid: use {patterns}; did you mean sequential?"),
        ),
        ("pattern = 3", format!("pattern: \"3\" is not valid: use {patterns}")),
        (
            "seconds = \"soon\"",
            "seconds: \"soon\" is not valid: use seconds from 0.001 to 86400, such as 30, 0.5s or 10m".to_owned(),
        ),
        (
            "stride = \"4\"\npattern = \"strided\"",
            "stride: \"4\" has no unit: use 4M or 4K".to_owned(),
        ),
        (
            "passes = -1",
            "passes: \"-1\" is not valid: use a number from 0.001 to 1000000".to_owned(),
        ),
        (
            "prefault = \"ture\"",
            "prefault: \"ture\" is not valid: use true or false; did you mean true?".to_owned(),
        ),
        (
            "cpus = \"3-1\"",
            "cpus: \"3-1\" is not valid: use CPU numbers up to 8191, such as 0-3,6".to_owned(),
        ),
        ("cpus = [0, \"0-2\"]", "cpus: \"0,0-2\" names CPU 0 twice: name it once".to_owned()),
        ("node = -1", "node: \"-1\" is not valid: use a whole number from 0 to 1023".to_owned()),
    ];
    for (line, sentence) in cases {
        let text = if line.starts_with("size") {
            format!("\n[[work]]\n{line}")
        } else {
            format!("{WORK}{line}")
        };
        assert_eq!(errors_of(&text), [format!("mine:3: {sentence}")], "{line}");
    }
    for (line, sentence) in [
        ("processes = 0", "\"0\" is not valid: use a whole number from 1 to 1024"),
        ("processes = -4", "\"-4\" is not valid: use a whole number from 1 to 1024"),
        ("processes = 1.5", "\"1.5\" is not valid: use a whole number from 1 to 1024"),
        (
            "processes = { a = 1 }",
            "a value of type inline table is not valid: use a whole number from 1 to 1024",
        ),
    ] {
        assert_eq!(errors_of_work(line), [format!("mine:3: processes: {sentence}")]);
    }
}

#[test]
fn keys_above_the_works_are_checked_too() {
    let limit = "a size of 8M or more, such as 512M, or a share of available memory from 1% to 100%, such as 50%";
    let folios =
        "sizes of folios such as 64K, or others, each with always, madvise, inherit or never";
    let cases = [
        ("limit = \"7M\"", format!("limit: \"7M\" is not valid: use {limit}")),
        ("limit = \"120%\"", format!("limit: \"120%\" is not valid: use {limit}")),
        (
            "together = [\"free\", \"strat\"]",
            "together: \"free,strat\" is not valid: use some of start, free, or none; did you mean start?".to_owned(),
        ),
        (
            "together = [\"start\", \"none\"]",
            "together: \"start,none\" mixes none with other words: use some of start, free, or none".to_owned(),
        ),
        (
            "together = []",
            "together: \"\" is not valid: use some of start, free, or none".to_owned(),
        ),
        (
            "together = \"start,\"",
            "together: \"start,\" is not valid: use some of start, free, or none".to_owned(),
        ),
        (
            "after = \"swapof\"",
            "after: \"swapof\" is not valid: use nothing or swapoff; did you mean swapoff?".to_owned(),
        ),
        (
            "after = \"swapoff\"\ntogether = \"start\"",
            "together: after = swapoff needs processes that hold their memory until then: add free".to_owned(),
        ),
        (
            "about = 5",
            "about: a value of type integer is not valid: use a text of one line with at most 400 characters".to_owned(),
        ),
        (
            "about = \"a\\u001bb\"",
            "about: the control character \\u{1b} is not valid: use a text of one line with at most 400 characters".to_owned(),
        ),
        (
            "at_most = 0.5",
            "at_most: \"0.5\" is not valid: use seconds from 1 to 86400, such as 30, 90s or 10m".to_owned(),
        ),
        (
            "mthp = { 65K = \"always\" }",
            format!("mthp.65K: \"65K=always\" is not valid: use {folios}"),
        ),
        (
            "mthp = { 64K = \"alwys\" }",
            format!("mthp.64K: \"64K=alwys\" is not valid: use {folios}; did you mean always?"),
        ),
        (
            "mthp = { 64K = \"always\", 65536B = \"never\" }",
            "mthp.65536B: \"never\" names the size 64K twice: name it once".to_owned(),
        ),
        (
            "mthp = { 64K = 1 }",
            format!("mthp.64K: \"64K=1\" is not valid: use {folios}"),
        ),
    ];
    for (lines, sentence) in cases {
        let line = lines.lines().count();
        let expected = format!("mine:{line}: {sentence}");
        assert_eq!(errors_of(&format!("{lines}\n{WORK}")), [expected], "{lines}");
    }
    assert_eq!(
        errors_of(&format!("[mthp]\n64K = \"always\"\n32K = \"no\"\n{WORK}")),
        [format!("mine:3: mthp.32K: \"32K=no\" is not valid: use {folios}")]
    );
}

#[test]
fn conflicting_keys_are_reported() {
    let cases = [
        (
            "skew = 1\npattern = \"random\"",
            "3: skew: this key needs the pattern zipf, but this work has random: remove it, or use the pattern zipf",
        ),
        (
            "pattern = \"churn\"\nmemory = \"shared\"",
            "3: pattern: churn needs anonymous memory, but this work has shared: use another pattern, or memory = anonymous",
        ),
        (
            "memory = \"forked\"\npattern = \"churn\"",
            "4: pattern: churn needs anonymous memory, but this work has forked: use another pattern, or memory = anonymous",
        ),
        (
            "memory = \"forked\"\nwrites = 0",
            "4: writes: 0% copies nothing, because forked memory is copied only where it is written: use more, or another memory",
        ),
        (
            "memory = \"forked\"\nprefault = false",
            "4: prefault: false leaves nothing to copy, because forked memory is filled before the child starts: use true, or another memory",
        ),
        (
            "passes = 1\nseconds = 1",
            "4: seconds: passes already sets the end of the work: remove one of the two",
        ),
        (
            "pattern = \"strided\"\nstride = \"5K\"",
            "4: stride: 5K is not a multiple of 4K: use a multiple",
        ),
        (
            "pattern = \"strided\"\nstride = \"128M\"",
            "4: stride: 128M is more than the size, 64M: use 64M or less",
        ),
        (
            "rounds = 3\nseconds = 300",
            "4: seconds: all rounds take 900 seconds, but the run is stopped after 600: use fewer seconds or a larger at_most",
        ),
    ];
    for (lines, sentence) in cases {
        assert_eq!(errors_of_work(lines), [format!("mine:{sentence}")], "{lines}");
    }
}

#[test]
fn unknown_and_misplaced_keys_are_reported() {
    let tops = "about, limit, together, after, mthp, at_most, work";
    let cases = [
        (
            format!("limt = \"1G\"\n{WORK}"),
            format!("mine:1: limt: unknown key: use {tops}; did you mean limit?"),
        ),
        (
            format!("zzzz = 1\n{WORK}"),
            format!("mine:1: zzzz: unknown key: use {tops}"),
        ),
        (
            format!("{WORK}limit = \"1G\""),
            "mine:3: limit: put this key above all tables".to_owned(),
        ),
        (
            format!("size = \"1G\"\n{WORK}"),
            "mine:1: size: unknown key: use about, limit, together, after, mthp, at_most, work; size is a key of the table work".to_owned(),
        ),
        (
            "\n[work]\nsize = \"1G\"".to_owned(),
            "mine:2: work: write it as [[work]], above its keys".to_owned(),
        ),
        (
            "work = []".to_owned(),
            "mine: work: this key is required: use one to 64 tables [[work]]".to_owned(),
        ),
        (
            WORK.repeat(65),
            "mine:1: work: there are 65 tables: use no more than 64".to_owned(),
        ),
        (
            String::new(),
            "mine: work: this key is required: use one to 64 tables [[work]]".to_owned(),
        ),
        (
            "\n[[work]]".to_owned(),
            "mine:2: size: this key is required: use a size of 64K or more, such as 512M, or a share of the limit from 1% to 1000%, such as 50%".to_owned(),
        ),
    ];
    for (text, sentence) in cases {
        assert_eq!(errors_of(&text), [sentence], "{text}");
    }
}

#[test]
fn all_errors_are_reported_at_once_up_to_a_limit() {
    let text = "limit = 1\nat_most = 0\n[[work]]\nsize = 1\nseconds = 900\n[[work]]\npattern = 1\n";
    let lines: Vec<_> = read("mine", text).unwrap_err().iter().map(|it| it.place.line).collect();
    assert_eq!(lines, [1, 2, 4, 6, 7].map(Some));
    let many: Vec<String> = (0..500).map(|n| format!("zzzz{n} = 1\n")).collect();
    let told = errors_of(&(many.concat() + WORK));
    assert_eq!((told.len(), told[20].as_str()), (21, "mine: there are more errors"));
    let long = errors_of_work(&format!("contents = \"{}\"", "é".repeat(20_000)));
    assert_eq!(long[0].chars().count(), 1000 + "mine:3: contents: ...".len());
    let hostile = sentences(read("a\u{1b}[2J", "\u{7f} = 1"));
    assert!(hostile.iter().all(|told| !told.chars().any(char::is_control)), "{hostile:?}");
}

#[test]
fn files_of_other_kinds_are_refused() {
    // An invalid value causes no other errors.
    assert_eq!(errors_of_work("memory = \"shred\"\npattern = \"churn\"\nskew = 1").len(), 1);
    let [toml] = &errors_of("a = 1\n\nb")[..] else { panic!() };
    assert!(toml.starts_with("mine:3: this is not TOML: "), "{toml}");
    for (text, place) in [
        ("limit = \"16M\"\nlimit = \"32M\"\n", "2: limit"),
        ("[[work]]\nsize = \"1M\"\n \"size\" = \"2M\"\n", "3: size"),
        ("mthp = { 64K = \"always\", 64K = \"never\" }\n", "1: 64K"),
        ("[mthp]\n64K = \"always\"\n[mthp]\n", "3: mthp"),
    ] {
        assert_eq!(
            errors_of(text),
            [format!("mine:{place}: this key is set twice: remove one of them")]
        );
    }
    let large = format!("# {}", "x".repeat(MAX_FILE_BYTES));
    assert_eq!(errors_of(&large), ["mine: the file is larger than 65536 bytes: not read"]);
    let problem = decode("mine", b"a\n\n\xff").unwrap_err();
    assert_eq!(problem.to_string(), "mine:3: not UTF-8 text: the file was not read");
    assert_eq!(decode("mine", b"a"), Ok("a"));
    assert_eq!(errors_of(&format!("a = {}", "[".repeat(10_000))).len(), 1);
}

#[test]
fn rounds_free_their_memory_before_a_swapoff() {
    let text = format!("after = \"swapoff\"\n{WORK}rounds = 2\n");
    let told = sentences(read("mine", &text));
    assert!(told[0].contains("rounds: after = swapoff needs processes that hold"), "{told:?}");
}

#[test]
fn the_command_line_overrides_the_file() {
    let two = format!("{WORK}pattern = \"zipf\"\nskew = 2\npasses = 3\n{WORK}");
    let load =
        changed(&two, &["size=1G", "2.size = 2G", "limit=50%", "mthp=64K=always,others=never"]);
    assert_eq!(load.works[0].size, MemoryAmount::Bytes(Bytes(1 << 30)));
    assert_eq!(load.works[1].size, MemoryAmount::Bytes(Bytes(2 << 30)));
    assert_eq!(load.limit, MemoryAmount::Share(0.5));
    let mthp = load.mthp.iter().map(|(size, word)| (size.as_str(), word.as_str()));
    assert!(mthp.eq([("64K", "always"), ("others", "never")]));
    // The parameters of a replaced pattern are removed too, and nothing else.
    let load = changed(&two, &["pattern=random", "1.seconds=5"]);
    assert_eq!(
        load.works.iter().map(|it| it.order).collect::<Vec<_>>(),
        [AccessPattern::Random; 2]
    );
    assert_eq!((load.works[0].passes, load.works[0].seconds), (None, Some(5.0)));
    assert_eq!(changed(&two, &["pattern="]).works[0].order, AccessPattern::Sequential);
    let load = changed(&two, &["1.pattern=zipf", "1.passes="]);
    assert_eq!(
        (load.works[0].order, load.works[0].passes),
        (AccessPattern::Zipf { skew: 2.0 }, Some(1.0))
    );
    // A replaced value is not reported.
    assert_eq!(changed("[[work]]\nsize = 5", &["size=1M"]).works.len(), 1);
    assert_eq!(changed("[[work]]\nsize = [5]", &["size=1M"]).works.len(), 1);
}

#[test]
fn a_load_with_one_work_refuses_a_second_number() {
    let told = sentences(read_changed("mine", WORK, &parse_changes(&["2.size=1M"])));
    let sentence = "2.size: there is no work \"2\", only one: use size=VALUE";
    assert_eq!(told, [format!("{COMMAND_LINE}: {sentence}")]);
}

#[test]
fn errors_on_the_command_line_name_the_key() {
    let two = format!("{WORK}{WORK}");
    let cases = [
        ("size=512", "size: \"512\" has no unit: use 512M or 512K"),
        ("2.processes=0", "2.processes: \"0\" is not valid: use a whole number from 1 to 1024"),
        (
            "skew=1",
            "skew: this key needs the pattern zipf, but this work has sequential: remove it, or use the pattern zipf",
        ),
        ("sise=1G", "sise: unknown key: use about, limit, "),
        ("3.size=1G", "3.size: there is no work \"3\": use a number from 1 to 2"),
        ("0.size=1G", "0.size: there is no work \"0\": use a number from 1 to 2"),
        ("1.limit=1G", "1.limit: this key applies to the whole workload: use limit=VALUE"),
        ("size", "size: \"size\" has no value: use KEY=VALUE, such as size=1G"),
        ("=", ": unknown key: use "),
    ];
    for (change, sentence) in cases {
        let told = sentences(read_changed("mine", &two, &parse_changes(&[change])));
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].starts_with(&format!("on the command line: {sentence}")), "{told:?}");
    }
    let both = sentences(read_changed("mine", WORK, &parse_changes(&["passes=1", "seconds=1"])));
    assert_eq!(
        both,
        [
            "on the command line: seconds: passes already sets the end of the work: remove one of the two"
        ]
    );
}

#[test]
fn no_damage_to_a_file_stops_the_program() {
    for it in LOADS {
        mangled(it.text.as_bytes(), 2000, |bytes| {
            let Ok(text) = decode(it.name, bytes) else { return };
            let Err(wrongs) = read(it.name, text) else { return };
            assert!(!wrongs.is_empty());
            for wrong in wrongs {
                assert!(
                    wrong.place.line.is_none_or(|line| line <= text.lines().count().max(1) + 1)
                );
            }
        });
    }
}
