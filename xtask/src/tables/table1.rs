//! Table 1: the programs with a bug, with the paper's bounds and with automatic bounds.  `lazy_cseq_table1.tsv` has the
//! bounds and the seconds that the paper gives.

use super::Args;
use super::measure::{Measurer, Point};
use crate::check::Said;
use crate::rows::{Row, Table};
use std::collections::HashMap;

const TABLE: &str = include_str!("../../lazy_cseq_table1.tsv");
/// The paper's tool, with the backend it recommends.
const LAZY_CSEQ: &str = "seq-cbmc47";
/// The tools that take the program as it is.
const OTHERS: [&str; 6] = ["cbmc45", "cbmc47", "corral", "cseq", "esbmc", "threader"];

/// True if every bug is found both ways, and nothing else is.
pub fn run(args: &Args, measurer: &Measurer) -> Result<bool, String> {
    let table = Table::parse(TABLE).ok_or("lazy_cseq_table1.tsv is empty")?;
    let wanted = |row: &Row<'_>| args.filter.as_ref().is_none_or(|filter| row.get("path").contains(filter.as_str()));
    let rows: Vec<Row<'_>> = table.rows().filter(wanted).collect();
    let bounded: Vec<Point> = rows.iter().map(Point::of).collect();
    let automatic: Vec<Point> = rows.iter().map(without_bounds).collect();
    // An engine that has no bounds is asked once.
    let has_bounds = args.lazy_engine() != "explicit";
    let first = if has_bounds { measurer.measure(args, &bounded)? } else { HashMap::new() };
    let second = measurer.measure(args, &automatic)?;
    println!("Table 1 of the Lazy-CSeq paper, engine {}, seconds of wall time", args.lazy_engine());
    println!(
        "{:22} {:>6} {:>6}  {:28} {:28} {:>9}  others at best",
        "program", "unwind", "rounds", "the paper's bounds", "automatic bounds", "Lazy-CSeq"
    );
    let (mut fine, mut missed) = (true, Vec::new());
    for row in &rows {
        let results = [first.get(&Point::of(row)), second.get(&without_bounds(row))];
        println!(
            "{:22} {:>6} {:>6}  {:28} {:28} {:>9}  {}",
            row.get("program"),
            row.get("unwind"),
            row.get("rounds"),
            cell(results[0]),
            cell(results[1]),
            row.get(LAZY_CSEQ),
            best(row)
        );
        for measured in results.into_iter().flatten() {
            if !is_fine(row.get("expected") == "true", measured) {
                fine = false;
                missed.push(format!("{}: {} {}", row.get("program"), measured.words(), measured.reason));
            }
        }
    }
    let sum = |results: &HashMap<Point, Said>| results.values().fold(0.0, |sum, measured| sum + measured.seconds);
    let paper: f64 = rows.iter().filter_map(|row| row.get(LAZY_CSEQ).parse::<f64>().ok()).sum();
    let (first, second) = (format!("{:.1}", sum(&first)), format!("{:.1}", sum(&second)));
    println!("{:36}  {first:>28} {second:>28} {paper:>9.1}", "sum");
    missed.iter().for_each(|line| println!("!!! {line}"));
    println!("{}\n", if fine { "every bug is found" } else { "bugs are missed, or verdicts wrong" });
    Ok(fine)
}

fn without_bounds(row: &Row<'_>) -> Point {
    Point { path: row.get("path").into(), rounds: None, unwind: None }
}

/// A bug must be found; where there is none, not knowing is no mistake.
fn is_fine(safe: bool, measured: &Said) -> bool {
    match measured.verdict.as_str() {
        "UNSAFE" => !safe,
        "SAFE" | "UNKNOWN" => safe,
        _ => false,
    }
}

fn cell(measured: Option<&Said>) -> String {
    measured.map_or("-".into(), |measured| format!("{:>20} {:>7.2}", measured.words(), measured.seconds))
}

/// The fastest of the tools that take the program as it is.
fn best(row: &Row<'_>) -> String {
    let times = OTHERS.iter().filter_map(|tool| Some((row.get(tool).parse::<f64>().ok()?, *tool)));
    let fastest = times.min_by(|a, b| a.0.total_cmp(&b.0));
    fastest.map_or("none".into(), |(seconds, tool)| format!("{seconds} ({tool})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_whole() {
        let table = Table::parse(TABLE).unwrap();
        let rows: Vec<_> = table.rows().collect();
        assert_eq!(rows.len(), 20);
        assert_eq!(rows.iter().filter(|row| row.get("expected") == "false").count(), 19);
        for row in &rows {
            let Point { rounds, unwind, .. } = Point::of(row);
            assert!(rounds.is_some() && unwind.is_some(), "{}", row.get("program"));
            assert!(row.get(LAZY_CSEQ).parse::<f64>().is_ok());
        }
        let fib = rows.iter().find(|row| row.get("program") == "57_fib_bench.longest").unwrap();
        assert_eq!(best(fib), "54.3 (threader)");
    }

    #[test]
    fn a_bug_must_be_found() {
        let measured = |verdict: &str| Said { verdict: verdict.into(), ..Said::default() };
        assert!(is_fine(false, &measured("UNSAFE")));
        for verdict in ["SAFE", "UNKNOWN", "ERROR", ""] {
            assert!(!is_fine(false, &measured(verdict)), "{verdict}");
        }
        assert!(is_fine(true, &measured("SAFE")) && is_fine(true, &measured("UNKNOWN")));
        assert!(!is_fine(true, &measured("UNSAFE")) && !is_fine(true, &measured("ERROR")));
    }
}
