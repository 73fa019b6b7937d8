#![allow(clippy::disallowed_methods, reason = "tests write their own files")]

use super::*;
use crate::cli::args::LookArgs;
use crate::ui::settings::GlyphChoice;
use clap::{CommandFactory as _, Parser};
use std::ffi::OsString;
use std::fs;
use std::time::Duration;

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    settings: SettingsArgs,
}

fn args(typed: &[&str]) -> SettingsArgs {
    let words = ["swapadm"].into_iter().chain(typed.iter().copied());
    Line::try_parse_from(words).unwrap_or_else(|error| panic!("{error}")).settings
}

fn environment(variables: &[(&str, &str)]) -> Environment {
    Environment::from_variables(|name| {
        let found = variables.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| OsString::from(value))
    })
}

/// The interval in milliseconds, the colours, the characters, and the problems.
fn resolved(
    file: &str,
    variables: &[(&str, &str)],
    typed: &[&str],
) -> (u128, ColorChoice, GlyphChoice, Vec<String>) {
    let (settings, problems) = resolve(file, &environment(variables), &args(typed)).unwrap();
    let told = problems.iter().map(ToString::to_string).collect();
    (settings.interval.as_millis(), settings.color, settings.glyphs, told)
}

#[test]
fn later_layers_override_earlier_ones() {
    use {ColorChoice as C, GlyphChoice as G};
    let file = "interval = 2\ncolor = 256\nglyphs = \"vt\"";
    let set = [("SWAPADM_INTERVAL", "3"), ("SWAPADM_COLOR", "16"), ("SWAPADM_GLYPHS", "blocks")];
    let typed = ["--interval", "400ms", "--color", "true", "--ascii"];
    let unset = [("SWAPADM_INTERVAL", ""), ("SWAPADM_COLOR", ""), ("NO_COLOR", "")];
    let none = Vec::new;
    assert_eq!(resolved("", &[], &[]), (1000, C::Auto, G::Auto, none()));
    assert_eq!(resolved(file, &[], &[]), (2000, C::Palette256, G::Vt, none()));
    assert_eq!(resolved(file, &unset, &[]), (2000, C::Palette256, G::Vt, none()));
    assert_eq!(resolved(file, &set, &[]), (3000, C::Ansi16, G::Blocks, none()));
    assert_eq!(resolved(file, &set, &typed), (400, C::True, G::Ascii, none()));
    assert_eq!(resolved("", &[], &typed), (400, C::True, G::Ascii, none()));
    assert_eq!(resolved(file, &[], &["--glyphs", "full"]).2, G::Full);
}

#[test]
fn no_color_overrides_the_file_only() {
    let color = |set: &[(&str, &str)], typed: &[&str]| resolved("color = 256", set, typed).1;
    assert_eq!(color(&[("NO_COLOR", "1")], &[]), ColorChoice::Never);
    assert_eq!(color(&[("NO_COLOR", "1"), ("SWAPADM_COLOR", "auto")], &[]), ColorChoice::Auto);
    assert_eq!(color(&[("NO_COLOR", "1")], &["--color", "16"]), ColorChoice::Ansi16);
}

#[test]
fn bad_variable_is_reported_and_ignored() {
    let (interval, _, _, told) = resolved("interval = 2", &[("SWAPADM_INTERVAL", "x\u{1b}")], &[]);
    assert_eq!(interval, 2000);
    assert_eq!(
        told,
        [
            "SWAPADM_INTERVAL: \"x\\u{1b}\" is not valid: use seconds from 0.1 to 3600, such as 30, 0.5s or 10m"
        ]
    );
}

#[test]
fn a_bad_flag_ends_the_program() {
    for typed in [
        ["--color", "red"],
        ["--glyphs", "x"],
        ["--screen", "teach"],
        ["--ascii", "--glyphs=vt"],
        ["--no-config", "--config=x"],
    ] {
        assert!(Line::try_parse_from(["swapadm"].into_iter().chain(typed)).is_err(), "{typed:?}");
    }
    let told = resolve("", &Environment::default(), &args(&["--interval", "0"])).unwrap_err();
    assert!(
        matches!(&told, CommandError::Usage(what) if what.starts_with("--interval: \"0\" is not"))
    );
}

#[test]
fn every_variable_and_flag_of_the_list_is_known() {
    let command = Line::command();
    let flags: Vec<String> =
        command.get_arguments().filter_map(|arg| Some(format!("--{}", arg.get_long()?))).collect();
    for setting in SETTINGS {
        if let Some(name) = setting.env {
            let environment = environment(&[(name, "x")]);
            assert_eq!(environment.settings.get(name).map(String::as_str), Some("x"), "{name}");
        }
        if let Some(flag) = setting.flag {
            assert!(flags.iter().any(|known| known == flag), "{flag}");
            let value = setting.get.unwrap()(&Settings::default(), "");
            let word = format!("{flag}={value}");
            let typed_as = if flag == "--no-mouse" { flag } else { &word };
            assert!(typed(&args(&[typed_as]), flag).is_some(), "{flag}");
        }
    }
}

#[test]
fn the_file_is_where_the_standard_says() {
    let place = |set: &[(&str, &str)]| environment(set).config;
    let home = ("HOME", "/home/a");
    let below = |folder: &str| Some(PathBuf::from(folder).join("swapadm/config.toml"));
    assert_eq!(place(&[home]), below("/home/a/.config"));
    assert_eq!(place(&[home, ("XDG_CONFIG_HOME", "/x")]), below("/x"));
    assert_eq!(place(&[home, ("XDG_CONFIG_HOME", "x")]), below("/home/a/.config"));
    assert_eq!(place(&[home, ("XDG_CONFIG_HOME", "")]), below("/home/a/.config"));
    assert_eq!(place(&[("HOME", "a")]), None);
    let file = |typed: &[&str]| settings_file(&environment(&[home]), &args(typed));
    assert_eq!(file(&["--no-config"]), None);
    assert_eq!(file(&["--config", "x.toml"]), Some(PathBuf::from("x.toml")));
}

fn load_file(file: &Path) -> (Settings, Vec<String>) {
    let environment = Environment { config: Some(file.to_owned()), ..Environment::default() };
    let (settings, problems) = load(&environment, &SettingsArgs::default()).unwrap();
    (settings, problems.iter().map(ToString::to_string).collect())
}

#[test]
fn saved_settings_are_read_back() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("swapadm/config.toml");
    assert_eq!(load_file(&file), (Settings::default(), vec![]));
    let mut settings = Settings::default();
    save(&file, &settings, &settings).unwrap();
    assert!(!file.exists());
    settings.interval = Duration::from_secs(5);
    save(&file, &Settings::default(), &settings).unwrap();
    assert_eq!(load_file(&file), (settings.clone(), vec![]));
    fs::write(&file, "interval = 5 # slow\ncolor =").unwrap();
    let told = save(&file, &settings, &Settings::default()).unwrap_err().to_string();
    assert!(told.contains("config.toml: line 2: this is not TOML"), "{told}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "interval = 5 # slow\ncolor =");
    assert_eq!(load_file(&file).0, Settings::default());
}

#[test]
fn unreadable_settings_file_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    let (settings, told) = load_file(dir.path());
    assert_eq!(settings, Settings::default());
    assert!(told[0].starts_with("reading /"), "{told:?}");
    let named = LookArgs { config: Some(dir.path().join("x")), ..LookArgs::default() };
    let named = SettingsArgs { look: named, ..SettingsArgs::default() };
    let (_, problems) = load(&Environment::default(), &named).unwrap();
    assert!(problems[0].text.ends_with("/x does not exist"), "{problems:?}");
    let large = dir.path().join("large");
    fs::write(&large, "#".repeat(MAX_FILE_BYTES + 1)).unwrap();
    assert_eq!(load_file(&large).1, ["the file is larger than 65536 bytes: not read"]);
    fs::write(&large, "#".repeat(MAX_FILE_BYTES)).unwrap();
    assert_eq!(load_file(&large), (Settings::default(), vec![]));
}
