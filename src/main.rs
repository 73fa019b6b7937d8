//! swapadm.
fn main() {}
