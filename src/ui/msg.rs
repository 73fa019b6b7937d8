//! Messages to the interface, and its effects.

use super::change::{
    AnyProposal, ChangeHistory, ChangeProposal, ChangeRequest, ChangeResult, ExecutionOptions,
};
use super::lab::{
    ComparedIds, ComparedResults, Form, LabResult, RunStart, RunView, SessionProposal,
    SessionReport,
};
use super::settings::Settings;
use super::what_if::{WhatIfPage, WhatIfQuestion};
use crate::actions::run::Progress;
use crate::change::SimulatedTarget;
use crate::change::setup::{SetupProposal, SetupRequest};
use crate::columns::export::{TableExport, TableFormat};
use crate::derive::lab::ResultEntry;
use crate::model::subject::DetailTarget;
use crate::model::{Snapshot, Stamp};
use crate::sampler::WantedParts;
use ratatui::crossterm::event::{KeyEvent, MouseEvent};
use ratatui::layout::Size;
use std::time::Duration;

/// A message to the interface.
#[derive(Debug)]
pub enum Msg {
    /// A key was pressed.
    Key(KeyEvent),
    /// The mouse was used.
    Mouse(MouseEvent),
    /// Text was pasted.
    Paste(String),
    /// The terminal was resized.
    Resize(Size),
    /// A new sample of the machine, or the next ones of a recording.
    Snapshots(Vec<Snapshot>),
    /// No more samples will come, with the error if that is one.
    SourceEnded(Option<String>),
    /// Time has passed.
    Tick(Stamp),
    /// Settings were saved to this file, or the error.
    Saved(Result<String, String>),
    /// Progress in lessons was saved, or the error.
    ProgressSaved(Result<(), String>),
    /// A sample was written to this file, or the error.
    Written(Result<String, String>),
    /// A table was written to this file, or the error.
    TableWritten(Result<String, String>),
    /// A recording was started in this file, or the error.
    RecordingBegun(Result<String, String>),
    /// A recording ended because of a write error.
    RecordingFailed(String),
    /// The plan with this number, or why there is none.
    Planned(u64, Result<Box<AnyProposal>, String>),
    /// The setup proposed for the request with this number, or why there is none.
    SetupProposed(u64, Box<SetupRequest>, Result<Box<SetupProposal>, String>),
    /// The progress of a change.
    Progress(Progress),
    /// A change has ended.
    Changed(ChangeResult),
    /// The share of the work that is done for the question to the model with this number.
    Simulating(u64, f64),
    /// The answer to the question with this number, or why the model has no answer.
    Simulated(u64, Result<Box<WhatIfPage>, String>),
    /// The journal, to be shown.
    JournalRead(Result<ChangeHistory, String>),
    /// The journal at the start: it may contain interrupted changes.
    JournalAtStart(Result<ChangeHistory, String>),
    /// The prepared session for the form with this number, or why the form is invalid.
    Prepared(u64, Result<Box<SessionProposal>, String>),
    /// The progress of a workload.
    RunProgress(RunView),
    /// The next run of an experiment starts.
    RunStarted(RunStart),
    /// A workload or an experiment has ended, or could not start.
    SessionEnded(Result<Box<SessionReport>, String>),
    /// The list of results.
    Results(Result<Vec<ResultEntry>, String>),
    /// A result, to be shown.
    Result(Result<LabResult, String>),
    /// Whether two results can be compared.
    Comparable(ComparedIds, Result<(), String>),
    /// Two results, to be compared on a page.
    Compared(Result<ComparedResults, String>),
}

/// A request of the interface to the runtime.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Sample these parts at this interval.
    SetWants(WantedParts, Duration),
    /// Read this process or cgroup in detail with each sample.
    ReadSubject(Option<DetailTarget>),
    /// Sample now.
    SampleNow,
    /// Read more of the recording.
    LoadMore,
    /// Save these settings.
    Save(Box<Settings>),
    /// Save this progress in lessons.
    SaveProgress(String),
    /// Start a recording.
    StartRecording,
    /// Stop the recording.
    StopRecording,
    /// Write these samples to a recording of their own.
    Write(Vec<Snapshot>),
    /// Plan a change with these options, under this number.
    Plan(u64, ChangeRequest, ExecutionOptions),
    /// Propose a setup of swap, under this number.
    ProposeSetup(u64, SetupRequest),
    /// Plan a workload or an experiment for the dialog, under this number.
    PlanSession(u64, Form),
    /// Carry out a confirmed plan.
    CarryOut(Box<ChangeProposal>),
    /// Stop the running change and undo it.
    Stop,
    /// Stop the undo too: the rest stays as it is, for `swapadm recover`.
    StopUndo,
    /// Ask the model, under this number.
    Simulate(u64, Box<WhatIfQuestion>),
    /// Stop the model.
    StopSimulation,
    /// Make changes on the machine of a lesson, or on that of the source again.
    ChangeMachine(Option<SimulatedTarget>),
    /// Read the journal.
    ReadJournal,
    /// Prepare the session of this form, under this number.
    Prepare(u64, Form),
    /// Run a confirmed session.
    Run(Box<SessionProposal>),
    /// Read the list of results.
    Results,
    /// Read a result, to be shown.
    Result(u64),
    /// Check whether two results can be compared.
    Comparable(ComparedIds),
    /// Compare two results.
    Compare(ComparedIds),
    /// Copy this text to the clipboard of the terminal.
    Copy(String),
    /// Copy this table as Markdown.
    CopyTable(Box<TableExport>),
    /// Write this table to a file of its own.
    SaveTable(Box<TableExport>, TableFormat),
    /// Capture the mouse, or release it.
    Mouse(bool),
    /// Redraw the screen.
    Redraw,
    /// Suspend until the shell continues.
    Suspend,
    /// Exit.
    Quit,
}
