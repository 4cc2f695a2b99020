//! Safe programs with every combination of rounds and unwinding: what fig6 and fig7 look at.

use super::Args;
use super::measure::{Measurer, Point};
use crate::check::Said;
use std::collections::HashMap;

/// Where SV-COMP 2014 had its concurrent programs, as the suite keeps them.
const FOLDERS: [&str; 3] = ["pthread-2015/", "pthread-atomic-2015/", "pthread-ext-2015/"];

pub struct Grid {
    pub programs: Vec<String>,
    /// From small to large.
    pub rounds: Vec<u32>,
    pub unwinds: Vec<u32>,
    cells: HashMap<Point, Said>,
}

impl Grid {
    /// Measures.  Where a program runs out of time or memory, no larger bounds are tried.
    pub fn measure(args: &Args, measurer: &Measurer) -> Result<Self, String> {
        let wanted = |path: &str| match &args.filter {
            Some(filter) => path.contains(filter.as_str()),
            None => FOLDERS.iter().any(|folder| path.starts_with(folder)),
        };
        let safe = measurer.tasks().filter(|task| task.expected && task.disputed.is_none() && wanted(&task.path));
        let mut programs: Vec<String> = safe.map(|task| task.path.clone()).collect();
        programs.sort();
        let sorted = |numbers: &[u32]| {
            let mut numbers = numbers.to_vec();
            numbers.sort_unstable();
            numbers.dedup();
            numbers
        };
        let (rounds, unwinds) = (sorted(&args.rounds), sorted(&args.unwind));
        if programs.is_empty() || rounds.is_empty() || unwinds.is_empty() {
            return Err("there is nothing to measure".into());
        }
        let mut grid = Grid { programs, rounds, unwinds, cells: HashMap::new() };
        for unwind in grid.unwinds.clone() {
            for rounds in grid.rounds.clone() {
                let todo = grid.programs.iter().filter(|path| !grid.is_beyond(path, rounds, unwind));
                let points: Vec<Point> = todo.map(|path| point(path, rounds, unwind)).collect();
                eprintln!("{rounds} rounds, {unwind} unwindings: {} programs", points.len());
                grid.cells.extend(measurer.measure(args, &points)?);
            }
        }
        Ok(grid)
    }

    pub fn get(&self, path: &str, rounds: u32, unwind: u32) -> Option<&Said> {
        self.cells.get(&point(path, rounds, unwind))
    }

    /// The program ran out of something with smaller bounds already.
    fn is_beyond(&self, path: &str, rounds: u32, unwind: u32) -> bool {
        let smaller = |point: &Point| {
            point.path == path && point.rounds.is_some_and(|r| r <= rounds) && point.unwind.is_some_and(|u| u <= unwind)
        };
        self.cells.iter().any(|(point, measured)| smaller(point) && measured.ran_out())
    }

    /// Runs that say what cannot be: a violation of a safe program, or nothing at all.
    pub fn mistakes(&self) -> Vec<String> {
        let wrong = self.cells.iter().filter(|(_, measured)| matches!(measured.verdict.as_str(), "UNSAFE" | "ERROR"));
        let text = |(point, measured): (&Point, &Said)| {
            let [rounds, unwind] = [point.rounds, point.unwind].map(|bound| bound.unwrap_or(0));
            format!("!!! {} --rounds {rounds} --unwind {unwind}: {}", point.path, measured.words())
        };
        let mut lines: Vec<String> = wrong.map(text).collect();
        lines.sort();
        lines
    }

    /// Prints a table with a line for each unwinding and a column for each number of rounds.
    pub fn print(&self, title: &str, cell: impl Fn(u32, u32) -> String) {
        println!("{title}");
        let head: String = self.rounds.iter().map(|rounds| format!("{:>12}", format!("{rounds} rounds"))).collect();
        println!("{:>8}{head}", "unwind");
        for unwind in &self.unwinds {
            let cells: String = self.rounds.iter().map(|rounds| format!("{:>12}", cell(*rounds, *unwind))).collect();
            println!("{unwind:>8}{cells}");
        }
        println!();
    }
}

fn point(path: &str, rounds: u32, unwind: u32) -> Point {
    Point { path: path.into(), rounds: Some(rounds), unwind: Some(unwind) }
}
