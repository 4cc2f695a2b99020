//! Evidence as files: the trace of a counterexample, and both sides of a contradiction.

use crate::check::Plan;
use crate::present;
use claim::Proof;
use claim::Violation;
use ir::interp::Code;
use report::describe_proof;
use report::story::{End, Position, Sources, Story};
use report::trace_file::TraceFile;
use std::io;
use std::path::{Path, PathBuf};

/// A trace file.
pub fn trace_text(plan: &Plan, violation: &Violation, story: &Story) -> String {
    let tool = concat!("unbraid ", env!("CARGO_PKG_VERSION"));
    let position = match &story.end {
        End::Violated(failure) => failure.at.clone(),
        // Confirmed violations do not diverge; should one do so all the same, its trace is still worth having.
        End::Diverged(_) => Position::default(),
    };
    let id = present::program_id(&plan.args.input);
    TraceFile::new(tool, id, &plan.property.name, position, violation.trace.clone()).print(story)
}

/// Saves the evidence of two engines, one of which says safe and the other unsafe, and says where.
pub fn contradiction(
    plan: &Plan,
    code: &Code<'_>,
    (safe, violated): &(String, String),
    proof: &Proof,
    violation: &Violation,
) -> String {
    let what =
        format!("engines contradict each other: {safe} says SAFE, {violated} says UNSAFE, and both were confirmed");
    let fill = |folder: &Path| {
        let story = Story::new(code, &violation.trace, &mut Sources::new());
        std::fs::write(folder.join("trace.json"), trace_text(plan, violation, &story))?;
        std::fs::write(folder.join("program.ir"), ir::text::print(code.program))?;
        let files = plan.args.input.file_names().join(" ");
        let proof = format!("engine {safe} says SAFE of {files}\nproof: {}\n", describe_proof(proof));
        std::fs::write(folder.join("proof.txt"), proof)
    };
    let saved = save(&plan.evidence, fill).or_else(|_| save(&std::env::temp_dir(), fill));
    let place = match saved {
        Ok(folder) => format!("the evidence is in {}: trace.json, proof.txt, program.ir", folder.display()),
        Err(error) => format!("the evidence cannot be saved: {error}"),
    };
    crate::guard::defect("internal error", &format!("{what}\n{place}"))
}

/// Makes a folder that was not there and fills it.
fn save(parent: &Path, fill: impl Fn(&Path) -> io::Result<()>) -> io::Result<PathBuf> {
    let mut number = 1;
    let folder = loop {
        let folder = parent.join(format!("unbraid-contradiction-{number}"));
        match std::fs::create_dir(&folder) {
            Ok(()) => break folder,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    };
    fill(&folder)?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Refusal;
    use crate::options::{Command, parse};
    use base::Budget;
    use confirm::Verdict;
    use engines::{Problem, Unobserved};

    fn program(condition: &str) -> ir::Program {
        let text = format!(
            "target 64\nentry main\n\nfunc main() -> i32 {{\nb0:\n  assert {condition} \"it holds\"\n  return 0\n}}\n"
        );
        ir::text::parse(&text, "test.ir").unwrap()
    }

    fn decided(code: &Code<'_>) -> Verdict {
        let mut engine = engines::Command::new("explicit").make().unwrap();
        let problem = Problem::new(code, ir::Spec::default());
        let outcome = engine.run(&problem, &Budget::unlimited(), &mut Unobserved);
        confirm::confirm("explicit", outcome, code, ir::Spec::default(), &Budget::unlimited())
    }

    #[test]
    fn both_sides_of_a_contradiction_are_saved() {
        let folder = std::env::temp_dir().join(format!("unbraid-evidence-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let words = ["unbraid", "check", "test.ir"].into_iter().map(Into::into);
        let Command::Check(args) = parse(words).unwrap().command else { panic!("another command") };
        let Ok(plan) = Plan::new(*args).map_err(|_: Refusal| ()) else { panic!("no plan") };
        let plan = Plan { evidence: folder.clone(), ..plan };
        // Each is right about a program of its own.
        let (holds, fails) = (program("true"), program("false"));
        let (holds, fails) = (Code::new(&holds), Code::new(&fails));
        let (Verdict::Safe(proof), Verdict::Unsafe(violation)) = (decided(&holds), decided(&fails)) else {
            panic!("other verdicts")
        };
        let names = ("one".to_string(), "two".to_string());
        for number in 1..3 {
            let message = contradiction(&plan, &fails, &names, &proof, &violation);
            let place = folder.join(format!("unbraid-contradiction-{number}"));
            assert!(message.contains("one says SAFE, two says UNSAFE"), "{message}");
            assert!(message.contains(&place.display().to_string()), "{message}");
            let read = |name: &str| std::fs::read_to_string(place.join(name)).unwrap();
            assert!(TraceFile::parse(&read("trace.json")).is_ok());
            assert!(read("proof.txt").contains("a closed set of"));
            assert!(ir::text::parse(&read("program.ir"), "program.ir").is_ok());
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
