//! The state of the interface: all that a frame is drawn from.

use super::command;
use super::history::{Bounds, History, HistoryEntry};
use super::job::ChangeState;
use super::lab::LabState;
use super::layout::ScreenLayout;
use super::appearance::{Appearance, TerminalInfo};
use super::map_state::MapState;
use super::msg::Effect;
use super::overlay::Overlay;
use super::pane::{PaneState, ScreenState};
use super::pane_data::PaneData;
use super::recent_findings::RecentFindings;
use super::screen::{Pane, Screen};
use super::screens::SCREENS;
use super::settings::Settings;
use super::table_state::TableState;
use super::table_query::needs;
use crate::columns::tables::kernel::id as kernel;
use crate::columns::{Query, Value};
use crate::model::Stamp;
use crate::sampler::WantedParts;
use ratatui::crossterm::event::KeyEvent;
use ratatui::layout::Size;
use std::collections::BTreeMap;
use std::time::Duration;

/// Where snapshots come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceKind {
    /// The machine we run on.
    Live,
    /// A captured tree.
    Captured,
    /// A recording.
    Recording,
}

/// Which moment is on screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Time {
    /// Always the newest.
    Newest,
    /// This one.
    Paused(u64),
    /// This one, and then the next, as a recording is played.
    Playing {
        /// The number of the moment.
        moment: u64,
        /// When the next one is due.
        due: Stamp,
    },
}

/// A recording that is being written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recording {
    /// It has no file yet.
    Starting,
    /// Its file.
    Writing(String),
}

/// A sentence that stands in the footer until the next key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The sentence.
    pub text: String,
    /// How it is said.
    pub tone: Tone,
}

/// How something is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Something was done, or cannot be done.
    Plain,
    /// Something went wrong.
    Bad,
    /// A key meant nothing: one hint is enough for many such keys.
    Hint,
    /// Something is awaited: gone when that comes.
    Awaiting,
}

/// The state of the interface.
#[derive(Debug)]
pub struct App {
    /// Where snapshots come from.
    pub kind: SourceKind,
    /// What that is called: the file of a recording, the folder of a captured tree.
    pub source: String,
    /// The size of the terminal.
    pub size: Size,
    /// How things look on it.
    pub look: Appearance,
    /// What the terminal can do.
    pub terminal: TerminalInfo,
    /// Is the mouse ours?
    pub mouse: bool,
    /// What was set.
    pub settings: Settings,
    /// Why that cannot be kept at all, if that is so.
    pub save_problem: Option<&'static str>,
    /// Time between two samples, or between two moments of a recording that is played.
    pub interval: Duration,
    /// What was seen.
    pub history: History,
    /// What was found lately.
    pub(super) recent: RecentFindings,
    /// Which moment is on screen.
    pub time: Time,
    /// Now, as far as we were told.
    pub now: Stamp,
    /// Is all of a recording here?
    pub ended: bool,
    /// The screen that is shown.
    pub screen: usize,
    /// All screens.
    pub screens: Vec<ScreenState>,
    /// What lies above the screen, uppermost last.
    pub overlays: Vec<Overlay>,
    /// What the footer says instead of its hints.
    pub notice: Option<Notice>,
    /// The recording that is being written.
    pub recording: Option<Recording>,
    /// Changes: whether they are allowed, what is planned, what is under way.
    pub change: ChangeState,
    /// Loads, and what is kept of those that ran.
    pub lab: LabState,
    /// How the map is looked at.
    pub map: MapState,
    /// Who we are on which machine, for the first line.
    pub title: PaneData,
    pub(super) title_queries: Vec<Query>,
    /// Where things stand.
    pub layout: ScreenLayout,
    /// The parts that the screen needs.
    pub wants: WantedParts,
}

/// What the interface begins with.
#[derive(Debug)]
pub struct AppInit {
    /// Where snapshots come from.
    pub kind: SourceKind,
    /// What that is called.
    pub source: String,
    /// The size of the terminal.
    pub size: Size,
    /// What it can do.
    pub terminal: TerminalInfo,
    /// What was set.
    pub settings: Settings,
    /// What was wrong with that, to be told once.
    pub problems: Vec<String>,
    /// Now.
    pub now: Stamp,
}

impl App {
    /// The interface before anything was seen.
    pub fn new(start: AppInit) -> Self {
        let bounds =
            if start.kind == SourceKind::Recording { Bounds::RECORDING } else { Bounds::LIVE };
        let first = SCREENS.iter().position(|screen| screen.id == start.settings.screen);
        let screens = SCREENS.iter().map(|screen| ScreenState::new(screen, &start.settings));
        let mut app = Self {
            kind: start.kind,
            source: start.source,
            size: start.size,
            look: start.terminal.look(start.settings.color, start.settings.glyphs),
            terminal: start.terminal,
            mouse: start.settings.mouse,
            interval: start.settings.interval,
            screens: screens.collect(),
            settings: start.settings,
            save_problem: None,
            history: History::new(bounds),
            recent: RecentFindings::default(),
            time: Time::Newest,
            now: start.now,
            ended: false,
            screen: first.unwrap_or(0),
            overlays: Vec::new(),
            notice: None,
            recording: None,
            change: ChangeState::default(),
            lab: LabState::default(),
            map: MapState::default(),
            title: PaneData::default(),
            title_queries: super::screens::title_queries(),
            layout: ScreenLayout::default(),
            wants: WantedParts::NOTHING,
        };
        if !start.problems.is_empty() {
            app.overlays.push(Overlay::page("Settings that were not understood", start.problems));
        }
        app.refresh();
        app
    }

    /// The screen that is shown.
    pub fn shown(&self) -> &'static Screen {
        SCREENS.get(self.screen).copied().unwrap_or(&super::screens::overview::SCREEN)
    }

    /// What was done in it.
    pub fn state(&self) -> Option<&ScreenState> {
        self.screens.get(self.screen)
    }

    /// What was done in it.
    pub fn state_mut(&mut self) -> Option<&mut ScreenState> {
        self.screens.get_mut(self.screen)
    }

    /// The pane that keys go to.
    pub fn pane(&self) -> Option<&PaneState> {
        let state = self.state()?;
        state.panes.get(state.focus)
    }

    /// The pane that keys go to.
    pub fn pane_mut(&mut self) -> Option<&mut PaneState> {
        let state = self.state_mut()?;
        state.panes.get_mut(state.focus)
    }

    /// What is known of that pane whatever it shows.
    pub fn pane_info(&self) -> Option<&'static Pane> {
        self.shown().panes.get(self.state()?.focus)
    }

    /// Gives this pane the focus.
    pub fn focus(&mut self, pane: usize) {
        if let Some(state) = self.state_mut() {
            state.focus = pane.min(state.panes.len().saturating_sub(1));
        }
    }

    /// The table that keys go to.
    pub fn sheet(&self) -> Option<&TableState> {
        let pane = self.pane()?;
        pane.sheets.get(pane.sheet)
    }

    /// The table that keys go to.
    pub fn sheet_mut(&mut self) -> Option<&mut TableState> {
        let pane = self.pane_mut()?;
        pane.sheets.get_mut(pane.sheet)
    }

    /// How many tables the pane has.
    pub fn sheets(&self) -> usize {
        self.pane().map_or(0, |pane| pane.sheets.len())
    }

    /// The word that was looked for last in this table.
    pub fn searched(&self) -> Option<&str> {
        self.sheet()?.searched.as_deref()
    }

    /// Are the rows of the table a tree?
    pub fn can_branch(&self) -> bool {
        self.sheet().is_some_and(|sheet| sheet.query.spec.tree.is_some())
    }

    /// Does the table leave out rows by itself?
    pub fn hides_rows(&self) -> bool {
        self.sheet().is_some_and(|sheet| sheet.query.spec.only.is_some())
    }

    /// Do snapshots come from the machine we run on?
    pub fn is_live(&self) -> bool {
        self.kind == SourceKind::Live
    }

    /// Is a change under way?
    pub fn is_busy(&self) -> bool {
        self.change.job.as_ref().is_some_and(|job| job.ended.is_none())
    }

    /// What is under way, and how it is stopped; none where nothing is.
    pub fn busy_with(&self) -> Option<String> {
        let job = self.change.job.as_ref().filter(|job| job.ended.is_none())?;
        let what = match &job.load {
            Some(load) => format!("{} is running", load.label()),
            None => "a change is under way".to_owned(),
        };
        Some(format!("{what}: F9 shows it, and c there stops it"))
    }

    /// The list of the lab in which words are looked for now, if there is one.
    pub fn searchable_list(&self) -> Option<&'static str> {
        let pane = self.pane_info().filter(|_| self.shows_lab())?;
        self.lab.searchable(pane.id)
    }

    /// Is the lab on screen?
    pub fn shows_lab(&self) -> bool {
        self.shown().id == super::screens::lab::SCREEN.id
    }

    /// Is the map on screen, and do keys go to it?
    pub fn is_on_map(&self) -> bool {
        self.pane_info().is_some_and(|pane| pane.id == super::screens::map::MAP)
    }

    /// Does a load run?
    pub fn has_load(&self) -> bool {
        let job = self.change.job.as_ref().filter(|job| job.ended.is_none());
        job.is_some_and(|job| job.load.is_some())
    }

    /// The place for what lies above the screen: not over the change that is under way.
    pub fn overlay_size(&self) -> Size {
        let taken = u16::from(self.is_busy());
        Size::new(self.size.width, self.size.height.saturating_sub(taken))
    }

    /// Is there more than one moment?
    pub fn has_time(&self) -> bool {
        self.kind != SourceKind::Captured
    }

    /// The number of the moment on screen.
    pub fn moment_number(&self) -> Option<u64> {
        let (first, last) = self.history.span()?;
        Some(match self.time {
            Time::Newest => last,
            Time::Paused(moment) | Time::Playing { moment, .. } => moment.clamp(first, last),
        })
    }

    /// The moment on screen.
    pub fn moment(&self) -> Option<&HistoryEntry> {
        self.history.get(self.moment_number()?)
    }

    /// The parts that the screen needs.
    pub(super) fn needs(&self) -> WantedParts {
        let visible = self.layout.panes.iter().map(|(pane, _)| *pane);
        let panes = self.state().map_or(WantedParts::NOTHING, |state| state.needs(visible));
        WantedParts {
            shown: panes.shown.with(needs(&self.title_queries)),
            background: panes.background.with(self.history.needs()),
        }
    }

    /// Is the last moment of a recording on screen, and none to come?
    pub fn is_at_end(&self) -> bool {
        let last = self.history.span().map(|(_, last)| last);
        let held = matches!(self.time, Time::Paused(_)) && self.moment_number() == last;
        held && self.ended && self.kind == SourceKind::Recording
    }

    /// How old the moment on screen is, if it is older than it should be.
    pub fn stale(&self) -> Option<Duration> {
        if !self.is_live() || self.time != Time::Newest {
            return None;
        }
        let age = self.now.seconds_since(self.history.newest()?.now.stamp);
        (age > self.late()).then(|| Duration::from_secs_f64(age))
    }

    /// The time that a step of a history stands for: what is sampled now, or was recorded then.
    pub fn step(&self, moment: u64) -> Duration {
        let recorded =
            (self.kind == SourceKind::Recording).then(|| self.history.step(moment)).flatten();
        recorded.unwrap_or(self.interval)
    }

    /// How long until what is shown is stale; a second where it is already, since its age is
    /// shown in seconds.
    pub fn until_stale(&self, now: Stamp) -> Duration {
        let Some(newest) = self.history.newest() else { return Duration::from_secs(1) };
        let age = now.seconds_since(newest.now.stamp);
        let left = self.late() - age;
        if left > 0.0 { Duration::from_secs_f64(left) } else { Duration::from_secs(1) }
    }

    /// The age in seconds from which on a snapshot is stale: two ticks, and the time that a sample
    /// itself may take.
    fn late(&self) -> f64 {
        self.interval.as_secs_f64().mul_add(2.0, 0.5)
    }

    /// Take new settings, so that they are seen at once.
    pub fn adopt(&mut self, settings: Settings) -> Vec<Effect> {
        let mouse = settings.mouse != self.settings.mouse;
        if settings.interval != self.settings.interval {
            self.interval = settings.interval;
        }
        self.look = self.terminal.look(settings.color, settings.glyphs);
        self.settings = settings;
        if !mouse {
            return vec![Effect::Redraw];
        }
        self.mouse = self.settings.mouse;
        vec![Effect::Redraw, Effect::Mouse(self.mouse)]
    }

    /// Sample this often from now on, or play a recording at this pace, which is no setting.
    pub fn set_interval(&mut self, interval: Duration) {
        self.interval = interval;
        if self.kind != SourceKind::Recording {
            self.settings.interval = interval;
        }
    }

    /// Make what was asked of tables part of the settings, before they are kept.
    pub fn remember_tables(&mut self) {
        let sheets =
            self.screens.iter().flat_map(|screen| &screen.panes).flat_map(|pane| &pane.sheets);
        for sheet in sheets {
            let table = sheet.info.table.to_owned();
            let own = sheet.request.columns.as_deref() == sheet.info.columns;
            keep(&mut self.settings.columns, &table, sheet.request.columns.as_ref(), own);
            let own = sheet.request.sort.as_deref() == sheet.info.sort;
            keep(&mut self.settings.sort, &table, sheet.request.sort.as_ref(), own);
        }
    }

    /// Say once, quietly, that these rights do not let us see everything.
    pub fn notify_rights(&mut self) {
        let titles = PaneData::collect(&self.title_queries, |query| self.rows(query));
        let root = titles.first(kernel::UID).and_then(Value::number);
        let said = self.notice.is_some();
        if self.is_live() && !said && root.is_some_and(|uid| uid > 0.0) {
            self.notify("not root: what cannot be read is shown as -, and e says why");
        }
    }

    /// Say something in the footer until the next key.
    pub fn notify(&mut self, text: impl Into<String>) {
        self.set_notice(text.into(), Tone::Plain);
    }

    /// The same of a key that means nothing.
    pub fn hint(&mut self, text: impl Into<String>) {
        self.set_notice(text.into(), Tone::Hint);
    }

    /// Says that a key does nothing here, and names the keys that do.
    pub fn notify_unbound_key(&mut self, event: KeyEvent, rather: &str) {
        if let Some(text) = command::unbound_key_message(event, rather) {
            self.hint(text);
        }
    }

    /// The same of something that is awaited.
    pub fn notify_waiting(&mut self, text: impl Into<String>) {
        self.set_notice(text.into(), Tone::Awaiting);
    }

    /// The same of something that went wrong.
    pub fn notify_error(&mut self, text: impl Into<String>) {
        self.set_notice(text.into(), Tone::Bad);
    }

    fn set_notice(&mut self, text: String, tone: Tone) {
        self.notice = Some(Notice { text, tone });
    }
}

/// Keep what was asked of a table, or forget it where that is the table's own choice again.
fn keep(kept: &mut BTreeMap<String, String>, table: &str, asked: Option<&String>, own: bool) {
    match asked.filter(|_| !own) {
        Some(asked) => kept.insert(table.to_owned(), asked.clone()),
        None => kept.remove(table),
    };
}
