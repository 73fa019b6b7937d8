#![allow(clippy::disallowed_methods, reason = "tests sleep in place of a slow file")]

use super::*;

const SHORT: Duration = Duration::from_millis(250);

#[allow(clippy::trivially_copy_pass_by_ref, reason = "items are passed so")]
fn sleep_ms(ms: &u64) -> u64 {
    std::thread::sleep(Duration::from_millis(*ms));
    *ms
}

#[test]
fn a_slow_item_is_late_and_the_others_answer() {
    let pool = Pool::new();
    let start = std::time::Instant::now();
    let answers = pool.each(&Arc::from([0, 9000, 1, 2]), SHORT, sleep_ms);
    assert_eq!(answers, [Ok(0), Err(NoAnswer::Late), Ok(1), Ok(2)]);
    assert!(start.elapsed() < Duration::from_secs(5));
    assert_eq!(pool.stuck.load(Ordering::Relaxed), 1);
}

#[test]
fn stuck_threads_are_bounded_and_then_reads_fail_at_once() {
    let pool = Pool::new();
    let answers = pool.each(&Arc::from([9000_u64; 100]), SHORT, sleep_ms);
    let late = answers.iter().filter(|a| **a == Err(NoAnswer::Late)).count();
    assert_eq!(late, MOST_STUCK);
    let start = std::time::Instant::now();
    let answers = pool.each(&Arc::from([0]), SHORT, sleep_ms);
    assert_eq!(answers, [Err(NoAnswer::NoThread)]);
    assert!(start.elapsed() < SHORT);
}

#[test]
fn a_thread_that_recovers_no_longer_counts_as_stuck() {
    let pool = Pool::new();
    let _ = pool.each(&Arc::from([1000]), SHORT, sleep_ms);
    assert_eq!(pool.stuck.load(Ordering::Relaxed), 1);
    for _ in 0..200 {
        if pool.stuck.load(Ordering::Relaxed) == 0 {
            return;
        }
        std::thread::sleep(SHORT);
    }
    panic!("the thread did not count itself out");
}

#[test]
fn steps_run_until_the_end_a_timeout_or_a_stop() {
    let pool = Pool::new();
    let steps = |times: &'static [u64]| {
        let mut times = times.iter();
        move || times.next().map(sleep_ms)
    };
    let mut got = Vec::new();
    let mut keep = |ms| {
        got.push(ms);
        ms != 3
    };
    assert_eq!(pool.steps(SHORT, steps(&[1, 2]), &mut keep), Ok(()));
    assert_eq!(pool.steps(SHORT, steps(&[2, 3, 4]), &mut keep), Ok(()));
    assert_eq!(pool.steps(SHORT, steps(&[1, 9000, 5]), &mut keep), Err(NoAnswer::Late));
    assert_eq!(got, [1, 2, 2, 3, 1]);
    assert_eq!(pool.stuck.load(Ordering::Relaxed), 1);
}

#[test]
fn a_thread_that_is_left_in_the_middle_of_its_task_is_not_idle() {
    let pool = Pool::new();
    let (done, held) = mpsc::channel::<()>();
    let mut first = true;
    let next = move || {
        if !std::mem::take(&mut first) {
            let _ = held.recv();
        }
        Some(1)
    };
    assert_eq!(pool.steps(SHORT, next, |_| false), Ok(()));
    let items: Arc<[u64]> = Arc::from([1]);
    assert_eq!(pool.each(&items, SHORT, sleep_ms), [Ok(1)], "another thread works");
    drop(done);
}

#[test]
fn callers_share_two_threads() {
    let pool = Pool::new();
    let items: Arc<[u64]> = Arc::from([1; 8]);
    std::thread::scope(|scope| {
        let calls: Vec<_> =
            (0..2).map(|_| scope.spawn(|| pool.each(&items, SHORT * 10, sleep_ms))).collect();
        for call in calls {
            assert!(call.join().unwrap().iter().all(|a| *a == Ok(1)));
        }
    });
    assert!(pool.lock().resting.len() <= WORKERS);
}

#[test]
fn the_reason_names_the_file_and_the_limit() {
    let reason = NoAnswer::Late.reason("proc/7/cmdline", LIMIT);
    let text = "/proc/7/cmdline did not answer within 20 ms";
    assert_eq!(reason, Missing::failed(text));
}

#[test]
fn files_are_read_in_order_and_cut_at_the_length() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a"), b"abcdef").unwrap();
    let live = |name: &str| dir.path().join(name).display().to_string();
    let captured = |name: &str| name.to_owned();
    let limit = Duration::from_mins(1);
    let of = |root: &Root, paths: Vec<String>| read_heads(root, &paths, 3, limit);
    let all = [
        of(&Root::live(), ["a", "b"].map(live).to_vec()),
        of(&Root::at(dir.path()).unwrap(), ["a", "b"].map(captured).to_vec()),
    ];
    for read in all {
        assert_eq!(read[0], Reading::Known(b"abc".to_vec()));
        assert_eq!(read[1].missing().unwrap().kind(), "absent");
    }
}

#[test]
fn a_head_that_does_not_come_is_late_and_is_not_read_twice() {
    let tree = tempfile::tempdir().unwrap();
    let path = tree.path().join("late");
    let limit = Duration::from_millis(50);
    let held = HeadRead::begin(&path, limit).unwrap();
    let why = |path: &Path| read_head(&Root::live(), path, 8, limit).missing().unwrap().why();
    assert_eq!(why(&path), format!("{} did not answer within 50 ms", path.display()));
    drop(held);
    assert!(why(&path).contains("does not exist"), "{}", why(&path));
    std::fs::write(&path, "a head").unwrap();
    let read = || read_head(&Root::live(), &path, 6, Duration::from_secs(5));
    for _ in 0..100 {
        assert_eq!(read(), Reading::Known(b"a head".to_vec()));
    }
}
