//! Time: new samples, pausing and going back, recordings.

use super::{App, Effect, Snapshot, SourceKind, Stamp, Time};
use crate::ui::app::Recording;

/// Samples of a large step.
pub(super) const LARGE_STEP: u64 = 30;

/// Handles new samples.
pub(super) fn push(app: &mut App, snapshots: Vec<Snapshot>) {
    let began = app.source.history.newest().is_none();
    let oldest = app.source.history.span().map(|(first, _)| first);
    for snapshot in snapshots {
        if let Some(last) = app.source.history.newest() {
            app.source.events.notice(&last.now, &snapshot);
        }
        app.source.history.push(snapshot);
    }
    keep_paused_in_span(app, oldest);
    if began && app.source.kind == SourceKind::Recording {
        // A recording starts playing at its second sample: the rates of that refer to the first.
        if let Some((first, last)) = app.source.history.span() {
            app.source.time = Time::Playing { moment: last.min(first + 1), due: next_due(app) };
        }
    }
    if began {
        app.notify_rights();
    }
}

/// A paused sample is eventually removed from the history. From then on the screen shows the oldest sample, and
/// a notice says so when it gets there.
fn keep_paused_in_span(app: &mut App, oldest: Option<u64>) {
    let (Time::Paused(moment), Some((first, _))) = (app.source.time, app.source.history.span())
    else {
        return;
    };
    if first > moment {
        app.source.time = Time::Paused(first);
    }
    if first >= moment && oldest.is_some_and(|oldest| oldest < moment) {
        app.notify_error("history is full: the paused screen now follows the oldest sample");
    }
}

/// No more samples will come.
pub(super) fn source_ended(app: &mut App, why: Option<String>) {
    app.source.ended = true;
    if let Some(why) = why {
        app.notify_error(why);
    }
}

/// A recording was started, or failed to start.
pub(super) fn recording_begun(app: &mut App, result: Result<String, String>) {
    match (result, &app.recording) {
        (Ok(name), Some(_)) => {
            app.notify(format!("recording to {name}; R stops"));
            app.recording = Some(Recording::Writing(name));
        }
        // The recording was stopped meanwhile.
        (Ok(name), None) => app.notify(format!("the recording is in {name}")),
        (Err(why), _) => {
            app.recording = None;
            app.notify_error(why);
        }
    }
}

/// Handles a tick: plays a recording, and updates the age of a stale sample. False if the screen stays
/// as it is.
pub(super) fn tick(app: &mut App, now: Stamp) -> bool {
    let stale = |app: &App| app.stale().map(|age| age.as_secs());
    let before = stale(app);
    app.now = now;
    if super::changes::tick(app) || super::learn::play(app) {
        return true;
    }
    match app.source.time {
        Time::Playing { due, .. } if now.boot_ns >= due.boot_ns => play(app),
        _ => stale(app) != before,
    }
}

/// Goes to the next sample of a recording; false if it is not read yet.
fn play(app: &mut App) -> bool {
    let Some((moment, (_, last))) = app.moment_number().zip(app.source.history.span()) else {
        return false;
    };
    if moment < last {
        app.source.time = Time::Playing { moment: moment + 1, due: next_due(app) };
        request_more(app, moment + 1, last);
        return true;
    }
    if !app.source.ended {
        // The rest is still being read.
        app.source.time = Time::Playing { moment, due: next_due(app) };
        return false;
    }
    app.source.time = Time::Paused(last);
    app.notify("end of the recording: ( and B go back");
    true
}

/// The time at which the next sample of a recording is shown.
fn next_due(app: &App) -> Stamp {
    let nanos = u64::try_from(app.interval.as_nanos()).unwrap_or(u64::MAX);
    Stamp { boot_ns: app.now.boot_ns.saturating_add(nanos), ..app.now }
}

/// Requests more samples before the end of those read is reached.
fn request_more(app: &mut App, moment: u64, last: u64) {
    let near = last - moment.min(last) < 2 * LARGE_STEP;
    if near && !app.source.ended && app.source.kind == SourceKind::Recording {
        app.emit(Effect::LoadMore);
    }
}

/// Pauses at the sample on screen, or continues.
pub(super) fn pause(app: &mut App) {
    let Some(moment) = app.moment_number() else { return };
    app.source.time = match (app.source.time, app.source.kind) {
        (Time::Newest | Time::Playing { .. }, _) => Time::Paused(moment),
        (Time::Paused(_), SourceKind::Recording) => Time::Playing { moment, due: app.now },
        (Time::Paused(_), SourceKind::Live | SourceKind::Captured | SourceKind::Simulated) => {
            Time::Newest
        }
    };
}

/// Moves by a number of samples.
pub(super) fn step(app: &mut App, by: u64, back: bool) {
    let (Some(now), Some((first, last))) = (app.moment_number(), app.source.history.span()) else {
        return;
    };
    let wanted = if back { now.saturating_sub(by) } else { now.saturating_add(by) };
    app.source.time = Time::Paused(wanted.clamp(first, last));
    if back && now < first + by {
        app.notify("this is the oldest sample kept");
    } else if wanted > last && (app.source.ended || app.is_live()) {
        app.notify(if app.is_live() {
            "this is the newest sample: Z returns to live"
        } else {
            "end of the recording"
        });
    }
    request_more(app, wanted.min(last), last);
}

/// Starts or stops a recording.
pub(super) fn record(app: &mut App) {
    match app.recording.take() {
        Some(Recording::Writing(name)) => {
            app.notify(format!("the recording is in {name}; open it with swapadm replay"));
            app.emit(Effect::StopRecording);
        }
        Some(Recording::Starting) => app.emit(Effect::StopRecording),
        None => {
            app.recording = Some(Recording::Starting);
            app.emit(Effect::StartRecording);
        }
    }
}

/// Writes the sample on screen.
pub(super) fn write_moment(app: &mut App) {
    let Some(moment) = app.moment() else { return };
    let snapshots = moment.before.iter().chain([&moment.now]).cloned().collect();
    app.emit(Effect::Write(snapshots));
}
