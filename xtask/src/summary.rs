//! The results of a bench run as tables for people.

use crate::bench::{Grade, Outcome};
use crate::check::Said;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Counts and times for each category, then why things are unknown.
pub fn table(outcomes: &[&Outcome]) -> String {
    let mut categories: BTreeMap<&str, Vec<&Outcome>> = BTreeMap::new();
    for outcome in outcomes {
        categories.entry(outcome.task.category()).or_default().push(outcome);
    }
    let width = categories.keys().map(|name| name.len()).max().unwrap_or(0).max(8);
    let mut out = format!(
        "{:width$}  {:>5} {:>6} {:>6} {:>8} {:>6} {:>9} {:>8}\n",
        "category", "rows", "right", "wrong", "unknown", "error", "total s", "median s"
    );
    for (name, rows) in &categories {
        line(&mut out, name, width, rows);
    }
    line(&mut out, "all", width, outcomes);
    let decided = count(outcomes, Grade::Right) * 100 / outcomes.len().max(1);
    let _ = writeln!(out, "\nright: {decided} % of {} rows", outcomes.len());
    out + &reasons(outcomes)
}

fn line(out: &mut String, name: &str, width: usize, rows: &[&Outcome]) {
    let total: f64 = rows.iter().map(|row| row.said.seconds).sum();
    let mut times: Vec<f64> = rows.iter().map(|row| row.said.seconds).collect();
    times.sort_by(f64::total_cmp);
    let median = times.get(times.len() / 2).copied().unwrap_or(0.0);
    let [right, wrong, unknown, error] =
        [Grade::Right, Grade::Wrong, Grade::Unknown, Grade::Error].map(|grade| count(rows, grade));
    let _ = writeln!(
        out,
        "{name:width$}  {:>5} {right:>6} {wrong:>6} {unknown:>8} {error:>6} {total:>9.1} {median:>8.2}",
        rows.len()
    );
}

fn count(rows: &[&Outcome], grade: Grade) -> usize {
    rows.iter().filter(|row| row.result == grade).count()
}

/// Why there is no verdict, the commonest first, each with an example.
fn reasons(outcomes: &[&Outcome]) -> String {
    let mut groups: BTreeMap<String, Vec<&Outcome>> = BTreeMap::new();
    for outcome in outcomes.iter().filter(|row| matches!(row.result, Grade::Unknown | Grade::Error)) {
        // Positions and numbers differ from program to program; the words are what groups.
        let words: String = outcome.said.reason.split(" at ").next().unwrap_or("").chars().take(80).collect();
        let same = outcome.said.reason == outcome.said.reason_kind;
        let name = if same { words } else { format!("{}: {words}", outcome.said.reason_kind) };
        groups.entry(name).or_default().push(outcome);
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(_, rows)| std::cmp::Reverse(rows.len()));
    let mut out = String::new();
    for (name, rows) in groups {
        let example = rows.first().map_or("", |row| &row.task.path);
        let _ = writeln!(out, "{:>5}  {name}  ({example})", rows.len());
    }
    out
}

/// What changed since an earlier run.
pub fn comparison(outcomes: &[&Outcome], old: &BTreeMap<String, Said>) -> String {
    let mut out = String::from("\ncompared with the earlier run:\n");
    let (mut before, mut now, mut shared) = (0.0, 0.0, 0);
    for outcome in outcomes {
        let Some(old) = old.get(&outcome.task.key()) else { continue };
        let (path, grade, seconds) = (&outcome.task.path, Grade::of(&old.verdict, outcome.task), outcome.said.seconds);
        if grade != outcome.result {
            let (was, is) = (grade.word(), outcome.result.word());
            let _ = writeln!(out, "  {path}: {was} -> {is} ({:.1} s, {seconds:.1} s)", old.seconds);
        } else if grade == Grade::Right {
            shared += 1;
            before += old.seconds;
            now += seconds;
            if seconds > 2.0 * old.seconds + 0.5 || old.seconds > 2.0 * seconds + 0.5 {
                let _ = writeln!(out, "  {path}: {:.1} s -> {seconds:.1} s", old.seconds);
            }
        }
    }
    let _ = writeln!(out, "  {shared} rows right in both: {before:.1} s -> {now:.1} s");
    out
}

/// The wrong verdicts, and whether there is none whose label can be trusted.
pub fn wrong(outcomes: &[&Outcome]) -> (String, bool) {
    let mut out = String::new();
    for row in outcomes.iter().filter(|row| row.result == Grade::Disputed) {
        let why = row.task.disputed.as_ref().map_or("", |(_, why)| why);
        let _ = writeln!(out, "disputed label: {} says {}: {why}", row.task.path, row.said.verdict);
    }
    let rows: Vec<&&Outcome> = outcomes.iter().filter(|row| row.result == Grade::Wrong).collect();
    if rows.is_empty() {
        return (format!("{out}no wrong verdicts\n"), true);
    }
    let _ = writeln!(out, "\n!!! {} WRONG VERDICTS !!!", rows.len());
    for row in &rows {
        let task = &row.task;
        let expected = if task.expected { "SAFE" } else { "UNSAFE" };
        let _ = writeln!(
            out,
            "  tier {}  {}  says {}, expected {expected}  [{}]",
            task.tier, task.path, row.said.verdict, task.note
        );
    }
    let trusted = rows.iter().any(|row| row.task.tier != "D");
    (out, !trusted)
}
