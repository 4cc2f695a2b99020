//! What becomes of wrong claims: engines with a fault in them, or in a pass, decide programs that are unsafe.
//!
//! Only in a build into which `cargo xtask faults` has put faults.  A fault that makes an engine claim that such a program is
//! safe must be noticed by the check of the proof; whether the runs that come before the check would have noticed it is told as
//! well, since they do so for small programs only.  Each fault is tried in a process of its own, which may run for ever, or die.

use crate::concurrent::compare;
use crate::concurrent::plain::Verdict;
use base::process::panic_text;
use base::{Budget, Rng, faults};
use claim::{Outcome, Proof};
use engines::{Command, Problem, Unobserved};
use front::model::LinkOptions;
use ir::interp::Code;
use ir::{Program, Spec};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// The engines, in the ways in which faults are tried.
pub const ENGINES: [&str; 5] = ["explicit", "lazy", "lazy rounds=0", "comus", "product"];

/// How long an engine gets, and its check.
const TIME: Duration = Duration::from_millis(1500);
/// What takes an engine longer without a fault is not tried.
const QUICK: Duration = Duration::from_millis(400);
/// How long a process gets that tries one fault.
const LONGEST: Duration = Duration::from_secs(60);

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Where the programs are, as `.ir`; made if there are none
    #[arg(long)]
    programs: PathBuf,
    /// The faults: number, place, kind
    #[arg(long)]
    list: PathBuf,
    /// How many are tried, chosen at random; all of them with 0
    #[arg(long, default_value_t = 300)]
    count: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// On how many programs, with an engine, each is tried
    #[arg(long, default_value_t = 30)]
    each: usize,
    /// How many random programs there are beside those of `tests/c`
    #[arg(long, default_value_t = 300)]
    random: usize,
    /// Only faults whose place contains this
    #[arg(long, default_value = "")]
    only: String,
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Where what came of each fault is written
    #[arg(long)]
    out: PathBuf,
    /// Tries this fault on the programs that are named on standard input
    #[arg(long, hide = true)]
    worker: Option<usize>,
}

/// What came of one fault, one program and one engine.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Came {
    /// No claim that the program is safe.
    Nothing,
    Panic,
    /// A wrong claim, which the check refuses with these words; whether the runs refuse it.
    Refused(String, bool),
    /// A wrong claim that the check accepts; whether the runs refuse it.
    Accepted(bool),
}

/// One try: a program and an engine.
type Try = (String, usize);

pub fn run(args: &Args) -> Result<bool, String> {
    if let Some(fault) = args.worker {
        return work(fault, args);
    }
    if base::files(&args.programs, "ir").is_ok_and(|files| files.is_empty()) {
        make_programs(&args.programs, args.random)?;
    }
    let list = std::fs::read_to_string(&args.list).map_err(|error| format!("{}: {error}", args.list.display()))?;
    let places: BTreeMap<usize, &str> = list
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .filter_map(|(n, it)| Some((n.parse().ok()?, it)))
        .collect();
    let asked = asked(args)?;
    let mut rng = Rng::of_case(args.seed, 0);
    let mut chosen: Vec<usize> = asked
        .keys()
        .copied()
        .filter(|fault| places.get(fault).is_some_and(|place| place.contains(&args.only)))
        .collect();
    println!("{} faults, of which {} are reached and wanted", places.len(), chosen.len());
    if args.count > 0 {
        for i in 0..chosen.len() {
            let other = i + rng.below(chosen.len() - i);
            chosen.swap(i, other);
        }
        chosen.truncate(args.count);
    }
    let mut summary = Summary::default();
    let mut out = std::fs::File::create(&args.out).map_err(|error| format!("{}: {error}", args.out.display()))?;
    let start = Instant::now();
    base::parallel::each(
        &chosen,
        args.jobs,
        |fault| {
            let mut tries = asked[fault].clone();
            let mut rng = Rng::of_case(args.seed, *fault as u64);
            for i in 0..tries.len() {
                let other = i + rng.below(tries.len() - i);
                tries.swap(i, other);
            }
            tries.truncate(args.each);
            try_all(*fault, &tries, args)
        },
        |fault, came| {
            let place = places.get(fault).unwrap_or(&"");
            let text = summary.add(*fault, place, &came);
            _ = out.write_all(text.as_bytes());
            if summary.tried.is_multiple_of(50) {
                println!("{} faults, {:.0} s", summary.tried, start.elapsed().as_secs_f64());
            }
        },
    );
    print!("{}", summary.print());
    Ok(summary.through == 0)
}

/// The programs of `tests/c` that are unsafe, and random ones, as text.
fn make_programs(folder: &Path, random: usize) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    for file in base::files(&root, "c").map_err(|error| format!("{}: {error}", root.display()))? {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        if !text.contains("//@ assert: unsafe") {
            continue;
        }
        let words = text.lines().find_map(|line| line.strip_prefix("//@ args:")).unwrap_or("");
        let standard = words.split_whitespace().filter_map(|word| word.strip_prefix("--std="));
        let options = front::Options {
            clang_args: standard.map(|standard| format!("-std={standard}")).collect(),
            link: LinkOptions::from_words(words),
            ..front::Options::default()
        };
        let Ok(loaded) = front::load(std::slice::from_ref(&file), &options) else { continue };
        let name = file.strip_prefix(&root).unwrap_or(&file).display().to_string().replace('/', "-");
        write(folder, &name, &loaded.program)?;
    }
    let (mut index, mut made) = (0, 0);
    while made < random {
        index += 1;
        let Some(case) = compare::case(77, index) else { continue };
        if compare::known(&case.program) == Some(Verdict::Unsafe) {
            made += 1;
            write(folder, &format!("random-{index}"), &case.program)?;
        }
    }
    Ok(())
}

fn write(folder: &Path, name: &str, program: &Program) -> Result<(), String> {
    let path = folder.join(format!("{name}.ir"));
    std::fs::write(&path, ir::text::print(program)).map_err(|error| format!("{}: {error}", path.display()))
}

fn read(folder: &Path, name: &str) -> Result<Program, String> {
    let path = folder.join(name);
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    ir::text::parse(&text, name).map_err(|errors| format!("{name}: {errors:?}"))
}

/// Without a fault, each program with each engine: the faults that are asked for, unless it takes long.  Kept in a file
/// beside the programs.
fn asked(args: &Args) -> Result<BTreeMap<usize, Vec<Try>>, String> {
    let kept = args.programs.join("asked.tsv");
    let mut asked: BTreeMap<usize, Vec<Try>> = BTreeMap::new();
    if !kept.exists() {
        let files = base::files(&args.programs, "ir").map_err(|error| error.to_string())?;
        let mut text = String::new();
        for file in &files {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let program = read(&args.programs, &name)?;
            for (number, engine) in ENGINES.iter().enumerate() {
                faults::choose(0);
                faults::note();
                let start = Instant::now();
                let came = try_one(&program, engine);
                if start.elapsed() > QUICK {
                    continue;
                }
                if came != Came::Nothing {
                    println!("without a fault: {name}, {engine}: {came:?}");
                    continue;
                }
                let numbers: Vec<String> = faults::asked().iter().map(usize::to_string).collect();
                _ = writeln!(text, "{name}\t{number}\t{}", numbers.join(" "));
            }
        }
        std::fs::write(&kept, text).map_err(|error| format!("{}: {error}", kept.display()))?;
    }
    let text = std::fs::read_to_string(&kept).map_err(|error| format!("{}: {error}", kept.display()))?;
    for line in text.lines() {
        let mut fields = line.split('\t');
        let (Some(name), Some(engine), Some(numbers)) = (fields.next(), fields.next(), fields.next()) else { continue };
        let Ok(engine) = engine.parse() else { continue };
        for number in numbers.split(' ').filter_map(|number| number.parse().ok()) {
            asked.entry(number).or_default().push((name.to_string(), engine));
        }
    }
    Ok(asked)
}

/// One program, one engine, with the fault that is on.
fn try_one(program: &Program, engine: &str) -> Came {
    let came = catch_unwind(AssertUnwindSafe(|| {
        let code = Code::new(program);
        let budget = Budget::new(Some(TIME), None);
        let Ok(mut made) = Command::parse(engine).and_then(|command| command.make()) else { return Came::Nothing };
        match made.run(&Problem::new(&code, Spec::default()), &budget, &mut Unobserved) {
            Outcome::Safe(proof) => judge(&proof, &code),
            Outcome::Unsafe(_) | Outcome::Unknown(_) => Came::Nothing,
        }
    }));
    came.unwrap_or_else(|panic| {
        _ = panic_text(&*panic);
        Came::Panic
    })
}

/// What becomes of the claim that a program is safe which is not.
fn judge(proof: &Proof, code: &Code<'_>) -> Came {
    let budget = Budget::new(Some(2 * TIME), None);
    let runs = catch_unwind(AssertUnwindSafe(|| confirm::runs::check(code, &budget).is_err())).unwrap_or(true);
    let budget = Budget::new(Some(2 * TIME), None);
    match catch_unwind(AssertUnwindSafe(|| confirm::check(proof, code, &budget))) {
        Ok(Ok(())) => Came::Accepted(runs),
        Ok(Err(why)) => Came::Refused(kind(&why.to_string()), runs),
        Err(_) => Came::Refused("a panic of the check".into(), runs),
    }
}

/// The reason without names and numbers.
fn kind(why: &str) -> String {
    let is_name = |word: &&str| word.contains('/') || word.chars().any(|c| c.is_ascii_digit());
    let words: Vec<&str> = why.split_whitespace().filter(|word| !is_name(word)).collect();
    words.join(" ").chars().take(60).collect()
}

/// The worker's side: a line for each try.
fn work(fault: usize, args: &Args) -> Result<bool, String> {
    std::panic::set_hook(Box::new(|_| ()));
    let input = std::io::read_to_string(std::io::stdin()).map_err(|error| error.to_string())?;
    let each = || -> Result<(), String> {
        for line in input.lines() {
            let Some((name, engine)) = line.split_once('\t') else { continue };
            let program = read(&args.programs, name)?;
            let engine = engine.parse().ok().and_then(|number: usize| ENGINES.get(number)).ok_or("no such engine")?;
            faults::choose(fault);
            let came = try_one(&program, engine);
            faults::choose(0);
            println!("{}", came.to_line());
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, each);
        worker.map_err(|error| error.to_string())?.join().unwrap_or_else(|_| Err("the worker died".into()))
    })?;
    Ok(true)
}

impl Came {
    fn to_line(&self) -> String {
        match self {
            Came::Nothing => "nothing".into(),
            Came::Panic => "panic".into(),
            Came::Refused(why, runs) => format!("refused\t{runs}\t{why}"),
            Came::Accepted(runs) => format!("accepted\t{runs}"),
        }
    }
    fn of_line(line: &str) -> Came {
        let fields: Vec<&str> = line.split('\t').collect();
        match fields[..] {
            ["refused", runs, why] => Came::Refused(why.into(), runs == "true"),
            ["accepted", runs] => Came::Accepted(runs == "true"),
            ["nothing"] => Came::Nothing,
            _ => Came::Panic,
        }
    }
}

/// Tries a fault in processes of their own; what takes a process away is left out.
fn try_all(fault: usize, tries: &[Try], args: &Args) -> Vec<(Try, Came)> {
    let mut came: Vec<(Try, Came)> = Vec::new();
    let deadline = Instant::now() + LONGEST;
    while came.len() < tries.len() && Instant::now() < deadline {
        let rest = &tries[came.len()..];
        let input: String = rest.iter().map(|(name, engine)| format!("{name}\t{engine}\n")).collect();
        let lines = worker_output(fault, input, args, deadline);
        let done = lines.lines().count();
        came.extend(rest.iter().cloned().zip(lines.lines().map(Came::of_line)));
        if done < rest.len() {
            came.push((rest[done].clone(), Came::Panic));
        }
    }
    came
}

fn worker_output(fault: usize, input: String, args: &Args, deadline: Instant) -> String {
    let Ok(program) = std::env::current_exe() else { return String::new() };
    let output = std::env::temp_dir().join(format!("unbraid-fault-{}-{fault}", std::process::id()));
    let Ok(file) = std::fs::File::create(&output) else { return String::new() };
    // Memory is limited, as a fault may ask for any amount of it.
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "ulimit -v 6000000; exec \"$0\" \"$@\""]).arg(program).arg("faults");
    command.arg("--programs").arg(&args.programs).arg("--list").arg(&args.list).arg("--out").arg(&args.out);
    command.arg("--worker").arg(fault.to_string());
    command.stdin(Stdio::piped()).stdout(file).stderr(Stdio::null());
    if let Ok(mut child) = command.spawn() {
        if let Some(mut pipe) = child.stdin.take() {
            _ = pipe.write_all(input.as_bytes());
        }
        // One try takes as long as an engine and two checks may take, and something for loops that do not look at the clock.
        let mut seen = (0, Instant::now());
        while let Ok(None) = child.try_wait() {
            let size = std::fs::metadata(&output).map_or(0, |data| data.len());
            if size != seen.0 {
                seen = (size, Instant::now());
            }
            if Instant::now() > deadline || seen.1.elapsed() > 8 * TIME {
                _ = child.kill();
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
    let text = std::fs::read_to_string(&output).unwrap_or_default();
    _ = std::fs::remove_file(&output);
    text
}

#[derive(Default)]
struct Summary {
    tried: usize,
    tries: usize,
    panics: usize,
    /// Faults that led to a wrong claim, to one that the check accepts, and to one that nobody refuses.
    wrong: usize,
    accepted: BTreeSet<String>,
    through: usize,
    claims: usize,
    /// Wrong claims that the runs refuse.
    by_runs: usize,
    by_check: BTreeMap<String, usize>,
}

impl Summary {
    /// Counts what came of a fault; a line for each wrong claim that was accepted, and one for the fault.
    fn add(&mut self, fault: usize, place: &str, all: &[(Try, Came)]) -> String {
        let mut text = String::new();
        let mut wrong = 0;
        for ((name, engine), came) in all {
            self.tries += 1;
            match came {
                Came::Nothing => (),
                Came::Panic => self.panics += 1,
                Came::Refused(why, runs) => {
                    wrong += 1;
                    self.by_runs += usize::from(*runs);
                    *self.by_check.entry(why.clone()).or_default() += 1;
                    _ = writeln!(text, "refused\t{fault}\t{place}\t{name}\t{}\t{runs}\t{why}", ENGINES[*engine]);
                }
                Came::Accepted(runs) => {
                    wrong += 1;
                    self.by_runs += usize::from(*runs);
                    self.through += usize::from(!runs);
                    self.accepted.insert(format!("{fault}\t{place}"));
                    _ = writeln!(text, "accepted\t{fault}\t{place}\t{name}\t{}\t{runs}", ENGINES[*engine]);
                }
            }
        }
        self.tried += 1;
        self.claims += wrong;
        self.wrong += usize::from(wrong > 0);
        _ = writeln!(text, "fault\t{fault}\t{place}\t{}\t{wrong}", all.len());
        text
    }

    fn print(&self) -> String {
        let mut text = String::new();
        let Summary { tried, tries, panics, wrong, accepted, through, claims, by_runs, by_check } = self;
        _ = writeln!(text, "{tried} faults in {tries} tries, {panics} of which did not come to an end");
        _ = writeln!(text, "{wrong} faults led to {claims} claims that an unsafe program is safe");
        _ = writeln!(text, "{by_runs} of the claims are refused by runs of the program");
        for (why, count) in by_check {
            _ = writeln!(text, "{count:8} refused by the check: {why}");
        }
        _ = writeln!(text, "{} faults with a claim that the check of the proof accepts", accepted.len());
        accepted.iter().for_each(|place| _ = writeln!(text, "  {place}"));
        _ = writeln!(text, "{through} wrong verdicts");
        text
    }
}
