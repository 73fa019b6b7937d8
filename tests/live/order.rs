//! Default priorities: the order in which areas are taken stays, or it is told how to put it back.

use crate::four::Four;
use crate::hog::Hog;
use crate::lab::{self, Lab};
use crate::{change, program};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;
use std::process::Stdio;
use std::time::Duration;

/// Processes of the load: a swapoff is stopped between two of them only.
const LOADS: usize = 6;
const ROUNDS: u64 = 12;

/// The areas from the first that the kernel takes on, by the numbers that it gave them.
fn order(four: &Four<'_>) -> Vec<usize> {
    let numbers = four.priorities();
    let mut places: Vec<usize> = (0..4).filter(|place| numbers[*place] < Some(0)).collect();
    places.sort_by_key(|place| numbers[*place].map(std::cmp::Reverse));
    places
}

/// Let the kernel number these, in this order.
fn number(four: &Four<'_>, places: &[usize]) {
    let wishes: Vec<String> =
        places.iter().map(|place| format!("{}=default", four.path(*place))).collect();
    let mut arguments = vec!["priority", "--yes", "--json"];
    arguments.extend(wishes.iter().map(String::as_str));
    four.told(&arguments, 0);
}

fn others_are_numbered() -> bool {
    let swaps = fs::read_to_string("/proc/swaps").expect("it can be read");
    swaps.lines().skip(1).any(|row| row.split_whitespace().last().is_some_and(is_negative))
}

fn is_negative(number: &str) -> bool {
    number.starts_with('-')
}

/// What is stopped leaves the order as it was, at once or by the command that is told.
pub(crate) fn stays(lab: &Lab) -> Result<(), String> {
    if others_are_numbered() {
        return Err("areas of this machine have default priorities, and would be moved".to_owned());
    }
    let four = Four::build(lab, [32_000, 31_900, 31_800, 31_700])?;
    number(&four, &[0, 1, 2, 3]);
    if four.priorities() == [Some(-1); 4] {
        lab::remark("the order of default priorities: this kernel takes such areas in turns");
        return Ok(());
    }
    assert_eq!(order(&four), [0, 1, 2, 3]);
    number(&four, &[2, 0]);
    assert_eq!(order(&four), [1, 2, 3, 0], "the third before the first, and nothing else is moved");
    number(&four, &[0, 1, 2, 3]);
    assert_eq!(order(&four), [0, 1, 2, 3]);

    let mut loads: Vec<Hog> = (0..LOADS).map(|_| Hog::new(&four.cage)).collect();
    for load in &mut loads {
        load.fill(128 / LOADS as u64);
    }
    let sums: Vec<String> = loads.iter_mut().map(Hog::sum).collect();
    let [mut stopped, mut put_back, mut told] = [0; 3];
    for round in 0..ROUNDS {
        if round == ROUNDS / 2 {
            // From now on what comes back stays in memory, and the other areas stay empty.
            four.cage.lift();
        }
        let Some(remark) = stop_at(&four, Duration::from_millis(4 * (round % 6))) else {
            number(&four, &[0, 1, 2, 3]);
            continue;
        };
        stopped += 1;
        if let Some((_, command)) = remark.split_once(": swapadm ") {
            told += 1;
            let arguments: Vec<&str> = command.split(' ').chain(["--yes", "--json"]).collect();
            four.told(&arguments, 0);
        } else if remark.contains("put back") {
            put_back += 1;
        }
        assert_eq!(order(&four), [0, 1, 2, 3], "round {round}: {remark}");
    }
    println!(
        "{ROUNDS} rounds: {stopped} stopped, order put back {put_back} times, told {told} times"
    );
    lab::enough(put_back + told, 2);
    for (load, sum) in loads.iter_mut().zip(sums) {
        load.rest_unchanged(&sum);
    }
    Ok(())
}

/// Give the first two numbers of their own, and stop that after a while; what is remarked then,
/// nothing if it came to its end.
fn stop_at(four: &Four<'_>, moment: Duration) -> Option<String> {
    let wishes = [0, 1].map(|place| format!("{}={}", four.path(place), 32_000 + place));
    let mut command = four.swapadm(&["priority", &wishes[0], &wishes[1], "--yes", "--json"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    while change::helper(&child).is_none() && !has_ended(child.id()) {}
    std::thread::sleep(moment);
    let pid = Pid::from_raw(i32::try_from(child.id()).expect("a number"));
    let _ = kill(pid, Signal::SIGINT);
    let output = child.wait_with_output().expect("it ends");
    match output.status.code() {
        None | Some(0) => None,
        Some(4) => {
            let said: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
            Some(said["outcome"]["remark"].as_str().unwrap_or_default().to_owned())
        }
        code => panic!("{code:?}: {}", program::complaint(&output)),
    }
}

/// Is it a zombie, which only waits for us?
fn has_ended(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z'))
}
