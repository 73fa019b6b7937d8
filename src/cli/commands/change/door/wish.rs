//! Wishes about zram devices, as the commands that do the same.

use super::Wanted;
use crate::actions::Step;
use crate::actions::plan::Plan;
use crate::change::Machine;
use crate::cli::args::ChangeArgs;
use crate::cli::args::zram::{
    WRITEBACK, ZramAlgorithmArgs, ZramAreaArgs, ZramCommand, ZramDeviceArgs, ZramIdleArgs,
    ZramLimitArgs, ZramResizeArgs, ZramSwapArgs, ZramWritebackArgs,
};
use crate::cli::commands::change::zram::{self, Ground};
use crate::cli::exit::Failure;
use crate::model::name::safe_text;
use crate::model::uuid::Uuid;
use crate::ui::change::{Intent, ZramValue, ZramWish};
use clap::Parser;

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

/// A new area as it is typed: its size, and after it what `zram swap` takes.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct TypedArea {
    #[command(flatten)]
    area: ZramAreaArgs,
}

/// `zram swap`.
pub(super) fn swap(typed: &str) -> Result<ZramCommand, Failure> {
    let words = std::iter::once("--size").chain(typed.split_whitespace());
    let understood = TypedArea::try_parse_from(words).map_err(|error| {
        let told = error.to_string();
        let why = told.lines().next().unwrap_or_default().trim_start_matches("error: ");
        Failure::Usage(format!("{why}; after the size there can be options of zram swap"))
    })?;
    let change = ChangeArgs::default();
    Ok(ZramCommand::Swap(ZramSwapArgs { area: understood.area, change }))
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
    use crate::cli::args::zram::PRIORITY;
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
    }

    #[test]
    fn a_new_area_is_typed_as_its_size_and_options() {
        let understood = |typed| match swap(typed) {
            Ok(ZramCommand::Swap(ZramSwapArgs { area, .. })) => {
                Ok((area.size, area.setup.algorithm.unwrap_or_default(), area.priority))
            }
            Ok(other) => panic!("{other:?}"),
            Err(error) => Err(error.to_string()),
        };
        let area = |size: &str, algorithm: &str, priority: &str| {
            Ok((size.to_owned(), algorithm.to_owned(), priority.to_owned()))
        };
        assert_eq!(understood("2G"), area("2G", "", PRIORITY));
        assert_eq!(understood(" 50%  -a zstd --priority 7"), area("50%", "zstd", "7"));
        for (typed, named) in
            [("2G zstd", "'zstd'"), ("2G --yes", "'--yes'"), ("--label x", "--size")]
        {
            let why = understood(typed).unwrap_err();
            assert!(why.contains(named) && !why.contains('\n'), "{typed}: {why}");
        }
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
