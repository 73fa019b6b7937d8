//! `/sys/block/zramN`: compressed swap devices, all statistics of all kernel generations.
//!
//! Kernel: `drivers/block/zram/zram_drv.c`; readable by everyone. `mm_stat` has 7 columns, 8 since
//! 4.19 and 9 since 5.12; columns of removed counters hold a literal zero. Files that need
//! `CONFIG_ZRAM_WRITEBACK` or `CONFIG_ZRAM_MULTI_COMP` are absent without it. On 7.x no statistics
//! file answers while writeback or recompression runs, so all files are read through
//! [`crate::root::child_reader`].
//!
//! Not done here: reading files that act (`hot_add` creates a device) or are write-only (`mem_limit`, whose
//! value is in `mm_stat`), and listing blocks, which are in debugfs.

use super::probe::BootCache;
use super::{Probe, ReadInterval, btf, candidate, scan};
use crate::model::paging::BracketedChoice;
use crate::model::zram::{
    self as device, BdStat, DebugStat, IoStat, MmStat, Opener, ZramDevice, ZramSettings, ZramUsers,
    number_from_name,
};
use crate::model::{Bytes, Missing, Name, Pages, Part, PartSet, Reading, known};
use crate::root::{Root, parse_switch, parse_u64, parsed};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// Description of this probe.
pub static PROBE: Probe = Probe {
    part: Part::Zram,
    id: "zram",
    tier: ReadInterval::Fast,
    files: &[
        "sys/block/zram*/disksize",
        "sys/block/zram*/size",
        "sys/block/zram*/initstate",
        "sys/block/zram*/mm_stat",
        "sys/block/zram*/io_stat",
        "sys/block/zram*/bd_stat",
        "sys/block/zram*/debug_stat",
        "sys/block/zram*/comp_algorithm",
        "sys/block/zram*/recomp_algorithm",
        "sys/block/zram*/max_comp_streams",
        "sys/block/zram*/backing_dev",
        "sys/block/zram*/writeback_limit",
        "sys/block/zram*/writeback_limit_enable",
        "sys/block/zram*/writeback_batch_size",
        "sys/block/zram*/compressed_writeback",
        btf::FILE,
        "sys/kernel/btf/zram",
    ],
    about: "zram devices: size, algorithms, compression, writeback",
    remedy: "mount sysfs on /sys; retry after a running writeback or recompression",
};

/// The files that are always read: size, contents, algorithm and backing device.
const MAIN_FILES: [&str; 6] =
    ["disksize", "initstate", "mm_stat", "bd_stat", "comp_algorithm", "backing_dev"];
/// The other files, most of which rarely change or are missing.
const DETAIL_FILES: [&str; 8] = [
    "io_stat",
    "debug_stat",
    "recomp_algorithm",
    "max_comp_streams",
    "writeback_limit",
    "writeback_limit_enable",
    "writeback_batch_size",
    "compressed_writeback",
];

/// The files that every kernel has.
const COMMON_FILES: [&str; 6] =
    ["disksize", "initstate", "mm_stat", "comp_algorithm", "io_stat", "debug_stat"];

/// The files with the settings of a device.
const SETTINGS_FILES: [&str; 5] =
    ["disksize", "comp_algorithm", "recomp_algorithm", "mm_stat", "backing_dev"];

/// Unit of the size in the block layer, whatever the device.
const SECTOR: u64 = 512;

const BRACKETS: &str = "words with one in brackets";
const RECOMPRESSION: &str = "lines with a priority and words with one in brackets";
const NEEDS_WRITEBACK: &str = "the kernel was built without CONFIG_ZRAM_WRITEBACK";
const SINCE_7: &str = "only on 7.x kernels with CONFIG_ZRAM_WRITEBACK";

/// Reads all devices by number, including those without a size, with the requested files.
pub fn read(root: &Root, parts: PartSet) -> Reading<Vec<ZramDevice>> {
    let detail: &[&'static str] = if parts.has(Part::ZramDetail) { &DETAIL_FILES } else { &[] };
    let files = [&MAIN_FILES, detail].concat();
    root.names("sys/block").map(|names| {
        let mut numbers: Vec<u64> =
            names.iter().filter_map(|name| number_from_name(name)).collect();
        numbers.sort_unstable();
        let mut lacking = None;
        let device = |number: &u64| read_next(root, &format!("zram{number}"), &files, &mut lacking);
        let mut devices: Vec<_> = numbers.iter().map(device).collect();
        if parts.has(Part::ZramDetail) && !devices.is_empty() {
            let entry = entry(root);
            for device in &mut devices {
                device.entry = entry.clone();
            }
        }
        devices
    })
}

/// The size of a table entry of a device, which depends on the kernel and its configuration.
fn entry(root: &Root) -> Reading<Bytes> {
    static HERE: BootCache<Bytes> = BootCache::new();
    HERE.get_or_read(root, (), || {
        btf::struct_size(root, "zram", "zram_table_entry").and_then(|size| match size {
            8..=128 => Reading::Known(Bytes(size)),
            other => Reading::failed(format!("a table entry of {other} bytes is impossible")),
        })
    })
}

/// The setup of one device; none if it does not exist.
pub fn disk(root: &Root, number: u64) -> Reading<Option<ZramSettings>> {
    let folder = format!("sys/block/zram{number}");
    if !root.exists(&folder) {
        return Reading::Known(None);
    }
    let readings = root.read_zram_files(&folder, &SETTINGS_FILES);
    let files = DeviceFiles { folder, found: SETTINGS_FILES.into_iter().zip(readings).collect() };
    files.disk().into_result().map(Some).into()
}

/// Reads one of several devices. What the first one that answers lacks is not looked for at the others, as all have the
/// attributes of one module.
fn read_next(
    root: &Root,
    name: &str,
    files: &[&'static str],
    lacking: &mut Option<Vec<&'static str>>,
) -> ZramDevice {
    let folder = format!("sys/block/{name}");
    let lacks = |file: &&str| lacking.as_ref().is_some_and(|lacking| lacking.contains(file));
    let (lacked, asked): (Vec<&str>, Vec<&str>) = files.iter().partition(|file| lacks(file));
    let readings = root.read_zram_files(&folder, &asked);
    let mut found: BTreeMap<_, _> = asked.into_iter().zip(readings).collect();
    for file in lacked {
        found.insert(file, root.lacks(format!("{folder}/{file}")));
    }
    if found.get("mm_stat").is_some_and(|answer| answer.known().is_some()) {
        lacking.get_or_insert_with(|| {
            let optional = found.iter().filter(|(file, _)| !COMMON_FILES.contains(file));
            optional.filter(|(_, answer)| answer.is_absent()).map(|(file, _)| *file).collect()
        });
    }
    device_from_files(root, name, found)
}

/// Reads one device, each file once.
fn read_device(root: &Root, name: &str, files: &[&'static str]) -> ZramDevice {
    let readings = root.read_zram_files(&format!("sys/block/{name}"), files);
    device_from_files(root, name, files.iter().copied().zip(readings).collect())
}

/// Parses the files of one device, by their names. `root` gives the size if the device does not answer.
pub fn device_from_files(
    root: &Root,
    name: &str,
    found: BTreeMap<&'static str, Reading<Vec<u8>>>,
) -> ZramDevice {
    let files = DeviceFiles { folder: format!("sys/block/{name}"), found };
    let disksize = files.size(root);
    ZramDevice {
        name: name.to_owned(),
        initialised: files.is_set_up(&disksize),
        disksize,
        algorithm: files.parse("comp_algorithm", BRACKETS, scan::parse_choice),
        recomp_algorithms: scan::explain(
            files
                .parse("recomp_algorithm", RECOMPRESSION, recompression)
                .map(|all| all.into_iter().map(|(_, choice)| choice).collect()),
            "exists since kernel 6.2 and needs CONFIG_ZRAM_MULTI_COMP",
        ),
        max_comp_streams: scan::explain(
            files.number("max_comp_streams"),
            "missing since kernel 6.18 or earlier",
        ),
        backing_dev: files.backing_dev(),
        writeback_limit: scan::explain(files.number("writeback_limit"), NEEDS_WRITEBACK),
        writeback_limit_enable: scan::explain(
            files.switch("writeback_limit_enable"),
            NEEDS_WRITEBACK,
        ),
        writeback_batch_size: scan::explain(files.number("writeback_batch_size"), SINCE_7),
        compressed_writeback: scan::explain(files.switch("compressed_writeback"), SINCE_7),
        mm: files.parse("mm_stat", "at least 7 numbers", mm_stat),
        io: files.parse("io_stat", "4 numbers", io_stat),
        bd: scan::explain(files.parse("bd_stat", "3 numbers", bd_stat), NEEDS_WRITEBACK),
        debug: files.parse("debug_stat", "\"version: 1\" and 2 numbers", debug_stat),
        entry: Reading::not_sampled(),
        kept: None,
    }
}

/// The files of one device as they were read.
struct DeviceFiles {
    folder: String,
    found: BTreeMap<&'static str, Reading<Vec<u8>>>,
}

impl DeviceFiles {
    fn parse<T>(
        &self,
        file: &str,
        wanted: &str,
        parse: impl FnOnce(&[u8]) -> Option<T>,
    ) -> Reading<T> {
        let Some(bytes) = self.found.get(file) else {
            return Reading::not_sampled();
        };
        let path = format!("{}/{file}", self.folder);
        bytes.as_ref().and_then(|bytes| parsed(path, wanted, bytes, parse))
    }

    /// The size of the disk. If the device does not answer, the block layer has it too, in sectors.
    fn size(&self, root: &Root) -> Reading<Bytes> {
        let size = self.number("disksize").map(Bytes);
        match size.missing() {
            Some(Missing::Failed(_)) => {
                let sectors = root.number(format!("{}/size", self.folder));
                let bytes = sectors.map(|sectors| Bytes(sectors.saturating_mul(SECTOR)));
                if bytes.known().is_some() { bytes } else { size }
            }
            _ => size,
        }
    }

    /// Whether a size is set; a size says so too if the device does not answer.
    fn is_set_up(&self, size: &Reading<Bytes>) -> Reading<bool> {
        let state = self.switch("initstate");
        match state.missing() {
            Some(Missing::Failed(_)) if size.known().is_some() => {
                size.clone().map(|size| size > Bytes(0))
            }
            _ => state,
        }
    }

    fn number(&self, file: &str) -> Reading<u64> {
        let parse = |bytes: &[u8]| parse_u64(bytes.trim_ascii());
        self.parse(file, "a whole number", parse)
    }

    fn switch(&self, file: &str) -> Reading<bool> {
        let parse = |bytes: &[u8]| parse_switch(bytes.trim_ascii());
        self.parse(file, "a switch", parse)
    }

    fn disk(&self) -> Reading<ZramSettings> {
        let algorithm = self.parse("comp_algorithm", BRACKETS, scan::parse_choice);
        let recompression = self.parse("recomp_algorithm", RECOMPRESSION, recompression);
        let named = |all: Vec<(u64, BracketedChoice)>| {
            all.into_iter().map(|(number, choice)| (number, choice.current)).collect()
        };
        let recompression = known!(recompression.map(named).default_if_absent());
        let backing = known!(self.backing_dev().map(Some).default_if_absent());
        let limit = known!(self.parse("mm_stat", "at least 7 numbers", mm_stat)).mem_limit;
        let size = Bytes(known!(self.number("disksize")));
        let algorithm = Some(known!(algorithm).current);
        Reading::Known(ZramSettings { size, algorithm, recompression, limit, backing })
    }

    fn backing_dev(&self) -> Reading<Name> {
        let path = |bytes: &[u8]| {
            let path = bytes.strip_suffix(b"\n").unwrap_or(bytes);
            (!path.is_empty()).then(|| Name::new(path))
        };
        let name = self.parse("backing_dev", "a path or \"none\"", path);
        scan::explain(name, NEEDS_WRITEBACK).and_then(|name| match name.as_bytes() {
            b"none" => Reading::absent("no backing device is set"),
            _ => Reading::Known(name),
        })
    }
}

/// Up to this many numbers in columns; any other word makes the line invalid.
fn columns(bytes: &[u8], most: usize) -> Option<Vec<u64>> {
    let words = bytes.split(u8::is_ascii_whitespace);
    let words = words.filter(|word| !word.is_empty());
    words.take(most).map(parse_u64).collect()
}

fn mm_stat(bytes: &[u8]) -> Option<MmStat> {
    let columns = columns(bytes, 9)?;
    let (&[orig, compr, used, limit, most, same, compacted], later) =
        columns.split_first_chunk::<7>()?;
    let mut later = later.iter().copied().map(Pages);
    let mut huge = |why: &str| Reading::or_absent(later.next(), why);
    Some(MmStat {
        orig_data: Bytes(orig),
        compr_data: Bytes(compr),
        mem_used: Bytes(used),
        mem_limit: Bytes(limit),
        mem_used_max: Bytes(most),
        same_pages: Pages(same),
        pages_compacted: Pages(compacted),
        huge_pages: huge("mm_stat has this column since kernel 4.19"),
        huge_pages_since: huge("mm_stat has this column since kernel 5.12"),
    })
}

fn io_stat(bytes: &[u8]) -> Option<IoStat> {
    let [failed_reads, failed_writes, invalid_io, notify_free] =
        columns(bytes, 4)?.try_into().ok()?;
    Some(IoStat { failed_reads, failed_writes, invalid_io, notify_free })
}

fn bd_stat(bytes: &[u8]) -> Option<BdStat> {
    let [count, reads, writes] = columns(bytes, 3)?.try_into().ok()?;
    Some(BdStat { count, reads, writes })
}

/// The kernel gives this file a version: in another version the columns mean something else.
fn debug_stat(bytes: &[u8]) -> Option<DebugStat> {
    let rest = bytes.strip_prefix(b"version: 1\n")?;
    let [writestall, miss_free] = columns(rest, 2)?.try_into().ok()?;
    Some(DebugStat { writestall, miss_free })
}

/// Parses lines such as `#1: lzo lzo-rle [zstd]`, with the number; the kernel prints none until one is set.
fn recompression(bytes: &[u8]) -> Option<Vec<(u64, BracketedChoice)>> {
    let line = |line: &[u8]| {
        let rest = line.strip_prefix(b"#")?;
        let colon = rest.iter().position(|byte| *byte == b':')?;
        let (priority, choice) = rest.split_at_checked(colon)?;
        Some((parse_u64(priority)?, scan::parse_choice(choice.strip_prefix(b":")?)?))
    };
    scan::lines(bytes).map(line).collect()
}

/// Reads who uses a device, and what it contains.
pub fn users(root: &Root, number: u64) -> ZramUsers {
    let node = device::device_path(number);
    let found = candidate::read(root, &node);
    let name = format!("zram{number}");
    let holders = candidate::names(root, &format!("sys/block/{name}/holders"));
    let stored = read_device(root, &name, &MAIN_FILES).mm.map(|mm| mm.orig_data);
    ZramUsers {
        number,
        mounted: found.mounted,
        holders: holders.iter().map(Name::safe).collect(),
        openers: openers(root, &node),
        signature: found.signature,
        stored,
        params: root.exists(format!("sys/block/{name}/algorithm_params")),
    }
}

/// The processes that have the device open.
fn openers(root: &Root, node: &Name) -> Vec<Opener> {
    let names = root.names("proc").into_result().unwrap_or_default();
    let pids = names.iter().filter_map(|name| u32::try_from(parse_u64(name)?).ok());
    let has_open = |pid: &u32| {
        let folder = format!("proc/{pid}/fd");
        let files = root.names(&folder).into_result().unwrap_or_default();
        let leads = |file: &Vec<u8>| {
            let link = root.link(Path::new(&folder).join(OsStr::from_bytes(file)));
            link.known().is_some_and(|target| target == node.as_path())
        };
        files.iter().any(leads)
    };
    let opener = |pid| {
        let name = root.line(format!("proc/{pid}/comm"));
        let name = name.known().cloned().unwrap_or_default();
        Opener { pid, name: crate::model::name::safe_text(&name) }
    };
    pids.filter(has_open).map(opener).collect()
}

#[cfg(test)]
mod tests;
