//! Real swap on the machine that runs the tests: compares swapadm with the kernel.
//!
//! These tests create their own zram devices, a loop device, a swap file and a cgroup that confines memory
//! pressure; they touch nothing else on the machine, and remove everything, also when a test fails.
//! Leftovers of a killed run are removed by the next one. Root is needed; without it, or where something is
//! missing, tests say so and pass. With `SWAPADM_LIVE_REQUIRE=1` that is a failure.
//!
//! `SWAPADM_BIN` names another program than the one just built: virtual machines have no build.

#![allow(
    clippy::disallowed_methods,
    reason = "the tests look at the machine by themselves, not through the code they test"
)]
#![allow(
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test that cannot go on stops, and JSON is read by index"
)]

mod advise;
mod allocation_order;
mod apply;
mod areas;
mod blocked;
mod capabilities;
mod change;
mod changes_under_load;
mod clusters;
mod compression_ratios;
mod delegated;
mod devices_in_use;
mod discard;
mod drain_pauses;
mod empty_environment;
mod experiment;
mod failing_devices;
#[cfg(target_arch = "x86_64")]
mod faults;
mod file;
#[cfg(target_arch = "x86_64")]
mod file_faults;
mod forced_risks;
#[path = "../common/form.rs"]
mod form;
mod formatted;
mod fstab;
mod full;
mod hog;
mod interface;
mod interface_lab;
mod ioctls;
mod killed;
mod knobs;
mod lab;
mod lab_cgroups;
mod load_stops;
mod loads;
mod lock_waiting;
mod lost_processes;
mod mapped;
mod maps;
mod masked;
mod memory_check;
mod memory_limit;
mod metadata;
mod mounts;
mod moves;
mod numa_nodes;
mod partitions;
mod persist;
mod pressure;
mod private_etc;
mod program;
mod progress;
#[path = "../terminal/pty.rs"]
#[expect(dead_code, reason = "these tests need less of it")]
mod pty;
mod rates;
mod rebalance;
mod rebalance_scene;
mod reference;
#[cfg(target_arch = "x86_64")]
mod scene;
mod selection;
mod settings;
mod setup;
mod shared_swapfiles;
mod shell_lines;
mod shortage;
#[path = "../common/signals.rs"]
mod signals;
mod signatures;
mod slots;
mod slow_devices;
mod soak;
mod suspended;
mod swapoff_reads;
mod syscalls;
mod tables_agree;
mod test_vm;
#[cfg(target_arch = "x86_64")]
mod traced;
#[cfg(target_arch = "x86_64")]
mod tracer;
#[path = "../common/tty.rs"]
mod tty;
mod units;
mod unplugged;
mod vanishing;
mod zram;

use {lab::Lab, scene::Scene};

/// Runs a test that needs a virtual machine made for it; skipped elsewhere.
fn in_machine(name: &str, test: impl FnOnce(&Lab) -> Result<(), String>) {
    if test_vm::is_test_vm() {
        in_lab(name, test);
    } else {
        lab::remark(&format!("{name}: this needs a virtual machine (tests/kernels/run.sh)"));
    }
}

/// Runs a test in the laboratory, or says why it is skipped.
fn in_lab(name: &str, test: impl FnOnce(&Lab) -> Result<(), String>) {
    let done = Lab::enter().and_then(|lab| test(&lab));
    if let Err(reason) = done {
        lab::skip(name, &reason);
    }
}

/// Runs a long test, only where all tests are required or `SWAPADM_KILLS` is set.
fn at_length(name: &str, test: impl FnOnce(&Lab) -> Result<(), String>) {
    if lab::has_time() {
        in_lab(name, test);
    } else {
        lab::remark(&format!("{name}: a long test, run only with SWAPADM_KILLS=200"));
    }
}

/// Runs a long test that needs a terminal.
fn at_length_at_terminal(name: &str, test: impl FnOnce(&Lab) -> Result<(), String>) {
    match interface::lacks_terminal() {
        Some(reason) => lab::remark(&format!("{name}: {reason}")),
        None => at_length(name, test),
    }
}

/// Runs a test that needs a terminal: some machines have none.
fn at_terminal(name: &str, test: impl FnOnce(&Lab) -> Result<(), String>) {
    match interface::lacks_terminal() {
        Some(reason) => lab::remark(&format!("{name}: {reason}")),
        None => in_lab(name, test),
    }
}

#[test]
fn a_forged_journal_is_not_carried_out() {
    in_lab("a_forged_journal_is_not_carried_out", |lab| {
        settings::of_a_forged_journal_are_not_written(lab);
        settings::environment_names_no_files_for_others(lab);
        Ok(())
    });
}

#[test]
fn tables_agree_with_the_kernel_under_load() {
    in_lab("tables_agree_with_the_kernel_under_load", |lab| {
        let mut scene = Scene::build(lab)?;
        scene.fill_the_pair();
        tables_agree::pair_is_balanced(&scene);
        scene.fill_the_rest();
        tables_agree::devices(&scene);
        tables_agree::zram(&scene);
        tables_agree::paging();
        tables_agree::processes(&scene);
        tables_agree::cgroups(&scene);
        tables_agree::nobody_sees_the_same_or_the_reason(&scene);
        Ok(())
    });
}

#[test]
fn priorities_change_under_load_and_no_byte_is_lost() {
    in_lab("priorities_change_under_load_and_no_byte_is_lost", |lab| {
        let _spare = change::spare(lab)?;
        let mut scene = Scene::build(lab)?;
        scene.fill_the_pair();
        change::priorities(&mut scene);
        change::undo(&mut scene);
        change::nobody_may(&scene);
        change::without_capabilities(&scene);
        Ok(())
    });
}

#[test]
fn changes_under_load_wait_for_each_other_and_can_be_stopped() {
    at_length("changes_under_load_wait_for_each_other_and_can_be_stopped", |lab| {
        let _spare = change::spare(lab)?;
        let mut scene = Scene::build(lab)?;
        scene.fill_the_pair();
        lock_waiting::one_at_a_time(&scene);
        lock_waiting::planned_anew(&scene);
        lock_waiting::waiters(&scene);
        change::filtered(&scene)?;
        change::stopped(&mut scene);
        Ok(())
    });
}

#[test]
fn a_drain_that_makes_tasks_wait_is_given_up() {
    at_length("a_drain_that_makes_tasks_wait_is_given_up", pressure::stops);
}

#[test]
fn an_area_that_does_not_fit_memory_is_refused() {
    in_lab("an_area_that_does_not_fit_memory_is_refused", |lab| {
        memory_check::refused_by_masked_meminfo(lab)?;
        memory_check::refused_when_memory_is_short(lab)
    });
}

#[test]
fn a_process_returns_to_memory() {
    in_lab("a_process_returns_to_memory", moves::a_process_returns);
}

#[test]
fn waits_for_swap_are_counted() {
    in_lab("waits_for_swap_are_counted", moves::waits_are_counted);
}

#[test]
fn processes_killed_by_a_forced_swapoff_are_reported() {
    in_lab("processes_killed_by_a_forced_swapoff_are_reported", forced_risks::kills_are_told);
}

#[test]
fn the_helper_has_the_name_of_the_program() {
    in_lab("the_helper_has_the_name_of_the_program", forced_risks::helper_is_named);
}

#[test]
fn a_killed_program_leaves_what_recover_repairs() {
    in_lab("a_killed_program_leaves_what_recover_repairs", |lab| {
        let _spare = change::spare(lab)?;
        let mut scene = Scene::build(lab)?;
        scene.fill_the_pair();
        change::killed(&mut scene);
        change::killed_at_off(&mut scene);
        Ok(())
    });
}

#[test]
fn a_drain_rests_while_tasks_wait_for_memory_and_goes_on() {
    at_length("a_drain_rests_while_tasks_wait_for_memory_and_goes_on", |lab| {
        let _spare = change::spare(lab)?;
        let mut scene = Scene::build(lab)?;
        scene.fill_the_pair();
        drain_pauses::rests(&mut scene)
    });
}

#[test]
fn a_stopped_terminal_does_not_stop_the_guard_of_a_drain() {
    at_length_at_terminal("a_stopped_terminal_does_not_stop_the_guard_of_a_drain", |lab| {
        let _spare = change::spare(lab)?;
        let mut scene = Scene::build(lab)?;
        scene.fill_the_pair();
        drain_pauses::on_stopped_terminal(&mut scene)
    });
}

#[test]
fn a_terminal_is_told_how_far_a_change_is() {
    at_length_at_terminal("a_terminal_is_told_how_far_a_change_is", |lab| {
        let _spare = change::spare(lab)?;
        let mut scene = Scene::slow(lab)?;
        scene.fill_the_pair();
        progress::is_told(&mut scene)
    });
}

#[test]
fn a_terminal_is_told_how_far_a_load_is() {
    at_length_at_terminal("a_terminal_is_told_how_far_a_load_is", progress::load_is_told);
}

#[test]
fn an_area_that_cannot_be_enabled_is_refused_with_the_reason() {
    in_lab("an_area_that_cannot_be_enabled_is_refused_with_the_reason", change::refused);
}

#[test]
fn an_area_whose_loop_device_vanished_is_not_disabled_for_a_new_priority() {
    let name = "an_area_whose_loop_device_vanished_is_not_disabled_for_a_new_priority";
    in_lab(name, change::of_a_vanishing_device);
}

#[test]
fn a_plan_whose_area_is_gone_can_be_dismissed() {
    in_lab("a_plan_whose_area_is_gone_can_be_dismissed", change::dismissed);
}

#[test]
fn areas_are_enabled_and_disabled_with_their_options() {
    in_lab("areas_are_enabled_and_disabled_with_their_options", change::on_and_off);
}

#[test]
fn all_areas_of_fstab_are_enabled_and_disabled() {
    in_lab("all_areas_of_fstab_are_enabled_and_disabled", fstab::all);
}

#[test]
fn free_space_is_discarded_as_requested() {
    at_length("free_space_is_discarded_as_requested", |lab| {
        discard::once(lab)?;
        discard::pages(lab)
    });
}

#[test]
fn no_other_program_is_needed() {
    in_lab("no_other_program_is_needed", empty_environment::commands);
}

#[test]
fn lines_for_a_shell_do_what_the_commands_do() {
    at_length("lines_for_a_shell_do_what_the_commands_do", shell_lines::all);
}

#[test]
fn settings_change_and_come_back() {
    in_lab("settings_change_and_come_back", |lab| {
        settings::are_set_and_taken_back(lab);
        settings::of_others_are_left_alone(lab);
        settings::of_groups(lab)?;
        settings::read_only(lab)
    });
}

#[test]
fn each_kind_of_setting_goes_and_comes_back() {
    in_lab("each_kind_of_setting_goes_and_comes_back", |lab| {
        knobs::are_kept_on_panic();
        knobs::of_all_kinds(lab);
        knobs::of_groups(lab)
    });
}

#[test]
fn swap_on_zram_is_set_up_anew_under_load_and_no_byte_is_lost() {
    at_length("swap_on_zram_is_set_up_anew_under_load_and_no_byte_is_lost", |lab| {
        let _spare = change::spare(lab)?;
        let mut scene = Scene::build(lab)?;
        scene.fill_the_pair();
        zram::under_load(&mut scene);
        zram::told_under_load(&mut scene);
        Ok(())
    });
}

#[test]
fn the_interface_changes_by_keys_and_takes_back() {
    at_terminal("the_interface_changes_by_keys_and_takes_back", interface::by_keys);
}

#[test]
fn the_interface_respects_a_change_made_meanwhile() {
    at_terminal("the_interface_respects_a_change_made_meanwhile", interface::overtaken);
}

#[test]
fn without_rights_the_interface_shows_plans_and_copies_commands() {
    let name = "without_rights_the_interface_shows_plans_and_copies_commands";
    at_terminal(name, interface::nobody_may);
}

#[test]
fn an_interface_that_is_ended_takes_its_change_back() {
    at_length_at_terminal("an_interface_that_is_ended_takes_its_change_back", |lab| {
        let _spare = change::spare(lab)?;
        let mut scene = Scene::slow(lab)?;
        scene.fill_the_pair();
        interface::ended_in_the_middle(&mut scene);
        Ok(())
    });
}

#[test]
fn persistent_changes_are_written_for_systemd_and_generators() {
    in_lab("persistent_changes_are_written_for_systemd_and_generators", |lab| {
        units::of_systemd(lab)?;
        units::of_generator(lab)?;
        units::of_tmpfiles(lab)
    });
}

#[test]
fn an_interface_that_was_killed_repairs_its_change() {
    at_length_at_terminal("an_interface_that_was_killed_repairs_its_change", |lab| {
        let _spare = change::spare(lab)?;
        let mut scene = Scene::build(lab)?;
        scene.fill_the_pair();
        interface::killed_in_the_middle(&mut scene);
        Ok(())
    });
}

#[test]
fn rebalance_puts_classes_in_order_under_load() {
    at_length("rebalance_puts_classes_in_order_under_load", rebalance::by_class);
}

#[test]
fn rebalance_spreads_what_lies_on_one_area() {
    in_lab("rebalance_spreads_what_lies_on_one_area", rebalance::spread);
}

#[test]
fn killed_at_each_boundary_of_a_rebalance_nothing_is_lost() {
    at_length("killed_at_each_boundary_of_a_rebalance_nothing_is_lost", killed::at_each_boundary);
}

#[test]
fn killed_at_random_moments_of_a_rebalance_nothing_is_lost() {
    at_length("killed_at_random_moments_of_a_rebalance_nothing_is_lost", killed::at_random);
}

#[test]
fn killed_while_it_recovers_the_next_one_does() {
    at_length("killed_while_it_recovers_the_next_one_does", killed::at_recovery);
}

#[test]
fn told_to_end_a_rebalance_leaves_nothing_to_recover() {
    at_length("told_to_end_a_rebalance_leaves_nothing_to_recover", killed::told_to_end);
}

#[test]
fn swap_files_are_made_resized_and_removed_on_real_file_systems() {
    at_length("swap_files_are_made_resized_and_removed_on_real_file_systems", file::made);
}

#[test]
fn swap_files_change_under_load_and_no_byte_is_lost() {
    at_length("swap_files_change_under_load_and_no_byte_is_lost", changes_under_load::file);
}

#[test]
fn locations_unfit_for_a_swap_file_are_refused_with_the_reason() {
    in_lab("locations_unfit_for_a_swap_file_are_refused_with_the_reason", file::places_refused);
}

#[test]
fn a_swap_file_grows_while_another_program_has_it_open() {
    let name = "a_swap_file_grows_while_another_program_has_it_open";
    in_lab(name, file::resized_while_open);
}

#[test]
fn a_link_in_the_path_of_an_area_is_not_followed() {
    in_lab("a_link_in_the_path_of_an_area_is_not_followed", file::replaced_by_link);
}

#[test]
fn a_swap_file_that_was_cut_off_is_whole_or_not_there() {
    at_length("a_swap_file_that_was_cut_off_is_whole_or_not_there", file::killed);
}

#[test]
fn pages_of_zram_are_written_back() {
    in_lab("pages_of_zram_are_written_back", |lab| {
        if zram::writes_back(lab)? {
            zram::writeback(lab)?;
            zram::writeback_fails(lab)?;
            changes_under_load::writeback(lab)?;
        }
        Ok(())
    });
}

#[test]
fn the_interface_survives_a_drain_that_cannot_fit() {
    at_length_at_terminal("the_interface_survives_a_drain_that_cannot_fit", |lab| {
        let mut scene = Scene::build(lab)?;
        scene.fill_the_pair();
        scene.fill_the_rest();
        interface::what_cannot_fit(&mut scene);
        Ok(())
    });
}

#[test]
fn devices_in_use_by_others_are_refused() {
    in_lab("devices_in_use_by_others_are_refused", devices_in_use::refuses_devices_in_use);
}

#[test]
fn in_a_machine_with_nodes_areas_are_bound_to_their_nodes() {
    in_machine("in_a_machine_with_nodes_areas_are_bound_to_their_nodes", numa_nodes::bound);
}

#[test]
fn in_a_machine_without_memory_a_swapoff_that_cannot_fit_is_refused() {
    in_machine(
        "in_a_machine_without_memory_a_swapoff_that_cannot_fit_is_refused",
        shortage::of_memory,
    );
}

#[test]
fn rates_follow_the_counters_of_the_devices() {
    at_length("rates_follow_the_counters_of_the_devices", |lab| {
        let mut scene = Scene::build(lab)?;
        scene.fill_the_pair();
        scene.hog.churn();
        rates::follow_diskstats(&scene);
        scene.hog.rest();
        Ok(())
    });
}

#[test]
fn a_machine_with_masked_files_is_reported_with_reasons() {
    in_lab("a_machine_with_masked_files_is_reported_with_reasons", |lab| {
        masked::report(lab)?;
        masked::kernel_internals(lab)?;
        masked::commands(lab)
    });
}

#[test]
fn zram_statistics_that_block_delay_nothing_else() {
    in_lab("zram_statistics_that_block_delay_nothing_else", blocked::delays_nothing_else);
}

/// Helper process: the load. The tests above start this binary again with this name only.
#[test]
#[ignore = "helper process: the load of other tests"]
fn hog() {
    hog::live();
}
