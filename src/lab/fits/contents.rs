//! Are there the files that pages are filled from? A process would find out too, but only once
//! areas are made for it.

use super::refusal;
use crate::actions::check::Check;
use crate::lab::run_spec::RunSpec;
use crate::lab::worker::usable;
use crate::root::Root;

/// What no page can be filled from. A captured tree does not have the files of its machine.
pub fn contents(wish: &RunSpec, root: &Root) -> Vec<Check> {
    let mut all = Vec::new();
    if !root.is_live() {
        return all;
    }
    for (work, number) in wish.workload.works.iter().zip(1..) {
        let Err(why) = usable(&work.contents, root) else { continue };
        let check =
            refusal("pages", wish.places.problem_of_work(number, "contents", &why).to_string());
        // What is typed is said of all works at once.
        if !all.contains(&check) {
            all.push(check);
        }
    }
    all
}
