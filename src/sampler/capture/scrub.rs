//! Names out of a capture: of the host, users, programs, control groups and files.
//!
//! The same name gives the same substitute everywhere, so that what belongs together still does.

use super::Tree;
use crate::root::Traced;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Component, Path, PathBuf};

/// Names and what stands for them.
#[derive(Default)]
struct Names {
    known: BTreeMap<Vec<u8>, usize>,
}

/// Where control groups are mounted as a rule.
const CGROUPS: &str = "sys/fs/cgroup";
/// Files that people write: they are left out.
const WRITTEN: [&str; 4] = ["etc", "usr", "lib", "run"];

/// Take names out of a tree.
pub(super) fn scrub(tree: &mut Tree) {
    let mut groups = Names::default();
    let mut files = Names::default();
    let mut mounts = mounts(tree);
    mounts.sort_by_key(|mount| std::cmp::Reverse(mount.as_os_str().len()));
    let old = std::mem::take(tree);
    for (path, mut traced) in old {
        if WRITTEN.iter().any(|top| path.starts_with(top)) {
            continue;
        }
        let path = group_path(&path, &mounts, &mut groups);
        let path = file_path(&path, &mut files);
        if let Traced::Bytes(bytes) = &mut traced {
            *bytes = content(&path, bytes, &mut groups, &mut files);
        }
        tree.insert(path, traced);
    }
}

/// Where the capture says that cgroups are mounted; at the usual place when it does not say.
fn mounts(tree: &Tree) -> Vec<PathBuf> {
    let mut mounts = Vec::new();
    if let Some(Traced::Bytes(bytes)) = tree.get(Path::new("proc/mounts")) {
        for line in bytes.split(|byte| *byte == b'\n') {
            let mut fields = line.split(|byte| *byte == b' ').skip(1);
            if let (Some(at), Some(b"cgroup" | b"cgroup2")) = (fields.next(), fields.next()) {
                let at = Path::new(OsStr::from_bytes(at));
                mounts.push(at.strip_prefix("/").unwrap_or(at).to_owned());
            }
        }
    }
    if mounts.is_empty() {
        mounts.push(PathBuf::from(CGROUPS));
    }
    mounts
}

fn content(path: &Path, bytes: &[u8], groups: &mut Names, files: &mut Names) -> Vec<u8> {
    let text = path.to_string_lossy();
    let in_process = process_file(&text);
    match (text.as_ref(), in_process) {
        ("proc/sys/kernel/hostname", _) => b"host\n".to_vec(),
        ("proc/swaps", _) => each_line(bytes, |line| swap_line(line, files)),
        ("proc/mounts" | "proc/self/mounts", _) => each_line(bytes, |line| mount_line(line, files)),
        (_, Some((pid, "cmdline"))) => format!("process{pid}\0").into_bytes(),
        (_, Some((pid, "status"))) => each_line(bytes, |line| {
            let name = line.starts_with(b"Name:");
            if name { format!("Name:\tp{pid}").into_bytes() } else { line.to_vec() }
        }),
        (_, Some((pid, "stat"))) => stat_line(bytes, pid),
        (_, Some((_, "smaps_rollup"))) => rollup(bytes),
        (_, Some((_, "cgroup"))) => each_line(bytes, |line| cgroup_line(line, groups)),
        (text, _) if text.ends_with("/backing_file") => b"/file\n".to_vec(),
        (text, _) if text.ends_with("/dm/name") => b"mapped\n".to_vec(),
        (_, _) if bytes.ends_with(crate::probes::header::SIGNATURE) => header(bytes),
        _ => bytes.to_vec(),
    }
}

/// The number of the process and the name of the file, for a file of a process.
fn process_file(path: &str) -> Option<(&str, &str)> {
    let (pid, file) = path.strip_prefix("proc/")?.split_once('/')?;
    let is_process = pid == "self" || pid.bytes().all(|byte| byte.is_ascii_digit());
    is_process.then_some((pid, file))
}

fn each_line(bytes: &[u8], change: impl FnMut(&[u8]) -> Vec<u8>) -> Vec<u8> {
    bytes.split(|byte| *byte == b'\n').map(change).collect::<Vec<_>>().join(&b'\n')
}

/// The path of a swap file; devices keep theirs.
fn swap_line(line: &[u8], files: &mut Names) -> Vec<u8> {
    let end = line.iter().position(|byte| matches!(byte, b' ' | b'\t')).unwrap_or(line.len());
    let (path, rest) = line.split_at(end);
    if !path.starts_with(b"/") || path.starts_with(b"/dev/") {
        return line.to_vec();
    }
    let (unescaped, _) = crate::probes::swaps::unescape(path);
    [&files.of("/file", unescaped.as_bytes()), rest].concat()
}

/// The name on a file system that people mount; those of the kernel keep theirs.
fn mount_line(line: &[u8], files: &mut Names) -> Vec<u8> {
    let fields: Vec<&[u8]> = line.split(|byte| *byte == b' ').collect();
    let [_, at, kind, rest @ ..] = fields.as_slice() else { return line.to_vec() };
    let of_kernel = ["/proc", "/sys", "/dev", "/run"].map(str::as_bytes);
    if *at == b"/" || of_kernel.iter().any(|top| at.starts_with(top)) && !at.contains(&b'@') {
        return line.to_vec();
    }
    let at = files.of("/mount", at);
    [&[b"none".as_slice(), &at, kind], rest].concat().join(&b' ')
}

/// The short name stands between the first and the last parenthesis, and may hold any of them.
fn stat_line(bytes: &[u8], pid: &str) -> Vec<u8> {
    let open = bytes.iter().position(|byte| *byte == b'(');
    let close = bytes.iter().rposition(|byte| *byte == b')');
    let before = open.and_then(|open| bytes.get(..open));
    let after = close.and_then(|close| bytes.get(close + 1..));
    match (before, after) {
        (Some(before), Some(after)) => {
            [before, format!("(p{pid})").as_bytes(), &without_addresses(after)].concat()
        }
        _ => Vec::new(),
    }
}

/// The fields after the name, of which the first is the third, with zero for each address.
fn without_addresses(after: &[u8]) -> Vec<u8> {
    // The space after the parenthesis is before the third field.
    let fields = after.split(|byte| *byte == b' ').zip(2..);
    let field = |(field, number): (&[u8], u32)| match number {
        26..=30 | 35 => b"0".to_vec(),
        _ => field.to_vec(),
    };
    fields.map(field).collect::<Vec<_>>().join(&b' ')
}

/// The first line tells from where to where the memory of the process reaches.
fn rollup(bytes: &[u8]) -> Vec<u8> {
    each_line(bytes, |line| {
        let is_range = line.ends_with(b"[rollup]");
        if is_range {
            b"00000000-00000000 ---p 00000000 00:00 0 [rollup]".to_vec()
        } else {
            line.to_vec()
        }
    })
}

/// `4:memory:/user.slice/alice`: all after the second colon is a path.
fn cgroup_line(line: &[u8], groups: &mut Names) -> Vec<u8> {
    let mut parts = line.splitn(3, |byte| *byte == b':');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(number), Some(controllers), Some(path)) => {
            let path = Path::new(OsStr::from_bytes(path));
            let path = groups.path(path).into_os_string().into_vec();
            [number, controllers, &path].join(&b':')
        }
        _ => line.to_vec(),
    }
}

/// Label and UUID out of the header of a swap area.
fn header(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    if let Some(names) = bytes.get_mut(1036..1068) {
        names.fill(0);
    }
    bytes
}

/// A path below a cgroup mount: its folders are names, its last part is a kernel's file. The
/// longest mount comes first.
fn group_path(path: &Path, mounts: &[PathBuf], groups: &mut Names) -> PathBuf {
    let below = mounts.iter().find_map(|mount| Some((mount, path.strip_prefix(mount).ok()?)));
    below.map_or_else(|| path.to_owned(), |(mount, below)| mount.join(groups.path(below)))
}

/// A swap file's own header is kept under the same name as in `/proc/swaps`.
fn file_path(path: &Path, files: &mut Names) -> PathBuf {
    let top = path.components().next();
    let top = top.and_then(|top| top.as_os_str().to_str()).unwrap_or_default();
    if matches!(top, "proc" | "sys" | "dev" | "machine.toml") {
        return path.to_owned();
    }
    let name = files.of("/file", Path::new("/").join(path).as_os_str().as_bytes());
    let name = Path::new(OsStr::from_bytes(&name)).to_owned();
    name.strip_prefix("/").map_or(name.clone(), Path::to_owned)
}

impl Names {
    /// What stands for a name: the same for the same name.
    fn of(&mut self, prefix: &str, name: &[u8]) -> Vec<u8> {
        let next = self.known.len();
        let number = *self.known.entry(name.to_vec()).or_insert(next);
        format!("{prefix}{number}").into_bytes()
    }

    /// A path with every part replaced that is not a file of the kernel.
    fn path(&mut self, path: &Path) -> PathBuf {
        let mut part = |part: Component<'_>| {
            let name = part.as_os_str();
            let chosen = matches!(part, Component::Normal(_)) && !is_kernels(name.as_bytes());
            if chosen { OsString::from_vec(self.of("g", name.as_bytes())) } else { name.to_owned() }
        };
        path.components().map(&mut part).collect()
    }
}

/// Is it a file of the cgroup file system rather than a name that somebody chose?
fn is_kernels(name: &[u8]) -> bool {
    let families = ["memory.", "cgroup."].map(str::as_bytes);
    families.iter().any(|family| name.starts_with(family))
}
