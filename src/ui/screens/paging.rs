//! Does readahead pay, and does reclaim keep up?

use crate::ui::screen::{Band, Body, Height, Pane, Screen, Sheet};

/// The screen.
pub static SCREEN: Screen = Screen {
    id: "paging",
    number: '5',
    name: "Paging",
    question: "Does readahead pay, and does reclaim keep up?",
    panes: &[Pane {
        id: "knobs",
        title: "Paging",
        about: "",
        body: Body::Tables(&[Sheet { name: "knobs", table: "knobs", columns: None, sort: None }]),
    }],
    bands: &[Band { panes: &[("knobs", 100)], height: Height::Rest }],
    wide: &[Band { panes: &[("knobs", 100)], height: Height::Rest }],
};
