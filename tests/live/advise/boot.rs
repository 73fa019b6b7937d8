//! What is set up at the start, in an `/etc` of our own.

use super::{TITLE, TOP, on_loop};
use crate::areas::{self, Area};
use crate::lab::{self, Lab};
use crate::private_etc::PrivateEtc;
use crate::settings::SavedSettings;
use crate::{file, in_lab, program, units};
use serde_json::Value;
use std::fs;
use std::path::Path;

const SIZE: u64 = 16 << 20;

#[test]
fn differences_at_boot_are_found_and_fixed() {
    in_lab("what_the_start_would_do_otherwise_is_found_and_put_right", |lab| {
        let room = PrivateEtc::new(lab, &[])?;
        let active = areas::on_loop(lab, SIZE, &TITLE, TOP)?;
        let path = file::text(&active.path).to_owned();
        room.write("fstab", &format!("UUID={} none swap sw,pri=5 0 0\n", TITLE.uuid));
        is_silent(&room, ("boot-stale", "UUID="));
        fix_works(&room, ("boot-priority", &path));
        drop(active);
        is_silent(&room, ("boot-priority", &path));
        let off = formatted(lab, "off")?;
        let path = file::text(&off.path);
        room.write("fstab", &format!("{path} none swap sw,pri=5 0 0\n"));
        fix_works(&room, ("boot-stale", path));
        Ok(())
    });
}

#[test]
fn unsupported_discard_is_found() {
    in_lab("discard_that_a_device_cannot_do_is_found", |lab| {
        let room = PrivateEtc::new(lab, &[])?;
        // What lies on memory alone has nothing to give back.
        let mounted = file::mount(lab, "ramfs", Path::new("none"))?;
        let cannot = formatted(lab, "mount/backing")?;
        areas::use_it(&cannot, TOP)?;
        asked(&room, &cannot, "");
        is_silent(&room, ("discard", file::text(&cannot.path)));
        asked(&room, &cannot, ",discard");
        assert!(find_finding(&room, ("discard", file::text(&cannot.path))).is_some(), "it cannot");
        drop(cannot);
        drop(mounted);
        let can = formatted(lab, "backing")?;
        areas::use_it(&can, TOP)?;
        let most = areas::sysfs(&can.path).join("queue/discard_max_bytes");
        if fs::read_to_string(most).is_ok_and(|most| most.trim() == "0") {
            lab::remark("discard where it is possible: the file system below cannot");
            return Ok(());
        }
        asked(&room, &can, ",discard");
        is_silent(&room, ("discard", file::text(&can.path)));
        Ok(())
    });
}

/// Have fstab ask for this of the area.
fn asked(room: &PrivateEtc<'_>, area: &Area, options: &str) {
    let path = file::text(&area.path);
    room.write("fstab", &format!("{path} none swap sw,pri={TOP}{options} 0 0\n"));
}

/// Of settings that are for something else than what swap lies on.
#[test]
fn settings_unfit_for_the_areas_are_found_and_fixed() {
    in_lab("settings_that_do_not_fit_the_areas_are_found_and_put_right", |lab| {
        super::alone()?;
        let room = PrivateEtc::new(lab, &[])?;
        let _kept = SavedSettings::new(&[SWAPPINESS]);
        let rotating = on_loop(lab, "rotating", TOP, true)?;
        fs::write(SWAPPINESS, "150").expect("the kernel takes it");
        fix_works(&room, ("swappiness", ""));
        fs::write(SWAPPINESS, "150").expect("the kernel takes it");
        drop(rotating);
        let _solid = on_loop(lab, "solid", TOP, false)?;
        is_silent(&room, ("swappiness", ""));
        Ok(())
    });
}

#[test]
fn zswap_in_front_of_zram_is_found_and_fixed() {
    in_lab("zswap_before_zram_is_found_and_put_right", |lab| {
        if !Path::new(ZSWAP).exists() {
            lab::remark("zswap before zram: this kernel has no zswap");
            return Ok(());
        }
        let room = PrivateEtc::new(lab, &[])?;
        let _kept = SavedSettings::new(&[ZSWAP]);
        if fs::write(ZSWAP, "Y").is_err() {
            lab::remark("zswap before zram: zswap cannot be switched on here");
            return Ok(());
        }
        let disk = on_loop(lab, "solid", TOP, false)?;
        is_silent(&room, ("zswap-zram", ""));
        drop(disk);
        let _zram = areas::zram(lab, SIZE, &TITLE, TOP)?;
        if units::carry_out() {
            fix_works(&room, ("zswap-zram", ""));
        } else {
            assert!(find_finding(&room, ("zswap-zram", "")).is_some(), "it does not speak");
        }
        Ok(())
    });
}

const SWAPPINESS: &str = "/proc/sys/vm/swappiness";
const ZSWAP: &str = "/sys/module/zswap/parameters/enabled";

/// An area that is there and not switched on.
fn formatted(lab: &Lab, name: &str) -> Result<Area, String> {
    let area = areas::new_loop_on(lab, name, SIZE)?;
    areas::write_header(&area.path, &TITLE, SIZE);
    Ok(area)
}

/// What a rule finds in this room about something.
fn find_finding(room: &PrivateEtc<'_>, (rule, about): (&str, &str)) -> Option<Value> {
    let document = program::json(&mut room.swapadm(&["advise", "--json"]));
    let rules = program::rows(&document, "rules");
    let own = rules.iter().find(|row| row["rule"] == rule).expect("there is such a rule");
    assert!(own["state"].is_string(), "it could not be judged: {own}");
    let is_it = |row: &Value| {
        row["rule"] == rule && row["name"].as_str().is_some_and(|name| name.contains(about))
    };
    program::rows(&document, "findings").into_iter().find(is_it)
}

fn is_silent(room: &PrivateEtc<'_>, what: (&str, &str)) {
    let found = find_finding(room, what);
    assert!(found.is_none(), "{what:?}: {found:?}");
}

/// It is found, and the command that it names puts it right.
fn fix_works(room: &PrivateEtc<'_>, what: (&str, &str)) {
    let found = find_finding(room, what).unwrap_or_else(|| panic!("{what:?} does not speak"));
    let fix = found["fix"].as_str().unwrap_or_else(|| panic!("it names no command: {found}"));
    let words: Vec<&str> = fix.split(' ').skip(1).chain(["--yes"]).collect();
    room.json_of(&words, 0);
    is_silent(room, what);
}
