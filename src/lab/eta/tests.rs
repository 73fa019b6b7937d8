mod progress {
    use super::super::*;
    use crate::model::swaparea::testing::area;

    fn far(share: Option<f64>, left: Option<f64>) -> RunProgress {
        let (phase, through, processes) = ("touching", 1, 4);
        let (elapsed, taken) = (10.0, 15.9);
        RunProgress { repetition: 1, of: 1, elapsed, taken, phase, share, left, through, processes }
    }

    #[test]
    fn how_far_it_is_stands_on_one_line() {
        let areas = [area("a", 1, 100 << 20, 6 << 20), area("b", 1, 100 << 20, 2 << 20)];
        let words = |far: RunProgress| far.words(&areas, Some(Bytes(48 << 20)));
        let known = words(far(Some(0.4), Some(17.2)));
        assert_eq!(known, "touching 40%  15s, about 18s left  swap 8M  cage 48M");
        let unknown = words(RunProgress { repetition: 2, of: 3, ..far(None, None) });
        assert_eq!(unknown, "2/3  touching 1/4  15s  swap 8M  cage 48M");
        assert_eq!(far(Some(0.999), None).words(&[], None), "touching 99%  15s  swap 0B");
    }

    #[test]
    fn so_many_of_100_are_so_many_percent() {
        for number in 0..=100_u32 {
            let share = Some(f64::from(number) / 100.0);
            assert_eq!(far(share, None).part(), format!("{number}%"));
        }
        assert_eq!(far(Some(0.999_999), None).part(), "99%");
    }
}

mod outlook {
    use super::super::*;

    fn after(order: &[usize], took: &[f64]) -> Outlook {
        let mut outlook = Outlook::of(order.to_vec());
        for seconds in took {
            outlook.add(Took { seconds: *seconds, is_done: true });
        }
        outlook
    }

    #[test]
    fn nothing_is_told_as_long_as_nothing_is_known() {
        assert_eq!(after(&[0, 0, 0], &[]).left(5.0, None), None);
        assert_eq!(after(&[0], &[]).left(5.0, Some(3.0)), Some(3.0), "that is all");
    }

    #[test]
    fn those_that_follow_take_as_long_as_the_first_one() {
        assert_eq!(after(&[0, 0, 0], &[]).left(5.0, Some(3.0)), Some(3.0 + 8.0 + 8.0));
        assert_eq!(after(&[0, 0, 0], &[10.0]).left(4.0, Some(3.0)), Some(3.0 + 10.0));
        assert_eq!(after(&[0, 0, 0], &[10.0]).left(4.0, None), Some(6.0 + 10.0));
        assert_eq!(after(&[0, 0], &[10.0]).left(10.0, None), Some(0.0));
        assert_eq!(after(&[0, 0], &[10.0]).left(14.0, None), None, "it should be over");
    }

    #[test]
    fn a_run_takes_as_long_as_others_of_its_case() {
        let quick_and_slow = [0, 1, 1, 0, 2];
        let outlook = after(&quick_and_slow, &[2.0, 20.0]);
        assert_eq!(
            outlook.left(5.0, None),
            Some(15.0 + 2.0 + 11.0),
            "of the last nothing is known"
        );
        assert!((outlook.taken() - 22.0).abs() < 1e-9);
    }

    #[test]
    fn what_was_stopped_says_nothing_of_others() {
        let mut outlook = after(&[0, 0, 1, 0], &[10.0]);
        outlook.add(Took { seconds: 2.0, is_done: false });
        assert_eq!(outlook.left(4.0, None), Some(6.0 + 10.0));
        assert!((outlook.taken() - 12.0).abs() < 1e-9, "but it took its time");
        let mut outlook = after(&[0, 0], &[]);
        outlook.add(Took { seconds: 2.0, is_done: false });
        assert_eq!(outlook.left(1.0, None), None);
    }

    #[test]
    fn the_first_cases_say_nothing_of_many_others() {
        let order = [3, 0, 1, 2, 4, 3];
        assert_eq!(after(&order, &[]).left(1.0, Some(1.0)), None, "one of five");
        assert_eq!(after(&order, &[2.0]).left(1.0, Some(1.0)), None, "two of five");
        assert_eq!(after(&order, &[2.0, 2.0]).left(1.0, Some(1.0)), Some(7.0));
    }

    #[test]
    fn all_are_over_at_last() {
        assert_eq!(after(&[0], &[2.0]).left(0.0, None), None);
    }
}

mod times {
    use super::super::*;

    /// The second of three runs, of which the first took ten seconds.
    fn ahead() -> Outlook {
        let mut ahead = Outlook::of(vec![0; 3]);
        ahead.add(Took { seconds: 10.0, is_done: true });
        ahead
    }

    fn times(elapsed: f64, phase: Option<f64>, after: Option<f64>) -> Times {
        Times::of(elapsed, Rest { phase, after }, (&ahead(), 20.0))
    }

    #[test]
    fn what_is_left_is_that_of_this_run_and_of_those_that_follow() {
        let expected = Times { elapsed: 4.0, taken: 14.0, left: Some(3.0 + 2.0 + 10.0) };
        assert_eq!(times(4.0, Some(3.0), Some(2.0)), expected);
        let by_others = Some(6.0 + 10.0);
        assert_eq!(times(4.0, None, Some(2.0)).left, by_others);
        assert_eq!(times(4.0, Some(3.0), None).left, by_others);
    }

    #[test]
    fn what_takes_longer_than_it_may_is_ended_by_then() {
        assert_eq!(times(4.0, Some(90.0), Some(0.0)).left, Some(16.0 + 10.0));
        assert_eq!(times(20.5, Some(90.0), Some(0.0)).left, Some(0.0 + 10.0));
    }

    #[test]
    fn how_long_switching_off_takes_is_not_known_before() {
        let text = |after: &str| {
            format!("about = \"a\"\nafter = \"{after}\"\n[[work]]\nsize = \"1M\"\nseconds = 5\n")
        };
        let after = |word| {
            let load = crate::lab::load::file::read("a", &text(word)).unwrap();
            [Stage::Ready, Stage::Touched, Stage::Ended].map(|stage| after(&load, stage))
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

    /// One in which whoever is farthest behind told this, each at its time.
    fn phase(told: &[(f64, f64)]) -> Phase {
        let mut phase = Phase::begin("touching", at(0.0));
        for (seconds, share) in told {
            phase.see(0, (Some(0.9), Some(*share)), at(*seconds));
        }
        phase
    }

    fn left(told: &[(f64, f64)], now: f64) -> Option<f64> {
        phase(told).left(at(now)).map(|left| (left * 1000.0).round() / 1000.0)
    }

    #[test]
    fn what_is_left_is_told_once_there_is_something_to_tell_it_by() {
        let first = (0.0, 0.0);
        assert_eq!(left(&[first, (12.0, 0.4)], 12.0), Some(18.0));
        assert_eq!(left(&[first, (12.0, 0.4)], 12.5), Some(17.5), "time passes between tellings");
        assert_eq!(left(&[first, (1.9, 0.4)], 1.9), None, "too soon");
        assert_eq!(left(&[first, (12.0, 0.04)], 12.0), None, "too little");
        assert_eq!(left(&[first, (12.0, 1.0)], 12.0), Some(0.0));
        assert_eq!(left(&[], 12.0), None);
    }

    #[test]
    fn what_was_done_before_it_began_took_no_time_of_it() {
        // A tenth of all in four seconds: that half of it was there at the begin says nothing.
        assert_eq!(left(&[(0.5, 0.5), (4.5, 0.6)], 4.5), Some(16.0));
        assert_eq!(left(&[(0.5, 0.5), (4.5, 0.54)], 4.5), None, "too little since then");
        assert_eq!(left(&[(3.0, 0.5), (4.5, 0.6)], 4.5), None, "too soon after that");
    }

    #[test]
    fn it_takes_as_long_as_whoever_is_farthest_behind() {
        let mut phase = Phase::begin("touching", at(0.0));
        phase.see(0, (Some(0.0), Some(0.0)), at(0.0));
        phase.see(1, (Some(0.625), Some(0.25)), at(10.0));
        assert_eq!(phase.left(at(10.0)), Some(30.0));
        let far = phase.progress((2, 3), Times { elapsed: 30.0, taken: 70.0, left: Some(90.0) }, 2);
        assert_eq!((far.share, far.left), (Some(0.625), Some(90.0)));
        assert_eq!((far.elapsed, far.taken), (30.0, 70.0));
        assert_eq!((far.through, far.processes, far.repetition, far.of), (1, 2, 2, 3));
    }

    #[test]
    fn what_stands_still_takes_longer_and_is_never_about_to_end() {
        let told = [(0.0, 0.0), (9.0, 0.9)];
        assert_eq!(left(&told, 9.5), Some(0.5));
        assert_eq!(left(&told, 10.2), None, "it should be over");
        let told = [(0.0, 0.0), (6.0, 0.5)];
        let later: Vec<_> = [6.0, 7.0, 7.5, 8.5, 36.0].map(|now| left(&told, now)).into();
        assert_eq!(later, [Some(6.0), Some(5.0), Some(4.5), Some(5.5), Some(33.0)]);
    }

    #[test]
    fn what_becomes_unknown_has_no_end() {
        let mut phase = phase(&[(0.0, 0.0), (9.0, 0.5)]);
        phase.see(0, (None, None), at(9.5));
        assert_eq!((phase.share, phase.left(at(9.5))), (None, None));
    }
}

mod pace {
    use super::super::*;

    /// When a run of so many seconds is looked at, with so much between two looks.
    fn looks(seconds: f64, between: impl Fn(f64) -> f64) -> usize {
        let next = |at: &f64| Some(at + between(*at));
        std::iter::successors(Some(0.0), next).take_while(|at| *at < seconds).count() - 1
    }

    #[test]
    fn a_run_of_less_than_a_second_is_seen_often() {
        assert!(looks(0.1, between) >= 4);
        assert!(looks(0.5, between) >= 23);
    }

    #[test]
    fn a_long_run_is_not_looked_at_more_often_than_before() {
        for seconds in [10.0, 600.0, 86_400.0] {
            let even = looks(seconds, |_| PACE);
            let more = looks(seconds, between) - even;
            assert!(more <= 53, "{more} more in {seconds} s");
            let even = looks(seconds, |_| TICK.as_secs_f64());
            let more = looks(seconds, |at| tick(at).as_secs_f64()) - even;
            assert!(more <= 21, "processes are waited for {more} more times in {seconds} s");
        }
        assert_eq!(looks(600.0, between) - looks(10.0, between), 590 * 4, "then it is even");
    }
}

mod clock {
    use super::super::*;

    fn at(seconds: u64) -> Stamp {
        Stamp { boot_ns: seconds * 1_000_000_000, wall_ms: 0 }
    }

    #[test]
    fn the_times_are_those_of_all_runs() {
        let (phase, share, through, processes) = ("touching", Some(0.4), 0, 1);
        let (repetition, of, elapsed, taken, left) = (1, 1, 4.0, 4.0, None);
        let progress =
            RunProgress { repetition, of, elapsed, taken, phase, share, left, through, processes };
        let times = |took: &[f64], now, left| {
            let mut ahead = Outlook::of(vec![0; 9]);
            for seconds in took {
                ahead.add(Took { seconds: *seconds, is_done: true });
            }
            let clock = SessionClock { number: took.len() + 1, begun: at(0), ahead };
            let now = clock.progress(&RunProgress { left, ..progress.clone() }, at(now));
            (now.taken, now.left)
        };
        assert_eq!(times(&[], 4, None), (4.0, None));
        assert_eq!(times(&[], 4, Some(6.0)), (4.0, Some(86.0)), "as long as the first");
        let tens = [10.0; 3];
        assert_eq!(times(&tens, 4, Some(6.0)), (34.0, Some(56.0)));
        assert_eq!(times(&tens, 6, Some(6.0)), (36.0, Some(56.0)), "two seconds for the setup");
        assert_eq!(times(&tens, 6, None), (36.0, Some(54.0)), "as those before it, with that");
    }
}
