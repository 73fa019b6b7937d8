//! `swapadm process show` and `swapadm cgroup show`: one process or cgroup in detail.

use super::stream::SampleSchedule;
use super::table::Printer;
use crate::cli::args::RowArgs;
use crate::cli::args::subject::{CgroupShowArgs, ProcessShowArgs};
use crate::cli::exit::{CommandError, CommandResult, Exit, usage};
use crate::cli::options::{Environment, Invocation, SourceOptions};
use crate::cli::out;
use crate::clock::Clock;
use crate::columns::tables::{cgroup_detail, cgroups, mappings, processes};
use crate::columns::{Query, Request, Rows, Spec, filter};
use crate::derive::SampleView;
use crate::model::subject::DetailTarget;
use crate::model::{Name, PartSet, Reading, Snapshot, name, part_set, text};
use crate::probes;
use crate::report::json::ReportDocument;
use crate::report::table;
use crate::root::Root;
use std::os::unix::ffi::OsStrExt as _;

/// Parts of a report on one process.
const PROCESS_PARTS: PartSet = part_set![Processes, Meminfo];
/// Parts of a report on one cgroup.
const CGROUP_PARTS: PartSet = PROCESS_PARTS.with(part_set![Cgroups, ProcessDetail, ProcessAll]);

/// The tables of a report, each with its rows.
type Sections = Vec<(&'static Spec, Reading<Rows>)>;

/// Runs `process`.
///
/// # Errors
/// There is no such process, or the output cannot be written.
pub fn process(args: &ProcessShowArgs, invocation: &Invocation) -> CommandResult {
    let request = Request { all: args.form.all, ..Request::default() };
    show_process(args.pid, (&args.form.rows(), &request), invocation)
}

/// Prints a process and its mappings; options of rows apply to its mappings.
///
/// # Errors
/// There is no such process, an option is wrong, or the output cannot be written.
pub fn mappings_of(pid: u32, rows: &RowArgs, invocation: &Invocation) -> CommandResult {
    show_process(pid, (rows, &rows.request(false, false)), invocation)
}

fn show_process(
    pid: u32,
    (rows, request): (&RowArgs, &Request),
    invocation: &Invocation,
) -> CommandResult {
    let mappings = Query::new(&mappings::SPEC, request).map_err(CommandError::Usage)?;
    let snapshot = sample(root(&invocation.source)?, PROCESS_PARTS, &DetailTarget::Process(pid));
    let view = SampleView::single(&snapshot);
    let process = record(&processes::SPEC, &pid.to_string(), &view)?.ok_or_else(|| {
        usage(format!("there is no process {pid}: swapadm processes --all lists all"))
    })?;
    let sections = vec![process, (mappings.spec, mappings.rows(&view))];
    print(sections, &snapshot, rows, &invocation.environment)
}

/// Runs `cgroup`.
///
/// # Errors
/// There is no such cgroup, or the output cannot be written.
pub fn cgroup(args: &CgroupShowArgs, invocation: &Invocation) -> CommandResult {
    let path = Name::new(args.path.as_bytes());
    let snapshot =
        sample(root(&invocation.source)?, CGROUP_PARTS, &DetailTarget::Cgroup(path.clone()));
    let view = SampleView::single(&snapshot);
    let group = record(&cgroups::SPEC, &path.exact(), &view)?.ok_or_else(|| {
        let tree = snapshot.cgroups.reading.known();
        let groups = tree.iter().flat_map(|tree| &tree.groups).map(|group| group.path.safe());
        let groups: Vec<String> = groups.collect();
        let shown = path.safe();
        let meant = text::did_you_mean(&shown, groups.iter().map(String::as_str));
        usage(format!("no cgroup \"{shown}\": swapadm cgroups --all lists all{meant}"))
    })?;
    let mut sections = vec![group, (&processes::SPEC, inside(&path, args.form.all, &view))];
    for spec in [&cgroup_detail::NODES, &cgroup_detail::AGES] {
        let query = Query::new(spec, &Request::default()).map_err(CommandError::Usage)?;
        sections.push((spec, query.rows(&view)));
    }
    print(sections, &snapshot, &args.form.rows(), &invocation.environment)
}

/// The processes in a cgroup and its children.
fn inside(path: &Name, all: bool, view: &SampleView<'_>) -> Reading<Rows> {
    let Some(inside) = filter::at_or_below("cgroup", &path.exact()) else {
        return Reading::absent("a path with both kinds of quotes cannot be searched for");
    };
    let filter = if all { inside } else { format!("({inside}) & uses>0") };
    let request = Request { filter: Some(filter), ..Request::default() };
    match Query::new(&processes::SPEC, &request) {
        Ok(query) => query.rows(view),
        Err(why) => Reading::failed(why),
    }
}

/// The machine that has a subject.
fn root(source: &SourceOptions) -> CommandResult<&Root> {
    match source {
        SourceOptions::Root(root) => Ok(root),
        SourceOptions::Recording { .. } | SourceOptions::Machine(_) => Err(usage(
            "only a real machine has these details: use this without --recording or --machine",
        )),
    }
}

fn sample(root: &Root, parts: PartSet, subject: &DetailTarget) -> Snapshot {
    let mut snapshot = probes::sample(root, &Clock::Real, parts);
    snapshot.subject = probes::subject::read(root, &Clock::Real, subject);
    snapshot
}

/// The row with this key and all its columns; none if there is no such row.
fn record(
    spec: &'static Spec,
    key: &str,
    view: &SampleView<'_>,
) -> CommandResult<Option<(&'static Spec, Reading<Rows>)>> {
    let request = Request { columns: Some("all".to_owned()), all: true, ..Request::default() };
    let query = Query::new(spec, &request).map_err(CommandError::Usage)?;
    let rows = match query.rows(view) {
        Reading::Known(rows) => rows,
        Reading::Missing { missing } => return Err(CommandError::missing(spec.name, &missing)),
    };
    let place = rows.keys.iter().position(|own| own.plain() == key);
    Ok(place.map(|place| (spec, Reading::Known(rows.only(place)))))
}

fn print(
    sections: Sections,
    snapshot: &Snapshot,
    rows: &RowArgs,
    environment: &Environment,
) -> CommandResult {
    let mut printer = Printer::new(rows, SampleSchedule::new(None, None)?, environment)?;
    if rows.json {
        let command = sections.first().map_or("", |(spec, _)| spec.name);
        let view = SampleView::single(snapshot);
        printer.out.json(&ReportDocument::new(command, &view, sections), true)?;
        return Ok(Exit::Done);
    }
    for (place, (spec, rows)) in sections.iter().enumerate() {
        if place > 0 {
            printer.out.lines([String::new(), format!("{}:", spec.title)])?;
        }
        match rows {
            Reading::Known(rows) if place == 0 => {
                printer.out.lines(table::record(rows, printer.look))?;
            }
            Reading::Known(rows) if rows.cells.is_empty() => {
                printer.out.lines(["none in swap".to_owned()])?;
            }
            Reading::Known(rows) => printer.out.lines(table::lines(rows, printer.look))?,
            Reading::Missing { missing } => {
                printer.out.lines([name::safe_text(&missing.why())])?;
            }
        }
        let left_out = rows.known().and_then(|rows| spec.left_out(rows.hidden));
        if let Some(more) = left_out {
            out::remark(&more);
        }
    }
    Ok(Exit::Done)
}
