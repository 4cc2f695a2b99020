//! A run over random programs: each is judged, and one that shows a disagreement is made small and kept.

use super::compare::{self, Disagreement};
use super::shrink;
use ir::Program;
use std::path::PathBuf;

/// Which programs are judged, and where those go that show a disagreement.
#[derive(Clone, Debug)]
pub struct Campaign {
    pub seed: u64,
    /// The first program.
    pub start: u64,
    /// So many are to be judged.
    pub count: u64,
    pub out: PathBuf,
}

/// How many programs were judged, and the first disagreement of each kind, by the program.
#[derive(Debug, Default)]
pub struct Found {
    pub compared: u64,
    pub disagreements: Vec<(u64, Disagreement)>,
}

impl Campaign {
    /// Judges programs, up to five kinds of disagreements.  `judge` gives nothing for a program that is not to be counted;
    /// what it gives for others goes to `agreed`.
    pub fn run<T>(
        &self,
        name: &str,
        judge: impl Fn(&Program) -> Result<Option<T>, Disagreement>,
        mut agreed: impl FnMut(T),
    ) -> Found {
        // Panics are caught and reported with the program that causes them.
        std::panic::set_hook(Box::new(|_| ()));
        let judge = |program: &Program| compare::caught(|| judge(program));
        let mut all = Found::default();
        for index in self.start.. {
            if all.compared >= self.count || all.disagreements.len() >= 5 {
                break;
            }
            let Some(case) = compare::case(self.seed, index) else { continue };
            match judge(&case.program) {
                Ok(None) => continue,
                Ok(Some(result)) => agreed(result),
                Err(found) if all.disagreements.iter().any(|(_, known)| known.kind == found.kind) => (),
                Err(found) => {
                    let shows = &mut |program: &Program| judge(program).is_err_and(|it| it.kind == found.kind);
                    let small = shrink::shrink(&case.program, shows);
                    self.keep(name, index, &found, &small);
                    all.disagreements.push((index, found));
                }
            }
            all.compared += 1;
        }
        all
    }

    fn keep(&self, name: &str, index: u64, found: &Disagreement, program: &Program) {
        let text = format!(";; {}: {}\n\n{}", found.kind, found.detail, ir::text::print(program));
        let path = self.out.join(format!("{name}-{}-{index}.ir", self.seed));
        if std::fs::create_dir_all(&self.out).and_then(|()| std::fs::write(&path, text)).is_ok() {
            eprintln!("{} (in {})", found.kind, path.display());
        }
    }
}
