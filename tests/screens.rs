//! Every screen, drawn without a terminal: what it shows, in which style, at every size and after
//! any keys.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    reason = "the helpers of a test stop it where they meet something unknown"
)]

mod common;

use common::screen::{Screen, key, snapshot, styles, text};
use common::{expect_file, repository};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Rect, Size};
use std::fmt::Write as _;
use swapadm::columns::{Query, Request, Style, tables};
use swapadm::derive::View;
use swapadm::model::{Bytes, Reading, Snapshot, Stamp};
use swapadm::report::{self, status};
use swapadm::sampler::recording::{Reader, Writer};
use swapadm::ui::app::{Kind, Time};
use swapadm::ui::command::COMMANDS;
use swapadm::ui::content::{Origin, Piece, What};
use swapadm::ui::glyphs::Tier;
use swapadm::ui::hit::Target;
use swapadm::ui::msg::{Effect, Msg};
use swapadm::ui::screens::SCREENS;
use swapadm::ui::theme::Palette;

/// The sizes of the reference, each in a class of its own.
const SIZES: [(u16, u16); 4] = [(80, 24), (120, 40), (60, 16), (40, 10)];
/// Each tier of signs with another palette, so that all of both are seen.
const LOOKS: [(Tier, Palette); 4] = [
    (Tier::Full, Palette::Many),
    (Tier::Blocks, Palette::True),
    (Tier::Vt, Palette::Sixteen),
    (Tier::Ascii, Palette::Mono),
];
/// One machine before and under load.
const MACHINES: [&str; 2] = ["6.18-mixed-idle", "6.18-mixed-loaded"];

/// The text of a screen, and the styles of its cells.
fn page(screen: &mut Screen, title: &str) -> String {
    let buffer = screen.draw();
    format!(
        "== {title}\n{}\n-- styles\n{}\n\n",
        text(&buffer).join("\n"),
        styles(&buffer).join("\n")
    )
}

fn in_all_looks(name: &str, keys: &str) -> String {
    let mut pages = String::new();
    for (width, height) in SIZES {
        for (tier, palette) in LOOKS {
            let mut screen =
                Screen::machines(&MACHINES, width, height).look(tier, palette).keys(keys);
            let title = format!("{name} {width}x{height} {tier:?} {palette:?}");
            pages += &page(&mut screen, &title);
        }
    }
    pages
}

#[test]
fn every_screen_looks_as_it_did() {
    for screen in SCREENS {
        let pages = in_all_looks(screen.id, &screen.number.to_string());
        let file = repository("tests/screens").join(format!("{}.txt", screen.id));
        expect_file(&file, &pages, "UPDATE_GOLDEN");
    }
}

#[test]
fn what_lies_above_the_screens_looks_as_it_did() {
    let cases = [
        ("help", "2 ?"),
        ("legend", "2 ? ?"),
        ("explain", "2 l l l l e"),
        ("describe", "2 d"),
        ("palette", ": s o r t"),
        ("columns", "2 o"),
        ("sort", "6 s"),
        ("settings", "F2"),
        ("filter", "6 / s w a p > 1 0 0 M"),
        ("bad filter", "6 / s w a p >"),
    ];
    let mut pages = String::new();
    for (name, keys) in cases {
        for (width, height) in [(80, 24), (40, 10)] {
            let mut screen = Screen::machines(&MACHINES, width, height).keys(keys);
            pages += &page(&mut screen, &format!("{name} {width}x{height}"));
        }
    }
    expect_file(&repository("tests/screens/above.txt"), &pages, "UPDATE_GOLDEN");
}

/// A machine that was recorded looks as it did.
#[test]
fn a_recording_shows_what_the_machine_showed() {
    let snapshots: Vec<Snapshot> =
        (1000..).zip(MACHINES).map(|(second, machine)| snapshot(machine, second)).collect();
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes).unwrap();
    for snapshot in &snapshots {
        writer.add(snapshot).unwrap();
    }
    let read: Vec<Snapshot> = Reader::new(bytes.as_slice()).unwrap().collect();
    for screen in SCREENS {
        let keys = screen.number.to_string();
        let mut live = Screen::machines(&MACHINES, 80, 24).keys(&keys);
        let mut replayed = Screen::recording("swap.rec", read.clone(), 80, 24).keys(&keys);
        // The first line says what is looked at, and which moment.
        assert_eq!(live.text()[1..], replayed.text()[1..], "{}", screen.id);
        assert!(replayed.text()[0].contains("REPLAY  2 of 2  every 1s"), "{}", screen.id);
    }
}

/// How the machine does is one question with one answer, also where one sample is all there is.
#[test]
fn every_screen_has_the_same_word_for_how_it_is() {
    let words = ["no swap", "quiet", "working", "under pressure", "thrashing"];
    let word = |line: &str| words.iter().find(|word| line.contains(**word)).copied();
    let mut seen = vec![];
    for machines in [["6.18-mixed-idle", "6.18-mixed-loaded"], ["6.1-noswap", "6.18-mixed-idle"]] {
        let snapshots: Vec<Snapshot> =
            (1000..).zip(machines).map(|(second, machine)| snapshot(machine, second)).collect();
        for keys in ["", "Z ("] {
            let mut replayed = Screen::recording("a.rec", snapshots.clone(), 80, 24).keys(keys);
            let short = replayed.text();
            let title = short.iter().position(|line| line.contains("─ In short ─")).unwrap();
            for screen in SCREENS {
                replayed.press(&screen.number.to_string());
                let head = replayed.text()[0].clone();
                assert_eq!(word(&head), word(&short[title + 1]), "{machines:?} {keys}: {head}");
            }
            seen.push(word(&short[title + 1]));
        }
    }
    assert!(seen.contains(&None) && seen.contains(&Some("no swap")), "{seen:?}");
}

/// Which moment a screen shows, and how to go on from there, is said at every size.
#[test]
fn the_first_line_says_which_moment_is_shown_and_how_to_go_on() {
    let snapshots: Vec<Snapshot> = (1000..)
        .zip(MACHINES.iter().cycle().take(12))
        .map(|(second, machine)| snapshot(machine, second))
        .collect();
    // Still being read, played, held, and at its end.
    let wanted = [
        (
            "",
            [
                "REPLAY  2 of 12  every 1s",
                "REPLAY  2 of 12  every 1s",
                "REPLAY  2 of 12  !! thrashing",
            ],
        ),
        (
            "Z",
            [
                "REPLAY HELD  2 of 12  Z plays",
                "REPLAY HELD  2 of 12  Z plays",
                "REPLAY HELD  2 of 12",
            ],
        ),
        (
            "F",
            [
                "REPLAY END  12 of 12  B goes",
                "REPLAY END  12 of 12  B goes",
                "REPLAY END  12 of 12",
            ],
        ),
    ];
    for (place, (width, height)) in [(80, 24), (60, 16), (40, 10)].into_iter().enumerate() {
        let mut screen = Screen::recording("swap.rec", snapshots.clone(), width, height);
        for (keys, words) in &wanted {
            screen.press(keys);
            let text = screen.text();
            assert!(text[0].contains(words[place]), "{width}x{height} {keys}: {}", text[0]);
        }
        screen.press("Z ( ( ?");
        screen.press("Esc");
        assert!(screen.text()[usize::from(height) - 1].starts_with(" Z play  "), "{width}");
    }
    let mut screen = Screen::of(Kind::Recording, "swap.rec", 80, 24);
    screen.send(Msg::Snapshots(snapshots.clone()));
    assert!(screen.text()[0].contains("REPLAY  2 of 12+  every 1s"), "{:?}", screen.text()[0]);
    for (width, height, words) in [
        (80, 24, "HELD  10s behind  Z goes live  RO"),
        (60, 16, "HELD  10s behind  Z goes live  !! thrashing"),
        (40, 10, "HELD  10s behind  !! thrashing"),
    ] {
        let mut screen = Screen::new(width, height);
        screen.send(Msg::Snapshots(snapshots[..2].to_vec()));
        screen.press("Z");
        screen.send(Msg::Snapshots(snapshots[2..].to_vec()));
        let text = screen.text();
        assert!(text[0].contains(words), "{width}x{height}: {}", text[0]);
        assert!(text[usize::from(height) - 1].starts_with(" Z go live  "), "{text:#?}");
    }
}

/// The command that an explanation names reads what is on screen.
#[test]
fn an_explanation_names_the_source_and_the_moment() {
    let snapshots: Vec<Snapshot> =
        (1000..).zip(MACHINES).map(|(second, machine)| snapshot(machine, second)).collect();
    let command = |screen: Screen, keys: &str| {
        let mut screen = screen.keys(keys);
        screen.effects.clear();
        screen.press("e y");
        match &screen.effects[..] {
            [Effect::Copy(text)] => text.clone(),
            other => panic!("{other:?}"),
        }
    };
    let live = Screen::machines(&MACHINES, 80, 24);
    assert_eq!(command(live, "2 h"), "swapadm report devices -o name,kind");
    let live = Screen::machines(&MACHINES, 80, 24);
    assert!(command(live, "6 l l").starts_with("swapadm report processes --all -o pid,"));
    let replayed = Screen::recording("my swap.rec", snapshots.clone(), 80, 24);
    let wanted =
        "swapadm --recording 'my swap.rec' --at 2026-09-21T14:30:01 report devices -o name,kind";
    assert_eq!(command(replayed, "2 h"), wanted);
    let mut captured = Screen::of(Kind::Captured, "/tmp/machine", 80, 24);
    captured.send(Msg::Snapshots(snapshots));
    let wanted = "swapadm --sysroot /tmp/machine report devices -o name,kind";
    assert_eq!(command(captured, "2 h"), wanted);
}

/// The last row of a page can be reached, and from there one goes back at once.
#[test]
fn a_page_can_be_read_to_its_end() {
    for (width, height) in SIZES {
        let mut screen = Screen::machines(&MACHINES, width, height).keys("? G");
        let end = screen.text();
        let last = end.iter().any(|line| line.contains("processor"));
        assert!(last, "{width}x{height}: {end:#?}");
        screen.press("Up");
        assert_ne!(end, screen.text(), "{width}x{height}");
        screen.press("Down");
        assert_eq!(end, screen.text(), "{width}x{height}");
    }
}

/// The last line of a screen.
fn foot(screen: &mut Screen) -> String {
    screen.text().last().unwrap().clone()
}

/// Whoever never saw the program finds the help, the other panes and the other screens, on every
/// terminal that shows a pane, whatever it shows.
#[test]
fn the_way_to_everything_else_is_always_in_sight() {
    for (width, height) in [(30, 6), (40, 10), (59, 15), (60, 16)] {
        for shown in SCREENS {
            let mut screen = Screen::machines(&MACHINES, width, height);
            screen.press(&shown.number.to_string());
            let panes = shown.panes.len();
            for pane in 1..=panes {
                let text = screen.text();
                let way = [format!("{pane} of {panes}: Tab"), format!("{pane}/{panes}: Tab")];
                let title = text.iter().find(|line| way.iter().any(|way| line.contains(way)));
                assert!(title.is_some(), "{width}x{height}\n{}", text.join("\n"));
                let foot = text.last().unwrap();
                assert!(foot.contains("? help") && foot.contains("q quit"), "{foot}");
                let screens = format!("[{} {}]", shown.number, shown.name);
                let named = foot.contains("1-6 screens") || text[1].contains(&screens);
                assert!(named || width < 40, "{}", text.join("\n"));
                screen.press("Tab");
            }
        }
    }
}

/// What is off says where it is on, in one message and once in the help.
#[test]
fn a_command_without_a_table_says_where_tables_are() {
    for (key, words) in
        [("s", "no pane here is a table: 2 has"), ("/", "no pane"), ("t", "no pane")]
    {
        let mut screen = Screen::machines(&MACHINES, 80, 24).keys("1").keys(key);
        assert!(foot(&mut screen).contains(words), "{key}: {}", foot(&mut screen));
    }
    let mut screen = Screen::machines(&MACHINES, 80, 24).keys("2 Tab s");
    assert_eq!(foot(&mut screen), " this pane is no table: Tab to one");
    let mut screen = Screen::machines(&MACHINES, 80, 24).keys("2 t");
    assert!(foot(&mut screen).contains("processes are, on screen 6"));
    let mut screen = Screen::machines(&MACHINES, 110, 200).keys("1 ?");
    let reasons = screen.text().into_iter().filter(|line| line.contains("no pane here is a table"));
    let reasons: Vec<String> = reasons.collect();
    assert_eq!(reasons.len(), 1, "{reasons:#?}");
    assert!(reasons[0].contains("Not now  ") && reasons[0].contains(" / s t "), "{reasons:?}");
}

#[test]
fn a_key_that_means_nothing_says_so_once_and_quietly() {
    let mut screen = Screen::machines(&MACHINES, 80, 24).keys("x");
    assert_eq!(foot(&mut screen), " x does nothing here: ? lists the keys");
    screen.press("X");
    assert_eq!(foot(&mut screen), " x does nothing here: ? lists the keys");
    screen.press("j");
    assert!(foot(&mut screen).starts_with(" ? help"));
    screen.press("? x");
    assert_eq!(foot(&mut screen), " x does nothing here: Esc closes the page");
    screen.press("Esc");
    let noise = ratatui::crossterm::event::KeyEvent::new(
        ratatui::crossterm::event::KeyCode::Char('['),
        KeyModifiers::ALT,
    );
    screen.send(Msg::Key(noise));
    screen.send(Msg::Paste("x".to_owned()));
    assert!(foot(&mut screen).starts_with(" ? help"));
}

#[test]
fn the_legend_explains_the_words_of_the_first_line() {
    let text = Screen::machines(&MACHINES, 110, 60).keys("? ?").text().join("\n");
    for word in ["RO ", "REC ", "HELD ", "live 1s ", "REPLAY ", "~ 12s old "] {
        assert!(text.contains(&format!("│ {word}")), "{word}: {text}");
    }
    for word in ["quiet: ", "working: ", "under pressure: ", "thrashing: ", "no swap: "] {
        assert!(text.contains(&format!("│ {word}")), "{word}: {text}");
    }
}

/// Space is a key in the list of columns until something is typed, and then a character.
#[test]
fn space_shows_and_hides_columns() {
    let mut screen = Screen::machines(&MACHINES, 80, 24).keys("2 o");
    let shown = |screen: &mut Screen| {
        let text = screen.text();
        let on = text.iter().filter(|line| line.contains("[x] ")).count();
        let title = text.iter().find(|line| line.contains(" Columns: ")).unwrap();
        let number = title.split_once("Columns: ").unwrap().1.split(' ').next().unwrap();
        (on, number.parse::<usize>().unwrap(), screen.app.sheet().unwrap().ids().len())
    };
    let (_, number, before) = shown(&mut screen);
    assert_eq!(number, before);
    let (on, ..) = shown(&mut screen);
    screen.press("Space");
    // The mark follows at once.
    assert_eq!(shown(&mut screen), (on - 1, before - 1, before - 1));
    screen.press("Space");
    assert_eq!(screen.app.sheet().unwrap().ids().len(), before);
    screen.press("i n Space");
    assert_eq!(screen.app.sheet().unwrap().ids().len(), before);
    assert!(screen.text().iter().any(|line| line.contains("> in ")));
}

/// A filter that is not understood says that, why, and what would be; its end stays in sight.
#[test]
fn a_filter_says_why_it_is_not_applied() {
    for (width, height) in [(80, 24), (60, 16), (40, 10)] {
        let mut screen = Screen::machines(&MACHINES, width, height).keys("6 / s w a p >");
        let text = screen.text().join(" ");
        assert!(text.contains("Not applied: the filter ends where"), "{text}");
        assert!(text.contains("Such as: swap>100M & "), "{text}");
        let example = text.split_once("Such as: ").unwrap().1.split("  ").next().unwrap();
        let mut other = Screen::machines(&MACHINES, 80, 24).keys("6 /");
        other.send(Msg::Paste(example.trim().to_owned()));
        assert!(!other.text().join(" ").contains("Not applied"), "{example}");
    }
    let mut screen = Screen::machines(&MACHINES, 60, 16).keys("6 /");
    screen.send(Msg::Paste(format!("{}the end", "swap>1K & ".repeat(20))));
    let buffer = screen.draw();
    let last = text(&buffer).last().unwrap().clone();
    assert!(last.ends_with(" & the end"), "{last}");
    let styles = styles(&buffer);
    let cells = styles.get(15).unwrap();
    assert!(cells.chars().count() == 60, "the cursor stands in the last cell: {cells:?}");
}

#[test]
fn a_copy_says_what_and_how() {
    let mut screen = Screen::machines(&MACHINES, 80, 24).keys("2 h h h h h h h h h y");
    let text = screen.text()[21..].join(" ");
    assert!(text.contains("copied \"/dev/zram0\" by OSC 52, if your terminal"), "{text}");
    screen.press("Esc e y");
    let text = screen.text()[20..].join(" ");
    assert!(text.contains("copied \"swapadm report devices -o name\" by OSC 52"), "{text}");
}

#[test]
fn a_setting_is_turned_both_ways() {
    let mut screen = Screen::machines(&MACHINES, 80, 24).keys("F2 j j");
    let chosen = |screen: &mut Screen| {
        let text = screen.text();
        let line = text.iter().find(|line| line.contains("> color")).unwrap();
        let (_, rest) = line.split_once("> color").unwrap();
        rest.split_whitespace().next().unwrap().to_owned()
    };
    assert_eq!(chosen(&mut screen), "auto");
    for (key, word) in [("Right", "true"), ("Left", "auto"), ("Left", "never"), ("Right", "auto")] {
        screen.press(key);
        assert_eq!(chosen(&mut screen), word, "{key}");
    }
    let text = screen.text().join("\n");
    assert!(text.contains("How many colours to use: auto, true"), "{text}");
    screen.press("k Left");
    assert!(foot(&mut screen).contains("Enter lets you type"), "{}", foot(&mut screen));
}

/// Who filters or has little room still sees how many rows are marked.
#[test]
fn the_title_of_a_table_keeps_what_is_marked() {
    for (width, height) in SIZES {
        let mut screen = Screen::machines(&MACHINES, width, height).keys("2 Space Space /");
        screen.send(Msg::Paste("size>0 & name~a | size>100 & name~e | used>0".to_owned()));
        let title = screen.text().into_iter().find(|line| line.contains("marked")).unwrap();
        assert!(title.contains("2 marked") && title.contains(" of "), "{title}");
    }
    let mut screen = Screen::machines(&MACHINES, 80, 24).keys("2 > Space Space");
    let title = screen.text().into_iter().find(|line| line.contains("marked")).unwrap();
    assert!(title.contains("2 marked, SIZE "), "{title}");
}

/// The explanation of a setting of the kernel says what that setting is.
#[test]
fn a_knob_is_explained_by_its_own_words() {
    let mut screen = Screen::machines(&MACHINES, 110, 40).keys("5 e");
    let row = screen.app.sheet().unwrap().row_name.clone().unwrap();
    let view = screen.app.moment().unwrap().view();
    let wanted = one_shot(&view, "knobs", &row, "help").remove(0);
    let text = screen.text().join(" ");
    let start: String = wanted.chars().take(40).collect();
    assert!(text.contains("│ This row") && text.contains(&start), "{wanted}: {text}");
}

/// A filter stays with the pane it is typed for.
#[test]
fn a_click_does_not_turn_to_another_pane_while_a_line_is_typed() {
    let mut screen = Screen::machines(&MACHINES, 80, 24).keys("6 /");
    screen.draw();
    let click = |column, row| {
        let kind = MouseEventKind::Down(MouseButton::Left);
        Msg::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE })
    };
    for row in 0..24 {
        for column in 0..80 {
            screen.send(click(column, row));
        }
    }
    assert_eq!((screen.app.screen, screen.app.state().unwrap().focus), (5, 0));
    assert_eq!(screen.app.overlays.len(), 1);
}

/// A mark stands whole in the gap behind its figure, and never on the frame.
#[test]
fn marks_stand_beside_their_figures() {
    let mut screen = Screen::machines(&MACHINES, 80, 24);
    screen.app.settings.policy.use_warn = 0.0;
    screen.app.settings.policy.use_crit = 0.0;
    screen.press("2");
    let text = screen.text();
    assert!(text.iter().any(|line| line.contains("%!!")), "{text:#?}");
    for (row, line) in text.iter().enumerate().filter(|(_, line)| line.starts_with('│')) {
        assert!(line.ends_with('│'), "{row}: {line}");
    }
}

/// The palette finds settings, and goes to them.
#[test]
fn a_setting_is_found_by_its_name() {
    let mut screen = Screen::machines(&MACHINES, 80, 24).keys(": s e t Space g l y p h s Enter");
    let text = screen.text();
    assert!(text.iter().any(|line| line.contains("> glyphs")), "{text:#?}");
}

/// What the plain tiers promise: nothing that their fonts do not have.
#[test]
fn plain_tiers_hold_only_what_they_promise() {
    for screen in SCREENS {
        for (tier, allowed) in [(Tier::Ascii, ""), (Tier::Vt, "┌┐└┘─│█▓▒░▌▄▲▼")]
        {
            let keys = screen.number.to_string();
            for (width, height) in SIZES {
                let mut drawn = Screen::machines(&MACHINES, width, height)
                    .look(tier, Palette::Mono)
                    .keys(&keys);
                let all = drawn.text().concat();
                let odd = all.chars().find(|c| !c.is_ascii() && !allowed.contains(*c));
                assert_eq!(odd, None, "{} {tier:?} {width}x{height}", screen.id);
            }
        }
    }
}

#[test]
fn no_size_is_too_small_or_too_large() {
    for screen in SCREENS {
        let keys = screen.number.to_string();
        let mut drawn = Screen::machines(&MACHINES, 80, 24).keys(&keys);
        for above in ["", "?", "Esc e", "Esc :", "Esc F2", "Esc /"] {
            drawn.press(above);
            for (width, height) in all_sizes() {
                drawn.send(Msg::Resize(Size::new(width, height)));
                let buffer = drawn.draw();
                let inside = Rect::new(0, 0, width, height);
                for (area, target) in drawn.hits.iter() {
                    let empty = area.width == 0 || area.height == 0;
                    assert!(
                        empty || inside.intersection(*area) == *area,
                        "{target:?} {area} {width}x{height}"
                    );
                }
                assert_eq!(buffer.area, inside);
            }
        }
    }
}

/// Every width with some heights and every height with some widths.
fn all_sizes() -> Vec<(u16, u16)> {
    let widths =
        (1..=200).flat_map(|width| [1, 2, 5, 6, 10, 16, 24, 60].map(|height| (width, height)));
    let heights = (1..=60)
        .flat_map(|height| [1, 3, 29, 30, 40, 60, 79, 80, 120].map(|width| (width, height)));
    widths.chain(heights).collect()
}

/// Random numbers that are the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        // Xorshift: good enough to press keys.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap() % end
    }
}

/// Events of both monkeys; the goal of the project is at least 100,000.
const EVENTS: usize = 120_000;

#[test]
fn a_monkey_finds_no_panic_and_no_state_that_makes_no_sense() {
    monkey(Screen::machines(&MACHINES, 80, 24), 0x5EED_0001);
}

#[test]
fn a_monkey_finds_none_in_a_recording_either() {
    let snapshots = (1000..).zip(MACHINES).map(|(second, machine)| snapshot(machine, second));
    let mut recording = Screen::of(Kind::Recording, "swap.rec", 80, 24);
    recording.send(Msg::Snapshots(snapshots.collect()));
    monkey(recording, 0x5EED_0002);
}

fn monkey(mut screen: Screen, seed: u64) {
    let machines = ["6.18-mixed-idle", "6.18-mixed-loaded", "6.1-noswap", "7.2-numa2-loaded"];
    let states = machines.map(|machine| snapshot(machine, 0));
    let mut dice = Dice(seed);
    let mut second = 2000;
    for event in 0..EVENTS / 2 {
        let (message, words) = monkey_event(&mut dice, &states, &mut second);
        screen.send(message);
        check(&screen, event, &words);
        // Drawing is what a person would see; not each event needs it.
        if event % 8 == 0 {
            screen.draw();
        }
    }
}

fn monkey_event(dice: &mut Dice, states: &[Snapshot], second: &mut u64) -> (Msg, String) {
    match dice.below(100) {
        0..=71 => {
            let keys: Vec<_> = COMMANDS.iter().flat_map(|info| info.keys).collect();
            let pressed = keys[dice.below(keys.len())];
            (
                Msg::Key(ratatui::crossterm::event::KeyEvent::new(pressed.0, pressed.1)),
                pressed.words(),
            )
        }
        72..=79 => {
            let c = char::from(b' ' + u8::try_from(dice.below(95)).unwrap());
            (Msg::Key(key(&c.to_string().replace(' ', "Space"))), c.to_string())
        }
        80..=87 => {
            let kinds = [
                MouseEventKind::Down(MouseButton::Left),
                MouseEventKind::ScrollDown,
                MouseEventKind::ScrollUp,
                MouseEventKind::Moved,
            ];
            let kind = kinds[dice.below(kinds.len())];
            let place = |end: usize, dice: &mut Dice| u16::try_from(dice.below(end)).unwrap();
            let (column, row) = (place(130, dice), place(50, dice));
            (
                Msg::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }),
                format!("{kind:?} {column} {row}"),
            )
        }
        88..=90 => {
            let (width, height) = (dice.below(140), dice.below(50));
            let size =
                Size::new(u16::try_from(width + 1).unwrap(), u16::try_from(height + 1).unwrap());
            (Msg::Resize(size), format!("{size}"))
        }
        91..=95 => {
            *second += 1 + u64::try_from(dice.below(4)).unwrap();
            let mut snapshot = states[dice.below(states.len())].clone();
            restamp(&mut snapshot, *second);
            (Msg::Snapshots(vec![snapshot]), "snapshot".to_owned())
        }
        96 | 97 => (Msg::Tick(at(*second + 5)), "tick".to_owned()),
        98 => (Msg::Paste("swap>1M & \u{1b}[2J\u{202e}user".to_owned()), "paste".to_owned()),
        _ => {
            let messages = [
                Msg::Saved(Err("read-only file system".to_owned())),
                Msg::Written(Ok("/tmp/x.rec".to_owned())),
                Msg::Written(Err("no space left".to_owned())),
                Msg::RecordingBegun(Ok("/tmp/x.rec".to_owned())),
                Msg::RecordingBegun(Err("no space left".to_owned())),
                Msg::RecordingFailed("no space left".to_owned()),
                Msg::Ended(Some("cut off".to_owned())),
            ];
            let place = dice.below(messages.len());
            (messages.into_iter().nth(place).unwrap(), format!("message {place}"))
        }
    }
}

fn at(second: u64) -> Stamp {
    Stamp { boot_ns: second * 1_000_000_000, wall_ms: 1_790_000_000_000 + second * 1000 }
}

/// As if everything had been read at this second.
fn restamp(snapshot: &mut Snapshot, second: u64) {
    let bytes = serde_json::to_string(snapshot).unwrap();
    let old = serde_json::to_string(&snapshot.stamp).unwrap();
    *snapshot =
        serde_json::from_str(&bytes.replace(&old, &serde_json::to_string(&at(second)).unwrap()))
            .unwrap();
}

/// What must hold in every state.
fn check(screen: &Screen, event: usize, words: &str) {
    let app = &screen.app;
    let place = format!("event {event}: {words}");
    let state = app.state().unwrap();
    assert!(state.focus < state.panes.len(), "{place}");
    for pane in &state.panes {
        if let Some(sheet) = pane.sheets.get(pane.sheet) {
            let rows = sheet.rows().map_or(0, |rows| rows.cells.len());
            assert!(sheet.row < rows.max(1), "{place}: row {} of {rows}", sheet.row);
            assert!(sheet.top <= sheet.row, "{place}: top");
            assert!(sheet.column() < sheet.columns.len().max(1), "{place}: column");
        } else {
            assert!(pane.figure < pane.figures().len().max(1), "{place}: figure");
        }
    }
    if let (Time::Held(moment) | Time::Playing { moment, .. }, Some((first, last))) =
        (app.time, app.history.span())
    {
        assert!((first..=last).contains(&moment), "{place}: moment {moment} of {first}-{last}");
    }
    assert!(app.overlays.len() < 8, "{place}: {} things above", app.overlays.len());
    for (area, target) in
        &app.plan.panes.iter().map(|(pane, area)| (*area, Target::Pane(*pane))).collect::<Vec<_>>()
    {
        assert!(
            area.right() <= app.size.width && area.bottom() <= app.size.height,
            "{place}: {target:?}"
        );
    }
}

/// Each figure on each screen is that of the command for the same two snapshots.
#[test]
fn figures_are_those_of_the_commands() {
    for machines in [
        MACHINES,
        ["6.18-zswap-idle", "6.18-zswap-loaded"],
        ["6.1-idle", "6.1-loaded"],
        ["7.2-numa2-idle", "7.2-numa2-loaded"],
    ] {
        let snapshots: Vec<Snapshot> =
            (1000..).zip(machines).map(|(second, machine)| snapshot(machine, second)).collect();
        let view = View { now: &snapshots[1], before: Some(&snapshots[0]) };
        let mut seen = 0;
        for shown in SCREENS {
            let mut screen = Screen::machines(&machines, 160, 60).keys(&shown.number.to_string());
            let buffer = screen.draw();
            for (area, target) in screen.hits.iter() {
                let Some((table, row, column)) = origin(&screen, *target) else { continue };
                let wanted = one_shot(&view, table, &row, column);
                let drawn = drawn(&buffer, *area);
                // A mark or a unit may stand behind it.
                let drawn = drawn.trim().trim_end_matches('!').trim_end_matches("/s");
                let cut = drawn.strip_suffix('…').filter(|start| !start.is_empty());
                let same = |word: &String| {
                    word == drawn
                        || Some(word.as_str()) == drawn.strip_suffix('%')
                        || cut.is_some_and(|start| word.starts_with(start))
                };
                assert!(
                    wanted.iter().any(same),
                    "{} {table}.{column} of {row}: screen {drawn:?}, command {wanted:?}",
                    shown.id
                );
                seen += 1;
            }
        }
        assert!(seen > 150, "{machines:?}: only {seen} figures");
    }
}

fn origin(screen: &Screen, target: Target) -> Option<(&'static str, String, &'static str)> {
    let panes = &screen.app.state()?.panes;
    match target {
        Target::Figure { pane, figure } => {
            let pane = &panes[pane];
            let origin = pane.figures()[figure].origin()?.clone();
            Some((origin.table, origin.row, origin.info.id))
        }
        Target::Cell { pane, row, column } => {
            let sheet = &panes[pane].sheets[panes[pane].sheet];
            let (place, _) = sheet.columns[column];
            Some((sheet.query.spec.name, sheet.name_of(row)?, sheet.rows()?.infos[place].id))
        }
        _ => None,
    }
}

/// What the command prints in this cell; in several where several rows have this name.
fn one_shot(view: &View<'_>, table: &str, row: &str, column: &str) -> Vec<String> {
    let spec = tables::find(table).unwrap();
    let columns = Some(column.to_owned());
    let request = Request { columns, all: true, two: true, ..Request::default() };
    let rows = Query::new(spec, &request).unwrap().rows(view).into_result();
    let Ok(rows) = rows else { return vec!["-".to_owned()] };
    let record = spec.style == Style::Record;
    // A figure without a row would pass with the value of any.
    assert!(record || !row.is_empty(), "{table}.{column} is of no row");
    let named = |place: &usize| record || rows.keys[*place].plain() == row;
    let places = (0..rows.cells.len()).filter(named);
    places.map(|place| rows.text(place, column)).collect()
}

fn drawn(buffer: &Buffer, area: Rect) -> String {
    let mut words = String::new();
    for x in area.left()..area.right() {
        let _ = write!(words, "{}", buffer[(x, area.y)].symbol());
    }
    words
}

/// What the product promises: three keys at most, on any terminal, from the start to the answers.
/// The first screen needs none.
#[test]
fn the_answers_are_at_most_three_keys_away() {
    let earlier = snapshot(MACHINES[0], 1000);
    // A forecast takes some seconds.
    let mut later = snapshot(MACHINES[1], 1030);
    count(&mut later, "swap_ra", 1000);
    count(&mut later, "swap_ra_hit", 900);
    let view = View { now: &later, before: Some(&earlier) };
    let device = with_most(&view, "devices", "name", "growth");
    let process = with_most(&view, "processes", "name", "swap");
    for (width, height) in SIZES {
        let mut screen = Screen::new(width, height);
        for snapshot in [&earlier, &later] {
            screen.send(Msg::Snapshots(vec![snapshot.clone()]));
            screen.send(Msg::Tick(snapshot.stamp));
        }
        let text = screen.text();
        for answer in [format!("{device} by "), "pays: 90%".to_owned(), format!("{process} 257M")] {
            let said = text.iter().any(|line| line.contains(&answer));
            assert!(said, "{width}x{height}: {answer}: {text:#?}");
        }
    }
}

/// Areas that take turns under a load that stays as it is, and one that grows but hardly began, do
/// not fill; one that goes on growing does.
#[test]
fn an_area_fills_if_all_of_its_priority_does_for_some_seconds() {
    const MIB: u64 = 1 << 20;
    // Used of the two areas of 64 MiB at the top, at each second; nothing else is used.
    let said = |used: &[(u64, u64)]| {
        let mut screen = Screen::new(120, 40).keys("2");
        for (second, (first, other)) in (1000..).zip(used) {
            let mut now = snapshot(MACHINES[0], second);
            hold(&mut now, &[*first, *other]);
            screen.send(Msg::Snapshots(vec![now]));
        }
        let line = |screen: &mut Screen| {
            screen.text().into_iter().find(|line| line.contains("fills fastest")).unwrap()
        };
        let devices = line(&mut screen);
        (line(&mut screen.keys("1")), devices)
    };
    let grows = |seconds: u64| -> Vec<(u64, u64)> {
        (0..=seconds).map(|second| (second * MIB, second * MIB / 2)).collect()
    };
    let turns: Vec<(u64, u64)> =
        (0..=30).map(|second| ((20 + second) * MIB, (60 - second) * MIB + second % 7)).collect();
    // The last pages of a full priority come and go.
    let jitters: Vec<(u64, u64)> =
        (0..=30).map(|second| (60 * MIB + second * 40_000, 63 * MIB - second * 30_000)).collect();
    for (used, word) in [
        (grows(9), "not known yet"),
        (turns, "none for now"),
        (jitters, "none for now"),
        (grows(10), "/dev/zram0"),
    ] {
        let (overview, devices) = said(&used);
        assert!(overview.contains(word), "{overview}");
        assert!(devices.contains(word), "{devices}");
    }
}

/// As if the first areas held so much, and the others nothing.
fn hold(snapshot: &mut Snapshot, used: &[u64]) {
    let mut areas = snapshot.swaps.reading.known().unwrap().clone();
    let used = used.iter().copied().chain(std::iter::repeat(0));
    for (area, used) in areas.iter_mut().zip(used) {
        area.used = Reading::Known(Bytes(used));
    }
    snapshot.swaps.reading = Reading::Known(areas).into();
}

/// Bars are of priorities where areas share one, and else of sizes: no row is blank in the middle.
#[test]
fn bars_of_areas_show_what_their_heading_says() {
    for (machines, heading, value) in [
        (MACHINES, "SHARE OF PRIORITY", "50%"),
        (["6.18-idle", "6.18-loaded"], "USE% OF SIZE", "100%"),
    ] {
        let text = Screen::machines(&machines, 75, 24).keys("2 Tab").text();
        let head = text.iter().position(|line| line.contains(heading)).unwrap();
        let row = &text[head + 1];
        assert!(row.contains(&format!("{value} ██████")), "{row}");
    }
}

/// The kernel counts the time of I/O in ticks: what one second shows of it is mostly noise.
#[test]
fn waits_of_an_area_are_those_of_the_last_half_minute() {
    let waits = |seconds: &[u64]| {
        let mut screen = Screen::new(120, 40);
        for second in seconds {
            let machine = MACHINES[usize::from(*second > 1000)];
            screen.send(Msg::Snapshots(vec![snapshot(machine, *second)]));
        }
        let text = screen.keys("2").text();
        text.into_iter().find(|line| line.contains("│ waits")).unwrap()
    };
    let two = waits(&[1000, 1001]);
    assert!(two.contains("write 241us"), "{two}");
    // Nothing was written in the last second.
    assert_eq!(waits(&[1000, 1001, 1002]), two);
    assert!(waits(&[1000, 1001, 1040]).contains("write -"));
}

/// What a kernel cannot show takes no room, unless somebody asks for it by name.
#[test]
fn columns_without_any_value_are_left_out() {
    let heads = |screen: &mut Screen| screen.text()[3].clone();
    let mut screen = Screen::machines(&["6.18-mixed-loaded"], 120, 24).keys("6 ]");
    assert!(heads(&mut screen).contains("SWAPMAX"));
    let mut screen = Screen::machines(&["host-cgroup-v1"], 120, 24).keys("6 ] *");
    assert!(!heads(&mut screen).contains("SWAPMAX"), "{:#?}", screen.text());
    let sheet = &mut screen.app.screens[5].panes[0].sheets[1];
    sheet
        .ask(Request { columns: Some("swap_max,path".to_owned()), all: true, ..Request::default() })
        .unwrap();
    screen.press("Down");
    assert!(heads(&mut screen).contains("SWAPMAX"), "{:#?}", screen.text());
}

/// A machine without swap is told what to do about it.
#[test]
fn without_swap_the_way_to_some_is_said() {
    for (width, height) in SIZES {
        let mut screen = Screen::machines(&["6.1-noswap"], width, height);
        let text = screen.text();
        assert!(
            text.iter().any(|line| line.contains("mkswap PATH, then swapon PATH")),
            "{text:#?}"
        );
    }
    let text = Screen::machines(&MACHINES, 120, 40).text();
    assert!(!text.iter().any(|line| line.contains("mkswap")), "{text:#?}");
    // No pane about areas is simply blank.
    let text = Screen::machines(&["6.1-noswap"], 120, 40).keys("2").text();
    let said = text.iter().filter(|line| line.contains("no swap is active"));
    assert_eq!(said.count(), 2, "{text:#?}");
}

/// Who is short of memory is said where tasks wait for it, and only as far as it could be read.
#[test]
fn the_cause_is_a_group_at_its_limit_or_nothing_is_said() {
    let cause = |machines: &[Snapshot]| {
        let mut screen = Screen::new(80, 24);
        screen.send(Msg::Snapshots(machines.to_vec()));
        screen.send(Msg::Tick(machines.last().unwrap().stamp));
        screen.text().into_iter().find(|line| line.contains("cause"))
    };
    let idle = snapshot(MACHINES[0], 1000);
    let loaded = snapshot(MACHINES[1], 1001);
    let said = cause(&[idle.clone(), loaded.clone()]).unwrap();
    assert!(said.contains("cgroup /hog is at its limit of 64M - RAM is not short"), "{said}");
    let mut unread = loaded;
    unread.cgroups.reading = Reading::failed("unreadable").into();
    assert_eq!(cause(&[idle.clone(), unread]), None);
    assert_eq!(cause(&[idle.clone(), Snapshot { stamp: at(1001), ..idle }]), None);
}

/// The page of `swapadm status` and the first screen say the same of who is short of memory and
/// of reading ahead.
#[test]
fn the_status_page_says_what_the_overview_says() {
    let earlier = snapshot(MACHINES[0], 1000);
    let mut later = snapshot(MACHINES[1], 1001);
    count(&mut later, "swap_ra", 1000);
    count(&mut later, "swap_ra_hit", 100);
    let zram = (snapshot("6.18-idle", 1000), snapshot("6.18-loaded", 1001));
    for ((earlier, later), readahead) in
        [((earlier, later), "wastes"), (zram, "not needed: zram is read page by page")]
    {
        let queries = status::queries().unwrap();
        let view = View { now: &later, before: Some(&earlier) };
        let page = status::Page::new(view, &queries).lines(report::table::Look::default());
        let overview = shown(&[earlier, later], 80, 24, "1");
        for line in [&page, &overview] {
            let said = |words: &str| line.iter().any(|line| line.contains(words));
            assert!(said("cgroup /hog is at its limit of 64M"), "{line:#?}");
            assert!(said(readahead), "{line:#?}");
            assert!(!said("boot 1"), "{line:#?}");
        }
    }
}

/// What a screen shows after these snapshots and keys.
fn shown(snapshots: &[Snapshot], width: u16, height: u16, keys: &str) -> Vec<String> {
    let mut screen = Screen::new(width, height);
    screen.send(Msg::Snapshots(snapshots.to_vec()));
    screen.keys(keys).text()
}

/// The words of a line do not come and go with the digits of its numbers.
#[test]
fn what_moves_is_said_in_the_same_place_however_many_digits_it_has() {
    for (width, height) in SIZES {
        let mut seen = vec![];
        for pages in [1, 300, 260_000] {
            let mut later = snapshot(MACHINES[1], 1001);
            count(&mut later, "pswpin", pages);
            let text = shown(&[snapshot(MACHINES[0], 1000), later], width, height, "1");
            let line = text.iter().find(|line| line.contains("all wait")).unwrap();
            let of = |words: &str| line.find(words);
            seen.push((of("- "), of("in,"), of(" out"), line.contains("hurts")));
        }
        assert!(seen.iter().all(|place| *place == seen[0]), "{width}x{height}: {seen:?}");
    }
    let text = shown(&[snapshot(MACHINES[0], 1000), snapshot(MACHINES[1], 1001)], 80, 24, "1");
    assert!(text.iter().any(|line| line.contains("in,    257M/s out")), "{text:#?}");
}

#[test]
fn one_moment_shows_who_waits_and_says_that_it_shows_no_rates() {
    for (machine, waits) in [(MACHINES[0], "0%"), (MACHINES[1], "16%!")] {
        let text = shown(&[snapshot(machine, 1000)], 120, 40, "1").join("\n");
        assert!(text.contains("one moment: rates cannot be known"), "{text}");
        let said = text.lines().find(|line| line.contains("tasks wait")).unwrap();
        assert!(said.contains(waits), "{said}");
    }
}

#[test]
fn without_swap_nothing_is_judged_of_reading_ahead() {
    let mut later = snapshot("6.1-noswap", 1001);
    for counter in ["swap_ra", "swap_ra_hit"] {
        count(&mut later, counter, 1000);
    }
    let text = shown(&[snapshot("6.1-noswap", 1000), later], 80, 24, "5").join("\n");
    assert!(text.contains("no swap is active"), "{text}");
    assert!(!text.contains("pays"), "{text}");
}

/// Memory that compressed data takes beyond its own size is a loss, and no saving of nothing.
#[test]
fn a_loss_by_compression_is_shown_as_one() {
    let mut snapshot = snapshot(MACHINES[1], 1000);
    let mut devices = snapshot.zram.reading.known().unwrap().clone();
    for device in &mut devices {
        let mut mm = device.mm.known().unwrap().clone();
        mm.mem_used = Bytes(52 << 20);
        device.mm = Reading::Known(mm);
    }
    snapshot.zram.reading = Reading::Known(devices).into();
    let text = shown(&[snapshot], 120, 40, "3").join("\n");
    assert!(text.contains("saves       -1.6M! 0.98 to 1"), "{text}");
}

/// Where a pane draws how something was, it says how it is: the line makes sense without a screen.
#[test]
fn a_figure_stands_beside_its_history() {
    for machines in [MACHINES, ["6.18-zswap-idle", "6.18-zswap-loaded"]] {
        for shown in SCREENS {
            let screen = Screen::machines(&machines, 160, 60).keys(&shown.number.to_string());
            for line in screen.app.state().unwrap().panes.iter().flat_map(|pane| &pane.lines) {
                let draws = |piece: &Piece| matches!(piece.what, What::History(..));
                let bare = line.pieces.iter().any(draws) && line.figures().next().is_none();
                assert!(!bare || line.plain().is_empty(), "{}: {}", shown.id, line.plain());
            }
        }
    }
}

/// The panes of paging have the same figures narrow and wide, each of them once.
#[test]
fn paging_says_nothing_twice() {
    let figures = |width| {
        let screen = Screen::machines(&MACHINES, width, 60).keys("5");
        let panes = screen.app.state().unwrap().panes.iter();
        let panes = panes.filter(|pane| ["readahead", "reclaim"].contains(&pane.info.id));
        let lines: Vec<_> = panes.flat_map(|pane| pane.lines.clone()).collect();
        let pieces = lines.iter().flat_map(swapadm::ui::content::Line::figures);
        let mut figures: Vec<_> =
            pieces.filter_map(|piece| Some(piece.origin()?.info.id)).collect();
        figures.sort_unstable();
        figures
    };
    let mut once = figures(160);
    once.dedup();
    assert_eq!(once, figures(160));
    assert_eq!(once, figures(80));
}

/// How full something was is drawn up to its size, not up to where it happened to be.
#[test]
fn what_is_used_is_drawn_up_to_its_size() {
    for (keys, width, column, top) in
        [("2 j", 120, "used", "size"), ("3", 120, "memory", "disksize"), ("1", 160, "used", "size")]
    {
        let screen = Screen::machines(&MACHINES, width, 50).keys(keys);
        let mut seen = 0;
        for line in screen.app.state().unwrap().panes.iter().flat_map(|pane| &pane.lines) {
            let drawn = line.pieces.iter().find_map(|piece| match &piece.what {
                What::History(_, top) => Some(*top),
                _ => None,
            });
            let used = |origin: &&Origin| origin.info.id == column;
            let Some(origin) = line.figures().filter_map(Piece::origin).find(used) else {
                continue;
            };
            let Some(drawn) = drawn else { continue };
            let view = screen.app.moment().unwrap().view();
            let request = Request { columns: Some(top.to_owned()), ..Request::default() };
            let query = Query::new(tables::find(origin.table).unwrap(), &request).unwrap();
            let rows = query.rows(&view).into_result().unwrap();
            let row = rows.keys.iter().position(|key| key.plain() == origin.row).unwrap();
            assert_eq!(drawn, rows.value(row, top).unwrap().number(), "{keys}: {}", origin.row);
            seen += 1;
        }
        assert!(seen > 0, "{keys}");
    }
}

/// As if a counter of `/proc/vmstat` had gone on by so many.
fn count(snapshot: &mut Snapshot, name: &str, by: u64) {
    let text = serde_json::to_string(snapshot).unwrap();
    let (before, rest) = text.split_once(&format!("[\"{name}\",")).unwrap();
    let (number, after) = rest.split_once(']').unwrap();
    let number = number.parse::<u64>().unwrap() + by;
    *snapshot = serde_json::from_str(&format!("{before}[\"{name}\",{number}]{after}")).unwrap();
}

/// The name in the row with the largest value.
fn with_most(view: &View<'_>, table: &str, name: &str, column: &str) -> String {
    let columns = Some(format!("{name},{column}"));
    let request = Request { columns, two: true, ..Request::default() };
    let query = Query::new(tables::find(table).unwrap(), &request).unwrap();
    let rows = query.rows(view).into_result().unwrap();
    let value = |row: &usize| rows.value(*row, column).and_then(swapadm::columns::Value::number);
    let known = (0..rows.cells.len()).filter(|row| value(row).is_some());
    let most = known.max_by(|a, b| value(a).partial_cmp(&value(b)).unwrap()).unwrap();
    rows.text(most, name)
}

#[test]
#[ignore = "a look at a screen: MACHINES, SIZE, KEYS say which"]
#[expect(clippy::disallowed_methods, reason = "the person says here what to look at")]
fn look() {
    let var =
        |name: &str, default: &str| std::env::var(name).unwrap_or_else(|_| default.to_owned());
    let machines = var("MACHINES", "6.18-idle 6.18-loaded");
    let machines: Vec<&str> = machines.split(' ').collect();
    let size = var("SIZE", "80x24");
    let (width, height) = size.split_once('x').unwrap();
    let (width, height) = (width.parse().unwrap(), height.parse().unwrap());
    let mut screen = Screen::machines(&machines, width, height).keys(&var("KEYS", "1"));
    println!("{}", screen.text().join("\n"));
}
