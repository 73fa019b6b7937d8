//! The runtime: one loop that runs effects, with the terminal, the sampling thread, signals and the clock.

mod changes;
mod feed;
mod terminal;
mod threads;

pub use terminal::{Outbox, end_by};
pub use threads::{File, Host};

use super::app::{App, AppInit, SourceKind, Time};
use super::appearance::TerminalInfo;
use super::change::{AnyProposal, ChangeEngine};
use super::hit::HitMap;
use super::lab::LabState;
use super::learn::LearnState;
use super::msg::{Effect, Msg};
use super::settings::Settings;
use crate::actions::monitor::StopReason;
use crate::clock::Clock;
use crate::columns::export::TableFormat;
use crate::learn::player::Player;
use crate::model::Stamp;
use crate::sampler::SnapshotSource;
use crate::waiting::{self, Signals, Timer, Watched};
use changes::ChangeRunner;
use feed::Feed;
use nix::poll::PollFlags;
use nix::sys::signal::Signal;
use ratatui::crossterm::event::{self, Event};
use std::io;
use std::sync::Arc;
use std::time::Duration;
use terminal::TerminalScreen;
use threads::{BackgroundJobs, Inbox, Queue};
use tokio::sync::mpsc::{self, UnboundedReceiver};

/// Why the interface ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitReason {
    /// The person quit.
    Quit,
    /// A signal.
    Signal(Signal),
    /// The terminal is gone.
    Lost,
}

/// The configuration of the interface.
#[derive(Debug)]
pub struct Opening {
    /// The source of samples.
    pub source: SnapshotSource,
    /// The name of the source.
    pub name: String,
    /// The settings.
    pub settings: Settings,
    /// Problems in the settings file.
    pub problems: Vec<String>,
    /// The terminal as described by the environment.
    pub terminal: TerminalInfo,
    /// Access to files.
    pub host: Arc<dyn Host>,
    /// The engine that changes the machine, if there is a machine to change.
    pub engine: Option<Arc<dyn ChangeEngine>>,
    /// Progress in lessons, and how they are played.
    pub learn: LearnState,
    /// The lesson that begins at once.
    pub lesson: Option<Box<Player>>,
}

/// The end of the interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExitReport {
    /// Why it ended.
    pub reason: ExitReason,
    /// The end of a change that was running then, in words.
    pub message: Option<String>,
}

/// Minimum time between two frames, so that a key held down does not draw faster than screens show.
const FRAME: Duration = Duration::from_millis(16);
/// Minimum time between two frames on a serial line.
const SLOW_FRAME: Duration = Duration::from_millis(500);

/// How long files being written are waited for at the end.
const FILES_TIMEOUT: Duration = Duration::from_secs(2);

/// How often to check for the foreground if suspending has no effect.
const FOREGROUND_POLL: Duration = Duration::from_millis(200);

/// How long to wait for more keys after one: the library reads none with a timeout of zero.
const KEY_POLL: Duration = Duration::from_millis(1);

/// Runs until the person quits.
///
/// # Errors
/// If there is no terminal at the start.
pub fn run(opening: Opening) -> io::Result<ExitReport> {
    waiting::runtime()?.block_on(open(opening))
}

async fn open(opening: Opening) -> io::Result<ExitReport> {
    let signals = Signals::watch(terminal::WATCHED)?;
    let (inbox, messages) = mpsc::unbounded_channel();
    let inbox = Inbox(inbox);
    let device = terminal::device();
    let own = terminal::own_terminal()?;
    let start = AppInit {
        kind: kind(&opening.source),
        source: opening.name,
        size: terminal::size(&opening.terminal),
        terminal: TerminalInfo { device, ..opening.terminal },
        settings: opening.settings,
        problems: opening.problems,
        now: Clock::Real.now(),
    };
    let mut app = App::new(start);
    app.save_problem = opening.host.save_problem();
    let changes = ChangeRunner::new(opening.engine, inbox.clone());
    app.change.blocked = changes.blocked_reason();
    app.lab = LabState::with_loads(changes.loads());
    app.learn = opening.learn;
    if let Some(player) = opening.lesson {
        app.begin_lesson(*player);
    }
    app.refresh();
    changes.query(|engine| engine.read_journal(), Msg::JournalAtStart);
    let input = Watched::new(io::stdin(), PollFlags::POLLIN)?;
    let gone = Watched::new(&own, PollFlags::empty())?;
    let screen = TerminalScreen::take(own, app.mouse)?;
    let wanted = (app.wants, app.interval);
    let (jobs, host) = (BackgroundJobs::default(), Arc::clone(&opening.host));
    let feed = Feed::start(opening.source, inbox.clone(), host, jobs.clone(), wanted)?;
    let mut runtime = Runtime {
        frame: if app.terminal.is_serial() { SLOW_FRAME } else { FRAME },
        app,
        screen,
        feed,
        inbox,
        messages,
        signals,
        timer: Timer::new()?,
        input,
        gone,
        host: opening.host,
        jobs,
        changes,
        queue: Queue::default(),
        hits: HitMap::default(),
        drawn: None,
        dirty: true,
        away: false,
        ending: None,
    };
    let reason = runtime.run().await;
    let told = runtime.leave(reason).await;
    Ok(ExitReport { reason, message: told })
}

fn kind(source: &SnapshotSource) -> SourceKind {
    match source {
        SnapshotSource::Live { .. } | SnapshotSource::Synthetic(_) => SourceKind::Live,
        SnapshotSource::Captured { .. } => SourceKind::Captured,
        SnapshotSource::Simulated(_) => SourceKind::Simulated,
        SnapshotSource::Replay(_) => SourceKind::Recording,
    }
}

struct Runtime {
    app: App,
    screen: TerminalScreen,
    feed: Feed,
    inbox: Inbox,
    messages: UnboundedReceiver<Msg>,
    signals: Signals,
    timer: Timer,
    input: Watched,
    /// Reports that the terminal is gone.
    gone: Watched,
    host: Arc<dyn Host>,
    jobs: BackgroundJobs,
    changes: ChangeRunner,
    queue: Queue,
    hits: HitMap,
    /// The time of the last frame.
    drawn: Option<Stamp>,
    frame: Duration,
    /// Has anything changed since the last frame?
    dirty: bool,
    /// Is the terminal used by others, until a shell continues this process?
    away: bool,
    ending: Option<ExitReason>,
}

/// Is there an event to read? The library may report none, even for events it has already read, if this
/// process was not scheduled during the timeout. Nothing would wake the loop for those events, so it asks
/// twice.
fn is_typed() -> io::Result<bool> {
    Ok(event::poll(KEY_POLL)? || event::poll(KEY_POLL)?)
}

impl Runtime {
    async fn run(&mut self) -> ExitReason {
        loop {
            if let Some(ending) = self.ending {
                return ending;
            }
            if self.draw().is_err() {
                return ExitReason::Lost;
            }
            self.take_next().await;
            self.tick();
            // Without a shell, the process cannot be suspended: the loop must not spin.
            if self.away && self.ending.is_none() {
                self.stop();
            }
        }
    }

    /// Waits for the next event and handles it. Signals come first, and keys before new samples, because a
    /// click refers to what the person sees.
    async fn take_next(&mut self) {
        let due = self.until_due();
        let unsent = self.screen.outbox().is_waiting();
        tokio::select! {
            biased;
            signal = self.signals.next() => self.signal(signal),
            _ = self.gone.ready() => self.ending = Some(ExitReason::Lost),
            () = self.screen.outbox().room(), if unsent => {
                if self.screen.send().is_err() {
                    self.ending = Some(ExitReason::Lost);
                }
            }
            events = self.input.ready(), if !self.away => self.input(events),
            Some(message) = self.messages.recv() => self.take(message),
            message = self.feed.next() => self.take(message),
            () = self.timer.sleep(due) => {}
        }
    }

    /// Draws if something changed, the last frame is not too recent, and the terminal has taken that frame.
    fn draw(&mut self) -> io::Result<()> {
        let ready = self.dirty && !self.away && !self.screen.outbox().is_waiting();
        if !ready || !self.until_frame().is_zero() {
            return Ok(());
        }
        self.hits = self.screen.draw(&self.app)?;
        self.drawn = Some(Clock::Real.now());
        self.dirty = false;
        Ok(())
    }

    fn until_frame(&self) -> Duration {
        let Some(drawn) = self.drawn else { return Duration::ZERO };
        let passed = Clock::Real.now().boot_ns.saturating_sub(drawn.boot_ns);
        self.frame.saturating_sub(Duration::from_nanos(passed))
    }

    /// The time until the next frame, or until the screen changes by itself: the next sample of a played
    /// recording, a stale sample, the end of write mode, or the next step of a lesson that plays by itself.
    fn until_due(&self) -> Duration {
        if self.away {
            return FOREGROUND_POLL;
        }
        let now = Clock::Real.now();
        let until = |due: Stamp| Duration::from_nanos(due.boot_ns.saturating_sub(now.boot_ns));
        let changed = match self.app.source.time {
            Time::Playing { due, .. } => until(due),
            Time::Newest if self.app.is_live() => self.app.until_stale(now),
            Time::Newest | Time::Paused(_) => Duration::from_mins(1),
        };
        let draws = self.dirty && !self.screen.outbox().is_waiting();
        let frame = draws.then(|| self.until_frame());
        let ends = [self.app.change.write_until, self.app.learn.due].into_iter().flatten();
        frame.into_iter().chain(ends.map(until)).fold(changed, Duration::min)
    }

    fn tick(&mut self) {
        self.take(Msg::Tick(Clock::Real.now()));
    }

    /// Reads all pending input.
    fn input(&mut self, events: PollFlags) {
        if events.intersects(PollFlags::POLLHUP | PollFlags::POLLERR | PollFlags::POLLNVAL) {
            self.ending = Some(ExitReason::Lost);
        }
        self.tick();
        while self.ending.is_none() {
            match is_typed() {
                Ok(true) => {}
                Ok(false) => return,
                Err(_) => return self.ending = Some(ExitReason::Lost),
            }
            match event::read() {
                Ok(Event::Key(key)) => self.take(Msg::Key(key)),
                Ok(Event::Mouse(mouse)) => self.take(Msg::Mouse(mouse)),
                Ok(Event::Paste(text)) => self.take(Msg::Paste(text)),
                Ok(Event::Resize(..) | Event::FocusGained | Event::FocusLost) => {}
                Err(_) => self.ending = Some(ExitReason::Lost),
            }
        }
    }

    fn signal(&mut self, signal: Signal) {
        match signal {
            Signal::SIGWINCH => self.resize(),
            // Suspending would also stop the thread that carries out the change.
            Signal::SIGTSTP if self.changes.is_running() => {}
            Signal::SIGTSTP => self.suspend(),
            Signal::SIGCONT => self.resume(),
            other => self.ending = Some(ExitReason::Signal(other)),
        }
    }

    fn take(&mut self, message: Msg) {
        let (effects, changed) = super::update(&mut self.app, message, &self.hits);
        self.dirty |= changed;
        for effect in effects {
            self.perform(effect);
        }
    }

    fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::Quit => self.ending = Some(ExitReason::Quit),
            Effect::Suspend => self.suspend(),
            Effect::Redraw => self.or_lost(TerminalScreen::clear),
            Effect::Mouse(wanted) => self.or_lost(|screen| screen.mouse(wanted)),
            Effect::Plan(number, request, options) => self.changes.query(
                move |engine| engine.propose(&request, &options).map(AnyProposal::Change),
                move |proposal| Msg::Planned(number, proposal.map(Box::new)),
            ),
            Effect::ProposeSetup(number, request) => {
                let asked = Box::new(request.clone());
                self.changes.query(
                    move |engine| engine.propose_setup(&request).map(Box::new),
                    move |proposal| Msg::SetupProposed(number, asked, proposal),
                );
            }
            Effect::PlanSession(number, form) => self.changes.query(
                move |engine| engine.prepare(&form).map(AnyProposal::Session),
                move |proposal| Msg::Planned(number, proposal.map(Box::new)),
            ),
            Effect::Simulate(number, question) => self.changes.simulate(number, *question),
            Effect::StopSimulation => self.changes.stop_simulation(),
            Effect::CarryOut(proposal) => self.changes.carry_out(*proposal),
            Effect::Stop => self.changes.stop(StopReason::Asked),
            Effect::StopUndo => self.changes.give_up(),
            Effect::Run(proposal) => self.changes.run(*proposal),
            Effect::Prepare(number, form) => self.changes.query(
                move |engine| engine.prepare(&form).map(Box::new),
                move |proposal| Msg::Prepared(number, proposal),
            ),
            Effect::Results => self.changes.query(|engine| engine.results(), Msg::Results),
            Effect::Result(id) => self.changes.query(move |engine| engine.result(id), Msg::Result),
            Effect::Comparable(pair) => self.changes.query(
                move |engine| engine.compare(pair).map(drop),
                move |result| Msg::Comparable(pair, result),
            ),
            Effect::Compare(pair) => {
                self.changes.query(move |engine| engine.compare(pair), Msg::Compared);
            }
            Effect::ChangeMachine(machine) => {
                self.changes.lesson = machine.map(|machine| self.host.lesson_engine(&machine));
                self.app.change.blocked = self.changes.blocked_reason();
            }
            Effect::ReadJournal => {
                self.changes.query(|engine| engine.read_journal(), Msg::JournalRead);
            }
            Effect::Copy(text) => self.or_lost(|screen| screen.copy(&text)),
            Effect::CopyTable(table) => match self.host.format_table(&table, TableFormat::Markdown)
            {
                Ok(text) => self.or_lost(|screen| screen.copy(&text)),
                Err(why) => self.take(Msg::TableWritten(Err(why))),
            },
            Effect::SaveTable(table, format) => self
                .run_in_background(move |host| Msg::TableWritten(host.save_table(&table, format))),
            Effect::SetWants(parts, interval) => self.feed.set_wants(parts, interval),
            Effect::ReadSubject(subject) => self.feed.set_subject(subject),
            Effect::SampleNow => self.feed.sample_now(),
            Effect::LoadMore => self.feed.load_more(),
            Effect::StartRecording => self.feed.record(true),
            Effect::StopRecording => self.feed.record(false),
            Effect::Save(settings) => {
                self.run_in_background(move |host| Msg::Saved(host.save(&settings)));
            }
            Effect::SaveProgress(text) => {
                self.run_in_background(move |host| Msg::ProgressSaved(host.save_progress(&text)));
            }
            Effect::Write(snapshots) => {
                self.run_in_background(move |host| Msg::Written(host.write_recording(&snapshots)));
            }
        }
    }

    /// Runs work that may wait for a disk in the background, in order.
    fn run_in_background(&mut self, work: impl FnOnce(&dyn Host) -> Msg + Send + 'static) {
        let (host, inbox, job) =
            (Arc::clone(&self.host), self.inbox.clone(), self.jobs.subscribe());
        let work = move || {
            inbox.put(work(host.as_ref()));
            drop(job);
        };
        if let Err(error) = self.queue.put(work) {
            self.take(Msg::Saved(Err(error.to_string())));
        }
    }

    fn or_lost(&mut self, work: impl FnOnce(&mut TerminalScreen) -> io::Result<()>) {
        if work(&mut self.screen).is_err() {
            self.ending = Some(ExitReason::Lost);
        }
        self.dirty = true;
    }

    fn suspend(&mut self) {
        self.screen.leave();
        self.stop();
    }

    /// Suspends until a shell continues the process in the foreground: elsewhere, the terminal belongs to
    /// others.
    fn stop(&mut self) {
        match terminal::stop(&self.signals) {
            Some(last) => self.ending = Some(ExitReason::Signal(last)),
            None if terminal::is_foreground() => self.enter(),
            None => self.away = true,
        }
    }

    /// Continues after a suspension.
    fn resume(&mut self) {
        if terminal::is_foreground() {
            self.screen.leave();
            self.enter();
        } else {
            self.stop();
        }
    }

    fn resize(&mut self) {
        self.take(Msg::Resize(terminal::size(&self.app.terminal)));
    }

    /// Takes the terminal again: others may have used it, and its size may have changed.
    fn enter(&mut self) {
        self.away = false;
        self.or_lost(TerminalScreen::enter);
        self.resize();
    }

    /// Gives the terminal back and finishes files being written. A running change is stopped and undone;
    /// returns its end.
    async fn leave(&mut self, ending: ExitReason) -> Option<String> {
        self.screen.leave();
        self.feed.record(false);
        let running = self.changes.is_running();
        if running {
            self.changes.stop(match ending {
                ExitReason::Signal(signal) => StopReason::Signal(signal),
                ExitReason::Lost => StopReason::TerminalGone,
                ExitReason::Quit => StopReason::Left,
            });
        }
        self.messages.close();
        while self.changes.is_running() {
            tokio::select! {
                () = self.changes.until_over() => {}
                // As on the command line: a second request stops the undo.
                signal = self.signals.next() => {
                    if signal == Signal::SIGINT {
                        self.changes.give_up();
                    }
                }
            }
        }
        tokio::select! {
            () = self.jobs.closed() => {}
            () = self.timer.sleep(FILES_TIMEOUT) => {}
        }
        (running || self.app.change.leaving).then(|| self.changes.end_message()).flatten()
    }
}
