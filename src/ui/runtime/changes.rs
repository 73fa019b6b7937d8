//! Planning and changing, each in a thread of its own: the screen never waits for either.

use super::inbox::Inbox;
use crate::actions::monitor::{Monitor, StopReason};
use crate::actions::run::Progress;
use crate::ui::change::{self, Changer, Proposal, Told};
use crate::ui::lab::{Load, RunView, SessionEvent};
use crate::ui::msg::Msg;
use std::ops::ControlFlow;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Where changes are planned and carried out.
#[derive(Debug)]
pub(super) struct Changes {
    changer: Option<Arc<dyn Changer>>,
    inbox: Inbox,
    desk: Arc<Desk>,
}

/// What is asked of the change that is under way, and what it tells.
#[derive(Debug, Default)]
struct Desk {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    running: bool,
    /// Why it has to stop.
    stop: Option<StopReason>,
    /// Is even taking it back to be given up?
    give_up: bool,
    /// What came of it.
    told: Option<Told>,
}

impl Desk {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Changes {
    pub(super) fn new(changer: Option<Arc<dyn Changer>>, inbox: Inbox) -> Self {
        Self { changer, inbox, desk: Arc::default() }
    }

    /// Why nothing can be changed, if that is so.
    pub(super) fn barred(&self) -> Option<String> {
        match &self.changer {
            Some(changer) => changer.barred(),
            None => Some("there is no machine here that could be changed".to_owned()),
        }
    }

    /// Have something found out, and leave the message when it is.
    pub(super) fn ask(&self, work: impl FnOnce(&dyn Changer) -> Option<Msg> + Send + 'static) {
        let Some(changer) = self.changer.clone() else { return };
        let inbox = self.inbox.clone();
        let ask = move || {
            if let Some(message) = work(changer.as_ref()) {
                inbox.put(message);
            }
        };
        // Without a thread there is no answer, and nothing was done.
        let _ = std::thread::Builder::new().name("planner".to_owned()).spawn(ask);
    }

    /// The loads and experiments that can be run.
    pub(super) fn loads(&self) -> Vec<Load> {
        self.changer.as_ref().map_or_else(Vec::new, |changer| changer.loads())
    }

    /// Carry a plan out.
    pub(super) fn carry_out(&self, proposal: Proposal) {
        self.begin(move |changer, watcher| {
            let ended = match changer {
                Ok(changer) => changer.carry_out(&proposal, watcher),
                Err(why) => Err(why),
            };
            (change::ended(&ended), Msg::Changed(ended))
        });
    }

    /// Run a load or an experiment. The thread that does so lives as long as its processes do.
    pub(super) fn run(&self, proposal: Proposal) {
        self.begin(move |changer, watcher| {
            let ran = match changer {
                Ok(changer) => changer.run(&proposal, watcher).map(Box::new),
                Err(why) => Err(why),
            };
            (change::ran(&ran), Msg::Ran(ran))
        });
    }

    /// Do what is looked on in a thread of its own; without one there is nobody to do it, and why.
    fn begin(
        &self,
        work: impl Fn(Result<&dyn Changer, String>, &mut Onlooker) -> (Told, Msg)
        + Send
        + Sync
        + 'static,
    ) {
        let Some(changer) = self.changer.clone() else { return };
        *self.desk.state() = State { running: true, ..State::default() };
        let (work, own) = (Arc::new(work), self.onlooker());
        let (there, mut watcher) = (Arc::clone(&work), own.clone());
        let begun = move || {
            let ended = there(Ok(changer.as_ref()), &mut watcher);
            over(&watcher, ended);
        };
        if let Err(error) = std::thread::Builder::new().name("changer".to_owned()).spawn(begun) {
            let why = format!("no thread can be started: {error}");
            let mut watcher = own;
            let ended = work(Err(why), &mut watcher);
            over(&watcher, ended);
        }
    }

    fn onlooker(&self) -> Onlooker {
        Onlooker { inbox: self.inbox.clone(), desk: Arc::clone(&self.desk), seen: None }
    }

    /// Have the change stopped and taken back.
    pub(super) fn stop(&self, why: StopReason) {
        self.desk.state().stop.get_or_insert(why);
    }

    /// Give up taking it back, too.
    pub(super) fn give_up(&self) {
        self.desk.state().give_up = true;
    }

    /// Is one under way?
    pub(super) fn is_running(&self) -> bool {
        self.desk.state().running
    }

    /// Wait for the end of the change, but not longer than this.
    pub(super) fn wait(&self, time: Duration) {
        let state = self.desk.state();
        // Whether time ran out is asked for afterwards.
        let _ = self.desk.changed.wait_timeout_while(state, time, |state| state.running);
    }

    /// What came of the last change, in words.
    pub(super) fn told(&self) -> Option<String> {
        self.desk.state().told.as_ref().map(|told| told.words.clone())
    }
}

fn over(onlooker: &Onlooker, (told, message): (Told, Msg)) {
    let Onlooker { inbox, desk, .. } = onlooker;
    inbox.put(message);
    let mut state = desk.state();
    (state.running, state.told) = (false, Some(told));
    desk.changed.notify_all();
}

/// Looks on for the interface.
#[derive(Clone, Debug)]
struct Onlooker {
    inbox: Inbox,
    desk: Arc<Desk>,
    /// What of a load was told last: how many are through what, and when.
    seen: Option<(&'static str, usize, f64)>,
}

/// Seconds between two looks at a load in which nothing else happens.
const PACE: f64 = 0.2;

impl Onlooker {
    /// A run is so far: told where that is news.
    fn running(&mut self, view: RunView) {
        let now = (view.progress.phase, view.progress.through, view.progress.elapsed);
        let is_news = self.seen.is_none_or(|(phase, through, elapsed)| {
            (phase, through) != (now.0, now.1) || (now.2 - elapsed).abs() >= PACE
        });
        if is_news {
            self.seen = Some(now);
            self.inbox.put_glance(view);
        }
    }

    /// Why a change or a run has to stop here, if it has.
    fn stops(&self) -> ControlFlow<StopReason> {
        self.desk.state().stop.map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }

    /// A step is under way.
    fn step(&self, progress: Progress) -> ControlFlow<StopReason> {
        self.inbox.put_progress(progress);
        // Going back is given up only by somebody who says so again.
        match (progress.back, self.desk.state().give_up) {
            (true, true) => ControlFlow::Break(StopReason::Again),
            (true, false) => ControlFlow::Continue(()),
            (false, _) => self.stops(),
        }
    }
}

impl Monitor<SessionEvent> for Onlooker {
    fn event(&mut self, event: SessionEvent) -> ControlFlow<StopReason> {
        match event {
            SessionEvent::Setup(progress) => return self.step(progress),
            SessionEvent::Running(view) => self.running(view),
            SessionEvent::Begins(start) => {
                self.seen = None;
                self.inbox.put(Msg::Begins(start));
            }
            // What was left behind is told by the next command.
            SessionEvent::Waiting
            | SessionEvent::Notice(_)
            | SessionEvent::Next
            | SessionEvent::Ended => {}
        }
        self.stops()
    }
}

impl Monitor<Progress> for Onlooker {
    fn event(&mut self, progress: Progress) -> ControlFlow<StopReason> {
        self.step(progress)
    }
}
