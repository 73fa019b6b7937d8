//! Sizes as they are typed: `512M`, `2G`, or a share of the memory.

use super::{Typed, usage};
use crate::cli::exit::Failure;
use crate::columns::filter;
use crate::columns::units;
use crate::columns::value::Unit;
use crate::model::name::safe_text;
use crate::model::{Bytes, Missing};

/// More than this nobody has.
const MOST: f64 = (1_u64 << 60) as f64;

/// What sizes are measured by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Amount {
    memory: Bytes,
    /// The size of a page.
    page: u64,
    /// Told what else is to be said.
    say: fn(&str),
}

impl Amount {
    /// On this machine.
    pub(super) fn of(typed: Typed<'_>) -> Result<Self, Failure> {
        let nothing = |missing: Missing| Failure::Nothing(missing.why());
        let snapshot = &typed.machine.snapshot;
        let memory = snapshot.memory("MemTotal").into_result().map_err(nothing)?;
        let page = *snapshot.page_size.get().map_err(nothing)?;
        Ok(Self { memory, page, say: typed.say })
    }

    /// A size as it was typed.
    pub(super) fn bytes(self, what: &str, text: &str) -> Result<Bytes, Failure> {
        let number = match text.strip_suffix('%') {
            Some(share) => {
                share.parse::<f64>().ok().map(|share| share / 100.0 * self.memory.0 as f64)
            }
            None => filter::number(text, Unit::Bytes),
        };
        let number = number.filter(|number| (1.0..=MOST).contains(number));
        number.map(bytes).ok_or_else(|| {
            usage(&format!(
                "{what} \"{}\" is no size from 1 byte to {}: such as 512M, 2G or 50% of memory, which is {}",
                safe_text(text),
                units::bytes(MOST),
                units::bytes(self.memory.0 as f64),
            ))
        })
    }

    /// The same in whole pages; what is added to that end is told.
    pub(super) fn whole(self, what: &str, text: &str) -> Result<Bytes, Failure> {
        let asked = self.bytes(what, text)?;
        let whole = Bytes(asked.0.div_ceil(self.page).saturating_mul(self.page));
        // Of a share nobody expects whole pages.
        if whole != asked && !text.ends_with('%') {
            (self.say)(&format!(
                "{what} {}: made {} bytes, whole pages of {}",
                safe_text(text),
                whole.0,
                self.page
            ));
        }
        Ok(whole)
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is in bounds")]
fn bytes(number: f64) -> Bytes {
    Bytes(number as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_bytes_or_a_share_of_memory_in_whole_pages() {
        let amount = Amount { memory: Bytes(1 << 30), page: 4096, say: |_| {} };
        let of = |text| amount.whole("x", text).map(|bytes| bytes.0).ok();
        assert_eq!([of("2G"), of("50%"), of("5000")], [Some(2 << 30), Some(1 << 29), Some(8192)]);
        assert_eq!(of("150%"), Some((1 << 30) + (1 << 29)));
        for wrong in ["", "0", "-1", "x", "2X", "%", "-5%", "0%", "1e30", "nan", "inf%"] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
        let said = amount.bytes("--size", "2X").unwrap_err().to_string();
        assert!(said.contains("--size \"2X\"") && said.contains("1G"), "{said}");
    }
}
