//! Columns that do not fit, long names, and the row under the cursor.

use crate::MACHINES;
use crate::changes::all;
use crate::common::screen::{Screen, snapshot};
use std::collections::BTreeSet;
use swapadm::columns::export::TableFormat;
use swapadm::model::users::Process;
use swapadm::model::{Bytes, Name, Reading, Snapshot};
use swapadm::ui::content::{Origin, PieceContent};
use swapadm::ui::layout;
use swapadm::ui::msg::{Effect, Msg};
use swapadm::ui::screens::SCREENS;

#[test]
fn every_column_can_be_reached_and_the_hidden_ones_are_counted() {
    for (width, height, keys) in [(80, 24, "2"), (60, 16, "6"), (40, 10, "2")] {
        let mut screen = Screen::machines(&MACHINES, width, height).keys(keys);
        let start = screen.text();
        let sheet = screen.app.sheet().unwrap();
        let (hidden, all_ids) = (sheet.hidden_columns(), sheet.ids());
        assert!(hidden > 0, "{width}x{height} {keys}: this test needs hidden columns");
        if width >= 80 {
            let page = start.join("\n");
            assert!(page.contains(&format!("+{hidden} column")), "{page}");
        }
        let mut seen = BTreeSet::new();
        screen.press("h h h h h h h h h h h h");
        for _ in 0..all_ids.len() + 2 {
            let sheet = screen.app.sheet().unwrap();
            let selected = sheet.origin().unwrap().info;
            seen.insert(selected.id);
            // The name of the row stays, and the selected column is on the screen.
            let key = sheet.query.spec.find(sheet.query.spec.key).unwrap();
            let key = (sheet.query.spec.infos)()[key].head;
            let page = all(&mut screen);
            assert!(page.contains(key) && page.contains(selected.head), "{}: {page}", selected.id);
            screen.press("l");
        }
        let sheet = screen.app.sheet().unwrap();
        assert_eq!(seen.len(), sheet.columns.len() + sheet.hidden_columns(), "{seen:?}");
        for _ in 0..all_ids.len() + 2 {
            screen.press("h");
        }
        screen.press("2 6 2");
        screen.press(keys);
        let heads = |text: &[String]| {
            text.iter()
                .find(|line| {
                    line.contains("NAME") || line.contains("PID") || line.contains("CGROUP")
                })
                .cloned()
        };
        assert_eq!(heads(&screen.text()), heads(&start), "{width}x{height}: it scrolls back");
    }
}

/// The loaded machine with one area at a long path.
fn with_long_path(second: u64) -> (Snapshot, String) {
    let mut machine = snapshot(MACHINES[1], second);
    let path = format!("/var/lib/{}/swapfile-7", "containers/storage/".repeat(4));
    let mut areas = machine.swaps.reading.known().unwrap().clone();
    areas[3].path = Name::from(path.as_str());
    machine.swaps.reading = Reading::Known(areas).into();
    (machine, path)
}

#[test]
fn a_long_path_does_not_break_columns() {
    for (width, height) in [(80, 24), (120, 40), (60, 16)] {
        let mut screen = Screen::new(width, height);
        for second in [1000, 1001] {
            screen.send(Msg::Snapshots(vec![with_long_path(second).0]));
        }
        screen.press("2");
        let text = screen.text();
        let row = text.iter().find(|line| line.contains("swapfile-7") && !line.contains("next"));
        let row = row.unwrap();
        assert!(row.contains('…') && row.contains("256M"), "its size is shown: {row}");
        if width < 80 {
            screen.press("Tab");
        }
        // Shares of the balance stand below each other.
        let text = screen.text();
        let head =
            text.iter().position(|line| line.contains("PRIO") && line.contains("NEXT")).unwrap();
        let chars = |line: &str| line.chars().collect::<Vec<_>>();
        let (before, _) = text[head].split_once("SHARE").unwrap();
        let end = before.chars().count() + "SHARE".len();
        let rows = text[head + 1..head + 5].iter().map(|line| chars(line));
        for row in rows {
            assert!(row[end - 1] == '%' || row[end - 1] == ' ', "{}", text.join("\n"));
            assert_eq!(row[end], ' ', "{}", text.join("\n"));
        }
    }
}

/// A new finding above the selected one moves the selection with its row, not to another one.
#[test]
fn a_new_finding_leaves_the_cursor_on_its_row() {
    let mut screen = Screen::machines(&["6.18-idle", "6.18-loaded"], 120, 40);
    let policy = screen.app.settings.policy.clone();
    screen.app.settings.policy.pressure_full = 2.0;
    screen.app.settings.policy.pressure_some = 2.0;
    let selected = |screen: &Screen| -> Option<Origin> { screen.app.pane()?.origin() };
    screen.app.refresh();
    for _ in 0..8 {
        if !screen.app.is_on_finding() || screen.app.pane_info().unwrap().id != "findings" {
            screen.press("Tab");
        }
    }
    let before = selected(&screen).unwrap();
    let lines = screen.app.pane().unwrap().lines.len();
    screen.app.settings.policy = policy;
    screen.app.refresh();
    assert!(screen.app.pane().unwrap().lines.len() > lines, "{}", all(&mut screen));
    let after = selected(&screen).unwrap();
    assert_eq!((before.row, before.info.id), (after.row, after.info.id));
}

/// A sentence loses its last words where room is short, never half of a word.
#[test]
fn no_word_of_a_sentence_is_cut() {
    let pairs = [
        MACHINES,
        ["6.18-idle", "6.18-loaded"],
        ["6.18-noswap", "6.18-noswap"],
        ["7.2-zswap-idle", "7.2-zswap-loaded"],
        ["6.12-numa2-idle", "6.12-numa2-loaded"],
        ["host-cgroup-v1", "host-cgroup-v1"],
    ];
    let mut cut = BTreeSet::new();
    for (machines, (width, height)) in
        pairs.iter().flat_map(|it| crate::SIZES.map(|size| (it, size)))
    {
        for number in 1..=SCREENS.len() {
            let mut screen = Screen::machines(machines, width, height).keys(&number.to_string());
            for _ in 0..SCREENS[number - 1].panes.len() {
                let framed = screen.app.layout.framed;
                for (place, area) in screen.app.layout.panes.clone() {
                    let cells = usize::from(layout::lines(area, framed).width);
                    let pane = &screen.app.state().unwrap().panes[place];
                    for line in pane.visible_lines() {
                        for placed in line.place(cells) {
                            let words = placed.piece.words();
                            let drawn: String = placed
                                .piece
                                .draw(&screen.app.look, placed.width)
                                .into_iter()
                                .map(|it| it.0)
                                .collect();
                            let start = drawn.trim_end().trim_end_matches('…');
                            let is_text = matches!(placed.piece.what, PieceContent::Text(_));
                            let rest = words.trim_end().strip_prefix(start).unwrap_or_default();
                            if is_text && !rest.is_empty() && !rest.starts_with(' ') {
                                cut.insert(format!(
                                    "{number} {width}x{height} {}: {words}",
                                    pane.info.id
                                ));
                            }
                        }
                    }
                }
                screen.press("Tab");
            }
        }
    }
    assert!(cut.is_empty(), "{cut:#?}");
}

/// The exported table has the filter, order and columns of the screen.
#[test]
fn the_exported_table_is_the_one_on_screen() {
    let mut screen = Screen::machines(&MACHINES, 80, 24).keys("2 / p r i o r i t y > = 0 Enter");
    screen.press("s");
    screen.send(Msg::Paste("size".to_owned()));
    screen.press("Enter");
    screen.draw();
    let shown = screen.app.sheet().unwrap();
    let names: Vec<_> = shown.rows().unwrap().keys.clone();
    assert!(shown.hidden_columns() > 0, "some columns do not fit");
    screen.effects.clear();
    screen.press("E Down Enter");
    let [Effect::SaveTable(table, TableFormat::Json)] = &screen.effects[..] else {
        panic!("{:?}", screen.effects)
    };
    assert_eq!((table.table, &table.rows.keys), ("devices", &names));
    let ids: Vec<&str> = table.rows.infos.iter().map(|info| info.id).collect();
    assert!(ids.starts_with(&["name", "kind"]) && ids.contains(&"discard"), "{ids:?}");
    let sizes: Vec<f64> = (0..names.len())
        .map(|row| table.rows.value(row, "size").unwrap().number().unwrap())
        .collect();
    assert!(names.len() > 1 && sizes.is_sorted_by(|a, b| a >= b), "{sizes:?}");
    assert_eq!(table.rows.sorted.map(|(place, _)| ids[place]), Some("size"));
    // A hidden column is not exported.
    screen.press("o");
    screen.send(Msg::Paste("kind".to_owned()));
    screen.press("Enter Esc");
    screen.effects.clear();
    screen.press("E y");
    let [Effect::CopyTable(table)] = &screen.effects[..] else { panic!("{:?}", screen.effects) };
    assert!(table.rows.infos.iter().all(|info| info.id != "kind"));
    assert!(screen.app.overlays.is_empty());
    let notice = screen.app.notice.as_ref().unwrap().text.clone();
    assert!(notice.starts_with("copied the table as Markdown if your terminal allows"), "{notice}");
}

#[test]
fn without_a_table_nothing_is_exported() {
    for (keys, why) in [
        ("1", "no table: "),
        ("7", "swapadm results export writes results"),
        ("2 Tab", "this pane has no table: Tab to one that has"),
    ] {
        let mut screen = Screen::machines(&MACHINES, 80, 24).keys(keys);
        screen.effects.clear();
        screen.press("E");
        let notice = screen.app.notice.as_ref().map(|notice| notice.text.clone());
        assert!(notice.as_ref().is_some_and(|it| it.contains(why)), "{keys}: {notice:?}");
        assert!(screen.effects.is_empty() && screen.app.overlays.is_empty());
    }
}

/// One page on a zram area costs more memory than it saves: the line of the area has its priority like those of the
/// other areas.
#[test]
fn an_area_that_holds_one_page_keeps_its_priority() {
    let almost_empty = |second| {
        let mut machine = snapshot(MACHINES[1], second);
        let mut areas = machine.swaps.reading.known().unwrap().clone();
        areas[0].used = Reading::Known(Bytes(4096));
        let name = areas[0].path.base();
        machine.swaps.reading = Reading::Known(areas).into();
        let mut devices = machine.zram.reading.known().unwrap().clone();
        let device = devices.iter_mut().find(|device| device.name == name.safe()).unwrap();
        let mut mm = device.mm.known().unwrap().clone();
        (mm.orig_data, mm.compr_data, mm.mem_used) = (Bytes(4096), Bytes(74), Bytes(20 << 20));
        device.mm = Reading::Known(mm);
        machine.zram.reading = Reading::Known(devices).into();
        (machine, name.safe())
    };
    for (width, height) in [(80, 24), (120, 40)] {
        let mut screen = Screen::new(width, height);
        for second in [1000, 1001] {
            screen.send(Msg::Snapshots(vec![almost_empty(second).0]));
        }
        let text = screen.text();
        let lines: Vec<Vec<char>> = text
            .iter()
            .filter(|line| line.starts_with("│ /") && line.contains(" used "))
            .map(|line| line.chars().collect())
            .collect();
        let place = |line: &Vec<char>, word: &str| {
            let word: Vec<char> = word.chars().collect();
            line.windows(word.len()).position(|part| part == word)
        };
        let name = almost_empty(1000).1;
        let own = lines
            .iter()
            .find(|line| place(line, &format!("{name} ")).is_some_and(|place| place < 10));
        let own = own.unwrap_or_else(|| panic!("{width}x{height}: {}", text.join("\n")));
        assert!(place(own, " 4K").is_some(), "{width}x{height}: {own:?}");
        let places: BTreeSet<_> = lines.iter().map(|line| place(line, " used ")).collect();
        assert!(lines.len() > 1 && places.len() == 1, "{width}x{height}: {}", text.join("\n"));
    }
}

/// On 80 columns, the name of a program says more than the beginning of its path.
#[test]
fn the_name_of_a_program_comes_before_its_path() {
    let path = "/root/.pyenv/versions/3.12.1/envs/reports/bin/python3 -m reports";
    let mut machine = snapshot(MACHINES[1], 1001);
    let mut table = machine.processes.reading.known().unwrap().clone();
    let most = table.processes.iter().enumerate().max_by_key(|(_, it)| it.swap.known().copied());
    let place = most.unwrap().0;
    let process = Process {
        comm: Name::from("python3"),
        command: Reading::Known(Name::from(path)),
        ..(*table.processes[place]).clone()
    };
    let pid = process.pid.to_string();
    table.processes[place] = process.into();
    machine.processes.reading = Reading::Known(table).into();
    for (width, height) in [(60, 16), (80, 24), (120, 40)] {
        let mut screen = Screen::new(width, height);
        screen.send(Msg::Snapshots(vec![snapshot(MACHINES[0], 1000)]));
        screen.send(Msg::Snapshots(vec![machine.clone()]));
        screen.press("6");
        let text = screen.text();
        let is_row = |line: &&String| {
            line.split_whitespace().any(|it| it == pid.as_str()) && line.contains(" python3 ")
        };
        let row = text.iter().find(is_row);
        let row = row.unwrap_or_else(|| panic!("{width}x{height}: {}", text.join("\n")));
        let place = |word| row.find(word);
        assert!(place("/root").is_none_or(|path| place("python3") < Some(path)), "{row}");
    }
}
