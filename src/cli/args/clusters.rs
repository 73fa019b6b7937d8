//! `clusters`.

use super::RowArgs;
use clap::{Args, ValueEnum};

/// A view into the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ViewChoice {
    /// The kernel's own memory, by its type information: complete; root
    Kernel,
    /// What a zram device has stored; root, debugfs
    Zram,
    /// Page tables of all processes; root
    Tables,
}

/// `clusters`.
#[derive(Args, Clone, Debug, Default)]
pub struct ClusterArgs {
    /// Areas to look at closely: room by folio size, and how far clusters are taken
    #[arg(value_name = "AREA")]
    pub areas: Vec<String>,
    /// Where it comes from, instead of the best there is
    #[arg(long, value_name = "VIEW")]
    pub view: Option<ViewChoice>,
    /// Draw each area from its beginning to its end
    #[arg(long, conflicts_with_all = ["csv", "raw"])]
    pub map: bool,
    /// Each slot of this cluster of the area, counted from 0; --json for all that is known of each
    #[arg(long, value_name = "N", requires = "areas", conflicts_with_all = ["map", "interval"])]
    pub cluster: Option<u64>,
    /// Rows and columns.
    #[command(flatten)]
    pub rows: RowArgs,
}
