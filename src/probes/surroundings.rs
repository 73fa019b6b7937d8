//! Kind of machine: virtual or not, a board, a laptop; whether zram is available; and places for a swap
//! file. Read for one plan; no part of snapshots.
//!
//! Kernel: `/proc/cpuinfo` (flag `hypervisor`, x86), `/sys/class/dmi/id`, `/sys/hypervisor/type`,
//! `/sys/firmware/devicetree/base/model`, `/sys/class/power_supply`, `/sys/class/zram-control`, `/sys/block`,
//! `/proc/mounts`, `/etc/systemd/system` and `/etc/rc*.d`; readable by everyone.
//!
//! Not done here: telling hypervisors apart, or finding places on file systems that are not mounted.

use super::{block, boot_settings, config, mounts, target};
use crate::model::config::NEVER_STARTED;
use crate::model::surroundings::{
    SWAP_FILE_SYSTEMS, SWAP_SERVICES, Surroundings, SwapFilePlace, SwapService,
};
use crate::model::{Bytes, Missing, Name, Reading};
use crate::root::Root;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

const CPUS: &str = "proc/cpuinfo";
/// The flags of the first CPU are within so many bytes.
const CPU_BYTES: usize = 8 << 10;
const FLAG: &[u8] = b"hypervisor";
/// Files with the maker and the product, as the firmware tells them.
const MAKERS: [&str; 2] = ["sys/class/dmi/id/sys_vendor", "sys/class/dmi/id/product_name"];
/// Words of virtual machines in these files.
const VIRTUAL: [&str; 7] =
    ["QEMU", "KVM", "VMware", "VirtualBox", "Virtual Machine", "Amazon EC2", "Google Compute"];
const XEN: &str = "sys/hypervisor/type";
const BOARD: &str = "sys/firmware/devicetree/base/model";
const SUPPLIES: &str = "sys/class/power_supply";
const UNITS: &str = "etc/systemd/system";
const ZRAM: &str = "sys/class/zram-control";
/// Folders for a swap file, best first.
const FOLDERS: [&str; 3] = ["/", "/var", "/home"];
/// Names of a swap file: the first that is free is taken.
const FILES: [&str; 3] = ["swapfile", "swapfile2", "swapfile3"];

/// Reads all facts.
pub fn read(root: &Root) -> Surroundings {
    let mut places: Vec<SwapFilePlace> =
        FOLDERS.iter().filter_map(|folder| place(root, folder)).collect();
    let mut devices: Vec<Reading<String>> = Vec::new();
    // Btrfs subvolumes and bind mounts of one device are one place.
    places.retain(|place| {
        let name = place.device.as_ref().map(|device| device.name.clone());
        let is_new = name.known().is_none() || !devices.contains(&name);
        devices.push(name);
        is_new
    });
    let at_boot = boot_settings::read(root);
    Surroundings {
        is_virtual: is_virtual(root),
        board: root.line(BOARD).map(|model| model.trim_end_matches('\0').to_owned()),
        has_battery: has_battery(root),
        zram: zram(root),
        has_zram_generator: at_boot.zram_generator,
        has_tmpfiles: at_boot.tmpfiles.is_some(),
        places,
    }
}

/// Do init scripts start services here, which know no drop-ins? Of a capture that is not known.
pub fn runs_init_scripts(root: &Root) -> bool {
    root.is_live() && !root.exists("run/systemd/system")
}

/// The services that set up swap at boot: enabled in systemd or by scripts, not masked, and not disabled by a
/// drop-in.
pub fn swap_services(root: &Root) -> Vec<SwapService> {
    let entries = |folder: &str, is_wanted: &dyn Fn(&str) -> bool| {
        let names = root.names(folder).into_result().unwrap_or_default().into_iter();
        let names = names.filter_map(|name| String::from_utf8(name).ok());
        names.filter(|name| is_wanted(name)).map(|name| format!("{folder}/{name}")).collect()
    };
    let mut folders: Vec<String> = entries(UNITS, &|name| name.as_bytes().ends_with(b".wants"));
    folders
        .extend(entries("etc", &|name| name.starts_with("rc") && name.as_bytes().ends_with(b".d")));
    let started = |folder: &String, service: &SwapService| {
        let unit = format!("{}.service", service.unit);
        let is_script = |name: &str| name.starts_with('S') && name.ends_with(service.unit);
        let found: Vec<String> = entries(folder, &|name| name == unit || is_script(name));
        !found.is_empty()
    };
    let is_disabled = |service: &SwapService| {
        if runs_init_scripts(root) {
            return false;
        }
        let unit = format!("{}.service", service.unit);
        if config::is_masked(root, &unit.as_str().into()) {
            return true;
        }
        let folder = format!("{UNITS}/{unit}.d");
        let files: Vec<String> = entries(&folder, &|name| name.as_bytes().ends_with(b".conf"));
        files.iter().any(|file| {
            let text = root.any_text(file);
            text.known().is_some_and(|text| text.lines().any(|line| line == NEVER_STARTED))
        })
    };
    let is_enabled = |service: &SwapService| folders.iter().any(|folder| started(folder, service));
    SWAP_SERVICES.into_iter().filter(|it| is_enabled(it) && !is_disabled(it)).collect()
}

fn is_virtual(root: &Root) -> bool {
    let flags = root.read_head(CPUS, CPU_BYTES);
    let has_flag = flags
        .known()
        .is_some_and(|text| text.split(u8::is_ascii_whitespace).any(|word| word == FLAG));
    let says = |file: &&str| {
        let text = root.line(file);
        text.known().is_some_and(|text| VIRTUAL.iter().any(|word| text.contains(word)))
    };
    has_flag || root.exists(XEN) || MAKERS.iter().any(says)
}

/// Whether a battery supplies the machine; those of mice and keyboards have the scope "Device".
fn has_battery(root: &Root) -> bool {
    root.names(SUPPLIES).into_result().unwrap_or_default().iter().any(|name| {
        let file = |file: &str| {
            root.line(Path::new(SUPPLIES).join(OsStr::from_bytes(name)).join(file)).known().cloned()
        };
        file("type").is_some_and(|kind| kind == "Battery")
            && file("scope").is_none_or(|scope| scope != "Device")
    })
}

/// Known if zram devices can be created now, otherwise the reason.
fn zram(root: &Root) -> Reading<()> {
    if root.exists(ZRAM) {
        return Reading::Known(());
    }
    if !root.is_live() {
        let names = root.names("sys/block");
        let is_zram = |name: &Vec<u8>| name.starts_with(b"zram");
        if names.known().is_some_and(|names| names.iter().any(is_zram)) {
            return Reading::Known(());
        }
        return Reading::absent(
            "the capture shows no zram device, so its module may not be loaded: run modprobe zram num_devices=0",
        );
    }
    Reading::absent("the zram module is not loaded: run modprobe zram num_devices=0")
}

/// The place in a folder; `None` if no file system is mounted there, or no name is free.
fn place(root: &Root, folder: &str) -> Option<SwapFilePlace> {
    let mounts = mounts::read(root);
    let point = |mount: &&mounts::Mount| mount.point.as_bytes() == folder.as_bytes();
    // Of several mounts over each other, the last one counts.
    let mount = mounts.known()?.iter().rfind(point)?;
    let paths = FILES.iter().map(|file| Path::new(folder).join(file));
    let file = paths.map(|path| Name::new(path.as_os_str().as_bytes()));
    let file = file
        .into_iter()
        .find(|path| !root.exists(path.as_path()) && root.link(path.as_path()).known().is_none())?;
    let found = target::file_location(root, &file, Bytes(0));
    let filesystem = found.filesystem.and_then(|kind| {
        let refused = |why: String| Reading::Missing { missing: Missing::absent(why) };
        match found.spread {
            _ if !SWAP_FILE_SYSTEMS.contains(&kind.as_str()) => {
                refused(format!("{folder} is on {kind}, where swapadm creates no swap files"))
            }
            _ if found.read_only => refused(format!("{folder} is mounted read-only")),
            Some(why) => refused(format!("{folder} is on btrfs: {why}")),
            None => Reading::Known(kind),
        }
    });
    let (free, whole) = (found.free, found.whole);
    Some(SwapFilePlace { file, filesystem, free, whole, device: block::mounted(root, mount) })
}

// The configuration of services that set up swap by rules of their own: assignments of shell variables.

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
pub fn read_service_config(root: &Root, service: &SwapService) -> Reading<ServiceConfig> {
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
    use crate::root::testing::TestTree;

    #[test]
    fn a_virtual_machine_is_recognized_by_its_cpu_or_its_maker() {
        let is = |file: &str, text: &str| read(&TestTree::with(&[(file, text)]).root()).is_virtual;
        assert!(is(CPUS, "processor : 0\nflags : fpu hypervisor lahf_lm\n"));
        assert!(!is(CPUS, "processor : 0\nflags : fpu hypervisor_not\n"));
        assert!(is(MAKERS[0], "QEMU\n") && is(MAKERS[1], "Virtual Machine\n") && is(XEN, "xen\n"));
        assert!(!is(MAKERS[0], "LENOVO\n"));
    }

    #[test]
    fn services_that_set_up_swap_are_found_until_a_drop_in_disables_them() {
        let tree = TestTree::with(&[("etc/default/zramswap", "ALGO=lz4\n")]);
        let found = || -> Vec<&str> {
            swap_services(&tree.root()).iter().map(|service| service.package).collect()
        };
        assert_eq!(found(), [""; 0], "installed and not enabled");
        let units = "etc/systemd/system";
        tree.link(&format!("{units}/multi-user.target.wants/zramswap.service"), "/none");
        tree.link("etc/rc3.d/S01dphys-swapfile", "../init.d/dphys-swapfile");
        tree.link("etc/rc3.d/K01systemd-swap", "../init.d/systemd-swap");
        assert_eq!(found(), ["zram-tools", "dphys-swapfile"]);
        let text = format!("[Unit]\n{NEVER_STARTED}\n");
        tree.write(&format!("{units}/zramswap.service.d/zz-swapadm.conf"), text);
        assert_eq!(found(), ["dphys-swapfile"]);
        tree.write(&format!("{units}/dphys-swapfile.service"), "");
        assert_eq!(found(), [""; 0], "masked");
    }

    #[test]
    fn a_battery_of_the_machine_makes_a_laptop_and_one_of_a_mouse_does_not() {
        let of = |more: &[(&str, &str)]| {
            let tree = TestTree::with(&[("sys/class/power_supply/B/type", "Battery\n")]);
            for (file, text) in more {
                tree.write(file, text);
            }
            read(&tree.root()).has_battery
        };
        assert!(of(&[]) && of(&[("sys/class/power_supply/B/scope", "System\n")]));
        assert!(!of(&[("sys/class/power_supply/B/scope", "Device\n")]));
        assert!(!read(&TestTree::new().root()).has_battery);
    }

    #[test]
    fn a_board_tells_its_model_without_the_final_zero() {
        let tree = TestTree::with(&[(BOARD, "Raspberry Pi 3 Model B\0")]);
        assert_eq!(read(&tree.root()).board, Reading::Known("Raspberry Pi 3 Model B".to_owned()));
    }

    #[test]
    fn places_are_on_file_systems_that_hold_swap_files() {
        let tree = TestTree::with(&[(
            "proc/mounts",
            "/dev/sda1 / ext4 rw 0 0\n/dev/sdb1 /var xfs ro 0 0\ntmpfs /home tmpfs rw 0 0\n",
        )]);
        tree.write("sys/block/sda/size", "100\n");
        tree.write("sys/block/sda/queue/rotational", "0\n");
        tree.write("sys/block/sda/sda1/size", "80\n");
        tree.write("swapfile", "");
        let places = read(&tree.root()).places;
        let told: Vec<_> = places
            .iter()
            .map(|place| (place.file.safe(), place.filesystem.clone().into_result().ok()))
            .collect();
        let ext4 = Some("ext4".to_owned());
        let wanted = [("/swapfile2", ext4), ("/var/swapfile", None), ("/home/swapfile", None)];
        assert_eq!(told, wanted.map(|(file, kind)| (file.to_owned(), kind)));
        let device = places[0].device.known().unwrap();
        assert_eq!((device.name.as_str(), &device.rotational), ("sda1", &Reading::Known(false)));
        let why = places[1].filesystem.missing().unwrap().why();
        assert!(why.contains("read-only"), "{why}");
    }
}

#[cfg(test)]
mod service_config_tests {
    use super::*;
    use crate::model::surroundings::SWAP_SERVICES;
    use crate::root::testing::{TestTree, mangled};

    fn config(files: &[(&str, &str)]) -> ServiceConfig {
        let service = SWAP_SERVICES.iter().find(|it| it.unit == "systemd-swap").unwrap();
        read_service_config(&TestTree::with(files).root(), service).into_result().unwrap()
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
