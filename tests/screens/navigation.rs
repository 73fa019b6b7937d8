//! Navigation aids: titles, footers, hints, help, menus.

use crate::common::sampled;
use crate::common::screen::{Screen, snapshot, styles, text};
use crate::figures::one_shot;
use crate::{MACHINES, SIZES};
use ratatui::crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use swapadm::model::Snapshot;
use swapadm::sim::describe::builtin_machine;
use swapadm::sim::machine::MachineSetup;
use swapadm::sim::machine::RunningMachine;
use swapadm::ui::app::SourceKind;
use swapadm::ui::msg::{Effect, Msg};
use swapadm::ui::overlay::Overlay;
use swapadm::ui::screens::SCREENS;

/// The state of the machine has one word on all screens, even with a single sample.
#[test]
fn every_screen_shows_the_same_state_word() {
    let words = ["idle", "swapping", "under pressure", "thrashing", "no swap"];
    let word = |line: &str| words.iter().find(|word| line.contains(**word)).copied();
    let mut seen = vec![];
    for machines in [["6.18-mixed-idle", "6.18-mixed-loaded"], ["6.1-noswap", "6.18-mixed-idle"]] {
        let snapshots: Vec<Snapshot> =
            (1000..).zip(machines).map(|(second, machine)| snapshot(machine, second)).collect();
        for keys in ["", "Z ("] {
            let mut replayed = Screen::recording("a.rec", snapshots.clone(), 80, 24).keys(keys);
            let short = replayed.text();
            let answer = usize::from(replayed.app.layout.answer.y);
            for screen in SCREENS {
                replayed.press(&screen.number.to_string());
                let head = replayed.text()[0].clone();
                assert_eq!(word(&head), word(&short[answer]), "{machines:?} {keys}: {head}");
            }
            seen.push(word(&short[answer]));
        }
    }
    assert!(seen.contains(&None) && seen.contains(&Some("no swap")), "{seen:?}");
}

/// The keys of screens work where nothing is typed, as a click on their names does.
#[test]
fn pages_and_charts_lead_on_to_the_screens() {
    for (keys, leads) in [
        ("2 Enter", true),
        ("2 e", true),
        ("2 Right Enter", true),
        ("2 Right Enter e", true),
        ("1 ?", true),
        ("2 /", false),
        ("2 a Down Enter", false),
        ("1 :", false),
    ] {
        let mut screen = Screen::machines(&MACHINES, 80, 24).keys(keys);
        let open = screen.app.overlays.len();
        assert!(open > 0, "{keys}");
        screen.press("5");
        let wanted = if leads { ("paging", 0) } else { (screen.app.shown().id, open) };
        assert_eq!((screen.app.shown().id, screen.app.overlays.len()), wanted, "{keys}");
    }
}

/// The time of a screen, and how to resume, are shown at every size.
#[test]
fn the_title_line_shows_the_time_and_how_to_resume() {
    let snapshots: Vec<Snapshot> = (1000..)
        .zip(MACHINES.iter().cycle().take(12))
        .map(|(second, machine)| snapshot(machine, second))
        .collect();
    // Still being read, playing, paused, and at its end.
    let wanted = [
        (
            "",
            [
                "REPLAY  2 of 12  every 1s",
                "REPLAY  2 of 12  !! at cgroup limit",
                "REPLAY  2 of 12  !! at cgroup limit",
            ],
        ),
        ("Z", ["REPLAY PAUSED  2 of 12", "REPLAY PAUSED  2 of 12", "REPLAY PAUSED"]),
        ("F", ["REPLAY END  12 of 12", "REPLAY END  12 of 12", "REPLAY END"]),
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
        let foot = screen.text()[usize::from(height) - 1].clone();
        assert!(foot.starts_with(" Z play  "), "{width}: {foot}");
    }
    let mut screen = Screen::from_source(SourceKind::Recording, "swap.rec", 80, 24);
    screen.send(Msg::Snapshots(snapshots.clone()));
    assert!(screen.text()[0].contains("REPLAY  2 of 12+  every 1s"), "{:?}", screen.text()[0]);
    for (width, height, words) in [
        (80, 24, "PAUSED  10s behind"),
        (60, 16, "PAUSED  10s behind  !! at cgroup limit"),
        (40, 10, "PAUSED"),
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

#[test]
fn a_simulated_machine_runs_marked_and_can_be_changed() {
    let setup = builtin_machine("laptop").unwrap().unwrap();
    let mut machine = RunningMachine::new(MachineSetup { load: None, ..setup }, None).unwrap();
    for (width, height) in [(80, 24), (120, 40)] {
        let mut screen = Screen::from_source(SourceKind::Simulated, "laptop", width, height);
        for _ in 0..3 {
            screen.send(Msg::Snapshots(vec![machine.next_sample()]));
        }
        let head = screen.text()[0].clone();
        assert!(head.contains("SIMULATED laptop") && head.contains("every 1s"), "{head}");
        assert!(!head.contains("old"), "its time is not that of this machine: {head}");
        screen.press("Z");
        assert!(screen.text()[0].contains("PAUSED"), "{}", screen.text()[0]);
        screen.press("Z W");
        let question = screen.text().join(" ");
        assert!(question.contains("Enable write mode?"), "{question}");
        screen.press("Esc 2");
        assert!(screen.text().join(" ").contains("/swapfile"));
    }
    for (width, height) in [(40, 10), (60, 16), (120, 40)] {
        let mut screen = Screen::from_source(SourceKind::Simulated, "laptop", width, height);
        screen.send(Msg::Snapshots(vec![machine.next_sample()]));
        for key in ["1", "2", "8"] {
            screen.press(key);
            let text = screen.text().join(" ");
            assert!(text.contains("SIMULATED") && !text.contains("btf"), "{text}");
            assert!(!text.contains("from kernel"), "{text}");
        }
    }
}

/// The command in an explanation reads the shown data.
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
    let mut captured = Screen::from_source(SourceKind::Captured, "/tmp/machine", 80, 24);
    captured.send(Msg::Snapshots(snapshots));
    let wanted = "swapadm --sysroot /tmp/machine report devices -o name,kind";
    assert_eq!(command(captured, "2 h"), wanted);
}

/// The last row of a page can be reached, and one key goes back from there.
#[test]
fn a_page_can_be_read_to_its_end() {
    for (width, height) in SIZES {
        let mut screen = Screen::machines(&MACHINES, width, height).keys("? G");
        let end = screen.text();
        let last = end.iter().any(|line| line.contains("CPU time"));
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

/// A new user finds help, the other panes and the other screens on every terminal that shows a pane.
#[test]
fn help_and_palette_keys_are_always_visible() {
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
                let named = foot.contains("1-9 screens") || text[1].contains(&screens);
                assert!(named || width < 40, "{}", text.join("\n"));
                screen.press("Tab");
            }
        }
    }
}

/// A disabled command says where it works, in one message and once in the help.
#[test]
fn a_command_without_a_table_says_where_tables_are() {
    for (key, words) in
        [("s", "this screen has no table: 2 shows"), ("o", "has no table"), ("t", "has no table")]
    {
        let mut screen = Screen::machines(&MACHINES, 80, 24).keys("1").keys(key);
        assert!(foot(&mut screen).contains(words), "{key}: {}", foot(&mut screen));
    }
    let mut screen = Screen::machines(&MACHINES, 80, 24).keys("2 Tab s");
    assert_eq!(foot(&mut screen), " this pane has no table: Tab to one that has");
    let mut screen = Screen::machines(&MACHINES, 80, 24).keys("2 t");
    assert!(foot(&mut screen).contains("processes do, on screen 6"));
    let mut screen = Screen::machines(&MACHINES, 110, 200).keys("1 ?");
    let reasons =
        screen.text().into_iter().filter(|line| line.contains("this screen has no table"));
    let reasons: Vec<String> = reasons.collect();
    assert_eq!(reasons.len(), 1, "{reasons:#?}");
    assert!(reasons[0].contains("Unavailable  ") && reasons[0].contains(" / s t "), "{reasons:?}");
}

/// Input after a `/` is a word, even where nothing can be filtered: its letters are no keys.
#[test]
fn letters_after_an_invalid_filter_are_no_keys() {
    let mut screen = Screen::machines(&MACHINES, 80, 24).keys("1 / r a n d");
    let page = screen.text().join(" ");
    assert!(page.contains("this screen has no table") && page.contains("filter rand"), "{page}");
    screen.press("Enter");
    assert!(screen.app.overlays.is_empty() && foot(&mut screen).starts_with(" ? help"));
    screen.press("/ q Esc");
    assert!(screen.app.overlays.is_empty() && !screen.effects.contains(&Effect::Quit));
}

#[test]
fn an_unused_key_gives_a_quiet_hint() {
    let mut screen = Screen::machines(&MACHINES, 80, 24).keys("x");
    assert_eq!(foot(&mut screen), " x does nothing here: ? lists the keys");
    screen.press("X");
    assert_eq!(foot(&mut screen), " X does nothing here: ? lists the keys");
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
    for word in ["read-only, RO ", "REC ", "PAUSED ", "live 1s ", "REPLAY ", "~ 12s old "] {
        assert!(text.contains(&format!("│ {word}")), "{word}: {text}");
    }
    for word in ["idle: ", "swapping out: ", "under pressure: ", "thrashing: ", "no swap: "] {
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

/// An invalid filter is reported with the reason and valid forms; its end stays visible.
#[test]
fn a_filter_says_why_it_is_not_applied() {
    for (width, height) in [(80, 24), (60, 16), (40, 10)] {
        let mut screen = Screen::machines(&MACHINES, width, height).keys("6 / s w a p >");
        let text = screen.text().join(" ");
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            words.contains("Not applied: filter: a column or value is missing at the end."),
            "{text}"
        );
        assert!(text.contains("Example: swap>100M & "), "{text}");
        let example = text.split_once("Example: ").unwrap().1.split("  ").next().unwrap();
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
    assert!(text.contains("copied \"/dev/zram0\" if your terminal"), "{text}");
    screen.press("Esc e y");
    let text = screen.text()[20..].join(" ");
    assert!(text.contains("copied \"swapadm report devices -o name\" if your"), "{text}");
}

#[test]
fn a_setting_cycles_in_both_directions() {
    let mut screen = Screen::machines(&MACHINES, 80, 24).keys("F2 j j");
    let chosen = |screen: &mut Screen| {
        let text = screen.text();
        let line = text.iter().find(|line| line.contains("> color")).unwrap();
        let (_, rest) = line.split_once("> color").unwrap();
        rest.split_whitespace().next().unwrap().to_owned()
    };
    assert_eq!(chosen(&mut screen), "auto");
    for (key, word) in [("Right", "always"), ("Left", "auto"), ("Left", "never"), ("Right", "auto")]
    {
        screen.press(key);
        assert_eq!(chosen(&mut screen), word, "{key}");
    }
    let text = screen.text().join("\n");
    assert!(text.contains("Number of colors: auto, always"), "{text}");
    screen.press("k Left");
    assert!(foot(&mut screen).contains("press Enter to type"), "{}", foot(&mut screen));
}

/// The number of marked rows is visible with a filter and in little space.
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

/// The explanation of a kernel setting describes that setting.
#[test]
fn a_knob_is_explained_by_its_own_words() {
    let mut screen = Screen::machines(&MACHINES, 110, 40).keys("5 Tab Tab e");
    let row = screen.app.sheet().unwrap().row_name.clone().unwrap();
    let view = screen.app.moment().unwrap().view();
    let wanted = one_shot(&view, "knobs", &row, "description").remove(0);
    let text = screen.text().join(" ");
    let start: String = wanted.chars().take(40).collect();
    assert!(text.contains("│ This row") && text.contains(&start), "{wanted}: {text}");
}

/// A filter stays with the pane in which it is typed.
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

/// A mark is complete in the gap after its figure, and never on the frame.
#[test]
fn markers_are_next_to_their_figures() {
    let mut screen = Screen::machines(&MACHINES, 80, 24);
    screen.app.settings.policy.use_warn = 0.0;
    screen.app.settings.policy.use_crit = 0.0;
    screen.app.settings.policy.memory_low = f64::INFINITY;
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

/// A key that does something is named in the help, or by the dialog in which it works.
#[test]
fn every_key_that_works_is_named() {
    let starts =
        ["", "2", "2 Tab", "3", "4", "5", "6", "7", "8", "e", "?", "2 a", "2 d", "F2", "W", "Z"];
    for (number, start) in starts.into_iter().enumerate() {
        let fresh = || Screen::machines(&MACHINES, 110, 60).keys(start);
        let shown = fresh().text().join("\n");
        let mut help = fresh();
        help.app.overlays.clear();
        help.press("?");
        let Some(Overlay::Page(page)) = help.app.overlays.last() else { panic!("no help") };
        let named: Vec<&str> = page.lines.iter().flat_map(|line| line.name.split(' ')).collect();
        let mut screen = fresh();
        for c in sampled(('!'..='~').collect(), 3, number) {
            let key = c.to_string();
            screen.press(&key);
            let says =
                screen.app.notice.as_ref().is_some_and(|it| it.text.contains("does nothing"));
            // A key that does nothing leaves the screen as it was, for the next key.
            if !says {
                screen = fresh();
            }
            let is_named = named.contains(&key.as_str()) || shown.contains(&format!("{key} "));
            assert!(says || is_named, "{start}: {key} works, and nothing names it");
        }
    }
}

/// The help begins with what the pane shows and with keys that work, not with what does nothing.
#[test]
fn the_help_does_not_begin_with_what_is_unavailable() {
    for start in ["1", "2", "7", "8"] {
        let text = Screen::machines(&MACHINES, 80, 24).keys(start).keys("?").text().join("\n");
        assert!(!text.contains("Unavailable"), "{start}: {text}");
        let end = Screen::machines(&MACHINES, 80, 24).keys(start).keys("? G").text().join("\n");
        assert!(end.contains("Unavailable") || start == "2", "{start}: {end}");
    }
    let paused = foot_of("Z");
    assert!(paused.contains("( back") && paused.contains("Z go live"), "{paused}");
    let tables = foot_of("6");
    assert!(tables.contains("] table"), "{tables}");
}

fn foot_of(keys: &str) -> String {
    foot(&mut Screen::machines(&MACHINES, 80, 24).keys(keys))
}
