//! What of a load is not as it is usual, in a clause each: whoever looks at a plan knows the rest.

use crate::columns::units::size;
use crate::model::load::{After, Work, Workload};

/// Who does not wait for whom.
pub(in crate::cli::commands::change) fn together(load: &Workload) -> Option<&'static str> {
    match (load.start_together, load.free_together) {
        (true, true) => None,
        (true, false) => Some("each gives its memory back without waiting for the others"),
        (false, true) => Some("each starts without waiting for the others"),
        (false, false) => Some("none waits for the others, to start or to give memory back"),
    }
}

/// What its processes do otherwise.
pub(in crate::cli::commands::change) fn of_work(work: &Work) -> Vec<String> {
    let percent = |share: f64| (share * 1000.0).round() / 10.0;
    let all = [
        (work.vary > 0.0)
            .then(|| format!("sizes differ by up to {}%, by chance", percent(work.vary))),
        (!work.prefault).then(|| "memory is not filled before the start".to_owned()),
        work.pace.map(|pace| format!("no more than {} a second each", size(pace))),
        work.cpus.as_deref().map(|cpus| format!("bound to processors {}", ranges(cpus))),
        work.node.map(|node| format!("memory from node {node}")),
    ];
    all.into_iter().flatten().collect()
}

/// All of a load, each work by its number where there are several.
pub(in crate::cli::commands::change) fn of_load(load: &Workload) -> Vec<String> {
    let several = load.works.len() > 1;
    let works = load.works.iter().zip(1..).filter_map(|(work, number)| {
        let words = of_work(work);
        let of = if several { format!("work {number}: ") } else { String::new() };
        (!words.is_empty()).then(|| of + &words.join("; "))
    });
    works.chain(together(load).map(str::to_owned)).chain(after(load).map(str::to_owned)).collect()
}

/// What is done to the areas that it was lent.
pub(in crate::cli::commands::change) fn after(load: &Workload) -> Option<&'static str> {
    match load.after {
        After::Nothing => None,
        After::Swapoff => Some(
            "its areas are switched off while processes hold their memory: all of it comes back into that",
        ),
    }
}

/// Processors as they would be typed. Their order stays: processes take them in turn.
fn ranges(cpus: &[u32]) -> String {
    let runs = cpus.chunk_by(|one, next| one.checked_add(1) == Some(*next));
    let word = |run: &[u32]| match run {
        [first, .., last] => format!("{first}-{last}"),
        run => run.iter().map(u32::to_string).collect(),
    };
    runs.map(word).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::load::file::read;

    fn words(text: &str) -> Vec<String> {
        of_load(&read("x", text).unwrap())
    }

    #[test]
    fn what_is_usual_is_not_told() {
        assert_eq!(words("[[work]]\nsize = '1M'\n"), [] as [&str; 0]);
    }

    #[test]
    fn each_that_is_not_usual_is_told() {
        let work = "vary = '12.5%'\nprefault = false\npace = '2M'\ncpus = '3,0-1,5'\nnode = 1\n";
        let told = words(&format!("[[work]]\nsize = '1M'\n{work}"));
        let all = "sizes differ by up to 12.5%, by chance; memory is not filled before the start; no more than 2M a second each; bound to processors 3,0-1,5; memory from node 1";
        assert_eq!(told, [all]);
        let two = "[[work]]\nsize = '1M'\n[[work]]\nsize = '1M'\nnode = 0\n";
        assert_eq!(words(two), ["work 2: memory from node 0"]);
    }

    #[test]
    fn that_areas_are_switched_off_is_told() {
        let told = words("after = 'swapoff'\n[[work]]\nsize = '1M'\n");
        assert!(told[0].starts_with("its areas are switched off"), "{told:?}");
    }

    #[test]
    fn who_does_not_wait_is_told() {
        let told = |word: &str| words(&format!("together = '{word}'\n[[work]]\nsize = '1M'\n"));
        let of = |word: &str| told(word).first().cloned().unwrap_or_default();
        assert_eq!(of("start,free"), "");
        assert!(of("start").contains("gives its memory back without"), "{}", of("start"));
        assert!(of("free").contains("starts without"), "{}", of("free"));
        assert!(of("none").contains("to start or to give memory back"), "{}", of("none"));
    }
}
