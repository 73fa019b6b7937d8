//! The size of the folios that shares are of.

use crate::cli::exit::Failure;
use crate::columns::units;
use crate::derive::selection::policy;
use crate::model::paging::Thp;
use crate::model::{Bytes, Reading, Snapshot, name};

/// The pages of a folio of this size, which this machine must have; a page is one, too.
pub(super) fn pages(snapshot: &Snapshot, typed: &str) -> Result<u64, Failure> {
    let page = snapshot.page_size.get().map_err(|missing| {
        Failure::Nothing(format!("--folio: {}", name::safe_text(&missing.to_string())))
    })?;
    let slots = policy::of(snapshot).known().and_then(|policy| policy.cluster_slots);
    let most = slots.map_or(u64::MAX, |slots| page.saturating_mul(u64::from(slots)));
    let sizes = sizes(&snapshot.thp.reading, most);
    let fits = |size: &Bytes| {
        let pages = size.0 / page.max(&1);
        let is_one = pages.is_power_of_two() && size.0 == pages * page && size.0 <= most;
        is_one && (pages == 1 || sizes.is_empty() || sizes.contains(size))
    };
    match units::parse_size(typed).filter(fits) {
        Some(size) => Ok(size.0 / page.max(&1)),
        None => Err(Failure::Usage(format!(
            "--folio \"{}\": {}",
            name::safe_text(typed),
            expected(&sizes, *page, slots.map(|_| most))
        ))),
    }
}

/// The sizes that this kernel has: kernels that do not tell them have huge ones only.
fn sizes(thp: &Reading<Thp>, most: u64) -> Vec<Bytes> {
    let Some(thp) = thp.known() else { return Vec::new() };
    let mut sizes: Vec<Bytes> = match thp.sizes.known() {
        Some(sizes) => sizes.iter().map(|size| size.size).collect(),
        None => thp.pmd_size.known().copied().into_iter().collect(),
    };
    sizes.retain(|size| size.0 <= most);
    sizes
}

/// What could have been typed.
fn expected(sizes: &[Bytes], page: u64, most: Option<u64>) -> String {
    let sizes: Vec<String> = sizes.iter().map(|size| units::exact(*size)).collect();
    match (sizes.as_slice(), most) {
        ([], Some(most)) => format!(
            "a folio has a power of two of pages of {}, up to the {} of a cluster",
            units::exact(Bytes(page)),
            units::exact(Bytes(most))
        ),
        ([], None) => {
            format!("a folio has a power of two of pages of {}", units::exact(Bytes(page)))
        }
        (sizes, _) => format!("this kernel has no such folios, only of {}", sizes.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derive::selection::testing::{machine, solid};
    use crate::model::Sampled;
    use crate::model::paging::MthpSize;

    const KIB: u64 = 1024;

    /// A kernel with these sizes, if it tells them.
    fn with(release: &str, sizes: Reading<&[u64]>) -> Snapshot {
        let mut snapshot = machine(release, &[(5, 9, 0, solid("a"))]);
        let size = |kib: &u64| MthpSize {
            size: Bytes(kib * KIB),
            enabled: Reading::not_sampled(),
            shmem_enabled: Reading::not_sampled(),
            stats: Reading::not_sampled(),
        };
        let thp = Thp {
            enabled: Reading::not_sampled(),
            defrag: Reading::not_sampled(),
            shmem_enabled: Reading::not_sampled(),
            pmd_size: Reading::Known(Bytes(2048 * KIB)),
            sizes: sizes.map(|sizes| sizes.iter().map(size).collect()),
        };
        snapshot.thp = Sampled::new(None, Reading::Known(thp));
        snapshot
    }

    fn told(snapshot: &Snapshot, typed: &str) -> Result<u64, String> {
        pages(snapshot, typed).map_err(|failure| {
            let Failure::Usage(why) = failure else { panic!("{failure:?}") };
            why
        })
    }

    #[test]
    fn a_size_of_this_kernel_becomes_pages() {
        let new = with("6.12.1", Reading::Known(&[16, 64, 2048]));
        for (typed, pages) in [("64K", 16), ("2M", 512), ("2048K", 512), ("65536", 16), ("4K", 1)] {
            assert_eq!(told(&new, typed), Ok(pages), "{typed}");
        }
        let old = with("6.1.1", Reading::absent("before 6.8"));
        assert_eq!(told(&old, "2M"), Ok(512));
    }

    #[test]
    fn another_size_is_refused_with_those_that_there_are() {
        let new = with("6.12.1", Reading::Known(&[16, 64, 2048]));
        for typed in ["32K", "3M", "4M", "0", "1", "-64K", "huge", "", "65537", "1e30"] {
            let why = told(&new, typed).unwrap_err();
            assert!(why.ends_with("only of 16K, 64K, 2M"), "{why}");
        }
        let old = with("6.1.1", Reading::absent("before 6.8"));
        assert!(told(&old, "64K").unwrap_err().ends_with("only of 2M"));
        let mut unread = machine("6.1.1", &[(5, 9, 0, solid("a"))]);
        assert_eq!(told(&unread, "64K"), Ok(16));
        let why = told(&unread, "96K").unwrap_err();
        assert!(why.ends_with("a power of two of pages of 4K"), "{why}");
        unread.page_size = Reading::failed("unread");
        assert!(matches!(pages(&unread, "64K"), Err(Failure::Nothing(_))));
    }
}
