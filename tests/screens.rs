//! Every screen, drawn without a terminal.

mod common;

use common::screen::Screen;

#[test]
#[ignore = "a look at a screen: MACHINES, SIZE, KEYS say which"]
fn look() {
    let var =
        |name: &str, default: &str| std::env::var(name).unwrap_or_else(|_| default.to_owned());
    let machines = var("MACHINES", "6.18-idle 6.18-loaded");
    let machines: Vec<&str> = machines.split(' ').collect();
    let size = var("SIZE", "80x24");
    let (width, height) = size.split_once('x').unwrap();
    let mut screen = Screen::machines(&machines, width.parse().unwrap(), height.parse().unwrap())
        .keys(&var("KEYS", "1"));
    println!("{}", screen.text().join("\n"));
}
