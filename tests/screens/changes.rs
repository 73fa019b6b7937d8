//! Changes: write mode, plan, confirmation, progress and undo, without a machine to change.

use crate::MACHINES;
use crate::common::screen::{Screen, key, snapshot, styles, text};
use crate::common::{expect_file, repository};
use ratatui::crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use std::time::Duration;
use swapadm::actions::check::{self, Check, CheckInputs, CheckVerdict};
use swapadm::actions::estimate::{self, Forecast};
use swapadm::actions::journal::{Event, PlanEnd, Record};
use swapadm::actions::plan;
use swapadm::actions::run::{ChangeOutcome, Progress};
use swapadm::change::Proposal;
use swapadm::model::activation::{Discard, Priority};
use swapadm::model::users::OomKilled;
use swapadm::model::{Bytes, Name, PartSet, Stamp};
use swapadm::ui::app::SourceKind;
use swapadm::ui::change::{
    self, ChangeHistory, ChangeProposal, ChangeRequest, ExecutionOptions, Intent,
};
use swapadm::ui::glyphs::GlyphTier;
use swapadm::ui::hit::HitTarget;
use swapadm::ui::msg::{Effect, Msg};
use swapadm::ui::theme::Palette;

/// The plan for a request, on the machine under load.
pub(crate) fn proposal(intent: &Intent) -> Proposal {
    let snapshot = snapshot(MACHINES[1], 1001);
    let areas = snapshot.swaps.reading.known().unwrap();
    let plan = match intent {
        Intent::Off(names) => plan::off(areas, |_| Discard::None, names).unwrap(),
        other => panic!("{other:?} is not planned here"),
    };
    let nothing = CheckInputs::default();
    let checks = check::checks(&plan, &snapshot, nothing);
    let records = past().records;
    let known = estimate::DrainHistory::from_snapshot(&snapshot, &records);
    let cost = |step| Forecast::for_step(step, &known);
    let costs = plan.steps.iter().map(cost).collect();
    let intent = intent.clone();
    let (options, can_last) = (ExecutionOptions::default(), true);
    Proposal {
        intent,
        options,
        can_persist: can_last,
        plan,
        undoes: None,
        checks,
        notes: Vec::new(),
        findings: Vec::new(),
        zram: Vec::new(),
        costs,
        parts: PartSet::NONE,
        simulated: None,
        setup: None,
        state: None,
    }
}

/// The same for a dialog.
pub(crate) fn shown(change: Proposal) -> Box<change::AnyProposal> {
    Box::new(change::AnyProposal::Change(ChangeProposal {
        change,
        next: None,
        inactive: Vec::new(),
    }))
}

/// A plan that took a minute, and an interrupted one.
pub(crate) fn past() -> ChangeHistory {
    let record = |plan, path: &str, events| Record {
        plan,
        at_ms: 1_789_999_000_000 + plan * 60_000,
        boot: "now".to_owned(),
        title: format!("disable {path}"),
        steps: vec![swapadm::actions::Step::Off {
            area: swapadm::model::activation::Activation {
                path: path.into(),
                priority: Priority::Set(50),
                discard: Discard::None,
            },
        }],
        events,
        ..Record::default()
    };
    let made = Event::Made { step: 0, back: false, moved: 640 << 20, seconds: 10.0 };
    let attempt = Event::Try { step: 0, back: false };
    let done = Event::End { end: PlanEnd::Done, why: None };
    let records = vec![
        record(1, "/dev/nvme0n1", vec![attempt.clone(), made, done]),
        record(2, "/dev/vda", vec![attempt]),
    ];
    ChangeHistory { records, boot: "now".to_owned() }
}

pub(crate) fn off(path: &str) -> Intent {
    Intent::Off(vec![Name::from(path)])
}

/// Answers the last request of the interface with a plan.
fn planned(screen: &mut Screen) {
    let asked = screen.effects.iter().rev().find_map(|effect| match effect {
        Effect::Plan(number, intent, _) => Some((*number, intent.clone())),
        _ => None,
    });
    let Some((number, ChangeRequest::Intent(intent))) = asked else {
        panic!("no plan was asked for")
    };
    screen.send(Msg::Planned(number, Ok(shown(proposal(&intent)))));
}

pub(crate) fn answered(screen: &mut Screen, proposal: Proposal) {
    let number = screen.app.change.asked;
    screen.send(Msg::Planned(number, Ok(shown(proposal))));
}

/// The footer with a message in place of the hints, on any number of lines.
pub(crate) fn foot(screen: &mut Screen) -> String {
    screen.app.notice.as_ref().map_or_else(String::new, |notice| notice.text.clone())
}

pub(crate) fn all(screen: &mut Screen) -> String {
    screen.text().join("\n")
}

pub(crate) fn devices(width: u16, height: u16) -> Screen {
    Screen::machines(&MACHINES, width, height).keys("2")
}

pub(crate) const ARM: &str = "W Tab Enter";

/// A dialog to disable the used area, without warnings.
pub(crate) fn with_plan(keys: &str) -> Screen {
    let mut screen = devices(80, 24).keys(keys).keys("a Enter");
    let number = screen.app.change.asked;
    let mut calm = proposal(&off("/dev/nvme0n1"));
    calm.checks.retain(|check| check.verdict < CheckVerdict::Warn);
    screen.send(Msg::Planned(number, Ok(shown(calm))));
    screen
}

pub(crate) fn carried_out(screen: &Screen) -> bool {
    screen.effects.iter().any(|effect| matches!(effect, Effect::CarryOut(_)))
}

#[test]
fn menus_and_dialogs_match_their_golden_file() {
    let mut pages = Vec::new();
    for (width, height) in [(80, 24), (120, 40), (60, 16), (40, 10)] {
        let mut add = |title: &str, screen: &mut Screen| {
            let buffer = screen.draw();
            let (text, styles) = (text(&buffer).join("\n"), styles(&buffer).join("\n"));
            let title = format!("{title} {width}x{height}");
            pages.push(format!("== {title}\n{text}\n-- styles\n{styles}\n\n"));
        };
        add("arm", &mut devices(width, height).keys("W"));
        add("actions", &mut devices(width, height).keys("a"));
        let mut screen = devices(width, height).keys(ARM).keys("a Enter");
        planned(&mut screen);
        add("confirm", &mut screen);
        screen.press("z r a m 0 Tab");
        add("unlocked", &mut screen);
        screen.press("Enter");
        screen.send(Msg::Progress(progress(40)));
        screen.send(Msg::Tick(at(1005)));
        add("progress", &mut screen);
        screen.press("Esc 1");
        add("elsewhere", &mut screen);
        screen.press("q");
        add("quit", &mut screen);
        let mut screen = devices(width, height).keys("J");
        screen.send(Msg::JournalRead(Ok(past())));
        add("journal", &mut screen);
        screen.press("Down Enter");
        add("record", &mut screen);
    }
    expect_file(&repository("tests/screens/changes.txt"), &pages.concat(), "UPDATE_GOLDEN");
}

/// On any kind of terminal.
#[test]
fn dialogs_hold_only_what_a_plain_terminal_has() {
    for keys in ["W", "a", "a Enter", "a Enter z r a m 0 Tab Enter", "J"] {
        let mut screen = devices(80, 24).look(GlyphTier::Ascii, Palette::Mono).keys(ARM);
        for word in keys.split(' ') {
            screen.press(word);
            if screen.app.change.awaited {
                planned(&mut screen);
            }
        }
        screen.send(Msg::Progress(progress(20)));
        screen.send(Msg::JournalRead(Ok(past())));
        let odd = all(&mut screen).chars().find(|c| !c.is_ascii());
        assert_eq!(odd, None, "{keys}\n{}", all(&mut screen));
    }
}

fn at(second: u64) -> Stamp {
    Stamp { boot_ns: second * 1_000_000_000, wall_ms: 1_790_000_000_000 + second * 1000 }
}

/// This part of 64 MiB moved in two seconds.
pub(crate) fn progress(moved: u64) -> Progress {
    let left = Bytes((64 - moved) << 20);
    let (total, since, elapsed) = (Bytes(64 << 20), Duration::ZERO, Duration::from_secs(2));
    Progress { step: 0, is_undo: false, total, left, since, elapsed, pause: None }
}

#[test]
fn nothing_is_changed_unless_in_write_mode_and_confirmed() {
    // Read-only mode: the dialog opens, and says what is missing.
    let mut screen = with_plan("");
    assert!(all(&mut screen).contains("( Run: read-only, W enables it )"));
    screen.press("Tab Enter");
    assert!(!carried_out(&screen));
    assert!(foot(&mut screen).starts_with("read-only mode: W enables write mode"));
    // Write mode is enabled in the dialog without a question, and the plan is run by one more key.
    screen.press("Tab W");
    assert!(all(&mut screen).contains("[ Run ]"), "{}", all(&mut screen));
    screen.press("Enter");
    assert!(carried_out(&screen));
    // The button with the initial focus changes nothing.
    let mut screen = with_plan(ARM);
    screen.press("Enter");
    assert!(!carried_out(&screen) && screen.app.overlays.is_empty());
}

#[test]
fn write_mode_is_shown_and_times_out() {
    for (width, height) in crate::SIZES {
        let (read_only, write) =
            if width < 80 { ("RO", "RW") } else { ("read-only", "write mode") };
        let mut screen = devices(width, height);
        assert!(screen.text()[0].contains(read_only) && !screen.text()[0].contains(write));
        screen.press("W");
        screen.press("Enter");
        assert!(screen.text()[0].contains(read_only), "the first answer changes nothing");
        screen.press(ARM);
        assert!(screen.text()[0].contains(write) && !screen.text()[0].contains(read_only));
        screen.press("W");
        assert!(screen.text()[0].contains(read_only));
    }
    let mut screen = devices(80, 24).keys(ARM);
    screen.send(Msg::Tick(at(1001 + 290)));
    screen.press("j");
    screen.send(Msg::Tick(at(1001 + 580)));
    assert!(screen.text()[0].contains("write mode"), "a key was pressed meanwhile");
    screen.send(Msg::Tick(at(1001 + 591)));
    assert!(screen.text()[0].contains("read-only"));
    assert!(foot(&mut screen).contains("5 minutes"));
}

#[test]
fn without_rights_plans_and_commands_are_shown() {
    let mut screen = devices(80, 24);
    screen.app.change.blocked = Some("changing swap needs root (CAP_SYS_ADMIN)".to_owned());
    screen.press("W");
    assert!(foot(&mut screen).starts_with("changing swap needs root"), "{}", foot(&mut screen));
    assert!(screen.app.overlays.is_empty() && screen.text()[0].contains("read-only"));
    screen.press("a Enter");
    planned(&mut screen);
    screen.press("Tab Enter");
    assert!(foot(&mut screen).contains("y copies"), "{}", foot(&mut screen));
    assert!(!carried_out(&screen));
    screen.press("y");
    let copied = Effect::Copy("swapoff /dev/zram0".to_owned());
    assert!(screen.effects.contains(&copied), "{:?}", screen.effects);
}

/// Where a change is refused, its action says so and why; questions to the model are marked nowhere.
#[test]
fn refused_actions_are_marked_with_the_reason() {
    let check = |mut screen: Screen, action: &str, reason: &str| {
        let text = all(&mut screen);
        assert!(text.contains(action) && text.contains(reason), "{action}: {text}");
        let model = text.lines().find(|line| line.contains("what-if: as it is")).unwrap();
        assert!(!model.contains('('), "{model}");
    };
    let allowed = all(&mut devices(80, 24).keys("a"));
    assert!(!allowed.contains("plan only") && !allowed.contains("unavailable"), "{allowed}");
    let mut screen = devices(80, 24);
    screen.app.change.blocked = Some("changing swap needs root (CAP_SYS_ADMIN)".to_owned());
    let reason = "plan only: changing swap needs root (CAP_SYS_ADMIN). Disable the area";
    check(screen.keys("a"), "disable  (plan only)", reason);
    let snapshots = vec![snapshot(MACHINES[0], 1000), snapshot(MACHINES[1], 1001)];
    let screen = Screen::recording("swap.rec", snapshots, 80, 24).keys("2 a");
    let reason = "unavailable: recordings cannot be changed";
    check(screen, "disable  (unavailable)", reason);
    let mut screen = Screen::from_source(SourceKind::Simulated, "laptop", 80, 24);
    screen.send(Msg::Snapshots(vec![snapshot(MACHINES[1], 1000)]));
    let screen = screen.keys("a j j");
    check(screen, "new zram swap...  (unavailable)", "a simulated machine can only");
    // A reason that is too long shows that it is cut.
    let mut screen = devices(40, 10);
    screen.app.change.blocked = Some("changing swap needs root (CAP_SYS_ADMIN)".to_owned());
    let text = all(&mut screen.keys("a"));
    assert!(text.contains("Disable the area…"), "{text}");
}

#[test]
fn captured_trees_show_plans_and_recordings_nothing() {
    let mut captured = Screen::from_source(SourceKind::Captured, "tree", 80, 24);
    captured.press("W");
    assert_eq!(foot(&mut captured), "write mode needs a live machine");
    captured.press("J");
    assert_eq!(foot(&mut captured), "the journal needs a live machine");
    for word in ["u", "J"] {
        let snapshots = vec![snapshot(MACHINES[0], 1000), snapshot(MACHINES[1], 1001)];
        let mut screen = Screen::recording("swap.rec", snapshots, 80, 24).keys("2").keys(word);
        assert!(foot(&mut screen).starts_with("recordings cannot be changed"), "{word}");
    }
}

#[test]
fn simulated_machines_have_a_journal() {
    let mut screen = Screen::from_source(SourceKind::Simulated, "laptop", 80, 24);
    screen.press("J");
    assert!(!foot(&mut screen).contains("needs a live machine"), "{}", foot(&mut screen));
    let mut past = past();
    past.records.truncate(1);
    past.records[0].at_ms = 754_000;
    screen.send(Msg::JournalRead(Ok(past)));
    let text = all(&mut screen);
    assert!(text.contains("12m34s after start") && !text.contains("1970"), "{text}");
    screen.press("Enter");
    let text = all(&mut screen);
    assert!(text.contains("12m34s after start") && !text.contains("1970"), "{text}");
}

#[test]
fn a_risky_change_needs_its_typed_word() {
    let mut screen = devices(80, 24).keys(ARM).keys("a Enter");
    planned(&mut screen);
    assert!(all(&mut screen).contains("Type zram0 to confirm"), "{}", all(&mut screen));
    screen.press("Tab Enter");
    assert!(!carried_out(&screen) && foot(&mut screen).contains("type zram0"));
    screen.press("S-Tab z r a m 1 Enter Tab Enter");
    assert!(!carried_out(&screen));
    // Letters that are commands and options elsewhere are typed here, at once.
    let mut screen = devices(80, 24).keys(ARM).keys("a Enter");
    planned(&mut screen);
    screen.press("p t m r q W y Enter");
    assert!(all(&mut screen).contains("to confirm: ptmrqWy"), "{}", all(&mut screen));
    screen.press("^u z r a m 0 Enter Enter");
    assert!(carried_out(&screen));
}

#[test]
fn a_refused_check_blocks_until_its_risk_is_named() {
    let refusing = |id| {
        let mut refused = proposal(&off("/dev/zram0"));
        let text = "it must not be done".to_owned();
        refused.checks = vec![Check { id, verdict: CheckVerdict::Refuse, text }];
        let mut screen = devices(80, 24).keys(ARM).keys("a Enter");
        answered(&mut screen, refused);
        screen
    };
    let mut screen = refusing("rights");
    assert!(all(&mut screen).contains("( Run: refused )"));
    screen.press("Tab Enter");
    assert!(!carried_out(&screen) && foot(&mut screen).contains("REFUSED"));
    // An accepted risk leads to another plan, which is confirmed there.
    let mut screen = refusing("memory");
    assert!(all(&mut screen).contains("Type memory to accept the risk"));
    screen.press("m e m o r y Enter Enter");
    assert!(!carried_out(&screen));
    let again = screen.effects.last().unwrap();
    let options = ExecutionOptions {
        accepted_risks: vec!["memory".to_owned()],
        ..ExecutionOptions::default()
    };
    assert_eq!(*again, Effect::Plan(2, off("/dev/zram0").into(), options));
}

#[test]
fn an_abandoned_plan_does_not_pop_up() {
    let mut screen = devices(80, 24).keys("a Enter Esc");
    planned(&mut screen);
    assert!(screen.app.overlays.is_empty());
    let mut screen = devices(80, 24).keys("a Enter a Down Enter 5 Enter");
    screen.send(Msg::Planned(1, Ok(shown(proposal(&off("/dev/zram0"))))));
    assert!(screen.app.overlays.is_empty(), "it answers another request");
    screen.send(Msg::Planned(2, Err("no such area".to_owned())));
    let line = screen.text()[23].clone();
    assert!(all(&mut screen).contains("Not set: no such area."), "{}", all(&mut screen));
    assert!(line.starts_with(" priority 5"), "the input is kept: {line}");
}

#[test]
fn a_priority_is_checked_while_it_is_typed_and_tags_go_together() {
    let mut screen = devices(80, 24).keys("a Down Enter 4 0 0 0 0 Enter");
    assert!(all(&mut screen).contains("0 to 32767"), "{}", all(&mut screen));
    assert!(!screen.effects.iter().any(|effect| matches!(effect, Effect::Plan(..))));
    screen.press("Backspace Enter");
    let wish = Intent::Priorities(vec![(Name::from("/dev/zram0"), Priority::Set(4000))]);
    assert!(
        screen.effects.contains(&Effect::Plan(1, wish.into(), ExecutionOptions::default())),
        "{:?}",
        screen.effects
    );
    let mut screen = devices(80, 24).keys("Space Space a Enter");
    assert!(!all(&mut screen).contains("Actions"));
    let both = ["/dev/zram0", "/dev/zram1"].map(Name::from).to_vec();
    assert!(screen.effects.contains(&Effect::Plan(
        1,
        Intent::Off(both).into(),
        ExecutionOptions::default()
    )));
}

#[test]
fn progress_is_visible_on_every_screen_until_it_ends() {
    let mut screen = with_plan(ARM).keys("Tab Enter");
    screen.send(Msg::Progress(progress(16)));
    screen.send(Msg::Tick(at(1005)));
    for (keys, size) in [("Esc 1", (80, 24)), ("6", (120, 40)), ("3", (60, 16)), ("5", (40, 10))] {
        screen.send(Msg::Resize(ratatui::layout::Size::new(size.0, size.1)));
        screen.press(keys);
        let lines = screen.text();
        let line = &lines[lines.len() - 2];
        assert!(line.starts_with(" CHANGE 1/1 /dev/nvme0n1"), "{size:?}: {line}");
    }
    screen.send(Msg::Resize(ratatui::layout::Size::new(80, 24)));
    let line = screen.text()[22].clone();
    assert!(line.contains("16M of 64M  8M/s  6s left") && line.ends_with("F9"), "{line}");
    screen.press("?");
    assert!(screen.text()[22].contains("CHANGE"), "nothing lies above it");
    // A second change has to wait, and so does the shell.
    screen.press("Esc ^z");
    assert!(!screen.effects.contains(&Effect::Suspend));
    let ended = ChangeOutcome { undoable: true, ..ChangeOutcome::ended(7, PlanEnd::Done, None) };
    screen.send(Msg::Changed(Ok(ended)));
    assert!(foot(&mut screen).starts_with("Done (journal 7"));
    assert!(!screen.text()[22].contains("CHANGE"));
    screen.press("F9");
    assert!(all(&mut screen).contains("Done (journal 7"));
    screen.press("u");
    assert_eq!(*pending_request(&screen), Intent::Undo(Some(7)).into());
    assert!(!all(&mut screen).contains("Done (journal 7"), "it is closed for what comes next");
}

/// The dialog undoes the change that it shows, and not the one before it.
#[test]
fn the_dialog_of_a_change_undoes_that_change_alone() {
    let why = || Some("you stopped it".to_owned());
    let partial = ChangeOutcome::ended(9, PlanEnd::Partial, why());
    for (ended, undoes) in [
        (Err("somebody else is changing swap".to_owned()), None),
        (Ok(ChangeOutcome::ended(9, PlanEnd::Undone, why())), None),
        (Ok(partial.clone()), None),
        (Ok(ChangeOutcome { undoable: true, ..partial }), Some(9)),
    ] {
        for source in [SourceKind::Live, SourceKind::Simulated] {
            let mut screen = with_plan(ARM).keys("Tab Enter");
            screen.app.source.kind = source;
            screen.send(Msg::Changed(ended.clone()));
            let shown = all(&mut screen);
            assert_eq!(shown.contains("u undo"), undoes.is_some(), "{ended:?}: {shown}");
            screen.effects.clear();
            screen.press("u");
            let plans = screen.effects.iter().filter_map(|effect| match effect {
                Effect::Plan(_, request, _) => Some(request.clone()),
                _ => None,
            });
            let wanted: Vec<ChangeRequest> =
                undoes.map(|plan| Intent::Undo(Some(plan)).into()).into_iter().collect();
            assert_eq!(plans.collect::<Vec<_>>(), wanted, "{ended:?}");
            let said = foot(&mut screen).contains("nothing of this change is in effect");
            assert_eq!(said, undoes.is_none(), "{}", foot(&mut screen));
        }
    }
}

#[test]
fn a_change_is_stopped_where_it_is_shown_and_nowhere_else() {
    let mut screen = with_plan(ARM).keys("Tab Enter");
    screen.press("Esc c");
    assert!(!screen.effects.contains(&Effect::Stop));
    screen.press("F9 c");
    assert!(screen.effects.contains(&Effect::Stop));
    assert!(all(&mut screen).contains("stopping:"), "{}", all(&mut screen));
    // As on the command line, a second request stops the undo, and no sooner than it has begun.
    assert!(!all(&mut screen).contains("c stop"), "{}", all(&mut screen));
    screen.press("c");
    assert!(!screen.effects.contains(&Effect::StopUndo));
    screen.send(Msg::Progress(Progress { is_undo: true, ..progress(40) }));
    assert!(all(&mut screen).contains("c stop the undo"), "{}", all(&mut screen));
    screen.press("c");
    assert!(screen.effects.contains(&Effect::StopUndo));
    let why = Some("you stopped it".to_owned());
    screen.send(Msg::Changed(Ok(ChangeOutcome::ended(3, PlanEnd::Undone, why))));
    assert!(foot(&mut screen).contains("NOT DONE: you stopped it. Everything is as it was."));
}

#[test]
fn quitting_during_a_change_needs_confirmation() {
    for (keys, stops) in [("q Tab Enter", false), ("q Tab Tab Enter", true)] {
        let mut screen = with_plan(ARM).keys("Tab Enter Esc").keys(keys);
        assert!(!screen.effects.contains(&Effect::Quit));
        assert_eq!(screen.effects.contains(&Effect::Stop), stops);
        screen.send(Msg::Changed(Ok(ChangeOutcome::ended(1, PlanEnd::Done, None))));
        assert!(screen.effects.contains(&Effect::Quit), "{keys}");
    }
    let mut screen = with_plan(ARM).keys("Tab Enter ^c ^c Enter");
    screen.send(Msg::Changed(Ok(ChangeOutcome::ended(1, PlanEnd::Done, None))));
    assert!(!screen.effects.contains(&Effect::Quit), "they stayed");
    screen.press("q");
    assert!(screen.app.overlays.is_empty());
    screen.press("q");
    assert!(screen.effects.contains(&Effect::Quit));
}

#[test]
fn the_journal_is_shown_and_undoes_plans() {
    let mut screen = devices(80, 24).keys("J");
    assert!(screen.effects.contains(&Effect::ReadJournal));
    screen.send(Msg::JournalRead(Ok(past())));
    let page = all(&mut screen);
    let places = ["2  open       disable /dev/vda", "1  done       disable /dev/nvme0n1"];
    let [newest, oldest] = places.map(|line| page.find(line).unwrap_or_else(|| panic!("{page}")));
    assert!(newest < oldest, "the newest first");
    // Interrupted plans are offered first.
    screen.press("Enter");
    assert_eq!(
        *screen.effects.last().unwrap(),
        Effect::Plan(1, Intent::Recover.into(), ExecutionOptions::default())
    );
    screen.send(Msg::JournalRead(Ok(past())));
    screen.press("Down Down Enter");
    assert!(all(&mut screen).contains("done in 10s, 640M moved"));
    screen.press("Esc u");
    assert_eq!(
        *screen.effects.last().unwrap(),
        Effect::Plan(2, Intent::Undo(Some(1)).into(), ExecutionOptions::default())
    );
    let mut killed = past();
    let kill = OomKilled { cgroup: Some("/pod".into()), processes: 2 };
    killed.records[0].events.push(Event::Killed(kill));
    screen.send(Msg::JournalRead(Ok(killed)));
    let page = all(&mut screen);
    assert!(page.contains("disable /dev/nvme0n1  (2 killed for lack of memory)"), "{page}");
    let mut screen = devices(80, 24).keys("u");
    assert!(screen.effects.contains(&Effect::Plan(
        1,
        Intent::Undo(None).into(),
        ExecutionOptions::default()
    )));
    screen.send(Msg::JournalRead(Err("/x: permission denied".to_owned())));
    assert_eq!(foot(&mut screen), "/x: permission denied");
}

#[test]
fn interrupted_changes_are_reported_at_the_start() {
    let mut screen = Screen::new(80, 24);
    screen.send(Msg::JournalAtStart(Ok(past())));
    let said = all(&mut screen);
    assert!(said.contains("swapadm recover"), "{said}");
    let other = ChangeHistory { boot: "another".to_owned(), ..past() };
    let mut screen = Screen::new(80, 24);
    screen.send(Msg::JournalAtStart(Ok(other)));
    assert!(!all(&mut screen).contains("recover"));
}

/// Buttons can be clicked, and a click beside a question does nothing.
#[test]
fn answers_can_be_clicked() {
    let click = |screen: &mut Screen, wanted: HitTarget| {
        screen.draw();
        let (area, _) = *screen.hits.iter().find(|(_, target)| *target == wanted).unwrap();
        let kind = MouseEventKind::Down(MouseButton::Left);
        let modifiers = KeyModifiers::NONE;
        screen.send(Msg::Mouse(MouseEvent { kind, column: area.x, row: area.y, modifiers }));
    };
    let mut screen = devices(80, 24).keys("W");
    click(&mut screen, HitTarget::Outside);
    assert_eq!(screen.app.overlays.len(), 1);
    click(&mut screen, HitTarget::Answer(1));
    assert!(screen.app.change.write_until.is_some() && screen.app.overlays.is_empty());
    let mut screen = with_plan(ARM);
    click(&mut screen, HitTarget::Answer(1));
    assert!(carried_out(&screen));
    let mut screen = with_plan(ARM);
    click(&mut screen, HitTarget::Answer(0));
    assert!(!carried_out(&screen) && screen.app.overlays.is_empty());
}

/// An invisible dialog cannot be confirmed.
#[test]
fn a_terminal_that_shows_no_dialog_confirms_nothing() {
    let mut screen = with_plan(ARM);
    screen.send(Msg::Resize(ratatui::layout::Size::new(20, 4)));
    screen.send(Msg::Key(key("Tab")));
    screen.send(Msg::Key(key("Enter")));
    assert!(!carried_out(&screen));
}

/// The last requested plan.
pub(crate) fn pending_request(screen: &Screen) -> &ChangeRequest {
    let asked = screen.effects.iter().rev().find_map(|effect| match effect {
        Effect::Plan(_, intent, _) => Some(intent),
        _ => None,
    });
    asked.expect("a plan was asked for")
}
