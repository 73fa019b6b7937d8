//! Loads that are always there. Each is a file that can be read, copied and changed.

/// A load that is always there.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// What it is called.
    pub name: &'static str,
    /// Its file.
    pub text: &'static str,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stress::file::read;

    #[test]
    fn each_is_a_load() {
        for it in builtin() {
            let load = read(it.name, it.text).unwrap_or_else(|wrongs| panic!("{wrongs:?}"));
            assert!(load.about.len() > 40 && load.about.ends_with('.'), "{}", it.name);
            assert!(it.text.contains("\n# "), "{} teaches nothing", it.name);
        }
    }
}
