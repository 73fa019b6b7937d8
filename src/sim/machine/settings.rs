//! Kernel settings that the model knows, by the path of their files.

use super::super::access::PAGE_BYTES;
use super::super::areas::ORDERS;
use super::super::layer::ZswapPool;
use super::super::readahead::ReadaheadPolicy;
use super::{Machine, MachineSetup};
use crate::model::load::FolioAdvice;

const PAGE_CLUSTER: &str = "proc/sys/vm/page-cluster";
const VMA_READAHEAD: &str = "sys/kernel/mm/swap/vma_ra_enabled";
const ZSWAP: &str = "sys/module/zswap/parameters/";
const FOLIOS: &str = "sys/kernel/mm/transparent_hugepage/hugepages-";

/// The order of the folios whose setting is in this file.
fn order_of(file: &str) -> Option<u8> {
    let size = file.strip_prefix(FOLIOS)?.strip_suffix("kB/enabled")?;
    let bytes = size.parse::<u64>().ok()? << 10;
    (1..ORDERS).find(|order| PAGE_BYTES << order == bytes)
}

/// A share in percent, as the kernel shows it.
fn percent(share: f64) -> String {
    format!("{:.0}", share * 100.0)
}

impl MachineSetup {
    /// Orders of folios that faults may allocate in memory with this advice, as bits: each fault asks.
    pub(super) fn orders_for(&self, advice: FolioAdvice) -> u16 {
        let bits = |orders: &[u8]| orders.iter().fold(0, |bits, order| bits | 1 << order);
        match advice {
            FolioAdvice::Small => 0,
            FolioAdvice::Large => bits(&self.folio_orders) | bits(&self.advised_orders),
            FolioAdvice::None => bits(&self.folio_orders),
        }
    }

    /// Enables folios of an order for all memory, for memory with advice (`inherit` is taken for that), or for
    /// none.
    pub(super) fn set_folios(&mut self, order: u8, word: &str) {
        for (orders, takes) in [
            (&mut self.folio_orders, word == "always"),
            (&mut self.advised_orders, ["madvise", "inherit"].contains(&word)),
        ] {
            orders.retain(|enabled| *enabled != order);
            orders.extend(takes.then_some(order));
            orders.sort_unstable();
        }
    }
}

impl Machine {
    /// Whether zswap takes pages.
    pub fn is_zswap_enabled(&self) -> bool {
        self.zswap().is_some_and(|pool| pool.is_enabled)
    }

    /// Whether faults allocate folios of this order, as the kernel shows it.
    pub fn folio_choice(&self, order: u8) -> &'static str {
        if self.setup.folio_orders.contains(&order) {
            "[always] madvise never"
        } else if self.setup.advised_orders.contains(&order) {
            "always [madvise] never"
        } else {
            "always madvise [never]"
        }
    }

    /// The text of the file of a setting; `None` if the model does not have the setting.
    pub fn setting(&self, file: &str) -> Option<String> {
        if file == PAGE_CLUSTER {
            return Some(self.setup.page_cluster.to_string());
        }
        if file == VMA_READAHEAD {
            // A kernel that always reads ahead by slot does not have the file, and does as if it said false.
            return match self.setup.policy.readahead {
                ReadaheadPolicy::ByAddress => Some("true".to_owned()),
                ReadaheadPolicy::BySlot | ReadaheadPolicy::Fixed => Some("false".to_owned()),
                ReadaheadPolicy::None => None,
            };
        }
        if let Some(order) = order_of(file) {
            return Some(self.folio_choice(order).to_owned());
        }
        match file.strip_prefix(ZSWAP)? {
            "enabled" => Some(if self.is_zswap_enabled() { "Y" } else { "N" }.to_owned()),
            "max_pool_percent" => Some(percent(self.zswap_limits.max_pool)),
            "accept_threshold_percent" => Some(percent(self.zswap_limits.accept)),
            _ => None,
        }
    }

    /// Writes to the file of a setting. False if the model does not have the setting or the value.
    pub fn set_setting(&mut self, file: &str, value: &str) -> bool {
        if file == PAGE_CLUSTER {
            let number = value.parse().ok().filter(|number| *number < 32);
            number.map(|number| self.setup.page_cluster = number).is_some()
        } else if let Some(order) = order_of(file) {
            ["always", "madvise", "never"].contains(&value) && {
                self.setup.set_folios(order, value);
                true
            }
        } else if let Some(name) = file.strip_prefix(ZSWAP) {
            self.set_zswap(name, value)
        } else {
            false
        }
    }

    fn set_zswap(&mut self, name: &str, value: &str) -> bool {
        let mut zswap = self.zswap_limits;
        let share = value.parse::<f64>().ok().filter(|share| (1.0..=100.0).contains(share));
        match (name, value, share) {
            ("enabled", "Y" | "N", _) => {}
            ("max_pool_percent", _, Some(share)) => zswap.max_pool = share / 100.0,
            ("accept_threshold_percent", _, Some(share)) => zswap.accept = share / 100.0,
            _ => return false,
        }
        self.zswap_limits = zswap;
        let (memory, policy) = (self.setup.memory_pages, self.setup.policy.zswap);
        if name == "enabled" && value == "Y" {
            let pool = self.zswap.get_or_insert_with(|| ZswapPool::new(zswap, memory, policy));
            pool.is_enabled = true;
            self.setup.zswap = Some(zswap);
        } else if let Some(pool) = &mut self.zswap {
            pool.is_enabled = pool.is_enabled && name != "enabled";
            pool.set_limits(zswap, memory);
            self.setup.zswap = Some(zswap);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::cost::SimDevice;
    use super::super::super::testing::machine;
    use super::super::super::testing::setup;
    use super::*;
    use crate::model::knob::KNOBS;

    #[test]
    fn settings_are_read_and_written_by_file() {
        let mut machine = Machine::new(machine("6.12", 500, vec![setup(SimDevice::Zram, 1024)]));
        let folios = "sys/kernel/mm/transparent_hugepage/hugepages-64kB/enabled";
        let zswap = "sys/module/zswap/parameters/enabled";
        for (file, before, to, after) in [
            (PAGE_CLUSTER, "3", "0", "0"),
            (folios, "always madvise [never]", "always", "[always] madvise never"),
            (folios, "[always] madvise never", "madvise", "always [madvise] never"),
            // zswap keeps its limits while it is disabled.
            ("sys/module/zswap/parameters/max_pool_percent", "20", "50", "50"),
            (zswap, "N", "Y", "Y"),
            ("sys/module/zswap/parameters/max_pool_percent", "50", "35", "35"),
            ("sys/module/zswap/parameters/accept_threshold_percent", "90", "50", "50"),
        ] {
            assert_eq!(machine.setting(file).as_deref(), Some(before), "{file}");
            assert!(machine.set_setting(file, to), "{file}");
            assert_eq!(machine.setting(file).as_deref(), Some(after), "{file}");
            assert!(file == folios || KNOBS.iter().any(|knob| knob.file == file), "{file}");
        }
        assert!(machine.set_setting(zswap, "N") && !machine.is_zswap_enabled());
        for (file, value) in [("proc/sys/vm/swappiness", "1"), (PAGE_CLUSTER, "99"), (zswap, "x")] {
            assert!(!machine.set_setting(file, value), "{file}");
        }
        assert_eq!(machine.setting("proc/sys/vm/swappiness"), None);
    }

    #[test]
    fn memory_takes_the_folios_that_its_advice_allows() {
        let mut setup = machine("6.12", 500, vec![setup(SimDevice::Zram, 1024)]);
        setup.set_folios(2, "always");
        setup.set_folios(9, "madvise");
        setup.set_folios(4, "inherit");
        setup.set_folios(4, "never");
        assert_eq!(setup.orders_for(FolioAdvice::None), 1 << 2);
        assert_eq!(setup.orders_for(FolioAdvice::Large), 1 << 9 | 1 << 2);
        assert_eq!(setup.orders_for(FolioAdvice::Small), 0);
    }
}
