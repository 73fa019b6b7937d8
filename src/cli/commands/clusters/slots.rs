//! `swapadm clusters AREA --cluster N`: each slot of one cluster.

use super::{has_name, select_areas};
use crate::cli::args::{ClusterArgs, ViewChoice};
use crate::cli::commands::stream::SampleSchedule;
use crate::cli::commands::table::Printer;
use crate::cli::exit::{CommandError, CommandResult, Exit, usage};
use crate::cli::options::{Environment, Invocation, SourceOptions};
use crate::cli::out;
use crate::clock::Clock;
use crate::columns::tables::clusters::slots::{self, ClusterSlotsTable as Table, SPEC};
use crate::columns::{Query, Request, Rows};
use crate::derive::{SampleView, clusters};
use crate::model::clusters::{ClusterSlots, ClusterView};
use crate::model::{Missing, PartSet, Reading, Snapshot, name, part_set};
use crate::probes::{self, clusters::states};
use crate::report::map;
use crate::root::Root;

/// The parts needed to find slots: page size, cluster size and the areas.
const PARTS: PartSet = part_set![Kernel, Swaps, Allocator];

/// Prints the slots of one cluster.
pub(super) fn run(args: &ClusterArgs, cluster: u64, invocation: &Invocation) -> CommandResult {
    let SourceOptions::Root(root) = &invocation.source else {
        return Err(usage(
            "only a real machine has slots to read: use --cluster without --recording or --machine",
        ));
    };
    let snapshot = probes::sample(root, &Clock::Real, PARTS);
    let [area] = args.areas.as_slice() else {
        return Err(usage("--cluster needs exactly one area"));
    };
    let one = select_areas(&snapshot, std::slice::from_ref(area))?;
    let place = area_place(&snapshot, area)?;
    let slots = read_slots(root, &snapshot, (place, cluster), args.view).map_err(|missing| {
        // The cluster may not exist.
        let count = states::count(root, &snapshot, place).ok().filter(|count| cluster >= *count);
        if let Some(count) = count {
            return usage(describe_count(area, count));
        }
        let why = name::safe_text(&clusters::describe_missing(&snapshot, &missing));
        CommandError::NoData(format!("{}: {}: {why}", SPEC.name, missing.kind()))
    })?;
    print(args, &invocation.environment, &one, &slots)
}

fn describe_count(area: &str, clusters: u64) -> String {
    match clusters {
        1 => format!("{area} has 1 cluster, number 0"),
        clusters => format!("{area} has {clusters} clusters, 0 to {}", clusters.saturating_sub(1)),
    }
}

/// The position of the named area. Several can have the name if their paths were deleted.
fn area_place(snapshot: &Snapshot, name: &str) -> CommandResult<usize> {
    let all = snapshot.areas();
    let mut called = (0..).zip(all).filter(|(_, area)| has_name(area, name));
    match (called.next(), called.next()) {
        (Some((place, _)), None) => Ok(place),
        (None, _) => Ok(all.len()),
        _ => Err(usage(format!("{name} matches several areas, and --cluster needs exactly one"))),
    }
}

/// The slots by the requested view, or by the first that works; if none does, the reason to act on first.
fn read_slots(
    root: &Root,
    snapshot: &Snapshot,
    cluster: (usize, u64),
    view: Option<ViewChoice>,
) -> Result<ClusterSlots, Missing> {
    let views = match view {
        None => vec![ClusterView::Kernel, ClusterView::Stored, ClusterView::Mapped],
        Some(ViewChoice::Kernel) => vec![ClusterView::Kernel],
        Some(ViewChoice::Zram) => vec![ClusterView::Stored],
        Some(ViewChoice::Tables) => vec![ClusterView::Mapped],
    };
    let mut why = None;
    for view in views {
        match states::read(root, &Clock::Real, snapshot, cluster, view) {
            Ok(slots) => return Ok(slots),
            Err(missing) => why = clusters::first_reason(why, missing),
        }
    }
    Err(why.unwrap_or(Missing::NotSampled))
}

/// Draws the slots, or prints them as a table if an option of tables was typed.
fn print(
    args: &ClusterArgs,
    environment: &Environment,
    snapshot: &Snapshot,
    slots: &ClusterSlots,
) -> CommandResult {
    let is_table = args.rows.asks_for_rows() || args.rows.json;
    let mut request = args.rows.request(false, false);
    if args.rows.json && request.columns.is_none() || !is_table {
        request.columns = Some("all".to_owned());
    }
    let rows = rows(&request, snapshot, slots)?;
    let mut printer = Printer::new(&args.rows, SampleSchedule::new(None, None)?, environment)?;
    if is_table {
        let query = Query::new(&SPEC, &request).map_err(CommandError::Usage)?;
        printer.print_rows(&query, &SampleView::single(snapshot), Reading::Known(rows))?;
        return Ok(Exit::Done);
    }
    printer.out.lines(map::slots(&rows))?;
    out::remark(clusters::legend(slots.view));
    let view = slots.view.word();
    if slots.view != ClusterView::Kernel {
        out::remark(&format!(
            "the view \"{view}\" misses {}",
            clusters::not_shown_by_view(slots.view)
        ));
    }
    if let Some(why) = &slots.partial {
        out::remark(&format!("the view \"{view}\" is incomplete: {why}"));
    }
    Ok(Exit::Done)
}

fn rows(request: &Request, snapshot: &Snapshot, slots: &ClusterSlots) -> CommandResult<Rows> {
    let query = Query::new(&SPEC, request).map_err(CommandError::Usage)?;
    let page = snapshot.page_size.known().copied().unwrap_or(0);
    let rows = slots::rows(slots, page, snapshot.stamp.boot_ns / 1_000_000_000);
    Ok(query.rows_from::<Table>(&rows))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::exit::CommandError;
    use crate::sampler::ReplayStart;

    fn refused(areas: &[&str], source: &SourceOptions) -> String {
        failure(areas, 0, source).to_string()
    }

    fn failure(areas: &[&str], cluster: u64, source: &SourceOptions) -> CommandError {
        let areas = areas.iter().map(|area| (*area).to_owned()).collect();
        let args = ClusterArgs { areas, cluster: Some(cluster), ..ClusterArgs::default() };
        let environment = Environment::default();
        let invocation = Invocation { source: source.clone(), environment };
        run(&args, cluster, &invocation).unwrap_err()
    }

    #[test]
    fn a_cluster_that_the_area_does_not_have_is_refused_with_those_it_has() {
        let tree = crate::root::testing::TestTree::with(&[
            (
                "proc/swaps",
                "Filename\tType\tSize\tUsed\tPriority\n/dev/sda2 partition 262140 0 -2\n",
            ),
            ("sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "2097152\n"),
            ("machine.toml", "page_size = 4096\n"),
        ]);
        let machine = SourceOptions::Root(tree.root());
        let of = |cluster| failure(&["sda2"], cluster, &machine);
        for cluster in [99_999, 128] {
            let refused = of(cluster);
            assert_eq!(refused.exit(), Exit::Usage);
            assert_eq!(refused.to_string(), "sda2 has 128 clusters, 0 to 127");
        }
        assert_eq!(of(127).exit(), Exit::Failed);
        assert_eq!(describe_count("a", 1), "a has 1 cluster, number 0");
    }

    #[test]
    fn slots_need_a_machine_and_one_area() {
        let recording = SourceOptions::Recording { file: "x.rec".into(), at: ReplayStart::First };
        assert!(refused(&["zram0"], &recording).contains("only a real machine has slots"));
        let tree = crate::root::testing::TestTree::with(&[(
            "proc/swaps",
            "Filename\tType\tSize\tUsed\tPriority\n/dev/sda2 partition 4092 0 -2\n",
        )]);
        let machine = SourceOptions::Root(tree.root());
        assert!(refused(&["sda2", "sda3"], &machine).contains("needs exactly one area"));
        assert!(refused(&["sda3"], &machine).contains("sda3 is not an active swap area"));
        let why = refused(&["sda2"], &machine);
        assert!(why.starts_with("cluster_slots: ") && why.contains("/proc/kcore"), "{why}");
        tree.write(
            "proc/swaps",
            "Filename\tType\tSize\tUsed\tPriority\n/dev/loop0\\040(deleted) partition 4092 0 -2\n/dev/loop0 partition 8188 0 -3\n",
        );
        assert!(refused(&["loop0"], &machine).contains("matches several areas"));
    }
}
