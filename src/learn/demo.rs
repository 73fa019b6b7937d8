//! Demonstrations: a simulated machine under a load, and the sentence that says what to look at.

/// A demonstration.
#[derive(Clone, Copy, Debug)]
pub struct Demo {
    /// Name, which no lesson has.
    pub name: &'static str,
    /// The built-in machine.
    pub machine: &'static str,
    /// The screen that opens first.
    pub screen: &'static str,
    /// The sentence that says what to look at.
    pub look: &'static str,
}

/// All demonstrations; the first one is the default.
pub const DEMOS: [Demo; 5] = [
    Demo {
        name: "balance",
        machine: "four-zram",
        screen: "devices",
        look: "Four equal areas without a priority fill at the same speed: on 7.2 all default priorities are -1.",
    },
    Demo {
        name: "waterfall",
        machine: "laptop",
        screen: "devices",
        look: "zram0 has the higher priority and fills first; the swap file is used only when zram0 is full.",
    },
    Demo {
        name: "sequential-read",
        machine: "small-disk",
        screen: "paging",
        look: "One process reads its memory in order: nearly all pages that are read ahead are used, so the window stays wide.",
    },
    Demo {
        name: "zswap-pool",
        machine: "zswap-server",
        screen: "compression",
        look: "The pool of zswap grows, and so does the partition behind it: each page in zswap takes a slot there.",
    },
    Demo {
        name: "folios",
        machine: "build-server",
        screen: "mthp",
        look: "Folios of 64K are swapped out whole, or split where no run of 16 slots is free: see SWPOUT and FALLBACK.",
    },
];
