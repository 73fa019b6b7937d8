//! Steps as shell commands, and the lines that a saved file changes.

use super::{Step, zram};
use crate::model::Name;
use crate::model::activation::{Activation, Priority};
use crate::model::format::{Format, PAGES, Patch, SwapFileSpec};
use crate::model::name::{shell_quoted, shell_quoted_always};
use crate::model::text::text_to_bytes;
use crate::sys::{BACKUP, process_folder};
use std::os::unix::ffi::OsStrExt as _;

impl Step {
    /// The step as shell commands.
    pub fn shell(&self) -> Vec<String> {
        match self {
            Self::On { area } => vec![swapon_command(area)],
            Self::Off { area } => vec![swapoff_command(area)],
            Self::Renew { from, to } => vec![swapoff_command(from), swapon_command(to)],
            Self::Set { file, to, .. } => vec![echo(to, file)],
            Self::Zram { number, from, to, .. } => zram::shell(*number, from.as_ref(), to.as_ref()),
            Self::Order { file, .. } if process_folder(file).is_some() => vec![read_memory(file)],
            Self::Order { file, word, .. } => vec![echo(word, file)],
            Self::Save { path, from, to } => save_commands(path, from.as_deref(), to.as_deref()),
            Self::Header { path, format, was, back: false, .. } => {
                let over = was.iter().any(|kept| !kept.is_clear());
                vec![mkswap(path, format, over)]
            }
            Self::Header { path, was, back: true, .. } => {
                let name = shell_quoted(path);
                was.iter().rev().map(|kept| restore_command(&name, kept)).collect()
            }
            Self::File { path, from: Some(_), to: Some(form) } => resize_commands(path, form),
            Self::File { path, from: None, to: Some(form) } => create_command(path, form),
            Self::File { path, to: None, .. } => vec![format!("rm {}", shell_quoted(path))],
        }
    }
}

/// The command that reads all memory of a process, which brings its pages back.
fn read_memory(file: &Name) -> String {
    let (folder, file) = (process_folder(file).unwrap_or_default(), file.safe());
    format!(
        "while IFS=' -' read -r a b p _; do case $p in r*) dd if={file} of=/dev/null bs=1M iflag=skip_bytes,count_bytes skip=$((0x$a)) count=$((0x$b - 0x$a)) status=none;; esac; done < {folder}/maps"
    )
}

/// Commands that edit a file line by line, from the end, so that line numbers stay valid.
fn save_commands(path: &Name, from: Option<&str>, to: Option<&str>) -> Vec<String> {
    let file = shell_quoted(path);
    // The previous file is kept, as the step itself does.
    let kept = Name::new([path.as_bytes(), BACKUP.as_bytes()].concat());
    let keep = from.map(|_| format!("cp -p {file} {}", shell_quoted(&kept)));
    let mut lines: Vec<String> = keep.into_iter().collect();
    let Some(to) = to else {
        lines.push(format!("rm {file}"));
        return lines;
    };
    match from {
        None => {
            // A folder at the top, such as that of fstab, is there.
            let folder = path.as_path().parent().filter(|folder| folder.components().count() > 2);
            let folder =
                folder.map(|folder| shell_quoted(&Name::new(folder.as_os_str().as_bytes())));
            lines.extend(folder.map(|folder| format!("mkdir -p {folder}")));
            lines.push(write_command(to, &file));
        }
        Some(from) => {
            // Without this, an added line would continue a last line that lacks its newline.
            lines.extend(lacks_final_newline(from).then(|| format!("echo >> {file}")));
            lines.extend(edit_command(from, to, &file));
        }
    }
    lines.extend(
        lacks_final_newline(to).then(|| format!("truncate -s {} {file}", text_to_bytes(to).len())),
    );
    lines
}

/// Does the last line lack a newline?
fn lacks_final_newline(text: &str) -> bool {
    !text.is_empty() && !text.ends_with('\n')
}

/// The command that writes a new file, each line with a newline. It appends, so that a file that was not seen,
/// as in a capture, is not lost.
fn write_command(to: &str, file: &str) -> String {
    let lines: Vec<String> = split(to).into_iter().map(quoted_line).collect();
    if lines.is_empty() {
        return format!(": > {file}");
    }
    format!("printf '%s\\n' {} >> {file}", lines.join(" "))
}

fn quoted_line(line: &str) -> String {
    shell_quoted_always(&Name::new(text_to_bytes(line)))
}

/// The commands that change the differing lines, where each ends with a newline.
fn edit_command(from: &str, to: &str, file: &str) -> Vec<String> {
    let last = split(from).len();
    let command = |change: LineChange<'_>| match change {
        LineChange::Less(number, _) => format!("sed -i {number}d {file}"),
        LineChange::More(number, line) if number == last => {
            format!("printf '%s\\n' {} >> {file}", quoted_line(line))
        }
        LineChange::More(number, line) => {
            format!("sed -i {} {file}", quoted_line(&insert_command(number + 1, line)))
        }
    };
    let (less, more): (Vec<_>, Vec<_>) = changed_lines(from, to)
        .into_iter()
        .partition(|change| matches!(change, LineChange::Less(..)));
    // Added lines keep their place in the old text: these first, and the last line first.
    let (end, within): (Vec<_>, Vec<_>) = more
        .into_iter()
        .partition(|change| matches!(change, LineChange::More(number, _) if *number == last));
    let mut steps: Vec<_> = within.into_iter().rev().chain(less).collect();
    steps.sort_by_key(|change| match change {
        LineChange::Less(number, _) | LineChange::More(number, _) => std::cmp::Reverse(*number),
    });
    steps.into_iter().chain(end).map(command).collect()
}

/// The sed script that inserts a line before this one.
fn insert_command(number: usize, line: &str) -> String {
    // GNU sed and busybox treat empty texts and backslashes differently. The hold space is an empty
    // line at first.
    if line.is_empty() || line.contains('\\') {
        let escaped = line.replace('\\', "\\\\").replace('/', "\\/").replace('&', "\\&");
        return format!("{number}{{x;s/.*/{escaped}/;p;x}}");
    }
    format!("{number}i\\{line}")
}

/// The command that writes a word to a kernel file.
pub(super) fn echo(word: &str, file: &Name) -> String {
    // Words that dash's echo takes for an escape, or any echo for an option.
    let is_plain = !word.contains('\\') && !word.starts_with('-');
    let command = if is_plain { "echo" } else { "printf '%s\\n'" };
    format!("{command} {} > {}", shell_quoted(&Name::from(word)), shell_quoted(file))
}

/// The mkswap command; `over` forces it over existing content.
fn mkswap(path: &Name, format: &Format, over: bool) -> String {
    let mut words = vec!["mkswap".to_owned()];
    words.extend(over.then(|| "--force".to_owned()));
    words.extend(format.label.as_ref().map(|label| format!("--label {}", shell_quoted(label))));
    words.extend(format.uuid.map(|uuid| format!("--uuid {uuid}")));
    // The common page size needs no option.
    let is_common = format.page_size == PAGES[0] as u64;
    words.extend((!is_common).then(|| format!("--pagesize {}", format.page_size)));
    words.push(shell_quoted(path));
    words.join(" ")
}

/// The commands that create a swap file.
fn create_command(path: &Name, form: &SwapFileSpec) -> Vec<String> {
    let name = shell_quoted(path);
    let mut lines = vec![format!("install -m 0600 /dev/null {name}")];
    lines.extend(form.nocow.then(|| format!("chattr +C {name}")));
    lines.push(format!("fallocate -l {} {name}", form.size.0));
    lines.push(mkswap(path, &form.format, false));
    lines
}

/// The file is shrunk or grown, whichever it needs: `fallocate` keeps what is allocated.
fn resize_commands(path: &Name, form: &SwapFileSpec) -> Vec<String> {
    let (name, size) = (shell_quoted(path), form.size.0);
    vec![
        format!("truncate -s {size} {name}"),
        format!("fallocate -l {size} {name}"),
        mkswap(path, &form.format, false),
    ]
}

/// The command that restores bytes, as far as a shell can; otherwise a comment that refers to the
/// journal.
fn restore_command(name: &str, kept: &Patch) -> String {
    let (at, length) = (kept.at, kept.bytes.len());
    if kept.is_clear() {
        return format!("dd if=/dev/zero of={name} bs=1 seek={at} count={length} conv=notrunc");
    }
    format!("# restore the {length} bytes kept in the journal to byte {at} of {name}")
}

fn swapoff_command(area: &Activation) -> String {
    format!("swapoff {}", shell_quoted(&area.path))
}

fn swapon_command(area: &Activation) -> String {
    let mut words = vec!["swapon".to_owned()];
    if let Priority::Set(number) = area.priority {
        words.push(format!("--priority {number}"));
    }
    words.extend(area.discard.option().map(str::to_owned));
    words.push(shell_quoted(&area.path));
    words.join(" ")
}

impl Step {
    /// Does the step remove this line, counted from 1, from a file without replacing it?
    pub fn removes_line(&self, file: &Name, line: u32) -> bool {
        let Self::Save { path, from: Some(from), to } = self else { return false };
        let changes = changed_lines(from, to.as_deref().unwrap_or_default());
        let goes = |change: &LineChange<'_>| match change {
            LineChange::Less(number, _) => u32::try_from(*number) == Ok(line),
            LineChange::More(..) => false,
        };
        let comes = changes.iter().any(|change| matches!(change, LineChange::More(..)));
        path == file && !comes && changes.iter().any(goes)
    }
}

/// A line that differs. The number is its position in the old text, from 1, or that of the last old
/// line before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineChange<'t> {
    /// Removed line.
    Less(usize, &'t str),
    /// Added line.
    More(usize, &'t str),
}

/// Texts with more lines than this are shown as completely replaced.
const MOST: usize = 2000;

/// The lines that differ, in order; removed lines come before added ones.
pub(super) fn changed_lines<'t>(from: &'t str, to: &'t str) -> Vec<LineChange<'t>> {
    let (old, new): (Vec<&str>, Vec<&str>) = (split(from), split(to));
    let same = if old.len().max(new.len()) > MOST { Vec::new() } else { common(&old, &new) };
    let mut changes = Vec::new();
    let (mut a, mut b) = (0, 0);
    // After the last common line comes the rest of both texts.
    for (next_a, next_b) in same.into_iter().chain([(old.len(), new.len())]) {
        let gone = old.iter().enumerate().take(next_a).skip(a);
        changes.extend(gone.map(|(place, line)| LineChange::Less(place + 1, line)));
        let come = new.iter().take(next_b).skip(b);
        changes.extend(come.map(|line| LineChange::More(next_a, line)));
        (a, b) = (next_a + 1, next_b + 1);
    }
    changes
}

/// The lines of a text without their line feeds; a carriage return stays.
pub(super) fn split(text: &str) -> Vec<&str> {
    text.split_terminator('\n').collect()
}

/// The positions of a longest common subsequence of lines.
fn common(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    // Length of the longest common subsequence from these positions on; 0 beyond the end.
    let mut longest = vec![vec![0_usize; new.len() + 1]; old.len() + 1];
    let at = |longest: &[Vec<usize>], a: usize, b: usize| {
        longest.get(a).and_then(|row| row.get(b)).copied().unwrap_or(0)
    };
    for (a, left) in old.iter().enumerate().rev() {
        for (b, right) in new.iter().enumerate().rev() {
            let length = if left == right {
                at(&longest, a + 1, b + 1) + 1
            } else {
                at(&longest, a + 1, b).max(at(&longest, a, b + 1))
            };
            if let Some(cell) = longest.get_mut(a).and_then(|row| row.get_mut(b)) {
                *cell = length;
            }
        }
    }
    let (mut a, mut b, mut pairs) = (0, 0, Vec::new());
    while let (Some(left), Some(right)) = (old.get(a), new.get(b)) {
        if left == right {
            pairs.push((a, b));
            (a, b) = (a + 1, b + 1);
        } else if at(&longest, a + 1, b) >= at(&longest, a, b + 1) {
            a += 1;
        } else {
            b += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Bytes;
    use crate::model::activation::Discard;
    use crate::model::format::Uuid;
    use LineChange::{Less, More};

    #[test]
    fn shell_commands_are_quoted() {
        let mut area = Activation {
            path: "/mnt/a b'c".into(),
            priority: Priority::Set(5),
            discard: Discard::Pages,
        };
        let lines = Step::On { area: area.clone() }.shell();
        assert_eq!(lines, ["swapon --priority 5 --discard=pages '/mnt/a b'\\''c'"]);
        area.path = Name::new(*b"/x\x1b\xff'");
        let line = r#"swapoff "$(printf '/x\033\377\047')""#;
        assert_eq!(Step::Off { area }.shell(), [line]);
        let set = Step::Set {
            what: "x".to_owned(),
            file: "/sys/x y".into(),
            from: "1".to_owned(),
            to: "2 3".to_owned(),
        };
        assert_eq!(set.shell(), ["echo '2 3' > '/sys/x y'"]);
    }

    #[test]
    fn mkswap_writes_headers_and_old_content_is_kept() {
        let uuid = "5a9c0f3e-7b1d-4e62-8f40-00000000c0de";
        let label = Some(Name::from("a b"));
        let format = Format::new(Bytes(1 << 20), 4096, Uuid::parse(uuid).unwrap(), label).unwrap();
        let new = Step::format_new("/dev/a".into(), Bytes(1 << 20), format.clone());
        assert_eq!(new.shell(), [format!("mkswap --label 'a b' --uuid {uuid} /dev/a")]);
        let large = Format { page_size: 65_536, label: None, ..format.clone() };
        let large = Step::format_new("/dev/a".into(), Bytes(1 << 20), large).shell();
        assert_eq!(large, [format!("mkswap --uuid {uuid} --pagesize 65536 /dev/a")]);
        let zeros = "dd if=/dev/zero of=/dev/a bs=1 seek=0 count=4096 conv=notrunc";
        assert_eq!(new.inverse().unwrap().shell(), [zeros]);
        let was = vec![Patch { at: 0, bytes: vec![1; 4096] }];
        let over = Step::format("/dev/a".into(), Bytes(1 << 20), format, was);
        assert!(over.shell()[0].starts_with("mkswap --force "));
        assert!(over.inverse().unwrap().shell()[0].starts_with("# restore the 4096 bytes"));
        let Step::Header { format, .. } = new else { panic!() };
        let to = Some(SwapFileSpec { size: Bytes(1 << 20), format, nocow: true });
        let lines = Step::File { path: "/s".into(), from: None, to }.shell();
        let mkswap = format!("mkswap --label 'a b' --uuid {uuid} /s");
        let first = ["install -m 0600 /dev/null /s", "chattr +C /s", "fallocate -l 1048576 /s"];
        assert_eq!(lines, [&first[..], &[mkswap.as_str()]].concat());
    }

    #[test]
    fn diff_lists_only_changed_lines() {
        assert_eq!(changed_lines("a\nb\nc\n", "a\nb\nc\n"), []);
        assert_eq!(changed_lines("a\nb\nc\n", "a\nx\nc\n"), [Less(2, "b"), More(2, "x")]);
        assert_eq!(changed_lines("", "a\nb\n"), [More(0, "a"), More(0, "b")]);
        assert_eq!(changed_lines("a\nb\n", "b\n"), [Less(1, "a")]);
        assert_eq!(changed_lines("a\nb\n", "a\nb\nc\n"), [More(2, "c")]);
        assert_eq!(changed_lines("a\nb\nc\nd\n", "x\nb\nc\ny\n").len(), 4);
    }
}
