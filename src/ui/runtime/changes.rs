//! Planning and changing, each in a thread of its own: the screen never waits for either.

use super::threads::Inbox;
use crate::actions::monitor::{Monitor, StopReason};
use crate::actions::run::Progress;
use crate::ui::change::{ChangeEngine, ChangeProposal};
use crate::ui::job::{self, EndReport};
use crate::ui::lab::{Runnable, RunView, SessionEvent, SessionProposal};
use crate::ui::msg::Msg;
use std::ops::ControlFlow;
use std::sync::Arc;
use tokio::sync::watch;

/// Where changes are planned and carried out.
#[derive(Debug)]
pub(super) struct ChangeRunner {
    engine: Option<Arc<dyn ChangeEngine>>,
    inbox: Inbox,
    desk: StateSender,
}

/// What is asked of the change that is under way, and what it tells.
type StateSender = watch::Sender<JobState>;

#[derive(Debug, Default)]
struct JobState {
    running: bool,
    /// Why it has to stop.
    stop: Option<StopReason>,
    /// Is even taking it back to be given up?
    give_up: bool,
    /// What came of it.
    end: Option<EndReport>,
}

impl ChangeRunner {
    pub(super) fn new(engine: Option<Arc<dyn ChangeEngine>>, inbox: Inbox) -> Self {
        Self { engine, inbox, desk: StateSender::default() }
    }

    /// Why nothing can be changed, if that is so.
    pub(super) fn blocked_reason(&self) -> Option<String> {
        match &self.engine {
            Some(engine) => engine.blocked_reason(),
            None => Some("there is no machine here that could be changed".to_owned()),
        }
    }

    /// Have something found out, and leave the message when it is.
    pub(super) fn query(&self, work: impl FnOnce(&dyn ChangeEngine) -> Option<Msg> + Send + 'static) {
        let Some(engine) = self.engine.clone() else { return };
        let inbox = self.inbox.clone();
        let ask = move || {
            if let Some(message) = work(engine.as_ref()) {
                inbox.put(message);
            }
        };
        // Without a thread there is no answer, and nothing was done.
        let _ = std::thread::Builder::new().name("planner".to_owned()).spawn(ask);
    }

    /// The loads and experiments that can be run.
    pub(super) fn loads(&self) -> Vec<Runnable> {
        self.engine.as_ref().map_or_else(Vec::new, |engine| engine.loads())
    }

    /// Carry a plan out.
    pub(super) fn carry_out(&self, proposal: ChangeProposal) {
        self.spawn(move |engine, monitor| {
            let ended = match engine {
                Ok(engine) => engine.carry_out(&proposal, monitor),
                Err(why) => Err(why),
            };
            (job::describe_change(&ended), Msg::Changed(ended))
        });
    }

    /// Run a load or an experiment. The thread that does so lives as long as its processes do.
    pub(super) fn run(&self, proposal: SessionProposal) {
        self.spawn(move |engine, monitor| {
            let ran = match engine {
                Ok(engine) => engine.run(&proposal, monitor).map(Box::new),
                Err(why) => Err(why),
            };
            (job::describe_session(&ran), Msg::SessionEnded(ran))
        });
    }

    /// Do what is looked on in a thread of its own; without one there is nobody to do it, and why.
    fn spawn(
        &self,
        work: impl Fn(Result<&dyn ChangeEngine, String>, &mut ChangeMonitor) -> (EndReport, Msg)
        + Send
        + Sync
        + 'static,
    ) {
        let Some(engine) = self.engine.clone() else { return };
        self.desk.send_replace(JobState { running: true, ..JobState::default() });
        let (work, own) = (Arc::new(work), self.monitor());
        let (there, mut monitor) = (Arc::clone(&work), own.clone());
        let begun = move || {
            let ended = there(Ok(engine.as_ref()), &mut monitor);
            finish(&monitor, ended);
        };
        if let Err(error) = std::thread::Builder::new().name("changes".to_owned()).spawn(begun) {
            let why = format!("no thread can be started: {error}");
            let mut monitor = own;
            let ended = work(Err(why), &mut monitor);
            finish(&monitor, ended);
        }
    }

    fn monitor(&self) -> ChangeMonitor {
        ChangeMonitor { inbox: self.inbox.clone(), desk: self.desk.clone(), seen: None }
    }

    /// Have the change stopped and taken back.
    pub(super) fn stop(&self, why: StopReason) {
        self.desk.send_modify(|state| _ = state.stop.get_or_insert(why));
    }

    /// Give up taking it back, too.
    pub(super) fn give_up(&self) {
        self.desk.send_modify(|state| state.give_up = true);
    }

    /// Is one under way?
    pub(super) fn is_running(&self) -> bool {
        self.desk.borrow().running
    }

    /// Wait for the end of the change.
    pub(super) async fn until_over(&self) {
        // It cannot be closed while it is here.
        let _ = self.desk.subscribe().wait_for(|state| !state.running).await;
    }

    /// What came of the last change, in words.
    pub(super) fn end_message(&self) -> Option<String> {
        self.desk.borrow().end.as_ref().map(|told| told.words.clone())
    }
}

fn finish(monitor: &ChangeMonitor, (told, message): (EndReport, Msg)) {
    monitor.inbox.put(message);
    monitor.desk.send_modify(|state| (state.running, state.end) = (false, Some(told)));
}

/// Looks on for the interface.
#[derive(Clone, Debug)]
struct ChangeMonitor {
    inbox: Inbox,
    desk: StateSender,
    /// What of a load was told last: how many are through what, and when.
    seen: Option<(&'static str, usize, f64)>,
}

/// Seconds between two looks at a load in which nothing else happens.
const UPDATE_INTERVAL: f64 = 0.2;

impl ChangeMonitor {
    /// A run is so far: told where that is news.
    fn running(&mut self, view: RunView) {
        let now = (view.progress.phase, view.progress.through, view.progress.elapsed);
        let is_news = self.seen.is_none_or(|(phase, through, elapsed)| {
            (phase, through) != (now.0, now.1) || (now.2 - elapsed).abs() >= UPDATE_INTERVAL
        });
        if is_news {
            self.seen = Some(now);
            self.inbox.put(Msg::RunProgress(view));
        }
    }

    /// Why a change or a run has to stop here, if it has.
    fn stops(&self) -> ControlFlow<StopReason> {
        self.desk.borrow().stop.map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }

    /// A step is under way.
    fn step(&self, progress: Progress) -> ControlFlow<StopReason> {
        self.inbox.put(Msg::Progress(progress));
        // Going back is given up only by somebody who says so again.
        let is_given_up = self.desk.borrow().give_up;
        match (progress.back, is_given_up) {
            (true, true) => ControlFlow::Break(StopReason::Again),
            (true, false) => ControlFlow::Continue(()),
            (false, _) => self.stops(),
        }
    }
}

impl Monitor<SessionEvent> for ChangeMonitor {
    fn event(&mut self, event: SessionEvent) -> ControlFlow<StopReason> {
        match event {
            SessionEvent::Setup(progress) => return self.step(progress),
            SessionEvent::Running(view) => self.running(view),
            SessionEvent::Begins(start) => {
                self.seen = None;
                self.inbox.put(Msg::RunStarted(start));
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

impl Monitor<Progress> for ChangeMonitor {
    fn event(&mut self, progress: Progress) -> ControlFlow<StopReason> {
        self.step(progress)
    }
}
