//! The configuration of services that set up swap by rules of their own: assignments of shell variables.
//!
//! Files: `/etc/default/zramswap` (zram-tools), `/etc/dphys-swapfile`, `/etc/systemd/swap.conf` and its
//! folders `swap.conf.d`, over `/usr/share/systemd-swap/swap-default.conf` (systemd-swap). Readable by everyone.
//! The services run the files as shell scripts; here only assignments of plain values are understood, and
//! others are named as such.

use crate::model::surroundings::SwapService;
use crate::model::{Missing, Reading};
use crate::root::Root;
use std::collections::BTreeMap;

/// The variables that a configuration assigns; the last assignment counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServiceConfig {
    values: BTreeMap<String, Option<String>>,
}

impl ServiceConfig {
    /// The value of a variable, which can be empty. An error is a value that the shell computes.
    ///
    /// # Errors
    /// The name of the variable.
    pub fn value(&self, name: &'static str) -> Result<Option<&str>, &'static str> {
        match self.values.get(name) {
            None => Ok(None),
            Some(None) => Err(name),
            Some(Some(value)) => Ok(Some(value)),
        }
    }
}

/// Reads the configuration of a service: the defaults of its package, replaced by its own files. It is empty
/// if there are no such files.
pub fn read(root: &Root, service: &SwapService) -> Reading<ServiceConfig> {
    let mut drop_ins = BTreeMap::new();
    for folder in service.drop_ins {
        let names = root.names(folder).into_result().unwrap_or_default().into_iter();
        let names = names.filter_map(|name| String::from_utf8(name).ok());
        let names = names.filter(|name| name.as_bytes().ends_with(b".conf"));
        drop_ins.extend(names.map(|name| (name.clone(), format!("{folder}/{name}"))));
    }
    let files = service.defaults.into_iter().chain([service.config]).map(str::to_owned);
    let mut config = ServiceConfig::default();
    for file in files.chain(drop_ins.into_values()) {
        match root.any_text(&file).into_result() {
            Ok(text) => config.values.extend(text.lines().filter_map(assignment)),
            Err(Missing::Absent(_)) => {}
            Err(missing) => return missing.into(),
        }
    }
    Reading::Known(config)
}

/// Parses a line such as `SIZE=512`, `ALGO="zstd"  # comment`; no value if the shell computes it.
fn assignment(line: &str) -> Option<(String, Option<String>)> {
    let line = line.trim();
    let line = line.strip_prefix("export ").unwrap_or(line);
    let (name, rest) = line.split_once('=')?;
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    if name.is_empty() || !name.chars().all(is_letter) {
        return None;
    }
    let value = match rest.chars().next() {
        Some(quote @ ('"' | '\'')) => rest.get(1..)?.split(quote).next().unwrap_or_default(),
        _ => rest.split([' ', '\t', '#', ';']).next().unwrap_or_default(),
    };
    let is_plain = !value.contains(['$', '`', '\\']) || rest.starts_with('\'');
    Some((name.to_owned(), is_plain.then(|| value.to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::surroundings::SWAP_SERVICES;
    use crate::root::testing::{TestTree, mangled};

    fn config(files: &[(&str, &str)]) -> ServiceConfig {
        let service = SWAP_SERVICES.iter().find(|it| it.unit == "systemd-swap").unwrap();
        read(&TestTree::with(files).root(), service).into_result().unwrap()
    }

    #[test]
    fn assignments_are_read_as_the_shell_reads_them() {
        let text = "# zram_size=1\nzram_size=512 # MiB\n A = 5\nzram_alg=\"zstd\"\nexport zram_prio='7'\nempty=\n\
                    computed=$(( RAM / 4 ))\nquoted=\"$X\"\nonce=1\nonce=2\n";
        let config = config(&[("etc/systemd/swap.conf", text)]);
        assert_eq!(config.value("zram_size"), Ok(Some("512")));
        assert_eq!(config.value("zram_alg"), Ok(Some("zstd")));
        assert_eq!(config.value("zram_prio"), Ok(Some("7")));
        assert_eq!(config.value("empty"), Ok(Some("")));
        assert_eq!(config.value("other"), Ok(None));
        assert_eq!(config.value("computed"), Err("computed"));
        assert_eq!(config.value("quoted"), Err("quoted"));
        assert_eq!(config.value("once"), Ok(Some("2")));
    }

    #[test]
    fn later_files_of_the_folder_count_and_no_file_is_empty() {
        let config_of = config;
        let both = config_of(&[
            ("etc/systemd/swap.conf", "zram_enabled=0\nzram_alg=lz4\n"),
            ("etc/systemd/swap.conf.d/9.conf", "zram_enabled=1\n"),
            ("etc/systemd/swap.conf.d/noconf", "zram_enabled=7\n"),
            ("usr/lib/systemd/swap.conf.d/9.conf", "zram_enabled=8\nzram_prio=8\n"),
            ("run/systemd/swap.conf.d/5.conf", "zram_enabled=9\nzram_count=9\n"),
        ]);
        assert_eq!(both.value("zram_enabled"), Ok(Some("1")));
        assert_eq!(both.value("zram_alg"), Ok(Some("lz4")));
        assert_eq!(both.value("zram_prio"), Ok(None), "a file of this name in /etc counts instead");
        assert_eq!(both.value("zram_count"), Ok(Some("9")));
        assert_eq!(config_of(&[]), ServiceConfig::default());
        mangled(b"a=1\nb=\"2\"\nc='3'\n", 300, |bytes| {
            let text = String::from_utf8_lossy(bytes);
            drop(config(&[("etc/systemd/swap.conf", &text)]));
        });
    }
}
