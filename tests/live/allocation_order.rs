//! Default priorities: the allocation order is kept, or a message says how to restore it.

use crate::at_length;
use crate::hog::Hog;
use crate::killed::{Victim, kill_victim};
use crate::lab::{self, Lab};
use crate::mounts::{Mount, Mounts};
use crate::rebalance_scene::RebalanceScene;
use crate::{change, program};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

#[test]
fn default_priorities_stay_in_order() {
    at_length("default_priorities_stay_in_order", stays);
}

#[test]
fn undo_leads_to_the_order_of_default_priorities_before() {
    at_length("undo_leads_to_the_order_of_default_priorities_before", is_that_of_before);
}

#[test]
fn recover_restores_the_order_of_default_priorities() {
    at_length("recover_restores_the_order_of_default_priorities", is_recovered);
}

/// Processes of the load: a swapoff can be stopped only between two processes.
const LOADS: usize = 6;
const ROUNDS: u64 = 12;
const PRESSURE: &str = "/proc/pressure/memory";

/// The areas in allocation order, by the kernel's numbers.
fn order(four: &RebalanceScene<'_>) -> Vec<usize> {
    let numbers = four.priorities();
    let mut places: Vec<usize> =
        (0..4).filter(|place| numbers[*place].is_some_and(|number| number < 0)).collect();
    places.sort_by_key(|place| numbers[*place].map(std::cmp::Reverse));
    places
}

/// Makes the kernel number these, in this order.
fn number(four: &RebalanceScene<'_>, places: &[usize]) {
    let wishes: Vec<String> =
        places.iter().map(|place| format!("{}=default", four.path(*place))).collect();
    let mut arguments = vec!["priority", "--yes", "--json"];
    arguments.extend(wishes.iter().map(String::as_str));
    four.json_of_command(&arguments, 0);
}

fn others_are_numbered() -> bool {
    let swaps = fs::read_to_string("/proc/swaps").expect("the file is readable");
    swaps.lines().skip(1).any(|row| row.split_whitespace().last().is_some_and(is_negative))
}

fn is_negative(number: &str) -> bool {
    number.starts_with('-')
}

/// Four areas numbered by the kernel; none where it uses such areas in rotation.
fn numbered(lab: &Lab, mounts: Option<Mounts>) -> Result<Option<RebalanceScene<'_>>, String> {
    if others_are_numbered() {
        return Err(
            "areas of this machine have default priorities, and would change order".to_owned()
        );
    }
    let mut four = RebalanceScene::build(lab, [32_000, 31_900, 31_800, 31_700])?;
    four.mounts = mounts;
    number(&four, &[0, 1, 2, 3]);
    if four.priorities() == [Some(-1); 4] {
        lab::remark("the order of default priorities: this kernel rotates among such areas");
        return Ok(None);
    }
    assert_eq!(order(&four), [0, 1, 2, 3]);
    Ok(Some(four))
}

/// Shows the program the PSI values of `wait` instead of the machine's, zero at first: real pressure takes
/// a minute to decay, and while there is any, the order is not restored automatically. None where the
/// kernel has no PSI.
fn waits_of_our_own(lab: &Lab) -> Result<Option<Mounts>, String> {
    if !Path::new(PRESSURE).exists() {
        return Ok(None);
    }
    wait(lab, 0.0);
    Mounts::new(&[Mount::Bind(&lab.scratch.file(WAITS), Path::new(PRESSURE))]).map(Some)
}

/// The file that replaces the machine's.
const WAITS: &str = "waits";

/// Simulates this PSI in percent.
fn wait(lab: &Lab, share: f64) {
    let line = |kind| format!("{kind} avg10={share:.2} avg60=0.00 avg300=0.00 total=0\n");
    fs::write(lab.scratch.file(WAITS), line("some") + &line("full")).expect("a file");
}

/// A stopped change keeps the order, at once or by the suggested command.
pub(crate) fn stays(lab: &Lab) -> Result<(), String> {
    let Some(four) = numbered(lab, waits_of_our_own(lab)?)? else { return Ok(()) };
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
            // From now on swapped-in pages stay in memory, and the other areas stay empty.
            four.cage.lift();
        }
        let Some(remark) = stop_at(&four, Duration::from_millis(4 * (round % 6))) else {
            number(&four, &[0, 1, 2, 3]);
            continue;
        };
        stopped += 1;
        match order_result(&four, &remark) {
            OrderResult::Told => told += 1,
            OrderResult::PutBack => put_back += 1,
            OrderResult::Nothing => {}
        }
        assert_eq!(order(&four), [0, 1, 2, 3], "round {round}: {remark}");
    }
    println!(
        "{ROUNDS} rounds: {stopped} stopped, order put back {put_back} times, told {told} times"
    );
    lab::require_iterations(put_back + told, 2);
    for (load, sum) in loads.iter_mut().zip(sums) {
        load.rest_unchanged(&sum);
    }
    Ok(())
}

/// What the program said about the order.
#[derive(Debug, PartialEq, Eq)]
enum OrderResult {
    /// A command to restore it, which was then run.
    Told,
    /// It was restored.
    PutBack,
    /// Nothing.
    Nothing,
}

fn order_result(four: &RebalanceScene<'_>, remark: &str) -> OrderResult {
    if let Some((_, command)) = remark.split_once(": swapadm ") {
        let arguments: Vec<&str> = command.split(' ').chain(["--yes", "--json"]).collect();
        four.json_of_command(&arguments, 0);
        return OrderResult::Told;
    }
    if remark.contains("was restored") { OrderResult::PutBack } else { OrderResult::Nothing }
}

/// Runs a command to its end; returns the remark about the order.
fn done(four: &RebalanceScene<'_>, arguments: &[&str]) -> (u64, OrderResult) {
    let arguments = [arguments, &["--yes", "--json"]].concat();
    let said = four.json_of_command(&arguments, 0);
    let number = said["outcome"]["journal"].as_u64().expect("a number");
    let remark = said["outcome"]["remark"].as_str().unwrap_or_default();
    (number, order_result(four, remark))
}

/// Waits until memory pressure from before is gone: during pressure the order is not restored
/// automatically.
fn calm() {
    let is_short = || {
        let memory = fs::read_to_string(PRESSURE).unwrap_or_default();
        let full = memory.lines().find_map(|line| line.strip_prefix("full avg10="));
        let share = full.and_then(|line| line.split(' ').next()?.parse::<f64>().ok());
        share.is_some_and(|share| share > 0.5)
    };
    let until = Instant::now() + Duration::from_mins(1);
    while is_short() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// Undo restores the order.
pub(crate) fn is_that_of_before(lab: &Lab) -> Result<(), String> {
    leads_back(lab, waits_of_our_own(lab)?)?;
    // With the PSI of the machine this takes a minute.
    if lab::kills().is_some() { leads_back(lab, None) } else { Ok(()) }
}

fn leads_back(lab: &Lab, mounts: Option<Mounts>) -> Result<(), String> {
    let Some(mut four) = numbered(lab, mounts)? else { return Ok(()) };
    let first = four.path(0).to_owned();
    let second = format!("{}=31999", four.path(1));
    let taken_back = |four: &RebalanceScene<'_>, plan: &[&str]| {
        let (number, dealt) = done(four, plan);
        assert_eq!((dealt, order(four).len()), (OrderResult::Nothing, 3), "{plan:?}");
        let (_, dealt) = done(four, &["undo", &number.to_string()]);
        assert_eq!(order(four), [0, 1, 2, 3], "{plan:?}: {dealt:?}");
        dealt
    };
    let plans = [&["priority", &second][..], &["off", &first]];
    for plan in plans {
        if four.mounts.is_none() {
            calm();
        }
        assert_eq!(taken_back(&four, plan), OrderResult::PutBack, "{plan:?}");
    }
    if four.mounts.is_some() {
        // Under memory pressure nothing is disabled automatically.
        wait(lab, 5.0);
        assert_eq!(taken_back(&four, plans[0]), OrderResult::Told);
    }
    // All pages are on the first area; without it, on the next.
    four.hog.fill(128);
    assert_eq!(taken_back(&four, &["off", &first]), OrderResult::Told);
    Ok(())
}

/// After a kill, `recover` restores the order.
pub(crate) fn is_recovered(lab: &Lab) -> Result<(), String> {
    let Some(mut four) = numbered(lab, waits_of_our_own(lab)?)? else { return Ok(()) };
    four.hog.fill(128);
    let sum = four.hog.sum();
    let [mut cut, mut put_back, mut told] = [0; 3];
    for round in 0..ROUNDS {
        let victim = if round % 3 == 2 { Victim::Program } else { Victim::Both };
        let is_priority = round % 2 == 1;
        let plan = if is_priority {
            let wishes = [0, 1].map(|place| format!("{}={}", four.path(place), 32_000 + place));
            [&["priority".to_owned()], &wishes[..]].concat()
        } else {
            ["off", four.path(0), four.path(1)].map(str::to_owned).to_vec()
        };
        let mut command = four.swapadm(&[]);
        command.args(&plan).args(["--yes", "--json"]);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        while change::helper(&child).is_none() && !has_ended(child.id()) {}
        std::thread::sleep(Duration::from_millis(2 * (round % 5)));
        kill_victim(&child, victim);
        let ended = child.wait().expect("it ends");
        assert!(ended.success() || ended.signal() == Some(9), "{ended:?}");
        let foretold = four.json_of_command(&["recover", "--dry-run", "--wait", "60", "--json"], 0);
        let said = four.json_of_command(&["recover", "--wait", "60", "--json"], 0);
        let is_ordered = said["outcome"]["remark"].is_string();
        assert!(!is_ordered || foretold["checks"][0]["id"] == "order", "{foretold:#}, {said:#}");
        cut += u64::from(!said["outcome"].is_null());
        match order_result(&four, said["outcome"]["remark"].as_str().unwrap_or_default()) {
            OrderResult::Told => told += 1,
            OrderResult::PutBack => put_back += 1,
            OrderResult::Nothing => {}
        }
        let order = order(&four);
        assert!(order.is_sorted(), "round {round}: {order:?}, {said:#}");
        assert!(
            is_priority || ended.success() || order.len() == 4,
            "round {round}: {order:?}, {said:#}"
        );
        let paths = [0, 1].map(|place| four.path(place).to_owned());
        let _ = four.swapadm(&["on", &paths[0], &paths[1], "--yes"]).output();
        number(&four, &[0, 1, 2, 3]);
    }
    println!("{ROUNDS} rounds: {cut} cut off, order put back {put_back} times, told {told} times");
    lab::require_iterations(put_back + told, 2);
    four.hog.rest_unchanged(&sum);
    Ok(())
}

/// Sets numbers for the first two areas, and stops that after a while; returns the remark, or none if it
/// was complete.
fn stop_at(four: &RebalanceScene<'_>, moment: Duration) -> Option<String> {
    let wishes = [0, 1].map(|place| format!("{}={}", four.path(place), 32_000 + place));
    let mut command = four.swapadm(&["priority", &wishes[0], &wishes[1], "--yes", "--json"]);
    let child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
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
        code => panic!("{code:?}: {}", program::describe_failure(&output)),
    }
}

/// Whether it is a zombie that waits for us.
fn has_ended(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z'))
}
