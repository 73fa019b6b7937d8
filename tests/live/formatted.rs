//! Formatting over existing content, undoing it, and images that belong to a user.

use crate::areas::{self, Title};
use crate::file::{
    DISK, MIB, UUID, agrees_with_blkid, bytes, done, kind, make, mount, refused, run, text, title,
    undo, with_tools,
};
use crate::lab::{self, Lab};
use crate::loads::sum_of;
use crate::program;
use crate::{at_length, in_lab};
use serde_json::Value;
use std::fs::{self, OpenOptions, Permissions};
use std::os::unix::fs::{FileExt as _, PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn a_formatted_device_is_restored_byte_by_byte() {
    at_length("a_formatted_device_is_restored_byte_by_byte", formatted);
}

#[test]
fn a_format_that_was_recovered_is_undone_byte_by_byte() {
    in_lab("a_format_that_was_recovered_is_undone_byte_by_byte", recovered_format);
}

#[test]
fn a_header_for_larger_pages_does_not_outlast_a_format() {
    in_lab("a_header_for_larger_pages_does_not_outlast_a_format", |lab| {
        of_larger_pages(lab);
        Ok(())
    });
}

#[test]
fn a_user_formats_an_image_of_their_own_and_nothing_else() {
    in_lab("a_user_formats_an_image_of_their_own_and_nothing_else", |lab| {
        User::new(lab)?.formats_an_image();
        Ok(())
    });
}

/// Formatting over a file system is refused until it is named, and undo restores it.
fn formatted(lab: &Lab) -> Result<(), String> {
    let mut last = Ok(());
    for kind in ["ext4", "xfs", "btrfs"] {
        last = format_and_undo(lab, kind);
        if let Err(reason) = &last {
            lab::remark(&format!("formatting over {kind}: {reason}"));
        }
    }
    bare(lab)?;
    with_tools(last)
}

/// Formats while nothing swaps: where the kernel writes out idle pages by itself (DAMON), that may coincide
/// with the time in which the device is enabled.
fn format_and_undo(lab: &Lab, file_system: &str) -> Result<(), String> {
    for _ in 0..3 {
        if formatted_over(lab, file_system)? {
            return Ok(());
        }
        lab::remark(&format!("{file_system}: another process swapped meanwhile: retry"));
    }
    Err("another process swapped every time".to_owned())
}

/// False if the result is meaningless, since something was swapped out to it.
fn formatted_over(lab: &Lab, file_system: &str) -> Result<bool, String> {
    let device = areas::new_loop(lab, DISK)?;
    let path = text(&device.path);
    make(file_system, &device.path, "data")?;
    {
        let mounted = mount(lab, file_system, &device.path)?;
        fs::write(mounted.point.join("hello"), "world").expect("a file");
        let words = ["is mounted on", "name another device", "umount"];
        refused(lab, &["format", path], 3, &words);
        refused(lab, &["on", path], 3, &words);
        // Even with the risk accepted.
        refused(lab, &["format", path, "--force", "signature"], 3, &words);
    }
    let before = bytes(&device.path);
    let named = format!("{file_system} file system labelled \"data\"");
    refused(lab, &["format", path], 3, &[&named, "--force signature"]);
    assert!(bytes(&device.path) == before, "a refusal changes nothing");
    let told = done(lab, &["format", path, "-L", "live", "-U", UUID, "--force", "signature"]);
    assert_eq!(title(&device.path), (UUID.to_owned(), "live".to_owned()));
    agrees_with_blkid(&device.path, "live");
    assert!(kind(&device.path).is_none_or(|kind| kind == "swap"));
    let line = fs::read_to_string(lab.scratch.file("journal")).expect("a journal");
    let longest = line.lines().map(str::len).max();
    assert!(longest.is_some_and(|length| length < 12_000), "{longest:?}");
    let swapped = sum_of("/proc/vmstat", "pswpout");
    done(lab, &["on", path, "-p", "31000"]);
    refused(lab, &["format", path], 3, &["is active swap"]);
    done(lab, &["off", path]);
    if sum_of("/proc/vmstat", "pswpout") != swapped {
        return Ok(false);
    }
    let plan = told["outcome"]["journal"].to_string();
    refused(lab, &["undo", &plan], 3, &["used as swap since", "--force signature"]);
    done(lab, &["undo", &plan, "--force", "signature"]);
    // The enabled area was not written to, since nothing was swapped out: apart from the header it is
    // unchanged.
    assert!(bytes(&device.path) == before, "every byte is back");
    if file_system == "ext4" {
        assert!(program::tool("e2fsck", &["-f", "-n", path]).is_some(), "it is sound");
    }
    let mounted = mount(lab, file_system, &device.path)?;
    assert_eq!(fs::read(mounted.point.join("hello")).expect("a file"), b"world");
    Ok(true)
}

/// Devices with other content, or none.
fn bare(lab: &Lab) -> Result<(), String> {
    let device = areas::new_loop(lab, 8 * MIB)?;
    let path = text(&device.path);
    let put = |at: u64, bytes: &[u8]| {
        let file = OpenOptions::new().write(true).open(&device.path).expect("a device");
        file.write_all_at(bytes, at).and_then(|()| file.sync_all()).expect("the file is writable");
    };
    let first = done(lab, &["format", path]);
    let (uuid, label) = title(&device.path);
    assert_eq!((uuid.as_bytes()[14], label.as_str()), (b'4', ""), "{uuid} is a random one");
    let again = done(lab, &["format", path, "--label", "two"]);
    assert_ne!(title(&device.path).0, uuid);
    undo(lab, &again);
    assert_eq!(title(&device.path).0, uuid);
    undo(lab, &first);
    assert!(bytes(&device.path).iter().all(|byte| *byte == 0), "it is as empty as it was");

    put(512, b"EFI PART");
    put(8 * MIB - 512, b"EFI PART");
    let before = bytes(&device.path);
    refused(lab, &["format", path], 3, &["a partition table (GPT)", "--force signature"]);
    let forced = done(lab, &["format", path, "--force", "signature"]);
    assert!(bytes(&device.path).ends_with(&[0; 512]), "its copy is gone too");
    undo(lab, &forced);
    assert!(bytes(&device.path) == before);
    put(512, &[0; 8]);
    put(8 * MIB - 512, &[0; 8]);

    areas::write_header(&device.path, &IMAGE, 8 * MIB);
    put(areas::page_size() - 10, b"S1SUSPEND\0");
    refused(lab, &["format", path], 3, &["a hibernation image (S1SUSPEND)", "--force image"]);
    refused(lab, &["on", path], 3, &["a hibernation image (S1SUSPEND)", "--force image"]);
    refused(lab, &["format", path, "--force", "signature"], 3, &["--force image"]);
    done(lab, &["format", path, "--force", "image"]);
    match areas::new_zram(lab) {
        Ok(other) => {
            areas::give_size(&other, 8 * MIB, &IMAGE)?;
            let words = [UUID, "belongs to", text(&other.path), "omit --uuid"];
            done(lab, &["format", path]);
            refused(lab, &["format", path, "--uuid", UUID], 2, &words);
        }
        Err(reason) => lab::remark(&format!("a duplicate UUID: {reason}")),
    }
    refused(lab, &["format", "/dev/null"], 2, &["must be a device or a regular file"]);
    refused(lab, &["format", "/no/such"], 2, &["/no/such"]);
    Ok(())
}

static IMAGE: Title = Title { label: "swapadm-live-im", uuid: UUID };

/// A format that was interrupted can be undone after recovery: all bytes are restored.
fn recovered_format(lab: &Lab) -> Result<(), String> {
    let device = areas::new_loop(lab, 16 * MIB)?;
    let path = text(&device.path);
    let bytes: Vec<u8> = (0..256 * 1024_u32).flat_map(u32::to_le_bytes).collect();
    fs::write(&device.path, &bytes).expect("the file is writable");
    let before = fs::read(&device.path).expect("the file is readable");
    done(lab, &["format", path, "--force", "signature"]);
    assert!(fs::read(&device.path).expect("the file is readable") != before, "it was formatted");
    let journal = lab.scratch.file("journal");
    let told = fs::read_to_string(&journal).expect("a journal");
    let lines: Vec<&str> = told.lines().collect();
    let tried = lines.iter().rposition(|line| line.contains("\"try\"")).expect("a step");
    assert!(tried + 1 < lines.len(), "the journal is complete");
    // Simulates a kill right after the bytes were written.
    let cut = &lines[..=tried];
    fs::write(&journal, cut.join("\n") + "\n").expect("the journal is ours");
    let (code, said) = run(lab, &["recover"]);
    assert_eq!(code, Some(0), "{said}");
    let number: Value = serde_json::from_str(cut[tried]).expect("a line of JSON");
    done(lab, &["undo", &number["plan"].to_string()]);
    assert!(fs::read(&device.path).expect("the file is readable") == before, "a byte differs");
    Ok(())
}

/// A header for 64 KiB pages leaves data behind the first page of other sizes: it is wiped, and restored.
fn of_larger_pages(lab: &Lab) {
    let path = lab.scratch.file("image");
    fs::write(&path, vec![0; 4 << 20]).expect("room");
    fs::set_permissions(&path, Permissions::from_mode(0o600)).expect("a mode");
    done(lab, &["format", text(&path), "--page-size", "64K"]);
    let large = bytes(&path);
    assert!(large[..65_536].ends_with(b"SWAPSPACE2"));
    let told = done(lab, &["format", text(&path), "--page-size", "4K"]);
    let small = bytes(&path);
    assert!(small[..4096].ends_with(b"SWAPSPACE2"));
    assert!(small[4096..].iter().all(|byte| *byte == 0), "the stale mark is gone");
    undo(lab, &told);
    assert!(bytes(&path) == large, "every byte is back");
}

/// A user without rights, with a folder of their own.
struct User<'l> {
    lab: &'l Lab,
    home: PathBuf,
}

impl<'l> User<'l> {
    fn new(lab: &'l Lab) -> Result<Self, String> {
        let home = lab.scratch.file("home");
        fs::create_dir(&home).map_err(|error| error.to_string())?;
        let user = Self { lab, home };
        Self::give(&user.home);
        Ok(user)
    }

    fn give(path: &Path) {
        chown(path, Some(program::NOBODY), Some(program::NOBODY)).expect("root gives it away");
    }

    /// A file of zeros in the folder of the user.
    fn image(&self, name: &str) -> PathBuf {
        let path = self.home.join(name);
        fs::write(&path, vec![0; 1 << 20]).expect("room");
        fs::set_permissions(&path, Permissions::from_mode(0o600)).expect("a mode");
        path
    }

    fn swapadm(&self, arguments: &[&str]) -> Command {
        let mut command = program::command(&self.lab.scratch.program(), arguments);
        command.uid(program::NOBODY).gid(program::NOBODY).current_dir(&self.home);
        for name in ["SWAPADM_JOURNAL", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"] {
            command.env_remove(name);
        }
        command.env("HOME", &self.home);
        command
    }

    fn refused(&self, arguments: &[&str], words: &str) {
        is_refused(&mut self.swapadm(&[arguments, &["--yes"]].concat()), words);
    }

    fn formats_an_image(&self) {
        let own = self.image("own");
        Self::give(&own);
        let before = bytes(&own);
        let told = program::json(&mut self.swapadm(&["format", "own", "--yes", "--json"]));
        assert_eq!(told["outcome"]["end"], "done", "{told}");
        assert_eq!(title(&own).1, "");
        let state = self.home.join(".local/state/swapadm");
        assert!(state.join("journal.jsonl").exists() && state.join("lock").exists());
        let number = told["outcome"]["journal"].to_string();
        let listed = program::json(&mut self.swapadm(&["journal", "--json"]));
        assert_eq!(listed[0]["plan"].to_string(), number, "{listed}");
        // Files of others stay unchanged.
        let theirs = self.image("theirs");
        self.refused(&["format", text(&theirs)], "changing swap needs root");
        self.refused(&["on", text(&own)], "changing swap needs root");
        self.refused(&["set", "swappiness=1"], "changing swap needs root");
        self.refused(&["recover"], "changing swap needs root");
        let mut homeless = self.swapadm(&["format", "own", "--yes"]);
        is_refused(homeless.env_remove("HOME"), "set HOME or XDG_STATE_HOME");
        assert!(bytes(&theirs) == before);
        self.is_recovered(&own);
        let undone = program::json(&mut self.swapadm(&["undo", &number, "--yes", "--json"]));
        assert_eq!(undone["outcome"]["end"], "done", "{undone}");
        assert!(bytes(&own) == before, "every byte is back");
    }

    /// Simulates a kill right after the bytes were written.
    fn is_recovered(&self, own: &Path) {
        let journal = self.home.join(".local/state/swapadm/journal.jsonl");
        let told = fs::read_to_string(&journal).expect("a journal");
        let kept: Vec<&str> = told.lines().take(2).collect();
        assert!(kept[1].contains("\"try\""), "{told}");
        fs::write(&journal, kept.join("\n") + "\n").expect("root may");
        let written = bytes(own);
        program::json(&mut self.swapadm(&["recover", "--json"]));
        let listed = program::json(&mut self.swapadm(&["journal", "--json"]));
        assert!(listed[0]["events"].to_string().contains("\"recovered\""), "{listed}");
        assert!(bytes(own) == written, "it was made");
    }
}

fn is_refused(command: &mut Command, words: &str) {
    let output = command.output().expect("the program starts");
    let said = program::describe_failure(&output);
    assert_eq!(output.status.code(), Some(3), "{command:?}: {said}");
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains(words), "{command:?}: {said}");
}
