//! The values that actions ask for: the current one, those that are accepted, and the recommended size.

use crate::columns::units::size;
use crate::derive::recommended::{self, RecommendedSize};
use crate::model::knob::{self, CGROUP_KNOBS, CgroupKind};
use crate::model::users::Limit;
use crate::model::zram::ZramDevice;
use crate::model::{Bytes, Name};
use crate::ui::app::App;
use crate::ui::change::Setting;
use crate::ui::input::{PromptKind, ZramValue};

/// The state of a zram device.
pub(super) fn device<'a>(app: &'a App, name: &str) -> Option<&'a ZramDevice> {
    let devices = app.moment()?.now.zram.reading.known()?;
    devices.iter().find(|device| device.name == name)
}

/// The size of memory.
fn memory(app: &App) -> Option<Bytes> {
    app.moment().and_then(|moment| moment.now.memory("MemTotal").known().copied())
}

/// The recommended size of new swap.
pub fn recommended(app: &App, kind: &PromptKind) -> Option<RecommendedSize> {
    match kind {
        PromptKind::ZramSwap => memory(app).map(recommended::zram),
        PromptKind::SwapFile => memory(app).map(recommended::file),
        _ => None,
    }
}

/// The command that creates the typed swap file: its path can be left out, and so can its size.
pub fn swap_file_command(app: &App, typed: &str) -> String {
    let is_taken = |path: &str| app.areas().iter().any(|area| area.path == Name::from(path));
    let numbered = (2..).map(|number| format!("/swapfile{number}"));
    let free = std::iter::once("/swapfile".to_owned()).chain(numbered).find(|path| !is_taken(path));
    let own = typed.starts_with(['/', '\'']);
    let path = if own { String::new() } else { free.unwrap_or_default() + " " };
    let size = recommended(app, &PromptKind::SwapFile).map(|it| it.size.exact());
    let size = size.filter(|_| own && !typed.contains(' ')).map(|size| format!(" {size}"));
    format!("file create {path}{typed}{} --on", size.unwrap_or_default())
}

/// The current value of what can be typed, if it has one.
pub fn current_value(app: &App, kind: &PromptKind) -> Option<String> {
    match kind {
        PromptKind::Priority(areas) | PromptKind::ModelPriority(areas) => {
            let of = |name: &Name| app.areas().iter().find(|area| area.path == *name);
            let now: Vec<String> =
                areas.iter().filter_map(|name| Some(of(name)?.priority.to_string())).collect();
            (!now.is_empty()).then(|| now.join(", "))
        }
        PromptKind::Kernel(Setting { knob, group: None }) => {
            let text = knob_text(app, knob)?;
            Some(knob::find(knob).map_or_else(|| text.to_owned(), |it| it.kind.shown_value(text)))
        }
        PromptKind::Kernel(Setting { knob, group: Some(group) }) => group_value(app, knob, group),
        PromptKind::Zram(name, value) => {
            let device = device(app, name)?;
            match value {
                ZramValue::Size => device.disksize.known().map(|bytes| size(*bytes)),
                ZramValue::Algorithm => device.algorithm.known().map(|it| it.current.clone()),
                ZramValue::Limit => device.mm.known().map(|mm| match mm.mem_limit {
                    Bytes(0) => "none".to_owned(),
                    bytes => size(bytes),
                }),
                ZramValue::Idle | ZramValue::Writeback => None,
            }
        }
        _ => None,
    }
}

/// The current value of a cgroup setting.
fn group_value(app: &App, knob: &str, group: &Name) -> Option<String> {
    let tree = app.moment()?.now.cgroups.reading.known()?;
    let group = tree.group(group)?;
    let limit = match knob {
        "memory.max" | "memory.limit_in_bytes" => &group.memory_max,
        "memory.swap.max" => &group.swap_max,
        "memory.memsw.limit_in_bytes" => &group.memsw_max,
        _ => return group.swappiness.known().map(u64::to_string),
    };
    Some(match limit.known()? {
        Limit::Unlimited => "max".to_owned(),
        Limit::Bytes(bytes) => size(*bytes),
    })
}

/// The text of a kernel setting.
fn knob_text<'a>(app: &'a App, id: &str) -> Option<&'a str> {
    let knobs = app.moment()?.now.knobs.reading.known()?;
    knobs.iter().find(|it| it.id == id)?.value.known().map(String::as_str)
}

/// The values that can be typed for a zram device; a new device has no name yet.
pub fn accepts_zram(app: &App, name: &str, value: ZramValue) -> String {
    let memory =
        memory(app).map_or_else(String::new, |memory| format!(", which is {}", size(memory)));
    match value {
        ZramValue::Size => format!("512M, 2G, or 50% of memory{memory}"),
        ZramValue::Limit => format!("512M, 2G, or 25% of memory{memory}; none for no limit"),
        ZramValue::Algorithm => {
            let choice = device(app, name).and_then(|device| device.algorithm.known());
            choice
                .map_or_else(|| "an algorithm such as zstd".to_owned(), |it| it.offered.join(", "))
        }
        ZramValue::Idle => "all, or a time: 90, 30m or 1h without use".to_owned(),
        ZramValue::Writeback => "idle, huge, huge_idle or incompressible".to_owned(),
    }
}

/// The values that a setting accepts, in words.
pub fn accepts(app: &App, setting: &Setting) -> String {
    if setting.group.is_some() {
        let knob = CGROUP_KNOBS.iter().find(|knob| knob.id == setting.knob);
        return match knob.map(|knob| knob.kind) {
            Some(CgroupKind::Plain(kind)) => kind.accepted_values(None),
            Some(CgroupKind::Limit) | None => "a size such as 512M or 2G; max for none".to_owned(),
        };
    }
    let text = knob_text(app, &setting.knob);
    let kind = knob::find(&setting.knob).map(|knob| knob.kind);
    kind.map_or_else(String::new, |kind| kind.accepted_values(text))
}
