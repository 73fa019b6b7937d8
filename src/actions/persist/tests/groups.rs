//! Tests of cgroup limits.

use super::*;

fn systemd(release: Option<u32>) -> PersistentSettings {
    PersistentSettings { systemd: true, systemd_release: release, ..PersistentSettings::default() }
}

fn group(path: &str, value: &str) -> Goal {
    setting(&format!("/sys/fs/cgroup/{path}"), value)
}

#[test]
fn cgroup_limit_is_written_as_unit_drop_in() {
    let here = systemd(Some(257));
    let cases = [
        ("system.slice/db.service/memory.swap.max", "db.service", "Service", "MemorySwapMax"),
        ("a.slice/a-b.slice/memory.swap.max", "a-b.slice", "Slice", "MemorySwapMax"),
        ("system.slice/memory.zswap.max", "system.slice", "Slice", "MemoryZSwapMax"),
        ("system.slice/x.socket/memory.swap.max", "x.socket", "Socket", "MemorySwapMax"),
        ("system.slice/dev-a.swap/memory.swap.max", "dev-a.swap", "Swap", "MemorySwapMax"),
        ("system.slice/_memory.mount/memory.swap.max", "memory.mount", "Mount", "MemorySwapMax"),
        (
            "user.slice/user-1.slice/user@1.service/memory.zswap.writeback",
            "user@1.service",
            "Service",
            "MemoryZSwapWriteback",
        ),
    ];
    for (path, unit, section, key) in cases {
        let file = format!("/etc/systemd/system/{unit}.d/zz-swapadm.conf");
        let text = format!("[{section}]\n{key}=4096\n");
        let new = written(&[group(path, "4096")], &[], &here, &[]).unwrap();
        assert_eq!(new, [pair(&file, &text)]);
        let texts = [(file.as_str(), text.as_str())];
        let none = written(&[group(path, "max")], &[], &here, &texts).unwrap();
        assert_eq!(none, [pair(&file, &text.replace("4096", "infinity"))]);
        let unset = [Goal::Unset(format!("/sys/fs/cgroup/{path}").as_str().into())];
        assert_eq!(written(&unset, &[], &here, &texts).unwrap(), [pair(&file, GONE)]);
        assert_eq!(written(&unset, &[], &here, &[]).unwrap(), [], "nothing says it");
    }
}

#[test]
fn limit_that_systemd_cannot_set_is_refused() {
    let refused = |path: &str, lasting: &PersistentSettings, texts: &[(&str, &str)]| {
        written(&[group(path, "4096")], &[], lasting, texts).unwrap_err()
    };
    let here = systemd(None);
    let cases = [
        ("system.slice/db.service/memory.swap.high", "no such setting"),
        ("memory/db/memory.memsw.limit_in_bytes", "no such setting"),
        ("user.slice/user-1.slice/session-1.scope/memory.swap.max", "a scope"),
        ("user.slice/user@1.service/app.slice/x.service/memory.swap.max", "below user@1.service"),
        ("docker/abc.service/memory.swap.max", "below docker"),
        ("db/memory.swap.max", "not a systemd unit"),
        ("memory.swap.max", "root"),
    ];
    for (path, why) in cases {
        let said = refused(path, &here, &[]);
        assert!(said.contains(why), "{path}: {said}");
    }
    let (swap, zswap) = ("a.slice/memory.swap.max", "a.slice/memory.zswap.max");
    assert!(refused(swap, &PersistentSettings::default(), &[]).contains("not created by systemd"));
    let old = refused(zswap, &systemd(Some(252)), &[]);
    assert!(old.contains("253") && old.contains("252"), "{old}");
    let after = "/etc/systemd/system/a.slice.d/zzz.conf";
    let said = refused(swap, &here, &[(after, "[Slice]\nMemorySwapMax=1\n")]);
    assert!(said.contains(after) && said.contains("MemorySwapMax"), "{said}");
}

#[test]
fn transient_unit_is_refused() {
    let file = "/run/systemd/transient/job.service";
    let goal = group("system.slice/job.service/memory.swap.max", "4096");
    let refused = |texts: &[_]| written(std::slice::from_ref(&goal), &[], &systemd(None), texts);
    let said = refused(&[(file, "")]).unwrap_err();
    assert!(said.contains("job.service is a transient unit"), "{said}");
    assert!(refused(&[]).is_ok());
}

#[test]
fn nothing_to_do_is_never_refused() {
    let unset = |path: &str, lasting: &PersistentSettings, texts: &[(&str, &str)]| {
        let file = format!("/sys/fs/cgroup/{path}");
        written(&[Goal::Unset(file.as_str().into())], &[], lasting, texts)
    };
    for path in [
        "a.slice/memory.swap.high",
        "memory/db/memory.memsw.limit_in_bytes",
        "user.slice/session-1.scope/memory.swap.max",
        "db/memory.swap.max",
        "memory.swap.max",
    ] {
        assert_eq!(unset(path, &systemd(None), &[]), Ok(vec![]), "{path}");
    }
    let file = "/etc/systemd/system/a.slice.d/zz-swapadm.conf";
    let texts = [(file, "[Slice]\nMemoryZSwapMax=1\n")];
    for lasting in [systemd(Some(240)), PersistentSettings::default()] {
        let gone = unset("a.slice/memory.zswap.max", &lasting, &texts);
        assert_eq!(gone, Ok(vec![pair(file, GONE)]), "it was written under another release");
    }
}

#[test]
fn cgroups_on_other_mounts_are_recognized() {
    let (lasting, look) = (systemd(None), FixedView::default());
    let with = |mount: &str, file: &str| {
        let (groups, goal) = (Name::from(mount), setting(&format!("{mount}/{file}"), "4096"));
        let files = BootFiles {
            entries: &[],
            lasting: &lasting,
            without_effect: &[],
            services: &[],
            groups: Some(&groups),
            title: &|_| None,
            runs_init_scripts: false,
            later: &|_| Vec::new(),
            look: &look,
        };
        steps(&[goal], &files)
    };
    for mount in ["/cg", "/sys/fs/cgroup/unified"] {
        let refused = with(mount, "a.slice/memory.swap.max").unwrap_err();
        assert!(refused.contains(&format!("here it is at {mount}")), "{refused}");
    }
    assert_eq!(with("/sys/fs/cgroup", "a.slice/memory.swap.max").unwrap().len(), 1);
    let none = with("/sys/fs/cgroup/memory", "a.slice/memory.memsw.limit_in_bytes");
    assert!(none.unwrap_err().contains("no such setting"));
}
