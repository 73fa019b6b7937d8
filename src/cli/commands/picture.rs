//! `swapadm watch --picture`: a screen as an SVG file.

use super::plain::Samples;
use super::stream::{self, SampleSchedule};
use crate::cli::exit::{CommandResult, Exit};
use crate::cli::options::SourceOptions;
use crate::cli::out;
use crate::clock::Clock;
use crate::ui::app::{AppInit, SourceKind, Time};
use crate::ui::appearance::TerminalInfo;
use crate::ui::msg::Msg;
use crate::ui::settings::{ColorChoice, GlyphChoice, Settings};
use crate::ui::{self, App, HitMap, picture};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use std::path::Path;

/// Samples of a live machine, unless --count says otherwise: rates need two.
const SAMPLES: u64 = 2;
/// Samples of a simulated machine: a minute of it.
const SIMULATED_SAMPLES: u64 = 60;

/// Draws the first screen of the settings after the samples, and writes it to a file.
pub(super) fn run(
    samples: Samples<'_>,
    mut settings: Settings,
    file: &Path,
    size: Size,
) -> CommandResult {
    let Samples { count, source, name } = samples;
    // A picture does not depend on the terminal from which it is made.
    if settings.color == ColorChoice::Auto {
        settings.color = ColorChoice::True;
    }
    if settings.glyphs == GlyphChoice::Auto {
        settings.glyphs = GlyphChoice::Full;
    }
    let interval = format!("{}s", settings.interval.as_secs_f64());
    let (kind, pace) = match source {
        SourceOptions::Root(root) if root.is_live() => {
            let count = count.unwrap_or(SAMPLES);
            (SourceKind::Live, SampleSchedule::new(Some(&interval), Some(count))?)
        }
        SourceOptions::Root(_) => (SourceKind::Captured, SampleSchedule::whole_recording(count)),
        SourceOptions::Recording { .. } => {
            (SourceKind::Recording, SampleSchedule::whole_recording(count))
        }
        // Without an end: its samples do not wait for each other.
        SourceOptions::Machine(_) => {
            let count = count.unwrap_or(SIMULATED_SAMPLES);
            (SourceKind::Simulated, SampleSchedule::whole_recording(Some(count)))
        }
    };
    let mut app = App::new(AppInit {
        kind,
        source: name,
        size,
        terminal: TerminalInfo::default(),
        settings,
        problems: vec![],
        now: Clock::Real.now(),
    });
    let (parts, hits) = (app.wants.all(), HitMap::default());
    stream::run(source, parts, true, pace, |view| {
        let first = app.source.history.newest().is_none();
        let before = view.before.filter(|_| first);
        let snapshots: Vec<_> = before.into_iter().chain([view.now]).cloned().collect();
        app.now = view.now.stamp;
        ui::update(&mut app, Msg::Snapshots(snapshots), &hits);
        app.notice = None;
        app.source.time = Time::Newest;
        app.refresh();
        Ok(())
    })?;
    let mut buffer = Buffer::empty(Rect::from((Position::ORIGIN, size)));
    ui::view(&app, &mut buffer);
    let title = format!("swapadm {}: {}", app.shown().id, app.shown().question);
    out::replace_file(file, picture::svg(&buffer, &title, app.settings.theme))?;
    Ok(Exit::Done)
}
