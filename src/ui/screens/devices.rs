//! Which device carries it, and is it even?

use crate::ui::screen::{Band, Body, Height, Pane, Screen, Sheet};

/// The screen.
pub static SCREEN: Screen = Screen {
    id: "devices",
    number: '2',
    name: "Devices",
    question: "Which device carries it, and is it even?",
    panes: &[Pane {
        id: "devices",
        title: "Devices",
        about: "",
        body: Body::Tables(&[Sheet {
            name: "devices",
            table: "devices",
            columns: None,
            sort: None,
        }]),
    }],
    bands: &[Band { panes: &[("devices", 100)], height: Height::Rest }],
    wide: &[Band { panes: &[("devices", 100)], height: Height::Rest }],
};
