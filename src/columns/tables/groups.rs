//! `groups`: the priority groups, and how evenly their areas are used.

use crate::columns::spec::Spec;
use crate::derive::SampleView;
use crate::derive::balance::{self, BalanceVerdict, FillState, PriorityGroup};
use crate::derive::compression;
use crate::model::{PartSet, Policy, Reading, part_set};

table!(pub struct GroupsTable: Row, Column, COLUMNS, |view, policy| rows(view, policy));

/// A priority group, with the names of its areas and how it fills.
pub struct Row {
    group: PriorityGroup,
    names: Vec<String>,
    state: Reading<FillState>,
    growth: Reading<f64>,
    balance: Reading<BalanceVerdict>,
}

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<GroupsTable>("groups", "Priority groups", "priority")
    .per_area()
    .about("Priority groups, highest first, with their use and imbalance")
    .shows("priority,areas,size,used,use,state,imbalance,names")
    .with_two("growth")
    .needs(part_set![Swaps]);

fn rows(view: &SampleView<'_>, policy: &Policy) -> Reading<Vec<Row>> {
    view.now.swaps.reading.as_ref().map(|areas| {
        let name = |place: &usize| areas.get(*place).map(|area| area.path.text());
        let groups = balance::groups(areas);
        let grew =
            |group: &PriorityGroup| balance::group_growth(view, group).map(|growth| growth.rate);
        let growth: Vec<_> = groups.iter().map(grew).collect();
        let states = states(view, &groups, &growth);
        let row = |((group, state), growth): ((PriorityGroup, _), _)| Row {
            names: group.members.iter().filter_map(name).collect(),
            state,
            growth,
            balance: group.balance(policy.imbalance_warn),
            group,
        };
        groups.into_iter().zip(states).zip(growth).map(row).collect()
    })
}

/// The state of each group. Groups of priority -2 or less exist up to kernel 6.18 only, where each NUMA node
/// prefers its own areas: if one of their areas has a node, the states of these groups are unknown unless full.
fn states(
    view: &SampleView<'_>,
    groups: &[PriorityGroup],
    growth: &[Reading<f64>],
) -> Vec<Reading<FillState>> {
    let by_default = |group: &PriorityGroup| group.priority <= FIRST_DEFAULT;
    let mut members = groups.iter().filter(|group| by_default(group)).flat_map(|g| &g.members);
    let by_node = members.any(|place| has_node(view, *place));
    let states = balance::fill_states(groups, growth);
    let unless_by_node = |(group, state): (&PriorityGroup, Reading<FillState>)| {
        if by_node && by_default(group) && state != Reading::Known(FillState::Full) {
            return Reading::absent(
                "up to kernel 6.18 each NUMA node prefers its own areas of default priority",
            );
        }
        state
    };
    groups.iter().zip(states).map(unless_by_node).collect()
}

fn has_node(view: &SampleView<'_>, place: usize) -> bool {
    let node = view.now.block.of_area(place).and_then(|block| block.numa_node.as_ref());
    node.known().is_some_and(|node| **node >= 0)
}

/// The first and highest default priority on kernels up to 6.18.
const FIRST_DEFAULT: i32 = -2;
const BLOCK: PartSet = part_set![Block];
const SWAPS: &str = "/proc/swaps";

static COLUMNS: &[Column] = &[
    Column::integer("priority", "PRIO", |row| row.group.priority.into())
        .says("Priority; a group fills before the next lower one is used.", SWAPS),
    Column::count("areas", "AREAS", |row| (row.group.members.len() as u64).into())
        .says("Number of areas in the group.", SWAPS),
    Column::bytes("size", "SIZE", |row| row.group.size.into()).says("Total size of the areas.", SWAPS),
    Column::bytes("used", "USED", |row| row.group.used.clone().into())
        .says("Total used space of the areas.", SWAPS),
    Column::share("use", "USE%", |row| {
        let use_of = |used| compression::quotient(used, row.group.size);
        row.group.used.clone().and_then(use_of).into()
    })
    .says("Use: used / size.", SWAPS),
    Column::bytes_per_second("growth", "GROWTH/s", |row| row.growth.clone().into())
        .says("Growth of used per second over the last 30 seconds, or over the last 4 if it does not grow steadily, or between the last two samples where there are fewer than 5; negative if it shrinks.", SWAPS),
    Column::text("state", "STATE", |row| row.state.clone().map(FillState::word).into())
        .says("State: fills (new pages go here: highest priority with free space, or growing (see GROWTH/s)), later (filled once higher groups are full), full (less than 1% and 16 MiB per area free). Missing for default priorities if NUMA nodes prefer their own areas, unless full.", "/proc/swaps, /sys/block/*/device/numa_node")
        .needs(BLOCK),
    Column::share("imbalance", "IMBALANCE", |row| row.group.imbalance.clone().into())
        .says("Imbalance: share of the used space that would have to move for equal shares, sum(|used - equal share|) / 2 / sum(used). 0 is balanced, the maximum is 1 - 1/areas. Missing below 8 MiB per area, where the clusters reserved for each CPU (up to 2 MiB) distort it.", SWAPS),
    Column::text("balance", "BALANCE", |row| row.balance.clone().map(BalanceVerdict::word).into())
        .says("Imbalance in words: even (below 5%), slightly uneven, or uneven (from imbalance_warn on, if at least 5% of the group is used: below that, the next pages even it out). An area that is full because it is smaller does not make a group uneven.", SWAPS),
    Column::list("names", "NAMES", |row| row.names.clone().into()).says("Areas of the group.", SWAPS),
];

column_ids! { id: GroupsTable, SPEC;
    AREAS BALANCE GROWTH NAMES PRIORITY SIZE IMBALANCE STATE USE USED
}
