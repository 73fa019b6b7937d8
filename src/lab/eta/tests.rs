mod progress {
    use super::super::*;
    use crate::model::swaparea::testing::area;

    fn progress_at(share: Option<f64>, left: Option<f64>) -> RunProgress {
        let (phase, through, processes) = ("touching", 1, 4);
        let (elapsed, taken) = (10.0, 15.9);
        RunProgress { repetition: 1, of: 1, elapsed, taken, phase, share, left, through, processes }
    }

    #[test]
    fn progress_fits_on_one_line() {
        let areas = [area("a", 1, 100 << 20, 6 << 20), area("b", 1, 100 << 20, 2 << 20)];
        let words = |far: RunProgress| far.summary_line(&areas, Some(Bytes(48 << 20)));
        let known = words(progress_at(Some(0.4), Some(17.2)));
        assert_eq!(known, "touching 40%  15s, about 18s left  swap 8M  cgroup 48M");
        let unknown = words(RunProgress { repetition: 2, of: 3, ..progress_at(None, None) });
        assert_eq!(unknown, "2/3  touching 1/4  15s  swap 8M  cgroup 48M");
        assert_eq!(
            progress_at(Some(0.999), None).summary_line(&[], None),
            "touching 99%  15s  swap 0B"
        );
    }

    #[test]
    fn percent_is_rounded_down_without_floating_point_error() {
        for number in 0..=100_u32 {
            let share = Some(f64::from(number) / 100.0);
            assert_eq!(progress_at(share, None).share_done(), format!("{number}%"));
        }
        assert_eq!(progress_at(Some(0.999_999), None).share_done(), "99%");
    }
}

mod outlook {
    use super::super::*;

    fn after(order: &[usize], took: &[f64]) -> SequenceEta {
        let mut outlook = SequenceEta::for_cases(order.to_vec());
        for seconds in took {
            outlook.add(RunDuration { seconds: *seconds, is_done: true });
        }
        outlook
    }

    #[test]
    fn no_eta_before_a_run_has_ended_or_its_rest_is_known() {
        assert_eq!(after(&[0, 0, 0], &[]).seconds_left(5.0, None), None);
        assert_eq!(after(&[0], &[]).seconds_left(5.0, Some(3.0)), Some(3.0), "only one run");
    }

    #[test]
    fn later_runs_are_estimated_from_the_first() {
        assert_eq!(after(&[0, 0, 0], &[]).seconds_left(5.0, Some(3.0)), Some(3.0 + 8.0 + 8.0));
        assert_eq!(after(&[0, 0, 0], &[10.0]).seconds_left(4.0, Some(3.0)), Some(3.0 + 10.0));
        assert_eq!(after(&[0, 0, 0], &[10.0]).seconds_left(4.0, None), Some(6.0 + 10.0));
        assert_eq!(after(&[0, 0], &[10.0]).seconds_left(10.0, None), Some(0.0));
        assert_eq!(after(&[0, 0], &[10.0]).seconds_left(14.0, None), None, "overdue");
    }

    #[test]
    fn a_run_is_estimated_from_runs_of_the_same_case() {
        let quick_and_slow = [0, 1, 1, 0, 2];
        let outlook = after(&quick_and_slow, &[2.0, 20.0]);
        assert_eq!(
            outlook.seconds_left(5.0, None),
            Some(15.0 + 2.0 + 11.0),
            "the last case is unknown"
        );
        assert!((outlook.elapsed_total() - 22.0).abs() < 1e-9);
    }

    #[test]
    fn stopped_runs_are_left_out_of_the_estimate() {
        let mut outlook = after(&[0, 0, 1, 0], &[10.0]);
        outlook.add(RunDuration { seconds: 2.0, is_done: false });
        assert_eq!(outlook.seconds_left(4.0, None), Some(6.0 + 10.0));
        assert!((outlook.elapsed_total() - 12.0).abs() < 1e-9, "but its time counts as elapsed");
        let mut outlook = after(&[0, 0], &[]);
        outlook.add(RunDuration { seconds: 2.0, is_done: false });
        assert_eq!(outlook.seconds_left(1.0, None), None);
    }

    #[test]
    fn no_eta_before_half_of_the_cases_have_begun() {
        let order = [3, 0, 1, 2, 4, 3];
        assert_eq!(after(&order, &[]).seconds_left(1.0, Some(1.0)), None, "one of five");
        assert_eq!(after(&order, &[2.0]).seconds_left(1.0, Some(1.0)), None, "two of five");
        assert_eq!(after(&order, &[2.0, 2.0]).seconds_left(1.0, Some(1.0)), Some(7.0));
    }

    #[test]
    fn nothing_is_left_after_the_last_run() {
        assert_eq!(after(&[0], &[2.0]).seconds_left(0.0, None), None);
    }
}

mod times {
    use super::super::*;

    /// The second of three runs; the first took ten seconds.
    fn ahead() -> SequenceEta {
        let mut ahead = SequenceEta::for_cases(vec![0; 3]);
        ahead.add(RunDuration { seconds: 10.0, is_done: true });
        ahead
    }

    fn times(elapsed: f64, phase: Option<f64>, after: Option<f64>) -> RunTimes {
        RunTimes::until_limit(elapsed, (phase, after), (&ahead(), 20.0))
    }

    #[test]
    fn the_eta_covers_this_run_and_later_ones() {
        let expected = RunTimes { elapsed: 4.0, taken: 14.0, left: Some(3.0 + 2.0 + 10.0) };
        assert_eq!(times(4.0, Some(3.0), Some(2.0)), expected);
        let by_others = Some(6.0 + 10.0);
        assert_eq!(times(4.0, None, Some(2.0)).left, by_others);
        assert_eq!(times(4.0, Some(3.0), None).left, by_others);
    }

    #[test]
    fn the_eta_is_capped_by_the_time_limit() {
        assert_eq!(times(4.0, Some(90.0), Some(0.0)).left, Some(16.0 + 10.0));
        assert_eq!(times(20.5, Some(90.0), Some(0.0)).left, Some(0.0 + 10.0));
    }

    #[test]
    fn swapoff_time_is_unknown_in_advance() {
        let text = |after: &str| {
            format!("about = \"a\"\nafter = \"{after}\"\n[[work]]\nsize = \"1M\"\nseconds = 5\n")
        };
        let after = |word| {
            let load = crate::lab::load::file::read("a", &text(word)).unwrap();
            [Stage::Ready, Stage::Touched, Stage::Ended].map(|stage| seconds_after(&load, stage))
        };
        assert_eq!(after("nothing"), [Some(5.0), Some(0.0), Some(0.0)]);
        assert_eq!(after("swapoff"), [None, None, Some(0.0)]);
    }
}

mod phase {
    use super::super::*;

    fn at(seconds: f64) -> Stamp {
        let since = std::time::Duration::from_secs_f64(100.0 + seconds);
        Stamp { boot_ns: u64::try_from(since.as_nanos()).unwrap(), wall_ms: 0 }
    }

    /// A phase in which the slowest process reported these shares, each at its time.
    fn phase(told: &[(f64, f64)]) -> PhaseProgress {
        let mut phase = PhaseProgress::begin("touching");
        for (seconds, share) in told {
            phase.observe(0, (Some(0.9), Some(*share)), at(*seconds));
        }
        phase
    }

    fn left(told: &[(f64, f64)], now: f64) -> Option<f64> {
        phase(told).seconds_left(at(now)).map(|left| (left * 1000.0).round() / 1000.0)
    }

    #[test]
    fn the_eta_appears_once_enough_is_done() {
        let first = (0.0, 0.0);
        assert_eq!(left(&[first, (12.0, 0.4)], 12.0), Some(18.0));
        assert_eq!(left(&[first, (12.0, 0.4)], 12.5), Some(17.5), "time passes between reports");
        assert_eq!(left(&[first, (1.9, 0.4)], 1.9), None, "too soon");
        assert_eq!(left(&[first, (12.0, 0.04)], 12.0), None, "too little");
        assert_eq!(left(&[first, (12.0, 1.0)], 12.0), Some(0.0));
        assert_eq!(left(&[], 12.0), None);
    }

    #[test]
    fn work_done_before_the_first_report_is_left_out_of_the_rate() {
        // A tenth of all in four seconds; the half that was there at the start is left out.
        assert_eq!(left(&[(0.5, 0.5), (4.5, 0.6)], 4.5), Some(16.0));
        assert_eq!(left(&[(0.5, 0.5), (4.5, 0.54)], 4.5), None, "too little done since then");
        assert_eq!(left(&[(3.0, 0.5), (4.5, 0.6)], 4.5), None, "too soon after the first report");
    }

    #[test]
    fn the_slowest_process_decides_the_eta() {
        let mut phase = PhaseProgress::begin("touching");
        phase.observe(0, (Some(0.0), Some(0.0)), at(0.0));
        phase.observe(1, (Some(0.625), Some(0.25)), at(10.0));
        assert_eq!(phase.seconds_left(at(10.0)), Some(30.0));
        let far =
            phase.progress((2, 3), RunTimes { elapsed: 30.0, taken: 70.0, left: Some(90.0) }, 2);
        assert_eq!((far.share, far.left), (Some(0.625), Some(90.0)));
        assert_eq!((far.elapsed, far.taken), (30.0, 70.0));
        assert_eq!((far.through, far.processes, far.repetition, far.of), (1, 2, 2, 3));
    }

    #[test]
    fn a_stalled_phase_has_no_zero_eta() {
        let told = [(0.0, 0.0), (9.0, 0.9)];
        assert_eq!(left(&told, 9.5), Some(0.5));
        assert_eq!(left(&told, 10.2), None, "overdue");
        let told = [(0.0, 0.0), (6.0, 0.5)];
        let later: Vec<_> = [6.0, 7.0, 7.5, 8.5, 36.0].map(|now| left(&told, now)).into();
        assert_eq!(later, [Some(6.0), Some(5.0), Some(4.5), Some(5.5), Some(33.0)]);
    }

    #[test]
    fn an_unknown_share_has_no_eta() {
        let mut phase = phase(&[(0.0, 0.0), (9.0, 0.5)]);
        phase.observe(0, (None, None), at(9.5));
        assert_eq!((phase.share, phase.seconds_left(at(9.5))), (None, None));
    }
}

mod pace {
    use super::super::*;

    /// Counts the samples of a run of this length.
    fn looks(seconds: f64, between: impl Fn(f64) -> f64) -> usize {
        let next = |at: &f64| Some(at + between(*at));
        std::iter::successors(Some(0.0), next).take_while(|at| *at < seconds).count() - 1
    }

    #[test]
    fn short_runs_are_sampled_often() {
        assert!(looks(0.1, sample_gap) >= 4);
        assert!(looks(0.5, sample_gap) >= 23);
    }

    #[test]
    fn long_runs_are_sampled_at_the_normal_period() {
        for seconds in [10.0, 600.0, 86_400.0] {
            let even = looks(seconds, |_| SAMPLE_PERIOD);
            let more = looks(seconds, sample_gap) - even;
            assert!(more <= 53, "{more} more in {seconds} s");
            let even = looks(seconds, |_| TICK.as_secs_f64());
            let more = looks(seconds, |at| poll_time(at).as_secs_f64()) - even;
            assert!(more <= 21, "processes are waited for {more} more times in {seconds} s");
        }
        assert_eq!(
            looks(600.0, sample_gap) - looks(10.0, sample_gap),
            590 * 4,
            "then the period is constant"
        );
    }
}

mod clock {
    use super::super::*;

    fn at(seconds: u64) -> Stamp {
        Stamp { boot_ns: seconds * 1_000_000_000, wall_ms: 0 }
    }

    #[test]
    fn the_session_clock_counts_all_runs() {
        let (phase, share, through, processes) = ("touching", Some(0.4), 0, 1);
        let (repetition, of, elapsed, taken, left) = (1, 1, 4.0, 4.0, None);
        let progress =
            RunProgress { repetition, of, elapsed, taken, phase, share, left, through, processes };
        let times = |took: &[f64], now, left| {
            let mut ahead = SequenceEta::for_cases(vec![0; 9]);
            for seconds in took {
                ahead.add(RunDuration { seconds: *seconds, is_done: true });
            }
            let clock = SessionClock { number: took.len() + 1, begun: at(0), ahead };
            let now = clock.progress(&RunProgress { left, ..progress.clone() }, at(now));
            (now.taken, now.left)
        };
        assert_eq!(times(&[], 4, None), (4.0, None));
        assert_eq!(times(&[], 4, Some(6.0)), (4.0, Some(86.0)), "as long as the first");
        let tens = [10.0; 3];
        assert_eq!(times(&tens, 4, Some(6.0)), (34.0, Some(56.0)));
        assert_eq!(
            times(&tens, 6, Some(6.0)),
            (36.0, Some(56.0)),
            "including two seconds for the setup"
        );
        assert_eq!(
            times(&tens, 6, None),
            (36.0, Some(54.0)),
            "as long as earlier runs, including the setup"
        );
    }
}
