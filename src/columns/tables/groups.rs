//! `groups`: the areas of each priority, and how evenly they are used.

use crate::columns::spec::{self, Spec, Table};
use crate::derive::SampleView;
use crate::derive::balance::{self, PriorityGroup, FillState};
use crate::derive::compression;
use crate::model::{Part, PartSet, Reading};

/// The table.
pub struct GroupsTable;

/// A group with the names of its areas.
pub struct Row {
    group: PriorityGroup,
    names: Vec<String>,
    turn: Reading<FillState>,
    growth: Reading<f64>,
}

/// The table without its row type.
pub const SPEC: Spec = Spec::for_table::<GroupsTable>("groups", "Priorities", "priority")
    .per_area()
    .about("The areas of each priority, highest first, and how evenly they are used")
    .shows(&["priority", "areas", "size", "used", "use", "turn", "skew", "names"])
    .with_two(&["growth"])
    .needs(PartSet::from_parts(&[Part::Swaps]));

impl Table for GroupsTable {
    type Row<'v> = Row;
    const COLUMNS: &'static [Column] = COLUMNS;

    fn rows(view: &SampleView<'_>) -> Reading<Vec<Row>> {
        view.now.swaps.reading.as_ref().map(|areas| {
            let name = |place: &usize| areas.get(*place).map(|area| area.path.safe());
            let groups = balance::groups(areas);
            let grew = |group: &PriorityGroup| balance::group_growth(view, areas, group);
            let growth: Vec<_> = groups.iter().map(grew).collect();
            let turns = turns(view, &groups, &growth);
            let row = |((group, turn), growth): ((PriorityGroup, _), _)| Row {
                names: group.members.iter().filter_map(name).collect(),
                turn,
                growth,
                group,
            };
            groups.into_iter().zip(turns).zip(growth).map(row).collect()
        })
    }
}

/// Whose turn it is; among default priorities of kernels up to 6.18 there are no turns as soon as
/// one area belongs to a node, which then prefers it.
fn turns(view: &SampleView<'_>, groups: &[PriorityGroup], growth: &[Reading<f64>]) -> Vec<Reading<FillState>> {
    let by_default = |group: &PriorityGroup| group.priority <= LAST_DEFAULT;
    let mut members = groups.iter().filter(|group| by_default(group)).flat_map(|g| &g.members);
    let by_node = members.any(|place| has_node(view, *place));
    let turns = balance::fill_states(groups, growth);
    let turn = |(group, turn): (&PriorityGroup, Reading<FillState>)| {
        if by_node && by_default(group) && turn != Reading::Known(FillState::Full) {
            return Reading::absent(
                "up to kernel 6.18 each NUMA node prefers its own areas of default priority",
            );
        }
        turn
    };
    groups.iter().zip(turns).map(turn).collect()
}

fn has_node(view: &SampleView<'_>, place: usize) -> bool {
    let blocks = view.now.block.reading.known();
    let block = blocks.and_then(|blocks| blocks.get(place)?.known());
    block.and_then(|block| block.numa_node.known()).is_some_and(|node| *node >= 0)
}

/// The highest default priority as kernels up to 6.18 print it.
const LAST_DEFAULT: i32 = -2;
const BLOCK: PartSet = PartSet::from_parts(&[Part::Block]);
const SWAPS: &str = "/proc/swaps";

type Column = spec::Column<GroupsTable>;

static COLUMNS: &[Column] = &[
    Column::integer("priority", "PRIO", |row| row.group.priority.into())
        .says("The priority; a group is filled before the next lower one begins.", SWAPS),
    Column::count("areas", "AREAS", |row| (row.group.members.len() as u64).into())
        .says("How many areas have it.", SWAPS),
    Column::bytes("size", "SIZE", |row| row.group.size.into()).says("Size of all of them.", SWAPS),
    Column::bytes("used", "USED", |row| row.group.used.clone().into())
        .says("Used of all of them.", SWAPS),
    Column::share("use", "USE%", |row| {
        let use_of = |used| compression::quotient(used, row.group.size);
        row.group.used.clone().and_then(use_of).into()
    })
    .says("Used against size.", SWAPS),
    Column::bytes_per_second("growth", "GROWTH/s", |row| row.growth.clone().into())
        .says("By how much used of all of them grew; negative when it shrank.", SWAPS)
        .two(),
    Column::text("turn", "TURN", |row| row.turn.clone().map(FillState::word).into())
        .says("fills: new pages go here, to the highest priority with room; waits: it gets pages when those above are full; full: less than 1 % is free. What grew between the samples fills too. Missing where NUMA nodes prefer areas of their own.", "/proc/swaps, /sys/block/*/device/numa_node")
        .needs(BLOCK),
    Column::share("skew", "SKEW", |row| row.group.skew.clone().into())
        .says("The part of the used space that would have to move to be even: half the sum of the differences between used and the even filling, divided by all that is used. 0 is even; it cannot exceed 1 - 1/areas. Missing below 8 MiB for each area: the kernel hands out space in pieces of up to 2 MiB to each processor, so little lies unevenly by that alone.", SWAPS),
    Column::list("names", "NAMES", |row| row.names.clone().into()).says("The areas.", SWAPS),
];

column_ids! { id: GroupsTable, SPEC;
    AREAS GROWTH NAMES PRIORITY SIZE SKEW TURN USE USED
}
