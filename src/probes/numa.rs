//! `/sys/devices/system/node`: memory, processors and distances of each NUMA node.
//!
//! Kernel: `drivers/base/node.c`, needs `CONFIG_NUMA`; readable by everyone. A machine with one
//! node has `node0`. A node without processors has an empty list, one without memory shows zeros.
//! Not done here: the node of a swap device belongs to the device's facts.

use super::{Probe, ReadInterval, scan};
use crate::model::kernel::NumaNode;
use crate::model::paging::Counters;
use crate::model::{Part, Reading};
use crate::root::{Root, parse_u64, shown, unexpected};
use std::path::Path;

/// Description of this probe.
pub static PROBE: Probe = Probe {
    part: Part::Numa,
    id: "numa",
    tier: ReadInterval::Medium,
    files: &[
        "sys/devices/system/node/node*/cpulist",
        "sys/devices/system/node/node*/distance",
        "sys/devices/system/node/node*/meminfo",
        "sys/devices/system/node/node*/vmstat",
        ZONES,
    ],
    about: "NUMA nodes: memory, processors and distances",
    remedy: "mount sysfs on /sys; the kernel needs CONFIG_NUMA",
};

/// Watermarks of all zones of all nodes.
const ZONES: &str = "proc/zoneinfo";
const FOLDER: &str = "sys/devices/system/node";

/// Reads all nodes.
pub fn read(root: &Root) -> Reading<Vec<NumaNode>> {
    let none = "/sys/devices/system/node has no node";
    scan::numbered(root, FOLDER, "node", none).map(|numbers| {
        let numbers = numbers.into_iter().filter_map(|id| u32::try_from(id).ok());
        let zones = root.read(ZONES);
        numbers.map(|id| node(root, id, zones.as_ref().map(Vec::as_slice))).collect()
    })
}

/// Sums the watermarks of the zones of a node. A line such as `Node 0, zone DMA` begins a zone; its
/// watermarks are lines such as `min 3`, and empty zones have zeros.
fn watermarks(zones: &[u8], id: u32) -> Reading<Counters> {
    let mut sums = [("high", 0_u64), ("low", 0), ("min", 0)];
    let (mut is_here, mut is_found) = (false, false);
    for line in scan::lines(zones) {
        let mut fields = scan::fields(line);
        let (Some(name), Some(value)) = (fields.next(), fields.next()) else { continue };
        if name == b"Node" {
            is_here = value.strip_suffix(b",").and_then(parse_u64) == Some(u64::from(id));
            is_found |= is_here;
        } else if let Some((_, sum)) =
            sums.iter_mut().find(|(known, _)| is_here && known.as_bytes() == name)
        {
            *sum = sum.saturating_add(parse_u64(value).unwrap_or(0));
        }
    }
    if !is_found {
        return Reading::absent(format!("/{ZONES} has no node {id}"));
    }
    Reading::Known(Counters::new(
        shown(Path::new(ZONES)),
        sums.map(|(name, sum)| (name.into(), sum)).to_vec(),
    ))
}

fn node(root: &Root, id: u32, zones: Reading<&[u8]>) -> NumaNode {
    let file = |name: &str| format!("{FOLDER}/node{id}/{name}");
    NumaNode {
        id,
        cpus: root.line(file("cpulist")),
        distance: distance(root, &file("distance")),
        meminfo: meminfo(root, &file("meminfo")),
        vmstat: scan::counters(root, file("vmstat")),
        watermarks: zones.and_then(|zones| watermarks(zones, id)),
    }
}

fn distance(root: &Root, path: &str) -> Reading<Vec<u32>> {
    scan::numbers(root, path, 1).and_then(|numbers| {
        let small: Option<Vec<u32>> = numbers.iter().map(|n| u32::try_from(*n).ok()).collect();
        match small {
            Some(distances) => Reading::Known(distances),
            None => Reading::failed(format!(
                "{} has a distance that is too large",
                shown(Path::new(path))
            )),
        }
    })
}

/// Parses lines such as `Node 0 MemTotal: 123 kB`; lines of another form are skipped.
fn meminfo(root: &Root, path: &str) -> Reading<Counters> {
    root.read(path).and_then(|bytes| {
        let pairs: Vec<_> = scan::lines(&bytes).filter_map(pair).collect();
        if pairs.is_empty() {
            return unexpected(path, "lines such as \"Node 0 MemTotal: 123 kB\"", &bytes);
        }
        Reading::Known(Counters::new(shown(Path::new(path)), pairs))
    })
}

fn pair(line: &[u8]) -> Option<(Box<str>, u64)> {
    let mut fields = scan::fields(line);
    if fields.next()? != b"Node" {
        return None;
    }
    fields.next()?;
    let name = std::str::from_utf8(fields.next()?.strip_suffix(b":")?).ok()?;
    Some((name.into(), parse_u64(fields.next()?)?))
}

#[allow(clippy::disallowed_methods, reason = "tests build their own trees")]
#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn tree(files: &[(&str, &[u8])]) -> (tempfile::TempDir, Root) {
        let dir = tempfile::tempdir().unwrap();
        for (file, bytes) in files {
            let path = dir.path().join(FOLDER).join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        let root = Root::at(dir.path()).unwrap();
        (dir, root)
    }

    #[test]
    fn watermarks_of_zones_are_summed_by_node() {
        let zones = b"Node 0, zone      DMA\n  pages free     2813\n        boost    0\n        min      33\n        low      41\n        high     49\n  per-node stats\n      nr_inactive_anon 3\nNode 0, zone   Normal\n        min      100\n        low      200\n        high     300\n  pagesets\n    cpu: 0\n              high:  9\nNode 1, zone   Normal\n        min      5\n        low      x\n";
        let of = |id, name: &str| watermarks(zones, id).and_then(|all| all.get(name));
        let sums = ["min", "low", "high"].map(|name| of(0, name).known().copied());
        assert_eq!(sums, [Some(133), Some(241), Some(349)]);
        assert_eq!([of(1, "min"), of(1, "high")], [Reading::Known(5), Reading::Known(0)]);
        assert_eq!(of(2, "min").missing().unwrap().kind(), "absent");
    }

    #[test]
    fn nodes_are_sorted_by_number_and_other_names_skipped() {
        let (_dir, root) = tree(&[
            ("node10/cpulist", b"\n"),
            ("node2/cpulist", b"0-3,8\n"),
            ("node2/distance", b"10 20\n"),
            ("node2/meminfo", b"Node 2 MemTotal:  64 kB\nNode 2 HugePages_Free: 3\nodd\n"),
            ("node2/vmstat", b"nr_free_pages 5\n"),
            ("nodes/cpulist", b""),
            ("online", b"2,10\n"),
        ]);
        let nodes = read(&root).into_result().unwrap();
        assert_eq!(nodes.iter().map(|n| n.id).collect::<Vec<_>>(), [2, 10]);
        let node = &nodes[0];
        assert_eq!(node.cpus, Reading::Known("0-3,8".to_owned()));
        assert_eq!(node.distance, Reading::Known(vec![10, 20]));
        let meminfo = node.meminfo.known().unwrap();
        assert_eq!(meminfo.get("MemTotal"), Reading::Known(64));
        assert_eq!(meminfo.get("HugePages_Free"), Reading::Known(3));
        assert_eq!(nodes[1].cpus, Reading::Known(String::new()));
        assert_eq!(nodes[1].vmstat.missing().unwrap().kind(), "absent");
    }

    #[test]
    fn hostile_files_fail_alone() {
        for bad in [&b""[..], b"Node", b"Node 0 MemTotal: -1 kB", b"\xff\0\n", b"99999999999"] {
            let (_dir, root) = tree(&[("node0/meminfo", bad), ("node0/distance", bad)]);
            let nodes = read(&root).into_result().unwrap();
            assert_eq!(nodes[0].meminfo.missing().unwrap().kind(), "failed");
            assert_eq!(nodes[0].distance.missing().unwrap().kind(), "failed");
        }
    }

    #[test]
    fn a_kernel_without_numa_is_absent() {
        let (_dir, root) = tree(&[("online", b"0\n")]);
        assert_eq!(read(&root).missing().unwrap().kind(), "absent");
    }
}
