//! Prints any table in any output format.

use super::stream::{self, SampleRequest, SampleSchedule};
use crate::cli::args::{Command, RowArgs, SettingsArgs};
use crate::cli::exit::{CommandError, CommandResult, Exit, usage};
use crate::cli::options::{self, Environment, Invocation};
use crate::cli::out::{self, Out};
use crate::cli::table_command::TableCommand;
use crate::columns::select::column_names;
use crate::columns::{Info, Query, Rows, Spec, Style, Unit, Value, tables, text, units};
use crate::derive::SampleView;
use crate::model::text::meant_or_all;
use crate::model::{Missing, Part, PartSet, Policy, Reading};
use crate::report::json::ReportDocument;
use crate::report::table::{StreamLayout, TableOptions};
use crate::report::{csv, markdown, table};

/// Prints a table.
///
/// # Errors
/// The arguments do not fit the table, or its subject could not be read.
pub fn run(args: &TableCommand, invocation: &Invocation) -> CommandResult {
    let spec = tables::find(args.table).ok_or_else(|| unknown(args.table))?;
    let query =
        Query::new(spec, &args.rows.request(args.all, args.tree)).map_err(CommandError::Usage)?;
    let pace = SampleSchedule::new(args.rows.interval.as_deref(), args.rows.count)?;
    let mut printer = Printer::new(&args.rows, pace, &invocation.environment)?;
    let needs = printer.needs(&query);
    // A single report may take a while, like a scan of clusters that is requested by name.
    let looks = needs.has(Part::KernelClusters) && !pace.repeats();
    let closer =
        |view: &SampleView<'_>| if looks { (spec.footnotes.closer)(view) } else { PartSet::NONE };
    let reads =
        SampleRequest { parts: needs, two_samples: query.needs_two_samples(), closer: &closer };
    stream::run_closer(&invocation.source, reads, pace, |view| printer.print(&query, view))?;
    Ok(Exit::Done)
}

/// The table that `replay` prints by default.
pub const REPLAYED: &str = "paging";

/// The table of a command with `--help-columns`.
#[expect(clippy::wildcard_enum_match_arm, reason = "the other commands print no table")]
pub fn table_to_explain(command: &Command) -> Option<&'static Spec> {
    let (rows, table) = match command {
        Command::Status(args) => (&**args, "status"),
        Command::Report(args) => match args.tables.as_slice() {
            [table] => (&args.rows, table.as_str()),
            _ => return None,
        },
        Command::Clusters(args) if args.cluster.is_some() => (&args.rows, "cluster_slots"),
        Command::Clusters(args) => (&args.rows, "clusters"),
        Command::Cost(args) => (&args.rows, "cost"),
        Command::Table(args) => (&args.rows, args.table),
        Command::Replay(args) => (&args.rows, args.table.as_deref().unwrap_or(REPLAYED)),
        _ => return None,
    };
    tables::find(table).filter(|_| rows.help_columns)
}

/// Lists the columns of a table.
///
/// # Errors
/// The output cannot be written.
pub fn explain_columns(spec: &Spec, environment: &Environment) -> CommandResult {
    Out::new().lines(column_help(spec, environment.width))?;
    Ok(Exit::Done)
}

/// The error of a table that does not exist.
pub fn unknown(name: &str) -> CommandError {
    let names: Vec<_> = tables::TABLES.iter().map(|spec| spec.name).collect();
    let meant = meant_or_all(name, "tables", &names);
    usage(format!("table \"{name}\" does not exist{meant}"))
}

/// Prints the rows of a query, once or repeatedly.
pub struct Printer<'p> {
    /// Standard output.
    pub out: Out,
    /// The options of rows.
    pub rows: &'p RowArgs,
    /// The layout of tables.
    pub look: TableOptions,
    /// Whether more than one sample is printed.
    pub repeats: bool,
    /// The number of samples printed.
    pub printed: u64,
    /// The layout of the tables printed before.
    pub layout: StreamLayout,
    /// The thresholds of findings.
    pub policy: Policy,
}

/// Width of text without a terminal, in cells.
const WIDTH: usize = 100;
/// Lines of a stream after which the headings are repeated, as in vmstat.
const HEAD_EVERY: u64 = 20;

impl<'p> Printer<'p> {
    /// A printer before its first sample.
    ///
    /// # Errors
    /// The settings file, which has the thresholds, cannot be read.
    pub fn new(
        rows: &'p RowArgs,
        pace: SampleSchedule,
        environment: &Environment,
    ) -> CommandResult<Self> {
        Ok(Self {
            out: Out::new(),
            rows,
            look: rows.look(environment),
            repeats: pace.repeats(),
            printed: 0,
            layout: StreamLayout::default(),
            policy: options::policy(environment, &SettingsArgs::default())?.0,
        })
    }

    /// Whether footnotes follow: only below a single table for people.
    fn has_footnotes(&self) -> bool {
        !(self.repeats || self.rows.noheadings || self.rows.has_table_only())
    }

    /// The parts needed by a query and by its footnotes.
    pub fn needs(&self, query: &Query) -> PartSet {
        let more = if self.has_footnotes() { query.spec.footnotes.needs } else { PartSet::NONE };
        query.needs().with(more)
    }

    /// Prints a paragraph, after an empty line.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn paragraph(&mut self, words: &str) -> CommandResult<()> {
        let lines = text::wrap(words, self.look.width.unwrap_or(WIDTH));
        self.out.lines(std::iter::once(String::new()).chain(lines))
    }

    /// Prints the rows of a query.
    ///
    /// # Errors
    /// The subject of the table could not be read, or the output cannot be written.
    pub fn print(&mut self, query: &Query, view: &SampleView<'_>) -> CommandResult<()> {
        self.print_rows(query, view, query.rows_with_policy(view, &self.policy))
    }

    /// Prints rows that were made in another way.
    ///
    /// # Errors
    /// The rows are missing, or the output cannot be written.
    pub fn print_rows(
        &mut self,
        query: &Query,
        view: &SampleView<'_>,
        rows: Reading<Rows>,
    ) -> CommandResult<()> {
        let first = self.printed == 0;
        self.printed += 1;
        let nothing = rows.missing();
        let nothing = nothing.map(|missing| CommandError::missing(query.spec.name, missing));
        if self.rows.json {
            let tables = vec![(query.spec, rows)];
            let document = ReportDocument::new(query.spec.name, view, tables);
            self.out.json(&document, !self.repeats)?;
            return nothing.map_or(Ok(()), Err);
        }
        let rows = match (rows, nothing) {
            (Reading::Known(rows), None) if self.rows.timestamp => with_time(rows, view),
            (Reading::Known(rows), None) => rows,
            (_, nothing) => return nothing.map_or(Ok(()), Err),
        };
        if self.rows.csv {
            let head = (first && !self.rows.noheadings).then(|| csv::head(&rows));
            return self.out.lines(head.into_iter().chain(csv::lines(&rows)));
        }
        if self.rows.markdown {
            let text = if self.repeats {
                markdown::lines(&rows, self.look.bytes, first)
            } else {
                markdown::table(query.spec, &rows, false, self.look.bytes)
            };
            return self.out.text(&text);
        }
        self.text(query, view, &rows)
    }

    fn text(&mut self, query: &Query, view: &SampleView<'_>, rows: &Rows) -> CommandResult<()> {
        let single = query.spec.style == Style::Record;
        let lines = if single && !self.repeats && !self.rows.raw {
            table::record(rows, self.look)
        } else {
            table::aligned(rows, self.stream_look(single), &mut self.layout)
        };
        if self.repeats && !single && !self.rows.raw && self.printed > 1 {
            self.out.lines([""])?;
        }
        self.out.lines(lines)?;
        if self.rows.explain {
            let reasons = table::reasons(rows);
            self.out.lines(reasons.iter().map(|reason| format!("  {reason}")))?;
        }
        if !self.has_footnotes() {
            return Ok(());
        }
        let footnotes = Some(query.spec.footnotes).filter(|_| !rows.cells.is_empty());
        for sentence in footnotes.iter().flat_map(|notes| (notes.sentences)(view, rows)) {
            self.paragraph(&sentence)?;
        }
        remarks(query, view, rows);
        if let Some(legend) = footnotes.and_then(|notes| notes.legend) {
            out::remark(legend);
        }
        Ok(())
    }

    /// The layout within a stream: headings above every twentieth line, and with `--raw` above the
    /// first only.
    fn stream_look(&self, single: bool) -> TableOptions {
        let head = match (self.rows.raw, single) {
            (true, _) => self.printed == 1,
            (false, true) => (self.printed - 1).is_multiple_of(HEAD_EVERY),
            (false, false) => true,
        };
        TableOptions { noheadings: self.look.noheadings || !head, by_name: single, ..self.look }
    }
}

/// Prints remarks below a single table: hidden rows, and the time over which rates were measured.
fn remarks(query: &Query, view: &SampleView<'_>, rows: &Rows) {
    if rows.cells.is_empty() {
        out::remark(&describe_empty(query.spec, rows));
    } else if let Some(more) = query.spec.left_out(rows.hidden) {
        out::remark(&format!("{more}: --all shows them"));
    }
    match (query.needs_two_samples(), view.seconds()) {
        (true, Some(seconds)) => {
            out::remark(&format!("rates are over {}", units::seconds(seconds)));
        }
        (true, None) => out::remark("rates need two samples: there is only one"),
        (false, _) => {}
    }
}

static TIME: Info = Info::new("time", "TIME", Unit::Text).says(
    "When the sample was taken: UTC, or since the start of a simulated machine.",
    "the clock of the machine",
);

/// The rows with the time of their sample as first column.
fn with_time(mut rows: Rows, view: &SampleView<'_>) -> Rows {
    let stamp = view.now.stamp;
    let time: Value = if stamp.has_date() || view.now.simulated.is_some() {
        units::date(stamp.wall_ms).into()
    } else {
        Value::Missing(Missing::Absent("the captured tree has no time".into()))
    };
    rows.infos.insert(0, &TIME);
    rows.named.insert(0, true);
    rows.sorted = rows.sorted.map(|(place, descending)| (place + 1, descending));
    for row in &mut rows.cells {
        row.insert(0, time.clone());
    }
    rows
}

/// The remark for a table without rows.
fn describe_empty(spec: &Spec, rows: &Rows) -> String {
    match (spec.only, rows.hidden, rows.filtered) {
        (_, _, filtered @ 1..) => {
            format!("{}: none of {filtered} rows matches the filter", spec.name)
        }
        (Some(only), hidden @ 1.., _) => {
            let others = only.others;
            format!("{}: nothing to show, except {hidden} {others}: --all shows them", spec.name)
        }
        _ => spec.empty.map_or_else(|| format!("{}: nothing to show", spec.name), str::to_owned),
    }
}

/// The columns of a table with their units and meaning.
fn column_help(spec: &Spec, width: Option<usize>) -> Vec<String> {
    let infos = (spec.infos)();
    let names = infos.iter().map(|info| info.id.len()).max().unwrap_or(0);
    let width = width.unwrap_or(100).max(names + 40);
    let mut lines = vec![format!("{}.", spec.about), String::new()];
    for info in infos {
        let usual = if column_names(spec.default).any(|id| id == info.id) { "*" } else { " " };
        let meaning =
            format!("{}: {} ({}; {})", info.head, info.meaning(), info.unit.word(), info.source);
        let head = format!("{usual} {}", info.id);
        lines.extend(text::heading_and_text(&head, &meaning, (names + 4, width)));
    }
    lines.push(String::new());
    lines.push("* shown by default".to_owned());
    lines
}
