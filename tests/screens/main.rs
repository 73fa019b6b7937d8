//! Every screen, drawn without a terminal: its content and styles, at every size and after any keys.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    reason = "the helpers of a test stop it where they meet something unknown"
)]

#[path = "../common/mod.rs"]
mod common;

mod changes;
mod charts;
mod columns;
mod dialog;
mod experiments;
mod figures;
mod folios;
mod jobs;
mod lab;
mod learn;
mod lists;
mod map;
mod marks;
mod monkey;
mod navigation;
mod next_area;
mod objects;
mod pages;
mod palette;
mod rendering;
mod results;
mod rows;
mod screen_content;
mod setup;
mod sizes;
mod what_if;

use common::screen::Screen;

/// The sizes of the reference, each of another class.
const SIZES: [(u16, u16); 4] = [(80, 24), (120, 40), (60, 16), (40, 10)];

/// One machine before and under load.
const MACHINES: [&str; 2] = ["6.18-mixed-idle", "6.18-mixed-loaded"];

#[test]
#[ignore = "a look at a screen: MACHINES, SIZE, KEYS say which"]
#[expect(clippy::disallowed_methods, reason = "the person says here what to look at")]
fn look() {
    let var =
        |name: &str, default: &str| std::env::var(name).unwrap_or_else(|_| default.to_owned());
    let machines = var("MACHINES", "6.18-idle 6.18-loaded");
    let machines: Vec<&str> = machines.split(' ').collect();
    let size = var("SIZE", "80x24");
    let (width, height) = size.split_once('x').unwrap();
    let (width, height) = (width.parse().unwrap(), height.parse().unwrap());
    let mut screen = Screen::machines(&machines, width, height).keys(&var("KEYS", "1"));
    println!("{}", screen.text().join("\n"));
    println!("{:.0}% of the rows are empty", 100.0 * charts::empty_rows(&mut screen));
}
