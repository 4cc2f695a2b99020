//! What the order of the threads costs.  Each program is shuffled, so that neither names nor the order of creation tell
//! anything, and decided with the order that the engine finds, with that of the data flow, and with its reverse.

use super::Args;
use super::family::{Case, Order, Runner, wanted};
use crate::check::Said;
use families::{Family, Parameters};

/// Programs large enough for the order to matter, of which the good order decides each in a short time.
fn threads(family: Family) -> usize {
    match family {
        Family::Matrix | Family::Pascal | Family::Longest => 4,
        Family::Peterson => 2,
        Family::Chain => 6,
        Family::Ring => 3,
    }
}

const ORDERS: [Order; 3] = [Order::Automatic, Order::Natural, Order::Reverse];

/// True if no verdict is wrong and the engine's own order decides whatever the natural one does.
pub fn run(args: &Args) -> Result<bool, String> {
    let runner = Runner::new(args)?;
    let mut programs = Vec::new();
    for family in wanted(args) {
        let threads = args.threads_max.map_or(threads(family), |max| max.min(threads(family)));
        for seed in &args.seeds {
            programs.push(Parameters { shuffle: Some(*seed), ..Parameters::new(family, threads, true) });
        }
    }
    let cases = programs.iter().flat_map(|parameters| ORDERS.map(|order| Case::new(parameters.clone(), order)));
    let cases: Vec<Case> = cases.collect();
    let answers = runner.run(&cases)?;
    println!(
        "The order of the threads; engine {}, {} each: seconds of wall time and calls of the checker",
        runner.engine(),
        args.timeout
    );
    println!("a factor is against the order of the data flow; > where a run was not decided");
    println!(
        "{:8} {:>6} {:>4}  {:>16} {:>16} {:>16}  {:>16} {:>16}",
        "program", "threads", "seed", "automatic", "data flow", "reverse", "automatic", "reverse"
    );
    let mut fine = true;
    for (parameters, answers) in programs.iter().zip(answers.chunks(ORDERS.len())) {
        let [automatic, natural, reverse] = answers else { return Err("an order was not measured".into()) };
        println!(
            "{:8} {:>6} {:>4}  {:>16} {:>16} {:>16}  {:>16} {:>16}",
            parameters.family.name(),
            parameters.threads,
            parameters.shuffle.unwrap_or_default(),
            cell(automatic),
            cell(natural),
            cell(reverse),
            factor(automatic, natural),
            factor(reverse, natural)
        );
        for answer in answers {
            fine &= !answer.is_wrong(parameters);
        }
        if natural.is_decided() && !automatic.is_decided() {
            fine = false;
            println!("!!! not decided with the order that was found: {}", automatic.reason);
        }
    }
    Ok(fine)
}

fn cell(answer: &Said) -> String {
    let [seconds, ..] = answer.against(answer);
    format!("{seconds} {:>6}", answer.calls_text())
}

/// In time and in calls.
fn factor(answer: &Said, natural: &Said) -> String {
    if !natural.is_decided() {
        return "-".into();
    }
    let [_, seconds, calls] = answer.against(natural);
    format!("{seconds} {calls:>6}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_against_the_data_flow() {
        let answer =
            |verdict: &str, seconds, calls| Said { verdict: verdict.into(), seconds, calls, ..Said::default() };
        let natural = answer("SAFE", 2.0, Some(10));
        assert_eq!(factor(&answer("SAFE", 5.0, Some(40)), &natural), "2.50   4.00");
        assert_eq!(factor(&answer("UNKNOWN", 60.0, None), &natural), ">30.00      -");
        assert_eq!(factor(&natural, &answer("UNKNOWN", 60.0, None)), "-");
    }
}
