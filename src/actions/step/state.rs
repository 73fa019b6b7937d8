//! The state of steps, as the machine shows it.

use super::{HeaderRewrite, Step, StepState, current_choice, known_or_reason, zram};
use crate::actions::MachineView;
use crate::model::activation::Activation;
use crate::model::format::{Patch, SwapFileSpec};
use crate::model::swaparea::SwapArea;
use crate::model::{Missing, Name};

impl Step {
    /// The step that repairs what this one left missing, when its whole plan is rolled back.
    pub(in crate::actions) fn repair_step(
        &self,
        look: &dyn MachineView,
    ) -> Result<Option<Self>, String> {
        if let Self::Zram { number, from, .. } = self {
            return Ok(Some(Self::zram(
                *number,
                known_or_reason(look.disk(*number))?,
                from.clone(),
            )));
        }
        Ok(self.rescue().map(|area| Self::On { area: area.clone() }))
    }

    /// The step that restores what is neither as before nor as after this one: the value of a setting, or a swap file
    /// that was being resized.
    pub(in crate::actions) fn restoring_step(
        &self,
        look: &dyn MachineView,
    ) -> Result<Option<Self>, String> {
        if let Self::File { path, from: Some(from), to: Some(to) } = self {
            let is_half = is_half_resized(path, (from, to), look)?;
            return Ok(self.inverse().filter(|_| is_half));
        }
        let Self::Set { what, file, from, to } = self else { return Ok(None) };
        let now = current_choice(&known_or_reason(look.setting(file))?);
        if [from, to].contains(&&now) {
            return Ok(None);
        }
        let (what, file, to) = (what.clone(), file.clone(), from.clone());
        Ok(Some(Self::Set { what, file, from: now, to }))
    }

    /// Whether the step was left half done: its file can be brought to either size, and has none of them.
    pub(in crate::actions) fn is_half_done(&self, look: &dyn MachineView) -> Result<bool, String> {
        Ok(self.is_resize() && self.restoring_step(look)?.is_some())
    }

    /// The state of the step's subject, or the reason why it cannot be read.
    pub fn state(&self, look: &dyn MachineView) -> Result<StepState, String> {
        match self {
            Self::On { .. } | Self::Off { .. } | Self::Renew { .. } => {
                known_or_reason(look.areas()).map(|areas| self.state_of_area(&areas))
            }
            Self::Set { file, from, to, .. } => {
                let is = current_choice(&known_or_reason(look.setting(file))?);
                Ok(StepState::from_matches(is == *to, is == *from))
            }
            Self::Save { path, from, to } => {
                let is = known_or_reason(look.text(path))?;
                Ok(StepState::from_matches(is == *to, is == *from))
            }
            Self::Zram { number, from, to, .. } => {
                let shown = known_or_reason(look.disk(*number))?;
                Ok(zram::state(from.as_ref(), to.as_ref(), shown.as_ref()))
            }
            Self::Order { .. } => Ok(StepState::Before),
            Self::Header { path, .. } => state_of_header(path, &self.rewrites(), look),
            Self::File { path, from, to } => state_of_file(path, (from, to), look),
        }
    }

    fn state_of_area(&self, areas: &[SwapArea]) -> StepState {
        let shown = areas.iter().find(|area| area.path == *self.subject());
        let shown = shown.map(|area| area.priority);
        let is = |wanted: Option<&Activation>| {
            wanted.zip(shown).is_some_and(|(wanted, shown)| wanted.priority.matches_shown(shown))
        };
        match (self.disabled_area(), self.enabled_area(), shown) {
            (Some(_), Some(_), None) => StepState::Missing,
            (None, _, None) => StepState::Before,
            (Some(_), None, None) => StepState::After,
            (_, wanted, Some(_)) if is(wanted) && self.is_observable() => StepState::After,
            (wanted, _, Some(_)) if is(wanted) => StepState::Before,
            (_, _, Some(_)) => StepState::Other,
        }
    }
}

/// The state of a file step, by the size and the header of the file, which are created with it. A file that was left
/// half resized is as before: it can be brought to either size.
fn state_of_file(
    path: &Name,
    (from, to): (&Option<SwapFileSpec>, &Option<SwapFileSpec>),
    look: &dyn MachineView,
) -> Result<StepState, String> {
    let is = |form: &Option<SwapFileSpec>| match form {
        Some(form) => is_present(path, form, look),
        None => is_absent(path, look),
    };
    let is_after = is(to)?;
    let is_half = || match (from, to) {
        (Some(from), Some(to)) => is_half_resized(path, (from, to), look),
        _ => Ok(false),
    };
    Ok(StepState::from_matches(is_after, !is_after && (is(from)? || is_half()?)))
}

/// Whether a file has the header of one form, and a size between the two.
fn is_half_resized(
    path: &Name,
    (from, to): (&SwapFileSpec, &SwapFileSpec),
    look: &dyn MachineView,
) -> Result<bool, String> {
    let length = usize::try_from(from.format.page_size).unwrap_or(0);
    let found = look.content(path, 0, length);
    if found.is_absent() {
        return Ok(false);
    }
    let page = known_or_reason(found)?;
    let has_byte = |at: u64| known_or_reason(look.content(path, at, 1)).map(|it| !it.is_empty());
    let (least, most) = (from.size.min(to.size).0, from.size.max(to.size).0);
    let is_between = has_byte(least.saturating_sub(1))? && !has_byte(most)?;
    let has_header = |form: &SwapFileSpec| form.format.matches_page(&page);
    let is_whole = is_present(path, from, look)? || is_present(path, to, look)?;
    Ok(is_between && (has_header(from) || has_header(to)) && !is_whole)
}

fn is_absent(path: &Name, look: &dyn MachineView) -> Result<bool, String> {
    let found = look.content(path, 0, 1);
    match found.missing() {
        Some(Missing::Absent(_)) => Ok(true),
        _ => known_or_reason(found).map(|_| false),
    }
}

fn is_present(path: &Name, form: &SwapFileSpec, look: &dyn MachineView) -> Result<bool, String> {
    let length = usize::try_from(form.format.page_size).unwrap_or(0);
    let found = look.content(path, 0, length);
    if found.is_absent() {
        return Ok(false);
    }
    // The last byte exists, and none after it.
    let end = known_or_reason(look.content(path, form.size.0.saturating_sub(1), 2))?.len();
    Ok(end == 1 && form.format.matches_page(&known_or_reason(found)?))
}

/// The state of a header step, by the first page. A device that does not exist (yet, or any more)
/// counts as empty.
fn state_of_header(
    path: &Name,
    rewrites: &HeaderRewrite,
    look: &dyn MachineView,
) -> Result<StepState, String> {
    let first = |patches: &[Patch]| patches.iter().find(|patch| patch.at == 0).cloned();
    let (Some(from), Some(to)) = (first(&rewrites.from), first(&rewrites.to)) else {
        return Err(format!("the plan does not contain the first page of {}", path.safe()));
    };
    let length = from.bytes.len().max(to.bytes.len());
    let found = look.content(path, 0, length);
    let is = match found.missing() {
        Some(Missing::Absent(_)) => vec![0; length],
        _ => known_or_reason(found)?,
    };
    let holds = |patch: &Patch| is.get(..patch.bytes.len()) == Some(&patch.bytes);
    Ok(StepState::from_matches(holds(&to), holds(&from)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::testing::FixedView;
    use crate::model::Bytes;
    use crate::model::activation::{Discard, Priority};
    use crate::model::format::{Format, Uuid};
    use crate::model::swaparea::testing;

    fn on(priority: Priority) -> Activation {
        Activation { path: "/dev/a".into(), priority, discard: Discard::None }
    }

    fn active(priority: i32) -> Vec<SwapArea> {
        vec![testing::area("/dev/a", priority, 4096, 1024)]
    }

    fn state(step: &Step, areas: Vec<SwapArea>) -> StepState {
        step.state(&FixedView { areas, ..FixedView::default() }).unwrap()
    }

    #[test]
    fn step_state_shows_whether_it_was_made() {
        let renew = Step::Renew { from: on(Priority::Set(1)), to: on(Priority::Set(2)) };
        let states =
            [active(1), active(2), active(3), Vec::new()].map(|areas| state(&renew, areas));
        assert_eq!(
            states,
            [StepState::Before, StepState::After, StepState::Other, StepState::Missing]
        );
        assert_eq!(state(&renew.inverse().unwrap(), active(1)), StepState::After);
        let off = Step::Off { area: on(Priority::Default) };
        let states = [active(-2), Vec::new()].map(|areas| state(&off, areas));
        assert_eq!(states, [StepState::Before, StepState::After]);
        let back = off.inverse().unwrap();
        let states = [active(5), active(-2), Vec::new()].map(|areas| state(&back, areas));
        assert_eq!(states, [StepState::Other, StepState::After, StepState::Before]);
        assert_eq!((off.moves(&active(-2)), back.moves(&[])), (Bytes(1024), Bytes(0)));
    }

    #[test]
    fn drained_only_area_leaves_no_trace() {
        let empty = Step::Renew { from: on(Priority::Set(1)), to: on(Priority::Set(1)) };
        let states = [active(1), active(2), Vec::new()].map(|areas| state(&empty, areas));
        assert_eq!(states, [StepState::Before, StepState::Other, StepState::Missing]);
        assert_eq!((empty.is_observable(), empty.inverse()), (false, None));
    }

    /// The kernel does not show how an area discards.
    #[test]
    fn another_discard_leaves_no_trace_and_can_be_undone() {
        let once = Activation { discard: Discard::Once, ..on(Priority::Set(1)) };
        let step = Step::Renew { from: on(Priority::Set(1)), to: once.clone() };
        let back = Step::Renew { from: once, to: on(Priority::Set(1)) };
        for step in [&step, &back] {
            let states = [active(1), active(2), Vec::new()].map(|areas| state(step, areas));
            assert_eq!(states, [StepState::Before, StepState::Other, StepState::Missing]);
        }
        assert_eq!((step.is_observable(), step.inverse()), (false, Some(back)));
    }

    #[test]
    fn setting_state_comes_from_the_kernel() {
        let set = Step::Set {
            what: "x".to_owned(),
            file: "/proc/x".into(),
            from: "1".to_owned(),
            to: "2".to_owned(),
        };
        let state = |value: &str| {
            let settings = [("/proc/x".into(), value.to_owned())].into();
            set.state(&FixedView { settings, ..FixedView::default() })
        };
        let states = ["1", "2", "3", "1 [2]"].map(|value| state(value).unwrap());
        assert_eq!(
            states,
            [StepState::Before, StepState::After, StepState::Other, StepState::After]
        );
        assert!(set.state(&FixedView::default()).is_err());
    }

    fn form(size: u64) -> SwapFileSpec {
        let uuid = Uuid::parse("5a9c0f3e-7b1d-4e62-8f40-00000000c0de").unwrap();
        let format = Format::new(Bytes(size), 4096, uuid, None).unwrap();
        SwapFileSpec { size: Bytes(size), format, nocow: false }
    }

    fn content(form: &SwapFileSpec) -> Vec<u8> {
        let mut content = form.format.page();
        content.resize(usize::try_from(form.size.0).unwrap(), 0);
        content
    }

    #[test]
    fn file_is_identified_by_size_and_header() {
        let make = Step::File { path: "/s".into(), from: None, to: Some(form(50_000)) };
        let state = |step: &Step, content: Option<Vec<u8>>| {
            let contents = content.into_iter().map(|content| ("/s".into(), content)).collect();
            step.state(&FixedView { contents, ..FixedView::default() }).unwrap()
        };
        let contents = || {
            let mut cut = content(&form(50_000));
            cut.pop();
            [
                None,
                Some(content(&form(50_000))),
                Some(content(&form(60_000))),
                Some(cut),
                Some(vec![]),
            ]
        };
        let other = StepState::Other;
        let states = contents().map(|content| state(&make, content));
        assert_eq!(states, [StepState::Before, StepState::After, other, other, other]);
        let remove = make.inverse().unwrap();
        let states = contents().map(|content| state(&remove, content));
        assert_eq!(states, [StepState::After, StepState::Before, other, other, other]);
        assert!(make.formats() && !remove.formats() && make.outlasts_boot());
    }

    #[test]
    fn half_resized_file_can_be_brought_to_either_size() {
        let [small, large] = [form(50_000), form(60_000)];
        let grown = Step::File { path: "/s".into(), from: Some(small), to: Some(large) };
        let shrunk = grown.inverse().unwrap();
        let look = |header: u64, size: usize| {
            let mut content = form(header).format.page();
            content.resize(size, 0);
            FixedView { contents: [("/s".into(), content)].into(), ..FixedView::default() }
        };
        for half in [look(50_000, 55_000), look(50_000, 60_000), look(60_000, 55_000)] {
            for step in [&grown, &shrunk] {
                assert_eq!(step.state(&half), Ok(StepState::Before));
                assert_eq!(step.restoring_step(&half), Ok(step.inverse()));
            }
        }
        for (other, state) in [
            (look(50_000, 50_000), StepState::Before),
            (look(60_000, 60_000), StepState::After),
            (look(70_000, 55_000), StepState::Other),
            (look(50_000, 70_000), StepState::Other),
        ] {
            assert_eq!((grown.state(&other), grown.restoring_step(&other)), (Ok(state), Ok(None)));
        }
    }

    fn header() -> Format {
        let uuid = Uuid::parse("5a9c0f3e-7b1d-4e62-8f40-00000000c0de").unwrap();
        Format::new(Bytes(1 << 20), 4096, uuid, None).unwrap()
    }

    fn state_of_content(step: &Step, content: Vec<u8>) -> StepState {
        let contents = [("/dev/a".into(), content)].into();
        step.state(&FixedView { contents, ..FixedView::default() }).unwrap()
    }

    #[test]
    fn first_page_shows_whether_the_header_was_written() {
        let old = vec![7; 4096];
        let mark = Patch { at: 65_600, bytes: b"_BHRfS_M".to_vec() };
        let was = vec![Patch { at: 0, bytes: old.clone() }, mark.clone()];
        let step = Step::format("/dev/a".into(), Bytes(1 << 20), header(), was);
        let contents = || [old.clone(), header().page(), vec![9; 4096]];
        let back = step.inverse().unwrap();
        let states = contents().map(|content| state_of_content(&step, content));
        assert_eq!(states, [StepState::Before, StepState::After, StepState::Other]);
        let states = contents().map(|content| state_of_content(&back, content));
        assert_eq!(states, [StepState::After, StepState::Before, StepState::Other]);
        assert_eq!(step.rewrites().to[1], mark.cleared());
        let places = |step: &Step| step.rewrites().to.iter().map(|it| it.at).collect::<Vec<_>>();
        assert_eq!((places(&step), places(&back)), (vec![0, 65_600], vec![65_600, 0]));
        assert_eq!(back.rewrites().to[0], mark);
        assert_eq!(back.inverse(), Some(step));
    }

    #[test]
    fn missing_device_counts_as_before() {
        let step = Step::format_new("/dev/zram7".into(), Bytes(1 << 20), header());
        assert_eq!(step.state(&FixedView::default()), Ok(StepState::Before));
        assert_eq!(step.inverse().unwrap().state(&FixedView::default()), Ok(StepState::After));
        let contents = [("/dev/zram7".into(), vec![0; 4096])].into();
        assert_eq!(
            step.state(&FixedView { contents, ..FixedView::default() }),
            Ok(StepState::Before)
        );
    }
}
