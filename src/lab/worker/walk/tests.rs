use super::*;

const PAGE: u64 = 4096;

const ORDERS: [AccessPattern; 6] = [
    AccessPattern::Sequential,
    AccessPattern::Strided { stride: 5 * PAGE },
    AccessPattern::Random,
    AccessPattern::Zipf { skew: 1.0 },
    AccessPattern::Phases { hot: 0.1, hits: 0.9, length: 1.0 },
    AccessPattern::Churn,
];

fn steps(order: &AccessPattern, pages: u64, seed: u64) -> Vec<u64> {
    let mut walk = PageWalk::new(order, pages, PAGE, seed);
    (0..3000).map(|_| walk.next_page()).collect()
}

#[test]
fn a_seed_decides_the_sequence() {
    for order in ORDERS {
        assert_eq!(steps(&order, 1000, 1), steps(&order, 1000, 1), "{order:?}");
        let fixed = matches!(order, AccessPattern::Sequential | AccessPattern::Strided { .. });
        assert_eq!(steps(&order, 1000, 1) == steps(&order, 1000, 2), fixed, "{order:?}");
    }
}

#[test]
fn no_order_leaves_the_memory() {
    for order in ORDERS {
        for pages in [0, 1, 2, 3, 7, 64] {
            let inside = steps(&order, pages, 3).iter().all(|page| *page < pages.max(1));
            assert!(inside, "{order:?} of {pages} pages");
        }
    }
}

#[test]
fn sequential_wraps_around() {
    let pages = steps(&AccessPattern::Sequential, 1000, 0);
    assert!(pages.iter().copied().eq((0..3000).map(|step| step % 1000)));
}

#[test]
fn each_strided_pass_visits_each_page_once() {
    for pages in [1, 2, 10, 97, 1000] {
        for stride in [0, 1, 2, 3, 7, 10, 96, 97, 5000, u64::MAX / PAGE] {
            let mut walk =
                PageWalk::new(&AccessPattern::Strided { stride: stride * PAGE }, pages, PAGE, 0);
            for pass in 0..3 {
                let mut met: Vec<u64> = (0..pages).map(|_| walk.next_page()).collect();
                met.sort_unstable();
                assert!(met.iter().copied().eq(0..pages), "{stride} in {pages}, pass {pass}");
            }
        }
    }
    let pages = steps(&AccessPattern::Strided { stride: 4 * PAGE }, 10, 0);
    assert_eq!(pages[..12], [0, 4, 8, 1, 5, 9, 2, 6, 3, 7, 0, 4]);
    assert_eq!(steps(&AccessPattern::Strided { stride: 1 }, 10, 0)[..3], [0, 1, 2]);
}

fn counts(pages: &[u64], of: usize) -> Vec<u64> {
    let mut counts = vec![0; of];
    for page in pages {
        counts[usize::try_from(*page).unwrap()] += 1;
    }
    counts
}

#[test]
fn random_pages_are_uniform() {
    let met = counts(&steps(&AccessPattern::Random, 10, 8), 10);
    assert!(met.iter().all(|count| (240..360).contains(count)), "{met:?}");
}

#[test]
fn popular_pages_are_scattered() {
    let met = counts(&steps(&AccessPattern::Zipf { skew: 1.2 }, 1000, 5), 1000);
    let mut places: Vec<usize> = (0..1000).collect();
    places.sort_by_key(|place| std::cmp::Reverse(met[*place]));
    // At this skew the first page is touched more than twice as often as the second.
    assert!(met[places[0]] > 2 * met[places[1]] && met[places[9]] > 10);
    let hot = &places[..10];
    let beside = hot.iter().filter(|place| hot.contains(&(**place + 1))).count();
    assert!(beside <= 1, "{hot:?}");
    let low = hot.iter().filter(|place| **place < 500).count();
    assert!((1..10).contains(&low), "{hot:?} are all in one half");
}

/// The pages that are touched much more often than by chance.
fn hot_of(pages: &[u64]) -> Vec<usize> {
    let met = counts(pages, 10_000);
    (0..10_000).filter(|place| met[*place] >= 4).collect()
}

#[test]
fn hits_go_to_a_hot_set_that_moves_on() {
    let order = AccessPattern::Phases { hot: 0.1, hits: 0.9, length: 2.0 };
    let mut walk = PageWalk::new(&order, 10_000, PAGE, 11);
    let mut before = Vec::new();
    for _ in 0..4 {
        let pages: Vec<u64> = (0..20_000).map(|_| walk.next_page()).collect();
        let hot = hot_of(&pages);
        assert!((995..=1010).contains(&hot.len()), "{} pages are hot", hot.len());
        let is_hot = |page: &&u64| hot.binary_search(&usize::try_from(**page).unwrap()).is_ok();
        let hits = pages.iter().filter(is_hot).count();
        assert!((17_800..18_200).contains(&hits), "{hits} of 20000 go there");
        let again = hot.iter().filter(|place| before.contains(*place)).count();
        assert!(again < 12, "{again} were hot before");
        let beside = hot.windows(2).filter(|pair| pair[0] + 1 == pair[1]).count();
        assert!(beside < 200, "{beside} of 1000 stand together");
        before = hot;
    }
}

#[test]
fn hit_shares_of_0_and_1_are_exact() {
    for (hits, hot) in [(1.0, 100), (0.0, 900)] {
        let order = AccessPattern::Phases { hot: 0.1, hits, length: 1000.0 };
        let met = counts(&steps(&order, 1000, 2), 1000);
        assert!(met.iter().filter(|count| **count > 0).count() <= hot);
    }
    let all = AccessPattern::Phases { hot: 1.0, hits: 0.5, length: 0.0 };
    assert!(steps(&all, 10, 2).iter().all(|page| *page < 10));
}
