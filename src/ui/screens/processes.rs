//! Whose pages are in swap?

use crate::ui::screen::{Band, Body, Height, Pane, Screen, Sheet};

/// The screen.
pub static SCREEN: Screen = Screen {
    id: "processes",
    number: '6',
    name: "Procs",
    question: "Whose pages are in swap?",
    panes: &[Pane {
        id: "processes",
        title: "Procs",
        about: "",
        body: Body::Tables(&[Sheet {
            name: "processes",
            table: "processes",
            columns: None,
            sort: None,
        }]),
    }],
    bands: &[Band { panes: &[("processes", 100)], height: Height::Rest }],
    wide: &[Band { panes: &[("processes", 100)], height: Height::Rest }],
};
