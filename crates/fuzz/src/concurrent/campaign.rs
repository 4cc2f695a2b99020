//! A run over random programs: each is judged, and one that shows a disagreement is made small and kept.

use super::compare::{self, Case, Disagreement};
use super::shrink;
use ir::Program;
use std::path::PathBuf;

/// Which programs are judged, and where those go that show a disagreement.
#[derive(Clone, Debug)]
pub struct Campaign {
    pub seed: u64,
    /// The first program and how many are to be judged; those left out are not counted.
    pub start: u64,
    pub count: u64,
    pub out: PathBuf,
    /// Only programs that are built around this; empty for all.
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

/// How many programs were judged, and the first disagreement of each kind, by the program.
#[derive(Clone, Debug, Default)]
pub struct Found {
    pub compared: u64,
    pub left_out: u64,
    pub disagreements: Vec<(u64, Disagreement)>,
}

impl Campaign {
    /// So many programs, all kinds of which are wanted.
    pub fn new(seed: u64, count: u64, out: PathBuf) -> Self {
        let (idiom, kinds) = (String::new(), 5);
        Campaign { seed, start: 0, count, out, idiom, kinds, all: false, quick: false, verbose: false }
    }

    /// Judges programs, up to some kinds of disagreements.  `judge` gives nothing for a program that is not to be counted;
    /// what it gives for others goes to `agreed`.
    pub fn run<T>(
        &self,
        command: &str,
        judge: impl Fn(&Program) -> Result<Option<T>, Disagreement>,
        mut agreed: impl FnMut(T, &Case),
    ) -> Found {
        // Panics are caught and reported with the program that causes them.
        std::panic::set_hook(Box::new(|_| ()));
        let judge = |program: &Program| compare::caught(|| judge(program));
        let mut all = Found::default();
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
            match judge(&case.program) {
                Ok(None) => {
                    all.left_out += 1;
                    continue;
                }
                Ok(Some(result)) => agreed(result, &case),
                Err(found) if !self.all && all.disagreements.iter().any(|(_, known)| known.kind == found.kind) => (),
                Err(found) => {
                    let shows = &mut |program: &Program| judge(program).is_err_and(|it| it.kind == found.kind);
                    let small = if self.quick { case.program.clone() } else { shrink::shrink(&case.program, shows) };
                    let found = judge(&small).err().unwrap_or(found);
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
