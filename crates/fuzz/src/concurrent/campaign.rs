//! A run over random programs: each is judged, and one that shows a disagreement is made small and kept.

use super::compare::{self, Case, Disagreement};
use super::shrink;
use ir::Program;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

/// Which programs are judged, and where those go that show a disagreement.
#[derive(clap::Args, Clone, Debug)]
pub struct Campaign {
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The first program
    #[arg(long, default_value_t = 0)]
    pub start: u64,
    /// How many are to be judged; those left out are not counted
    #[arg(long, default_value_t = 1000)]
    pub count: u64,
    /// Where those go that show a disagreement
    #[arg(long, default_value = ".")]
    pub out: PathBuf,
    /// Only programs that are built around this; empty for all
    #[arg(long, default_value = "")]
    pub idiom: String,
    /// Stop after so many disagreements of different kinds
    #[arg(long, default_value_t = 5)]
    pub kinds: usize,
    /// Also disagreements of a kind that was seen already
    #[arg(long)]
    pub all: bool,
    /// Programs are not made small
    #[arg(long)]
    pub quick: bool,
    /// Name programs before they are decided
    #[arg(long)]
    pub verbose: bool,
}

/// What a run found.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub compared: u64,
    pub left_out: u64,
    /// The first disagreement of each kind, by the program.
    pub disagreements: Vec<(u64, Disagreement)>,
    /// What was counted, by heading and name.
    counts: BTreeMap<(String, String), u64>,
}

impl Summary {
    pub fn count(&mut self, heading: &str, name: &str, more: u64) {
        *self.counts.entry((heading.into(), name.into())).or_default() += more;
    }

    pub fn get(&self, heading: &str, name: &str) -> u64 {
        self.counts.get(&(heading.into(), name.into())).copied().unwrap_or(0)
    }

    /// A line for each number, with how much that is for each program that was compared.
    pub fn print(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, count: u64| {
            let each = count as f64 / self.compared.max(1) as f64;
            _ = writeln!(text, "{name:60}{count:>12}{each:>12.3}");
        };
        line("programs compared", self.compared);
        line("left out", self.left_out);
        for ((heading, name), count) in &self.counts {
            line(&format!("{heading}{}{name}", if heading.is_empty() { "" } else { ": " }), *count);
        }
        line("disagreements", self.disagreements.len() as u64);
        text
    }
}

impl Campaign {
    /// So many programs, all kinds of which are wanted.
    pub fn new(seed: u64, count: u64, out: PathBuf) -> Self {
        let (idiom, kinds) = (String::new(), 5);
        Campaign { seed, start: 0, count, out, idiom, kinds, all: false, quick: false, verbose: false }
    }

    /// Judges programs, up to some kinds of disagreements.  `judge` gives nothing for a program that is not to be counted;
    /// what it gives for others is counted by `count`.
    pub fn run<T>(
        &self,
        command: &str,
        judge: impl Fn(&Case) -> Result<Option<T>, Disagreement>,
        count: impl Fn(T, &Case, &mut Summary),
    ) -> Summary {
        // Panics are caught and reported with the program that causes them.
        std::panic::set_hook(Box::new(|_| ()));
        let judge = |case: &Case| compare::caught(|| judge(case));
        let mut all = Summary::default();
        for index in self.start.. {
            if all.compared >= self.count || all.disagreements.len() >= self.kinds {
                break;
            }
            let Some(case) = compare::case_around(self.seed, index, &self.idiom) else {
                all.left_out += 1;
                continue;
            };
            if self.verbose {
                eprintln!("seed {} program {index}", self.seed);
            }
            match judge(&case) {
                Ok(None) => {
                    all.left_out += 1;
                    continue;
                }
                Ok(Some(result)) => count(result, &case, &mut all),
                Err(found) if !self.all && all.disagreements.iter().any(|(_, known)| known.kind == found.kind) => (),
                Err(found) => {
                    let smaller = |program: &Program| Case { program: program.clone(), ..case.clone() };
                    let shows =
                        &mut |program: &Program| judge(&smaller(program)).is_err_and(|it| it.kind == found.kind);
                    let small = if self.quick { case.program.clone() } else { shrink::shrink(&case.program, shows) };
                    let found = judge(&smaller(&small)).err().unwrap_or(found);
                    self.keep(command, index, case.source.idiom, &found, &small);
                    all.disagreements.push((index, found));
                }
            }
            all.compared += 1;
        }
        all
    }

    /// Writes the program that shows a disagreement.
    fn keep(&self, command: &str, index: u64, idiom: &str, found: &Disagreement, program: &Program) {
        let Disagreement { kind, detail } = found;
        let again = format!("fuzz {command} --seed {} --start {index} --count 1 (idiom: {idiom})", self.seed);
        let text = format!(";; {kind}: {detail}\n;; {again}\n\n{}", ir::text::print(program));
        let path = self.out.join(format!("{command}-{}-{index}.ir", self.seed));
        match std::fs::create_dir_all(&self.out).and_then(|()| std::fs::write(&path, text)) {
            Ok(()) => eprintln!("{kind}: {detail} (idiom: {idiom}; in {})", path.display()),
            Err(error) => eprintln!("{kind}: {detail} (not written: {error})"),
        }
    }
}
