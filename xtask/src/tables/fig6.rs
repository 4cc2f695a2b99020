//! Fig. 6: how far the unwinding of safe programs can be raised within the time, for each number of rounds.

use super::Args;
use super::grid::Grid;
use super::measure::Measurer;
use crate::check::Said;
use std::collections::BTreeMap;

/// True unless a verdict is wrong.
pub fn run(args: &Args, measurer: &Measurer) -> Result<bool, String> {
    let grid = Grid::measure(args, measurer)?;
    let total = grid.programs.len();
    println!(
        "Fig. 6 of the Lazy-CSeq paper, engine {}: {total} safe programs, {} each\n",
        args.lazy_engine(),
        args.timeout
    );
    let complete = |rounds: u32, unwind: u32| -> Vec<&Said> {
        let cells = grid.programs.iter().filter_map(|path| grid.get(path, rounds, unwind));
        cells.filter(|measured| measured.is_complete()).collect()
    };
    grid.print("programs whose search came to its end", |rounds, unwind| complete(rounds, unwind).len().to_string());
    grid.print("seconds for these", |rounds, unwind| {
        let seconds: f64 = complete(rounds, unwind).iter().map(|measured| measured.seconds).sum();
        format!("{seconds:.1}")
    });
    println!("the largest unwinding that came to its end, by rounds");
    for path in &grid.programs {
        let largest = |rounds: &u32| {
            let done = |unwind: &&u32| grid.get(path, *rounds, **unwind).is_some_and(Said::is_complete);
            grid.unwinds.iter().rev().find(done).map_or("-".into(), u32::to_string)
        };
        let cells: String = grid.rounds.iter().map(|rounds| format!("{:>4}", largest(rounds))).collect();
        println!("{cells}  {path}");
    }
    print_obstacles(&grid);
    let mistakes = grid.mistakes();
    mistakes.iter().for_each(|line| println!("{line}"));
    println!();
    Ok(mistakes.is_empty())
}

/// Why searches did not come to their end, apart from time and memory.
fn print_obstacles(grid: &Grid) {
    let mut reasons: BTreeMap<String, &str> = BTreeMap::new();
    let points = grid.rounds.iter().flat_map(|rounds| grid.unwinds.iter().map(move |unwind| (*rounds, *unwind)));
    for (rounds, unwind) in points {
        for path in &grid.programs {
            let other =
                |measured: &&Said| measured.verdict == "UNKNOWN" && !measured.is_complete() && !measured.ran_out();
            if let Some(measured) = grid.get(path, rounds, unwind).filter(other) {
                reasons.insert(measured.reason.clone(), path);
            }
        }
    }
    reasons.iter().for_each(|(reason, path)| println!("not decided: {reason} ({path})"));
}
