//! `swapadm clusters`: how the slots of areas are spread over clusters.

mod slots;

use super::stream::{self, SampleSchedule};
use super::table::Printer;
use crate::cli::args::{ClusterArgs, ViewChoice};
use crate::cli::exit::{CommandError, CommandResult, Exit, usage};
use crate::cli::options::{Invocation, SourceOptions};
use crate::cli::out::{self, Out};
use crate::columns::tables::clusters::{AGES, FILL, MAP, NEXT, ORDERS, OWNERS, SPEC, STORED};
use crate::columns::{Query, Request, Spec};
use crate::derive::{SampleView, clusters};
use crate::model::clusters::{ClusterMap, ClusterView};
use crate::model::swaparea::SwapArea;
use crate::model::{Missing, Part, PartSet, Reading, Sampled, Snapshot, name, text, zram};
use crate::report::json::ReportDocument;
use crate::report::{map, table};
use std::borrow::Cow;

/// Prints the tables and maps.
///
/// # Errors
/// An area is not active, or the view is not available.
pub fn run(args: &ClusterArgs, invocation: &Invocation) -> CommandResult {
    if let Some(cluster) = args.cluster {
        return slots::run(args, cluster, invocation);
    }
    let asked = ClusterQueries::from_args(args)?;
    let pace = SampleSchedule::new(args.rows.interval.as_deref(), args.rows.count)?;
    let mut printer = Printer::new(&args.rows, pace, &invocation.environment)?;
    let needs = needs(args.view, asked.areas.needs());
    let mut shown = 0;
    let mut is_known = false;
    stream::run(&invocation.source, needs, asked.areas.needs_two_samples(), pace, |view| {
        let recorded = explain_recording(view.now, &invocation.source);
        let now = select_areas_again(&recorded, &args.areas, shown)?;
        shown += 1;
        is_known |= has_any(&now);
        asked.print(&SampleView { now: &now, before: view.before }, &mut printer)
    })?;
    Ok(if is_known { Exit::Done } else { Exit::Failed })
}

/// Whether the clusters of any area are known; without areas there is nothing to know.
fn has_any(snapshot: &Snapshot) -> bool {
    let areas = snapshot.areas().len();
    areas == 0 || (0..areas).any(|place| clusters::best_view(snapshot, place).known().is_some())
}

/// The snapshot, with the reason for missing clusters if it comes from a recording.
pub fn explain_recording<'s>(snapshot: &'s Snapshot, source: &SourceOptions) -> Cow<'s, Snapshot> {
    let views = [
        &snapshot.kernel_clusters.reading,
        &snapshot.stored_clusters.reading,
        &snapshot.mapped_clusters.reading,
    ];
    let is_held = views.iter().any(|view| view.missing() != Some(&Missing::NotSampled));
    if is_held || !matches!(source, SourceOptions::Recording { .. }) {
        return Cow::Borrowed(snapshot);
    }
    let why = Reading::absent(
        "a recording has clusters only if it was made in the interface, at times when the map was shown",
    );
    let stored_clusters = Sampled::new(None, why.clone());
    Cow::Owned(Snapshot {
        kernel_clusters: Sampled::new(None, why.clone()),
        mapped_clusters: Sampled::new(None, why),
        stored_clusters,
        ..snapshot.clone()
    })
}

/// The parts to read: all views, or the requested one.
fn needs(view: Option<ViewChoice>, all: PartSet) -> PartSet {
    let only = match view {
        None => return all,
        Some(ViewChoice::Kernel) => Part::KernelClusters,
        Some(ViewChoice::Zram) => Part::StoredClusters,
        Some(ViewChoice::Tables) => Part::MappedClusters,
    };
    all.without(PartSet::CLUSTERS).with(PartSet::from_parts(&[only]))
}

/// The tables that were requested.
struct ClusterQueries {
    areas: Query,
    /// The detailed tables.
    closely: Vec<Query>,
    map: Option<Query>,
}

/// The tables that named areas and JSON add.
const DETAIL_TABLES: &[&Spec] = &[&ORDERS, &FILL, &OWNERS, &STORED, &AGES, &NEXT];

impl ClusterQueries {
    fn from_args(args: &ClusterArgs) -> CommandResult<Self> {
        let areas =
            Query::new(&SPEC, &args.rows.request(false, false)).map_err(CommandError::Usage)?;
        let closely = !args.areas.is_empty() || args.rows.json;
        let tables: &[&'static Spec] = if closely { DETAIL_TABLES } else { &[] };
        let all = args.rows.json.then(|| "all".to_owned());
        let whole = Request {
            columns: all,
            two_samples: args.rows.interval.is_some(),
            ..Request::default()
        };
        let query = |spec| Query::new(spec, &whole).map_err(CommandError::Usage);
        let closely = tables.iter().map(|spec| query(spec)).collect::<Result<_, _>>()?;
        let map = args.map.then(|| query(&MAP)).transpose()?;
        Ok(Self { areas, closely, map })
    }

    fn print(&self, view: &SampleView<'_>, printer: &mut Printer<'_>) -> CommandResult<()> {
        if printer.rows.json {
            return printer.out.json(&self.document(view), !printer.repeats);
        }
        printer.print(&self.areas, view)?;
        if printer.rows.has_table_only() {
            return Ok(());
        }
        let tells = !printer.repeats && !printer.rows.noheadings;
        if tells {
            let unstored = (!self.closely.is_empty()).then(|| unknown_stored(view.now));
            let unplaced = (!self.closely.is_empty()).then(|| unknown_next(view.now));
            let closely = [unstored, unplaced].into_iter().flatten().flatten();
            let closely = unread_kernel(view.now).into_iter().chain(closely);
            for remark in remarks(view.now).into_iter().chain(closely) {
                out::remark(&remark);
            }
        }
        for query in &self.closely {
            let rows = query.rows(view);
            if let Some(rows) = rows.known().filter(|rows| !rows.cells.is_empty()) {
                printer.out.lines([String::new(), format!("{}:", query.spec.title)])?;
                printer.out.lines(table::lines(rows, printer.look))?;
                if tells {
                    for why in table::reasons(rows) {
                        out::remark(&format!("- in {why}"));
                    }
                }
            }
        }
        self.map.as_ref().map_or(Ok(()), |query| draw(query, view, &mut printer.out))
    }

    fn document<'d>(&'d self, view: &SampleView<'d>) -> ReportDocument<'d> {
        let queries = std::iter::once(&self.areas).chain(&self.closely).chain(&self.map);
        let tables = queries.map(|query| (query.spec, query.rows(view))).collect();
        ReportDocument::new(SPEC.name, view, tables)
    }
}

/// Remarks about unknown clusters, limits of the views and incomplete maps, each once.
fn remarks(snapshot: &Snapshot) -> Vec<String> {
    let areas = snapshot.areas();
    let page = snapshot.page_size.known().copied().unwrap_or(0);
    let limits = (0..).zip(areas).flat_map(|(place, area)| {
        let map = clusters::best_view(snapshot, place).known().copied();
        map.map_or_else(Vec::new, |map| remarks_of(map, area, page))
    });
    each_once(unknown_reasons(snapshot, areas).into_iter().chain(limits))
}

/// Prints why clusters are not known, unless it was printed before.
pub fn remark_unknown(snapshot: &Snapshot, said: &mut Vec<String>) {
    let areas = snapshot.areas();
    for why in unknown_reasons(snapshot, areas) {
        if !said.contains(&why) {
            out::remark(&why);
            said.push(why);
        }
    }
}

/// The reasons why clusters are not known, each once; with the areas if it does not apply to all.
fn unknown_reasons(snapshot: &Snapshot, areas: &[SwapArea]) -> Vec<String> {
    let mut reasons: Vec<(String, Vec<String>)> = Vec::new();
    for (place, area) in (0..).zip(areas) {
        let Some(missing) = clusters::best_view(snapshot, place).missing().cloned() else {
            continue;
        };
        let why = clusters::describe_missing(snapshot, &missing);
        let why = name::safe_text(&why);
        match reasons.iter_mut().find(|(other, _)| *other == why) {
            Some((_, of)) => of.push(area.path.safe()),
            None => reasons.push((why, vec![area.path.safe()])),
        }
    }
    let told = reasons.into_iter().map(|(why, of)| {
        if of.len() == areas.len() {
            format!("clusters are not known: {why}")
        } else {
            format!("the clusters of {} are not known: {why}", of.join(", "))
        }
    });
    told.collect()
}

/// The reasons why the shown clusters do not come from kernel memory, each once.
fn unread_kernel(snapshot: &Snapshot) -> Vec<String> {
    let is_known = |place: &usize| clusters::best_view(snapshot, *place).known().is_some();
    let known = (0..snapshot.areas().len()).filter(is_known);
    let reasons = known.filter_map(|place| {
        let why = clusters::why_not_kernel(snapshot, place).into_result().ok()?;
        Some(format!("kernel memory was not used: {}", name::safe_text(&why)))
    });
    each_once(reasons)
}

/// The texts without repetitions.
fn each_once(texts: impl Iterator<Item = String>) -> Vec<String> {
    texts.fold(Vec::new(), |mut once, text| {
        if !once.contains(&text) {
            once.push(text);
        }
        once
    })
}

/// The reasons why the contents of zram devices are not known, or not all of them.
fn unknown_stored(snapshot: &Snapshot) -> Vec<String> {
    let areas = snapshot.areas();
    let zrams = (0..).zip(areas).filter(|(_, area)| zram::device_number(&area.path).is_some());
    let why = zrams.filter_map(|(place, area)| {
        match clusters::stored_map(snapshot, place).into_result() {
            Ok(map) => incomplete_text(map, area),
            Err(Missing::NotSampled) => None,
            Err(missing) => {
                let why = name::safe_text(&missing.to_string());
                Some(format!("the contents of {} are not known: {why}", area.path.safe()))
            }
        }
    });
    why.collect()
}

/// The reasons why the next slots are not known, for areas whose kernel memory was read.
fn unknown_next(snapshot: &Snapshot) -> Vec<String> {
    let read = (0..).zip(snapshot.areas()).filter_map(|(place, area)| {
        let map = clusters::map_by_view(snapshot, ClusterView::Kernel, place).known().copied()?;
        let why = name::safe_text(&map.next.missing()?.to_string());
        Some(format!("the next slots of {} are not known: {why}", area.path.safe()))
    });
    read.collect()
}

/// Says that a map is incomplete, and why.
fn incomplete_text(map: &ClusterMap, area: &SwapArea) -> Option<String> {
    let why = map.partial.as_ref()?;
    Some(format!("the map of {} is incomplete: {why}", area.path.safe()))
}

fn remarks_of(map: &ClusterMap, area: &SwapArea, page: u64) -> Vec<String> {
    let view = map.view.word();
    let missing = clusters::not_shown_by_map(map);
    let misses = (missing != "nothing").then(|| format!("the view \"{view}\" misses {missing}"));
    let partial = incomplete_text(map, area);
    let enough = clusters::if_enough_visible(map, page);
    let unknown = enough.missing().map(|missing| {
        format!("the free slots of {} are not known: {}", area.path.safe(), missing.why())
    });
    misses.into_iter().chain(partial).chain(unknown).collect()
}

/// Whether the view sees all used slots, so that the others are free.
fn sees_enough(snapshot: &Snapshot, place: usize) -> bool {
    let map = clusters::best_view(snapshot, place);
    let enough = map.and_then2(snapshot.page_size.clone(), clusters::if_enough_visible);
    enough.known().is_some()
}

/// Draws a map of each area.
fn draw(query: &Query, view: &SampleView<'_>, out: &mut Out) -> CommandResult<()> {
    for (place, area) in (0..).zip(view.now.areas()) {
        let one = keep_areas(view.now, |other| other == place);
        if let Reading::Known(rows) = query.rows(&SampleView::single(&one)) {
            let legend = map::legend(sees_enough(view.now, place));
            out.lines([String::new(), format!("{} ({legend}):", area.path.safe())])?;
            out.lines(map::lines(&rows))?;
        }
    }
    Ok(())
}

/// The snapshot with the named areas only. An area that disappears after the first snapshot was
/// disabled, and is no usage error.
fn select_areas_again(
    snapshot: &Snapshot,
    names: &[String],
    before: u64,
) -> CommandResult<Snapshot> {
    let now = select_areas(snapshot, names);
    if before > 0 { now.map_err(CommandError::while_watching) } else { now }
}

/// The snapshot with the named areas only, or with all if none is named.
fn select_areas(snapshot: &Snapshot, names: &[String]) -> CommandResult<Snapshot> {
    let areas = snapshot.areas();
    if let Some(name) = names.iter().find(|name| !areas.iter().any(|area| has_name(area, name))) {
        let shown: Vec<String> = areas.iter().map(|area| area.path.safe()).collect();
        let active = if shown.is_empty() { "none".to_owned() } else { shown.join(", ") };
        let question = text::did_you_mean(name, shown.iter().map(String::as_str));
        return Err(usage(format!(
            "{name} is not an active swap area{question}; active: {active}"
        )));
    }
    let is_named =
        |area: &SwapArea| names.is_empty() || names.iter().any(|name| has_name(area, name));
    Ok(keep_areas(snapshot, |place| areas.get(place).is_some_and(is_named)))
}

/// Whether an area has this path, or this last part of its path.
fn has_name(area: &SwapArea, name: &str) -> bool {
    let path = area.path.as_bytes();
    path == name.as_bytes() || path.rsplit(|byte| *byte == b'/').next() == Some(name.as_bytes())
}

/// The snapshot with the areas at these positions only.
fn keep_areas(snapshot: &Snapshot, keeps: impl Fn(usize) -> bool) -> Snapshot {
    let areas = snapshot.areas().len();
    let kept: Vec<bool> = (0..areas).map(keeps).collect();
    let mut snapshot = snapshot.clone();
    keep(&mut snapshot.swaps, &kept);
    keep(&mut snapshot.block, &kept);
    keep(&mut snapshot.kernel_clusters, &kept);
    keep(&mut snapshot.stored_clusters, &kept);
    keep(&mut snapshot.mapped_clusters, &kept);
    snapshot
}

fn keep<T: Clone>(part: &mut Sampled<Vec<T>>, kept: &[bool]) {
    let Some(all) = part.reading.known() else { return };
    let some = all.iter().zip(kept).filter(|(_, keep)| **keep).map(|(item, _)| item.clone());
    *part = Sampled::new(part.at, Reading::Known(some.collect()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derive::clusters::testing::map;
    use crate::model::clusters::Cluster;
    use crate::model::swaparea::testing::area;
    use crate::model::{Bytes, Stamp};

    fn machine() -> Snapshot {
        let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
        let areas = vec![area("/dev/zram0", 5, 9, 0), area("/swap dir/file", 4, 9, 0)];
        snapshot.swaps = Sampled::new(None, Reading::Known(areas));
        let reasons = ["one", "two"].map(Reading::absent).to_vec();
        snapshot.kernel_clusters = Sampled::new(None, Reading::Known(reasons));
        snapshot
    }

    fn named(names: &[&str]) -> CommandResult<Snapshot> {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        super::select_areas(&machine(), &names)
    }

    #[test]
    fn an_area_is_named_by_its_path_or_the_end_of_it() {
        for name in ["file", "/swap dir/file"] {
            let one = named(&[name]).unwrap();
            assert_eq!(one.swaps.reading.known().unwrap().len(), 1);
            let clusters = one.kernel_clusters.reading.known().unwrap();
            assert_eq!(clusters[0].missing().unwrap().why(), "two", "it goes along");
        }
        assert_eq!(named(&[]).unwrap().swaps.reading.known().unwrap().len(), 2);
        let both = named(&["file", "zram0"]).unwrap();
        assert_eq!(both.swaps, machine().swaps);
    }

    #[test]
    fn inactive_area_is_refused_with_active_ones() {
        let Err(CommandError::Usage(text)) = named(&["zram0", "/dev/zram1"]) else {
            panic!("taken")
        };
        assert_eq!(
            text,
            "/dev/zram1 is not an active swap area; did you mean /dev/zram0?; active: /dev/zram0, /swap dir/file"
        );
    }

    /// One full cluster, and one empty.
    fn full() -> Vec<Cluster> {
        [512, 0].map(|taken| Cluster { taken, list: None, order: None }).to_vec()
    }

    #[test]
    fn a_recording_tells_when_it_holds_clusters() {
        let mut snapshot = machine();
        let recording = SourceOptions::Recording {
            file: "x.rec".into(),
            at: crate::sampler::ReplayStart::First,
        };
        assert_eq!(*explain_recording(&snapshot, &recording), snapshot, "what it holds stays");
        snapshot.kernel_clusters = Sampled::new(None, Reading::not_sampled());
        let told = remarks(&explain_recording(&snapshot, &recording));
        let why = "clusters are not known: a recording has clusters only if it was made in the interface, at times when the map was shown";
        assert_eq!(told, [why]);
        let tree = crate::root::testing::TestTree::with::<&str>(&[]);
        let live = SourceOptions::Root(tree.root());
        assert_eq!(*explain_recording(&snapshot, &live), snapshot);
    }

    #[test]
    fn area_that_disappears_is_not_a_usage_error() {
        let names = ["zram1".to_owned()];
        let of = |before| super::select_areas_again(&machine(), &names, before).unwrap_err();
        assert_eq!(of(0).exit(), Exit::Usage);
        assert_eq!(of(1).exit(), Exit::Failed);
        let told = of(1).to_string();
        assert!(
            told.starts_with("the machine changed while it was watched: zram1 is not an active"),
            "{told}"
        );
    }

    #[test]
    fn view_limits_are_reported_once() {
        let mut snapshot = machine();
        let whole = map(ClusterView::Mapped, vec![]);
        let broken =
            ClusterMap { partial: Some("2 processes were not read".to_owned()), ..whole.clone() };
        let one = [
            "the clusters of /dev/zram0 are not known: one",
            "the clusters of /swap dir/file are not known: two",
        ];
        assert_eq!(remarks(&snapshot), one);
        let same = vec![Reading::absent("one"), Reading::absent("one")];
        snapshot.kernel_clusters = Sampled::new(None, Reading::Known(same));
        assert_eq!(remarks(&snapshot), ["clusters are not known: one"], "said once");
        let maps = vec![Reading::Known(whole), Reading::Known(broken)];
        snapshot.mapped_clusters = Sampled::new(None, Reading::Known(maps));
        let said = remarks(&snapshot);
        assert_eq!(said.len(), 2);
        assert!(said[0].starts_with("the view \"page tables\" misses shared memory"), "{said:?}");
        assert_eq!(said[1], "the map of /swap dir/file is incomplete: 2 processes were not read");
        let half =
            ClusterMap { counted: Some(Bytes(1022 * 4096)), ..map(ClusterView::Mapped, full()) };
        snapshot.page_size = Reading::Known(4096);
        let maps = vec![Reading::Known(half)];
        snapshot.mapped_clusters = Sampled::new(None, Reading::Known(maps));
        let said = remarks(&snapshot);
        let free = "the free slots of /dev/zram0 are not known: the view \"page tables\" sees 50% of the used slots; where the others are is unknown";
        assert!(said.contains(&free.to_owned()), "{said:?}");
    }

    #[test]
    fn missing_rights_are_reported_before_kernel() {
        let mut snapshot = machine();
        let denied = Missing::Denied("/proc/PID/pagemap".into());
        snapshot.mapped_clusters = Sampled::new(None, denied.into());
        let said = "clusters are not known: permission denied for /proc/PID/pagemap: run as root";
        assert_eq!(remarks(&snapshot), [said]);
    }

    #[test]
    fn reason_for_another_view_is_given_and_unknown_clusters_are_a_failure() {
        let mut snapshot = machine();
        assert!(!has_any(&snapshot));
        assert_eq!(unread_kernel(&snapshot), [""; 0], "the remarks give the reasons already");
        let known = vec![Reading::Known(map(ClusterView::Mapped, vec![])); 2];
        snapshot.mapped_clusters = Sampled::new(None, Reading::Known(known));
        assert!(has_any(&snapshot));
        let expected = ["kernel memory was not used: one", "kernel memory was not used: two"];
        assert_eq!(unread_kernel(&snapshot), expected);
        let known = vec![Reading::Known(map(ClusterView::Kernel, full())); 2];
        snapshot.kernel_clusters = Sampled::new(None, Reading::Known(known));
        assert_eq!(unread_kernel(&snapshot), [""; 0]);
        snapshot.swaps = Sampled::new(None, Reading::Known(Vec::new()));
        assert!(has_any(&snapshot), "nothing is unknown without areas");
    }

    #[test]
    fn unknown_zram_contents_are_explained() {
        let mut snapshot = machine();
        assert_eq!(unknown_stored(&snapshot), [""; 0], "nobody asked for it");
        let why = vec![Reading::absent("no tracking"), Reading::absent("no zram device")];
        snapshot.stored_clusters = Sampled::new(None, Reading::Known(why));
        let expected = "the contents of /dev/zram0 are not known: no tracking";
        assert_eq!(unknown_stored(&snapshot), [expected]);
        let partial = Some("the file is too long".to_owned());
        let part = ClusterMap { partial, ..map(ClusterView::Stored, vec![]) };
        snapshot.stored_clusters = Sampled::new(None, Reading::Known(vec![Reading::Known(part)]));
        let expected = "the map of /dev/zram0 is incomplete: the file is too long";
        assert_eq!(unknown_stored(&snapshot), [expected]);
        let known = vec![Reading::Known(map(ClusterView::Stored, vec![])); 2];
        snapshot.stored_clusters = Sampled::new(None, Reading::Known(known));
        assert_eq!(unknown_stored(&snapshot), [""; 0]);
    }

    #[test]
    fn unknown_next_slots_are_explained() {
        let mut snapshot = machine();
        assert_eq!(unknown_next(&snapshot), [""; 0], "nothing of it was read");
        let known = map(ClusterView::Kernel, vec![]);
        let unknown = ClusterMap { next: Reading::absent("no symbol"), ..known.clone() };
        let maps = vec![Reading::Known(unknown), Reading::Known(known)];
        snapshot.kernel_clusters = Sampled::new(None, Reading::Known(maps));
        let expected = "the next slots of /dev/zram0 are not known: no symbol";
        assert_eq!(unknown_next(&snapshot), [expected]);
    }

    #[test]
    fn only_requested_view_is_read() {
        let all = SPEC.needs;
        assert_eq!(needs(None, all), all);
        let tables = needs(Some(ViewChoice::Tables), all);
        assert_eq!(tables.only(PartSet::CLUSTERS), PartSet::from_parts(&[Part::MappedClusters]));
        assert!(tables.has(Part::Swaps));
    }
}
