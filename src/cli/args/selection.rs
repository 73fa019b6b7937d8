//! `selection`.

use super::RowArgs;
use clap::Args;
use std::ffi::OsString;

/// `selection`.
#[derive(Args, Clone, Debug, Default)]
pub struct SelectionArgs {
    /// What is asked.
    #[command(flatten)]
    pub wish: Wish,
    /// Rows and columns.
    #[command(flatten)]
    pub rows: RowArgs,
}

/// Of which node, of what, and with which priorities.
#[derive(Args, Clone, Debug, Default)]
pub struct Wish {
    /// Only the order of this NUMA node
    #[arg(long, value_name = "N")]
    pub node: Option<u32>,
    /// Shares of large folios of this size, such as 64K or 2M, in place of those of single pages
    #[arg(long, value_name = "SIZE")]
    pub folio: Option<String>,
    /// Also the order as it would be with these priorities: a path, a name, LABEL= or UUID=, and 0 to
    /// 32767 or default; nothing is changed
    #[arg(long, value_name = "AREA=N", value_delimiter = ',')]
    pub with: Vec<OsString>,
}
