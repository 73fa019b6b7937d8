//! Advice on the configuration at boot, in an `/etc` of our own.

use super::{TITLE, TOP, on_loop};
use crate::areas::{self, Area};
use crate::lab::{self, Lab};
use crate::private_etc::PrivateEtc;
use crate::settings::SavedSettings;
use crate::{at_length, file, program, units};
use serde_json::Value;
use std::fs;
use std::path::Path;

const SIZE: u64 = 16 << 20;

#[test]
fn differences_at_boot_are_found_and_fixed() {
    at_length("differences_at_boot_are_found_and_fixed", |lab| {
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
    at_length("unsupported_discard_is_found", |lab| {
        let room = PrivateEtc::new(lab, &[])?;
        // Memory-backed devices have no discard.
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
            lab::remark("supported discard: the file system below lacks it");
            return Ok(());
        }
        asked(&room, &can, ",discard");
        is_silent(&room, ("discard", file::text(&can.path)));
        Ok(())
    });
}

/// Adds the area with these options to fstab.
fn asked(room: &PrivateEtc<'_>, area: &Area, options: &str) {
    let path = file::text(&area.path);
    room.write("fstab", &format!("{path} none swap sw,pri={TOP}{options} 0 0\n"));
}

/// Settings that fit another kind of device than the areas are on.
#[test]
fn settings_unfit_for_the_areas_are_found_and_fixed() {
    at_length("settings_unfit_for_the_areas_are_found_and_fixed", |lab| {
        areas::are_ours_only()?;
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
    at_length("zswap_in_front_of_zram_is_found_and_fixed", |lab| {
        if !Path::new(ZSWAP).exists() {
            lab::remark("zswap in front of zram: this kernel has no zswap");
            return Ok(());
        }
        let room = PrivateEtc::new(lab, &[])?;
        let _kept = SavedSettings::new(&[ZSWAP]);
        if fs::write(ZSWAP, "Y").is_err() {
            lab::remark("zswap in front of zram: zswap cannot be enabled here");
            return Ok(());
        }
        let disk = on_loop(lab, "solid", TOP, false)?;
        is_silent(&room, ("zswap-zram", ""));
        drop(disk);
        let _zram = areas::zram(lab, SIZE, &TITLE, TOP)?;
        if units::carry_out() {
            fix_works(&room, ("zswap-zram", ""));
        } else {
            assert!(find_finding(&room, ("zswap-zram", "")).is_some(), "it is not reported");
        }
        Ok(())
    });
}

const SWAPPINESS: &str = "/proc/sys/vm/swappiness";
const ZSWAP: &str = "/sys/module/zswap/parameters/enabled";

/// An area that exists and is not enabled.
fn formatted(lab: &Lab, name: &str) -> Result<Area, String> {
    let area = areas::new_loop_on(lab, name, SIZE)?;
    areas::write_header(&area.path, &TITLE, SIZE);
    Ok(area)
}

/// The finding of a rule about this object.
fn find_finding(room: &PrivateEtc<'_>, (rule, about): (&str, &str)) -> Option<Value> {
    let document = program::json(&mut room.swapadm(&["advise", "--json"]));
    let rules = program::rows(&document, "rules");
    let own = rules.iter().find(|row| row["rule"] == rule).expect("the rule exists");
    assert!(own["state"].is_string(), "the rule could not be judged: {own}");
    let is_it = |row: &Value| {
        row["rule"] == rule && row["name"].as_str().is_some_and(|name| name.contains(about))
    };
    program::rows(&document, "findings").into_iter().find(is_it)
}

fn is_silent(room: &PrivateEtc<'_>, what: (&str, &str)) {
    let found = find_finding(room, what);
    assert!(found.is_none(), "{what:?}: {found:?}");
}

/// The condition is found, and the suggested command fixes it.
fn fix_works(room: &PrivateEtc<'_>, what: (&str, &str)) {
    let found = find_finding(room, what).unwrap_or_else(|| panic!("{what:?} does not speak"));
    let fix =
        found["fix"].as_str().unwrap_or_else(|| panic!("the finding has no command: {found}"));
    let words: Vec<&str> = fix.split(' ').skip(1).chain(["--yes"]).collect();
    room.json_of(&words, 0);
    is_silent(room, what);
}
