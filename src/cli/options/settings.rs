//! Settings: the path of their file, and how the file, the environment and the arguments combine.

use super::Environment;
use crate::cli::args::SettingsArgs;
use crate::cli::exit::{CommandError, CommandResult, usage};
use crate::cli::out;
use crate::config::{self, KeyLocation, MAX_FILE_BYTES, Problem};
use crate::model::{Missing, Policy, Reading};
use crate::root::Root;
use crate::sys::own_file;
use crate::ui::settings::{self, ColorChoice, FILE_IGNORED, SETTINGS, Settings};
use std::path::{Path, PathBuf};

/// The file of the program below an XDG base directory, or below the usual place of that directory in the home
/// directory; none if neither is an absolute path: the XDG specification has relative paths ignored.
pub(super) fn own_path(
    base: Option<PathBuf>,
    (home, usual): (Option<PathBuf>, &str),
    name: &str,
) -> Option<PathBuf> {
    let absolute = |folder: Option<PathBuf>| folder.filter(|folder| folder.is_absolute());
    let folder = absolute(base).or_else(|| Some(absolute(home)?.join(usual)))?;
    Some(folder.join(name))
}

/// The file that settings are read from and saved to, if any.
pub fn settings_file(environment: &Environment, args: &SettingsArgs) -> Option<PathBuf> {
    if args.look.no_config {
        return None;
    }
    args.look.config.clone().or_else(|| environment.config.clone())
}

/// Combines the defaults, the file, the environment and the arguments; later ones override earlier
/// ones. Mistakes in the file or the environment are returned as problems.
///
/// # Errors
/// An argument is wrong.
pub fn resolve(
    file: &str,
    environment: &Environment,
    args: &SettingsArgs,
) -> CommandResult<(Settings, Vec<Problem>)> {
    let name = settings_file(environment, args).unwrap_or_default();
    let (mut settings, mut problems) = settings::read(&name.to_string_lossy(), file);
    if environment.no_color {
        settings.color = ColorChoice::Never;
    }
    for setting in SETTINGS {
        let said = setting.env.and_then(|name| environment.settings.get_key_value(name));
        let Some((name, value)) = said else { continue };
        if let Err(what) = setting.set_text(&mut settings, "", value) {
            problems.push(KeyLocation::in_file(name).problem(&what));
        }
    }
    for setting in SETTINGS {
        let typed = setting.flag.and_then(|flag| Some((flag, typed(args, flag)?)));
        let Some((flag, value)) = typed else { continue };
        setting
            .set_text(&mut settings, "", value)
            .map_err(|what| usage(format!("{flag}: {what}")))?;
    }
    Ok((settings, problems))
}

/// Says which lines of the settings have no effect.
pub fn remark_problems(problems: &[Problem]) {
    for problem in problems {
        let is_line = problem.place.line.is_some() && !problem.text.ends_with(FILE_IGNORED);
        let effect = if is_line { "; this line has no effect" } else { "" };
        out::remark(&format!("settings: {problem}{effect}"));
    }
}

/// The argument of an option of the list of settings.
fn typed<'a>(args: &'a SettingsArgs, flag: &str) -> Option<&'a str> {
    let look = &args.look;
    match flag {
        "--interval" => args.interval.as_deref(),
        "--color" => look.color.as_deref(),
        "--theme" => look.theme.as_deref(),
        "--glyphs" => look.glyphs.as_deref().or_else(|| look.ascii.then_some("ascii")),
        "--screen" => look.screen.as_deref(),
        "--no-mouse" => look.no_mouse.then_some("false"),
        _ => None,
    }
}

/// Reads the settings file and combines it with the environment and the arguments. A file that
/// cannot be read is returned as a problem.
///
/// # Errors
/// Those of [`resolve`].
pub fn load(
    environment: &Environment,
    args: &SettingsArgs,
) -> CommandResult<(Settings, Vec<Problem>)> {
    let file = settings_file(environment, args);
    // A file named by --config must exist.
    let text = file.map_or(Ok(String::new()), |file| text_of(&file, args.look.config.is_some()));
    let (text, unread) = match text {
        Ok(text) => (text, None),
        Err(problem) => (String::new(), Some(problem)),
    };
    let (settings, mut problems) = resolve(&text, environment, args)?;
    problems.splice(0..0, unread);
    Ok((settings, problems))
}

/// The thresholds in effect, and problems of the settings file.
///
/// # Errors
/// An argument is wrong, or a file named by `--config` cannot be read: judging by other thresholds
/// than intended would be worse than an error.
pub fn policy(
    environment: &Environment,
    args: &SettingsArgs,
) -> CommandResult<(Policy, Vec<Problem>)> {
    if let Some(file) = &args.look.config {
        text_of(file, true).map_err(|problem| CommandError::file(file, problem))?;
    }
    let (settings, problems) = load(environment, args)?;
    Ok((settings.policy, problems))
}

/// Writes the differences between two settings to the file. Returns false if there are none.
///
/// # Errors
/// The file cannot be read, parsed or written; it is then unchanged.
pub fn save(file: &Path, from: &Settings, to: &Settings) -> CommandResult<bool> {
    let told = |problem: Problem| CommandError::file(file, problem);
    let old = text_of(file, false).map_err(told)?;
    let new = settings::carry(&old, from, to).map_err(told)?;
    if new == old {
        return Ok(false);
    }
    out::replace_file(file, &new).map(|()| true)
}

fn text_of(file: &Path, has_to_be_there: bool) -> Result<String, Problem> {
    let bytes = match bytes_of(file).into_result() {
        Ok(bytes) => bytes,
        Err(Missing::Absent(_)) if !has_to_be_there => Vec::new(),
        Err(missing) => return Err(KeyLocation::default().problem(&missing.why())),
    };
    config::decode("", &bytes).map(str::to_owned)
}

/// The bytes of the file behind any links, up to one more than the largest size that is accepted.
fn bytes_of(file: &Path) -> Reading<Vec<u8>> {
    match own_file::resolve_links(file) {
        Ok(file) => Root::live().read_head(file, MAX_FILE_BYTES + 1),
        Err(error) => Reading::failed(format!("reading {}: {error}", file.display())),
    }
}

#[cfg(test)]
mod tests;
