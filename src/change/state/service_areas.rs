//! The swap that a service sets up at boot by its own configuration, as a wanted state has it.

use super::{StateArea, StateZram, SwapStateFile};
use crate::change::{ObservedMachine, Setting};
use crate::columns::units::parse_size;
use crate::model::activation::Priority;
use crate::model::surroundings::SwapService;
use crate::model::{Bytes, Name};
use crate::probes::candidate;
use crate::probes::surroundings::{self, ServiceConfig};

const MIB: u64 = 1 << 20;
/// Defaults of zram-tools.
const TOOLS_ALGORITHM: &str = "lz4";
const TOOLS_MIB: u64 = 256;
const TOOLS_PRIORITY: &str = "100";
/// Default of systemd-swap.
const SYSTEMD_PRIORITY: &str = "32767";
/// The most zram devices that systemd-swap is believed: the kernel has no more swap areas.
const MAX_DEVICES: u64 = 32;
/// Defaults of dphys-swapfile.
const DPHYS_FILE: &str = "/var/swap";
const DPHYS_MAX_MIB: &str = "2048";

impl SwapStateFile {
    /// Adds what enabled services set up, or the reason why that is not known.
    pub(super) fn add_services(&mut self, machine: &ObservedMachine<'_>) {
        for service in surroundings::swap_services(machine.root) {
            let config = surroundings::read_service_config(machine.root, &service).into_result();
            let config = config.map_err(|missing| missing.why());
            if let Err(why) = config.and_then(|config| self.add_service(machine, &service, &config))
            {
                self.not_saved
                    .push(format!("swap of {} ({}): {why}", service.package, service.config));
            }
        }
    }

    fn add_service(
        &mut self,
        machine: &ObservedMachine<'_>,
        service: &SwapService,
        config: &ServiceConfig,
    ) -> Result<(), String> {
        match service.unit {
            "zramswap" => self.add_zram_tools(machine, config),
            "dphys-swapfile" => self.add_dphys(machine, config),
            "systemd-swap" => self.add_systemd_swap(config),
            _ => Err("a script computes it".to_owned()),
        }
    }

    fn add_zram_tools(
        &mut self,
        machine: &ObservedMachine<'_>,
        config: &ServiceConfig,
    ) -> Result<(), String> {
        let size = match value(config, "PERCENT")? {
            // A percentage is preferred to a size.
            Some(percent) => {
                let memory = machine.snapshot.memory("MemTotal").into_result();
                let memory = memory.map_err(|missing| missing.why())?;
                Bytes(memory.0.saturating_mul(number("PERCENT", percent)?) / 100)
            }
            None => match value(config, "SIZE")? {
                Some(size) => mib("SIZE", size)?,
                None => Bytes(TOOLS_MIB * MIB),
            },
        };
        let algorithm = value(config, "ALGO")?.unwrap_or(TOOLS_ALGORITHM);
        let priority = value(config, "PRIORITY")?.unwrap_or(TOOLS_PRIORITY);
        self.add_device(size, Some(algorithm), Priority::parse(priority)?);
        Ok(())
    }

    fn add_dphys(
        &mut self,
        machine: &ObservedMachine<'_>,
        config: &ServiceConfig,
    ) -> Result<(), String> {
        let path = Name::from(value(config, "CONF_SWAPFILE")?.unwrap_or(DPHYS_FILE));
        let size = match value(config, "CONF_SWAPSIZE")? {
            Some(size) => mib("CONF_SWAPSIZE", size)?.min(dphys_limit(config)?),
            // The size depends on memory and free space when the service starts.
            None => candidate::read(machine.root, &path)
                .swap_file_spec()
                .map(|file| file.format.size())
                .ok_or("CONF_SWAPSIZE is not set, and its file does not exist yet")?,
        };
        // The service does not enable an empty file.
        if size > Bytes(0) {
            let priority = Some(Priority::Default);
            self.areas.push(StateArea { name: path, size: Some(size), priority, discard: None });
        }
        Ok(())
    }

    fn add_systemd_swap(&mut self, config: &ServiceConfig) -> Result<(), String> {
        for (variable, what) in [
            (
                "swapfc_enabled",
                "swap files of systemd-swap: it creates and removes them while it runs",
            ),
            (
                "swapd_auto_swapon",
                "devices of systemd-swap: it enables those that it finds at boot",
            ),
        ] {
            if is_yes(config, variable)? {
                self.not_saved.push(format!("{what} ({variable})"));
            }
        }
        if is_yes(config, "zswap_enabled")? {
            self.add_zswap(config)?;
        }
        if !is_yes(config, "zram_enabled")? {
            return Ok(());
        }
        let size =
            value(config, "zram_size")?.ok_or("zram_size is not set: a script computes it")?;
        let (count, size) = match value(config, "zram_count")? {
            Some(count) => {
                let count = device_count(count)?;
                (count, Bytes(number("zram_size", size)? / count))
            }
            // Older releases make one device, and zramctl reads its size.
            None => (1, parse_size(size).ok_or_else(|| not_valid("zram_size", size))?),
        };
        let priority = match config.value("zram_prio") {
            // Without a number, the unit of the device has no priority.
            Ok(Some("")) => Priority::Default,
            _ => Priority::parse(value(config, "zram_prio")?.unwrap_or(SYSTEMD_PRIORITY))?,
        };
        let algorithm = value(config, "zram_alg")?;
        for _ in 0..count {
            self.add_device(size, algorithm, priority);
        }
        Ok(())
    }

    /// Adds zswap with the settings that the configuration of systemd-swap names.
    fn add_zswap(&mut self, config: &ServiceConfig) -> Result<(), String> {
        let mut add = |knob: &str, value: &str| {
            let setting = Setting { knob: format!("zswap.{knob}"), group: None };
            self.settings.push((setting, value.to_owned()));
        };
        add("enabled", "Y");
        for (knob, variable) in
            [("compressor", "zswap_compressor"), ("max_pool_percent", "zswap_max_pool_percent")]
        {
            if let Some(wanted) = value(config, variable)? {
                add(knob, wanted);
            }
        }
        Ok(())
    }

    /// Adds a device with the first free number.
    fn add_device(&mut self, size: Bytes, algorithm: Option<&str>, priority: Priority) {
        let is_taken = |number: &u64| self.zram.iter().any(|device| device.number == *number);
        let number = (0..=self.zram.len() as u64).find(|number| !is_taken(number)).unwrap_or(0);
        self.zram.push(StateZram {
            number,
            size,
            algorithm: algorithm.map(str::to_owned),
            priority: Some(priority),
            ..StateZram::default()
        });
    }
}

/// The size to which dphys-swapfile limits its file; an empty value is no limit.
fn dphys_limit(config: &ServiceConfig) -> Result<Bytes, String> {
    const LIMIT: &str = "CONF_MAXSWAP";
    match config.value(LIMIT) {
        Ok(Some("")) => Ok(Bytes(u64::MAX)),
        _ => mib(LIMIT, value(config, LIMIT)?.unwrap_or(DPHYS_MAX_MIB)),
    }
}

/// Whether systemd-swap takes the value of a variable for yes: it looks for these words anywhere in the value.
fn is_yes(config: &ServiceConfig, name: &'static str) -> Result<bool, String> {
    let value = value(config, name)?.unwrap_or_default().to_lowercase();
    Ok(["y", "1", "true"].iter().any(|word| value.contains(word)))
}

/// The number of zram devices, between which systemd-swap divides their size.
fn device_count(text: &str) -> Result<u64, String> {
    let count = text.parse().ok().filter(|count| (1..=MAX_DEVICES).contains(count));
    count.ok_or_else(|| {
        format!("zram_count={text} is not a number of devices from 1 to {MAX_DEVICES}")
    })
}

/// The value of a variable, if it is set and not empty.
fn value<'c>(config: &'c ServiceConfig, name: &'static str) -> Result<Option<&'c str>, String> {
    let value = config.value(name).map_err(|name| format!("{name} is computed by the shell"))?;
    Ok(value.filter(|value| !value.is_empty()))
}

fn not_valid(name: &str, value: &str) -> String {
    format!("{name}={value} is not a number")
}

fn number(name: &str, value: &str) -> Result<u64, String> {
    value.parse().map_err(|_| not_valid(name, value))
}

/// A size in MiB.
fn mib(name: &str, value: &str) -> Result<Bytes, String> {
    Ok(Bytes(number(name, value)?.saturating_mul(MIB)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::testing::TestTree;

    /// Returns areas and notes of a service with this configuration, on a machine with 1 GiB.
    fn set_up(unit: &str, file: &str, config: &str) -> (Vec<String>, Vec<String>) {
        let wants = format!("etc/systemd/system/multi-user.target.wants/{unit}.service");
        let meminfo = "MemTotal: 1048576 kB\n";
        let tree =
            TestTree::with(&[(wants.as_str(), ""), (file, config), ("proc/meminfo", meminfo)]);
        let root = tree.root();
        let mut state = SwapStateFile::default();
        state.add_services(&ObservedMachine::observe(&root));
        let zram = state.zram.iter().map(|it| {
            let (algorithm, priority) =
                (it.algorithm.as_deref().unwrap_or("-"), it.priority.unwrap());
            format!("zram{} {} {algorithm} {priority}", it.number, it.size.exact())
        });
        let areas = state.areas.iter().map(|it| {
            format!("{} {} {}", it.name.safe(), it.size.unwrap().exact(), it.priority.unwrap())
        });
        let settings =
            state.settings.iter().map(|(setting, value)| format!("{}={value}", setting.knob));
        (zram.chain(areas).chain(settings).collect(), state.not_saved)
    }

    fn good(unit: &str, file: &str, config: &str) -> String {
        let (found, unread) = set_up(unit, file, config);
        assert_eq!(unread, Vec::<String>::new());
        found.join("; ")
    }

    fn bad(unit: &str, file: &str, config: &str) -> String {
        let (found, unread) = set_up(unit, file, config);
        assert_eq!(found, Vec::<String>::new());
        unread.join("; ")
    }

    #[test]
    fn zram_tools_have_a_size_or_a_percentage() {
        let of = |config| good("zramswap", "etc/default/zramswap", config);
        assert_eq!(of(""), "zram0 256M lz4 100");
        assert_eq!(of("ALGO=zstd\nSIZE=512\nPRIORITY=5\n"), "zram0 512M zstd 5");
        assert_eq!(of("PERCENT=50\nSIZE=9\n"), "zram0 512M lz4 100");
        let of = |config| bad("zramswap", "etc/default/zramswap", config);
        let place = "swap of zram-tools (/etc/default/zramswap): ";
        assert_eq!(of("SIZE=$X\n"), format!("{place}SIZE is computed by the shell"));
        assert_eq!(of("SIZE=half\n"), format!("{place}SIZE=half is not a number"));
    }

    #[test]
    fn a_file_of_dphys_needs_its_size() {
        let of = |config| good("dphys-swapfile", "etc/dphys-swapfile", config);
        assert_eq!(of("CONF_SWAPSIZE=100\n"), "/var/swap 100M default");
        assert_eq!(of("CONF_SWAPFILE=/s\nCONF_SWAPSIZE=100\n"), "/s 100M default");
        assert_eq!(of("CONF_SWAPSIZE=4096\n"), "/var/swap 2G default");
        assert_eq!(of("CONF_SWAPSIZE=4096\nCONF_MAXSWAP=1024\n"), "/var/swap 1G default");
        assert_eq!(of("CONF_SWAPSIZE=4096\nCONF_MAXSWAP=8192\n"), "/var/swap 4G default");
        assert_eq!(of("CONF_SWAPSIZE=4096\nCONF_MAXSWAP=\n"), "/var/swap 4G default");
        assert_eq!(of("CONF_SWAPSIZE=0\n"), "", "the service makes no swap of size 0");
        let why = bad("dphys-swapfile", "etc/dphys-swapfile", "");
        assert!(
            why.ends_with("CONF_SWAPSIZE is not set, and its file does not exist yet"),
            "{why}"
        );
    }

    #[test]
    fn systemd_swap_sets_up_what_is_enabled() {
        let file = "etc/systemd/swap.conf";
        assert_eq!(good("systemd-swap", file, "zram_enabled=0\n"), "");
        let zram = "zram_enabled=1\nzram_size=1G\nzram_alg=lz4\n";
        assert_eq!(good("systemd-swap", file, zram), "zram0 1G lz4 32767");
        let two =
            "zram_enabled=Yes\nzram_size=1073741824\nzram_count=2\nzram_alg=lz4\nzram_prio=9\n";
        assert_eq!(good("systemd-swap", file, two), "zram0 512M lz4 9; zram1 512M lz4 9");
        assert_eq!(
            good("systemd-swap", file, &two.replace("prio=9", "prio=")).matches("default").count(),
            2
        );
        for (count, why) in [
            ("${NCPU}", "zram_count is computed by the shell"),
            ("0", "zram_count=0 is not a number of devices from 1 to 32"),
            ("33", "zram_count=33 is not a number of devices from 1 to 32"),
        ] {
            let text = bad("systemd-swap", file, &two.replace("=2", &format!("={count}")));
            assert!(text.ends_with(why), "{text}");
        }
        let unit = bad("systemd-swap", file, &two.replace("1073741824", "1G"));
        assert!(unit.ends_with("zram_size=1G is not a number"), "{unit}");
        let files = bad("systemd-swap", file, "swapfc_enabled=1\n");
        assert!(files.contains("while it runs"), "{files}");
        let devices = bad("systemd-swap", file, "swapd_auto_swapon=yes\n");
        assert!(devices.contains("(swapd_auto_swapon)"), "{devices}");
        let zswap = "zswap_enabled=1\nzswap_compressor=lz4\nzswap_max_pool_percent=25\n";
        let settings = "zswap.enabled=Y; zswap.compressor=lz4; zswap.max_pool_percent=25";
        assert_eq!(good("systemd-swap", file, zswap), settings);
        let defaults = "usr/share/systemd-swap/swap-default.conf";
        assert_eq!(good("systemd-swap", defaults, zswap), settings);
        let size = bad("systemd-swap", file, "zram_enabled=1\nzram_size=$((RAM / 4))\n");
        assert!(size.ends_with("zram_size is computed by the shell"), "{size}");
    }

    #[test]
    fn a_script_without_configuration_is_named() {
        let why = bad("zram-config", "usr/bin/init-zram-swapping", "#!/bin/sh\n");
        assert!(why.starts_with("swap of zram-config (/usr/bin/init-zram-swapping): "), "{why}");
    }
}
