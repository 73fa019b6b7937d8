//! Which figures deserve a mark, by the thresholds of the settings. One list for tables, panes and
//! the first line.

use super::theme::Role;
use crate::columns::{Info, Value};
use crate::derive::cgroups::AT_LIMIT;
use crate::model::policy::Policy;

/// What a value means: worth a look, bad, or simply a figure.
pub fn role(table: &str, info: &Info, value: &Value, policy: &Policy) -> Role {
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
        ("devices" | "groups" | "status", "use") => high(policy.use_warn, policy.use_crit),
        ("cgroups", "limit_use") => high(AT_LIMIT, f64::INFINITY),
        ("groups" | "status", "skew") => high(policy.skew_warn, f64::INFINITY),
        ("status", "memory_some") => high(policy.pressure_some, f64::INFINITY),
        ("status", "memory_full") => high(policy.pressure_full / 2.0, policy.pressure_full),
        // What was since boot is past, and nothing to act on.
        ("status", "readahead") | ("readahead", "success") => low(policy.readahead_low),
        ("mthp", "fail_rate" | "fail_rate_now") => high(policy.fallback_warn, policy.fallback_crit),
        ("zswap", "fill") => high(policy.zswap_fill_warn, f64::INFINITY),
        ("zram", "memory_ratio") => low(policy.zram_ratio_low),
        ("headroom", "kept_saved") => low(0.0),
        ("paging", "oom_kills" | "stalls" | "direct_share") => {
            high(f64::MIN_POSITIVE, f64::INFINITY)
        }
        ("knobs", "changed") if number > 0.0 => Role::Accent,
        ("sources", "denied" | "failed") => high(1.0, f64::INFINITY),
        _ => Role::Text,
    }
}

/// What the word for how it is means.
pub fn state(word: &str) -> Role {
    match word {
        "thrashing" => Role::Crit,
        "under pressure" => Role::Warn,
        "quiet" | "working" => Role::Ok,
        _ => Role::Text,
    }
}

/// The sign that says the same as the colour of a role.
pub fn mark(role: Role) -> &'static str {
    match role {
        Role::Crit => "!!",
        Role::Warn => "!",
        _ => "",
    }
}

/// The same in words behind a figure, for those who listen.
pub fn words(role: Role) -> &'static str {
    match role {
        Role::Crit => " (critical)",
        Role::Warn => " (warning)",
        _ => "",
    }
}
