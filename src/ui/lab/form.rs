//! The form of a workload or an experiment: its values become the options of `swapadm stress run` and
//! `swapadm experiment run`.

use crate::actions::shell_quoted;
use crate::model::{Name, worded_enum};
use std::collections::BTreeMap;

/// The kind of session. Experiments are listed first, because there are few of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum RunnableKind {
    /// A workload in several cases that are compared.
    Experiment,
    /// A workload.
    #[default]
    Load,
}

impl RunnableKind {
    /// The fields of the form, in the order of the screen.
    pub const fn fields(self) -> &'static [FieldInfo] {
        match self {
            Self::Experiment => EXPERIMENT_FIELDS,
            Self::Load => LOAD_FIELDS,
        }
    }

    /// The command that runs a session of this kind.
    pub const fn command(self) -> [&'static str; 3] {
        match self {
            Self::Experiment => ["swapadm", "experiment", "run"],
            Self::Load => ["swapadm", "stress", "run"],
        }
    }

    /// The heading of the list.
    pub const fn heading(self) -> &'static str {
        match self {
            Self::Experiment => "experiments",
            Self::Load => "workloads",
        }
    }
}

worded_enum! {
    /// A field of the form. Its word is its name on the screen, and that of the option.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum FormField {
        /// The memory limit.
        Limit = "limit",
        /// Temporary swap on zram.
        Zram = "zram",
        /// Temporary swap files.
        File = "file",
        /// The priority of the temporary areas.
        Priority = "priority",
        /// The compression algorithm of temporary zram devices.
        Algorithm = "algorithm",
        /// The number of runs.
        Repeat = "repeat",
        /// The random seed.
        Seed = "seed",
        /// Temporary kernel settings.
        Set = "set",
        /// Keys of the workload file with other values.
        With = "with",
        /// The factor for the sizes in the experiment.
        Scale = "scale",
        /// The kind of the temporary areas.
        Kind = "kind",
        /// The cases to run.
        Only = "only",
    }
}

/// The description of a field.
#[derive(Debug)]
pub struct FieldInfo {
    /// The field.
    pub field: FormField,
    /// The value shown while nothing is set.
    pub unset: &'static str,
    /// The values that can be typed.
    pub accepts: &'static str,
    /// The values that the keys cycle through, after "not set".
    presets: &'static [&'static str],
}

impl FieldInfo {
    /// The option of the command line.
    pub fn option(&self) -> String {
        format!("--{}", self.field.word())
    }
}

const fn info(
    field: FormField,
    (unset, accepts): (&'static str, &'static str),
    presets: &'static [&'static str],
) -> FieldInfo {
    FieldInfo { field, unset, accepts, presets }
}

/// The fields of workloads.
#[rustfmt::skip]
static LOAD_FIELDS: &[FieldInfo] = &[
    info(FormField::Limit, ("default", "memory limit of all its processes: 512M, or 25% of available memory"), &["64M", "128M", "256M", "512M", "1G", "2G", "4G", "25%", "50%"]),
    info(FormField::Zram, ("auto", "temporary zram swap: 1G, or 4x1G for four devices; without one, 1G if no swap is active"), &["64M", "2x64M", "256M", "4x256M", "1G", "2x1G", "4x1G", "8x1G"]),
    info(FormField::File, ("none", "temporary swap files in /var/tmp: 1G, or 2x512M for two files"), &["64M", "2x64M", "256M", "1G", "2x1G", "4x1G"]),
    info(FormField::Priority, ("auto", "priority of the temporary areas: 0 to 32767, or default; without one, above all active areas, if there are any"), &["default", "0", "100", "32767"]),
    info(FormField::Algorithm, ("default", "compression algorithm of the temporary zram devices"), &["lzo-rle", "lz4", "zstd"]),
    info(FormField::Repeat, ("once", "number of runs: 1 to 1000"), &["2", "3", "5", "10"]),
    info(FormField::Seed, ("1", "random seed: the same seed gives the same accesses"), &["2", "3", "4", "5"]),
    info(FormField::Set, ("no settings", "temporary settings KNOB=VALUE, such as page-cluster=0; separate several with blanks"), &[]),
    info(FormField::With, ("no changes", "keys of the workload file KEY=VALUE, such as processes=8; separate several with blanks"), &[]),
];

/// The fields of experiments.
#[rustfmt::skip]
static EXPERIMENT_FIELDS: &[FieldInfo] = &[
    info(FormField::Limit, ("default", "memory limit of each run: 256M, or 5% of available memory; areas scale with it"), &["64M", "128M", "256M", "512M", "1G", "2%", "5%", "10%"]),
    info(FormField::Scale, ("1", "factor for the sizes in the experiment, such as 0.5; replaces the limit"), &["0.1", "0.25", "0.5", "2", "4"]),
    info(FormField::Repeat, ("default", "runs of each case: 1 to 1000"), &["1", "2", "3", "5", "10"]),
    info(FormField::Seed, ("1", "random seed: the same seed gives the same order and accesses"), &["2", "3", "4", "5"]),
    info(FormField::Only, ("all cases", "run only these cases: FACTOR=VALUE,VALUE, such as page-cluster=0,3; separate several with blanks"), &[]),
    info(FormField::Kind, ("default", "kind of the temporary areas: zram, file, or one for each area such as zram,file"), &["zram", "file"]),
];

impl FormField {
    /// The field that excludes this one: setting one clears the other.
    const fn excludes(self) -> Option<Self> {
        match self {
            Self::Limit => Some(Self::Scale),
            Self::Scale => Some(Self::Limit),
            _ => None,
        }
    }

    /// The fields of which at least one must be set for this one to have an effect.
    const fn needs(self) -> &'static [Self] {
        match self {
            Self::Priority => &[Self::Zram, Self::File],
            Self::Algorithm => &[Self::Zram],
            _ => &[],
        }
    }
}

/// A message about options of the command, reworded to name the fields of the form.
pub fn with_field_names(what: RunnableKind, text: &str) -> String {
    let said = |text: String, info: &FieldInfo| {
        text.replace(&info.option(), &format!("field {}", info.field.word()))
    };
    what.fields().iter().fold(text.to_owned(), said)
}

/// How a workload or an experiment is to be run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Form {
    /// The kind of session.
    pub what: RunnableKind,
    /// The name on the screen.
    pub load: String,
    /// The values set, separately for each kind of session.
    values: BTreeMap<(RunnableKind, FormField), String>,
}

impl Form {
    /// A form with nothing set.
    pub fn new(what: RunnableKind, load: &str) -> Self {
        Self { what, load: load.to_owned(), values: BTreeMap::new() }
    }

    /// The value of a field, if it is set.
    pub fn get(&self, field: FormField) -> Option<&str> {
        self.values.get(&(self.what, field)).map(String::as_str)
    }

    /// Sets a field; a blank text resets it.
    pub fn set(&mut self, field: FormField, text: &str) {
        let text = text.trim();
        if text.is_empty() {
            self.values.remove(&(self.what, field));
            return;
        }
        self.values.insert((self.what, field), text.to_owned());
        if let Some(other) = field.excludes() {
            self.values.remove(&(self.what, other));
        }
    }

    /// Sets a field to its next or previous preset; false if it has no presets.
    pub fn turn(&mut self, field: FormField, back: bool) -> bool {
        let info = self.what.fields().iter().find(|info| info.field == field);
        let presets = info.map_or(&[][..], |info| info.presets);
        let all: Vec<&str> = std::iter::once("").chain(presets.iter().copied()).collect();
        let now = self.get(field).unwrap_or("");
        let count = all.len();
        let next = match all.iter().position(|preset| *preset == now) {
            Some(place) if back => (place + count - 1) % count,
            Some(place) => (place + 1) % count,
            None => 0,
        };
        let next = all.get(next).copied().unwrap_or("");
        self.set(field, next);
        !presets.is_empty()
    }

    /// The arguments of the command.
    pub fn words(&self) -> Vec<String> {
        let is_of_use = |info: &&FieldInfo| {
            let needs = info.field.needs();
            needs.is_empty() || needs.iter().any(|field| self.get(*field).is_some())
        };
        let mut words = vec![self.load.clone()];
        for info in self.what.fields().iter().filter(is_of_use) {
            let typed = values(info.field, self.get(info.field).unwrap_or(""));
            // The equals sign keeps values that begin with a hyphen apart from options.
            words.extend(typed.iter().map(|value| format!("{}={value}", info.option())));
        }
        words
    }

    /// The equivalent command.
    pub fn command(&self) -> String {
        let words = self.words();
        let quoted = words.iter().map(|word| shell_quoted(&Name::from(word.as_str())));
        format!("{} {}", self.what.command().join(" "), quoted.collect::<Vec<_>>().join(" "))
    }
}

/// The values of a field. A word without "=" belongs to the value before it, as in the path of a file.
fn values(field: FormField, text: &str) -> Vec<String> {
    let is_pair = matches!(field, FormField::Set | FormField::With | FormField::Only);
    let mut values = Vec::<String>::new();
    for word in text.split_whitespace() {
        match values.last_mut().filter(|_| is_pair && !word.contains('=')) {
            Some(last) => *last = format!("{last} {word}"),
            None => values.push(word.to_owned()),
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(values: &[(FormField, &str)]) -> Form {
        let mut form = Form::new(RunnableKind::Load, "usemem");
        for (field, text) in values {
            form.set(*field, text);
        }
        form
    }

    #[test]
    fn every_field_is_listed_once_and_its_presets_cycle() {
        let both = [RunnableKind::Experiment, RunnableKind::Load];
        let all = both.iter().flat_map(|what| what.fields().iter().map(move |info| (*what, info)));
        for (what, info) in all {
            let fields = what.fields().iter();
            assert_eq!(fields.filter(|other| other.field == info.field).count(), 1);
            let mut form = Form::new(what, "x");
            for preset in info.presets {
                assert!(form.turn(info.field, false));
                assert_eq!(form.get(info.field), Some(*preset));
            }
            form.turn(info.field, false);
            assert_eq!(form.get(info.field), None, "{:?}", info.field);
            form.turn(info.field, true);
            assert_eq!(form.get(info.field), info.presets.last().copied());
        }
    }

    #[test]
    fn messages_about_options_name_fields() {
        let said = with_field_names(RunnableKind::Load, "make --limit smaller, or with --zram 1G");
        assert_eq!(said, "make field limit smaller, or with field zram 1G");
        for what in [RunnableKind::Experiment, RunnableKind::Load] {
            for info in what.fields() {
                let name = format!("field {}", info.field.word());
                assert_eq!(with_field_names(what, &info.option()), name);
            }
        }
    }

    #[test]
    fn typed_values_become_options() {
        let set = [(FormField::Set, "page-cluster=0  swappiness=200"), (FormField::Repeat, "3")];
        let command =
            "swapadm stress run usemem --repeat=3 --set=page-cluster=0 --set=swappiness=200";
        assert_eq!(form(&set).command(), command);
        let quoted = form(&[(FormField::With, "name=$x")]).command();
        assert_eq!(quoted, "swapadm stress run usemem '--with=name=$x'");
    }

    #[test]
    fn experiment_forms_build_experiment_commands() {
        let mut form = form(&[(FormField::Limit, "64M"), (FormField::Repeat, "3")]);
        (form.what, form.load) = (RunnableKind::Experiment, "balance".to_owned());
        assert_eq!(form.command(), "swapadm experiment run balance");
        form.set(FormField::Scale, "0.5");
        form.set(FormField::Only, "a=1,2  b=3");
        let command = "swapadm experiment run balance --scale=0.5 --only=a=1,2 --only=b=3";
        assert_eq!(form.command(), command);
        // One replaces the other, because the command accepts only one of them.
        form.set(FormField::Limit, "1G");
        assert_eq!(form.get(FormField::Scale), None);
        assert_eq!(form.words()[..2], ["balance", "--limit=1G"]);
        (form.what, form.load) = (RunnableKind::Load, "usemem".to_owned());
        assert_eq!(form.words(), ["usemem", "--limit=64M", "--repeat=3"]);
    }

    #[test]
    fn area_settings_need_an_area() {
        let (priority, algorithm) = ((FormField::Priority, "5"), (FormField::Algorithm, "lz4"));
        assert_eq!(form(&[priority, algorithm]).words(), ["usemem"]);
        let both = form(&[priority, (FormField::Zram, "2x64M"), (FormField::Limit, " ")]);
        assert_eq!(both.words(), ["usemem", "--zram=2x64M", "--priority=5"]);
        let file = form(&[priority, algorithm, (FormField::File, "64M")]);
        assert_eq!(file.words(), ["usemem", "--file=64M", "--priority=5"]);
    }
}
