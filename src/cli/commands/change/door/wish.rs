//! Wishes about zram devices, as the commands that do the same.

use super::Wanted;
use crate::actions::Step;
use crate::actions::plan::Plan;
use crate::change::Machine;
use crate::cli::args::ChangeArgs;
use crate::cli::args::zram::{
    PRIORITY, WRITEBACK, ZramAlgorithmArgs, ZramCommand, ZramDeviceArgs, ZramIdleArgs,
    ZramLimitArgs, ZramResizeArgs, ZramSetup, ZramSwapArgs, ZramWritebackArgs,
};
use crate::cli::commands::change::zram::{self, Ground};
use crate::cli::exit::Failure;
use crate::model::name::safe_text;
use crate::model::uuid::Uuid;
use crate::ui::change::{Intent, ZramValue, ZramWish};

/// What a command comes to, with this UUID for a new area.
pub(super) fn zram(
    machine: &Machine<'_>,
    command: &ZramCommand,
    uuid: Option<Uuid>,
) -> Result<Wanted, Failure> {
    // What would be said beside it stands in the steps.
    let ground = Ground::of(machine, |_| {});
    let ground = uuid.map_or(ground, |uuid| ground.with(uuid));
    let (plan, number) = zram::planned(ground, command)?;
    let goal = zram::goal(machine, &plan, number);
    Ok(Wanted::lasting(plan, goal.into_iter().collect()))
}

/// `zram swap`.
pub(super) fn swap(size: &str) -> ZramCommand {
    ZramCommand::Swap(ZramSwapArgs {
        size: size.to_owned(),
        setup: ZramSetup::default(),
        priority: PRIORITY.to_owned(),
        discard: None,
        label: None,
        change: ChangeArgs::default(),
    })
}

/// The command for a device.
pub(super) fn command(device: &str, wish: &ZramWish) -> Result<ZramCommand, Failure> {
    let (device, change) = (device.into(), ChangeArgs::default());
    Ok(match wish {
        ZramWish::Compact => ZramCommand::Compact(ZramDeviceArgs { device, change }),
        ZramWish::Remove => ZramCommand::Remove(ZramDeviceArgs { device, change }),
        ZramWish::Give(value, typed) => {
            let typed = typed.clone();
            match value {
                ZramValue::Size => {
                    ZramCommand::Resize(ZramResizeArgs { device, size: typed, change })
                }
                ZramValue::Algorithm => {
                    ZramCommand::Algorithm(ZramAlgorithmArgs { device, algorithm: typed, change })
                }
                ZramValue::Limit => {
                    ZramCommand::Limit(ZramLimitArgs { device, limit: typed, change })
                }
                ZramValue::Idle => {
                    let age = (typed != "all").then_some(typed);
                    ZramCommand::Idle(ZramIdleArgs { device, age, change })
                }
                ZramValue::Writeback => {
                    let pages = pages(typed)?;
                    ZramCommand::Writeback(ZramWritebackArgs { device, pages, limit: None, change })
                }
            }
        }
    })
}

/// Which pages, as the arguments of a command would have it.
fn pages(typed: String) -> Result<String, Failure> {
    if WRITEBACK.contains(&typed.as_str()) {
        return Ok(typed);
    }
    let (shown, known) = (safe_text(&typed), WRITEBACK.join(", "));
    Err(Failure::Usage(format!("\"{shown}\" are no pages to write back; there are: {known}")))
}

/// The wish that leads to the same plan again: what was drawn for it stays.
pub(super) fn settled(intent: &Intent, plan: &Plan) -> Intent {
    let Intent::ZramSwap(size, None) = intent else { return intent.clone() };
    let uuid = plan.steps.iter().find_map(|step| {
        let Step::Header { format, .. } = step else { return None };
        format.uuid
    });
    Intent::ZramSwap(size.clone(), uuid)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::format::Format;
    use crate::model::{Bytes, Name};

    #[test]
    fn what_is_typed_means_what_it_means_to_the_command() {
        let give = |value, text: &str| ZramWish::Give(value, text.to_owned());
        let ages = ["all", "1h"].map(|text| match command("zram0", &give(ZramValue::Idle, text)) {
            Ok(ZramCommand::Idle(args)) => args.age,
            other => panic!("{other:?}"),
        });
        assert_eq!(ages, [None, Some("1h".to_owned())]);
        let refused = command("zram0", &give(ZramValue::Writeback, "old")).unwrap_err().to_string();
        for pages in WRITEBACK {
            assert!(command("zram0", &give(ZramValue::Writeback, pages)).is_ok(), "{pages}");
            assert!(refused.contains(pages), "{refused}");
        }
        let ZramCommand::Swap(args) = swap("2G") else { panic!() };
        assert_eq!((args.size.as_str(), args.priority.as_str()), ("2G", PRIORITY));
    }

    #[test]
    fn the_plan_is_the_same_again() {
        let uuid = Uuid::parse("5a9c0f3e-7b1d-4e62-8f40-00000000c0de").unwrap();
        let (size, node) = (Bytes(1 << 20), Name::from("/dev/zram1"));
        let format = Format::new(size, 4096, uuid, None).unwrap();
        let steps = vec![Step::format_new(node, size, format)];
        let plan = Plan { steps, ..Plan::none(String::new()) };
        let wish = |uuid| Intent::ZramSwap("1M".to_owned(), uuid);
        assert_eq!(settled(&wish(None), &plan), wish(Some(uuid)));
        let other = Uuid::of(&[1; 16]);
        assert_eq!(settled(&wish(other), &plan), wish(other));
        assert_eq!(settled(&Intent::Recover, &plan), Intent::Recover);
    }
}
