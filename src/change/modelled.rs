//! Changes that a simulated machine has.

use super::SwaponOptions;
use super::intent::Intent;
use crate::model::activation::Discard;

/// Refuses changes that the model does not have.
pub fn check_modelled(intent: &Intent, persist: bool) -> Result<(), String> {
    if persist {
        let why = "--persist: a simulated machine never boots again: leave --persist out";
        return Err(why.to_owned());
    }
    match intent {
        Intent::On(_, SwaponOptions { discard: Some(Discard::Once | Discard::Both), .. }) => {
            Err("a simulated machine discards freed clusters or nothing: use --discard=pages, or leave it out".to_owned())
        }
        Intent::On(..)
        | Intent::Off(_)
        | Intent::Priorities(_)
        | Intent::Set(_)
        | Intent::Reset(_)
        | Intent::Rebalance(_)
        | Intent::Undo(_)
        | Intent::Recover => Ok(()),
        Intent::OnConfigured(_)
        | Intent::Format(..)
        | Intent::CreateFile(..)
        | Intent::ResizeFile(..)
        | Intent::RemoveFile(_)
        | Intent::Zram(_)
        | Intent::State(_)
        | Intent::SwapIn(_)
        | Intent::Reclaim(..)
        | Intent::Setup(_) => Err(
            "a simulated machine can only enable and disable areas and change priorities and settings: what-if --add \
             adds an area"
                .to_owned(),
        ),
    }
}
