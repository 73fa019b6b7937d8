//! Questions to the model of the machine on screen, and its answers as pages.

use super::appearance::Appearance;
use super::area_charts::{self, AreaCurve};
use super::change::ChangeEngine;
use super::glyphs::rounded;
use super::page::{self, PageContent, PageLine, TextPage};
use super::theme::Role;
use crate::change::what_if::{self, MODEL_PARTS, ModelledMachine};
pub use crate::change::what_if::{AreaSetup, LoadChoice, ModelChange, Watch};
use crate::columns::lines::TableOptions;
use crate::columns::tables::what_if::{PredictedCase, WhatIfAnswer};
use crate::columns::text;
use crate::derive::SampleView;
use crate::lab::library::UserFiles;
use crate::model::name::safe_text;
use crate::model::name::shell_quoted;
use crate::model::{Bytes, Name, Reading, Snapshot};
use ratatui::layout::Size;

/// A question to the model: changes of the machine, and the use of swap that is assumed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WhatIfRequest {
    /// The changes in words.
    pub asked: String,
    /// The changes; empty for the machine as it is.
    pub changes: Vec<ModelChange>,
    /// The load.
    pub load: LoadChoice,
    /// Growth of used swap per second, as typed; none if it is measured.
    pub rate: Option<String>,
    /// The options of the command line that name the machine; none for that of a lesson.
    pub source: Option<String>,
}

impl WhatIfRequest {
    /// The question in words.
    pub fn title(&self) -> String {
        let asked = if self.asked.is_empty() { "as it is" } else { &self.asked };
        let rate = self.rate.iter().map(|rate| format!(", growth {rate}/s"));
        safe_text(&format!("What if: {asked}{}{}", self.load.describe(), rate.collect::<String>()))
    }

    /// The command that gives the same answer; none if it has no such options.
    pub fn command(&self) -> Option<String> {
        let source = self.source.as_ref()?;
        let options = self.changes.iter().map(|change| Some(format!(" {}", change.options()?)));
        let changes = options.collect::<Option<String>>()?;
        let rate = self
            .rate
            .iter()
            .map(|rate| format!(" --rate {}", shell_quoted(&Name::from(rate.as_str()))));
        let rate = rate.collect::<String>();
        Some(format!("swapadm{source} what-if{changes}{}{rate}", self.load.options()))
    }
}

/// A question to the model about the machine at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct WhatIfQuestion {
    /// The question.
    pub request: WhatIfRequest,
    /// The sample on screen.
    pub now: Snapshot,
    /// Each part as it was read the previous time.
    pub before: Option<Snapshot>,
    /// Is a new sample taken in place of the one on screen? Samples of a running machine have only what the screen
    /// shows.
    pub needs_sample: bool,
}

impl WhatIfQuestion {
    /// Asks the model, which may take seconds. The error says why there is no answer.
    pub fn ask(
        self,
        engine: Option<&dyn ChangeEngine>,
        watch: Watch<'_>,
    ) -> Result<WhatIfPage, String> {
        let sample = engine.filter(|_| self.needs_sample).map(|it| it.sample(MODEL_PARTS));
        let now = sample.as_ref().unwrap_or(&self.now);
        let view = SampleView { now, before: self.before.as_ref() };
        let mut machine = ModelledMachine::new(what_if::like(now)?, &view);
        if let Some(rate) = &self.request.rate {
            machine.growth = Reading::Known(what_if::parse_rate(rate)?);
        }
        // A recording has no engine.
        let built_in = |named: &Name| {
            let load = UserFiles::next_to(None).loads.workload(named.as_path().as_os_str());
            load.map_err(|why| why.to_string())
        };
        let read = |named: &Name| engine.map_or_else(|| built_in(named), |it| it.workload(named));
        let load = self.request.load.resolve(&view, read)?;
        let answer = what_if::predict(&machine, &self.request.changes, &load, watch)?;
        Ok(WhatIfPage { request: self.request, answer })
    }
}

/// An answer of the model, from which a page is laid out.
#[derive(Clone, Debug)]
pub struct WhatIfPage {
    /// The question.
    pub request: WhatIfRequest,
    /// The answer.
    pub answer: WhatIfAnswer,
}

impl WhatIfPage {
    /// The page for this size: conclusions, charts, tables, and what the model does not know.
    pub fn page(&self, size: Size, look: &Appearance) -> TextPage {
        let inside = page::inside(size, usize::MAX);
        let cells = usize::from(inside.width);
        let options = TableOptions { width: Some(cells), ..TableOptions::default() };
        let tables = self.answer.table_lines(options);
        let conclusions = self.answer.conclusions().into_iter().map(PageLine::text);
        let charts = chart_lines(&self.answer, look, (cells, usize::from(inside.height / 2)));
        let charts = charts.into_iter().map(|line| PageLine::text(line).as_role(Role::Disk));
        let limits = self.answer.limits().into_iter();
        let limits = limits.map(|words| PageLine::text(words).as_role(Role::Label));
        let command = self.request.command();
        let by_hand = command.iter().map(|line| PageLine::named("by hand", line));
        let load = self.answer.load().map(|load| PageLine::named("load", load));
        let lines = conclusions
            .chain([PageLine::text("")])
            .chain(charts)
            .chain(tables.into_iter().map(PageLine::text))
            .chain(limits)
            .chain(load)
            .chain(by_hand);
        let page = TextPage::new(self.request.title(), lines.collect());
        let content = Some(Box::new(PageContent::WhatIf(self.clone())));
        TextPage { copy: command, content, ..page }
    }
}

/// The word for the growth of used swap between the samples.
pub const MEASURED: &str = "measured";
/// Charts of the used space of each area in the run, the axis below, and an empty line, in this many cells and rows.
pub fn chart_lines(answer: &WhatIfAnswer, look: &Appearance, size: (usize, usize)) -> Vec<String> {
    let longest = answer.cases.iter().max_by_key(|case| case.length());
    let Some(longest) = longest else { return vec![] };
    let curves = curves(answer, longest.length());
    area_charts::chart_lines(curves, |cells| axis(longest, cells), look, size)
}

/// The areas of all cases in a run of this length. A shorter run ends before.
fn curves(answer: &WhatIfAnswer, length: Bytes) -> Vec<AreaCurve<'_>> {
    let curves = answer.cases.iter().flat_map(move |case| {
        let prefix = if answer.cases.len() > 1 { format!("{} ", case.name) } else { String::new() };
        case.prediction.areas.iter().map(move |area| {
            let used_at = move |share: f64| {
                let place = (share * length.0 as f64 / case.prediction.interval.0 as f64).floor();
                area.history.get(rounded(place)).map(|used| used.0 as f64)
            };
            let name = prefix.clone() + &Name::from(area.path.as_str()).base().safe();
            AreaCurve { name, used_at: Box::new(used_at), most: area.size.0 as f64 }
        })
    });
    curves.collect()
}

/// The axis below charts, with the use of swap at present and the end of the run.
fn axis(case: &PredictedCase, cells: usize) -> String {
    let end = case.end();
    let room = cells.saturating_sub(text::width(&end));
    let now =
        case.share_at_present().map(|share| " ".repeat(rounded(share * cells as f64)) + "now ");
    let now = now.filter(|now| now.len() <= room).unwrap_or_default();
    text::pad(&now, room, false) + &end
}

/// A question that the model is working on.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// The number: the answer has the same.
    pub number: u64,
    /// The question in words.
    pub title: String,
    /// The share of the work that is done.
    pub share: f64,
}
