//! Damaged inputs for the readers of `.ll` and `.ir`: whatever the text, there is an answer, and soon.
//!
//! The cases run in a process of its own, which writes each text down before it reads it.  So a stack that overflows, memory
//! that runs out and a loop without end are noticed from outside, and the text that causes them is known.

pub mod corpus;
pub mod exercise;
mod minimise;

use crate::process::{self, Ran};
use base::process::panic_text;
use base::{Rng, damage};
use corpus::Kind;
use exercise::Came;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A case that takes longer hangs.
pub const LONGEST: Duration = Duration::from_secs(2);

/// A text on which something went wrong.
#[derive(Clone, Debug)]
pub struct Finding {
    pub what: String,
    pub text: String,
}

/// What became of one text, panics included.
pub fn try_one(kind: Kind, text: &str) -> Result<Came, String> {
    let start = Instant::now();
    let result = catch_unwind(AssertUnwindSafe(|| exercise::exercise(kind, text)));
    let came = result.unwrap_or_else(|panic| Err(format!("panic: {}", panic_text(&*panic))))?;
    if start.elapsed() > LONGEST { Err(format!("takes {:.1} s", start.elapsed().as_secs_f64())) } else { Ok(came) }
}

/// How many texts there were, and how many became programs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub cases: u64,
    pub ran: u64,
}

impl Counts {
    /// Tries the next damaged text; `before` sees it before it is tried.
    fn next(&mut self, kind: Kind, seed: u64, texts: &[String], before: impl FnOnce(&str)) -> Result<(), Finding> {
        let text = damage(texts, &mut Rng::of_case(seed, self.cases));
        before(&text);
        self.cases += 1;
        let came = try_one(kind, &text).map_err(|what| Finding { what, text })?;
        self.ran += u64::from(came == Came::Ran);
        Ok(())
    }
}

/// Tries `count` damaged texts in this process; stops at the first that goes wrong.
pub fn run_here(kind: Kind, seed: u64, count: u64, texts: &[String]) -> Result<Counts, Finding> {
    let mut counts = Counts::default();
    while counts.cases < count {
        counts.next(kind, seed, texts, |_| ())?;
    }
    Ok(counts)
}

/// The worker's side: tries texts until the time is over.  `scratch` has the text being tried; findings go to `out`.
pub fn work(kind: Kind, seed: u64, time: Duration, scratch: &Path, out: &Path) -> Counts {
    std::panic::set_hook(Box::new(|_| ()));
    let texts = corpus::texts(kind, 60);
    let start = Instant::now();
    let mut counts = Counts::default();
    let mut known: Vec<String> = Vec::new();
    while start.elapsed() < time {
        let tried = counts.next(kind, seed, &texts, |text| _ = std::fs::write(scratch, text));
        // The same thing is told once.
        if let Err(Finding { what, text }) = tried
            && !known.contains(&what)
        {
            let shows = &mut |text: &str| try_one(kind, text).is_err_and(|other| other == what);
            let text = minimise::minimise(&text, Duration::from_secs(60), shows);
            save(kind, out, &Finding { what: what.clone(), text });
            known.push(what);
        }
    }
    counts
}

/// Runs workers until the time is over, and says what was found.
pub fn supervise(kind: Kind, seed: u64, time: Duration, out: &Path) -> Result<Vec<Finding>, String> {
    std::fs::create_dir_all(out).map_err(|error| format!("{}: {error}", out.display()))?;
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let scratch = out.join(format!("current.{}", extension(kind)));
    let start = Instant::now();
    let mut found = Vec::new();
    let mut round = 0;
    while start.elapsed() < time && found.len() < 20 {
        let left = time - start.elapsed();
        let mut worker = worker(&program);
        worker.args([extension(kind), "--seed", &(seed + round).to_string()]).arg("--worker").arg(&scratch);
        worker.args(["--seconds", &left.as_secs().max(1).to_string(), "--out"]).arg(out);
        if let Some(what) = watch(&mut worker, &scratch)? {
            let text = String::from_utf8_lossy(&std::fs::read(&scratch).unwrap_or_default()).into_owned();
            let shows = &mut |text: &str| dies(&program, kind, out, text);
            let small = minimise::minimise(&text, Duration::from_secs(300), shows);
            let finding = Finding { what, text: small };
            save(kind, out, &finding);
            found.push(finding);
        }
        round += 1000;
    }
    _ = std::fs::remove_file(scratch);
    Ok(found)
}

/// With a limit on memory: a reader that asks for too much must die before the machine does.
fn worker(program: &Path) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 6000000; exec \"$0\" \"$@\""]).arg(program);
    command
}

/// Watches a worker; says what is wrong if it dies or stands still.
fn watch(command: &mut Command, scratch: &Path) -> Result<Option<String>, String> {
    let mut child = command.stdin(Stdio::null()).spawn().map_err(|error| error.to_string())?;
    let mut changed = Instant::now();
    let mut last = None;
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(None),
            Ok(Some(status)) => return Ok(Some(format!("the process dies: {status}"))),
            Ok(None) => (),
            Err(error) => return Err(error.to_string()),
        }
        let written = std::fs::metadata(scratch).and_then(|data| data.modified()).ok();
        if written != last {
            last = written;
            changed = Instant::now();
        }
        // Minimising takes a while, and the corpus is made at the start.
        if changed.elapsed() > LONGEST + Duration::from_secs(100) {
            _ = child.kill();
            _ = child.wait();
            return Ok(Some("does not end".into()));
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Does reading this text kill a process, or take too long?
fn dies(program: &Path, kind: Kind, out: &Path, text: &str) -> bool {
    let file = out.join(format!("candidate.{}", extension(kind)));
    if std::fs::write(&file, text).is_err() {
        return false;
    }
    let mut command = worker(program);
    command.args([extension(kind), "--file"]).arg(&file);
    let died = !matches!(process::run(command, LONGEST * 3), Ran::Output(_));
    _ = std::fs::remove_file(file);
    died
}

fn extension(kind: Kind) -> &'static str {
    match kind {
        Kind::Llvm => "ll",
        Kind::Ir => "ir",
    }
}

/// Writes a finding down, under a name made of its content.
fn save(kind: Kind, out: &Path, finding: &Finding) -> PathBuf {
    let sum = finding.text.bytes().fold(0_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(u32::from(byte)));
    let path = out.join(format!("finding-{sum:08x}.{}", extension(kind)));
    _ = std::fs::create_dir_all(out);
    _ = std::fs::write(&path, &finding.text);
    eprintln!("{}: {}", path.display(), finding.what);
    path
}
