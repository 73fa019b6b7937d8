//! Follows a session on a terminal: shows progress, and stops the session on a signal.

use crate::actions::messages;
use crate::actions::monitor::{Monitor, StopReason};
use crate::actions::run::Progress;
use crate::cli::interrupt::{Interrupt, stop};
use crate::cli::options::Environment;
use crate::cli::out::{self, ProgressLine};
use crate::columns::units::size;
use crate::lab::session::{RunStart, RunView, SessionEvent};
use crate::model::name::safe_text;
use std::ops::ControlFlow;

/// Shows the progress of a session on the terminal, and stops the session on a signal.
pub(super) struct SessionMonitor<'a> {
    interrupt: &'a Interrupt,
    line: ProgressLine,
    /// The label of the run, if there are several.
    run: Vec<String>,
    /// The names of what the setup changes.
    names: Vec<String>,
}

impl<'a> SessionMonitor<'a> {
    pub(super) fn new(interrupt: &'a Interrupt, environment: &Environment) -> Self {
        Self { interrupt, line: ProgressLine::new(environment), run: Vec::new(), names: Vec::new() }
    }

    /// Removes the progress line as soon as the terminal takes output; false if a signal ended the wait
    /// for that.
    pub(super) fn clear(&mut self) -> bool {
        let is_taken = self.interrupt.wait_for_output();
        self.line.clear();
        is_taken
    }

    fn setup(&mut self, progress: &Progress) -> ControlFlow<StopReason> {
        self.line.tell(&describe_setup(&self.run, &self.names, progress));
        self.interrupt.stop_work(progress.is_undo)
    }
}

impl Monitor<SessionEvent> for SessionMonitor<'_> {
    fn event(&mut self, event: SessionEvent) -> ControlFlow<StopReason> {
        match event {
            SessionEvent::Waiting | SessionEvent::Next => {
                // Signals that came while the last setup was removed are taken too.
                let _ = self.interrupt.take_signals();
                return stop(self.interrupt.first_signal());
            }
            SessionEvent::Notice(notice) => out::remark(&notice),
            SessionEvent::Begins(start) => {
                self.run = describe_run(&start).into_iter().collect();
                self.names = start.names;
            }
            SessionEvent::Setup(progress) => return self.setup(&progress),
            SessionEvent::Running(view) => {
                self.line.tell(&describe_running(&self.run, &view));
                return self.interrupt.stop_work(false);
            }
            SessionEvent::Ended => {
                let _ = self.interrupt.take_signals();
            }
        }
        ControlFlow::Continue(())
    }
}

/// The number and the case of a run of an experiment; `None` for a workload.
fn describe_run(start: &RunStart) -> Option<String> {
    let case = safe_text(start.case.as_deref()?);
    Some(format!("run {}/{} {case}", start.number, start.of))
}

/// The progress of making or removing the setup.
fn describe_setup(run: &[String], names: &[String], progress: &Progress) -> Vec<String> {
    let doing = if progress.is_undo { "cleaning up" } else { "preparing" };
    let step = messages::progress_line(names, &Progress { is_undo: false, ..*progress });
    run.iter().cloned().chain([format!("{doing}: step {step}")]).collect()
}

/// The progress of the processes. With several runs there is no room for memory.
fn describe_running(run: &[String], view: &RunView) -> Vec<String> {
    let is_one = run.is_empty();
    let pieces = view.progress.parts(&view.areas, view.memory.filter(|_| is_one));
    let available = view.available.filter(|_| is_one);
    let available = available.map(|left| format!("{} available", size(left)));
    run.iter().cloned().chain(pieces).chain(available).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::eta::RunProgress;
    use crate::model::Bytes;
    use std::time::Duration;

    #[test]
    fn setup_progress_is_labelled() {
        let names: Vec<String> = (1..=12).map(|number| format!("/dev/zram{number}")).collect();
        let (of, left) = (Bytes(0), Bytes(0));
        let (since, elapsed, pause) = (Duration::ZERO, Duration::ZERO, None);
        let progress = Progress { step: 3, is_undo: false, total: of, left, since, elapsed, pause };
        let run = &["run 2/9 disk".to_owned()];
        let told = ["run 2/9 disk", "preparing: step 4/12 /dev/zram4"];
        assert_eq!(describe_setup(run, &names, &progress), told);
        assert_eq!(describe_setup(&[], &names, &progress), told[1..]);
        let back = Progress { is_undo: true, ..progress };
        let told = ["run 2/9 disk", "cleaning up: step 4/12 /dev/zram4"];
        assert_eq!(describe_setup(run, &names, &back), told);
    }

    #[test]
    fn run_progress_names_run_and_case() {
        let start = |case: &str| RunStart {
            number: 4,
            of: 9,
            case: Some(case.to_owned()),
            names: Vec::new(),
            limit: None,
            at_most: 60.0,
        };
        let (phase, share, through, processes) = ("touching", Some(0.4), 0, 1);
        let (repetition, of, elapsed, taken, left) = (1, 1, 4.0, 34.0, Some(56.0));
        let progress =
            RunProgress { repetition, of, elapsed, taken, phase, share, left, through, processes };
        let memory = Some(Bytes(48 << 20));
        let view = RunView { progress, areas: Vec::new(), memory, available: memory };
        let told = describe_running(&[describe_run(&start("disk")).unwrap()], &view).join("  ");
        assert_eq!(told, "run 4/9 disk  touching 40%  34s, about 56s left  swap 0B");
        let one = "touching 40%  34s, about 56s left  swap 0B  cgroup 48M  48M available";
        assert_eq!(describe_running(&[], &view).join("  "), one);
        assert!(!describe_run(&start("di\x1b[2Jsk")).unwrap().contains('\x1b'));
    }
}
