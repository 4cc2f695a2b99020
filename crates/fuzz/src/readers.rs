//! Damaged input for the readers: LLVM text and programs' own text, broken in small ways, must give an error or a program,
//! never a panic and never a hang.
//!
//! A case takes a text of the corpus and breaks it a few times: bytes, words and lines are dropped, doubled, exchanged,
//! taken from another text.  What is read all the same goes the whole way: LLVM text is lowered, linked and validated;
//! a valid program is printed, read back and compared, and runs for a while.

use crate::rng::Rng;
use ir::interp::{Code, Machine, Step};
use ir::{DataModel, Program};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A case that takes longer than this is a hang.
const PATIENCE: Duration = Duration::from_secs(5);
/// How far a program that is still valid runs.
const STEPS: u32 = 2000;

/// Which reader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reader {
    Llvm,
    Ir,
}

pub struct Options {
    pub reader: Reader,
    pub seed: u64,
    pub time: Duration,
    /// Stop after so many cases, if that comes first.
    pub cases: u64,
    /// Where inputs that break a reader are written.
    pub out: PathBuf,
}

/// What came of a run.
#[derive(Clone, Default, Debug)]
pub struct Summary {
    pub cases: u64,
    /// How many were read without an error.
    pub accepted: u64,
    /// How many of these were valid programs and ran.
    pub ran: u64,
    pub slowest: Duration,
    pub failures: Vec<String>,
}

/// Breaks texts of the corpus until the time is up.
pub fn run(options: &Options, corpus: &[String]) -> Summary {
    let start = Instant::now();
    let mut summary = Summary::default();
    if corpus.is_empty() {
        summary.failures.push("there is no text to break".into());
        return summary;
    }
    let watch = Watch::start(options.out.clone());
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    while start.elapsed() < options.time && summary.cases < options.cases {
        let mut rng = Rng::of_case(options.seed, summary.cases);
        let text = broken(&mut rng, corpus);
        summary.cases += 1;
        watch.begin(&text);
        let begin = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(|| read(options, &text)));
        let took = begin.elapsed();
        watch.end();
        summary.slowest = summary.slowest.max(took);
        let why = match result {
            Ok(Ok(Read { accepted, ran })) => {
                summary.accepted += u64::from(accepted);
                summary.ran += u64::from(ran);
                if took < PATIENCE {
                    continue;
                }
                format!("takes {:.1} s", took.as_secs_f64())
            }
            Ok(Err(why)) => why,
            Err(panic) => format!("panics: {}", words_of(&*panic)),
        };
        let file = options.out.join(format!("broken-{}-{}.txt", options.seed, summary.cases - 1));
        let saved =
            std::fs::write(&file, &text).map_or_else(|error| error.to_string(), |()| file.display().to_string());
        summary.failures.push(format!("case {}: {why} ({saved})", summary.cases - 1));
        if summary.failures.len() >= 20 {
            break;
        }
    }
    std::panic::set_hook(hook);
    summary
}

struct Read {
    accepted: bool,
    ran: bool,
}

fn read(options: &Options, text: &str) -> Result<Read, String> {
    let program = match options.reader {
        Reader::Ir => ir::text::parse(text, "case.ir").ok(),
        Reader::Llvm => front::read_llvm(text, "case.ll", &front::Options::default()).ok().map(|loaded| loaded.program),
    };
    let Some(program) = program else { return Ok(Read { accepted: false, ran: false }) };
    let invalid = ir::validate(&program);
    if let Some(first) = invalid.first() {
        // The reader of programs leaves checking to `validate`; the front end promises valid programs.
        return match options.reader {
            Reader::Ir => Ok(Read { accepted: true, ran: false }),
            Reader::Llvm => Err(format!("lowers to an invalid program: {}", first.message)),
        };
    }
    let printed = ir::text::print(&program);
    match ir::text::parse(&printed, "printed.ir") {
        Ok(again) if again == program => (),
        Ok(_) => return Err("is another program after printing and parsing".into()),
        Err(error) => return Err(format!("cannot be read back: {error}")),
    }
    drive(&program);
    Ok(Read { accepted: true, ran: true })
}

/// Runs the program for a while, whichever thread can move, all inputs zero.
fn drive(program: &Program) {
    let code = Code::new(program);
    let mut machine = Machine::new(&code);
    for step in 0..STEPS {
        let count = machine.thread_count();
        let owner = machine.atomic_owner();
        let next = (0..count)
            .map(|i| (i + step as usize / 7) % count)
            .find(|t| owner.is_none_or(|owner| owner == *t) && machine.enabled(*t));
        let Some(thread) = next else { return };
        match machine.step(thread, &mut |_| 0) {
            Step::Done => (),
            Step::Blocked | Step::Violated | Step::Ended(_) | Step::Unsupported(_) => return,
        }
    }
}

/// A text of the corpus, broken.
fn broken(rng: &mut Rng, corpus: &[String]) -> String {
    let empty = String::new();
    let mut bytes = rng.pick(corpus).unwrap_or(&empty).clone().into_bytes();
    for _ in 0..rng.within(1, 6) {
        if bytes.is_empty() {
            break;
        }
        let at = rng.below(bytes.len());
        match rng.below(10) {
            0 => bytes[at] = rng.next() as u8,
            1 => bytes[at] = b"(){}[]<>,:;=@%!*#\"'0-9 \n"[rng.below(24)],
            2 => {
                let end = (at + rng.within(1, 40)).min(bytes.len());
                bytes.drain(at..end);
            }
            3 => {
                let end = (at + rng.within(1, 200)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                let to = rng.below(bytes.len());
                bytes.splice(to..to, piece);
            }
            4 | 5 => {
                let (start, end) = word_at(&bytes, at);
                let other = rng.pick(corpus).unwrap_or(&empty).as_bytes();
                if !other.is_empty() {
                    let (from, to) = word_at(other, rng.below(other.len()));
                    bytes.splice(start..end, other[from..to].to_vec());
                }
            }
            6 => {
                let (start, end) = line_at(&bytes, at);
                bytes.drain(start..end);
            }
            7 => {
                let (start, end) = line_at(&bytes, at);
                let line = bytes[start..end].to_vec();
                let (to, _) = line_at(&bytes, rng.below(bytes.len()));
                bytes.splice(to..to, line);
            }
            8 => {
                // A number becomes an extreme one.
                let (start, end) = word_at(&bytes, at);
                let extreme: &[&str] =
                    &["0", "-1", "4294967295", "18446744073709551615", "340282366920938463463374607431768211456"];
                let number = rng.pick(extreme).copied().unwrap_or("0");
                bytes.splice(start..end, number.bytes());
            }
            _ => {
                let other = rng.pick(corpus).unwrap_or(&empty).as_bytes();
                if !other.is_empty() {
                    let (from, to) = line_at(other, rng.below(other.len()));
                    let (here, _) = line_at(&bytes, at);
                    bytes.splice(here..here, other[from..to].to_vec());
                }
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The run of letters and digits, or the single other byte, at a place.
fn word_at(bytes: &[u8], at: usize) -> (usize, usize) {
    let in_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'.';
    if !in_word(&bytes[at]) {
        return (at, at + 1);
    }
    let start = bytes[..at].iter().rposition(|byte| !in_word(byte)).map_or(0, |before| before + 1);
    let end = bytes[at..].iter().position(|byte| !in_word(byte)).map_or(bytes.len(), |after| at + after);
    (start, end)
}

/// The line at a place, with its end.
fn line_at(bytes: &[u8], at: usize) -> (usize, usize) {
    let start = bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |before| before + 1);
    let end = bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |after| at + after + 1);
    (start, end)
}

fn words_of(panic: &(dyn std::any::Any + Send)) -> String {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_string(),
        (_, Some(text)) => text.clone(),
        _ => "for an unknown reason".into(),
    }
}

/// Notices cases that do not end: nothing else could, so it saves the input and ends the process.
struct Watch {
    /// Milliseconds since the start when the case began; 0 between cases.
    since: &'static AtomicU64,
    text: &'static Mutex<String>,
    start: Instant,
}

impl Watch {
    fn start(out: PathBuf) -> Self {
        // The watching thread lives as long as the process.
        let since: &'static AtomicU64 = Box::leak(Box::default());
        let text: &'static Mutex<String> = Box::leak(Box::default());
        let start = Instant::now();
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(Duration::from_millis(500));
                let began = since.load(Ordering::Relaxed);
                let now = start.elapsed().as_millis() as u64;
                if began != 0 && now.saturating_sub(began) > 6 * PATIENCE.as_millis() as u64 {
                    let file = out.join("hang.txt");
                    if let Ok(text) = text.lock() {
                        let _ = std::fs::write(&file, &*text);
                    }
                    eprintln!("hang: the input is in {}", file.display());
                    std::process::exit(1);
                }
            }
        });
        Watch { since, text, start }
    }

    fn begin(&self, text: &str) {
        if let Ok(mut kept) = self.text.lock() {
            kept.clear();
            kept.push_str(text);
        }
        self.since.store(self.start.elapsed().as_millis() as u64 + 1, Ordering::Relaxed);
    }

    fn end(&self) {
        self.since.store(0, Ordering::Relaxed);
    }
}

/// Programs in our own text: the file tests below `root`, without their `test` lines.
pub fn ir_corpus(root: &Path) -> Vec<String> {
    let strip = |text: String| {
        let lines = text.lines().filter(|line| !line.starts_with("test "));
        lines.collect::<Vec<_>>().join("\n")
    };
    files_below(root, "ir").into_iter().filter_map(|file| std::fs::read_to_string(file).ok()).map(strip).collect()
}

/// LLVM text: C programs below `root` as clang translates them, for both data models in turn.
pub fn llvm_corpus(root: &Path, most: usize) -> Vec<String> {
    let options = |at: usize| front::Options {
        data_model: if at.is_multiple_of(4) { DataModel::Ilp32 } else { DataModel::Lp64 },
        ..front::Options::default()
    };
    let files = files_below(root, "c");
    let step = files.len().div_ceil(most.max(1)).max(1);
    let chosen = files.into_iter().step_by(step).enumerate();
    chosen
        .filter_map(|(at, file)| front::to_llvm(&file, &options(at)).ok())
        .filter(|text| text.len() < 200_000)
        .collect()
}

fn files_below(root: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut work = vec![root.to_path_buf()];
    while let Some(folder) = work.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                work.push(path);
            } else if path.extension().is_some_and(|extension| extension == ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
