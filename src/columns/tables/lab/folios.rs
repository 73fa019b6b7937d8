//! `folios`: large folios that were swapped in a run, by size.

use super::{KEPT, NEEDS, none_of};
use crate::columns::spec::{self, Column, Info, Only, Spec, Style, Table};
use crate::columns::value::Unit;
use crate::derive::View;
use crate::derive::lab::FolioUse;
use crate::model::Reading;

/// The table.
pub struct Folios;

/// The table without its row type.
pub const SPEC: Spec = Spec {
    name: "folios",
    title: "Large folios",
    about: "Large folios by size: swapped out whole, or split because no room was found",
    style: Style::Rows,
    default: &["size", "swpout", "swpout_fallback", "fail_rate"],
    with_two: &[],
    key: "size",
    sort: None,
    only: Some(Only {
        filter: "swpout>0 | swpout_fallback>0",
        others: "of which none were swapped",
    }),
    tree: None,
    needs: NEEDS,
    infos: spec::infos::<Folios>,
    cells: spec::cells::<Folios>,
};

impl Table for Folios {
    type Row<'v> = FolioUse;

    fn columns() -> &'static [Column<Self>] {
        COLUMNS
    }

    fn rows(view: &View<'_>) -> Reading<Vec<FolioUse>> {
        none_of(view)
    }
}

static COLUMNS: &[Column<Folios>] = &[
    Column {
        info: Info::new("size", "SIZE", Unit::Bytes).says("The size.", KEPT),
        get: |row| row.size.into(),
    },
    Column {
        info: Info::new("swpout", "SWPOUT", Unit::Number)
            .says("Swapped out whole: the mean of the repetitions.", KEPT),
        get: |row| row.whole.clone().into(),
    },
    Column {
        info: Info::new("swpout_fallback", "FALLBACK", Unit::Number).says(
            "Split because no room in one piece was found: the mean of the repetitions.",
            KEPT,
        ),
        get: |row| row.split.clone().into(),
    },
    Column {
        info: Info::new("fail_rate", "FAIL%", Unit::Share).says(
            "FALLBACK against FALLBACK, SWPOUT and ZSWPOUT together: the mean of the repetitions.",
            KEPT,
        ),
        get: |row| row.fail_rate.clone().into(),
    },
];
