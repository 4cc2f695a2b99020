//! What each optimisation of CoMuS is worth: some programs are decided as usual, and then with each switch turned in turn.
//! The switches are those that the binary lists.

use super::Args;
use super::family::{Case, Order, Runner, title, wanted};
use crate::check::Said;
use families::{Family, Parameters};
use std::process::Command;

/// The programs: large enough for something to be learnt, decided in a short time.
fn threads(family: Family) -> Option<usize> {
    match family {
        Family::Matrix | Family::Ring => Some(3),
        Family::Pascal => Some(4),
        Family::Chain => Some(6),
        Family::Longest | Family::Peterson => None,
    }
}

/// What is told besides.  Ranges as lemmas alone prove a chain; as long as they also prepare the system, which has no switch
/// (proofs are about the prepared system), it takes one call without these lemmas, too.
fn base(family: Family) -> Option<&'static str> {
    (family == Family::Chain).then_some("no-ranges")
}

/// The words that turn each switch of the binary, where these are told already.
fn turns(shown: &str, base: Option<&str>) -> Vec<String> {
    let turn = |line: &str| {
        let mut words = line.split_whitespace();
        let (name, state) = (words.next()?, words.next()?);
        let off = format!("no-{name}");
        let is_on = state == "on" && base != Some(off.as_str());
        Some(if is_on { off } else { name.to_string() })
    };
    shown.lines().filter_map(turn).collect()
}

/// True if no verdict is wrong.
pub fn run(args: &Args) -> Result<bool, String> {
    let runner = Runner::new(args)?;
    let output = Command::new(runner.binary()).args(["check", "--show-switches"]).output();
    let output = output.map_err(|error| format!("{}: {error}", runner.binary().display()))?;
    let shown = String::from_utf8_lossy(&output.stdout);
    let turns = |parameters: &Parameters| turns(&shown, base(parameters.family));
    if !output.status.success() {
        return Err(format!("{} lists no switches", runner.binary().display()));
    }
    let mut programs = Vec::new();
    for family in wanted(args) {
        let Some(threads) = threads(family) else { continue };
        let threads = args.threads_max.map_or(threads, |max| max.min(threads));
        programs.push(Parameters::new(family, threads, true));
    }
    let mut cases = Vec::new();
    for parameters in &programs {
        let base = base(parameters.family);
        for turned in std::iter::once(None).chain(turns(parameters).into_iter().map(Some)) {
            let words: Vec<&str> = base.into_iter().chain(turned.as_deref()).collect();
            let options = if words.is_empty() { vec![] } else { vec!["--comus".into(), words.join(",")] };
            cases.push(Case { options, ..Case::new(parameters.clone(), Order::Automatic) });
        }
    }
    let answers = runner.run(&cases)?;
    println!(
        "Switches of engine {}, {} each: seconds of wall time and calls of the checker, with factors against the first line",
        runner.engine(),
        args.timeout
    );
    println!("> where a run was not decided");
    let mut fine = true;
    for (parameters, answers) in programs.iter().zip(answers.chunks(shown.lines().count() + 1)) {
        let words = base(parameters.family).map_or(String::new(), |words| format!(", {words}"));
        println!("\n{}{words}", title(parameters).trim_end());
        let names = std::iter::once("as usual".to_string()).chain(turns(parameters));
        for (name, answer) in names.zip(answers) {
            println!("  {name:22} {}", row(answer, &answers[0]));
            fine &= !answer.is_wrong(parameters);
        }
    }
    Ok(fine)
}

fn row(answer: &Said, usual: &Said) -> String {
    let [time, slower, calls] = answer.against(usual);
    format!("{time:>8} {:>6}  {slower:>8} {calls:>8}", answer.calls_text())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_switch_is_turned() {
        let shown = "ranges           on   of variables\ninductive        off  properties\n";
        assert_eq!(turns(shown, None), ["no-ranges", "inductive"]);
        assert_eq!(turns(shown, Some("no-ranges")), ["ranges", "inductive"]);
    }

    #[test]
    fn factors_are_against_the_usual_run() {
        let answer =
            |verdict: &str, seconds, calls| Said { verdict: verdict.into(), seconds, calls, ..Said::default() };
        let usual = answer("SAFE", 2.0, Some(10));
        assert_eq!(row(&answer("SAFE", 5.0, Some(40)), &usual), "    5.00     40      2.50     4.00");
        assert_eq!(row(&answer("UNKNOWN", 60.0, None), &usual), "  >60.00      -    >30.00        -");
    }
}
