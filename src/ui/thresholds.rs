//! Marks for figures, by the thresholds of the settings: one list for tables, panes and the first line.

use super::history::HistoryEntry;
use super::theme::Role;
use crate::actions::check::CheckVerdict;
use crate::columns::{Info, Value};
use crate::derive::balance::{self, BalanceVerdict, PriorityGroup};
use crate::derive::cgroups::AT_LIMIT;
use crate::derive::state::{self, AlertLevel};
use crate::model::Reading;
use crate::model::paging::PsiLine;
use crate::model::policy::Policy;

/// The role of a value of this sample: warning, critical, or plain.
pub fn role(
    table: &str,
    info: &Info,
    value: &Value,
    policy: &Policy,
    sample: Option<&HistoryEntry>,
) -> Role {
    let Some(number) = value.number() else {
        return if value.missing().is_some() { Role::Faint } else { Role::Text };
    };
    let high = |warn: f64, crit: f64| match number {
        n if n >= crit => Role::Crit,
        n if n >= warn => Role::Warn,
        _ => Role::Text,
    };
    let low = |warn: f64| if number < warn { Role::Warn } else { Role::Text };
    match (table, info.id) {
        ("devices" | "groups" | "status", "use") => sample
            .map_or(Role::Text, |sample| level(state::use_level(number, &sample.view(), policy))),
        ("cgroups", "limit_use") => high(AT_LIMIT, f64::INFINITY),
        ("groups" | "status", "imbalance") => uneven(number, policy, sample),
        ("status", "memory_some") => stalls(PsiLine::Some, number, policy, sample),
        ("status", "memory_full") => stalls(PsiLine::Full, number, policy, sample),
        // Values since boot are not marked: they cannot be acted on.
        ("status", "readahead_hit_rate") | ("readahead", "hit_rate") => low(policy.readahead_low),
        ("mthp", "fail_rate" | "fail_rate_now") => high(policy.fallback_warn, policy.fallback_crit),
        ("zswap", "fill") => high(policy.zswap_fill_warn, f64::INFINITY),
        ("zram", "memory_ratio") => low(policy.zram_ratio_low),
        ("headroom", "compressed_saved") => low(0.0),
        ("paging", "oom_kill_rate" | "stalls" | "direct_share") => {
            high(f64::MIN_POSITIVE, f64::INFINITY)
        }
        ("knobs", "changed") if number > 0.0 => Role::Accent,
        ("sources", "denied" | "failed") => high(1.0, f64::INFINITY),
        _ => Role::Text,
    }
}

/// The role of an average of PSI: plain once tasks no longer stall, while the average still falls.
fn stalls(line: PsiLine, share: f64, policy: &Policy, sample: Option<&HistoryEntry>) -> Role {
    let severity = sample.map(|sample| state::severity(&sample.view(), policy));
    match severity {
        Some(Reading::Known(AlertLevel::Normal)) => Role::Text,
        _ => level(state::stall_level(line, share, policy)),
    }
}

/// The role of the imbalance of a group.
fn uneven(imbalance: f64, policy: &Policy, sample: Option<&HistoryEntry>) -> Role {
    let areas = sample.map_or(&[][..], |sample| sample.now.areas());
    let is_uneven = |group: &PriorityGroup| {
        group.imbalance == Reading::Known(imbalance)
            && group.balance(policy.imbalance_warn) == Reading::Known(BalanceVerdict::Uneven)
    };
    if balance::groups(areas).iter().any(is_uneven) { Role::Warn } else { Role::Text }
}

/// The role of the word for the state of swap, by its severity.
pub fn state(words: &str, severity: &str) -> Role {
    match severity {
        "crit" => Role::Crit,
        "warn" => Role::Warn,
        _ if matches!(words, "no swap" | "-") => Role::Text,
        _ => Role::Ok,
    }
}

/// The role of the verdict of a check.
pub fn verdict(verdict: CheckVerdict) -> Role {
    match verdict {
        CheckVerdict::Ok | CheckVerdict::Note => Role::Text,
        CheckVerdict::Warn => Role::Warn,
        CheckVerdict::Refuse => Role::Crit,
    }
}

fn level(level: AlertLevel) -> Role {
    match level {
        AlertLevel::Normal => Role::Text,
        AlertLevel::Warning => Role::Warn,
        AlertLevel::Critical => Role::Crit,
    }
}

/// The sign that repeats the color of a role.
pub fn mark(role: Role) -> &'static str {
    match role {
        Role::Crit => "!!",
        Role::Warn => "!",
        _ => "",
    }
}

/// The mark as words, for lines that are read aloud.
pub fn words(role: Role) -> &'static str {
    match role {
        Role::Crit => " (critical)",
        Role::Warn => " (warning)",
        _ => "",
    }
}
