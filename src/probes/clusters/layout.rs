//! Layout of areas and clusters in the memory of this kernel.
//!
//! Kernel: `struct swap_info_struct` of `include/linux/swap.h`, `struct swap_cluster_info` there or, later,
//! in `mm/swap.h`. The types decide, never the release: distributions backport such changes.

use super::cgroup_names::CgroupNames;
use super::memory::NumberField;
use crate::model::clusters::List;
use crate::probes::allocator;
use crate::probes::btf::{Type, TypeKind, Types};

/// Larger than any structure that is read here.
const LARGEST: u64 = 1 << 16;

/// Everything needed to read clusters.
#[derive(Clone, Debug)]
pub(super) struct SwapLayout {
    pub(super) area: AreaLayout,
    pub(super) cluster: ClusterLayout,
    /// Slots of a cluster.
    pub(super) slots: u32,
    pub(super) next: NextSlotLayout,
    /// The table of slots.
    pub(super) entries: Option<ArrayField>,
    /// The table of owners.
    pub(super) owners: Option<ArrayField>,
    /// The structures that lead to names of owners.
    pub(super) groups: Option<CgroupNames>,
}

/// `struct swap_info_struct`.
#[derive(Clone, Debug)]
pub(super) struct AreaLayout {
    pub(super) size: usize,
    pub(super) flags: NumberField,
    pub(super) priority: NumberField,
    pub(super) number: NumberField,
    pub(super) max: NumberField,
    pub(super) pages: NumberField,
    pub(super) used: NumberField,
    pub(super) clusters: NumberField,
    pub(super) file: NumberField,
    /// A byte for each slot, up to 7.0.
    pub(super) map: Option<NumberField>,
    pub(super) percpu: Option<NumberField>,
    pub(super) global: Option<NumberField>,
    /// The next slot, where there are no clusters.
    pub(super) next: Option<NumberField>,
    /// Offset of the list of clusters that wait for their discard.
    pub(super) discard: Option<u64>,
    /// Whether zero slots are recorded elsewhere, up to 7.1; later in the words of slots.
    zeroes: bool,
}

/// `struct swap_cluster_info`.
#[derive(Clone, Debug)]
pub(super) struct ClusterLayout {
    pub(super) size: usize,
    pub(super) count: NumberField,
    pub(super) flags: NumberField,
    pub(super) order: Option<NumberField>,
    /// The pointer to the table of slots.
    pub(super) table: Option<NumberField>,
    /// Where counts continue that are too large for a slot, since 7.1.
    extend: Option<NumberField>,
    pub(super) owners: Option<NumberField>,
    pub(super) lists: ListFlags,
}

/// Meaning of the flags of a cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ListFlags {
    /// A flag for free clusters; other clusters have their count in the same field as the next of a list.
    /// Up to 6.11.
    Free,
    /// The number of a list; each index has the list of this number.
    Named(Vec<Option<List>>),
}

/// Where the kernel stores the next slots.
#[derive(Clone, Debug, Default)]
pub(super) struct NextSlotLayout {
    /// Per CPU and area, up to 6.12; later one for all CPUs of an area on a device that seeks.
    pub(super) of_area: Option<ArrayField>,
    /// Per CPU for all areas: the addresses of areas, and the slots.
    pub(super) of_all: Option<(ArrayField, ArrayField)>,
}

/// An array in a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ArrayField {
    pub(super) at: usize,
    pub(super) length: usize,
    /// Size of an element.
    pub(super) each: usize,
}

/// Why the layout is unknown: the rest of a sentence about this kernel.
pub(super) type LayoutError = String;

impl SwapLayout {
    /// Derives the layout from these types, with the default cluster size where they do not give it.
    pub(super) fn from_types(types: &Types, usual: u32) -> Result<Self, LayoutError> {
        let area = structure(types, "swap_info_struct")?;
        let cluster = structure(types, "swap_cluster_info")?;
        let array = |holder, name| {
            types
                .find(TypeKind::Struct, holder)
                .and_then(|holder| ArrayField::from_member(holder, name))
        };
        let layout = Self {
            area: AreaLayout::from_type(area)?,
            cluster: ClusterLayout::from_types(types, cluster)?,
            slots: slots(types, area).unwrap_or(usual),
            next: NextSlotLayout::from_types(types),
            entries: array("swap_table", "entries"),
            owners: array("swap_memcg_table", "id"),
            groups: CgroupNames::from_types(types),
        };
        let slots = layout.slots;
        if !allocator::is_cluster(slots) {
            return Err(format!("has clusters of {slots} slots, which this program does not know"));
        }
        Ok(layout)
    }

    /// Whether the words of slots have the form of 7.2 and 7.3, with counts and the mark of zeros.
    pub(super) fn has_known_words(&self) -> bool {
        let is_long = self.entries.is_some_and(|entries| entries.each == 8);
        is_long && self.cluster.extend.is_some() && !self.area.zeroes
    }
}

impl AreaLayout {
    fn from_type(area: Type<'_>) -> Result<Self, LayoutError> {
        let field = |name| required(area, "swap_info_struct", name);
        Ok(Self {
            size: size(area, "swap_info_struct")?,
            flags: field("flags")?,
            priority: field("prio")?,
            number: field("type")?,
            max: field("max")?,
            pages: field("pages")?,
            used: field("inuse_pages")?,
            clusters: field("cluster_info")?,
            file: field("swap_file")?,
            map: optional(area, "swap_map"),
            percpu: optional(area, "percpu_cluster"),
            global: optional(area, "global_cluster"),
            next: optional(area, "cluster_next"),
            discard: area.member("discard_clusters").map(|list| list.at),
            zeroes: area.member("zeromap").is_some(),
        })
    }
}

impl ClusterLayout {
    fn from_types(types: &Types, cluster: Type<'_>) -> Result<Self, LayoutError> {
        let name = "swap_cluster_info";
        let counted = optional(cluster, "count");
        let (count, lists) = match counted {
            Some(count) => (count, lists(types)?),
            None => (required(cluster, name, "data")?, ListFlags::Free),
        };
        Ok(Self {
            size: size(cluster, name)?,
            count,
            flags: required(cluster, name, "flags")?,
            order: optional(cluster, "order"),
            table: optional(cluster, "table"),
            extend: optional(cluster, "extend_table"),
            owners: optional(cluster, "memcg_table"),
            lists,
        })
    }

    /// The list of these flags; none if unknown.
    pub(super) fn list(&self, flags: u64) -> Option<List> {
        match &self.lists {
            ListFlags::Free => None,
            ListFlags::Named(lists) => lists.get(usize::try_from(flags).ok()?).copied().flatten(),
        }
    }
}

impl NextSlotLayout {
    fn from_types(types: &Types) -> Self {
        let find = |name| types.find(TypeKind::Struct, name);
        let own = find("percpu_cluster").or_else(|| find("swap_sequential_cluster"));
        let all = find("percpu_swap_cluster");
        let both = all.and_then(|all| {
            Some((ArrayField::from_member(all, "si")?, ArrayField::from_member(all, "offset")?))
        });
        Self { of_area: own.and_then(|own| ArrayField::from_member(own, "next")), of_all: both }
    }
}

/// Slots of a cluster: the length of its table, or the largest folio for which swap has a list.
fn slots(types: &Types, area: Type<'_>) -> Option<u32> {
    let length = |holder: Type<'_>, name| holder.member(name).and_then(|member| member.length);
    let table =
        types.find(TypeKind::Struct, "swap_table").and_then(|table| length(table, "entries"));
    table.or_else(|| length(area, "nonfull_clusters").and_then(allocator::slots_per_cluster))
}

/// One bit for each list, before lists have names.
const BITS: [(u64, List); 5] =
    [(0, List::None), (1, List::Free), (2, List::Nonfull), (4, List::Frag), (8, List::Full)];
/// Limit of the flags of a cluster, which are a byte.
const MOST_FLAGS: u64 = 0xff;

fn lists(types: &Types) -> Result<ListFlags, LayoutError> {
    let Some(flags) = types.find(TypeKind::Enum, "swap_cluster_flags") else {
        return Ok(named(&BITS));
    };
    let names = [
        ("CLUSTER_FLAG_NONE", List::None),
        ("CLUSTER_FLAG_FREE", List::Free),
        ("CLUSTER_FLAG_NONFULL", List::Nonfull),
        ("CLUSTER_FLAG_FRAG", List::Frag),
        ("CLUSTER_FLAG_FULL", List::Full),
        ("CLUSTER_FLAG_DISCARD", List::Discard),
    ];
    let value = |name| flags.value(name).and_then(|value| u64::try_from(value).ok());
    let known: Vec<_> =
        names.into_iter().filter_map(|(name, list)| Some((value(name)?, list))).collect();
    if known.is_empty() {
        return Err("has no list of clusters that this program knows".to_owned());
    }
    Ok(named(&known))
}

fn named(lists: &[(u64, List)]) -> ListFlags {
    let of = |flags| lists.iter().find(|(value, _)| *value == flags).map(|(_, list)| *list);
    ListFlags::Named((0..=MOST_FLAGS).map(of).collect())
}

fn structure<'a>(types: &'a Types, name: &str) -> Result<Type<'a>, LayoutError> {
    types.find(TypeKind::Struct, name).ok_or_else(|| format!("has no struct {name}"))
}

fn size(holder: Type<'_>, name: &str) -> Result<usize, LayoutError> {
    let size = holder.size().filter(|size| (1..=LARGEST).contains(size));
    size.and_then(|size| usize::try_from(size).ok())
        .ok_or_else(|| format!("has a struct {name} of an impossible size"))
}

fn required(holder: Type<'_>, of: &str, name: &str) -> Result<NumberField, LayoutError> {
    optional(holder, name).ok_or_else(|| format!("has no {name} in struct {of}"))
}

fn optional(holder: Type<'_>, name: &str) -> Option<NumberField> {
    let field = NumberField::from_member(holder.member(name)?)?;
    field.fits(usize::try_from(holder.size()?).ok()?).then_some(field)
}

impl ArrayField {
    /// An array of numbers; a single number is an array of one.
    pub(super) fn from_member(holder: Type<'_>, name: &str) -> Option<Self> {
        let member = holder.member(name)?;
        let length = member.length.unwrap_or(1);
        let each =
            member.size.checked_div(length.into()).filter(|each| matches!(each, 2 | 4 | 8))?;
        let end = member.at.checked_add(member.size)?;
        (end <= LARGEST).then_some(Self {
            at: usize::try_from(member.at).ok()?,
            length: usize::try_from(length).ok()?,
            each: usize::try_from(each).ok()?,
        })
    }

    /// Offset of the end of the array.
    pub(super) fn end(self) -> usize {
        self.at + self.length * self.each
    }

    /// The numbers of the array, given the structure.
    pub(super) fn numbers(self, bytes: &[u8]) -> impl Iterator<Item = u64> + '_ {
        let own = bytes.get(self.at..self.end()).unwrap_or_default();
        own.chunks_exact(self.each).map(super::memory::value)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{RECORDED, types};
    use super::*;
    use crate::probes::btf::WANTED;
    use crate::probes::btf::testing::{Builder, parsed};

    fn layout(text: &str) -> Result<SwapLayout, LayoutError> {
        SwapLayout::from_types(&parsed(Builder::from_text(text), &WANTED).unwrap(), 256)
    }

    #[test]
    fn the_layout_of_real_kernels() {
        let found: Vec<_> = RECORDED
            .iter()
            .map(|recorded| {
                let layout = SwapLayout::from_types(&types(recorded), 512).unwrap();
                let of_area = layout.next.of_area.map(|table| table.length);
                let owners = layout.owners.map(|table| table.length);
                (recorded.release, layout.cluster.size, layout.slots, of_area, owners)
            })
            .collect();
        assert_eq!(
            found,
            [
                ("6.1", 8, 512, Some(1), None),
                ("6.12", 24, 512, Some(10), None),
                ("6.18", 32, 512, Some(10), None),
                ("7.2", 48, 512, Some(10), Some(512)),
            ]
        );
    }

    #[test]
    fn missing_structures_are_named() {
        let text = RECORDED[1].types;
        let why = |text: String| layout(&text).unwrap_err();
        assert_eq!(why(text.replace(" max ", " most ")), "has no max in struct swap_info_struct");
        assert_eq!(why(text.replace("swap_cluster_info", "x")), "has no struct swap_cluster_info");
        assert_eq!(
            why(text.replace(" flags 6 1", " flags 6 100")),
            "has no flags in struct swap_cluster_info"
        );
        let lists = why(RECORDED[2].types.replace("CLUSTER_FLAG_", "OTHER_"));
        assert_eq!(lists, "has no list of clusters that this program knows");
        let odd = why(RECORDED[2].types.replace("entries 0 8*512", "entries 0 8*500"));
        assert!(odd.contains("clusters of 500 slots"), "{odd}");
    }

    #[test]
    fn cluster_slots_follow_from_the_orders_as_a_fallback() {
        let of = |orders: &str| layout(&RECORDED[1].types.replace("16*10", orders)).unwrap().slots;
        assert_eq!((of("16*10"), of("16*1"), of("16*14")), (512, 256, 8192));
        assert_eq!(of("16*0"), 256, "nothing tells it");
        for most in ["16*15", "16*20", "16*40"] {
            assert!(layout(&RECORDED[1].types.replace("16*10", most)).is_err(), "{most}");
        }
        assert_eq!(layout(RECORDED[0].types).unwrap().slots, 256, "as is usual there");
    }
}
