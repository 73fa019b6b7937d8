//! What does the memory buy?

use crate::ui::screen::{Band, Body, Height, Pane, Screen, Sheet};

/// The screen.
pub static SCREEN: Screen = Screen {
    id: "compression",
    number: '3',
    name: "Compress",
    question: "What does the memory buy?",
    panes: &[Pane {
        id: "zram",
        title: "Compress",
        about: "",
        body: Body::Tables(&[Sheet { name: "zram", table: "zram", columns: None, sort: None }]),
    }],
    bands: &[Band { panes: &[("zram", 100)], height: Height::Rest }],
    wide: &[Band { panes: &[("zram", 100)], height: Height::Rest }],
};
