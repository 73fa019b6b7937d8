//! Questions to the model from the Devices screen, the palette and the dialog of a change.

use crate::MACHINES;
use crate::changes::{all, devices, foot, with_plan};
use crate::common::Machine;
use crate::common::screen::{Screen, snapshot};
use swapadm::clock::Clock;
use swapadm::model::activation::Priority;
use swapadm::model::paging::Counters;
use swapadm::model::{Bytes, PartSet, Reading, Sampled, Snapshot};
use swapadm::probes;
use swapadm::root::Root;
use swapadm::ui::glyphs::GlyphTier;
use swapadm::ui::msg::{Effect, Msg};
use swapadm::ui::overlay::Overlay;
use swapadm::ui::page::PageLine;
use swapadm::ui::theme::{Palette, Role};
use swapadm::ui::what_if::{LoadChoice, ModelChange, WhatIfQuestion};

/// The last question to the model, with its number.
#[track_caller]
fn question(screen: &Screen) -> (u64, WhatIfQuestion) {
    let asked = screen.effects.iter().rev().find_map(|effect| match effect {
        Effect::Simulate(number, question) => Some((*number, (**question).clone())),
        _ => None,
    });
    asked.expect("the model was asked")
}

/// Answers the last question, as the thread of the model does, for areas so small that it takes no time.
fn answer(screen: &mut Screen) {
    let (number, mut question) = question(screen);
    let mut areas = question.now.swaps.reading.known().unwrap().clone();
    for area in &mut areas {
        area.size = Bytes(area.size.0 / 32);
    }
    question.now.swaps = Sampled::new(None, Reading::Known(areas));
    let answer = question.ask(None, &mut |_| true).map(Box::new);
    screen.send(Msg::Simulated(number, answer));
}

/// The palette with this text, after Enter.
fn typed(text: &str, (width, height): (u16, u16)) -> Screen {
    let mut screen = Screen::machines(&MACHINES, width, height).keys(":");
    screen.send(Msg::Paste(text.to_owned()));
    screen.keys("Enter")
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// All lines of the open page, whatever fits on the terminal.
fn page(screen: &Screen) -> String {
    let Some(Overlay::Page(page)) = screen.app.overlays.last() else { panic!("no page is open") };
    let lines: Vec<&str> = page.lines.iter().map(|line| &*line.text).collect();
    lines.join("\n")
}

#[test]
fn the_palette_asks_the_model_and_shows_progress_and_answer() {
    for size in [(80, 24), (120, 40)] {
        let mut screen = typed("what-if priority zram0 7", size);
        let (number, asked) = question(&screen);
        assert_eq!(
            asked.request.changes,
            [ModelChange::Priority("/dev/zram0".into(), Priority::Set(7))]
        );
        assert!(asked.needs_sample, "a live screen samples only what it shows");
        screen.send(Msg::Simulating(number, 0.42));
        let text = all(&mut screen);
        assert!(text.contains("What if: priority 7 for zram0"), "{text}");
        assert!(text.contains("42%") && text.contains("Esc cancel"), "{text}");
        answer(&mut screen);
        let text = all(&mut screen);
        for part in ["Now (model of kernel 6.18): ", "Changed (model of kernel 6.18): ", "y copy"] {
            assert!(text.contains(part), "no {part} in {text}");
        }
        let page = page(&screen);
        for part in ["AT25%", "SIMULATED: ", "not validated", "swapadm what-if --priority"] {
            assert!(page.contains(part), "no {part} in {page}");
        }
        let widest = page.lines().filter(|line| line.contains("AT25%")).map(str::len).max();
        assert!(widest.unwrap() <= usize::from(size.0) - 10, "{page}");
        screen.press("y");
        let command = "swapadm what-if --priority /dev/zram0=7".to_owned();
        assert!(screen.effects.contains(&Effect::Copy(command)), "{:?}", screen.effects.last());
    }
}

/// The screen and the command give one answer.
#[test]
fn the_page_says_what_the_command_says() {
    let machine = Machine::unpack("6.18-idle");
    let swaps = "Filename Type Size Used Priority\n/dev/zram0 partition 8188 0 100\n/dev/zram1 partition 4092 0 5\n";
    machine.write("proc/swaps", swaps);
    let root = Root::at(machine.path()).unwrap();
    let snapshot = probes::sample(&root, &Clock::Real, PartSet::WHOLE);
    for (text, options) in [
        ("what-if priority zram0 7", &["--priority", "zram0=7"][..]),
        ("what-if add 1G@zram,priority=300", &["--add", "1G@zram,priority=300"]),
        ("what-if kernel 7.2", &["--kernel", "7.2"]),
        ("what-if", &[]),
    ] {
        let mut screen = Screen::new(120, 40);
        screen.send(Msg::Snapshots(vec![snapshot.clone()]));
        screen.press(":");
        screen.send(Msg::Paste(text.to_owned()));
        screen.press("Enter");
        let (number, question) = question(&screen);
        let answer = question.ask(None, &mut |_| true).map(Box::new);
        screen.send(Msg::Simulated(number, answer));
        let printed = words(&machine.stdout(&[&["what-if"], options].concat()));
        let Some(Overlay::Page(page)) = screen.app.overlays.last() else { panic!("{text}") };
        // Charts are as wide as the page, or as the output.
        let is_sentence = |line: &&PageLine| line.name.is_empty() && line.role != Role::Disk;
        let said = page.lines.iter().filter(is_sentence);
        for line in said {
            assert!(printed.contains(&words(&line.text)), "{text}: {}\n{printed}", line.text);
        }
        assert!(page.lines.len() > 8, "{text}");
    }
}

#[test]
fn the_model_blocks_nothing_and_is_cancelled_by_esc() {
    let mut screen = typed("what-if add 1G@zram", (80, 24));
    let (number, asked) = question(&screen);
    screen.send(Msg::Snapshots(vec![snapshot(MACHINES[0], 1002)]));
    assert_eq!(screen.app.moment().unwrap().now.stamp.boot_ns, 1_002_000_000_000);
    screen.press("x");
    assert!(foot(&mut screen).contains("Esc cancels"), "{}", foot(&mut screen));
    screen.press("Esc");
    assert_eq!(screen.effects.last(), Some(&Effect::StopSimulation));
    assert!(screen.app.overlays.is_empty());
    // The answer to a cancelled question comes too late.
    let mut count = 0;
    let cancelled = asked.ask(None, &mut |_| {
        count += 1;
        false
    });
    assert_eq!((cancelled.as_ref().unwrap_err().as_str(), count), ("cancelled", 1));
    screen.send(Msg::Simulated(number, cancelled.map(Box::new)));
    assert!(screen.app.overlays.is_empty() && foot(&mut screen).is_empty());
}

#[test]
fn actions_on_an_area_ask_the_model() {
    let mut screen = devices(80, 24).keys("a");
    let Some(Overlay::Menu(menu)) = screen.app.overlays.last() else { panic!("no list") };
    let place = menu.items.iter().position(|item| item.name == "what-if: priority...").unwrap();
    screen.press(&"Down ".repeat(place));
    screen.press("Enter");
    assert!(all(&mut screen).contains("priority"), "{}", all(&mut screen));
    screen.press("x Enter");
    assert!(all(&mut screen).contains("priority \"x\" is not valid"), "{}", all(&mut screen));
    screen.press("Backspace 4 2 Enter");
    let (_, asked) = question(&screen);
    assert_eq!(
        asked.request.changes,
        [ModelChange::Priority("/dev/zram0".into(), Priority::Set(42))]
    );
    // What is not valid stays on the line.
    let mut screen = typed("what-if add 1G@tape", (80, 24));
    assert!(all(&mut screen).contains("use SIZE@DEVICE"), "{}", all(&mut screen));
}

#[test]
fn the_page_asks_again_under_another_load_and_growth() {
    let mut screen = typed("what-if priority zram0 7", (80, 24));
    answer(&mut screen);
    assert!(all(&mut screen).contains("l load   r growth"), "{}", all(&mut screen));
    screen.press("l");
    let text = all(&mut screen);
    assert!(text.contains("fill (processes") && text.contains("usemem"), "{text}");
    screen.press("u s e m e m Enter");
    let (_, asked) = question(&screen);
    let changes = [ModelChange::Priority("/dev/zram0".into(), Priority::Set(7))];
    assert_eq!(asked.request.changes, changes);
    assert_eq!(asked.request.title(), "What if: priority 7 for zram0, under usemem");
    answer(&mut screen);
    screen.press("r x Enter");
    let text = all(&mut screen);
    assert!(text.contains("\"x\": use a size per second") && !text.contains("--rate"), "{text}");
    screen.press("Backspace 1 0 M Enter");
    answer(&mut screen);
    let text = all(&mut screen);
    assert!(text.contains("priority 7 for zram0, under usemem, growth 10M/s"), "{text}");
    screen.press("y");
    let command = "swapadm what-if --priority /dev/zram0=7 --load usemem --rate 10M".to_owned();
    assert!(screen.effects.contains(&Effect::Copy(command)), "{:?}", screen.effects.last());
    let Some(Overlay::Page(page)) = screen.app.overlays.last() else { panic!("no page is open") };
    let load = page.lines.iter().find(|line| line.name == "load");
    assert_eq!(load.map(|line| line.text.as_str()), Some("usemem"));
    // The first answer is behind the other two.
    screen.press("Esc Esc y");
    let command = "swapadm what-if --priority /dev/zram0=7".to_owned();
    assert_eq!(screen.effects.last(), Some(&Effect::Copy(command)));
}

#[test]
fn an_unknown_load_keeps_the_answer_before() {
    let mut screen = typed("what-if", (80, 24));
    answer(&mut screen);
    screen.press("l u s e m e n Enter");
    answer(&mut screen);
    assert!(foot(&mut screen).contains("unknown workload \"usemen\""), "{}", foot(&mut screen));
    assert!(page(&screen).contains("Now (model"), "{}", page(&screen));
}

#[test]
fn traffic_as_now_is_that_between_the_samples_on_screen() {
    let mut screen = devices(80, 24);
    screen.press(":");
    screen.send(Msg::Paste("what-if like-now".to_owned()));
    screen.press("Enter");
    let (number, asked) = question(&screen);
    assert_eq!(asked.request.load, LoadChoice::LikeNow);
    assert_eq!(asked.request.command().as_deref(), Some("swapadm what-if --like-now"));
    let single = WhatIfQuestion { before: None, ..asked.clone() };
    let why = single.ask(None, &mut |_| true).unwrap_err();
    assert!(why.starts_with("--like-now: no swap traffic: "), "{why}");
    let vmstat = |sample: &Snapshot, pages| {
        let counters = [("pswpin", 0), ("pswpout", pages)].map(|(name, it)| (name.into(), it));
        let counters = Counters::new("/proc/vmstat", counters.into());
        Sampled::new(sample.vmstat.at, Reading::Known(counters))
    };
    let (mut now, mut before) = (asked.now.clone(), asked.before.clone().unwrap());
    (now.vmstat, before.vmstat) = (vmstat(&now, 51_200), vmstat(&before, 0));
    let busy = WhatIfQuestion { now, before: Some(before), ..asked };
    let answer = busy.ask(None, &mut |_| true).map(Box::new);
    screen.send(Msg::Simulated(number, answer));
    let page = page(&screen);
    assert!(page.contains("Traffic is as measured: 200M/s out and 0B/s in"), "{page}");
}

#[test]
fn a_paused_screen_says_what_it_lacks_and_takes_no_new_sample() {
    let mut screen = typed("what-if", (200, 40));
    assert!(question(&screen).1.needs_sample);
    screen.press("Esc Z");
    screen.press(":");
    screen.send(Msg::Paste("what-if".to_owned()));
    screen.press("Enter");
    let (number, mut asked) = question(&screen);
    assert!(!asked.needs_sample, "the question is about the sample on screen");
    asked.now.meminfo = Sampled::none();
    let answer = asked.ask(None, &mut |_| true).map(Box::new);
    screen.send(Msg::Simulated(number, answer));
    let text = all(&mut screen);
    assert!(text.contains("no model of this machine: MemTotal is missing"), "{text}");
    assert!(text.contains("The screen is paused: to ask with a new sample, resume it"), "{text}");
}

/// Each area has a chart with its size, and the axis has the end, on small terminals and without Unicode. With more
/// rows, charts have a scale at their side.
#[test]
fn an_answer_has_a_chart_of_each_area() {
    for (size, is_tall) in [((120, 40), true), ((80, 24), false), ((60, 16), false)] {
        for (tier, side, full) in [(GlyphTier::Full, '│', '⣿'), (GlyphTier::Ascii, '|', '%')] {
            let screen = Screen::machines(&["6.18-idle"], size.0, size.1);
            let mut screen = screen.look(tier, Palette::Mono).keys(":");
            screen.send(Msg::Paste("what-if".to_owned()));
            screen.press("Enter");
            answer(&mut screen);
            let Some(Overlay::Page(page)) = screen.app.overlays.last() else { panic!("no page") };
            let lines = page.lines.iter().filter(|line| line.role == Role::Disk);
            let chart: Vec<&str> = lines.map(|line| &*line.text).collect();
            let areas = chart.iter().filter(|line| line.starts_with("zram"));
            let is_right = |line: &&str| {
                let in_one_line = line.ends_with(" 0-4M") && line.contains(full);
                if is_tall { line.contains(&format!("4M{side}")) } else { in_one_line }
            };
            assert!(areas.clone().all(is_right) && areas.count() == 4, "{size:?} {chart:#?}");
            let is_axis = |line: &&str| line.trim().starts_with("now") && line.ends_with("full");
            assert!(chart.iter().any(is_axis), "{size:?} {chart:#?}");
            let room = usize::from(size.0 - if size.0 < 70 { 4 } else { 10 });
            assert!(chart.iter().all(|line| line.chars().count() <= room), "{size:?} {chart:#?}");
        }
    }
}

#[test]
fn the_dialog_of_a_change_asks_about_its_plan() {
    for size in [(80, 24), (120, 40)] {
        let mut screen = with_plan("");
        screen.send(Msg::Resize(ratatui::layout::Size::new(size.0, size.1)));
        assert!(all(&mut screen).contains("w what-if"), "{}", all(&mut screen));
        screen.press("w");
        answer(&mut screen);
        let text = words(&page(&screen));
        let changed = text.split_once("Changed (model").expect(&text).1;
        let changed = changed.split_once('.').expect(&text).1;
        assert!(
            !changed.split_once("The time until swap is full").expect(&text).0.contains("nvme0n1"),
            "{text}"
        );
        screen.press("Esc");
        assert!(
            matches!(screen.app.overlays.last(), Some(Overlay::Confirm(_))),
            "the plan is kept"
        );
    }
}

#[test]
fn a_recording_can_be_asked_about() {
    let snapshots = (1000..).zip(MACHINES).map(|(at, it)| snapshot(it, at)).collect();
    let mut screen = Screen::recording("swap.rec", snapshots, 80, 24).keys("2 a");
    let Some(Overlay::Menu(menu)) = screen.app.overlays.last() else { panic!("no list") };
    let available = menu.items.iter().filter(|item| item.off.is_none());
    let names: Vec<&str> = available.map(|item| item.name.as_str()).collect();
    assert!(names.iter().all(|name| name.starts_with("what-if: ")), "{names:?}");
    assert_eq!(names.len(), 7);
    let place = menu.items.iter().position(|item| item.name == names[1]).unwrap();
    let keys = format!("Home {}Enter", "Down ".repeat(place));
    screen.press(&keys);
    assert!(!question(&screen).1.needs_sample, "the sample on screen is all there is");
    answer(&mut screen);
    assert!(page(&screen).contains("model of kernel 6.18"), "{}", page(&screen));
}
