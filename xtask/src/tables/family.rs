//! Runs `unbraid check` on programs of the families, which are written for the purpose.

use super::Args;
use crate::build;
use crate::check::{Said, check};
use crate::run::each;
use base::Folder;
use clap::ValueEnum;
use families::{Family, Parameters, generate};
use std::fs;
use std::path::{Path, PathBuf};

/// A program, the order in which its threads are to be taken, and what else `unbraid check` is told.
#[derive(Clone)]
pub struct Case {
    pub parameters: Parameters,
    pub order: Order,
    pub options: Vec<String>,
}

impl Case {
    pub fn new(parameters: Parameters, order: Order) -> Self {
        Case { parameters, order, options: Vec::new() }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// The engine finds one.
    Automatic,
    /// Who makes the claim first, each before those it waits for.
    Natural,
    Reverse,
}

impl Said {
    /// The seconds and the calls, and how many times those of another run they are; `>` where it was not decided.
    fn row(&self, base: &Said) -> String {
        let more = if self.is_decided() { "" } else { ">" };
        let calls = match (self.calls, base.calls) {
            (Some(calls), Some(base)) if base > 0 => format!("{more}{:.2}", calls as f64 / base as f64),
            _ => "-".into(),
        };
        let [time, slower] = [self.seconds, self.seconds / base.seconds].map(|number| format!("{more}{number:.2}"));
        format!("{time:>8} {:>6}  {slower:>8} {calls:>8}", self.calls_text())
    }
    /// It is not what the program was written for; then that is printed.
    pub fn is_wrong(&self, parameters: &Parameters) -> bool {
        let wrong = self.is_decided() && self.verdict != expected(parameters) || self.verdict == "ERROR";
        if wrong {
            println!("!!! WRONG: {} {}", self.verdict, self.reason);
        }
        wrong
    }
}

/// The verdict that a program has by the way it was written.
pub fn expected(parameters: &Parameters) -> &'static str {
    if parameters.safe { "SAFE" } else { "UNSAFE" }
}

/// `mat 3 safe`
pub fn title(parameters: &Parameters) -> String {
    let verdict = expected(parameters).to_lowercase();
    format!("{:5} {:>2} {verdict:6}", parameters.family.name(), parameters.threads)
}

/// The families that are asked for.
pub fn wanted(args: &Args) -> impl Iterator<Item = Family> {
    Family::value_variants().iter().copied().filter(|family| args.only.is_empty() || args.only.contains(family))
}

pub struct Runner<'a> {
    args: &'a Args,
    binary: PathBuf,
    folder: Folder,
}

impl<'a> Runner<'a> {
    pub fn new(args: &'a Args) -> Result<Self, String> {
        let binary = build::binary(args.binary.as_deref())?;
        let folder = Folder::new().map_err(|error| format!("no folder can be made: {error}"))?;
        Ok(Runner { args, binary, folder })
    }

    pub fn binary(&self) -> &Path {
        &self.binary
    }

    pub fn engine(&self) -> &str {
        self.args.engine.as_deref().unwrap_or("comus")
    }

    /// Runs the variants of each program, which have names, and prints them with factors against the first of the program.
    /// False if a verdict is wrong; and the answers, by program.
    pub fn compare(
        &self,
        what: &str,
        programs: &[(String, Vec<(String, Case)>)],
    ) -> Result<(bool, Vec<Vec<Said>>), String> {
        let cases: Vec<Case> =
            programs.iter().flat_map(|(_, variants)| variants).map(|(_, case)| case.clone()).collect();
        let mut all = self.run(&cases)?.into_iter();
        println!(
            "{what}; engine {}, {} each: seconds of wall time and calls of the checker,",
            self.engine(),
            self.args.timeout
        );
        println!("with factors against the first line; > where a run was not decided");
        let (mut fine, mut by_program) = (true, Vec::new());
        for (title, variants) in programs {
            println!("\n{title}");
            let answers: Vec<Said> = all.by_ref().take(variants.len()).collect();
            for ((name, case), answer) in variants.iter().zip(&answers) {
                println!("  {name:22} {}", answer.row(&answers[0]));
                fine &= !answer.is_wrong(&case.parameters);
            }
            by_program.push(answers);
        }
        Ok((fine, by_program))
    }

    /// The answers in the order of the cases; says on the way how far it is.
    pub fn run(&self, cases: &[Case]) -> Result<Vec<Said>, String> {
        let numbers: Vec<usize> = (0..cases.len()).collect();
        let mut answers = vec![Said::default(); cases.len()];
        each(
            &numbers,
            self.args.jobs,
            |number| self.one(*number, &cases[*number]),
            |number, answer| {
                let Case { parameters, order, options } = &cases[*number];
                let (title, options) = (title(parameters), options.join(" "));
                eprintln!("{title} {order:?} {options}: {} {:.2} s", answer.verdict, answer.seconds);
                answers[*number] = answer;
                Ok(())
            },
        )?;
        Ok(answers)
    }

    fn one(&self, number: usize, case: &Case) -> Result<Said, String> {
        let program = generate(&case.parameters)?;
        let Parameters { family, threads, .. } = case.parameters;
        let path = self.folder.file(&format!("{}-{threads}-{number}.c", family.name()));
        fs::write(&path, &program.text).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut options = [self.args.options.as_slice(), &case.options].concat();
        let mut order = program.order;
        if case.order == Order::Reverse {
            order.reverse();
        }
        if case.order != Order::Automatic {
            options.extend(["--order".into(), order.join(",")]);
        }
        let settings = self.args.settings(&self.binary, self.engine());
        let said = check(&settings, &options, &path)?.unless_refused()?;
        let reason = match said.verdict == "ERROR" {
            true => format!("{}: {}", said.reason_kind, said.reason),
            false => said.reason,
        };
        Ok(Said { reason, ..said })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_against_the_first() {
        let answer =
            |verdict: &str, seconds, calls| Said { verdict: verdict.into(), seconds, calls, ..Said::default() };
        let usual = answer("SAFE", 2.0, Some(10));
        assert_eq!(answer("SAFE", 5.0, Some(40)).row(&usual), "    5.00     40      2.50     4.00");
        assert_eq!(answer("UNKNOWN", 60.0, None).row(&usual), "  >60.00      -    >30.00        -");
    }
}
