//! Loads that are always there. Each is a file that can be read, copied and changed.

use super::file::Source;

/// A load that is always there.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// What it is called.
    pub name: &'static str,
    /// Its file.
    pub text: &'static str,
}

impl Builtin {
    /// Its text, as that of a file that is called as it is.
    pub fn source(&self) -> Source {
        let name = self.name.to_owned();
        Source { file: name.clone(), name, text: self.text.to_owned() }
    }
}

macro_rules! builtin {
    ($name:literal) => {
        Builtin { name: $name, text: include_str!(concat!("builtin/", $name, ".toml")) }
    };
}

static BUILTIN: &[Builtin] = &[
    builtin!("usemem"),
    builtin!("random-write"),
    builtin!("readahead"),
    builtin!("mthp-churn"),
    builtin!("build-like"),
    builtin!("free-latency"),
    builtin!("swapoff-cost"),
    builtin!("zipf-cache"),
    builtin!("leak"),
    builtin!("fork-cow"),
];

/// All of them, in the order of the manual.
pub fn builtin() -> impl Iterator<Item = &'static Builtin> {
    BUILTIN.iter()
}

/// The one with this name.
pub fn find(name: &str) -> Option<&'static Builtin> {
    BUILTIN.iter().find(|it| it.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::load::file::{Change, read, read_changed};
    use crate::model::load::{After, Memory, Order, Workload};

    #[test]
    fn each_is_a_load() {
        for it in builtin() {
            let load = read(it.name, it.text).unwrap_or_else(|wrongs| panic!("{wrongs:?}"));
            assert!(load.about.len() > 40 && load.about.ends_with('.'), "{}", it.name);
            assert!(it.text.contains("\n# "), "{} teaches nothing", it.name);
        }
    }
    fn changed(name: &str, changes: &[&str]) -> Workload {
        let it = builtin().find(|it| it.name == name).unwrap();
        let changes: Vec<Change> = changes.iter().map(|text| Change::typed(text)).collect();
        let read = read_changed(name, it.text, &changes);
        read.unwrap_or_else(|problems| panic!("{problems:?}")).0
    }

    #[test]
    fn what_their_files_advise_can_be_said() {
        let usemem = changed("usemem", &["processes=31", "limit=4G", "size=2G"]);
        assert_eq!(usemem.works[0].processes, 31);
        assert!(usemem.start_together && usemem.free_together && !usemem.works[0].prefault);
        for change in ["pattern=random", "memory=shared"] {
            assert_eq!(changed("readahead", &[change]).works[0].passes, Some(5.0));
        }
        assert_eq!(changed("mthp-churn", &["mthp=64K=always,256K=always"]).mthp.len(), 2);
        changed("free-latency", &["free=exit"]);
        changed("random-write", &["cpus=0-3", "node=0"]);
    }

    #[test]
    fn each_is_what_it_says() {
        assert_eq!(changed("swapoff-cost", &[]).after, After::Swapoff);
        assert_eq!(changed("fork-cow", &[]).works[0].memory, Memory::Forked);
        assert_eq!(changed("zipf-cache", &[]).works[0].order, Order::Zipf { skew: 0.99 });
        assert_eq!(changed("mthp-churn", &[]).works[0].order, Order::Churn);
        let build = changed("build-like", &[]);
        assert!(!build.start_together && build.works[0].rounds > 1 && build.works[0].vary > 0.0);
    }
}
