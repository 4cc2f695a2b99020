//! Fig. 7: the size of the formula against unwinding and rounds.
//!
//! The paper says that it grows with the product of program size, threads and rounds.  So at a fixed unwinding it must be
//! a straight line over the rounds, and at fixed rounds at most one over the unwinding: lines are fitted and printed.

use super::Args;
use super::curve::line;
use super::grid::Grid;
use super::measure::Measurer;
use crate::check::Said;

/// True unless a verdict is wrong.
pub fn run(args: &Args, measurer: &Measurer) -> Result<bool, String> {
    let grid = Grid::measure(args, measurer)?;
    println!("Fig. 7 of the Lazy-CSeq paper, engine {}: size of the formula\n", args.lazy_engine());
    show(&grid, "variables", |measured| measured.variables);
    show(&grid, "clauses", |measured| measured.clauses);
    let mistakes = grid.mistakes();
    mistakes.iter().for_each(|line| println!("{line}"));
    Ok(mistakes.is_empty())
}

fn show(grid: &Grid, name: &str, number: impl Fn(&Said) -> Option<u64>) {
    let size = |path: &str, rounds: u32, unwind: u32| number(grid.get(path, rounds, unwind)?);
    let points: Vec<(u32, u32)> =
        grid.rounds.iter().flat_map(|rounds| grid.unwinds.iter().map(|unwind| (*rounds, *unwind))).collect();
    // A mean over different programs at different points would compare nothing.
    let whole = |path: &&String| points.iter().all(|(rounds, unwind)| size(path, *rounds, *unwind).is_some());
    let programs: Vec<&String> = grid.programs.iter().filter(whole).collect();
    if programs.is_empty() {
        println!("{name}: no program has a number for every combination of bounds\n");
        return;
    }
    let mean = |rounds: u32, unwind: u32| {
        // One added, since a formula may come to nothing at all.
        let logarithm = |path: &&String| (size(path, rounds, unwind).unwrap_or(0) as f64 + 1.0).ln();
        (programs.iter().map(logarithm).sum::<f64>() / programs.len() as f64).exp()
    };
    let title = format!("{name}: geometric mean of {} programs out of {}", programs.len(), grid.programs.len());
    grid.print(&title, |rounds, unwind| format!("{:.0}", mean(rounds, unwind)));
    let smallest = mean(grid.rounds[0], grid.unwinds[0]);
    let title = format!("{name}: relative to {} rounds and {} unwindings", grid.rounds[0], grid.unwinds[0]);
    grid.print(&title, |rounds, unwind| format!("{:.2}", mean(rounds, unwind) / smallest));
    for unwind in &grid.unwinds {
        let line: Vec<(f64, f64)> =
            grid.rounds.iter().map(|rounds| (f64::from(*rounds), mean(*rounds, *unwind))).collect();
        print_line(&format!("{name} with {unwind} unwindings, for each round"), &line);
    }
    for rounds in &grid.rounds {
        let line: Vec<(f64, f64)> =
            grid.unwinds.iter().map(|unwind| (f64::from(*unwind), mean(*rounds, *unwind))).collect();
        print_line(&format!("{name} with {rounds} rounds, for each unwinding"), &line);
    }
    println!();
}

fn print_line(what: &str, points: &[(f64, f64)]) {
    if let Some((start, slope, fit)) = line(points) {
        println!("{what}: {slope:+.0} beyond {start:.0}, a straight line to {:.1} %", fit * 100.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_told_from_a_curve() {
        let straight: Vec<(f64, f64)> = (1..7).map(|x| (f64::from(x), 5.0 + 3.0 * f64::from(x))).collect();
        let (start, slope, fit) = line(&straight).unwrap();
        assert!((slope - 3.0).abs() < 1e-9 && (start - 5.0).abs() < 1e-9 && fit > 0.999_999, "{start} {slope} {fit}");
        let curve: Vec<(f64, f64)> = (1..7).map(|x| (f64::from(x), 2f64.powi(x))).collect();
        assert!(line(&curve).unwrap().2 < 0.9);
        assert!(line(&straight[..2]).is_none());
    }
}
