use super::*;
use crate::root::testing::mangled;

fn setting(knob: &str, group: Option<&str>, value: &str) -> (Setting, String) {
    (Setting { knob: knob.to_owned(), group: group.map(Name::from) }, value.to_owned())
}

fn full() -> SwapStateFile {
    let area = |name: &[u8], size, priority, discard| StateArea {
        name: Name::new(name.to_vec()),
        size,
        priority,
        discard,
    };
    SwapStateFile {
        only: true,
        boot: true,
        areas: vec![
            area(b"UUID=5a9c0f3e-7b1d-4e62-8f40-00000000c0de", None, Some(Priority::Set(5)), None),
            area(
                b"/a \"b\"\\\n\xff",
                Some(Bytes(3 << 29)),
                Some(Priority::Default),
                Some(Discard::Once),
            ),
        ],
        zram: vec![StateZram {
            number: 3,
            size: Bytes(2304 << 20),
            algorithm: Some("zstd".to_owned()),
            second_algorithm: Some("lz4".to_owned()),
            limit: Some(Bytes(0)),
            backing: Some("/dev/sdb1".into()),
            priority: Some(Priority::Set(100)),
        }],
        settings: vec![
            setting("lru_gen_min_ttl_ms", None, "0"),
            setting("page-cluster", None, "0"),
            setting("thp.defrag", None, "+5"),
            setting("thp.enabled", None, "madvise"),
            setting("zswap.compressor", None, "lz4"),
            setting("zswap.enabled", None, "N"),
            setting("memory.max", Some("/a b"), "1G"),
            setting("memory.swap.max", Some("/a b"), "max"),
        ],
        order: vec!["/a \"b\"".into(), "zram3".into()],
        upkeep: Some(UpkeepPolicy {
            age: 90,
            recompress: false,
            budget: Some(Bytes(1 << 30)),
            compact_from: 0.25,
        }),
        not_saved: Vec::new(),
    }
}

fn sorted(mut state: SwapStateFile) -> SwapStateFile {
    state
        .settings
        .sort_by_key(|(setting, _)| (setting.group.as_ref().map(Name::safe), setting.knob.clone()));
    state
}

#[test]
fn a_written_file_is_read_as_the_same_state() {
    let text = text(&full());
    assert_eq!(sorted(read("x", &text).unwrap()), sorted(full()), "{text}");
}

const JSON: &str = r#"
{
  "only": true,
  "area": [
    { "name": "\/sw\u0041p: {\"n\"}",
      "size": "1G", "priority": 7 }
  ],
  "zram": [ { "device": "zram0", "size": "512M" } ],
  "zswap": { "enabled": false },
  "settings": { "swappiness": 100, "zswap": { "max_pool_percent": 20 } },
  "cgroup": [ { "path": "/user.slice", "memory": { "swap": { "max": "max" } } } ]
}
"#;

#[test]
fn json_is_read_as_the_same_keys() {
    let state = read("f", JSON).unwrap();
    assert_eq!(state.areas[0].name, Name::from("/swAp: {\"n\"}"));
    assert_eq!(state.areas[0].priority, Some(Priority::Set(7)));
    assert_eq!((state.only, state.zram[0].size), (true, Bytes(512 << 20)));
    let settings = [
        setting("swappiness", None, "100"),
        setting("zswap.max_pool_percent", None, "20"),
        setting("zswap.enabled", None, "false"),
        setting("memory.swap.max", Some("/user.slice"), "max"),
    ];
    assert_eq!(state.settings, settings);
    let windows = JSON.replace('\n', "\r\n");
    assert_eq!(read("f", &windows).unwrap(), state);
}

#[test]
fn errors_name_line_key_and_allowed_values() {
    let said = |text: &str| read("f", text).unwrap_err()[0].to_string();
    for (text, words) in [
        ("[[area]]\nname = \"/x\"\npriority = 40000\n", ["f:3: ", "0 to 32767"]),
        ("[[area]]\npriority = 1\n", ["name", "required"]),
        ("[[area]]\nname = \"/x\"\ndiscard = \"yes\"\n", ["f:3: ", "none, once, pages or both"]),
        ("[[area]]\nname = \"/x\"\nsize = \"1K\"\n", ["f:3: ", "40K"]),
        ("[[zram]]\ndevice = \"sda\"\nsize = \"1G\"\n", ["f:2: ", "zram0"]),
        ("[[zram]]\ndevice = \"zram0\"\nsize = \"1\"\n", ["f:3: ", "no unit"]),
        ("onyl = true\n", ["f:1: ", "did you mean only?"]),
        ("only = \"maybe\"\n", ["f:1: only", "true or false"]),
        ("[settings]\nswapiness = 1\n", ["f:2: settings.swapiness", "swappiness"]),
        ("[zswap]\nenable = true\n", ["f:2: zswap.enable", "did you mean enabled?"]),
        ("[[cgroup]]\npath = \"/x\"\nmemory.low = 1\n", ["f:3: ", "memory.swap.max"]),
        ("[area]\nname = \"/x\"\n", ["f:1: area", "[[area]]"]),
        ("{\n\"only\": 7\n}", ["f:2: only", "true or false"]),
        ("{\n\"area\": [\n{\"name\": \"/x\",\n\"priority\": -1}]}", ["f:4: ", "use default"]),
        ("{\n\"only\": true,\n}", ["f:3: ", "not JSON"]),
        ("{\n\"boot\": null}", ["f:2: ", "omit the key"]),
        ("{\n\"boot\": true,\n\"boot\": true}", ["f:3: boot", "set twice"]),
    ] {
        let error = said(text);
        assert!(words.iter().all(|word| error.contains(word)), "{text}: {error}");
    }
}

#[test]
fn damaged_files_give_errors_and_never_panic() {
    for good in [text(&full()), JSON.to_owned()] {
        let (mut read_well, mut refused) = (0, 0);
        mangled(good.as_bytes(), 3000, |bytes| {
            let file = crate::config::decode("f", bytes).map_err(|problem| vec![problem]);
            match file.and_then(|text| read("f", text)) {
                Ok(state) => {
                    let again = read("f", &text(&state)).unwrap();
                    assert_eq!(sorted(again), sorted(state));
                    read_well += 1;
                }
                Err(problems) => {
                    assert!(!problems.is_empty());
                    refused += 1;
                }
            }
        });
        assert!(read_well > 10 && refused > 100, "{read_well} {refused}");
    }
}

#[test]
fn a_policy_of_upkeep_has_the_defaults_of_the_command() {
    let policy = |text: &str| read("f", text).unwrap().upkeep;
    assert_eq!(policy(""), None);
    assert_eq!(policy("[upkeep]\n"), Some(UpkeepPolicy::default()));
    let some = policy("[upkeep]\nage = \"2h\"\nbudget = \"1G\"\ncompact-from = 25\n").unwrap();
    let budget = Some(Bytes(1 << 30));
    let expected = UpkeepPolicy { age: 7200, recompress: true, budget, compact_from: 0.25 };
    assert_eq!(some, expected);
    for (text, words) in [
        ("[upkeep]\nages = 1\n", ["f:2: upkeep.ages", "did you mean age?"]),
        ("[upkeep]\nage = 0\n", ["f:2: upkeep.age", "seconds from 1"]),
        ("[upkeep]\nbudget = \"no\"\n", ["f:2: upkeep.budget", "a size from 4K"]),
        ("[upkeep]\ncompact-from = 101\n", ["f:2: upkeep.compact-from", "0% to 100%"]),
        ("upkeep = 1\n", ["f:1: upkeep", "[upkeep]"]),
    ] {
        let error = read("f", text).unwrap_err()[0].to_string();
        assert!(words.iter().all(|word| error.contains(word)), "{text}: {error}");
    }
}

#[test]
fn the_limits_of_thousands_of_cgroups_are_read_as_written() {
    let group = |number: u32| {
        let group = format!("/system.slice/service-{number}");
        setting("memory.max", Some(&group), "512M")
    };
    let state =
        SwapStateFile { settings: (0..10_000).map(group).collect(), ..SwapStateFile::default() };
    let text = text(&state);
    assert!(text.len() > crate::config::MAX_FILE_BYTES);
    assert_eq!(read("x", &text).unwrap(), state);
    let broken = format!("{text}[[cgroup]]\npath = 7\n");
    let error = read("x", &broken).unwrap_err()[0].to_string();
    let line = broken.lines().count();
    assert!(error.starts_with(&format!("x:{line}: ")), "{error}");
}
