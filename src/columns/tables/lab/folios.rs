//! `folios`: large folios that were swapped in a run, by size.

use super::{KEPT, NEEDS, none_of};
use crate::columns::spec::{self, Spec, Table};
use crate::derive::View;
use crate::derive::lab::FolioUse;
use crate::model::Reading;

/// The table.
pub struct Folios;

/// The table without its row type.
pub const SPEC: Spec = Spec::of::<Folios>("folios", "Large folios", "size")
    .about("Large folios by size: swapped out whole, or split because no room was found")
    .shows(&["size", "swpout", "swpout_fallback", "fail_rate"])
    .only("swpout>0 | swpout_fallback>0", "of which none were swapped")
    .needs(NEEDS);

impl Table for Folios {
    type Row<'v> = FolioUse;
    const COLUMNS: &'static [Column] = COLUMNS;

    fn rows(view: &View<'_>) -> Reading<Vec<FolioUse>> {
        none_of(view)
    }
}

type Column = spec::Column<Folios>;

static COLUMNS: &[Column] = &[
    Column::bytes("size", "SIZE", |row| row.size.into()).says("The size.", KEPT),
    Column::number("swpout", "SWPOUT", |row| row.whole.clone().into())
        .says("Swapped out whole: the mean of the repetitions.", KEPT),
    Column::number("swpout_fallback", "FALLBACK", |row| row.split.clone().into())
        .says("Split because no room in one piece was found: the mean of the repetitions.", KEPT),
    Column::share("fail_rate", "FAIL%", |row| row.fail_rate.clone().into()).says(
        "FALLBACK against FALLBACK, SWPOUT and ZSWPOUT together: the mean of the repetitions.",
        KEPT,
    ),
];
