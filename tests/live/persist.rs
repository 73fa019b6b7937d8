//! Persistent changes, in an `/etc` of our own.

use crate::areas::{self, Area, Title};
use crate::in_lab;
use crate::lab::Lab;
use crate::mounts::{self, Mount};
use crate::program::describe_failure;
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn persistent_changes_are_written_to_the_right_files() {
    in_lab("persistent_changes_are_written_to_the_right_files", |lab| {
        of_areas(lab)?;
        of_settings(lab)
    });
}

static TITLE: Title =
    Title { label: "swapadm-live-et", uuid: "5a9c0f3e-7b1d-4e62-8f40-0000000e7cde" };

/// Priority of the area.
const PRIORITY: u16 = 31_500;

/// An area, and a folder that replaces `/etc` for the program.
struct Start<'l> {
    lab: &'l Lab,
    etc: PathBuf,
    area: Area,
}

impl<'l> Start<'l> {
    fn new(lab: &'l Lab) -> Result<Self, String> {
        let etc = lab.scratch.file("etc");
        let _ = fs::remove_dir_all(&etc);
        fs::create_dir_all(etc.join("sysctl.d")).expect("a folder");
        fs::write(etc.join("fstab"), "# ours\n").expect("a file");
        let area = areas::on_loop(lab, 16 << 20, &TITLE, PRIORITY)?;
        Ok(Self { lab, etc, area })
    }

    /// The output, with this exit status.
    fn swapadm(&self, arguments: &[&str], code: i32) -> Result<String, String> {
        let etc = Mount::Bind(&self.etc, Path::new("/etc"));
        let output = mounts::behind(self.lab, &[etc], arguments)?;
        assert_eq!(
            output.status.code(),
            Some(code),
            "{arguments:?}: {}",
            describe_failure(&output)
        );
        Ok(describe_failure(&output))
    }

    fn text(&self, file: &str) -> String {
        fs::read_to_string(self.etc.join(file)).unwrap_or_default()
    }
}

/// A priority is written where the area is configured, after it was shown as a difference, and undone. The
/// area itself stays: an area enabled in our namespace has no name outside.
pub(crate) fn of_areas(lab: &Lab) -> Result<(), String> {
    let start = Start::new(lab)?;
    let path = start.area.path.to_str().expect("text");
    let shown = start.swapadm(&["persist", "check"], 1)?;
    assert!(shown.contains(&format!("{path}: now on; after the next boot: not configured")));
    let wish = format!("{path}={PRIORITY}");
    let refused = start.swapadm(&["priority", &wish, "--persist", "--yes"], 3)?;
    assert!(refused.contains("--force loop"), "{refused}");
    let change = ["priority", &wish, "--persist", "--force", "loop"];
    let shown = start.swapadm(&[&change[..], &["--dry-run"]].concat(), 0)?;
    let line = format!("UUID={} none swap sw,pri={PRIORITY} 0 0", TITLE.uuid);
    assert!(shown.contains(&format!("+ {line}")), "{shown}");
    assert_eq!(start.text("fstab"), "# ours\n", "a dry run changes nothing");
    start.swapadm(&[&change[..], &["--yes"]].concat(), 0)?;
    assert_eq!(start.text("fstab"), format!("# ours\n{line}\n"));
    assert_eq!(start.text("fstab.swapadm-old"), "# ours\n");
    fs::write(start.etc.join("sysctl.d/x.conf"), "vm.vfs_cache_pressure=1\n").expect("ours");
    let shown = start.swapadm(&["persist", "check", "--json"], 1)?;
    assert!(shown.contains("vfs_cache_pressure") && !shown.contains(path), "{shown}");
    start.swapadm(&["undo", "1", "--yes"], 0)?;
    assert_eq!(start.text("fstab"), "# ours\n");
    Ok(())
}

/// A setting is written to the effective file, whether its value changes now or not.
pub(crate) fn of_settings(lab: &Lab) -> Result<(), String> {
    let start = Start::new(lab)?;
    let now = fs::read_to_string("/proc/sys/vm/vfs_cache_pressure").expect("the file is readable");
    let now = now.trim();
    start.swapadm(&["set", "vfs_cache_pressure", now, "--persist", "--yes"], 0)?;
    assert_eq!(start.text("sysctl.d/90-swapadm.conf"), format!("vm.vfs_cache_pressure = {now}\n"));
    fs::write(start.etc.join("sysctl.d/95-mine.conf"), "vm.vfs_cache_pressure=1\n").expect("ours");
    let shown = start.swapadm(&["persist", "check"], 1)?;
    let told = format!(
        "vfs_cache_pressure: now {now}; after the next boot: 1 (/etc/sysctl.d/95-mine.conf:1)"
    );
    assert!(shown.contains(&told), "{shown}");
    start.swapadm(&["set", "vfs_cache_pressure", now, "--persist", "--yes"], 0)?;
    assert_eq!(start.text("sysctl.d/95-mine.conf"), format!("vm.vfs_cache_pressure={now}\n"));
    Ok(())
}
