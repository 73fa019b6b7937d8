//! `what_if`, `what_if_folios` and `what_if_machines`: what the model of this machine does as it is, and with
//! changes. The rows come from runs of the simulated machine.

mod sentences;

use crate::columns::lines::{self, TableOptions};
use crate::columns::spec::Spec;
use crate::columns::{Query, Request, Rows, Unit, units};
use crate::derive::metadata::Metadata;
use crate::model::{Bytes, Reading};
use crate::sim::assumed::AssumedLoad;
use crate::sim::machine::ModelledSwapoff;
pub use crate::sim::what_if::AreaPrediction;
use crate::sim::what_if::{FolioPrediction, Prediction};
use sentences::{describe, describe_limits, rate};

/// The growth of used swap that predictions assume.
#[derive(Clone, Debug, PartialEq)]
pub struct AssumedGrowth {
    /// Bytes per second.
    pub rate: f64,
    /// The seconds for which it was measured; none if it was given.
    pub measured: Option<f64>,
}

impl AssumedGrowth {
    fn describe(&self) -> String {
        match self.measured {
            Some(seconds) => {
                format!("{}, measured for {}", rate(self.rate), units::seconds(seconds))
            }
            None => rate(self.rate),
        }
    }
}

/// A machine, as it is or with changes, and what it does.
#[derive(Clone, Debug)]
pub struct PredictedCase {
    /// `now` or `changed`.
    pub name: &'static str,
    /// The prediction of the model.
    pub prediction: Prediction,
    /// Used swap at present.
    pub used: Reading<Bytes>,
    /// Growth of used swap.
    pub growth: Reading<AssumedGrowth>,
}

impl PredictedCase {
    /// The time until this much swap is in use.
    fn time_until(&self, level: Reading<Bytes>) -> Reading<f64> {
        let left = level.map2(self.used.clone(), Bytes::saturating_sub);
        left.map2(self.growth.clone(), |left, growth| left.0 as f64 / growth.rate)
    }

    fn size(&self) -> Bytes {
        Bytes(self.prediction.areas.iter().map(|area| area.size.0).sum())
    }

    /// The most that was in use.
    fn peak(&self) -> Bytes {
        Bytes(self.prediction.areas.iter().map(|area| area.peak.0).sum())
    }

    /// The share of swap that was in use at the peak of the assumed workload; none for other loads.
    fn peak_of_workload(&self) -> Option<f64> {
        let is_workload = matches!(self.prediction.assumed, AssumedLoad::Workload(_));
        let share = self.peak().0 as f64 / self.size().0 as f64;
        (is_workload && share.is_finite()).then_some(share)
    }

    /// The length of the histories of areas, in the unit of their interval.
    pub fn length(&self) -> Bytes {
        let values = self.prediction.areas.first().map_or(0, |area| area.history.len());
        Bytes(self.prediction.interval.0 * values as u64)
    }

    /// The share of that length after which as much is used as now; none for a workload, which starts with empty swap.
    pub fn share_at_present(&self) -> Option<f64> {
        let share = self.used.known()?.0 as f64 / self.length().0 as f64;
        let is_workload = self.peak_of_workload().is_some();
        (!is_workload && share <= 1.0).then_some(share)
    }

    /// Describes the end of the histories.
    pub fn end(&self) -> String {
        match (&self.prediction.assumed, self.full_in()) {
            (AssumedLoad::Workload(_), _) => "end".to_owned(),
            (AssumedLoad::Filling, Reading::Known(time)) => {
                format!("full in {}", units::seconds(time))
            }
            (AssumedLoad::Filling, _) if self.prediction.memory_full.is_some() => {
                self.full_memory().to_owned()
            }
            (AssumedLoad::Filling, Reading::Missing { .. }) => "full".to_owned(),
            (AssumedLoad::Traffic(traffic), _) => {
                let out = self.length().saturating_sub(traffic.used);
                format!("after {}", units::seconds(out.0 as f64 / traffic.out))
            }
        }
    }

    /// Describes which memory is full, if one is before swap.
    fn full_memory(&self) -> &'static str {
        if self.prediction.is_limit_full { "the memory limit is reached" } else { "memory is full" }
    }

    /// The time until all areas are full.
    fn full_in(&self) -> Reading<f64> {
        if self.peak_of_workload().is_some() {
            return Reading::absent("a workload fills swap in its own time");
        }
        if self.size() == Bytes(0) {
            return Reading::absent("there is no swap");
        }
        if self.prediction.memory_full.is_some() {
            return Reading::absent(if self.prediction.is_limit_full {
                "the memory limit is reached before swap is full"
            } else {
                "memory is full before swap is"
            });
        }
        let areas = &self.prediction.areas;
        let without_slot = areas.iter().map(|area| area.without_slot).max();
        self.time_until(Reading::Known(
            self.size().saturating_add(without_slot.unwrap_or_default()),
        ))
    }
}

/// Source of all columns.
const MODEL: &str = "the simulated machine";
/// Why the rows are not in snapshots.
const COMMAND: &str = "snapshots do not contain predictions: use swapadm what-if";
/// Why a level was not reached.
const NOT_REACHED: &str = "the areas were never used this much";

fn reached<T>(level: Option<T>) -> Reading<T> {
    Reading::or_absent(level, NOT_REACHED)
}

/// The work of a swapoff when swap is full.
fn swapoff(area: &AreaPrediction) -> Reading<&ModelledSwapoff> {
    Reading::or_absent(area.swapoff.as_ref(), "only modelled where processes fill swap")
}

/// The time of that swapoff. It reads pages in the order of page tables: on a rotational disk seeks decide, which the
/// model does not count there.
fn swapoff_time(area: &AreaPrediction) -> Reading<f64> {
    if area.device.rotates() {
        return Reading::absent("a rotational disk needs seeks for it, which are not modelled");
    }
    swapoff(area).map(|work| work.ns / 1e9)
}

/// Columns of areas that fill.
const FILLING_COLUMNS: &str = "case,position,name,device,size,priority,share_25,share_50,share_75,starts_after,full_after,full_in,swapoff_read,swapoff_time";
/// Columns of areas under a load that may need less than all swap.
const LOADED_COLUMNS: &str =
    "case,position,name,device,size,priority,peak,peak_share,starts_after,full_after,full_in";
/// Columns of machines under a load.
const LOADED_MACHINES: &str =
    "case,kernel,load,size,swapped_out,swapped_in,killed,metadata,compressed_memory,full_in";

table!(
    pub struct PredictedAreasTable: (&'v PredictedCase, &'v AreaPrediction), AreaColumn, AREA_COLUMNS,
    |_, _| Reading::absent(COMMAND)
);

/// Definition of the table of areas.
pub const AREAS: Spec = Spec::for_table::<PredictedAreasTable>("what_if", "What if: areas", "name")
    .single_subject()
    .shown_by("what-if")
    .about("How the model of this machine uses its areas, now and with the changes, starting with empty areas")
    .shows(FILLING_COLUMNS);

static AREA_COLUMNS: &[AreaColumn] = &[
    AreaColumn::text("case", "CASE", |(case, _)| case.name.into())
        .says("now, or changed: with the changes.", MODEL),
    AreaColumn::count("position", "ORDER", |(_, area)| reached(area.position).into()).says(
        "Position in the order of filling; areas that fill together have the same position.",
        MODEL,
    ),
    AreaColumn::text("name", "NAME", |(_, area)| area.path.clone().into())
        .says("Path of the area.", MODEL),
    AreaColumn::text("device", "DEVICE", |(_, area)| area.device.word().into())
        .says("Kind of device.", MODEL)
        .drop(3),
    AreaColumn::bytes("size", "SIZE", |(_, area)| area.size.into()).says("Size.", MODEL).drop(2),
    AreaColumn::integer("priority", "PRIO", |(_, area)| area.priority.into())
        .says("Priority.", MODEL),
    AreaColumn::share("share_25", "AT25%", |(_, area)| reached(area.shares[0]).into())
        .says("Share of used swap that is on the area when a quarter of all swap is in use.", MODEL),
    AreaColumn::share("share_50", "AT50%", |(_, area)| reached(area.shares[1]).into())
        .says("Share of used swap that is on the area when half of all swap is in use.", MODEL),
    AreaColumn::share("share_75", "AT75%", |(_, area)| reached(area.shares[2]).into())
        .says("Share of used swap that is on the area when three quarters of all swap are in use.", MODEL),
    AreaColumn::bytes("peak", "PEAK", |(_, area)| area.peak.into())
        .says("Used space of the area when used swap was at its peak.", MODEL),
    AreaColumn::share("peak_share", "PEAK%", |(_, area)| reached(area.peak_share).into())
        .says("Share of used swap that was on the area then.", MODEL),
    AreaColumn::bytes("starts_after", "STARTS-AFTER", |(_, area)| reached(area.begins).into())
        .says("Swap in use when the area gets its first page: 0 for the first area.", MODEL)
        .drop(1),
    AreaColumn::bytes("full_after", "FULL-AFTER", |(_, area)| reached(area.full).into())
        .says(
            "Swap in use when the area is full, including the last slots, which are reserved for CPUs.",
            MODEL,
        )
        .drop(1),
    AreaColumn::seconds("full_in", "FULL-IN", |(case, area)| {
        let held = reached(area.full).map(|full| full.saturating_add(area.without_slot));
        case.time_until(held).into()
    })
    .says("Time until that much swap is in use: (FULL-AFTER - used swap) / growth. With virtual swap, pages that zswap holds then are swap in use too, although they take no slots.", MODEL)
    .drop(4),
    AreaColumn::bytes("swapoff_read", "OFF-READ", |(_, area)| {
        swapoff(area).map(|work| Bytes(work.read_pages * 4096)).into()
    })
    .says("Memory to read back from the area by a swapoff when swap is full. Pages in zswap and zero-filled ones are not read.", MODEL)
    .drop(5),
    AreaColumn::count("swapoff_entries", "OFF-ENTRIES", |(_, area)| {
        swapoff(area).map(|work| work.entries).into()
    })
    .says("Page table entries that this swapoff visits.", MODEL),
    AreaColumn::seconds("swapoff_time", "OFF-TIME", |(_, area)| swapoff_time(area).into())
        .says("Time of this swapoff, estimated from counts with the costs of swapadm machine costs; none for rotational disks, whose seeks are not modelled.", MODEL)
        .drop(5),
];

table!(
    pub struct PredictedFoliosTable: (&'v PredictedCase, &'v FolioPrediction), FolioColumn, FOLIO_COLUMNS,
    |_, _| Reading::absent(COMMAND)
);

/// Definition of the table of folio sizes.
pub const FOLIOS: Spec = Spec::for_table::<PredictedFoliosTable>("what_if_folios", "What if: large folios", "size")
    .single_subject()
    .shown_by("what-if")
    .about("How often the model of this machine splits large folios, in a workload of short processes that fill seven tenths of swap")
    .shows("case,size,swpout,fallback,fallback_share");

/// The share of split folios, or how few there are.
fn fallback_share(folio: &FolioPrediction) -> Reading<f64> {
    let all = folio.whole + folio.split;
    Reading::or_absent(folio.split_share(), format!("too few ({all})"))
}

static FOLIO_COLUMNS: &[FolioColumn] = &[
    FolioColumn::text("case", "CASE", |(case, _)| case.name.into())
        .says("now, or changed: with the changes.", MODEL),
    FolioColumn::bytes("size", "SIZE", |(_, folio)| folio.size.into()).says("Folio size.", MODEL),
    FolioColumn::count("swpout", "SWPOUT", |(_, folio)| folio.whole.into())
        .says("Folios swapped out whole, each time it happens.", MODEL),
    FolioColumn::count("fallback", "FALLBACK", |(_, folio)| folio.split.into())
        .says("Folios split because no run of slots was free. A split folio is swapped page by page from then on and is not counted again, so the sums of two cases differ under the same workload: compare FALLBACK%.", MODEL),
    FolioColumn::share("fallback_share", "FALLBACK%", |(_, folio)| {
        fallback_share(folio).into()
    })
    .says("Share of folios that were split: FALLBACK / (SWPOUT + FALLBACK); missing below 100 folios.", MODEL),
];

table!(
    pub struct MachinesTable: &'v PredictedCase, MachineColumn, MACHINE_COLUMNS,
    |_, _| Reading::absent(COMMAND)
);

/// Definition of the table of machines.
pub const MACHINES: Spec =
    Spec::for_table::<MachinesTable>("what_if_machines", "What if: machines", "case")
        .single_subject()
        .shown_by("what-if")
        .about("The machines that were modelled, with the time until their swap is full")
        .shows("case,kernel,size,metadata,compressed_memory,full_in");

/// Bytes of a page of modelled kernels.
const PAGE: u64 = 4096;

/// Metadata of the areas, if the format of the kernel is known.
fn metadata(prediction: &Prediction) -> Reading<Bytes> {
    // Single changes of a kernel follow its release.
    let release = prediction.setup.policy.name.split('+').next().unwrap_or_default();
    let format = Metadata::for_area(release, PAGE, (Bytes(0), Bytes(0)));
    format.map(|_| prediction.metadata)
}

static MACHINE_COLUMNS: &[MachineColumn] = &[
    MachineColumn::text("case", "CASE", |case| case.name.into())
        .says("now, or changed: with the changes.", MODEL),
    MachineColumn::text("kernel", "KERNEL", |case| case.prediction.setup.policy.name.clone().into())
        .says("Kernel whose decisions are modelled, with single changes.", MODEL),
    MachineColumn::text("load", "LOAD", |case| load_name(&case.prediction.assumed).into())
        .says("Assumed load.", MODEL),
    MachineColumn::bytes("size", "SIZE", |case| case.size().into())
        .says("Size of all areas.", MODEL),
    MachineColumn::bytes("used", "USED", |case| case.used.clone().into())
        .says("Used swap of the real machine at present.", "/proc/swaps"),
    MachineColumn::new("growth", "GROWTH", Unit::BytesPerSecond, |case| {
        case.growth.as_ref().map(|growth| growth.rate).into()
    })
    .says("Growth of used swap: that of --rate, or as measured over at most the last half minute; it needs five samples in ten seconds.", "/proc/swaps"),
    MachineColumn::seconds("full_in", "FULL-IN", |case| case.full_in().into())
        .says("Time until all areas are full: (SIZE - USED) / GROWTH.", MODEL),
    MachineColumn::bytes("metadata", "METADATA", |case| metadata(&case.prediction).into())
        .says("Most kernel memory for the metadata of the areas during the run.", MODEL),
    MachineColumn::bytes("compressed_memory", "COMPRESSED", |case| {
        match case.prediction.assumed {
            AssumedLoad::Traffic(_) => Reading::absent("traffic has no contents"),
            AssumedLoad::Filling | AssumedLoad::Workload(_) => {
                Reading::Known(case.prediction.compressed)
            }
        }
        .into()
    })
    .says("Most memory for compressed pages during the run: those on zram, and the pool of zswap.", MODEL),
    MachineColumn::bytes("swapped_out", "OUT", |case| case.prediction.swapped_out.into())
        .says("Written to the areas in the run.", MODEL),
    MachineColumn::bytes("swapped_in", "IN", |case| {
        of_workload(case, case.prediction.swapped_in).into()
    })
    .says("Read from the areas in the run of a workload.", MODEL),
    MachineColumn::count("killed", "KILLED", |case| {
        of_workload(case, case.prediction.killed).into()
    })
    .says("Processes of a workload that were killed because memory and swap were full.", MODEL),
    MachineColumn::count("scale", "SCALE", |case| case.prediction.scale.into()).says(
        "How many times smaller the areas of the model are, so that it runs within seconds.",
        MODEL,
    ),
    MachineColumn::count("cpus", "CPUS", |case| case.prediction.cpus.into()).says(
        "CPUs of the model: fewer than those of the machine if its areas are scaled down.",
        MODEL,
    ),
    MachineColumn::text("validation", "VALIDATION", |case| {
        let policy = &case.prediction.setup.policy;
        policy.describe_validation().into()
    })
    .says("Which parts of the model were compared with running kernels.", MODEL),
];

/// Describes an assumed load in a few words.
fn load_name(load: &AssumedLoad) -> String {
    match load {
        AssumedLoad::Filling => "fills swap".to_owned(),
        AssumedLoad::Workload(load) => load.name.clone(),
        AssumedLoad::Traffic(_) => "as now".to_owned(),
    }
}

/// A figure that only a workload has.
fn of_workload<T>(case: &PredictedCase, figure: T) -> Reading<T> {
    match case.prediction.assumed {
        AssumedLoad::Workload(_) => Reading::Known(figure),
        AssumedLoad::Filling | AssumedLoad::Traffic(_) => {
            Reading::absent("only a workload (--load) has it")
        }
    }
}

/// The answer of the model: the machine as it is, and with changes if they change it.
#[derive(Clone, Debug)]
pub struct WhatIfAnswer {
    /// The machines and what they do.
    pub cases: Vec<PredictedCase>,
    /// Sentences on what the model lacks of the machine and of the changes.
    pub notes: Vec<String>,
}

impl WhatIfAnswer {
    /// The lines of the tables that have rows, with an empty line after each.
    pub fn table_lines(&self, options: TableOptions) -> Vec<String> {
        // The usual columns exist.
        let tables = self.tables(None).unwrap_or_default();
        let full = tables.iter().filter(|(_, rows)| !rows.cells.is_empty());
        full.flat_map(|(_, rows)| lines::lines(rows, options).into_iter().chain([String::new()]))
            .collect()
    }

    /// The assumed load in a few words.
    pub fn load(&self) -> Option<String> {
        self.cases.first().map(|case| load_name(&case.prediction.assumed))
    }

    /// The conclusions: order, times, and whether folios are split.
    pub fn conclusions(&self) -> Vec<String> {
        describe(&self.cases)
    }

    /// The limits of the model, as notes for the answer.
    pub fn limits(&self) -> Vec<String> {
        let notes = (!self.notes.is_empty()).then(|| self.notes.join(" "));
        std::iter::once(describe_limits(&self.cases)).chain(notes).collect()
    }

    /// The tables with their rows.
    pub fn tables(&self, columns: Option<&str>) -> Result<Vec<(&'static Spec, Rows)>, String> {
        let cases = &self.cases;
        let areas: Vec<_> = cases
            .iter()
            .flat_map(|it| it.prediction.areas.iter().map(move |area| (it, area)))
            .collect();
        let folios: Vec<_> = cases
            .iter()
            .flat_map(|it| it.prediction.folios.iter().map(move |folio| (it, folio)))
            .collect();
        let machines: Vec<&PredictedCase> = cases.iter().collect();
        let is_loaded = cases.iter().any(|case| case.prediction.assumed != AssumedLoad::Filling);
        let query = |spec: &'static Spec| {
            let usual = match spec.name {
                "what_if" if is_loaded => Some(LOADED_COLUMNS),
                "what_if_machines" if is_loaded => Some(LOADED_MACHINES),
                _ => None,
            };
            let columns = columns.or(usual).map(str::to_owned);
            Query::new(spec, &Request { columns, ..Request::default() })
        };
        Ok(vec![
            (&AREAS, query(&AREAS)?.rows_from::<PredictedAreasTable>(&areas)),
            (&FOLIOS, query(&FOLIOS)?.rows_from::<PredictedFoliosTable>(&folios)),
            (&MACHINES, query(&MACHINES)?.rows_from::<MachinesTable>(&machines)),
        ])
    }
}

#[cfg(test)]
mod tests;
