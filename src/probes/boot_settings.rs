//! Kernel settings at boot, by `sysctl.d`, `tmpfiles.d` and the kernel command line; and whether zram-generator is
//! installed and systemd runs the machine.
//!
//! No kernel interface: formats of systemd and procps; usually readable by everyone. Files are applied in
//! the order of their names, whatever their folder, and a file hides files of the same name in folders of
//! lower precedence. `/etc/sysctl.conf` comes last, as with procps; systemd reads it only through a link in
//! `sysctl.d`.
//!
//! Not done here: settings by other programs such as tuned.

use super::{cmdline, config, scan};
use crate::model::config::{Assignment, PersistentSettings};
use crate::model::knob::KNOBS;
use crate::model::{Name, Reading};
use crate::root::Root;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// Folders above those of each kind; the first has the highest precedence.
const ABOVE: [&str; 5] = ["etc", "run", "usr/local/lib", "usr/lib", "lib"];
/// Folders of systemd's programs.
const PROGRAMS: [&str; 4] = ["usr/bin", "bin", "usr/sbin", "sbin"];
const GENERATORS: [&str; 5] = [
    "run/systemd/system-generators/zram-generator",
    "etc/systemd/system-generators/zram-generator",
    "usr/lib/systemd/system-generators/zram-generator",
    "lib/systemd/system-generators/zram-generator",
    "usr/local/lib/systemd/system-generators/zram-generator",
];

/// Folders of systemd's shared library, besides a folder named by the architecture.
const SYSTEMD: [&str; 3] = ["usr/lib/systemd", "usr/lib64/systemd", "lib/systemd"];
const LIBRARY: &[u8] = b"libsystemd-shared-";

const SYSCTL: &str = "sysctl.d";
/// The file of procps.
const MAIN: &str = "etc/sysctl.conf";

/// Is there any file of `sysctl.d`, or the file of procps?
pub fn has_sysctl_files(root: &Root) -> bool {
    root.exists(MAIN) || !files(root, SYSCTL).is_empty()
}

/// Reads all files.
pub fn read(root: &Root) -> PersistentSettings {
    let mut sysctl = files(root, SYSCTL);
    let main = PathBuf::from(MAIN);
    let real = |path: &Path| root.real(path).known().cloned();
    // systemd reads sysctl.conf only through a link.
    let procps = !root.exists("usr/lib/systemd/systemd-sysctl");
    if procps && root.exists(&main) && !sysctl.iter().any(|path| real(path) == real(&main)) {
        sysctl.push(main);
    }
    let programs = PROGRAMS.map(|folder| Path::new(folder).join("systemd-tmpfiles"));
    let carried_out = programs.iter().any(|program| root.exists(program));
    let tmpfiles = || assignments(root, &files(root, "tmpfiles.d"), tmpfile);
    PersistentSettings {
        sysctl: assignments(root, &sysctl, sysctl_line),
        tmpfiles: carried_out.then(tmpfiles),
        command_line: command_line(root),
        zram_generator: has_zram_generator(root),
        // The check of sd_booted(3).
        systemd: root.exists("run/systemd/system"),
        systemd_release: release(root),
    }
}

/// Is zram-generator installed?
pub(super) fn has_zram_generator(root: &Root) -> bool {
    GENERATORS.iter().any(|path| root.exists(path))
}

/// The release of systemd, from the name of its shared library.
fn release(root: &Root) -> Option<u32> {
    let names = |folder: &Path| root.names(folder).into_result().unwrap_or_default();
    let of_kind = names(Path::new("usr/lib"));
    let of_kind = of_kind.iter().filter(|name| name.windows(7).any(|part| part == b"-linux-"));
    let of_kind = of_kind.map(|name| Path::new("usr/lib").join(OsStr::from_bytes(name)));
    let folders = SYSTEMD.iter().map(PathBuf::from).chain(of_kind.map(|it| it.join("systemd")));
    let mut names = folders.flat_map(|folder| names(&folder));
    names.find_map(|name| {
        let rest = std::str::from_utf8(name.strip_prefix(LIBRARY)?).ok()?;
        rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    })
}

/// Settings of the kernel command line: parameters of modules, and `sysctl.*` since 5.8. Options after `--` are
/// arguments of init.
fn command_line(root: &Root) -> Vec<Assignment> {
    let assignment = |option: Vec<u8>| {
        let (key, value) = std::str::from_utf8(&option).ok()?.split_once('=')?;
        let file = Name::new(format!("/{}", cmdline::PATH).into_bytes());
        let (name, key, value) = (file.base(), file_of_option(key)?, value.to_owned());
        Some(Assignment { name, file, line: 1, key, value })
    };
    let options = cmdline::read(root).into_result().unwrap_or_default();
    options.into_iter().take_while(|option| option != b"--").filter_map(assignment).collect()
}

/// Options of the kernel command line that probes read, besides those of [`KNOBS`].
const SWAP_OPTIONS: [&str; 9] = [
    "--",
    "fstab",
    "hibernate",
    "nohibernate",
    "noresume",
    "resume",
    "systemd.swap",
    "systemd.swap-extra",
    "systemd.zram",
];

/// The options of the kernel command line that concern swap, as one line: others may be private.
pub fn swap_options(root: &Root) -> Reading<Vec<u8>> {
    let is_kept = |option: &Vec<u8>| {
        let key = option.split(|byte| *byte == b'=').next().unwrap_or_default();
        std::str::from_utf8(key).is_ok_and(|key| {
            let file = file_of_option(key);
            let is_knob =
                KNOBS.iter().any(|knob| file.as_deref() == Some(&format!("/{}", knob.file)));
            is_knob || SWAP_OPTIONS.contains(&key)
        })
    };
    let quoted = |option: Vec<u8>| {
        let has_space = option.iter().any(u8::is_ascii_whitespace);
        if has_space { [b"\"", option.as_slice(), b"\""].concat() } else { option }
    };
    cmdline::read(root).map(|options| {
        let kept: Vec<_> = options.into_iter().filter(is_kept).map(quoted).collect();
        [kept.join(&b' ').as_slice(), b"\n"].concat()
    })
}

/// The kernel file that an option sets.
fn file_of_option(key: &str) -> Option<String> {
    if key == "transparent_hugepage" {
        return Some(format!("/sys/kernel/mm/{key}/enabled"));
    }
    if let Some(key) = key.strip_prefix("sysctl.") {
        return Some(format!("/proc/sys/{}", key.replace('.', "/")));
    }
    let (module, parameter) = key.split_once('.')?;
    // The kernel reads a dash as an underscore.
    let [module, parameter] = [module, parameter].map(|name| name.replace('-', "_"));
    Some(format!("/sys/module/{module}/parameters/{parameter}"))
}

/// The files of a kind, in the order in which they are applied.
fn files(root: &Root, kind: &str) -> Vec<PathBuf> {
    let folders = ABOVE.map(|above| Path::new(above).join(kind));
    config::layers(root, &folders, b".conf", |_, _| ()).into_values().collect()
}

fn assignments(
    root: &Root,
    files: &[PathBuf],
    understand: fn(&str) -> Option<(String, String)>,
) -> Vec<Assignment> {
    let of_file = |path: &PathBuf| {
        let text = root.any_text(path).into_result().unwrap_or_default();
        let real = root.real(path).into_result().unwrap_or_else(|_| Path::new("/").join(path));
        let file = Name::new(real.as_os_str().as_bytes());
        let name = Name::new(path.file_name().unwrap_or_default().as_bytes());
        let lines = text.lines().zip(1..).map(|(line, number)| (line.to_owned(), number));
        let understood = lines.filter_map(move |(line, number)| {
            let (key, value) = understand(&line)?;
            Some(Assignment { name: name.clone(), file: file.clone(), line: number, key, value })
        });
        understood.collect::<Vec<_>>()
    };
    files.iter().flat_map(of_file).collect()
}

/// Parses lines such as `vm.swappiness = 10` and `-vm/swappiness=10`.
fn sysctl_line(line: &str) -> Option<(String, String)> {
    let line = line.trim();
    if line.starts_with(['#', ';']) {
        return None;
    }
    let (key, value) = line.split_once('=')?;
    let key = key.trim().trim_start_matches('-').replace('/', ".");
    Some((key, value.trim().to_owned()))
}

/// Parses lines such as `w /sys/kernel/mm/x - - - - value`.
fn tmpfile(line: &str) -> Option<(String, String)> {
    let fields: Vec<&[u8]> = scan::fields(line.as_bytes()).collect();
    let [kind, path, _, _, _, _, value @ ..] = fields.as_slice() else { return None };
    if kind.first() != Some(&b'w') || value.is_empty() {
        return None;
    }
    let value = value.join(&b' ');
    Some((String::from_utf8_lossy(path).into_owned(), String::from_utf8_lossy(&value).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::testing::TestTree;

    #[test]
    fn the_last_file_by_name_wins_and_etc_hides_equal_names() {
        let tree = TestTree::with(&[
            ("usr/lib/sysctl.d/50-a.conf", "vm.swappiness = 1\nvm.page-cluster=7"),
            ("etc/sysctl.d/50-a.conf", "# no\n; no\n-vm/swappiness=2\n"),
            ("run/sysctl.d/60-b.conf", "vm.swappiness=3"),
            ("etc/sysctl.d/70-c", "vm.swappiness=4"),
        ]);
        let lasting = read(&tree.root());
        let counts = lasting.sysctl("vm.swappiness").unwrap();
        assert_eq!((counts.value.as_str(), counts.line), ("3", 1));
        assert!(counts.file.safe().ends_with("run/sysctl.d/60-b.conf"), "{}", counts.file.safe());
        assert_eq!(lasting.sysctl.len(), 2, "{lasting:?}");
        assert_eq!((lasting.tmpfiles, lasting.zram_generator), (None, false));
    }

    #[test]
    fn sysctl_conf_comes_last_and_once() {
        let first = [("etc/sysctl.conf", "a.b = 1\n"), ("etc/sysctl.d/99-x.conf", "a.b = 2\n")];
        assert_eq!(read(&TestTree::with(&first).root()).sysctl("a.b").unwrap().value, "1");
    }

    #[test]
    fn systemd_is_detected_by_its_folder_and_library() {
        let of = |files: &[(&str, &str)]| {
            let lasting = read(&TestTree::with(files).root());
            (lasting.systemd, lasting.systemd_release)
        };
        let library = "usr/lib/x86_64-linux-gnu/systemd/libsystemd-shared-257.so";
        assert_eq!(of(&[("run/systemd/system/x", ""), (library, "")]), (true, Some(257)));
        let library = "usr/lib64/systemd/libsystemd-shared-252.22-1.fc37.so";
        assert_eq!(of(&[(library, "")]), (false, Some(252)));
        assert_eq!(of(&[("usr/lib/systemd/libsystemd-core-252.so", "")]), (false, None));
    }

    #[test]
    fn arguments_of_init_are_no_kernel_parameters() {
        let line = "quiet sysctl.vm.swappiness=1 -- sysctl.vm.swappiness=5 zswap.enabled=1\n";
        let found = read(&TestTree::with(&[(cmdline::PATH, line)]).root()).command_line;
        let pairs: Vec<_> = found.iter().map(|it| (it.key.as_str(), it.value.as_str())).collect();
        assert_eq!(pairs, [("/proc/sys/vm/swappiness", "1")]);
    }

    #[test]
    fn tmpfiles_lines_that_write_kernel_files() {
        let text = "d /run/x 0755 - - - -\nw /sys/a - - - - 1\nw+ /sys/b - - - - x  y\nw /sys/c\n";
        let tree = TestTree::with(&[
            ("usr/lib/tmpfiles.d/x.conf", text),
            ("usr/bin/systemd-tmpfiles", ""),
        ]);
        let lasting = read(&tree.root());
        let pairs = lasting.tmpfiles.iter().flatten();
        let pairs: Vec<_> = pairs.map(|it| (it.key.as_str(), it.value.as_str())).collect();
        assert_eq!(pairs, [("/sys/a", "1"), ("/sys/b", "x y")]);
        assert_eq!(lasting.tmpfile("/sys/a").unwrap().line, 2);
    }
}
