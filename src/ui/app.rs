//! The state of the interface, from which every frame is drawn.

mod notice;
mod time;

pub use notice::{Notice, Tone};

use super::appearance::{Appearance, TerminalInfo};
use super::content::Origin;
use super::events::Events;
use super::history::{Bounds, History};
use super::hit::Clickable;
use super::job::ChangeState;
use super::lab::LabState;
use super::layout::ScreenLayout;
use super::learn::LearnState;
use super::map_state::MapState;
use super::msg::Effect;
use super::overlay::Overlay;
use super::pane::{PaneState, ScreenState};
use super::pane_data::PaneData;
use super::recent_findings::RecentFindings;
use super::screen::{Pane, Screen};
use super::screens::{PAGES, SCREENS};
use super::settings::Settings;
use super::table_state::TableState;
use super::theme::Role;
use super::thresholds;
use crate::columns::tables::findings;
use crate::columns::{Info, Query, Value, query};
use crate::model::subject::DetailTarget;
use crate::model::swaparea::SwapArea;
use crate::model::{Name, PartSet, Stamp, part_set};
use crate::sampler::WantedParts;
use ratatui::layout::Size;
use std::collections::BTreeMap;
use std::time::Duration;

/// The source of samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceKind {
    /// The machine that swapadm runs on.
    Live,
    /// A captured tree.
    Captured,
    /// A recording.
    Recording,
    /// A simulated machine.
    Simulated,
}

/// Which sample is on screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Time {
    /// The newest sample.
    Newest,
    /// This sample.
    Paused(u64),
    /// This sample, then the next, as a recording is played.
    Playing {
        /// The number of the sample.
        moment: u64,
        /// When the next sample is due.
        due: Stamp,
    },
}

/// A recording that is being written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recording {
    /// The file is being created.
    Starting,
    /// The name of the file.
    Writing(String),
}

/// The state of the interface.
#[derive(Debug)]
pub struct App {
    /// The source of samples, and what belongs to it.
    pub source: SourceState,
    /// The size of the terminal.
    pub size: Size,
    /// Glyphs and colors.
    pub look: Appearance,
    /// The capabilities of the terminal.
    pub terminal: TerminalInfo,
    /// Is the mouse captured?
    pub mouse: bool,
    /// The settings.
    pub settings: Settings,
    /// Why settings cannot be saved, if so.
    pub save_problem: Option<&'static str>,
    /// Time between two samples, live or played.
    pub interval: Duration,
    /// The time of the last tick.
    pub now: Stamp,
    /// The screen that is shown.
    pub screen: usize,
    /// The process or cgroup whose page is shown.
    pub subject: Option<DetailTarget>,
    /// The screens and pages that Esc leads back to.
    pub trail: Vec<(usize, Option<DetailTarget>)>,
    /// Overlays, topmost last.
    pub overlays: Vec<Overlay>,
    /// The notice in the footer, instead of key hints.
    pub notice: Option<Notice>,
    /// The recording being written.
    pub recording: Option<Recording>,
    /// Changes: write mode, the plan awaited, and the running change.
    pub change: ChangeState,
    /// The number of questions to the model so far.
    pub simulations: u64,
    /// Workloads, experiments and their results.
    pub lab: LabState,
    /// Lessons, and the one that is played.
    pub learn: LearnState,
    /// The state of the other source while a lesson is played.
    pub(super) outside: Option<Box<SourceState>>,
    /// Metric, zoom and cursor of the map.
    pub map: MapState,
    /// Host, kernel and state, for the first line.
    pub title: PaneData,
    pub(super) title_queries: Vec<Query>,
    /// The arrangement of the screen.
    pub layout: ScreenLayout,
    /// The parts to sample.
    pub wants: WantedParts,
    /// Effects that the runtime carries out after this message, in order.
    pub(super) effects: Vec<Effect>,
}

/// The part of the interface that belongs to a source of samples.
#[derive(Debug)]
pub struct SourceState {
    /// The kind of source.
    pub kind: SourceKind,
    /// The name: the file of a recording, the folder of a captured tree, a simulated machine.
    pub name: String,
    /// Past samples.
    pub history: History,
    /// Recent events.
    pub events: Events,
    /// Recent findings.
    pub(super) recent: RecentFindings,
    /// Which sample is on screen.
    pub time: Time,
    /// Is the whole recording read?
    pub ended: bool,
    /// All screens, then the pages of one process and of one cgroup.
    pub screens: Vec<ScreenState>,
}

impl SourceState {
    /// A source before its first sample.
    pub(super) fn new(kind: SourceKind, name: String, settings: &Settings) -> Self {
        let is_recording = kind == SourceKind::Recording;
        let screens = SCREENS.iter().chain(PAGES);
        Self {
            kind,
            name,
            history: History::new(if is_recording { Bounds::RECORDING } else { Bounds::LIVE }),
            events: Events::default(),
            recent: RecentFindings::default(),
            time: Time::Newest,
            ended: false,
            screens: screens.map(|screen| ScreenState::new(screen, settings)).collect(),
        }
    }
}

/// The initial state of the interface.
#[derive(Debug)]
pub struct AppInit {
    /// The source of samples.
    pub kind: SourceKind,
    /// The name of the source.
    pub source: String,
    /// The size of the terminal.
    pub size: Size,
    /// The capabilities of the terminal.
    pub terminal: TerminalInfo,
    /// The settings.
    pub settings: Settings,
    /// Problems in the settings file, to be reported once.
    pub problems: Vec<String>,
    /// The current time.
    pub now: Stamp,
}

impl App {
    /// The interface before the first sample.
    pub fn new(start: AppInit) -> Self {
        let first = SCREENS.iter().position(|screen| screen.id == start.settings.screen);
        let mut app = Self {
            source: SourceState::new(start.kind, start.source, &start.settings),
            size: start.size,
            look: start.settings.look(&start.terminal),
            terminal: start.terminal,
            mouse: start.settings.mouse,
            interval: start.settings.interval,
            subject: None,
            trail: Vec::new(),
            settings: start.settings,
            save_problem: None,
            now: start.now,
            screen: first.unwrap_or(0),
            overlays: Vec::new(),
            notice: None,
            recording: None,
            change: ChangeState::default(),
            simulations: 0,
            lab: LabState::default(),
            learn: LearnState::default(),
            outside: None,
            map: MapState::default(),
            title: PaneData::default(),
            title_queries: super::screens::title_queries(),
            layout: ScreenLayout::default(),
            wants: WantedParts::NOTHING,
            effects: Vec::new(),
        };
        if !start.problems.is_empty() {
            app.overlays.push(Overlay::page("Problems in the settings file", start.problems));
        }
        app.refresh();
        app
    }

    /// The current screen.
    pub fn shown(&self) -> &'static Screen {
        let mut screens = SCREENS.iter().chain(PAGES);
        screens.nth(self.screen).copied().unwrap_or(&super::screens::overview::SCREEN)
    }

    /// The state of the current screen.
    pub fn state(&self) -> Option<&ScreenState> {
        self.source.screens.get(self.screen)
    }

    /// The state of the current screen.
    pub fn state_mut(&mut self) -> Option<&mut ScreenState> {
        self.source.screens.get_mut(self.screen)
    }

    /// The focused pane.
    pub fn pane(&self) -> Option<&PaneState> {
        let state = self.state()?;
        state.panes.get(state.focus)
    }

    /// The focused pane.
    pub fn pane_mut(&mut self) -> Option<&mut PaneState> {
        let state = self.state_mut()?;
        state.panes.get_mut(state.focus)
    }

    /// The description of the focused pane.
    pub fn pane_info(&self) -> Option<&'static Pane> {
        self.shown().panes.get(self.state()?.focus)
    }

    /// Focuses this pane.
    pub fn focus(&mut self, pane: usize) {
        if let Some(state) = self.state_mut() {
            state.focus = pane.min(state.panes.len().saturating_sub(1));
        }
    }

    /// The table in the focused pane.
    pub fn sheet(&self) -> Option<&TableState> {
        let pane = self.pane()?;
        pane.sheets.get(pane.sheet)
    }

    /// The table whose selected row actions are about: that of the focused pane, or else the first one of the
    /// screen, which its other panes describe.
    pub fn table_of_actions(&self) -> Option<&TableState> {
        let first = || {
            let pane = self.state()?.panes.iter().find(|pane| !pane.sheets.is_empty())?;
            pane.sheets.get(pane.sheet)
        };
        self.sheet().or_else(first)
    }

    /// The table in the focused pane.
    pub fn sheet_mut(&mut self) -> Option<&mut TableState> {
        let pane = self.pane_mut()?;
        pane.sheets.get_mut(pane.sheet)
    }

    /// The number of tables in the focused pane.
    pub fn sheets(&self) -> usize {
        self.pane().map_or(0, |pane| pane.sheets.len())
    }

    /// The word last searched in this table.
    pub fn searched(&self) -> Option<&str> {
        self.sheet()?.searched.as_deref()
    }

    /// Can the rows be shown as a tree?
    pub fn can_branch(&self) -> bool {
        self.sheet().is_some_and(|sheet| sheet.query.spec.tree.is_some())
    }

    /// Does the table leave out rows by default?
    pub fn hides_rows(&self) -> bool {
        self.sheet().is_some_and(|sheet| sheet.query.spec.only.is_some())
    }

    /// Do samples come from the live machine?
    pub fn is_live(&self) -> bool {
        self.source.kind == SourceKind::Live
    }

    /// Why no change can be planned, if so: recordings and demonstrations have no engine, and the machine of a lesson
    /// is changed only in steps that are repaired by hand.
    pub fn why_unchangeable(&self) -> Option<&'static str> {
        let player = self.learn.player.as_deref();
        if player.is_some_and(|player| player.repaired_machine().is_none()) {
            Some("leave the lesson first (9, then q): its machine cannot be changed")
        } else if self.learn.sentence.is_some() {
            Some("a demonstration changes nothing: swapadm --machine NAME watch makes changes")
        } else {
            (self.source.kind == SourceKind::Recording).then_some("recordings cannot be changed")
        }
    }

    /// Can changes be carried out, and is there a journal of them?
    pub fn is_writable(&self) -> bool {
        matches!(self.source.kind, SourceKind::Live | SourceKind::Simulated)
            && self.why_unchangeable().is_none()
    }

    /// The targets of clicks now.
    pub fn clickable(&self) -> Clickable {
        let ChangeState { asked, awaited, .. } = self.change;
        Clickable { overlays: self.overlays.len(), asked, awaited }
    }

    /// Is a change or workload running?
    pub fn is_busy(&self) -> bool {
        self.change.job.as_ref().is_some_and(|job| job.ended.is_none())
    }

    /// Describes what is running, and how to stop it.
    pub fn busy_with(&self) -> Option<String> {
        let job = self.change.job.as_ref().filter(|job| job.ended.is_none())?;
        let what = match &job.load {
            Some(load) => format!("{} is running", load.label()),
            None => "a change is running".to_owned(),
        };
        Some(format!("{what}: F9 shows it, c there stops it"))
    }

    /// The list of the lab that a search works on, if any.
    pub fn searchable_list(&self) -> Option<&'static str> {
        let pane = self.pane_info().filter(|_| self.shows_lab())?;
        self.lab.searchable(pane.id)
    }

    /// Is the lab on screen?
    pub fn shows_lab(&self) -> bool {
        self.shown().id == super::screens::lab::SCREEN.id
    }

    /// Is the map focused?
    pub fn is_on_map(&self) -> bool {
        self.pane_info().is_some_and(|pane| pane.id == super::screens::map::MAP)
    }

    /// Is a workload running?
    pub fn has_load(&self) -> bool {
        let job = self.change.job.as_ref().filter(|job| job.ended.is_none());
        job.is_some_and(|job| job.load.is_some())
    }

    /// The size available to overlays: the line of a running change stays visible.
    pub fn overlay_size(&self) -> Size {
        let taken = u16::from(self.is_busy());
        Size::new(self.size.width, self.size.height.saturating_sub(taken))
    }

    /// The swap areas of the sample on screen; empty if they are unknown.
    pub fn areas(&self) -> &[SwapArea] {
        self.moment().map_or(&[], |moment| moment.now.areas())
    }

    /// The cgroup of a process, if it was read.
    pub fn cgroup_of(&self, pid: u32) -> Option<Name> {
        let now = &self.moment()?.now;
        let detail = now.process_detail().known().copied();
        let detail = detail.map(|detail| &detail.process).filter(|process| process.pid == pid);
        let listed = || {
            let table = now.processes.reading.known()?;
            table.processes.iter().find(|process| process.pid == pid).map(|process| &**process)
        };
        detail.or_else(listed)?.cgroup.known().cloned()
    }

    /// The role of a value of the sample on screen, by the thresholds.
    pub fn role(&self, table: &str, info: &Info, value: &Value) -> Role {
        thresholds::role(table, info, value, &self.settings.policy, self.moment())
    }

    /// Is a finding selected?
    pub fn is_on_finding(&self) -> bool {
        let origin = self.pane().and_then(PaneState::origin);
        // The cause of pressure has the rule as its origin: it is explained, and has no plan.
        let has_plan = |origin: &Origin| origin.info.id != findings::id::RULE.id;
        origin.is_some_and(|origin| origin.table == findings::SPEC.name && has_plan(&origin))
    }

    /// The parts to sample.
    pub(super) fn needs(&self) -> WantedParts {
        let visible = self.layout.panes.iter().map(|(pane, _)| *pane);
        let panes = self.state().map_or(WantedParts::NOTHING, |state| state.needs(visible));
        let listed = self.overlays.iter().fold(PartSet::NONE, |listed, overlay| match overlay {
            Overlay::Menu(menu) => listed.with(menu.needs()),
            _ => listed,
        });
        let title = query::needs(&self.title_queries);
        // A large host has thousands of cgroups, and the title needs them only to name the cause of pressure.
        let seldom = part_set![Cgroups];
        let background = self.source.history.needs().with(listed).with(title.only(seldom));
        WantedParts {
            shown: panes.shown.with(title.without(seldom)),
            background: panes.background.with(background),
        }
    }

    /// Has the runtime do something after this message.
    pub(super) fn emit(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    /// Applies new settings.
    pub fn adopt(&mut self, settings: Settings) {
        let mouse = settings.mouse != self.settings.mouse;
        if settings.interval != self.settings.interval {
            self.interval = settings.interval;
        }
        self.look = settings.look(&self.terminal);
        self.settings = settings;
        self.emit(Effect::Redraw);
        if mouse {
            self.mouse = self.settings.mouse;
            self.emit(Effect::Mouse(self.mouse));
        }
    }

    /// Sets the sampling interval, or the interval of a played recording, which is not saved.
    pub fn set_interval(&mut self, interval: Duration) {
        self.interval = interval;
        if self.source.kind != SourceKind::Recording {
            self.settings.interval = interval;
        }
    }

    /// Copies the columns and orders of tables into the settings, before these are saved.
    pub fn remember_tables(&mut self) {
        let sheets = self
            .source
            .screens
            .iter()
            .take(SCREENS.len())
            .flat_map(|screen| &screen.panes)
            .flat_map(|pane| &pane.sheets);
        for sheet in sheets {
            let table = sheet.info.table.to_owned();
            let own = sheet.request.columns.as_deref() == sheet.info.columns;
            keep(&mut self.settings.columns, &table, sheet.request.columns.as_ref(), own);
            let own = sheet.request.sort.as_deref() == sheet.info.sort;
            keep(&mut self.settings.sort, &table, sheet.request.sort.as_ref(), own);
        }
    }
}

/// Stores the choice for a table, or removes it if it equals the default.
fn keep(kept: &mut BTreeMap<String, String>, table: &str, asked: Option<&String>, own: bool) {
    match asked.filter(|_| !own) {
        Some(asked) => kept.insert(table.to_owned(), asked.clone()),
        None => kept.remove(table),
    };
}
