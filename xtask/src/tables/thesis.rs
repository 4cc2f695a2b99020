//! Tables 9.1 and 9.2 of the CoMuS thesis, which are Fig. 5 and 6 of the paper, and larger programs of the same families.
//! `comus_tables.tsv` has what was published.

use super::Args;
use super::curve::fit;
use super::family::{Case, Order, Runner, expected, title, wanted};
use crate::check::Said;
use crate::rows::Table;
use clap::ValueEnum;
use families::{Family, Parameters};
use std::collections::HashMap;

const PUBLISHED: &str = include_str!("../../comus_tables.tsv");

/// The numbers of threads for each family: those of the thesis, and some beyond.
fn sizes(family: Family) -> std::ops::RangeInclusive<usize> {
    match family {
        Family::Matrix => 2..=10,
        Family::Pascal => 2..=5,
        Family::Longest => 2..=7,
        Family::Peterson => 2..=2,
        Family::Chain => 2..=16,
        Family::Ring => 2..=4,
    }
}

/// Family, threads, and whether it is safe.
type Key = (Family, usize, bool);

fn key(parameters: &Parameters) -> Key {
    (parameters.family, parameters.threads, parameters.safe)
}

/// The seconds and the calls that a publication gives, as it gives them.
#[derive(Clone, Default)]
struct Published {
    seconds: String,
    calls: String,
}

impl Published {
    fn is_solved(&self) -> bool {
        self.seconds.parse::<f64>().is_ok()
    }
}

struct Sources {
    thesis: HashMap<Key, Published>,
    paper: HashMap<Key, Published>,
}

impl Sources {
    fn read() -> Result<Self, String> {
        let table = Table::parse(PUBLISHED).ok_or("comus_tables.tsv is empty")?;
        let mut sources = Sources { thesis: HashMap::new(), paper: HashMap::new() };
        for row in table.rows() {
            let family = Family::from_str(row.get("family"), false).map_err(|_| "comus_tables.tsv: unknown family")?;
            let threads = row.get("threads").parse().map_err(|_| "comus_tables.tsv: threads is not a number")?;
            let published = Published { seconds: row.get("seconds").into(), calls: row.get("calls").into() };
            let source = if row.get("source") == "thesis" { &mut sources.thesis } else { &mut sources.paper };
            source.insert((family, threads, row.get("verdict") == "SAFE"), published);
        }
        Ok(sources)
    }

    /// The thesis gives no time for it: it ran out of time, or did not try.  For chain, ring and Peterson only the safe
    /// programs were tried, and the unsafe ones of the same size do not count as larger.
    fn is_past(&self, key: Key) -> bool {
        let (family, threads, _) = key;
        let published = self.thesis.get(&key).or_else(|| self.thesis.get(&(family, threads, true)));
        !published.is_some_and(Published::is_solved)
    }
}

/// True if no verdict is wrong and all that the thesis decided is decided.
pub fn run(args: &Args) -> Result<bool, String> {
    let sources = Sources::read()?;
    let runner = Runner::new(args)?;
    let mut cases = Vec::new();
    for family in wanted(args) {
        for threads in sizes(family).filter(|threads| args.threads_max.is_none_or(|max| *threads <= max)) {
            for safe in [true, false] {
                let parameters = Parameters::new(family, threads, safe);
                cases.push(Case::new(parameters, Order::Automatic));
            }
        }
    }
    let answers = runner.run(&cases)?;
    println!(
        "Tables 9.1 and 9.2 of the CoMuS thesis, Fig. 5 and 6 of the paper; engine {}, {} each",
        runner.engine(),
        args.timeout
    );
    println!("seconds of wall time, and calls of the sequential checker");
    println!(
        "{:15} {:>9} {:>7}  {:>8} {:>9} {:>6}  {:>9} {:>6}",
        "program", "seconds", "calls", "verdict", "thesis", "calls", "paper", "calls"
    );
    let mut summary = Summary::default();
    for (case, answer) in cases.iter().zip(&answers) {
        let key = key(&case.parameters);
        let none = Published { seconds: "-".into(), calls: "-".into() };
        let thesis = sources.thesis.get(&key).unwrap_or(&none);
        let paper = sources.paper.get(&key).unwrap_or(&none);
        let remark = summary.add(&case.parameters, answer, thesis, sources.is_past(key));
        println!(
            "{} {:>9.2} {:>7}  {:>8} {:>9} {:>6}  {:>9} {:>6}  {remark}",
            title(&case.parameters),
            answer.seconds,
            answer.calls_text(),
            answer.verdict,
            thesis.seconds,
            thesis.calls,
            paper.seconds,
            paper.calls
        );
    }
    summary.print();
    growth(&cases, &answers, &sources);
    Ok(summary.wrong == 0 && summary.missed == 0)
}

#[derive(Default)]
struct Summary {
    /// Verdicts that are not those of the program, and runs that broke.
    wrong: usize,
    /// Not decided, though no larger than what the thesis decided.
    missed: usize,
    decided: usize,
    seconds: f64,
    slowest: f64,
    past: usize,
    past_decided: usize,
    past_seconds: f64,
}

impl Summary {
    /// Counts, and says what is to be said of the row.
    fn add(&mut self, parameters: &Parameters, answer: &Said, thesis: &Published, past: bool) -> String {
        let mut remarks = Vec::new();
        if past {
            self.past += 1;
            self.past_seconds += answer.seconds;
            remarks.push("past the thesis".to_string());
        } else {
            self.seconds += answer.seconds;
            self.slowest = self.slowest.max(answer.seconds);
        }
        let right = answer.verdict == expected(parameters);
        if right {
            *(if past { &mut self.past_decided } else { &mut self.decided }) += 1;
        } else if answer.is_decided() || answer.verdict == "ERROR" {
            self.wrong += 1;
            let fault = if answer.is_decided() { "WRONG" } else { "broke" };
            remarks.push(format!("!!! {fault} {}", answer.reason));
        } else {
            self.missed += usize::from(!past);
            remarks.push(format!("{}{}", if past { "" } else { "!!! " }, answer.reason));
        }
        let calls = (answer.calls, thesis.calls.parse::<u64>());
        if let (Some(ours), Ok(theirs)) = calls
            && theirs < ours
        {
            remarks.push("more calls than the thesis".into());
        }
        remarks.join("; ")
    }

    fn print(&self) {
        let Summary { wrong, missed, decided, seconds, slowest, past, past_decided, past_seconds } = self;
        println!(
            "of the thesis' sizes: {decided} decided, {missed} not; {seconds:.1} s in total, {slowest:.1} s at most"
        );
        println!("past the thesis: {past_decided} of {past} decided; {past_seconds:.1} s in total");
        println!(
            "{}",
            if *wrong == 0 {
                "no verdict is wrong".into()
            } else {
                format!("!!! {wrong} verdicts are WRONG, or runs broke")
            }
        );
    }
}

/// How calls and time grow with the number of threads, ours and the thesis'.
fn growth(cases: &[Case], answers: &[Said], sources: &Sources) {
    println!(
        "\ngrowth with the number n of threads: the better of power law and exponential, by least squares on logarithms"
    );
    let curve = |points: &[(f64, f64)]| match fit(points) {
        Some(curve) => format!("{curve}, {} points", points.len()),
        None => "too few points".into(),
    };
    for family in Family::value_variants().iter().copied() {
        for safe in [true, false] {
            let both = cases.iter().zip(answers);
            let here: Vec<(f64, &Said)> = both
                .filter(|(case, answer)| {
                    let parameters = &case.parameters;
                    (parameters.family, parameters.safe) == (family, safe) && answer.verdict == expected(parameters)
                })
                .map(|(case, answer)| (case.parameters.threads as f64, answer))
                .collect();
            if here.len() < 3 {
                continue;
            }
            let calls: Vec<_> = here.iter().filter_map(|(n, answer)| Some((*n, answer.calls? as f64))).collect();
            let seconds: Vec<_> = here.iter().map(|(n, answer)| (*n, answer.seconds)).collect();
            let thesis = |value: fn(&Published) -> &str| {
                let number = |n: usize| Some((n as f64, value(sources.thesis.get(&(family, n, safe))?).parse().ok()?));
                sizes(family).filter_map(number).collect::<Vec<(f64, f64)>>()
            };
            println!("{:5} {}", family.name(), if safe { "safe" } else { "unsafe" });
            println!("    calls    {:45} thesis {}", curve(&calls), curve(&thesis(|published| &published.calls)));
            println!("    seconds  {:45} thesis {}", curve(&seconds), curve(&thesis(|published| &published.seconds)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_tables_are_whole() {
        let sources = Sources::read().unwrap();
        // Table 9.1 has 15 rows with both verdicts and Peterson's, table 9.2 has 7 rows of ring and chain.
        assert_eq!(sources.thesis.len(), 15 * 2 + 1 + 7 * 2);
        assert_eq!(sources.paper.len(), 13 * 2 + 1 + 6 * 2);
        let calls = |family, threads, safe| sources.thesis[&(family, threads, safe)].calls.clone();
        assert_eq!(calls(Family::Matrix, 7, true), "390");
        assert_eq!(calls(Family::Longest, 6, false), "451");
        assert_eq!(calls(Family::Chain, 8, true), "388");
        assert_eq!(sources.paper[&(Family::Matrix, 6, true)].seconds, "3491.10");
    }

    #[test]
    fn what_the_thesis_did_not_decide_is_past_it() {
        let sources = Sources::read().unwrap();
        let past = |family| {
            let keys = sizes(family).filter(|threads| sources.is_past((family, *threads, true)));
            keys.collect::<Vec<_>>()
        };
        assert_eq!(past(Family::Matrix), [8, 9, 10]);
        assert_eq!(past(Family::Pascal), [5]);
        assert_eq!(past(Family::Longest), [7]);
        assert!(past(Family::Peterson).is_empty());
        assert_eq!(past(Family::Chain), (9..=16).collect::<Vec<_>>());
        assert_eq!(past(Family::Ring), [4]);
        // The thesis finds the bug of pas 5, and did not look for that of chain 8.
        assert!(!sources.is_past((Family::Pascal, 5, false)) && !sources.is_past((Family::Chain, 8, false)));
    }

    #[test]
    fn wrong_and_missing_verdicts_are_counted() {
        let parameters = Parameters::new(Family::Chain, 3, true);
        let answer = |verdict: &str| Said { verdict: verdict.into(), calls: Some(30), ..Said::default() };
        let thesis = Published { seconds: "7.31".into(), calls: "26".into() };
        let mut summary = Summary::default();
        assert_eq!(summary.add(&parameters, &answer("SAFE"), &thesis, false), "more calls than the thesis");
        assert!(summary.add(&parameters, &answer("UNSAFE"), &thesis, false).starts_with("!!! WRONG"));
        assert!(summary.add(&parameters, &answer("UNKNOWN"), &thesis, false).starts_with("!!! "));
        assert!(summary.add(&parameters, &answer("UNKNOWN"), &thesis, true).starts_with("past the thesis"));
        assert_eq!((summary.decided, summary.wrong, summary.missed, summary.past), (1, 1, 1, 1));
    }
}
