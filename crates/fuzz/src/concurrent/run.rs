//! Long runs of the comparison, with a summary, and with the program that shows a disagreement made small.

use super::bounded::{self, Said};
use super::compare::{self, Agreed, Disagreement};
use super::shrink;
use ir::Program;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct Options {
    pub seed: u64,
    /// The first program and how many are to be compared; those left out are not counted.
    pub start: u64,
    pub count: u64,
    /// Where programs that show a disagreement are written.
    pub out: PathBuf,
    /// The time of the bounded engine, for each program and way.
    pub time: Duration,
    /// Only programs that are built around this; `None` for all.
    pub idiom: String,
    /// Stop after so many disagreements of different kinds.
    pub kinds: usize,
    /// Also disagreements of a kind that was seen already.
    pub all: bool,
    /// Programs are not made small.
    pub quick: bool,
    /// Name programs before they are decided.
    pub verbose: bool,
}

/// What a run found.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub compared: u64,
    pub left_out: u64,
    pub unsafe_: u64,
    pub unsupported: u64,
    pub bent: u64,
    pub naive_states: u64,
    pub plain_states: u64,
    pub engine_states: [u64; 2],
    /// What the bounded engine said, by the way in which it was run.
    pub bounded: [Tally; bounded::WAYS.len()],
    /// Index, disagreement and the program made small.
    pub disagreements: Vec<(u64, Disagreement, Program)>,
}

/// How often an engine said what.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub safe: u64,
    pub unsafe_: u64,
    /// By reason.
    pub unknown: BTreeMap<String, u64>,
}

impl Tally {
    fn add(&mut self, said: Said) {
        match said {
            Said::Safe => self.safe += 1,
            Said::Unsafe => self.unsafe_ += 1,
            Said::Unknown(why) => *self.unknown.entry(why).or_default() += 1,
        }
    }
}

impl Summary {
    fn add(&mut self, agreed: Agreed, bent: bool) {
        self.compared += 1;
        self.unsafe_ += u64::from(agreed.is_unsafe);
        self.unsupported += u64::from(agreed.unsupported);
        self.bent += u64::from(bent);
        self.naive_states += agreed.naive_states as u64;
        self.plain_states += agreed.plain_states as u64;
        self.engine_states[0] += agreed.engine_states[0] as u64;
        self.engine_states[1] += agreed.engine_states[1] as u64;
        self.bounded.iter_mut().zip(agreed.bounded).for_each(|(tally, said)| tally.add(said));
    }

    pub fn print(&self) -> String {
        let mut text = String::new();
        let percent = |n: u64| 100.0 * n as f64 / self.compared.max(1) as f64;
        let mean = |n: u64| n as f64 / self.compared.max(1) as f64;
        let safe = self.compared - self.unsafe_ - self.unsupported;
        let mut line = |name: &str, value: String| _ = writeln!(text, "{name:24}{value:>12}");
        line("programs compared", self.compared.to_string());
        line("left out (too large)", self.left_out.to_string());
        line("bent", format!("{:.1} %", percent(self.bent)));
        line("safe", format!("{safe} ({:.1} %)", percent(safe)));
        line("unsafe", format!("{} ({:.1} %)", self.unsafe_, percent(self.unsafe_)));
        line("unsupported", format!("{} ({:.1} %)", self.unsupported, percent(self.unsupported)));
        line("naive states, mean", format!("{:.0}", mean(self.naive_states)));
        line("plain states, mean", format!("{:.0}", mean(self.plain_states)));
        line("engine, not reduced", format!("{:.0}", mean(self.engine_states[0])));
        line("engine, reduced", format!("{:.0}", mean(self.engine_states[1])));
        for ((name, _), tally) in bounded::WAYS.iter().zip(&self.bounded) {
            line(&format!("bounded ({name})"), String::new());
            line("    safe", format!("{} ({:.1} %)", tally.safe, percent(tally.safe)));
            line("    unsafe", format!("{} ({:.1} %)", tally.unsafe_, percent(tally.unsafe_)));
            for (why, count) in &tally.unknown {
                line(&format!("    {why}"), format!("{count} ({:.1} %)", percent(*count)));
            }
        }
        line("disagreements", self.disagreements.len().to_string());
        text
    }
}

/// Compares programs until `count` were; stops after a few disagreements of different kinds.
pub fn run(options: &Options) -> Summary {
    // Panics are caught and reported with the program that causes them.
    std::panic::set_hook(Box::new(|_| ()));
    let mut summary = Summary::default();
    let mut index = options.start;
    while summary.compared < options.count && summary.disagreements.len() < options.kinds {
        match compare::case_around(options.seed, index, &options.idiom) {
            None => summary.left_out += 1,
            Some(case) => match judge(&case.program, options, index) {
                Ok(Some(agreed)) => summary.add(agreed, case.bent),
                Ok(None) => summary.left_out += 1,
                Err(found) => {
                    summary.compared += 1;
                    let known = !options.all && summary.disagreements.iter().any(|(_, it, _)| it.kind == found.kind);
                    if !known {
                        let shows = &mut |program: &Program| {
                            compare::judge(program, options.time).is_err_and(|other| other.kind == found.kind)
                        };
                        let small =
                            if options.quick { case.program.clone() } else { shrink::shrink(&case.program, shows) };
                        let found = compare::judge(&small, options.time).err().unwrap_or(found);
                        write(&options.out, options.seed, index, case.source.idiom, &found, &small);
                        summary.disagreements.push((index, found, small));
                    }
                }
            },
        }
        index += 1;
    }
    summary
}

fn judge(program: &Program, options: &Options, index: u64) -> Result<Option<Agreed>, Disagreement> {
    if options.verbose {
        eprintln!("seed {} program {index}", options.seed);
    }
    compare::judge(program, options.time)
}

/// Writes the program that shows a disagreement.
fn write(out: &Path, seed: u64, index: u64, idiom: &str, found: &Disagreement, program: &Program) {
    let path = out.join(format!("disagreement-{seed}-{index}.ir"));
    let text = format!(
        ";; {}: {}\n;; fuzz concurrent --seed {seed} --start {index} --count 1 (idiom: {idiom})\n\n{}",
        found.kind,
        found.detail,
        ir::text::print(program)
    );
    match std::fs::create_dir_all(out).and_then(|()| std::fs::write(&path, text)) {
        Ok(()) => eprintln!("{}: {} (idiom: {idiom}; in {})", found.kind, found.detail, path.display()),
        Err(error) => eprintln!("{}: {} (not written: {error})", found.kind, found.detail),
    }
}
