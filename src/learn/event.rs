//! Events of a simulated machine, at which a lesson that runs on stops: a tank that fills, a first split, a first page
//! that is read back.

use crate::model::clusters::List;
use crate::sim::areas::SwapSpace;
use crate::sim::machine::Machine;

/// A condition of an area whose beginning is an event, and its words behind the name of the area.
type AreaEvent = (fn(&SwapSpace) -> bool, &'static str);
/// A condition of the machine whose beginning is an event, and its sentence.
type MachineEvent = (fn(&Machine) -> bool, &'static str);

static AREA_EVENTS: [AreaEvent; 3] = [
    (SwapSpace::is_full, "is full"),
    (|area| area.used() > 0, "gets its first page"),
    (
        |area| area.cluster_states().all(|it| it.list.is_some_and(|list| list != List::Free)),
        "has no free cluster left",
    ),
];

static MACHINE_EVENTS: [MachineEvent; 4] = [
    (|it| it.counters.oom_kill > 0, "A process was killed: memory and swap are full"),
    (
        |it| it.counters.swpout_fallback.iter().any(|count| *count > 0),
        "A large folio was split for the first time",
    ),
    (|it| it.counters.pswpin + it.counters.zswpin > 0, "A page is read back for the first time"),
    (|it| it.counters.zswpwb > 0, "zswap writes a page to an area for the first time"),
];

/// The conditions that hold on a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Conditions(Vec<bool>);

impl Conditions {
    /// The conditions that hold now.
    pub(super) fn new(machine: &Machine) -> Self {
        let areas = machine.swap.areas().entries();
        let areas =
            areas.flat_map(|area| AREA_EVENTS.map(|(holds, _)| area.is_enabled && holds(area)));
        Self(areas.chain(MACHINE_EVENTS.map(|(holds, _)| holds(machine))).collect())
    }

    /// The event since these conditions; none if no other condition holds now.
    pub(super) fn event(&self, machine: &Machine) -> Option<String> {
        let Self(now) = Self::new(machine);
        let place = self.0.iter().zip(&now).position(|(before, now)| !before && *now)?;
        let area = machine.swap.areas().entries().nth(place / AREA_EVENTS.len());
        let of_area = AREA_EVENTS.get(place % AREA_EVENTS.len());
        if let Some((area, (_, words))) = area.zip(of_area) {
            return Some(format!("{} {words}.", area.setup.path));
        }
        let of_areas = machine.swap.areas().entries().len() * AREA_EVENTS.len();
        MACHINE_EVENTS.get(place - of_areas).map(|(_, words)| format!("{words}."))
    }
}
