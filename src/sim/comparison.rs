//! The comparisons of the model with running kernels. docs/FIDELITY.md, docs/RELIABILITY.md, the manual and the notes on
//! simulated machines say what is here.

/// Figures of the model that were compared with running kernels.
#[derive(Clone, Copy, Debug)]
pub struct KernelComparison {
    /// The figures.
    pub figures: &'static str,
    /// Presets that were compared with the kernel of that name.
    pub kernels: &'static [&'static str],
    /// The result, in sentences; empty if there was no comparison.
    pub result: &'static str,
}

/// All comparisons.
pub const COMPARISONS: [KernelComparison; 5] = [
    KernelComparison {
        figures: "used space",
        kernels: &["6.1", "6.12", "6.18", "7.2"],
        result: "The shares of areas of all kinds in used swap were at most 1 point apart. For \
                 `random_machines_share_as_predicted` the model answers before the kernel runs: 16 random machines, \
                 with two to four areas of all kinds, sizes and priorities, and a workload of single pages or huge \
                 folios.",
    },
    KernelComparison {
        figures: "lists of clusters",
        kernels: &["6.12"],
        result: "For `clusters_are_listed_as_predicted`, one process on one CPU of 6.12 accessed memory on a zram area \
                 of 96 clusters. At random, in single pages and in folios of 64 KiB, and in blocks that come and go, \
                 the shares of the lists (free, nonfull, frag, full) were at most 1.4 points apart in two runs. In \
                 order they were up to 5.2 points apart: on the kernel more clusters are partly used (8 % and 3 % on \
                 the list nonfull). In runs on 32 clusters, the model had three of them: that of the header, the one \
                 that is read and the one that is written. The kernel had up to 6 with the classic LRU, as others held \
                 1, 3 and 72 pages of other processes, which the model lacks; and 8 or 9 with the multi-generational \
                 LRU, which Debian enables, as it swaps pages out in another order than they are accessed. At random \
                 all clusters are partly used anyway. On 7.2, emulated, the first two accesses were compared once, and \
                 the others took more than their ten minutes: in order the shares were up to 3.5 points apart. At random \
                 in single pages they were 22 points apart: 53 % of the clusters were on the list nonfull and 5 % on the \
                 list full, 32 and 27 % in the model. The reason is not known.",
    },
    KernelComparison {
        figures: "split folios",
        kernels: &["6.18", "7.2"],
        result: "For `folios_are_split_as_predicted`, one process on one CPU of 6.18 accessed memory at random or in \
                 blocks that come and go, in folios of 64, 128 and 256 KiB on zram. The share of folios that were \
                 split was at most 3.6 points apart, and their share of all pages that were swapped out at most 2.4 \
                 points (29.3 and 27.1 %, 45.4 and 44.2 %, 12.6 and 11.5 % on the kernel and in the model). In one run \
                 on 7.2, emulated, the share of folios that were split was at most 4.0 points apart, and their share of \
                 all pages up to 8.6 points (39.2 and 30.6 % on the kernel and in the model, at random).",
    },
    KernelComparison {
        figures: "readahead",
        kernels: &["6.18"],
        result: "For `readahead_and_its_hits_are_counted_as_predicted`, a process read single pages from a solid state \
                 area. In order, 87.5 % of the pages were read ahead on the kernel and in the model with page-cluster \
                 3, and 96.9 % with 5, and nearly all of them were hits. At random, 0.1 % were on both. In steps, 0.2 \
                 % were on the kernel in most runs and up to 5.2 % in others, where hits kept the window open, and \
                 less than 0.1 % in the model. On 7.2, emulated, only reading in order with page-cluster 3 was compared: \
                 87.5 % on both.",
    },
    KernelComparison {
        figures: "zswap",
        kernels: &["6.18"],
        result: "For `pages_are_in_zswap_as_predicted`, a process accessed memory in order and at random on 6.18, with \
                 zswap in front of a solid state area. With room in the pool, all pages were in zswap on the kernel and \
                 in the model, each also took a slot, and the share of major faults was at most 0.3 points apart. \
                 Incompressible pages were stored as they are. They filled a pool of 1 % of memory: 85.1 and 85.0 % of \
                 the used slots were in zswap, 80.4 and 85.1 % of the pages that were swapped out went there, and 1.2 \
                 and 0 % were written back (in other runs 0.001 and 2.4 % on the kernel). Writeback happens beside the \
                 process, so its amount is chance. The limits of single cgroups (memory.zswap.max) were not compared: \
                 the memory controller of the machine was on cgroup version 1, where the pool belongs to no cgroup.",
    },
];

/// Captured machines of tests/machines whose model has their priorities and their order of areas.
pub const ORDERED_CAPTURES: usize = 44;
/// Captured machines whose kernels filled areas with the shares that the model has, at most one point apart.
pub const SHARED_CAPTURES: usize = 20;

/// Random machines of which the model predicted the shares of the areas within 3 points, by kernel, of [`RANDOM`].
const PREDICTED: [(&str, u32); 4] = [("6.1", 16), ("6.12", 16), ("6.18", 16), ("7.2", 16)];
/// Random machines of `random_machines_share_as_predicted`.
const RANDOM: u32 = 16;

/// Why cases of random machines were missed.
pub const MISSED: &str = "In earlier runs on 6.1 and 6.18 one case was more than 3 points apart; which one was not \
     noted, and in 8 runs on 6.18 and one on 6.1 since then none was. Farthest apart is case 12, two equal zram areas \
     that share 41 huge folios: 2.4 points are one folio, and two would be 4.9. Which of the areas gets the odd folio \
     depends on the cluster in which the CPU went on before, which is chance on the kernel: in 7 of 9 runs it was the \
     second area, in the model it is the first. The sizes of folios, priorities, kinds of areas and the order of \
     enabling are ruled out: all cases with other numbers of these are at most 2 points apart. All these runs had SWAPADM_SEED=20261127; \
     .ci/weekly draws other machines each day.";

/// The comparison with captured machines, in words.
pub fn describe_captures() -> String {
    format!(
        "For `models_of_captures_fill_areas_as_the_captured_kernels`, each machine in tests/machines with areas is \
         modelled. The model of {ORDERED_CAPTURES} captures has the priorities of the areas and the order in which each \
         node tries them, and in {SHARED_CAPTURES} captures with one node and used swap the shares of the areas are at \
         most 1 point apart. Free clusters and compression ratios are not compared: captures have no lists of clusters, \
         and what the memory contained is not known."
    )
}

/// The comparison of random machines, in words.
pub fn describe_random_machines() -> String {
    let kernels = PREDICTED.map(|(kernel, near)| format!("{near} of {RANDOM} on {kernel}"));
    format!("within 3 points: {}", kernels.join(", "))
}

/// The figures that were compared with the running kernel of this name.
pub fn compared_figures(kernel: &str) -> Vec<&'static str> {
    let compared = COMPARISONS.iter().filter(|it| it.kernels.contains(&kernel));
    compared.map(|it| it.figures).collect()
}

/// The figures that were compared, with the kernels, in a sentence.
pub fn describe_comparisons() -> String {
    let compared = COMPARISONS.iter().filter(|it| !it.kernels.is_empty());
    let words = compared.map(|it| format!("{} on {}", it.figures, it.kernels.join(", ")));
    format!(
        "Compared with running kernels were {}. No other figure of the model was: it is not validated.",
        words.collect::<Vec<_>>().join("; ")
    )
}
