//! Planning and carrying out changes, each in its own thread, so that the screen never waits.

use super::threads::Inbox;
use crate::actions::monitor::{Monitor, StopReason};
use crate::actions::run::Progress;
use crate::ui::change::{ChangeEngine, ChangeProposal};
use crate::ui::job::{self, EndReport};
use crate::ui::lab::{RunView, Runnable, SessionEvent, SessionProposal};
use crate::ui::msg::Msg;
use crate::ui::what_if::WhatIfQuestion;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::watch;

/// The runner of plans, changes and workloads.
#[derive(Debug)]
pub(super) struct ChangeRunner {
    /// The engine of the source.
    engine: Option<Arc<dyn ChangeEngine>>,
    /// The engine of the lesson, if its machine is repaired by hand: it makes the changes then.
    pub(super) lesson: Option<Arc<dyn ChangeEngine>>,
    inbox: Inbox,
    desk: StateSender,
    /// The number of the question that the model works on; 0 without a question.
    simulation: Arc<AtomicU64>,
}

/// The smallest share of the work that is reported.
const SHARE_STEP: f64 = 0.01;

/// The state shared with the running change.
type StateSender = watch::Sender<JobState>;

#[derive(Debug, Default)]
struct JobState {
    running: bool,
    /// Why it has to stop.
    stop: Option<StopReason>,
    /// Is the undo to be stopped too?
    give_up: bool,
    /// The end of the change.
    end: Option<EndReport>,
}

/// Why a source without an engine cannot be changed.
const NO_MACHINE: &str = "there is no live machine to change";

impl ChangeRunner {
    pub(super) fn new(engine: Option<Arc<dyn ChangeEngine>>, inbox: Inbox) -> Self {
        let (desk, simulation) = (StateSender::default(), Arc::default());
        Self { engine, lesson: None, inbox, desk, simulation }
    }

    /// The engine that makes the changes.
    fn engine(&self) -> Option<&Arc<dyn ChangeEngine>> {
        self.lesson.as_ref().or(self.engine.as_ref())
    }

    /// Why nothing can be changed, if so.
    pub(super) fn blocked_reason(&self) -> Option<String> {
        match self.engine() {
            Some(engine) => engine.blocked_reason(),
            None => Some(NO_MACHINE.to_owned()),
        }
    }

    /// Runs a query in a thread, and sends the answer or the error as a message.
    pub(super) fn query<T: 'static>(
        &self,
        work: impl FnOnce(&dyn ChangeEngine) -> Result<T, String> + Send + 'static,
        message: impl FnOnce(Result<T, String>) -> Msg + Clone + Send + 'static,
    ) {
        let Some(engine) = self.engine().cloned() else {
            return self.inbox.put(message(Err(NO_MACHINE.to_owned())));
        };
        let (inbox, answer) = (self.inbox.clone(), message.clone());
        let ask = move || inbox.put(answer(work(engine.as_ref())));
        if let Err(why) = start_thread("planner", ask) {
            self.inbox.put(message(Err(why)));
        }
    }

    /// Asks the model in a thread; an earlier question is cancelled. A recording has no engine, but samples.
    pub(super) fn simulate(&self, number: u64, question: WhatIfQuestion) {
        let (engine, inbox) = (self.engine().cloned(), self.inbox.clone());
        self.simulation.store(number, Ordering::Relaxed);
        let current = Arc::clone(&self.simulation);
        let ask = move || {
            let mut told = 0.0;
            let answer = question.ask(engine.as_deref(), &mut |share| {
                if share - told >= SHARE_STEP {
                    told = share;
                    inbox.put(Msg::Simulating(number, share));
                }
                current.load(Ordering::Relaxed) == number
            });
            inbox.put(Msg::Simulated(number, answer.map(Box::new)));
        };
        if let Err(why) = start_thread("simulator", ask) {
            self.inbox.put(Msg::Simulated(number, Err(why)));
        }
    }

    /// Cancels the question to the model.
    pub(super) fn stop_simulation(&self) {
        self.simulation.store(0, Ordering::Relaxed);
    }

    /// The workloads and experiments that can be run.
    pub(super) fn loads(&self) -> Vec<Runnable> {
        self.engine().map_or_else(Vec::new, |engine| engine.loads())
    }

    /// Carries out a plan.
    pub(super) fn carry_out(&self, proposal: ChangeProposal) {
        let has_command = proposal.change.simulated.is_none();
        self.spawn(
            move |engine, monitor| engine.carry_out(&proposal, monitor),
            move |ended| (job::describe_change(&ended, has_command), Msg::Changed(ended)),
        );
    }

    /// Runs a workload or an experiment. Its thread lives as long as its processes.
    pub(super) fn run(&self, proposal: SessionProposal) {
        self.spawn(
            move |engine, monitor| engine.run(&proposal, monitor).map(Box::new),
            |ran| (job::describe_session(&ran), Msg::SessionEnded(ran)),
        );
    }

    /// Runs monitored work in its own thread, and reports its end, or the reason why the thread cannot start.
    fn spawn<T: 'static>(
        &self,
        work: impl FnOnce(&dyn ChangeEngine, &mut ChangeMonitor) -> Result<T, String> + Send + 'static,
        end: impl FnOnce(Result<T, String>) -> (EndReport, Msg) + Clone + Send + 'static,
    ) {
        let Some(engine) = self.engine().cloned() else { return };
        self.desk.send_replace(JobState { running: true, ..JobState::default() });
        let own = ChangeMonitor { inbox: self.inbox.clone(), desk: self.desk.clone(), seen: None };
        let (mut monitor, report) = (own.clone(), end.clone());
        let begun = start_thread("changes", move || {
            let ended = work(engine.as_ref(), &mut monitor);
            finish(&monitor, report(ended));
        });
        if let Err(why) = begun {
            finish(&own, end(Err(why)));
        }
    }

    /// Stops the change and undoes it.
    pub(super) fn stop(&self, why: StopReason) {
        self.desk.send_modify(|state| _ = state.stop.get_or_insert(why));
    }

    /// Stops the undo as well.
    pub(super) fn give_up(&self) {
        self.desk.send_modify(|state| state.give_up = true);
    }

    /// Is a change running?
    pub(super) fn is_running(&self) -> bool {
        self.desk.borrow().running
    }

    /// Waits for the end of the change.
    pub(super) async fn until_over(&self) {
        // The channel cannot be closed while this sender exists.
        let _ = self.desk.subscribe().wait_for(|state| !state.running).await;
    }

    /// The end of the last change, in words.
    pub(super) fn end_message(&self) -> Option<String> {
        self.desk.borrow().end.as_ref().map(|told| told.words.clone())
    }
}

/// Starts a thread of this name.
fn start_thread(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), String> {
    let thread = std::thread::Builder::new().name(name.to_owned());
    thread.spawn(work).map(drop).map_err(|error| format!("cannot start a thread: {error}"))
}

fn finish(monitor: &ChangeMonitor, (told, message): (EndReport, Msg)) {
    monitor.inbox.put(message);
    monitor.desk.send_modify(|state| (state.running, state.end) = (false, Some(told)));
}

/// The monitor that reports to the interface.
#[derive(Clone, Debug)]
struct ChangeMonitor {
    inbox: Inbox,
    desk: StateSender,
    /// The last reported progress of a workload: phase, share, and time.
    seen: Option<(&'static str, usize, f64)>,
}

/// Minimum seconds between two reports of the same progress.
const UPDATE_INTERVAL: f64 = 0.2;

impl ChangeMonitor {
    /// Reports the progress of a run, if it is new.
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

    /// Why a change or run has to stop, if so.
    fn stops(&self) -> ControlFlow<StopReason> {
        self.desk.borrow().stop.map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }

    /// Reports the progress of a step.
    fn step(&self, progress: Progress) -> ControlFlow<StopReason> {
        self.inbox.put(Msg::Progress(progress));
        // The undo stops only after a second request.
        let is_cancelled = self.desk.borrow().give_up;
        match (progress.is_undo, is_cancelled) {
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
            // Leftovers are reported by the next command.
            _ => {}
        }
        self.stops()
    }
}

impl Monitor<Progress> for ChangeMonitor {
    fn event(&mut self, progress: Progress) -> ControlFlow<StopReason> {
        self.step(progress)
    }
}
