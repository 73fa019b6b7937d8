//! `--persist` where systemd, zram-generator and systemd-tmpfiles configure swap.

use crate::areas::{self, Title};
use crate::change::{json_of, priority};
use crate::lab::{self, Lab};
use crate::private_etc::PrivateEtc;
use crate::settings::SavedSettings;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::path::{Path, PathBuf};

const NOW: i32 = 31_500;
/// A group other than root's.
const GROUP: u32 = 7;

/// The difference between files and machine about this object.
fn difference(room: &PrivateEtc<'_>, what: &str) -> Option<Value> {
    let output =
        room.swapadm(&["persist", "check", "--json"]).output().expect("the program starts");
    let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let all = document["differences"].as_array().expect("differences");
    let expected = i32::from(!all.is_empty());
    assert_eq!(output.status.code(), Some(expected), "{document}");
    all.iter().find(|it| it["what"] == what).cloned()
}

/// The state after boot, and its source.
fn state_after_boot(difference: Option<Value>) -> Option<(String, String)> {
    let difference = difference?;
    let word = |key: &str| difference[key].as_str().unwrap_or_default().to_owned();
    Some((word("then"), word("file")))
}

/// Gives a file to another user, who must stay its owner.
fn chown_to_user(path: &Path) {
    fs::set_permissions(path, fs::Permissions::from_mode(0o640)).expect("our file");
    chown(path, None, Some(GROUP)).expect("our file");
}

fn is_owned_by_user(path: &Path) {
    let form = fs::metadata(path).expect("it exists");
    assert_eq!(
        (form.mode() & 0o7777, form.uid(), form.gid()),
        (0o640, 0, GROUP),
        "{}",
        path.display()
    );
}

/// The number of the plan that was carried out.
fn done(room: &PrivateEtc<'_>, arguments: &[&str]) -> String {
    let arguments = [arguments, &["--yes", "--json"]].concat();
    let done = json_of(&mut room.swapadm(&arguments), 0);
    assert_eq!(done["outcome"]["end"], "done", "{done}");
    done["outcome"]["journal"].to_string()
}

/// A file of ours that changes one setting: created, changed, and undone twice.
fn changes(room: &PrivateEtc<'_>, path: &str, (file, head): (&str, &str), key: &str) {
    let on_disk: PathBuf = room.etc.join(file);
    let old = room.etc.join(format!("{file}.swapadm-old"));
    let text = |number: i32| format!("{head}{key}={number}\n");
    let wish = |number: i32| format!("{path}={number}");

    let shown = room.json_of(&["priority", &wish(NOW + 1), "--persist", "--dry-run"], 0);
    let line = format!("+ {key}={}", NOW + 1);
    assert!(shown.contains(&line) && shown.contains(&format!("/etc/{file}")), "{shown}");
    assert!(!on_disk.exists(), "a dry run changes nothing");
    let first = done(room, &["priority", &wish(NOW + 1), "--persist"]);
    assert_eq!(room.text(file), Some(text(NOW + 1)));
    assert!(!old.exists(), "there was nothing before it");
    assert_eq!(priority(Path::new(path)), Some(NOW + 1));
    assert_eq!(difference(room, path), None);

    chown_to_user(&on_disk);
    let shown = room.json_of(&["priority", &wish(NOW + 2), "--persist", "--dry-run"], 0);
    assert!(shown.contains(&format!("- {key}={}", NOW + 1)), "{shown}");
    assert!(shown.contains(&format!("+ {key}={}", NOW + 2)), "{shown}");
    let second = done(room, &["priority", &wish(NOW + 2), "--persist"]);
    assert_eq!(room.text(file), Some(text(NOW + 2)));
    assert_eq!(fs::read_to_string(&old).ok(), Some(text(NOW + 1)));
    is_owned_by_user(&on_disk);
    is_owned_by_user(&old);
    assert_eq!(difference(room, path), None);

    done(room, &["undo", &second]);
    assert_eq!(room.text(file), Some(text(NOW + 1)));
    is_owned_by_user(&on_disk);
    assert_eq!(priority(Path::new(path)), Some(NOW + 1));
    done(room, &["undo", &first]);
    assert_eq!((room.text(file), priority(Path::new(path))), (None, Some(NOW)));
}

/// A unit keeps its content: a drop-in changes the priority.
pub(crate) fn of_systemd(lab: &Lab) -> Result<(), String> {
    let room = PrivateEtc::new(lab, &[])?;
    let number = u16::try_from(NOW).expect("small");
    let area = areas::on_loop(lab, 8 << 20, &TITLES[0], number)?;
    let path = area.path.to_str().expect("text");
    let name = format!("dev-{}.swap", area.path.file_name().expect("a name").display());
    let unit = format!("systemd/system/{name}");
    let says = format!("[Unit]\nDescription=ours\n\n[Swap]\nWhat={path}\nPriority=5\n");
    room.write(&unit, &says);
    let after_boot = |state: &str| Some((state.to_owned(), format!("/etc/{unit}")));
    assert_eq!(
        state_after_boot(difference(&room, path)),
        after_boot("off, because nothing starts the unit")
    );
    let wants = room.etc.join("systemd/system/swap.target.wants");
    fs::create_dir_all(&wants).map_err(|error| error.to_string())?;
    let linked = symlink(format!("../{name}"), wants.join(&name));
    linked.map_err(|error| error.to_string())?;
    assert_eq!(state_after_boot(difference(&room, path)), after_boot("priority 5"));
    changes(&room, path, (&format!("{unit}.d/zz-swapadm.conf"), "[Swap]\n"), "Priority");
    assert_eq!(room.text(&unit), Some(says));

    // Drop-ins for all units apply, and override ours if they come later.
    let of_all = room.write("systemd/system/swap.d/zzz.conf", "[Swap]\nPriority=6\n");
    let is = state_after_boot(difference(&room, path)).expect("a difference");
    assert_eq!(is.0, "priority 6");
    let wish = format!("{path}={NOW}");
    let refused = room.json_of(&["priority", &wish, "--persist", "--yes"], 3);
    assert!(refused.contains("/etc/systemd/system/swap.d/zzz.conf sets Priority"), "{refused}");
    fs::rename(&of_all, of_all.with_file_name("10.conf")).expect("our file");
    done(&room, &["priority", &wish, "--persist"]);
    let file = format!("{unit}.d/zz-swapadm.conf");
    keeps_off(&room, path, &file, "ConditionPathExists=!/\n");
    let text = format!("[Swap]\nPriority={NOW}\n");
    assert_eq!(room.text(&file), Some(text));
    Ok(())
}

/// A line disables an area, also permanently, and enables it again.
fn keeps_off(room: &PrivateEtc<'_>, path: &str, file: &str, line: &str) {
    assert_eq!(difference(room, path), None);
    let says_so = || room.text(file).is_some_and(|text| text.contains(line));
    let before = room.text(file);
    let off = done(room, &["off", path, "--persist"]);
    assert!(says_so() && priority(Path::new(path)).is_none());
    assert_eq!(difference(room, path), None, "the area is disabled at boot");
    done(room, &["undo", &off]);
    assert_eq!((room.text(file), priority(Path::new(path))), (before, Some(NOW)));
    assert_eq!(difference(room, path), None);
    done(room, &["off", path, "--persist"]);
    let number = NOW.to_string();
    done(room, &["on", path, "--priority", &number]);
    assert_eq!(state_after_boot(difference(room, path)).map(|it| it.0).as_deref(), Some("off"));
    done(room, &["on", path, "--priority", &number, "--persist"]);
    assert!(!says_so() && priority(Path::new(path)) == Some(NOW));
    assert_eq!(difference(room, path), None);
}

/// The same with the configuration of zram-generator.
pub(crate) fn of_generator(lab: &Lab) -> Result<(), String> {
    let room = PrivateEtc::new(lab, &[])?;
    let number = u16::try_from(NOW).expect("small");
    let area = areas::zram(lab, 16 << 20, &TITLES[1], number)?;
    let path = area.path.to_str().expect("text");
    let section = format!("[{}]\n", area.path.file_name().expect("a name").display());
    let main = format!("# ours\n{section}zram-size = 16\n");
    room.write("systemd/system-generators/zram-generator", "");
    room.write("systemd/zram-generator.conf", &main);
    let expected = ("priority 100".to_owned(), "/etc/systemd/zram-generator.conf".to_owned());
    assert_eq!(state_after_boot(difference(&room, path)), Some(expected));
    let file = "systemd/zram-generator.conf.d/zz-swapadm.conf";
    changes(&room, path, (file, &section), "swap-priority");
    done(&room, &["priority", &format!("{path}={NOW}"), "--persist"]);
    keeps_off(&room, path, file, "zram-size=0\n");
    assert_eq!(room.text(file), Some(format!("{section}swap-priority={NOW}\n")));
    assert_eq!(room.text("systemd/zram-generator.conf"), Some(main));
    Ok(())
}

/// Whether settings in tmpfiles.d are applied here.
pub(crate) fn carry_out() -> bool {
    ["/usr/bin", "/bin"].iter().any(|at| Path::new(at).join("systemd-tmpfiles").exists())
}

/// The other fields of somebody else's line are kept.
pub(crate) fn of_tmpfiles(lab: &Lab) -> Result<(), String> {
    const KNOB: &str = "/sys/kernel/mm/swap/vma_ra_enabled";
    if !carry_out() {
        lab::remark("settings in tmpfiles.d: systemd-tmpfiles is missing here");
        return Ok(());
    }
    let _kept = SavedSettings::new(&[KNOB]);
    let now = || fs::read_to_string(KNOB).expect("the file is readable").trim().to_owned();
    let (was, other) = if now() == "true" { ("true", "false") } else { ("false", "true") };
    let room = PrivateEtc::new(lab, &[])?;
    let (file, old) = ("tmpfiles.d/mine.conf", "tmpfiles.d/mine.conf.swapadm-old");
    let says = format!("# mine\nw! {KNOB}\t0644 root games 5d  {other}\nd /run/mine 0755 - - -\n");
    chown_to_user(&room.write(file, &says));
    let expected = (other.to_owned(), format!("/etc/{file}"));
    assert_eq!(state_after_boot(difference(&room, "vma_ra_enabled")), Some(expected.clone()));

    done(&room, &["set", &format!("vma_ra_enabled={other}"), "--persist"]);
    assert_eq!((now().as_str(), room.text(file)), (other, Some(says.clone())), "it says so");
    assert_eq!(difference(&room, "vma_ra_enabled"), None);

    let wish = format!("vma_ra_enabled={was}");
    let shown = room.json_of(&["set", &wish, "--persist", "--dry-run"], 0);
    let written = says.replace(&format!("  {other}\n"), &format!("  {was}\n"));
    let line = format!("root games 5d  {was}");
    assert!(shown.contains(&line), "{shown}");
    let plan = done(&room, &["set", &wish, "--persist"]);
    assert_eq!((now().as_str(), room.text(file)), (was, Some(written)));
    assert_eq!(room.text(old), Some(says.clone()));
    is_owned_by_user(&room.etc.join(file));
    is_owned_by_user(&room.etc.join(old));
    assert_eq!(difference(&room, "vma_ra_enabled"), None);
    done(&room, &["undo", &plan]);
    assert_eq!((now().as_str(), room.text(file)), (other, Some(says)));
    is_owned_by_user(&room.etc.join(file));

    // Without any existing line a file of ours is created.
    fs::remove_file(room.etc.join(file)).expect("our file");
    let plan = done(&room, &["set", &wish, "--persist"]);
    let ours = format!("w {KNOB} - - - - {was}\n");
    assert_eq!(room.text("tmpfiles.d/swapadm.conf"), Some(ours));
    assert_eq!(difference(&room, "vma_ra_enabled"), None);
    done(&room, &["undo", &plan]);
    assert_eq!((now().as_str(), room.text("tmpfiles.d/swapadm.conf")), (other, None));
    Ok(())
}

static TITLES: [Title; 2] = [
    Title { label: "swapadm-live-u0", uuid: "5a9c0f3e-7b1d-4e62-8f40-0000a710c0de" },
    Title { label: "swapadm-live-u1", uuid: "5a9c0f3e-7b1d-4e62-8f40-0000a711c0de" },
];
