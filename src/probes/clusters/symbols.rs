//! `/proc/kallsyms`: addresses of the kernel's variables.
//!
//! Kernel: `kernel/kallsyms.c`. Variables are listed with `CONFIG_KALLSYMS_ALL` only, and their addresses
//! are shown as zeros without `CAP_SYSLOG` or with `kernel.kptr_restrict` of 2; kernel memory still has
//! them. The type letter does not matter: 7.x calls data text. Modules come last, and are not read.

use super::kcore::Kcore;
use super::symbol_tables;
use crate::model::{Missing, Reading};
use crate::probes::scan;
use crate::root::{OpenFile, Root, parse_hex};

/// The file below the root.
pub(in crate::probes) const FILE: &str = "proc/kallsyms";
/// Larger than any kernel's file: Debian's has 12 MB.
const LARGEST: u64 = 128 << 20;
/// Limit of the length of a line of the kernel itself.
const LONGEST: usize = 2048;
const CHUNK: usize = 64 << 10;

/// The addresses that are used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Symbols {
    /// Pointers to all areas that ever existed.
    pub(super) swap_info: u64,
    /// Number of valid pointers.
    pub(super) nr_swapfiles: u64,
    /// Offsets of per-CPU variables.
    pub(super) per_cpu_offset: Option<u64>,
    /// Number of possible CPUs.
    pub(super) nr_cpu_ids: Option<u64>,
    /// Next slots of each CPU, since 6.13.
    pub(super) percpu_swap_cluster: Option<u64>,
    /// Memory cgroups by number.
    pub(super) mem_cgroup_private_ids: Option<u64>,
}

const NAMES: [&[u8]; 6] = [
    b"swap_info",
    b"nr_swapfiles",
    b"__per_cpu_offset",
    b"nr_cpu_ids",
    b"percpu_swap_cluster",
    b"mem_cgroup_private_ids",
];

/// The note of kernel memory with the address of the symbol table.
const NOTE: &[u8] = b"VMCOREINFO";

/// Finds the symbols, in kernel memory if the file hides addresses.
pub(super) fn read(root: &Root, memory: &Kcore) -> Reading<Symbols> {
    root.open_file(FILE).and_then(|file| match scan_file(&file) {
        Ok(found) if are_hidden(found) => match in_memory(memory) {
            Ok(found) => from_addresses(found),
            Err(Missing::Absent(why)) => Reading::absent(format!("{HIDDEN}; and {why}")),
            Err(other) => other.into(),
        },
        Ok(found) => from_addresses(found),
        Err(error) => Reading::failed(format!("cannot read /{FILE}: {error}")),
    })
}

/// Reason why addresses are hidden.
const HIDDEN: &str = "the addresses in /proc/kallsyms are hidden: sysctl kernel.kptr_restrict=1 shows them to root with CAP_SYSLOG, which containers may lack";

/// Whether all symbols are present with addresses of zero.
fn are_hidden(found: [Option<u64>; NAMES.len()]) -> bool {
    matches!(found, [Some(0), Some(_), ..] | [Some(_), Some(0), ..])
}

fn in_memory(memory: &Kcore) -> Result<[Option<u64>; NAMES.len()], Missing> {
    let note = memory.note(NOTE)?;
    symbol_tables::addresses(memory, &note, NAMES)
}

fn from_addresses(found: [Option<u64>; NAMES.len()]) -> Reading<Symbols> {
    let [info, count, per_cpu_offset, nr_cpu_ids, percpu_swap_cluster, groups] = found;
    let (Some(swap_info), Some(nr_swapfiles)) = (info, count) else {
        return Reading::absent(format!(
            "/{FILE} has no swap_info: it needs a kernel with CONFIG_KALLSYMS_ALL"
        ));
    };
    if swap_info == 0 || nr_swapfiles == 0 {
        return Reading::absent(HIDDEN);
    }
    let shown = |address: Option<u64>| address.filter(|address| *address != 0);
    Reading::Known(Symbols {
        swap_info,
        nr_swapfiles,
        per_cpu_offset: shown(per_cpu_offset),
        nr_cpu_ids: shown(nr_cpu_ids),
        percpu_swap_cluster: shown(percpu_swap_cluster),
        mem_cgroup_private_ids: shown(groups),
    })
}

/// The address of each name, where found.
fn scan_file(file: &OpenFile) -> std::io::Result<[Option<u64>; NAMES.len()]> {
    let mut found = [None; NAMES.len()];
    each_line(file, |line| {
        let name = line.rsplit(|byte| *byte == b' ').next();
        let wanted = found.iter_mut().zip(NAMES).find(|(_, wanted)| name == Some(*wanted));
        if let Some((place, _)) = wanted.filter(|(place, _)| place.is_none()) {
            *place = address(line);
        }
        found.contains(&None)
    })?;
    Ok(found)
}

/// Passes on each line of the kernel itself, as long as more are wanted.
pub(in crate::probes) fn each_line(
    file: &OpenFile,
    mut wants_more: impl FnMut(&[u8]) -> bool,
) -> std::io::Result<()> {
    let mut buffer = vec![0; CHUNK + LONGEST];
    // The kernel returns a page per read, whatever is requested; only the bytes show the length.
    let (mut at, mut kept) = (0, 0);
    while at < LARGEST {
        let read = file.read_at(at, buffer.get_mut(kept..).unwrap_or_default())?;
        at += read as u64;
        let filled = kept + read;
        let bytes = buffer.get(..filled).unwrap_or_default();
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let is_own = |line: &[u8]| !line.ends_with(b"]");
        let goes_on = scan::lines(bytes.get(..whole).unwrap_or_default())
            .all(|line| is_own(line) && wants_more(line));
        if read == 0 || !goes_on {
            break;
        }
        // The rest of a line beyond the limit is skipped with it.
        let rest = if filled - whole > LONGEST { filled } else { whole };
        buffer.copy_within(rest..filled, 0);
        kept = filled - rest;
    }
    Ok(())
}

fn address(line: &[u8]) -> Option<u64> {
    parse_hex(scan::fields(line).next()?)
}

#[cfg(test)]
mod tests {
    use super::super::kcore;
    use super::*;
    use crate::root::testing::{TestTree, mangled};

    fn read_text(text: impl AsRef<[u8]>) -> Reading<Symbols> {
        let tree =
            TestTree::with(&[(FILE, text.as_ref()), (kcore::FILE, &kcore::tests::dump(&[]))]);
        let kcore = kcore::open(&tree.root()).into_result().unwrap();
        read(&tree.root(), &kcore)
    }

    fn why_without_file() -> String {
        let tree = TestTree::with(&[(kcore::FILE, kcore::tests::dump(&[]))]);
        let kcore = kcore::open(&tree.root()).into_result().unwrap();
        read(&tree.root(), &kcore).missing().unwrap().to_string()
    }

    const SOME: &str = "ffffffff81000000 T swap_info_get\nffffffffb2dd7660 t swap_info\n\
        ffffffffb2dd7748 D nr_swapfiles\nffffffffb1bf9e20 R __per_cpu_offset\n";

    #[test]
    fn names_are_found_with_any_type_letter() {
        let module =
            "ffffffffc0000000 t nr_cpu_ids\t[zram]\nffffffff82000000 T percpu_swap_cluster\n";
        let symbols = read_text(format!("{SOME}{module}")).into_result().unwrap();
        assert_eq!(symbols.swap_info, 0xffff_ffff_b2dd_7660);
        assert_eq!(symbols.per_cpu_offset, Some(0xffff_ffff_b1bf_9e20));
        assert_eq!(symbols.nr_cpu_ids, None, "a module's, and the kernel's end there");
        assert_eq!(symbols.percpu_swap_cluster, None);
    }

    #[test]
    fn lines_may_lie_across_two_reads() {
        for before in CHUNK + LONGEST - 60..CHUNK + LONGEST + 8 {
            let filler = format!("{}\n", "x".repeat(99)).repeat(before / 100);
            let text = format!("{filler}{}\n{SOME}", "y".repeat(before % 100));
            assert!(read_text(text).known().is_some(), "{before}");
        }
        let endless = format!("{}\n{SOME}", "z".repeat(3 * CHUNK));
        assert!(read_text(endless).known().is_some());
    }

    #[test]
    fn reasons_are_distinguished() {
        let why = |text: String| read_text(text).missing().unwrap().to_string();
        assert!(why(SOME.replace("swap_info\n", "other\n")).contains("CONFIG_KALLSYMS_ALL"));
        let hidden = |line: &str| {
            let words: Vec<_> = line.split(' ').skip(1).collect();
            format!("{:016x} {}\n", 0, words.join(" "))
        };
        let hidden = why(SOME.lines().map(hidden).collect());
        assert!(
            hidden.contains("CAP_SYSLOG") && hidden.ends_with("as 6.0 and later do"),
            "{hidden}"
        );
        assert!(why(String::new()).contains("CONFIG_KALLSYMS_ALL"));
        assert!(why_without_file().contains("does not exist"));
    }

    #[test]
    fn mangled_symbols_never_panic() {
        mangled(SOME.as_bytes(), 1000, |bytes| {
            if let Reading::Known(symbols) = read_text(bytes) {
                assert!(symbols.swap_info != 0);
            }
        });
    }
}
