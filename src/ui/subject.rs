//! The process or cgroup that is selected, whose page a key opens.

use super::app::App;
use super::pane::PaneState;
use crate::model::Name;
use crate::model::subject::DetailTarget;

/// The table whose rows are processes.
pub(super) const PROCESSES: &str = "processes";
/// The columns that name a process or cgroup.
const NAMING: [&str; 3] = ["pid", "name", "path"];
/// The table whose rows are cgroups.
pub(super) const CGROUPS: &str = "cgroups";

/// The process or cgroup that is selected: a row, a figure that names a row, or the cgroup in a figure.
pub(super) fn selected(app: &App) -> Option<DetailTarget> {
    let origin = app.pane().and_then(PaneState::origin)?;
    if origin.info.id == "cgroup" && app.sheet().is_none_or(|sheet| sheet.chosen.is_some()) {
        return cgroup_named(&origin.value.plain());
    }
    let row = match app.sheet() {
        Some(sheet) => sheet.row_name.clone()?,
        None if NAMING.contains(&origin.info.id) => origin.row,
        None => return None,
    };
    match origin.table {
        PROCESSES => row.parse().ok().map(DetailTarget::Process),
        CGROUPS => cgroup_named(&row),
        _ => None,
    }
}

/// The cgroup of the open page of a process, or of the selected row.
pub(super) fn selected_cgroup(app: &App) -> Option<DetailTarget> {
    let pid = match (&app.subject, selected(app)) {
        (_, Some(cgroup @ DetailTarget::Cgroup(_))) => return Some(cgroup),
        (_, Some(DetailTarget::Process(pid))) => pid,
        (Some(DetailTarget::Process(pid)), None) => *pid,
        _ => return None,
    };
    app.cgroup_of(pid).map(DetailTarget::Cgroup)
}

/// The cgroup with this name of a row.
pub(super) fn cgroup_named(path: &str) -> Option<DetailTarget> {
    let path = path.starts_with('/').then(|| Name::from_exact(path).ok())??;
    Some(DetailTarget::Cgroup(path))
}
