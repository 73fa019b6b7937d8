//! `/proc/PID/smaps`: the memory of one process by mapping.
//!
//! Kernel: `fs/proc/task_mmu.c`, all versions. It needs the rights to trace the process. Reading it walks
//! the page tables of the whole process under its `mmap_lock`, so it is read only when a person asks for
//! this process. Mappings of one name are added up: a program has many without one.

use super::detail;
use crate::model::users::NamedMapping;
use crate::model::{Bytes, Missing, Name, Reading};
use crate::probes::{deadline, scan};
use crate::root::Root;
use std::collections::BTreeMap;
use std::time::Duration;

/// Enough for 180,000 mappings, which take 700 bytes each.
const CAP: usize = 128 << 20;
/// A process with much memory takes a second.
const LIMIT: Duration = Duration::from_secs(10);
/// Name of all mappings without a name.
const UNNAMED: &[u8] = b"[anonymous]";

/// Reads the mappings in the folder of a process or a thread, added up by name.
pub(super) fn read(root: &Root, folder: &str) -> Reading<Vec<NamedMapping>> {
    let paths = [format!("{folder}/smaps")];
    let text = deadline::read_heads(root, &paths, CAP, LIMIT).pop();
    text.unwrap_or_else(|| Missing::NotSampled.into()).and_then(|text| {
        if text.is_empty() {
            return Reading::absent("a kernel thread or a process that has ended has no mappings");
        }
        if text.len() == CAP {
            return Reading::failed(format!(
                "/{folder}/smaps is larger than {CAP} bytes: the process has too many mappings"
            ));
        }
        Reading::Known(parse(&text))
    })
}

/// Parses the mappings. Each has a line with its addresses and name, then lines of figures.
pub(super) fn parse(text: &[u8]) -> Vec<NamedMapping> {
    let mut mappings: BTreeMap<&[u8], NamedMapping> = BTreeMap::new();
    let mut begin = None;
    for (at, line) in lines_with_places(text) {
        if is_head(line) {
            if let Some(begin) = begin {
                add(&mut mappings, text.get(begin..at).unwrap_or_default());
            }
            begin = Some(at);
        }
    }
    add(&mut mappings, begin.and_then(|begin| text.get(begin..)).unwrap_or_default());
    mappings.into_values().collect()
}

/// The lines, each with the offset at which it begins.
fn lines_with_places(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut at = 0;
    text.split_inclusive(|byte| *byte == b'\n').map(move |line| {
        let begin = at;
        at += line.len();
        (begin, line)
    })
}

/// Whether a line begins a mapping: `start-end rights offset device inode [name]`. The first word of a line
/// with a figure ends in a colon.
fn is_head(line: &[u8]) -> bool {
    let first = scan::fields(line).next().unwrap_or_default();
    first.contains(&b'-') && first.last() != Some(&b':')
}

/// Adds one mapping to those of its name.
fn add<'t>(mappings: &mut BTreeMap<&'t [u8], NamedMapping>, text: &'t [u8]) {
    let Some(head) = scan::lines(text).next() else { return };
    let name = name(head);
    let one = NamedMapping {
        name: Name::new(name),
        count: 1,
        size: detail::field(text, "Size:"),
        rss: detail::field(text, "Rss:"),
        pss: detail::field(text, "Pss:"),
        swap: detail::field(text, "Swap:"),
        swap_pss: detail::field(text, "SwapPss:"),
    };
    match mappings.remove(name) {
        None => mappings.insert(name, one),
        Some(others) => mappings.insert(name, sum(others, one)),
    };
}

/// The name of a mapping: what follows its five fields, which may hold blanks.
fn name(head: &[u8]) -> &[u8] {
    let mut rest = head;
    for _ in 0..5 {
        let begin = rest.iter().position(|byte| *byte != b' ').unwrap_or(rest.len());
        rest = rest.get(begin..).unwrap_or_default();
        let end = rest.iter().position(|byte| *byte == b' ').unwrap_or(rest.len());
        rest = rest.get(end..).unwrap_or_default();
    }
    let name = rest.trim_ascii();
    if name.is_empty() { UNNAMED } else { name }
}

fn sum(a: NamedMapping, b: NamedMapping) -> NamedMapping {
    let add = |a: Reading<Bytes>, b| a.map2(b, Bytes::saturating_add);
    NamedMapping {
        name: a.name,
        count: a.count.saturating_add(b.count),
        size: add(a.size, b.size),
        rss: add(a.rss, b.rss),
        pss: add(a.pss, b.pss),
        swap: add(a.swap, b.swap),
        swap_pss: add(a.swap_pss, b.swap_pss),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::disallowed_methods, reason = "tests build their own trees")]

    use super::*;
    use crate::root::testing::TestTree;

    const SMAPS: &str = "\
55d0a000-55d0b000 r--p 00000000 fe:00 42                  /usr/bin/my prog\n\
Size:                  4 kB\nRss:                   4 kB\nSwap:                  0 kB\nSwapPss:               0 kB\n\
VmFlags: rd mr mw me sd \n\
55d0b000-55d10000 rw-p 00001000 fe:00 42                  /usr/bin/my prog\n\
Size:                 20 kB\nRss:                   8 kB\nSwap:                 12 kB\nSwapPss:               6 kB\n\
7f00-8f00 rw-p 00000000 00:00 0 \n\
Size:                100 kB\nRss:                   0 kB\nSwap:                 96 kB\nSwapPss:              96 kB\n\
8f00-9f00 rw-p 00000000 00:00 0                           [heap]\n\
Size:                 40 kB\nRss:                   0 kB\n";

    #[test]
    fn mappings_of_one_name_are_added_up() {
        let mappings = parse(SMAPS.as_bytes());
        let of = |name: &str| mappings.iter().find(|one| one.name == Name::from(name)).unwrap();
        let prog = of("/usr/bin/my prog");
        assert_eq!((prog.count, &prog.size), (2, &Reading::Known(Bytes::from_kib(24))));
        assert_eq!(prog.swap, Reading::Known(Bytes::from_kib(12)));
        assert_eq!(prog.swap_pss, Reading::Known(Bytes::from_kib(6)));
        assert_eq!(of("[anonymous]").swap, Reading::Known(Bytes::from_kib(96)));
        assert!(of("[heap]").swap.missing().unwrap().to_string().contains("no Swap: line"));
        assert_eq!(mappings.len(), 3);
    }

    #[test]
    fn garbage_is_no_mapping_and_a_process_that_ended_is_missing() {
        for text in ["", "\n", "Size: 4 kB\n", "\0\0\0", "a-b", "a-b\nSwap: x kB\n"] {
            assert!(parse(text.as_bytes()).len() <= 1, "{text:?}");
        }
        let tree = TestTree::with(&[("proc/7/smaps", "")]);
        let why = |pid| read(&tree.root(), pid).missing().unwrap().to_string();
        assert!(why("proc/7").contains("no mappings"), "{}", why("proc/7"));
        assert!(!why("proc/8").is_empty());
    }
}
