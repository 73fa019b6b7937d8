//! How areas fill: one priority group after the other, and within a group round robin.

use crate::model::{Missing, Reading, whole};

/// An area that is being filled.
#[derive(Clone, Debug)]
pub(super) struct FillingArea {
    /// Number of its priority group, in order.
    pub(super) group: usize,
    /// Free slots.
    pub(super) free: Reading<u64>,
    /// Slots per turn for each folio size; 0 if the folio is split.
    pub(super) turns: Vec<Reading<u64>>,
}

/// The mix of folio sizes that is swapped out.
#[derive(Clone, Debug)]
pub(super) struct Outflow {
    /// Pages per folio with their share of all pages; single pages come first.
    pub(super) sizes: Vec<(u64, f64)>,
    /// Whether these folios are known to have gone out whole; if not, an area that does not take them splits them.
    pub(super) whole: bool,
}

impl Outflow {
    /// Only folios of this many pages.
    pub(super) fn only_folios(pages: u64) -> Self {
        let sizes = if pages == 1 { vec![(1, 1.0)] } else { vec![(1, 0.0), (pages, 1.0)] };
        Self { sizes, whole: false }
    }

    /// Folios that went out whole: pages per folio with their share of all pages.
    pub(super) fn whole_folios(folios: &[(u64, f64)]) -> Self {
        let part: f64 = folios.iter().map(|(_, part)| part).sum();
        let single = (1, (1.0 - part).max(0.0));
        Self { sizes: std::iter::once(single).chain(folios.iter().copied()).collect(), whole: true }
    }
}

/// A period in which the same areas fill.
#[derive(Clone, Debug, PartialEq)]
pub struct FillPhase {
    /// Pages swapped out until one of the areas is full.
    pub pages: u64,
    /// Index of each filling area in the order, with its share of the pages.
    pub shares: Vec<(usize, f64)>,
}

impl FillPhase {
    /// Returns the share of an area by its index in the order.
    pub fn share(&self, place: usize) -> f64 {
        let own = self.shares.iter().find(|(of, _)| *of == place);
        own.map_or(0.0, |(_, share)| *share)
    }
}

/// A member of a group with its free slots.
struct Member {
    place: usize,
    free: f64,
    turns: Vec<f64>,
}

impl Member {
    fn turn(&self, size: usize) -> f64 {
        self.turns.get(size).copied().unwrap_or(0.0)
    }
}

/// Computes the phases until all areas are full, or the reason why later phases are unknown.
pub(super) fn fill_phases(
    areas: &[FillingArea],
    outflow: &Outflow,
) -> (Vec<FillPhase>, Option<Missing>) {
    let mut phases = Vec::new();
    let mut rest = areas;
    let mut first = 0;
    while let Some(area) = rest.first() {
        let count = rest.iter().take_while(|other| other.group == area.group).count();
        let (group, others) = rest.split_at(count);
        match members(group, first, outflow) {
            Ok(members) => phases.extend(group_phases(members, outflow)),
            Err(missing) => return (phases, Some(missing)),
        }
        (rest, first) = (others, first + count);
    }
    (phases, None)
}

/// Returns the members of a group with room. A single member gets all pages, however long its turns are.
fn members(group: &[FillingArea], first: usize, outflow: &Outflow) -> Result<Vec<Member>, Missing> {
    let free = group.iter().map(|area| area.free.get().copied());
    let free = free.collect::<Result<Vec<u64>, _>>()?;
    let with_room = || (first..).zip(group).zip(&free).filter(|(_, free)| **free > 0);
    let alone = with_room().count() == 1;
    let member = |((place, area), free): ((usize, &FillingArea), &u64)| {
        let turn = |turn: &Reading<u64>| if alone { Ok(1.0) } else { Ok(*turn.get()? as f64) };
        let turns = area.turns.iter().map(turn).collect::<Result<_, Missing>>()?;
        Ok(Member { place, free: *free as f64, turns })
    };
    let members = with_room().map(member).collect::<Result<Vec<Member>, Missing>>()?;
    if !outflow.whole && is_mixed(&members, outflow) {
        return Err(Missing::absent(MIXED));
    }
    Ok(members)
}

const MIXED: &str = "the group mixes areas that take such folios whole with areas for which they are \
                     split, and how they rotate then is unknown";

/// Returns whether some members take folios that others do not.
fn is_mixed(members: &[Member], outflow: &Outflow) -> bool {
    (0..outflow.sizes.len()).any(|size| {
        let takes = |member: &Member| member.turn(size) > 0.0;
        members.iter().any(takes) && !members.iter().all(takes)
    })
}

/// Computes the share of each member. A size that none of them takes is split into single pages.
fn shares(members: &[Member], outflow: &Outflow) -> Vec<f64> {
    let mut shares = vec![0.0; members.len()];
    for (size, (_, part)) in outflow.sizes.iter().enumerate() {
        let is_taken = members.iter().any(|member| member.turn(size) > 0.0);
        let turn = |member: &Member| member.turn(if is_taken { size } else { 0 });
        let round: f64 = members.iter().map(turn).sum();
        for (share, member) in shares.iter_mut().zip(members) {
            *share += part * turn(member) / round;
        }
    }
    shares
}

fn group_phases(mut members: Vec<Member>, outflow: &Outflow) -> Vec<FillPhase> {
    let mut phases = Vec::new();
    while !members.is_empty() {
        let shares = shares(&members, outflow);
        let filling = || members.iter().zip(&shares).filter(|(_, share)| **share > 0.0);
        let until_full = filling().map(|(member, share)| member.free / share);
        let pages = until_full.fold(f64::INFINITY, f64::min);
        let of_phase = filling().map(|(member, share)| (member.place, *share)).collect();
        phases.push(FillPhase { pages: whole(pages.round()), shares: of_phase });
        for (member, share) in members.iter_mut().zip(&shares) {
            member.free -= pages * share;
        }
        // Less than half a slot is a rounding error.
        members.retain(|member| member.free >= 0.5);
    }
    phases
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(areas: &[(usize, u64, u64)]) -> Vec<FillPhase> {
        let area = |(group, free, turn): &(usize, u64, u64)| FillingArea {
            group: *group,
            free: Reading::Known(*free),
            turns: vec![Reading::Known(*turn)],
        };
        let areas: Vec<_> = areas.iter().map(area).collect();
        let (phases, unknown) = fill_phases(&areas, &Outflow::only_folios(1));
        assert_eq!(unknown, None);
        phases
    }

    fn phase(pages: u64, shares: &[(usize, f64)]) -> FillPhase {
        FillPhase { pages, shares: shares.to_vec() }
    }

    #[test]
    fn equals_share_until_the_smallest_is_full_and_then_comes_the_next_group() {
        let filled = filled(&[(1, 100, 64), (1, 300, 64), (2, 50, 64), (3, 7, 64)]);
        let wanted = [
            phase(200, &[(0, 0.5), (1, 0.5)]),
            phase(200, &[(1, 1.0)]),
            phase(50, &[(2, 1.0)]),
            phase(7, &[(3, 1.0)]),
        ];
        assert_eq!(filled, wanted);
    }

    #[test]
    fn shares_follow_the_turns() {
        let filled = filled(&[(1, 5120, 512), (1, 5120, 1)]);
        assert_eq!(filled[0].pages, 5130);
        assert!((filled[0].share(1) - 1.0 / 513.0).abs() < 1e-9);
        assert_eq!(filled[1], phase(5110, &[(1, 1.0)]));
    }

    #[test]
    fn what_is_full_has_no_share_and_no_room_is_no_phase() {
        assert_eq!(filled(&[(1, 0, 64), (1, 9, 64)]), [phase(9, &[(1, 1.0)])]);
        assert_eq!(filled(&[(1, 0, 64), (2, 0, 64)]), []);
        assert_eq!(filled(&[]), []);
    }

    #[test]
    fn all_that_is_free_is_filled_by_someone() {
        let mut seed = 7_u64;
        let mut dice = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        for _ in 0..500 {
            let count = 1 + dice(7);
            let groups = (1..).flat_map(|group| [group; 3]);
            let area = |(_, group)| (group, dice(100_000), 8_u64.pow(u32::from(dice(3) > 0) * 2));
            let areas: Vec<_> = (0..count).zip(groups).map(area).collect();
            let phases = filled(&areas);
            let pages: u64 = phases.iter().map(|phase| phase.pages).sum();
            let free: u64 = areas.iter().map(|(_, free, _)| free).sum();
            assert!(pages.abs_diff(free) <= count, "{pages} of {free}");
            for phase in &phases {
                let sum: f64 = phase.shares.iter().map(|(_, share)| share).sum();
                assert!((sum - 1.0).abs() < 1e-9, "{phase:?}");
            }
        }
    }

    #[test]
    fn after_an_unknown_area_nothing_is_predicted() {
        let area = |group, free, turn| FillingArea { group, free, turns: vec![turn] };
        let phases = |areas: &[FillingArea]| fill_phases(areas, &Outflow::only_folios(1));
        let known = || Reading::Known(9);
        let unknown = || Reading::failed("wrapped");
        let alone = [area(1, known(), unknown()), area(2, unknown(), known())];
        let (told, missing) = phases(&alone);
        assert_eq!(told, [phase(9, &[(0, 1.0)])], "a single member gets all pages");
        assert_eq!(missing, Some(Missing::failed("wrapped")));
        let shared = [area(1, known(), unknown()), area(1, known(), known())];
        assert_eq!(phases(&shared).0, []);
    }
}
