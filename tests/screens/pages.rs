//! The pages of one process and of one cgroup.

use crate::common::screen::{Screen, page, snapshot};
use crate::common::{expect_file, repository};
use crate::{MACHINES, SIZES};
use swapadm::model::subject::{
    CgroupDetail, DetailTarget, LruGeneration, NodeMemory, ProcessDetail, SubjectDetail,
    ThreadWaits,
};
use swapadm::model::users::NamedMapping;
use swapadm::model::{Bytes, Name, Reading, Sampled, Snapshot};
use swapadm::ui::glyphs::GlyphTier;
use swapadm::ui::msg::{Effect, Msg};
use swapadm::ui::overlay::Overlay;
use swapadm::ui::theme::Palette;

const MIB: u64 = 1 << 20;

fn mapping(name: &str, swap: u64) -> NamedMapping {
    let bytes = |mib: u64| Reading::Known(Bytes(mib * MIB));
    NamedMapping {
        name: Name::from(name),
        count: 3,
        size: bytes(300),
        rss: bytes(40),
        pss: bytes(20),
        swap: bytes(swap),
        swap_pss: bytes(swap / 2),
    }
}

/// The details of the process with the most swap, as the reader of a live machine would add them.
fn detailed(mut snapshot: Snapshot, waited_ms: u64) -> Snapshot {
    let table = snapshot.processes.reading.known().unwrap();
    let most = |process: &&swapadm::model::Shared<_>| {
        let process: &swapadm::model::users::Process = process;
        process.swap.known().map(|swap| swap.0)
    };
    let process = (**table.processes.iter().max_by_key(most).unwrap()).clone();
    let sum = Reading::Known(Bytes(250 * MIB));
    let process = swapadm::model::users::Process {
        swap_pss: Reading::Known(Bytes(125 * MIB)),
        swap_mapped: sum.clone(),
        ..process
    };
    let detail = ProcessDetail {
        process,
        pss: sum,
        waits: ThreadWaits {
            run_ns: Reading::Known(waited_ms * 1_000_000),
            block_ns: Reading::absent("kernel.task_delayacct is 0: not counted"),
            swap_ns: Reading::absent("taskstats only"),
        },
        mappings: Reading::Known(vec![
            mapping("[heap]", 180),
            mapping("/usr/lib/libdb.so", 60),
            mapping("[stack]", 0),
        ]),
    };
    let detail = SubjectDetail::Process(Box::new(detail));
    snapshot.subject = Sampled::new(Some(snapshot.stamp), Reading::Known(detail));
    snapshot
}

fn grouped(mut snapshot: Snapshot, path: &Name) -> Snapshot {
    let node = |node| NodeMemory {
        node,
        anon: Reading::Known(Bytes(7 * MIB)),
        inactive_anon: Reading::Known(Bytes(5 * MIB)),
        file: Reading::Known(Bytes(MIB)),
        swap_cached: Reading::absent("memory.numa_stat has no swapcached here"),
    };
    let age = |generation, age_ms| LruGeneration {
        node: 0,
        generation,
        age_ms,
        anon_pages: 256,
        file_pages: 512,
    };
    let detail = CgroupDetail {
        path: path.clone(),
        local_events: Reading::absent("not here"),
        nodes: Reading::Known(vec![node(0), node(1)]),
        generations: Reading::Known(vec![age(4, 90_000), age(5, 1500)]),
        container: Reading::absent("the path is not that of a container"),
    };
    let detail = SubjectDetail::Cgroup(Box::new(detail));
    snapshot.subject = Sampled::new(Some(snapshot.stamp), Reading::Known(detail));
    snapshot
}

/// Two samples, and those of the open page.
pub(crate) fn watched(width: u16, height: u16, keys: &str) -> Screen {
    let mut screen = Screen::machines(&MACHINES, width, height).keys(keys);
    for second in [1010, 1011] {
        let snapshot = snapshot(MACHINES[1], second);
        let snapshot = match &screen.app.subject {
            Some(DetailTarget::Process(_)) => detailed(snapshot, second * 200),
            Some(DetailTarget::Cgroup(path)) => grouped(snapshot, path),
            None => snapshot,
        };
        let now = snapshot.stamp;
        screen.send(Msg::Snapshots(vec![snapshot]));
        screen.send(Msg::Tick(now));
    }
    screen
}

fn text(screen: &mut Screen) -> String {
    screen.text().join("\n")
}

#[test]
fn a_process_is_one_key_away_and_shows_its_mappings() {
    for (width, height) in SIZES {
        let mut screen = watched(width, height, "6 Enter");
        let shown = text(&mut screen);
        let part =
            if width < 60 { "250M in swap" } else { "250M in swap, most of it: 180M in [heap]" };
        assert!(shown.contains(part), "{width}x{height}: no {part}: {shown}");
        let asked = screen
            .effects
            .iter()
            .any(|effect| matches!(effect, Effect::ReadSubject(Some(DetailTarget::Process(_)))));
        assert!(asked, "its page tables are read from now on");
        screen.press("Esc");
        assert_eq!(screen.effects.last(), Some(&Effect::ReadSubject(None)), "and no longer");
        assert_eq!(screen.app.screen, 5);
    }
    let shown = text(&mut watched(120, 40, "6 Enter"));
    for part in ["libdb.so", "swap pss", "20% of time", "kernel.task_delayacct is 0", "[process "] {
        assert!(shown.contains(part), "no {part}: {shown}");
    }
    assert!(!shown.contains("[stack]"), "nothing of it is in swap: {shown}");
}

#[test]
fn a_page_opened_on_a_capture_gives_the_reason_in_place_of_rows_of_dashes() {
    for (width, height) in [(80, 24), (120, 40)] {
        let mut screen = Screen::machines(&["6.18-loaded"], width, height).keys("6 Enter");
        let shown = text(&mut screen);
        assert!(shown.contains("256.8M in swap") && shown.contains("read for one process"));
        for row in ["pss  ", "swap pss", "for a CPU", "for I/O", "for swap"] {
            assert!(!shown.contains(row), "{width}x{height}: {row}: {shown}");
        }
    }
}

#[test]
fn the_cgroup_of_a_process_is_one_key_away_and_esc_walks_back() {
    let mut screen = watched(120, 40, "6 Enter C");
    let Some(DetailTarget::Cgroup(path)) = screen.app.subject.clone() else {
        panic!("{:?}", screen.app.subject)
    };
    let shown = text(&mut screen);
    let path = path.exact();
    for part in ["refaults", "Inside", "in swap", path.as_str()] {
        assert!(shown.contains(part), "no {part}: {shown}");
    }
    screen.press("S-Tab S-Tab ]");
    assert!(text(&mut screen).contains("INACTIVE"), "{}", text(&mut screen));
    screen.press("]");
    assert!(text(&mut screen).contains("90s"), "{}", text(&mut screen));
    screen.press("Esc");
    assert!(matches!(screen.app.subject, Some(DetailTarget::Process(_))));
    screen.press("Esc");
    assert_eq!((screen.app.subject.clone(), screen.app.screen), (None, 5));
    let from_list = watched(80, 24, "6 ] Enter");
    assert!(matches!(from_list.app.subject, Some(DetailTarget::Cgroup(_))));
    let mut other = watched(80, 24, "6 Enter 2");
    assert_eq!((other.app.subject.clone(), other.app.screen), (None, 1));
    other.press("Esc");
    assert_eq!(other.app.screen, 1, "a number leaves the page for good");
}

/// Enter on the process in a list of figures opens its page; on an amount, the chart of that process.
#[test]
fn a_top_swap_user_leads_to_its_process() {
    let on_top_user = || {
        let mut screen = Screen::machines(&MACHINES, 120, 40).keys("1");
        let is_on_users = |screen: &Screen| screen.app.pane_info().unwrap().id == "most";
        (0..8)
            .find(|_| {
                is_on_users(&screen) || {
                    screen.press("Tab");
                    false
                }
            })
            .unwrap();
        screen
    };
    let pid = |keys: &str| on_top_user().keys(keys).app.subject;
    let first = pid("Enter");
    assert!(matches!(first, Some(DetailTarget::Process(_))), "{first:?}");
    assert_eq!(pid("Right Enter"), first);
    let mut screen = on_top_user().keys("Right Right Enter");
    assert!(screen.app.subject.is_none(), "{}", text(&mut screen));
    assert!(matches!(screen.app.overlays.last(), Some(Overlay::Chart(_))));
    let screen = screen.keys("m");
    assert!(matches!(screen.effects.last(), Some(Effect::Mouse(_))), "{:?}", screen.effects);
    let mut screen = screen.keys("?");
    assert!(text(&mut screen).contains("Keys of the chart"), "{}", text(&mut screen));
    assert!(matches!(screen.keys("Esc").app.overlays.last(), Some(Overlay::Chart(_))));
}

/// The way back is among the keys of a page, at every size.
#[test]
fn a_page_names_the_way_back() {
    for (width, height) in SIZES {
        for keys in ["6 Enter", "6 C"] {
            let mut screen = watched(width, height, keys);
            let lines = screen.text();
            assert!(lines.last().unwrap().contains("Esc back"), "{width} {keys}: {lines:?}");
            screen.press("Esc");
            assert!(!screen.text().last().unwrap().contains("Esc back"));
        }
    }
}

#[test]
fn processes_inside_a_cgroup_are_its_own_and_those_of_its_children() {
    let mut screen = watched(120, 40, "6 ] Enter S-Tab S-Tab");
    let Some(DetailTarget::Cgroup(path)) = screen.app.subject.clone() else { panic!() };
    let sheet = screen.app.sheet().unwrap();
    let rows = sheet.rows().unwrap();
    assert!(!rows.cells.is_empty());
    for row in 0..rows.cells.len() {
        let own = rows.text(row, "cgroup");
        let below = format!("{}/", path.exact().trim_end_matches('/'));
        assert!(own == path.exact() || own.starts_with(&below), "{own} in {path:?}");
    }
    // Its rows lead on to the page of a process.
    screen.press("Enter");
    assert!(matches!(screen.app.subject, Some(DetailTarget::Process(_))));
}

#[test]
fn the_palette_and_the_actions_lead_to_the_pages() {
    let screen = watched(80, 24, "6 : p r o c e s s Space 2 1 0 Enter");
    assert_eq!(screen.app.subject, Some(DetailTarget::Process(210)));
    let screen = watched(80, 24, "6 : c g r o u p Space / h o g Enter");
    assert!(matches!(screen.app.subject, Some(DetailTarget::Cgroup(_))));
    let mut screen = watched(80, 24, "6 a");
    assert!(text(&mut screen).contains("details"), "{}", text(&mut screen));
    screen.press("Enter");
    assert!(matches!(screen.app.subject, Some(DetailTarget::Process(_))));
    screen.press("a");
    let shown = text(&mut screen);
    assert!(shown.contains("memory limit..."), "actions of the process: {shown}");
}

/// The details of a row are those of the sample on screen.
#[test]
fn the_details_of_a_row_follow_the_samples() {
    for (width, height) in SIZES {
        let mut screen = Screen::machines(&MACHINES[..1], width, height).keys("2 Enter");
        let used = |screen: &mut Screen| {
            let line = screen.text().into_iter().find(|line| line.contains(" USED "));
            line.unwrap().split(" USED ").nth(1).unwrap().split('│').next().unwrap().to_owned()
        };
        let scroll = |screen: &mut Screen| (0..3).for_each(|_| screen.press("Down"));
        scroll(&mut screen);
        let title = |screen: &mut Screen| {
            let line = screen.text().into_iter().find(|line| line.contains(" Swap areas: "));
            line.unwrap().split(" Swap areas: ").nth(1).unwrap().to_owned()
        };
        assert!(title(&mut screen).contains("14:30:00Z"), "{}", text(&mut screen));
        let before = used(&mut screen);
        screen.send(Msg::Snapshots(vec![snapshot(MACHINES[1], 1001)]));
        assert_ne!(used(&mut screen), before, "{width}x{height}: {}", text(&mut screen));
        assert!(title(&mut screen).contains("14:30:01Z"), "{}", text(&mut screen));
        // The values of a row that is gone stay, and say what they are.
        let mut gone = snapshot(MACHINES[1], 1002);
        let areas = gone.swaps.reading.known().unwrap();
        let first = screen.app.sheet().unwrap().row_name.clone().unwrap();
        let left: Vec<_> = areas.iter().filter(|it| it.path.safe() != first).cloned().collect();
        gone.swaps = Sampled::new(Some(gone.stamp), Reading::Known(left));
        let last = used(&mut screen);
        for second in [1002, 1003] {
            gone.stamp = snapshot(MACHINES[1], second).stamp;
            screen.send(Msg::Snapshots(vec![gone.clone()]));
            assert_eq!(used(&mut screen), last, "{}", text(&mut screen));
            let shown = title(&mut screen);
            assert!(shown.contains("gone since"), "{width}x{height}: {}", text(&mut screen));
        }
        screen.press("Home");
        let shown = text(&mut screen);
        let notes = ["Gone since 14:30:02Z: the figures", "14:30:01Z."];
        assert!(notes.iter().all(|note| shown.contains(note)), "{shown}");
        screen.send(Msg::Snapshots(vec![snapshot(MACHINES[1], 1004)]));
        assert!(title(&mut screen).contains("14:30:04Z"), "{}", text(&mut screen));
        assert!(!text(&mut screen).contains("Gone"), "{}", text(&mut screen));
    }
}

#[test]
fn a_process_that_ended_and_a_recording_say_so() {
    let mut screen = Screen::machines(&MACHINES, 80, 24).keys("6 Enter");
    let mut later = snapshot(MACHINES[1], 1020);
    later.processes = Sampled::new(
        Some(later.stamp),
        Reading::Known(swapadm::model::users::ProcessTable {
            processes: Box::new([]),
            ..later.processes.reading.known().unwrap().clone()
        }),
    );
    screen.send(Msg::Snapshots(vec![later]));
    assert!(text(&mut screen).contains("has ended"), "{}", text(&mut screen));
    let snapshots = vec![snapshot(MACHINES[0], 1000), snapshot(MACHINES[1], 1001)];
    let mut screen = Screen::recording("x.rec", snapshots, 80, 24).keys("6 ) Enter");
    let shown = text(&mut screen);
    assert!(shown.contains("in swap") && shown.contains("live machine"), "{shown}");
}

#[test]
fn pages_match_their_golden_file() {
    let mut shown = String::new();
    for (width, height) in SIZES.into_iter().chain([(160, 50)]) {
        shown += &page("process", &mut watched(width, height, "6 Enter"));
        shown += &page("cgroup", &mut watched(width, height, "6 ] Enter"));
    }
    let mut plain = watched(80, 24, "6 Enter").look(GlyphTier::Ascii, Palette::Mono);
    shown += &page("process in ASCII", &mut plain);
    let machines = ["host-cgroup-v1"];
    let mut first = Screen::machines(&machines, 80, 24).keys("6 ] * Enter");
    shown += &page("cgroup of version 1", &mut first);
    expect_file(&repository("tests/screens/pages.txt"), &shown, "UPDATE_GOLDEN");
}
