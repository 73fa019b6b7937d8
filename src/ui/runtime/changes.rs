//! Planning and changing, each in a thread of its own: the screen never waits for either.

use super::inbox::Inbox;
use crate::actions::run::{Go, Progress, Watcher};
use crate::ui::change::{self, Changer, Ended, Proposal};
use crate::ui::msg::Msg;
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
    stop: Option<String>,
    /// Is even taking it back to be given up?
    give_up: bool,
    ended: Option<Ended>,
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

    /// Carry a plan out.
    pub(super) fn carry_out(&self, proposal: Proposal) {
        let Some(changer) = self.changer.clone() else { return };
        *self.desk.state() = State { running: true, ..State::default() };
        let (inbox, desk) = (self.inbox.clone(), Arc::clone(&self.desk));
        let work = move || {
            let mut watcher = Onlooker { inbox: inbox.clone(), desk: Arc::clone(&desk) };
            let ended = changer.carry_out(&proposal, &mut watcher);
            over(&inbox, &desk, ended);
        };
        if let Err(error) = std::thread::Builder::new().name("changer".to_owned()).spawn(work) {
            over(&self.inbox, &self.desk, Err(format!("no thread can be started: {error}")));
        }
    }

    /// Have the change stopped and taken back.
    pub(super) fn stop(&self, why: &str) {
        self.desk.state().stop.get_or_insert_with(|| why.to_owned());
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
        self.desk.state().ended.as_ref().map(|ended| change::ended(ended).0)
    }
}

fn over(inbox: &Inbox, desk: &Desk, ended: Ended) {
    inbox.put(Msg::Changed(ended.clone()));
    let mut state = desk.state();
    (state.running, state.ended) = (false, Some(ended));
    desk.changed.notify_all();
}

/// Looks on for the interface.
struct Onlooker {
    inbox: Inbox,
    desk: Arc<Desk>,
}

impl Watcher for Onlooker {
    fn see(&mut self, progress: Progress) -> Go {
        self.inbox.put_progress(progress);
        let state = self.desk.state();
        // Going back is given up only by somebody who says so again.
        if progress.back {
            let why = "it was interrupted again".to_owned();
            return if state.give_up { Go::Stop(why) } else { Go::On };
        }
        state.stop.clone().map_or(Go::On, Go::Stop)
    }
}
