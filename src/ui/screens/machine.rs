//! The machine of a lesson: areas as tanks, the clusters of the area that got the last pages, and the decision.

use super::{Band, Facts, Height, Pane, PaneLine, Role, Screen, ask, devices, map};
use crate::columns::tables::clusters::next::id as next;
use crate::columns::tables::selection::describe_decision;
use crate::derive::clusters::best_view;
use crate::ui::table_query::ids::{clusters, devices as device, selection};

/// The screen.
pub static SCREEN: Screen = Screen {
    id: "machine",
    number: '9',
    name: "Machine",
    question: "Where do pages go on the machine of the lesson?",
    answer: devices::ANSWER,
    panes: &[
        Pane::facts("tanks", "Machine", machine)
            .about("The areas as tanks, highest priority first: the used part, the amount, and the share of the next pages; > marks those that get them. Below, the clusters of the area that got the last pages, by list, then those of the others, as many as fit. A digit is the cluster in use by the CPU of that number, @ that of several CPUs or of one above 9. Screen 8 has a map of each area.")
            .asks(&[
                ask!(device: NAME KIND PRIORITY USE USED),
                ask!(selection: NAME NODE NEXT_SHARE STATE),
                ask!(clusters: NAME CLUSTERS CLUSTER_SIZE),
            ]),
        Pane::facts("decision", "Decision", decision)
            .about("The decision of the kernel for the next page, for each NUMA node if they differ. Below, the cluster in which each CPU takes its next slot, for each folio size, and the free slots there.")
            .asks(&[ask!(next: NAME CPU FOLIO CLUSTER FREE_SLOTS)]),
    ],
    bands: &[Band { panes: &[("tanks", 64), ("decision", 36)], height: Height::Rest }],
    wide: &[Band { panes: &[("tanks", 64), ("decision", 36)], height: Height::Rest }],
};

fn machine(facts: &Facts<'_>) -> Vec<PaneLine> {
    let mut lines = devices::tanks(facts);
    let latest = latest(facts);
    // A small terminal has room for one area.
    let others = (0..facts.count(clusters::NAME.table)).filter(|area| Some(*area) != latest);
    let areas: Vec<usize> = latest.into_iter().chain(others.filter(|_| !facts.alone)).collect();
    let below = Facts { height: facts.height.saturating_sub(lines.len()), ..*facts };
    lines.extend(map::clusters_with_cpus(&below, &areas));
    lines
}

/// The area that got most pages since the previous sample, or else the one that gets the next page.
fn latest(facts: &Facts<'_>) -> Option<usize> {
    let before = facts.history.get(facts.moment)?.before.as_ref().map_or(&[][..], |it| it.areas());
    let snapshot = facts.snapshot()?;
    let areas = snapshot.areas();
    let growth = |place: &usize| {
        let area = areas.get(*place)?;
        let before = before.iter().find(|before| before.path == area.path)?;
        area.used.known()?.0.checked_sub(before.used.known()?.0).filter(|growth| *growth > 0)
    };
    let grown = (0..areas.len()).filter(|place| growth(place).is_some()).max_by_key(growth);
    // A machine that has just started again has no previous sample.
    let has_cpus = |place: &usize| {
        let map = best_view(snapshot, *place).into_result().ok();
        map.is_some_and(|map| map.next.known().is_some_and(|next| !next.is_empty()))
    };
    let used_by_cpus = || (0..areas.len()).find(has_cpus);
    let next = || (0..areas.len()).find(|place| devices::next_share(facts, *place).is_some());
    grown.or_else(used_by_cpus).or_else(next).or_else(|| (!areas.is_empty()).then_some(0))
}

fn decision(facts: &Facts<'_>) -> Vec<PaneLine> {
    let sentences = facts.snapshot().map(describe_decision).unwrap_or_default();
    let mut lines: Vec<PaneLine> =
        sentences.iter().flat_map(|words| facts.wrapped(words, Role::Text)).collect();
    let rows = 0..facts.count(next::CPU.table);
    let known = rows.filter(|row| facts.number(next::CLUSTER, *row).is_some());
    lines.extend(known.map(|row| {
        let figure = |column| facts.figure(column, row);
        let line = PaneLine::new().label("CPU").figure(figure(next::CPU).left());
        let line = line.figure(figure(next::NAME).without_folder().left());
        let line = line.label("cluster").figure(figure(next::CLUSTER));
        let line = line.extra(1, "for").figure(figure(next::FOLIO).drops(1));
        line.extra(2, "-").figure(figure(next::FREE_SLOTS).drops(2)).extra(2, "free").drops_line(1)
    }));
    lines
}
