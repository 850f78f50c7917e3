//! A line through times over a number of passes.

/// `T(passes) = fixed + slope · passes`, in the unit of the times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Cost that does not depend on the number of passes.
    pub fixed: f64,
    /// Cost of one pass.
    pub slope: f64,
}

impl Line {
    /// The time that the line predicts.
    pub fn at(&self, passes: f64) -> f64 {
        self.fixed + self.slope * passes
    }
}

/// The line through points `[passes, time]` that minimises the squares of *relative* residuals.
///
/// Weighted least squares with weights 1/T² (Bevington & Robinson, "Data Reduction and Error
/// Analysis", chapter 6): the noise of a frame time grows with the time, and unweighted squares
/// would let eight passes drown one. The times are medians already, so the robust Theil–Sen line
/// would add nothing over the few points there are.
///
/// `None` with fewer than two different numbers of passes, a value that is not finite, or a time
/// that is not positive.
pub fn fit_line(points: &[[f64; 2]]) -> Option<Line> {
    let fine = |&[passes, time]: &[f64; 2]| passes.is_finite() && time.is_finite() && time > 0.0;
    if !points.iter().all(fine) {
        return None;
    }
    let sum = |term: &dyn Fn(f64, f64) -> f64| -> f64 {
        let weighted = points.iter().map(|&[x, y]| term(x, y) / (y * y));
        weighted.sum()
    };
    let weight = sum(&|_, _| 1.0);
    let mean_x = sum(&|x, _| x) / weight;
    let mean_y = sum(&|_, y| y) / weight;
    let spread = sum(&|x, _| (x - mean_x) * (x - mean_x));
    let slope = sum(&|x, y| (x - mean_x) * (y - mean_y)) / spread;
    let line = Line {
        fixed: mean_y - slope * mean_x,
        slope,
    };
    let first = points.first()?[0];
    let differ = points.iter().any(|&[passes, _]| passes != first);
    (differ && line.fixed.is_finite() && line.slope.is_finite()).then_some(line)
}
