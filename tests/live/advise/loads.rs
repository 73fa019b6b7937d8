//! Advice while a load of the lab runs, and while the same load runs with one thing changed.

use super::{TOP, look, on_loop};
use crate::areas;
use crate::lab::{self, Lab, retry, when_time_allows};
use crate::loads::{RecoverOnDrop, sum_of};
use crate::program::journalled;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use swapadm::advice::Finding;
use swapadm::model::Policy;

/// A running load; it removes its temporary swap when it is told to end.
struct Running(Child);

impl Running {
    fn new(lab: &Lab, words: &[&str]) -> Self {
        let all = [&["stress", "run"], words, &["--no-keep", "--yes", "--limit", "48M"]].concat();
        let mut command = journalled(lab, &all);
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        Self(child.expect("the program starts"))
    }

    /// Waits until it swaps.
    fn fill(&mut self) {
        let out = || sum_of("/proc/vmstat", "pswpout") * areas::page_size();
        let before = out();
        let filled = retry(|| match self.0.try_wait() {
            Ok(None) if out() - before < FILLED => Err(()),
            ended => Ok(ended),
        });
        assert!(matches!(filled, Ok(Ok(None))), "the load does not fill its memory: {filled:?}");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let pid = i32::try_from(self.0.id()).expect("a number");
        let _ = kill(Pid::from_raw(pid), Signal::SIGTERM);
        let _ = self.0.wait();
    }
}

/// Swapped out when the load has filled its memory and is working.
const FILLED: u64 = 32 << 20;
/// Pairs of samples in which a finding must appear.
const LOOKS: usize = 30;

/// Expects the finding while this load runs.
fn is_found(lab: &Lab, words: &[&str], is_it: impl Fn(&Finding) -> bool) -> bool {
    sees(lab, words, LOOKS, is_it)
}

/// Expects no such finding while this load runs.
fn is_never_found(lab: &Lab, words: &[&str], is_it: impl Fn(&Finding) -> bool) -> bool {
    !sees(lab, words, 3, is_it)
}

/// Whether one of several samples has the finding while this load runs.
fn sees(lab: &Lab, words: &[&str], looks: usize, is_it: impl Fn(&Finding) -> bool) -> bool {
    let mut running = Running::new(lab, words);
    running.fill();
    (0..looks).any(|_| look(&Policy::DEFAULT).findings.iter().any(&is_it))
}

/// Single pages come and go among folios of 64K: soon the free slots are fragmented.
const APART: &str = r#"
about = "Folios of 64K beside single pages."

[mthp]
64K = "madvise"

[[work]]
processes = 2
size = "40%"
pattern = "random"
touch = "word"
writes = "100%"
advice = "small"
seconds = 60

[[work]]
processes = 2
size = "40%"
pattern = "churn"
advice = "large"
seconds = 60
"#;
const COUNTED: &str = "/sys/kernel/mm/transparent_hugepage/hugepages-64kB/stats";

#[test]
fn large_folios_that_find_no_room_are_found() {
    when_time_allows("large_folios_that_find_no_room_are_found", |lab| {
        if !Path::new(COUNTED).join("swpout_fallback").exists() {
            lab::remark("folio splits: this kernel does not count them");
            return Ok(());
        }
        let _tidy = RecoverOnDrop::new(lab);
        let file = lab.scratch.file("apart.toml");
        fs::write(&file, APART).expect("a file in our folder");
        let load = file.to_str().expect("text");
        let splits = |it: &Finding| it.rule == "folios-split";
        assert!(is_never_found(lab, &[load, "--zram", "1x256M"], splits), "there is room");
        let before = split_and_whole();
        if !is_found(lab, &[load, "--zram", "1x40M"], splits) {
            let after = split_and_whole();
            expect_few_splits(after.0 - before.0, after.1 - before.1);
        }
        Ok(())
    });
}

/// Folios of 64K that were split on their way to swap since boot, and that were swapped out whole.
fn split_and_whole() -> (u64, u64) {
    let count = |name| {
        let text = fs::read_to_string(format!("{COUNTED}/{name}")).expect("a counter");
        text.trim().parse::<u64>().expect("a number")
    };
    (count("swpout_fallback"), count("swpout"))
}

/// The kernel allocates few large folios where memory of the host is fragmented, and there is nothing to find
/// then. Fails if it split so many that one of the samples must have shown them.
fn expect_few_splits(split: u64, whole: u64) {
    let policy = Policy::DEFAULT;
    let unnoticed =
        policy.folios_least * LOOKS as f64 + policy.fallback_warn * (split + whole) as f64;
    assert!(
        split as f64 <= unnoticed,
        "not found: {split} folios of 64K were split, {whole} were not"
    );
    lab::remark(&format!("folio splits: only {split} folios of 64K were split, {whole} were not"));
}

#[test]
fn reading_ahead_from_zram_is_found() {
    when_time_allows("reading_ahead_from_zram_is_found", |lab| {
        areas::are_ours_only()?;
        let _tidy = RecoverOnDrop::new(lab);
        // Up to 6.18 pages of a single process skip readahead: these belong to two.
        let shared = ["passes=9999", "size=150%", "writes=1%", "processes=1", "pattern=sequential"];
        let mut words = vec!["fork-cow", "--zram", "1x256M"];
        words.extend(shared.iter().flat_map(|with| ["--with", with]));
        let reads_ahead = |it: &Finding| it.rule == "readahead-zram";
        let with = |cluster| [&words[..], &["--set", cluster]].concat();
        assert!(is_never_found(lab, &with("page-cluster=0"), reads_ahead));
        if is_spared() {
            assert!(is_never_found(lab, &with("page-cluster=3"), reads_ahead));
        } else {
            assert!(is_found(lab, &with("page-cluster=3"), reads_ahead));
        }
        Ok(())
    });
}

#[test]
fn reading_ahead_unused_pages_is_found() {
    when_time_allows("reading_ahead_unused_pages_is_found", |lab| {
        areas::are_ours_only()?;
        // On rotating devices the kernel reads adjacent slots, whoever owns them.
        let _area = on_loop(lab, "rotating", TOP, true)?;
        let wasted = |it: &Finding| it.rule == "readahead-wasted";
        let with = |cluster| ["mthp-churn", "--with", "advice=small", "--set", cluster];
        assert!(is_never_found(lab, &with("page-cluster=0"), wasted));
        assert!(is_found(lab, &with("page-cluster=6"), wasted));
        Ok(())
    });
}

/// From 7.x on there is no readahead from zram.
fn is_spared() -> bool {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").expect("the file is readable");
    let first = release.split('.').next().and_then(|first| first.parse::<u32>().ok());
    first.is_some_and(|first| first >= 7)
}
