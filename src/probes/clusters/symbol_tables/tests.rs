use super::super::testing::MemoryImage;
use super::*;

const BASE: u64 = 0xffff_ffff_8100_0000;
const COUNT: u64 = 0x1_0000;
const NAMES: u64 = 0x2_0000;
const TOKEN_TABLE: u64 = 0x10_0000;
const INDEX: u64 = 0x11_0000;
/// Near the text, as in real kernels: numbers may be relative to this address.
const OFFSETS: u64 = BASE + 0x12_0000;
const RELATIVE: u64 = 0x13_0000;

fn low(number: u64) -> u32 {
    u32::try_from(number & 0xffff_ffff).unwrap()
}

/// Names with their types, and their distances from the beginning.
const SYMBOLS: [(&str, u32); 4] =
    [("T_stext", 0), ("tswap_info_get", 16), ("dswap_info", 0x1000), ("Dnr_swapfiles", 0x1008)];

fn note(base: bool) -> String {
    let base =
        if base { format!("SYMBOL(kallsyms_relative_base)={RELATIVE:x}\n") } else { String::new() };
    format!(
        "OSRELEASE=7.2\nSYMBOL(kallsyms_names)={NAMES:x}\nSYMBOL(kallsyms_num_syms)={COUNT:x}\n\
         SYMBOL(kallsyms_token_table)={TOKEN_TABLE:x}\nSYMBOL(kallsyms_token_index)={INDEX:x}\n\
         SYMBOL(kallsyms_offsets)={OFFSETS:x}\n{base}SYMBOL(_stext)={BASE:x}\n"
    )
}

/// A table in which `swap` is one token and each letter another; `number` encodes addresses.
fn kernel(number: impl Fn(u64, u32) -> u32) -> MemoryImage {
    let mut memory = MemoryImage::default();
    let (mut table, mut index) = (Vec::new(), Vec::new());
    for token in 0..=u8::MAX {
        index.extend(u16::try_from(table.len()).unwrap().to_ne_bytes());
        let text = if token == 1 { b"swap".to_vec() } else { vec![token.max(2)] };
        table.extend([&text[..], &[0]].concat());
    }
    table.extend([0; LONGEST_TOKEN]);
    memory.set(TOKEN_TABLE, &table);
    memory.set(INDEX, &index);
    // A name so long that its length takes two bytes.
    let mut names = vec![0x80 | 0x05, 0x02];
    names.extend([b'x'; 0x105]);
    for (name, _) in SYMBOLS {
        let packed = name.replace("swap", "\u{1}");
        names.push(u8::try_from(packed.len()).unwrap());
        names.extend(packed.as_bytes());
    }
    names.resize(PIECE, 0);
    memory.set(NAMES, &names);
    memory.set(COUNT, &5_u32.to_ne_bytes());
    memory.set(RELATIVE, &BASE.to_ne_bytes());
    let numbers = std::iter::once(0).chain(SYMBOLS.iter().map(|(_, far)| *far));
    for (nth, far) in (0..).zip(numbers) {
        memory.set(OFFSETS + nth * 4, &number(OFFSETS + nth * 4, far).to_ne_bytes());
    }
    memory
}

fn find_addresses(memory: &MemoryImage, note: &str) -> Result<[Option<u64>; 3], Missing> {
    addresses(memory, note.as_bytes(), [b"swap_info", b"nr_swapfiles", b"nr_cpu_ids"])
}

const RIGHT: [Option<u64>; 3] = [Some(BASE + 0x1000), Some(BASE + 0x1008), None];

#[test]
fn symbols_are_found_in_each_form() {
    let from_base = kernel(|_, far| far);
    assert_eq!(find_addresses(&from_base, &note(true)), Ok(RIGHT));
    let below = kernel(|_, far| low((-1 - i64::from(far)).cast_unsigned()));
    assert_eq!(find_addresses(&below, &note(true)), Ok(RIGHT));
    let from_place = kernel(|at, far| low((BASE + u64::from(far)).wrapping_sub(at)));
    assert_eq!(find_addresses(&from_place, &note(false)), Ok(RIGHT));
}

#[test]
fn what_is_missing_is_named() {
    let memory = kernel(|_, far| far);
    let why =
        |memory: &MemoryImage, note: &str| find_addresses(memory, note).unwrap_err().to_string();
    assert!(why(&memory, "OSRELEASE=5.10\n").contains("as 6.0 and later do"));
    let other = note(true).replace("(_stext)=ffff", "(_stext)=fff1");
    assert!(why(&memory, &other).contains("in an unknown form"));
    let nowhere = note(true).replace("(kallsyms_names)=", "(kallsyms_names)=f");
    assert!(why(&memory, &nowhere).contains("has no symbol table at the given address"));
    let mut text = memory.clone();
    text.set(COUNT, &1_u32.to_ne_bytes());
    assert!(why(&text, &note(true)).contains("no _stext"));
}

/// Memory that cannot be read from this address on.
struct Failing(MemoryImage, u64);

impl KernelMemory for Failing {
    fn read(&self, address: u64, into: &mut [u8]) -> Result<(), ReadFault> {
        if address == self.1 {
            Err(ReadFault::Failed("busy".to_owned()))
        } else {
            self.0.read(address, into)
        }
    }
}

#[test]
fn a_failed_read_is_not_reported_as_absent() {
    for at in [COUNT, NAMES, TOKEN_TABLE + 2, INDEX, OFFSETS + 4, RELATIVE] {
        let memory = Failing(kernel(|_, far| far), at);
        let why = addresses(&memory, note(true).as_bytes(), [b"swap_info"]).unwrap_err();
        assert!(why.kind() == "failed" && why.why().contains("busy"), "{at:x}: {why}");
    }
}

#[test]
fn damaged_tables_never_panic() {
    let good = kernel(|_, far| far);
    let places = good.places();
    for at in (0..700)
        .step_by(13)
        .map(|far| NAMES + far)
        .chain((0..600).step_by(37).map(|far| INDEX + far))
        .chain(COUNT..COUNT + 2)
    {
        let mut memory = good.clone();
        if places.binary_search(&at).is_ok() {
            memory.set(at, &[0xff]);
            let _whatever = find_addresses(&memory, &note(true));
        }
    }
}

#[test]
fn a_name_takes_no_more_tokens_beyond_its_longest_length() {
    let memory = &MemoryImage::default();
    let tokens = [vec![b'a'; LONGEST_TOKEN]];
    let full = LONGEST / LONGEST_TOKEN;
    for (packed, kept) in [(full, full), (full + 1, full + 1), (full + 2, full + 1)] {
        let mut piece = vec![0; packed + 1];
        piece[0] = u8::try_from(packed).unwrap();
        let mut names = PackedNames { memory, at: 0, piece, next: 0 };
        let mut name = Vec::new();
        names.unpack(&tokens, &mut name).unwrap();
        assert_eq!((name.len(), names.next), (kept * LONGEST_TOKEN, packed + 1));
    }
}
