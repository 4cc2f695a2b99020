//! How something grows with the number of threads: the power law or the exponential that fits better.

/// `factor * n^rate` or `factor * rate^n`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Curve {
    pub kind: Kind,
    pub factor: f64,
    pub rate: f64,
    /// How much of the variation of the logarithm it explains; 1 is all.
    pub r_squared: f64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Power,
    Exponential,
}

impl std::fmt::Display for Curve {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Curve { kind, factor, rate, r_squared } = self;
        match kind {
            Kind::Power => write!(f, "{factor:.3} n^{rate:.2} (R^2 {r_squared:.3})"),
            Kind::Exponential => write!(f, "{factor:.3} {rate:.2}^n (R^2 {r_squared:.3})"),
        }
    }
}

/// The better of the two, by least squares on logarithms; `None` for fewer than three points, since two fit anything.
pub fn fit(points: &[(f64, f64)]) -> Option<Curve> {
    let points: Vec<(f64, f64)> = points.iter().copied().filter(|(n, y)| *n > 0.0 && *y > 0.0).collect();
    let logarithms = |scale: fn(f64) -> f64| points.iter().map(|(n, y)| (scale(*n), y.ln())).collect::<Vec<_>>();
    let (offset, slope, r_squared) = line(&logarithms(f64::ln))?;
    let power = Curve { kind: Kind::Power, factor: offset.exp(), rate: slope, r_squared };
    let (offset, slope, r_squared) = line(&logarithms(|n| n))?;
    let exponential = Curve { kind: Kind::Exponential, factor: offset.exp(), rate: slope.exp(), r_squared };
    Some(if power.r_squared < exponential.r_squared { exponential } else { power })
}

/// Offset and slope of the line nearest to the points, by least squares, and how much of the variation it explains; 1 if the
/// points are on it.  `None` for fewer than three points, since two fit anything.
pub fn line(points: &[(f64, f64)]) -> Option<(f64, f64, f64)> {
    if points.len() < 3 {
        return None;
    }
    let count = points.len() as f64;
    let mean_x = points.iter().map(|(x, _)| x).sum::<f64>() / count;
    let mean_y = points.iter().map(|(_, y)| y).sum::<f64>() / count;
    let sum = |term: &dyn Fn(f64, f64) -> f64| points.iter().map(|(x, y)| term(x - mean_x, y - mean_y)).sum::<f64>();
    let (xx, xy, yy) = (sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y));
    if xx == 0.0 {
        return None;
    }
    let slope = xy / xx;
    // What does not vary is explained by any line through it.
    let r_squared = if yy == 0.0 { 1.0 } else { xy * xy / (xx * yy) };
    Some((mean_y - slope * mean_x, slope, r_squared))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_better_curve_is_found() {
        let near = |a: f64, b: f64| (a - b).abs() < 1e-6;
        let cubes: Vec<(f64, f64)> = (2..8).map(|n| (f64::from(n), 5.0 * f64::from(n).powi(3))).collect();
        let curve = fit(&cubes).unwrap();
        assert!(curve.kind == Kind::Power && near(curve.factor, 5.0) && near(curve.rate, 3.0), "{curve}");
        let powers: Vec<(f64, f64)> = (2..8).map(|n| (f64::from(n), 0.5 * 3f64.powi(n))).collect();
        let curve = fit(&powers).unwrap();
        assert!(curve.kind == Kind::Exponential && near(curve.factor, 0.5) && near(curve.rate, 3.0), "{curve}");
        assert!(near(curve.r_squared, 1.0));
        assert_eq!(fit(&cubes[..2]), None);
        assert_eq!(fit(&[(2.0, 1.0), (2.0, 2.0), (2.0, 3.0)]), None);
    }
}
