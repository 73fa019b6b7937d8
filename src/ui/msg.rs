//! What can happen to the interface, and what it can ask for.

use super::change::{
    ChangeProposal, ChangeRequest, ChangeResult, ExecutionOptions, ChangeHistory, AnyProposal,
};
use super::command::UiCommand;
use super::lab::{
    ComparedResults, Form, LabResult, ComparedIds, RunStart, RunView, SessionProposal, SessionReport,
};
use super::settings::Settings;
use crate::actions::run::Progress;
use crate::derive::lab::ResultEntry;
use crate::model::{Snapshot, Stamp};
use crate::sampler::WantedParts;
use ratatui::crossterm::event::{KeyEvent, MouseEvent};
use ratatui::layout::Size;
use std::time::Duration;

/// What can happen.
#[derive(Debug)]
pub enum Msg {
    /// A key was pressed.
    Key(KeyEvent),
    /// The mouse was used.
    Mouse(MouseEvent),
    /// Text was pasted.
    Paste(String),
    /// The terminal has another size.
    Resize(Size),
    /// A new snapshot of the machine, or the next ones of a recording.
    Snapshots(Vec<Snapshot>),
    /// There are no more snapshots to come; why, if that is a fault.
    SourceEnded(Option<String>),
    /// Time goes on.
    Tick(Stamp),
    /// Settings were kept in this file, or not.
    Saved(Result<String, String>),
    /// A moment was written into this file, or not.
    Written(Result<String, String>),
    /// A recording was begun in this file, or not.
    RecordingBegun(Result<String, String>),
    /// A recording ended because it could not be written on.
    RecordingFailed(String),
    /// The plan with this number, or why there is none.
    Planned(u64, Result<Box<AnyProposal>, String>),
    /// How far a change is.
    Progress(Progress),
    /// A change is over.
    Changed(ChangeResult),
    /// What was changed before, to be shown.
    JournalRead(Result<ChangeHistory, String>),
    /// The same at the start: something may have been cut off.
    JournalAtStart(ChangeHistory),
    /// What the load that is chosen comes to, asked for under this number, or why it makes no
    /// sense.
    Prepared(u64, Result<Box<SessionProposal>, String>),
    /// How far a load is.
    RunProgress(RunView),
    /// Another run of an experiment begins.
    RunStarted(RunStart),
    /// A load or an experiment is over, or was not even begun.
    SessionEnded(Result<Box<SessionReport>, String>),
    /// Runs that are kept.
    Results(Result<Vec<ResultEntry>, String>),
    /// One of them, to be shown.
    Result(Result<LabResult, String>),
    /// Why these two cannot be compared, if that is so.
    Comparable(ComparedIds, Result<(), String>),
    /// Two of them, to be shown beside each other.
    Compared(Result<ComparedResults, String>),
}

/// What the interface can ask for.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Sample these parts from now on, this often.
    SetWants(WantedParts, Duration),
    /// Sample now.
    SampleNow,
    /// Read more of the recording.
    LoadMore,
    /// Keep these settings.
    Save(Box<Settings>),
    /// Begin a recording.
    StartRecording,
    /// End it.
    StopRecording,
    /// Write these snapshots into a recording of their own.
    Write(Vec<Snapshot>),
    /// Have a change planned, to be carried out with these options; the plan is known by this number.
    Plan(u64, ChangeRequest, ExecutionOptions),
    /// Have a load or an experiment planned for the dialog; the plan is known by this number.
    PlanSession(u64, Form),
    /// Carry out a plan that was confirmed.
    CarryOut(Box<ChangeProposal>),
    /// Stop what is being carried out, and take it back.
    Stop,
    /// Read what was changed before.
    ReadJournal,
    /// Find out what this load comes to; it is known by this number.
    Prepare(u64, Form),
    /// Run a load that was confirmed.
    Run(Box<SessionProposal>),
    /// Read which runs are kept.
    Results,
    /// Read one of them, to be shown.
    Result(u64),
    /// Find out whether these two can be compared.
    Comparable(ComparedIds),
    /// Compare these two.
    Compare(ComparedIds),
    /// Send this text to the clipboard of the terminal.
    Copy(String),
    /// Take the mouse, or give it back.
    Mouse(bool),
    /// Draw everything anew.
    Redraw,
    /// Stop until the shell says to go on.
    Suspend,
    /// Leave.
    Quit,
}

/// The result of a key in an overlay.
#[derive(Debug)]
pub(super) enum KeyOutcome {
    /// Run these effects.
    Effects(Vec<Effect>),
    /// Run this command, as if its key were pressed.
    Run(UiCommand),
}

impl KeyOutcome {
    /// Nothing more.
    pub(super) const NOTHING: Self = Self::Effects(Vec::new());
}

impl From<Vec<Effect>> for KeyOutcome {
    fn from(effects: Vec<Effect>) -> Self {
        Self::Effects(effects)
    }
}
