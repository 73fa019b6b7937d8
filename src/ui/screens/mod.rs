//! The screens, one file each.

pub mod cgroup;
pub mod compression;
pub mod devices;
pub mod lab;
pub mod learn;
pub mod machine;
pub mod map;
pub mod mthp;
pub mod overview;
pub mod paging;
pub mod process;
pub mod processes;

// The files of this folder import these names from here.
use super::appearance::Appearance;
use super::chart::{Chart, Scale};
use super::content::{Flow, PaneLine, Piece, tall_chart};
use super::page::PageLine;
use super::pane_data::Facts;
use super::screen::{Band, Height, Pane, PaneTable, Screen};
use super::table_query::ids::{kernel, status};
use super::table_query::{TableQuery, ask};
use super::theme::Role;
use crate::columns::{ColumnId, Query, Value, text, units};
use crate::model::Missing;
use crate::model::name::safe_text;

/// All screens.
pub static SCREENS: &[&Screen] = &[
    &overview::SCREEN,
    &devices::SCREEN,
    &compression::SCREEN,
    &mthp::SCREEN,
    &paging::SCREEN,
    &processes::SCREEN,
    &lab::SCREEN,
    &map::SCREEN,
    &learn::SCREEN,
];

/// The pages of one process, of one cgroup and of the machine of a lesson, which no number opens.
pub static PAGES: &[&Screen] = &[&process::SCREEN, &cgroup::SCREEN, &machine::SCREEN];

/// The queries of the first line.
const TITLE: &[TableQuery] = &[
    ask!(kernel: HOSTNAME RELEASE UID),
    ask!(status: STATE SEVERITY USE IN_RATE OUT_RATE MEMORY_SOME MEMORY_FULL MEM_AVAILABLE),
];

/// The queries of the first line.
pub fn title_queries() -> Vec<Query> {
    TITLE.iter().filter_map(TableQuery::query).collect()
}

/// The legend of symbols and colors.
pub fn legend(look: &Appearance) -> Vec<PageLine> {
    let glyphs = look.glyphs;
    let history = glyphs.history(&[None, Some(0.0), Some(1.0), Some(5.0), Some(9.0)], 9.0);
    let [rising, falling] = glyphs.sorted;
    vec![
        PageLine::named("~", "stale: older than two samples"),
        PageLine::named("!  !!", "warning; critical. The thresholds are in the settings (F2)"),
        PageLine::named("-", "this machine has no such value"),
        PageLine::named("?", "the value is unknown; e gives the reason"),
        PageLine::named(
            format!("{} {}", glyphs.fills.join(" "), glyphs.empty),
            "the parts of a bar, in order, and the free part",
        ),
        PageLine::named(
            history,
            "history of five samples, two in each sign: unknown, zero, low, medium, high",
        ),
        PageLine::named("0-64M", "behind a history: its scale; the time it shows is in the title"),
        PageLine::named(
            "X ! o r",
            "below a chart: OOM kill; new finding; change of areas; end of a run",
        ),
        PageLine::named(format!("{} {}", glyphs.inward, glyphs.outward), "swap-in, swap-out"),
        PageLine::named(
            format!("{rising} {falling}"),
            "beside a heading: sorted by this column, ascending or descending",
        ),
        PageLine::named(">  *", "the selected row; marked rows"),
        PageLine::text(""),
        PageLine::text(
            "Sizes are binary: 1K is 1024 bytes. Rates are per second, between the last two samples. Times are UTC.",
        ),
        PageLine::text(
            "Colors repeat words and symbols: blue memory, magenta zswap, cyan zram, yellow disks; cyan swap-in, magenta swap-out; yellow warning, red critical.",
        ),
    ]
}
