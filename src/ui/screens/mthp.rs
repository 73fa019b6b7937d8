//! Are large folios swapped whole?

use crate::ui::screen::{Band, Body, Height, Pane, Screen, Sheet};

/// The screen.
pub static SCREEN: Screen = Screen {
    id: "mthp",
    number: '4',
    name: "mTHP",
    question: "Are large folios swapped whole?",
    panes: &[Pane {
        id: "mthp",
        title: "mTHP",
        about: "",
        body: Body::Tables(&[Sheet { name: "mthp", table: "mthp", columns: None, sort: None }]),
    }],
    bands: &[Band { panes: &[("mthp", 100)], height: Height::Rest }],
    wide: &[Band { panes: &[("mthp", 100)], height: Height::Rest }],
};
