//! The table of times: one row a measured case.

use super::{Grid, Varying};
use crate::report::units::{NONE, percent, rate, time, tiny};
use crate::result::{Case, ResultFile, Stage, Stages, Status, is_twin, text_of};

/// One row a measured case; columns that would be empty are left out.
pub(super) fn grid(file: &ResultFile, varying: &Varying) -> Grid {
    let mut columns = vec!["strategy".to_owned()];
    columns.extend(varying.names().iter().cloned());
    columns.extend(Stages::NAMES.map(str::to_owned));
    columns.extend(["vertices/s", "max error"].map(str::to_owned));
    let measured = file
        .cases
        .iter()
        .filter(|case| case.status == Status::Measured);
    let rows: Vec<Vec<String>> = measured.map(|case| row(case, varying)).collect();
    let mut grid = Grid {
        title: "Median time of each stage, ± half its interval".to_owned(),
        columns,
        rows,
    };
    grid.drop_empty_columns();
    grid
}

fn row(case: &Case, varying: &Varying) -> Vec<String> {
    let place = text_of(&case.axes, "strategy").unwrap_or_else(|| case.id.clone());
    let mut row = vec![if is_twin(case) {
        format!("{place} (A/A)")
    } else {
        place
    }];
    row.extend(varying.values(&case.axes));
    row.extend(
        case.stages
            .list()
            .map(|stage| stage.as_ref().map_or(NONE.to_owned(), cell)),
    );
    row.push(case.vertices_per_s.map_or(NONE.to_owned(), rate));
    let error = case
        .verification
        .as_ref()
        .and_then(|seen| seen.max_position_error);
    row.push(error.map_or(NONE.to_owned(), tiny));
    row
}

/// "2.05 ms ±1.3 %".
fn cell(stage: &Stage) -> String {
    let half = 0.5 * (stage.ci95_ns[1] - stage.ci95_ns[0]);
    match stage.median_ns > 0.0 {
        true => format!(
            "{} ±{}",
            time(stage.median_ns),
            percent(half / stage.median_ns)
        ),
        false => time(stage.median_ns),
    }
}

impl Grid {
    fn drop_empty_columns(&mut self) {
        let empty = |column: usize| {
            self.rows
                .iter()
                .all(|row| row.get(column).is_none_or(|cell| cell == NONE))
        };
        let kept: Vec<usize> = (0..self.columns.len())
            .filter(|column| !empty(*column))
            .collect();
        let keep = |row: &Vec<String>| {
            kept.iter()
                .filter_map(|column| row.get(*column).cloned())
                .collect()
        };
        let columns = keep(&self.columns);
        self.rows = self.rows.iter().map(keep).collect();
        self.columns = columns;
    }
}
