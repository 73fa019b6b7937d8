//! Random keys, clicks, sizes, snapshots and failures, in any order.

use crate::changes::{off, past, progress, proposal, shown};
use crate::common::events;
use crate::common::screen::{Screen, key, snapshot};
use crate::map::charted;
use crate::{MACHINES, lab};
use ratatui::crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Size;
use swapadm::actions::journal::PlanEnd;
use swapadm::actions::run::ChangeOutcome;
use swapadm::model::clusters::ClusterView;
use swapadm::model::{Snapshot, Stamp};
use swapadm::ui::app::{SourceKind, Time};
use swapadm::ui::change::AnyProposal;
use swapadm::ui::command::COMMANDS;
use swapadm::ui::hit::{HitTarget, PanePart};
use swapadm::ui::lab::LabState;
use swapadm::ui::msg::Msg;

/// Pseudo-random numbers, the same every time.
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

/// Events of both monkeys, unless `SWAPADM_EVENTS` sets more: .ci/run uses 120,000, since the goal of the
/// project is at least 100,000.
const EVENTS: usize = 4_000;

#[test]
fn a_monkey_finds_no_panic_and_no_state_that_makes_no_sense() {
    let mut screen = Screen::machines(&MACHINES, 80, 24);
    screen.app.lab = LabState::with_loads(lab::loads());
    monkey(screen, 0x5EED_0001);
}

#[test]
fn a_monkey_finds_no_panic_in_a_recording_either() {
    let snapshots = (1000..).zip(MACHINES).map(|(second, machine)| snapshot(machine, second));
    let mut recording = Screen::from_source(SourceKind::Recording, "swap.rec", 80, 24);
    recording.send(Msg::Snapshots(snapshots.collect()));
    monkey(recording, 0x5EED_0002);
}

fn monkey(mut screen: Screen, seed: u64) {
    let machines = ["6.18-mixed-idle", "6.18-mixed-loaded", "6.1-noswap", "7.2-numa2-loaded"];
    let states = machines.map(|machine| charted(snapshot(machine, 0), ClusterView::Kernel));
    let plan = *shown(proposal(&off("/dev/zram0")));
    let mut dice = Dice(seed);
    let mut second = 2000;
    for event in 0..events().unwrap_or(EVENTS) / 2 {
        let (message, words) = monkey_event(&mut dice, (&states, &plan), &mut second);
        screen.send(message);
        check(&screen, event, &words);
        // The user sees only drawn states; not every event is drawn.
        if event % 8 == 0 {
            screen.draw();
        }
    }
}

fn monkey_event(
    dice: &mut Dice,
    (states, plan): (&[Snapshot], &AnyProposal),
    second: &mut u64,
) -> (Msg, String) {
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
                Msg::SourceEnded(Some("cut off".to_owned())),
                Msg::Planned(1, Ok(Box::new(plan.clone()))),
                Msg::Planned(2, Err("no such area".to_owned())),
                Msg::Progress(progress(8)),
                Msg::Changed(Err("somebody else is changing swap".to_owned())),
                Msg::Changed(Ok(ChangeOutcome::ended(1, PlanEnd::Undone, None))),
                Msg::JournalRead(Ok(past())),
                Msg::JournalAtStart(Ok(past())),
            ];
            let count = messages.len();
            let place = dice.below(count + lab::MESSAGES);
            let message = messages.into_iter().nth(place);
            let message = message.unwrap_or_else(|| lab::message(place - count));
            (message, format!("message {place}"))
        }
    }
}

pub(crate) fn at(second: u64) -> Stamp {
    Stamp { boot_ns: second * 1_000_000_000, wall_ms: 1_790_000_000_000 + second * 1000 }
}

/// Sets the time of all parts. All are named: a new part does not compile until it is added.
macro_rules! restamp {
    ($snapshot:ident, $now:ident, [$($part:ident),* $(,)?]) => {
        let Snapshot { stamp, cost: _, simulated: _, page_size: _, swaps_past: _, $($part,)* } = $snapshot;
        *stamp = $now;
        $($part.at = $part.at.map(|_| $now);)*
    };
}

fn restamp(snapshot: &mut Snapshot, second: u64) {
    let now = at(second);
    restamp!(
        snapshot,
        now,
        [
            kernel,
            access,
            swaps,
            headers,
            layouts,
            hibernation,
            meminfo,
            vmstat,
            psi,
            diskstats,
            block,
            zram,
            zswap,
            thp,
            knobs,
            numa,
            config,
            interrupted,
            processes,
            cgroups,
            shm,
            sources,
            allocator,
            kernel_clusters,
            stored_clusters,
            mapped_clusters,
            subject,
        ]
    );
}

/// Conditions of every state.
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
    if let (Time::Paused(moment) | Time::Playing { moment, .. }, Some((first, last))) =
        (app.source.time, app.source.history.span())
    {
        assert!((first..=last).contains(&moment), "{place}: moment {moment} of {first}-{last}");
    }
    assert!(app.overlays.len() < 8, "{place}: {} things above", app.overlays.len());
    for (area, target) in &app
        .layout
        .panes
        .iter()
        .map(|(pane, area)| (*area, HitTarget::Pane(*pane, PanePart::Rest)))
        .collect::<Vec<_>>()
    {
        assert!(
            area.right() <= app.size.width && area.bottom() <= app.size.height,
            "{place}: {target:?}"
        );
    }
}
