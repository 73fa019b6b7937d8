use super::bytes::ByteSource;
use super::testing::{Builder, parsed};
use super::*;
use crate::model::Missing;
use crate::root::testing::{TestTree, mangled};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The names requested by the tests.
static ALL: [&str; 9] = ["rich", "node", "ric", "colour", "wide", "known", "eater", "top", "x"];

fn types(builder: &Builder) -> Types {
    parsed(builder.build(), &ALL).unwrap()
}

/// A structure with everything that occurs in the kernel.
fn rich() -> Builder {
    let mut builder = Builder::new();
    let long = builder.int(8);
    let half = builder.int(2);
    let named = builder.add(raw::TYPEDEF, "u64", (0, long), &[]);
    let fixed = builder.add(raw::CONST, "", (0, named), &[]);
    let pointer = builder.add(raw::PTR, "", (0, fixed), &[]);
    let node = builder.structure("node", 16, &[("prio", long, 0, 0), ("next", pointer, 64, 0)]);
    let row = builder.array(node, 3);
    let table = builder.array(row, 2);
    let inner = builder.structure("", 8, &[("deep", half, 16, 0), ("bits", half, 37, 7)]);
    let either = builder.union("", 8, &[("whole", fixed, 0, 0), ("", inner, 0, 0)]);
    let members = [
        ("first", half, 0, 0),
        ("", either, 64, 0),
        ("head", node, 128, 0),
        ("table", table, 256, 0),
    ];
    builder.structure("rich", 128, &members);
    builder.enumeration("", &[("LOOSE", 64)]);
    builder.enumeration("colour", &[("RED", 0), ("GREEN", 1), ("BELOW", -3)]);
    builder.add(raw::FUNC, "rich", (1, 0), &[]);
    builder.enumeration("rich", &[]);
    builder
}

fn member(at: u64, size: u64) -> TypeMember {
    TypeMember { at, size, length: None, bits: None }
}

#[test]
fn members_are_found_where_they_lie() {
    let types = types(&rich());
    let rich = types.find(TypeKind::Struct, "rich").unwrap();
    assert_eq!(rich.size(), Some(128));
    assert_eq!(rich.member("first"), Some(member(0, 2)));
    assert_eq!(rich.member("whole"), Some(member(8, 8)));
    assert_eq!(rich.member("deep"), Some(member(10, 2)));
    assert_eq!(rich.member("head.next"), Some(member(24, 8)));
    assert_eq!(rich.member("table"), Some(TypeMember { length: Some(2), ..member(32, 96) }));
    assert_eq!(rich.member("table.next"), Some(member(40, 8)));
    let bits = Some(Bits { shift: 5, width: 7 });
    assert_eq!(rich.member("bits"), Some(TypeMember { bits, ..member(12, 2) }));
    for none in ["", ".", "none", "first.none", "head.", "head.none", "whole.deep"] {
        assert_eq!(rich.member(none), None, "{none}");
    }
}

#[test]
fn a_name_is_looked_for_among_its_kind() {
    let types = types(&rich());
    assert_eq!(types.find(TypeKind::Enum, "rich").unwrap().value("RED"), None);
    assert!(
        types.find(TypeKind::Struct, "ric").is_none()
            && types.find(TypeKind::Enum, "node").is_none()
    );
    let colour = types.find(TypeKind::Enum, "colour").unwrap();
    assert_eq!((colour.value("GREEN"), colour.value("LOOSE")), (Some(1), None));
    assert_eq!((colour.value("BELOW"), colour.member("RED")), (Some(-3), None));
}

#[test]
#[should_panic(expected = "other was not requested")]
fn only_requested_names_are_found() {
    let _none = types(&rich()).find(TypeKind::Struct, "other");
}

#[test]
fn values_may_be_wide() {
    let mut builder = Builder::new();
    let named = builder.enumeration("x", &[("HIGH", 0)]);
    assert_eq!(named, 1);
    // The name of that constant is after that of its enumeration, or before it.
    let name = u32::try_from(builder.build().windows(5).position(|w| w == b"HIGH\0").unwrap());
    let strings = builder.build().windows(2).position(|w| w == b"x\0").unwrap().min(44);
    let name = name.unwrap() - u32::try_from(strings).unwrap();
    builder.add(raw::ENUM64, "wide", (1, 8), &[name, 5, 1]);
    let types = types(&builder);
    assert_eq!(types.find(TypeKind::Enum, "wide").unwrap().value("HIGH"), Some(0x1_0000_0005));
}

#[test]
fn kinds_that_are_not_known_are_passed_over_where_the_file_tells_their_size() {
    let mut builder = Builder::new();
    builder.add(40, "future", (2, 0), &[7, 8, 9]);
    let int = builder.int(4);
    builder.structure("known", 4, &[("member", int, 0, 0)]);
    let why = parsed(builder.build(), &ALL).unwrap_err();
    assert!(why.contains("newer"), "{why}");
    let mut sizes = vec![0; 40 * 4];
    sizes.extend([4, 4, 0, 0]);
    let types = parsed(builder.with_sizes(&sizes), &ALL).unwrap();
    assert_eq!(types.find(TypeKind::Struct, "known").unwrap().member("member"), Some(member(0, 4)));
    // A kind that is newer than the table of kinds.
    assert!(parsed(builder.with_sizes(&sizes[..160]), &ALL).is_err());
}

#[test]
fn self_references_end() {
    let mut builder = Builder::new();
    // Each refers to the next type, and the last to the first.
    builder.add(raw::TYPEDEF, "a", (0, 2), &[]);
    builder.add(raw::CONST, "", (0, 1), &[]);
    builder.add(raw::ARRAY, "", (0, 0), &[3, 3, u32::MAX]);
    let own = [("", 4, 0, 0); 40];
    let eater = builder.structure("eater", 8, &own);
    assert_eq!(eater, 4);
    builder.structure("top", 8, &[("loop", 1, 0, 0), ("array", 3, 0, 0), ("none", 99, 0, 0)]);
    let types = types(&builder);
    assert_eq!(types.find(TypeKind::Struct, "eater").unwrap().member("x"), None);
    let top = types.find(TypeKind::Struct, "top").unwrap();
    for name in ["loop", "loop.x", "array", "array.x", "none"] {
        assert_eq!(top.member(name), None, "{name}");
    }
}

#[test]
fn false_counts_are_damage_and_allocate_nothing() {
    let good = rich().build();
    for at in [4, 8, 12, 16, 20, 28] {
        for number in [0, 1, 23, u32::MAX / 2, u32::MAX - 3, u32::MAX] {
            let mut bytes = good.clone();
            bytes[at..at + 4].copy_from_slice(&number.to_ne_bytes());
            look(bytes);
        }
    }
    for (bad, word) in [
        (&b""[..], "not BTF"),
        (b"ELF", "not BTF"),
        (&good[..3], "truncated"),
        (&good[..60], "truncated"),
    ] {
        let why = parsed(bad.to_vec(), &ALL).unwrap_err();
        assert!(why.contains(word), "{why}");
    }
    let swapped: Vec<u8> = [&[MAGIC[1], MAGIC[0]], &good[2..]].concat();
    assert!(parsed(swapped, &ALL).unwrap_err().contains("byte order"));
}

/// Queries everything; any result is acceptable.
fn look(bytes: Vec<u8>) {
    let len = bytes.len();
    let Ok(types) = parsed(bytes, &ALL) else { return };
    assert!(
        types.count() <= len / COMMON
            && types.places.capacity() <= len
            && types.named.len() <= ALL.len() * 2
    );
    if let Some(rich) = types.find(TypeKind::Struct, "rich") {
        for path in ["first", "deep", "bits", "head.next", "table", "table.next", "x"] {
            let _whatever = rich.member(path);
        }
        let _whatever = rich.size();
    }
    if let Some(colour) = types.find(TypeKind::Enum, "colour") {
        let _whatever = colour.value("GREEN");
    }
}

#[test]
fn mangled_types_never_panic() {
    mangled(&rich().build(), 5000, |bytes| look(bytes.to_vec()));
}

#[test]
#[allow(clippy::disallowed_methods, reason = "it measures time")]
fn an_unterminated_name_costs_no_more_than_others() {
    let (types, strings) = (20_000_u32, 4_u32 << 20);
    let header = [24, 0, types * 12, types * 12, strings];
    let mut bytes = [&MAGIC[..], &[1, 0]].concat();
    bytes.extend(header.iter().flat_map(|word| word.to_ne_bytes()));
    let one = [0, raw::STRUCT << 24, 0].map(u32::to_ne_bytes).concat();
    bytes.extend(one.repeat(types as usize));
    bytes.resize(bytes.len() + strings as usize, b'x');
    let types = parsed(bytes, &ALL).unwrap();
    let start = std::time::Instant::now();
    assert!(types.find(TypeKind::Struct, "x").is_none());
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}

/// Types that refer to distant ones in long chains, from many members, would take minutes.
#[test]
fn types_that_refer_to_each_other_too_often_are_refused() {
    let mut builder = Builder::new();
    // The last type of each stride refers to that of the next: those between them have to be passed over.
    let stride = u32::try_from(STRIDE).unwrap();
    for number in 1..33 * stride {
        let kind = if number.is_multiple_of(stride) { raw::TYPEDEF } else { raw::FLOAT };
        builder.add(kind, "", (0, number + stride), &[]);
    }
    builder.structure("end", 8, &[]);
    builder.structure("cgroup", 8, &vec![("", stride, 0, 0); 5000]);
    let why = |types: &Types| {
        assert_eq!(types.find(TypeKind::Struct, "cgroup").unwrap().member("x"), None);
        Reading::Known(())
    };
    let tree = TestTree::with(&[(FILE, builder.build())]);
    let why = read(&tree.root(), why).missing().unwrap().to_string();
    assert!(why.contains("refer to each other more often than those of any kernel"), "{why}");
}

#[test]
fn the_file_is_read_through_the_root() {
    let has = |types: &Types| Reading::Known(types.find(TypeKind::Struct, "cgroup").is_some());
    let mut kernel = Builder::new();
    kernel.structure("cgroup", 8, &[]);
    let found = read(&TestTree::with(&[(FILE, kernel.build())]).root(), has);
    assert_eq!(found, Reading::Known(true));
    let missing = |tree: &TestTree| read(&tree.root(), has).missing().unwrap().to_string();
    assert_eq!(missing(&TestTree::new()), format!("/{FILE} does not exist"));
    assert_eq!(
        missing(&TestTree::with(&[(FILE, b"x")])),
        format!("/{FILE} is not BTF in the byte order of this machine")
    );
}

#[test]
fn the_size_of_a_structure_is_known_in_a_module_too() {
    const ENTRY: &str = "zram_table_entry";
    let size = |tree: &TestTree| struct_size(&tree.root(), "zram", ENTRY);
    let with = |names: &[&str], size| {
        let mut builder = Builder::new();
        for name in names {
            builder.structure(name, size, &[]);
        }
        builder
    };
    let tree = TestTree::with(&[(FILE, with(&["other", ENTRY], 24).build())]);
    assert_eq!(size(&tree), Reading::Known(24), "it is built in");
    let kernel = with(&["other", "others"], 8);
    tree.write(FILE, kernel.build());
    assert_eq!(size(&tree).missing().unwrap().kind(), "absent");
    // Names of the module follow those of the kernel.
    let module = format!("{FOLDER}/zram");
    tree.write(&module, with(&["first", ENTRY], 16).build_on(&kernel));
    assert_eq!(size(&tree), Reading::Known(16));
    tree.write(&module, with(&["first"], 16).build_on(&kernel));
    assert_eq!(size(&tree).missing().unwrap().kind(), "absent");
    tree.write(&module, b"nothing");
    assert_eq!(size(&tree).missing().unwrap().kind(), "failed");
}

/// Bytes of which one read, by number, fails.
#[derive(Debug)]
struct Failing(Vec<u8>, usize, AtomicUsize);

impl ByteSource for Failing {
    fn fill(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        if self.2.fetch_add(1, Ordering::Relaxed) == self.1 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        self.0.fill(at, into)
    }
}

#[test]
fn a_read_failure_is_not_reported_as_absent() {
    let mut builder = rich();
    for nth in 0..2000 {
        builder.structure(&format!("another_{nth}"), 8, &[("member", 1, 0, 0)]);
    }
    builder.structure("top", 8, &[("last", 1, 0, 0)]);
    let bytes = builder.build();
    let look = |types: &Types| {
        let of = |name, member| types.find(TypeKind::Struct, name)?.member(member);
        let both = of("rich", "deep").and_then(|_| of("top", "last"));
        Reading::or_absent(both, "no such member")
    };
    let with_failure = |nth| {
        let source = Box::new(Failing(bytes.clone(), nth, AtomicUsize::new(0)));
        Types::parse(CachedFile::new(source, bytes.len()), &ALL, 0).map(|types| types.checked(look))
    };
    let failures =
        (0..).map(with_failure).take_while(|told| *told != Ok(Reading::Known(member(0, 8))));
    let failed = |told: Result<Reading<TypeMember>, _>| match told {
        Ok(told) => told.missing().map(Missing::kind) == Some("failed"),
        // A file that seems damaged is a failure as well.
        Err(_) => true,
    };
    let failures: Vec<bool> = failures.map(failed).collect();
    assert!(failures.len() > 10 && failures.iter().all(|failed| *failed), "{failures:?}");
}

/// Bytes with counters: the largest read, and the sum of all reads.
#[derive(Debug)]
struct Counted(Vec<u8>, Arc<[AtomicUsize; 2]>);

impl ByteSource for Counted {
    fn fill(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        self.1[0].fetch_max(into.len(), Ordering::Relaxed);
        self.1[1].fetch_add(into.len(), Ordering::Relaxed);
        self.0.fill(at, into)
    }
}

#[test]
fn a_long_file_is_read_in_small_pieces_and_once() {
    let mut builder = Builder::new();
    let int = builder.int(4);
    for nth in 0..100_000 {
        builder.structure(&format!("structure_of_number_{nth}"), 4, &[("member", int, 0, 0)]);
    }
    builder.structure("rich", 128, &[("last", int, 64, 0)]);
    let (bytes, counts) = (builder.build(), Arc::default());
    let len = bytes.len();
    let source = Box::new(Counted(bytes, Arc::clone(&counts)));
    let types = Types::parse(CachedFile::new(source, len), &ALL, 0).unwrap();
    assert_eq!(types.find(TypeKind::Struct, "rich").unwrap().member("last"), Some(member(8, 4)));
    let [most, all] = [&counts[0], &counts[1]].map(|count| count.load(Ordering::Relaxed));
    assert!(len > 4 << 20 && most <= 64 << 10, "{most} of {len} bytes at once");
    assert!(all < len + len / 50, "{all} of {len} bytes");
    assert!(types.places.capacity() * size_of::<u32>() < 64 << 10);
}

/// The sizes of 6.18; other kernels, and those without the file, are skipped.
#[test]
fn the_types_of_this_machine() {
    read(&Root::live(), |types| {
        are_of_this_kernel(types);
        Reading::Known(())
    });
}

fn are_of_this_kernel(types: &Types) {
    let of = |name| types.find(TypeKind::Struct, name).unwrap();
    let (info, cluster) = (of("swap_info_struct"), of("swap_cluster_info"));
    assert!(types.count() > 10_000);
    assert_eq!(info.member("flags").map(|flags| flags.size), Some(8));
    assert_eq!(info.member("prio").map(|prio| prio.size), Some(2));
    if cluster.member("table").is_none() || cluster.member("extend_table").is_some() {
        return;
    }
    assert_eq!(cluster.size(), Some(32));
    assert!(info.member("avail_lists.prio").is_some() || info.member("avail_list.prio").is_some());
    assert_eq!(info.member("nonfull_clusters").and_then(|lists| lists.length), Some(10));
    assert!(types.find(TypeKind::Enum, "swap_cluster_flags").is_some());
}

#[test]
fn types_in_a_module_are_named_as_the_reason() {
    let of = |config: &str| {
        let files = [("proc/sys/kernel/osrelease", "7.4.0\n"), ("boot/config-7.4.0", config)];
        size(&TestTree::with(&files).root()).missing().unwrap().why()
    };
    let absent = "/sys/kernel/btf/vmlinux does not exist";
    assert_eq!(
        of("CONFIG_DEBUG_INFO_BTF=m\n"),
        format!(
            "{absent}: this kernel has its type information in a module that is not loaded (CONFIG_DEBUG_INFO_BTF=m)"
        )
    );
    assert_eq!(of("CONFIG_DEBUG_INFO_BTF=y\n"), absent);
    assert_eq!(of("# CONFIG_DEBUG_INFO_BTF is not set\n"), absent);
}
