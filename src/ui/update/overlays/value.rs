//! Keys of the line in which a value is typed, and what the value changes.

use super::menu::set_to;
use crate::actions::limits::ChangeLimits;
use crate::columns::units;
use crate::model::activation::Priority;
use crate::model::name::shell_quoted;
use crate::ui::change::{Intent, ReclaimSource};
use crate::ui::row_actions;
use crate::ui::update::{
    App, ChangeRequest, KeyCode, KeyEvent, Name, Overlay, PromptKind, ValueInput, changes, dialog,
    lab, menus, setup, what_if,
};
use crate::ui::what_if::{LoadChoice, ModelChange};

pub(super) fn value_key(app: &mut App, mut value: ValueInput, event: KeyEvent) {
    match event.code {
        KeyCode::Esc => return,
        KeyCode::Enter => match entered(app, &value) {
            Ok(()) => return,
            Err(why) => value.error = Some(why),
        },
        _ => {
            value.input.key(event);
            value.error = match value.typed {
                PromptKind::Row(list) => lab::find_row(app, list, &value.input.text).err(),
                _ => None,
            };
        }
    }
    app.overlays.push(Overlay::Value(value));
}

/// Applies a typed value.
pub(super) fn entered(app: &mut App, value: &ValueInput) -> Result<(), String> {
    let text = value.value();
    match &value.typed {
        PromptKind::Setting(key) => {
            let mut trial = app.settings.clone();
            menus::setting(key)
                .map_or(Ok(()), |it| it.set_text(&mut trial, "", &value.input.text))?;
            set_to(app, key, &value.input.text);
        }
        PromptKind::Priority(areas) => {
            let priority = Priority::parse(text)?;
            let areas = areas.iter().map(|area| (area.clone(), priority));
            changes::plan_typed(app, value, Intent::Priorities(areas.collect()));
        }
        PromptKind::Lab(field) => lab::set(app, *field, text),
        PromptKind::Row(list) => lab::find_row(app, list, text)?,
        PromptKind::Setup(key) => setup::typed(app, *key, text),
        _ if text.is_empty() => return Err(format!("type a value: {}", value.accepts)),
        PromptKind::ModelPriority(areas) => {
            what_if::ask_priority(app, areas, Priority::parse(text)?);
        }
        PromptKind::ModelArea => what_if::ask_typed(app, ModelChange::Add(text.to_owned()))?,
        PromptKind::ModelKernel => what_if::ask_typed(app, ModelChange::Kernel(text.to_owned()))?,
        PromptKind::ModelLoad => what_if::ask_under(app, LoadChoice::parse(text)),
        PromptKind::ModelRate => what_if::ask_rate(app, text)?,
        PromptKind::Area => {
            plan_command(app, value, format!("on {}", shell_quoted(&Name::from(text))));
        }
        PromptKind::Kernel(setting) => {
            let intent = Intent::Set(vec![(setting.clone(), text.to_owned())]);
            changes::plan_typed(app, value, intent);
        }
        PromptKind::ZramSwap => plan_command(app, value, format!("zram swap --size {text}")),
        PromptKind::SwapFile => {
            let command = row_actions::swap_file_command(app, text);
            plan_command(app, value, command);
        }
        PromptKind::Reclaim(group) => {
            let intent = Intent::Reclaim(
                group.clone(),
                units::parse_some_size(text)?,
                ReclaimSource::Memory,
            );
            changes::plan_typed(app, value, intent);
        }
        PromptKind::Zram(device, what) => plan_command(app, value, what.command(device, text)),
        PromptKind::Timeout => {
            let timeout = typed_limit(text, ChangeLimits::parse_time)?;
            dialog::limited(app, |limits| limits.timeout = timeout)?;
        }
        PromptKind::MaxPsi => {
            let max_psi = typed_limit(text, ChangeLimits::parse_max_psi)?;
            dialog::limited(app, |limits| limits.max_psi = max_psi)?;
        }
        PromptKind::PausePsi => {
            let pace = typed_limit(text, ChangeLimits::parse_pace)?;
            dialog::limited(app, |limits| limits.pace = pace)?;
        }
    }
    Ok(())
}

/// Asks for the plan of the command that typed text belongs to.
fn plan_command(app: &mut App, value: &ValueInput, command: String) {
    changes::plan_typed(app, value, ChangeRequest::Command(command));
}

/// A typed limit; "none" removes it.
fn typed_limit<T>(
    text: &str,
    parse: impl FnOnce(&str) -> Result<T, String>,
) -> Result<Option<T>, String> {
    if text == "none" { Ok(None) } else { parse(text).map(Some) }
}
