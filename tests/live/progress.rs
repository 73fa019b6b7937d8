//! Progress on a terminal during a change.

use crate::change::{priority, swapadm};
use crate::lab::Lab;
use crate::loads::RecoverOnDrop;
use crate::program::journalled;
use crate::scene::Scene;
use crate::tty;
use nix::pty::PtyMaster;
use std::io::Read as _;
use std::process::Command;

/// Clears the line of progress before the next one.
pub(crate) const CLEAR: &str = "\r\x1b[K";

/// Disabling the first of the pair shows how much of how much was moved, and how fast; the line is cleared
/// at the end.
pub(crate) fn is_told(scene: &mut Scene<'_>) -> Result<(), String> {
    let sum = scene.hog.sum();
    let area = &scene.pair[0].path;
    let shown = on_terminal(swapadm(scene, &["off", area.to_str().expect("text"), "--yes"]))?;
    assert_eq!(priority(area), None, "{shown}");
    let mut parts: Vec<&str> = shown.split(CLEAR).collect();
    let last = parts.pop().expect("a part");
    let start = format!("1/1 {}", area.display());
    let told = |part: &&&str| part.starts_with(&start) && !part.contains('\n');
    let lines: Vec<&&str> = parts.iter().filter(told).collect();
    let moved = lines.iter().any(|line| line.contains(" of ") && line.contains("/s  "));
    assert!(moved, "how much, and how fast: {shown:?}");
    assert!(lines.iter().any(|line| line.contains(" left")), "and for how long: {shown:?}");
    assert_eq!(lines.len(), parts.len() - 1, "nothing else is in between: {shown:?}");
    assert_eq!(parts.last(), lines.last().copied(), "the last of them is taken away: {shown:?}");
    assert!(last.contains("  off\r\n") && !last.contains(&start), "then what came of it: {last:?}");
    scene.hog.rest_unchanged(&sum);
    Ok(())
}

/// A load of one process shows its progress and the time left, although no process ends before.
pub(crate) fn load_is_told(lab: &Lab) -> Result<(), String> {
    let _tidy = RecoverOnDrop::new(lab);
    let lent = ["--zram", "2x64M", "--limit", "48M", "--no-keep", "--yes"];
    let with = ["--with", "processes=1", "--with", "size=72M", "--with", "seconds=5"];
    let words = [&["stress", "run", "random-write"], &lent[..], &with].concat();
    let shown = on_terminal(journalled(lab, &words))?;
    let lines: Vec<&str> = shown.split(CLEAR).filter(|part| !part.contains('\n')).collect();
    let percent = |line: &&str| line.strip_prefix("touching ")?.split_once('%')?.0.parse().ok();
    let mut shares: Vec<u32> = lines.iter().filter_map(percent).collect();
    assert!(shares.is_sorted(), "{shares:?}");
    shares.dedup();
    assert!(shares.len() >= 5 && shares.iter().all(|share| *share <= 100), "{shares:?}: {shown:?}");
    let told =
        |left: &str| lines.iter().any(|line| line.starts_with("touching ") && line.contains(left));
    assert!(told(", about 3s left") || told(", about 2s left"), "{shown:?}");
    Ok(())
}

/// All output of a successful command to its terminal.
fn on_terminal(mut command: Command) -> Result<String, String> {
    let (mut terminal, slave) = tty::pair().map_err(|error| format!("no terminal: {error}"))?;
    tty::set_size(&terminal, (120, 40)).map_err(|error| format!("no size: {error}"))?;
    let end = || slave.try_clone().expect("a descriptor");
    tty::lead_session(&mut command);
    command.env("TERM", "xterm").stdin(end()).stdout(end()).stderr(end());
    let mut child = command.spawn().expect("the program starts");
    // The other end must be closed, or reading never ends.
    drop((command, slave));
    let shown = all(&mut terminal);
    let ended = child.wait().expect("it ends");
    assert!(ended.success(), "{ended}: {shown}");
    Ok(shown)
}

/// Reads until the other end is closed, which is reported as an error.
fn all(terminal: &mut PtyMaster) -> String {
    let mut bytes = Vec::new();
    let _ = terminal.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}
