//! Actions and marks are those of the row that is meant, whatever other rows are called.

use crate::MACHINES;
use crate::changes::{all, pending_request};
use crate::common::screen::{Screen, snapshot};
use swapadm::model::subject::DetailTarget;
use swapadm::model::users::Cgroup;
use swapadm::model::{Name, Reading, Sampled, Shared, Snapshot};
use swapadm::ui::change::{ChangeRequest, Intent};
use swapadm::ui::msg::{Effect, Msg};

/// The loaded machine, whose areas have other paths.
fn with_areas(second: u64, rename: impl Fn(&str) -> Option<&'static str>) -> Snapshot {
    let mut now = snapshot(MACHINES[1], second);
    let mut areas = now.swaps.reading.known().unwrap().clone();
    areas.retain_mut(|area| {
        let renamed = rename(&area.path.text());
        area.path = Name::from(renamed.unwrap_or_default());
        renamed.is_some()
    });
    now.swaps = Sampled::new(Some(now.stamp), Reading::Known(areas));
    now
}

fn screen(snapshots: Vec<Snapshot>) -> Screen {
    let mut screen = Screen::new(110, 30);
    for now in snapshots {
        screen.send(Msg::Snapshots(vec![now]));
    }
    screen
}

/// The change that is planned for a text in the palette.
fn planned(now: Snapshot, typed: &str) -> ChangeRequest {
    let mut screen = screen(vec![now]).keys(":");
    screen.send(Msg::Paste(typed.to_owned()));
    pending_request(&screen.keys("Enter")).clone()
}

#[test]
fn a_whole_command_is_planned_for_the_object_typed() {
    let areas = |second| {
        with_areas(second, |path| match path {
            "/dev/zram1" => Some("/dev/zram12"),
            "/dev/nvme0n1" => Some("/swapfile2"),
            "/dev/vda" => Some("/mnt/swapfile"),
            _ => None,
        })
    };
    for typed in [
        "off zram1",
        "zram resize zram1 1G",
        "zram limit zram1 32M",
        "zram algorithm zram1 lz4",
        "zram compact zram7",
        "zram remove zram7",
    ] {
        assert_eq!(
            planned(areas(1000), typed),
            ChangeRequest::Command(typed.to_owned()),
            "{typed}"
        );
    }
    let off = |path: &str| ChangeRequest::from(Intent::Off(vec![Name::from(path)]));
    assert_eq!(planned(areas(1000), "off swapfile"), off("/mnt/swapfile"));
    assert_eq!(planned(areas(1000), "off zram12"), off("/dev/zram12"));
}

#[test]
fn an_area_named_like_a_zram_device_is_not_meant_by_its_row() {
    let areas = with_areas(1000, |path| match path {
        "/dev/zram1" => Some("/dev/zram1"),
        "/dev/vda" => Some("/srv/zram1"),
        _ => None,
    });
    let mut screen = screen(vec![areas]).keys("3 / z r a m 1 Enter a");
    assert!(all(&mut screen).contains("Actions: zram1"), "{}", all(&mut screen));
    let screen = screen.keys("Enter");
    assert_eq!(*pending_request(&screen), Intent::Off(vec![Name::from("/dev/zram1")]).into());
}

#[test]
fn a_mark_ends_with_its_row() {
    let both = |second| {
        with_areas(second, |path| match path {
            "/dev/zram0" => Some("/dev/zram0"),
            "/dev/zram1" => Some("/dev/zram1"),
            _ => None,
        })
    };
    let one = with_areas(1001, |path| (path == "/dev/zram0").then_some("/dev/zram0"));
    let mut screen = screen(vec![both(1000)]).keys("2 j Space");
    assert!(all(&mut screen).contains("1 marked"), "{}", all(&mut screen));
    // A filter hides rows, which keep their marks.
    screen.press("/ z r a m 0 Enter");
    let title = all(&mut screen);
    assert!(title.contains("1 marked, 0 shown") && !title.contains("-0B"), "{title}");
    screen.press("Esc");
    screen.send(Msg::Snapshots(vec![one]));
    assert!(!all(&mut screen).contains("marked"), "{}", all(&mut screen));
    screen.send(Msg::Snapshots(vec![both(1002)]));
    assert!(!all(&mut screen).contains("marked"), "{}", all(&mut screen));
}

/// A row that an older sample lacks has not gone.
#[test]
fn a_look_at_the_past_keeps_marks() {
    let one = with_areas(1000, |path| (path == "/dev/zram0").then_some("/dev/zram0"));
    let two = with_areas(1001, |path| match path {
        "/dev/zram0" => Some("/dev/zram0"),
        "/dev/zram1" => Some("/dev/zram1"),
        _ => None,
    });
    let mut screen = screen(vec![one, two]).keys("2 j Space B");
    assert_eq!(screen.app.sheet().unwrap().rows().unwrap().cells.len(), 1);
    screen.press("F");
    assert!(all(&mut screen).contains("1 marked"), "{}", all(&mut screen));
}

/// Whoever names a process or file chooses what is copied, which may be pasted into a shell.
#[test]
fn a_copied_name_holds_nothing_that_acts() {
    let mut screen = screen(vec![with_areas(1000, |path| {
        (path == "/dev/zram0").then_some("/srv/a\ntouch b\n")
    })]);
    screen.press("2");
    screen.press("l");
    for key in ["h"; 4] {
        screen.press(&format!("{key} y"));
    }
    let effects = screen.effects.clone();
    let copied = effects.iter().filter_map(|effect| match effect {
        Effect::Copy(text) => Some(text.as_str()),
        _ => None,
    });
    let copied: Vec<&str> = copied.filter(|text| text.contains("touch")).collect();
    assert!(!copied.is_empty(), "{:?} {}", effects, all(&mut screen));
    assert!(copied.iter().all(|text| !text.contains('\n')), "{copied:?}");
}

/// A cgroup of a virtual machine, as systemd writes it.
const SCOPE: &str = r"/machine-qemu\x2d1\x2dvm.scope";

#[test]
fn names_with_backslashes_are_those_of_the_machine() {
    let mut now = snapshot(MACHINES[1], 1000);
    let mut tree = now.cgroups.reading.known().unwrap().clone();
    tree.groups = tree
        .groups
        .iter()
        .map(|group| {
            let is_hog = group.path == Name::from("/hog");
            let path = if is_hog { Name::from(SCOPE) } else { group.path.clone() };
            Shared::new(Cgroup { path, ..(**group).clone() })
        })
        .collect();
    now.cgroups.reading = Reading::Known(tree).into();
    let mut screen = screen(vec![now.clone()]).keys("6 ] / m a c h i n e Enter");
    screen.press("Enter");
    assert_eq!(screen.app.subject, Some(DetailTarget::Cgroup(Name::from(SCOPE))));
    screen.press("Esc a Enter");
    assert_eq!(screen.app.subject, Some(DetailTarget::Cgroup(Name::from(SCOPE))));
    screen.press("Esc");
    for _ in 0..12 {
        screen.press("l y");
    }
    let copied: Vec<&str> = screen
        .effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Copy(text) if text.starts_with('/') => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert!(copied.contains(&SCOPE) && copied.iter().all(|text| *text == SCOPE), "{copied:?}");
}

/// The page of a cgroup lists what is inside, whatever filter a person adds.
#[test]
fn a_filter_on_a_page_stays_within_its_cgroup() {
    let mut screen =
        screen(vec![snapshot(MACHINES[1], 1000)]).keys("6 ] / h o g Enter Enter Tab Tab");
    let inside = screen.app.sheet().unwrap().rows().unwrap().cells.len();
    screen.press("/ p i d > 0 Enter");
    assert_eq!(screen.app.sheet().unwrap().rows().unwrap().cells.len(), inside);
    screen.press("/ ^u n a m e = n o s u c h Enter");
    assert!(all(&mut screen).contains("Esc clears it"), "{}", all(&mut screen));
    screen.press("Esc");
    assert!(all(&mut screen).contains("[cgroup /hog]"), "{}", all(&mut screen));
    assert_eq!(screen.app.sheet().unwrap().rows().unwrap().cells.len(), inside);
    screen.press("Esc");
    assert!(!all(&mut screen).contains("[cgroup /hog]"), "{}", all(&mut screen));
}

/// Figures that are read for the open page alone are printed by its command.
#[test]
fn figures_of_a_page_are_printed_by_its_command() {
    let screen = screen(vec![snapshot(MACHINES[1], 1000)]).keys("6 Enter e");
    let mut screen = screen;
    let text = all(&mut screen);
    assert!(text.contains("swapadm process show 210"), "{text}");
}

#[test]
fn a_sort_is_reversed_whether_or_not_its_column_fits() {
    let mut screen = Screen::machines(&MACHINES, 60, 16).keys("2 s f r e e Enter");
    let sort = |screen: &Screen| screen.app.sheet().unwrap().request.sort.clone();
    assert_eq!(sort(&screen).as_deref(), Some("-free"));
    screen.press("I");
    assert_eq!(sort(&screen).as_deref(), Some("free"));
}
