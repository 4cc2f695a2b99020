//! `cargo xtask tables`: published experiments, repeated.
//!
//! Of the Lazy-CSeq paper (CAV 2014), on a suite of programs:
//!
//! * `table1`: its unsafe programs with the paper's bounds and with automatic bounds;
//! * `fig6`: how far the unwinding of safe programs can be raised within a time, for 1 to 6 rounds;
//! * `fig7`: variables and clauses of safe programs against unwinding and rounds.
//!
//! Of CoMuS (ATVA 2018 and the thesis), on the families of `docs/families.md`:
//!
//! * `thesis`: tables 9.1 and 9.2 of the thesis, which are Fig. 5 and 6 of the paper, and larger programs;
//! * `orders`: what it costs to take the threads in another order than that of their data flow;
//! * `switches`: what each optimisation is worth.

mod curve;
mod family;
mod fig6;
mod fig7;
mod grid;
mod measure;
mod orders;
mod switches;
mod table1;
mod thesis;

use crate::check::Settings;
use measure::Measurer;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Args {
    /// Which of them; those of the Lazy-CSeq paper by default
    #[arg(value_enum)]
    pub which: Vec<Which>,
    /// The folder with the programs and index.tsv, for the Lazy-CSeq paper
    #[arg(long)]
    pub suite: Option<PathBuf>,
    /// By default the one that the experiment is about: lazy or comus
    #[arg(long)]
    pub engine: Option<String>,
    /// Time for each run
    #[arg(long, default_value = "60s")]
    pub timeout: String,
    /// Memory for each run
    #[arg(long, default_value = "4G")]
    pub memory: String,
    /// How many at a time; one, so that times are not disturbed
    #[arg(long, default_value_t = 1)]
    pub jobs: usize,
    /// Only programs whose path contains this
    #[arg(long)]
    pub filter: Option<String>,
    /// The rounds of fig6 and fig7
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 3, 4, 5, 6])]
    pub rounds: Vec<u32>,
    /// The unwindings of fig6 and fig7
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 3, 4, 6, 8, 10, 12, 14])]
    pub unwind: Vec<u32>,
    /// Only these families of thesis, orders and switches
    #[arg(long, value_enum, value_delimiter = ',')]
    pub only: Vec<families::Family>,
    /// No more threads than this in thesis, orders and switches
    #[arg(long)]
    pub threads_max: Option<usize>,
    /// The shuffles of orders
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 3])]
    pub seeds: Vec<u64>,
    /// Further options for `unbraid check`, in thesis, orders and switches
    #[arg(long, value_delimiter = ' ', allow_hyphen_values = true)]
    pub options: Vec<String>,
    /// Where the results go, run by run
    #[arg(long, default_value = "out/tables.tsv")]
    pub out: PathBuf,
    /// Measure again even if there are results of this binary with these settings
    #[arg(long)]
    pub fresh: bool,
    /// Measure this binary instead of building one
    #[arg(long)]
    pub binary: Option<PathBuf>,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    Table1,
    Fig6,
    Fig7,
    Thesis,
    Orders,
    Switches,
}

impl Args {
    /// The engine of the Lazy-CSeq paper's experiments.
    pub fn lazy_engine(&self) -> &str {
        self.engine.as_deref().unwrap_or("lazy")
    }
    fn settings<'a>(&'a self, binary: &'a Path, engine: &'a str) -> Settings<'a> {
        Settings { binary, engine, timeout: &self.timeout, memory: &self.memory }
    }
}

/// True unless a bug is missed or a verdict wrong.
pub fn run(args: &Args) -> Result<bool, String> {
    let usual = [Which::Table1, Which::Fig6, Which::Fig7];
    let which = if args.which.is_empty() { &usual[..] } else { &args.which[..] };
    let needs_suite = which.iter().any(|which| usual.contains(which));
    let measurer = needs_suite.then(|| Measurer::new(args)).transpose()?;
    let mut fine = true;
    for which in which {
        fine &= match (which, &measurer) {
            (Which::Table1, Some(measurer)) => table1::run(args, measurer)?,
            (Which::Fig6, Some(measurer)) => fig6::run(args, measurer)?,
            (Which::Fig7, Some(measurer)) => fig7::run(args, measurer)?,
            (Which::Thesis, _) => thesis::run(args)?,
            (Which::Orders, _) => orders::run(args)?,
            (Which::Switches, _) => switches::run(args)?,
            (Which::Table1 | Which::Fig6 | Which::Fig7, None) => return Err("these experiments need a suite".into()),
        };
    }
    Ok(fine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Folder;
    use std::os::unix::fs::PermissionsExt;

    /// A binary that knows the verdict by the name of the file, and counts: 10 variables for each round and unwinding.  It
    /// takes a while for `slow` programs with more than two rounds, and does not see the bug of those called `missed`.
    const FAKE: &str = include_str!("fake.sh");

    /// A suite with these programs, and the fake; the folder goes away with the test.
    fn suite(paths: &[&str]) -> (Folder, Args) {
        let folder = Folder::new().unwrap();
        let mut index = String::from("path\tproperty\texpected\tdata_model\n");
        for path in paths {
            index += &format!("{path}\tunreach-call\t{}\tILP32\n", !path.contains("false"));
        }
        std::fs::write(folder.file("index.tsv"), index).unwrap();
        let binary = folder.file("fake");
        std::fs::write(&binary, FAKE).unwrap();
        std::fs::set_permissions(&binary, std::fs::Permissions::from_mode(0o755)).unwrap();
        let args = Args {
            which: Vec::new(),
            suite: Some(folder.path().into()),
            engine: None,
            timeout: "5s".into(),
            memory: "1G".into(),
            jobs: 2,
            filter: None,
            rounds: vec![1, 2, 3],
            unwind: vec![1, 2, 4],
            only: Vec::new(),
            threads_max: None,
            seeds: vec![1],
            options: Vec::new(),
            out: folder.file("out.tsv"),
            fresh: false,
            binary: Some(binary),
        };
        (folder, args)
    }

    fn lines(path: &Path) -> Vec<String> {
        std::fs::read_to_string(path).unwrap().lines().map(String::from).collect()
    }

    #[test]
    fn a_missed_bug_fails() {
        let path = "pthread-ext-2015/27_Boop_simple_vf_false-unreach-call.i";
        let (folder, args) = suite(&[path]);
        let args = Args { which: vec![Which::Table1], filter: Some("27_Boop".into()), ..args };
        assert_eq!(run(&args), Ok(true));
        let text = std::fs::read_to_string(folder.file("fake")).unwrap();
        std::fs::write(folder.file("fake"), text.replace("*missed*", "*Boop*")).unwrap();
        let args = Args { fresh: true, ..args };
        assert_eq!(run(&args), Ok(false));
    }

    #[test]
    fn larger_bounds_are_not_tried_where_smaller_ran_out() {
        let (_folder, args) = suite(&["pthread-2015/a.i", "pthread-2015/slow.i", "weaver/other.i"]);
        let args = Args { which: vec![Which::Fig6, Which::Fig7], ..args };
        assert_eq!(run(&args), Ok(true));
        let results = lines(&args.out);
        assert_eq!(results.iter().filter(|line| line.contains("a.i\t")).count(), 9);
        // Three rounds were tried with one unwinding only.
        assert_eq!(results.iter().filter(|line| line.contains("slow.i\t")).count(), 7);
        assert!(!results.iter().any(|line| line.contains("other.i")));
        assert!(results.iter().any(|line| line.contains("a.i\t3\t4\tUNKNOWN\tbound\t") && line.ends_with("\t120\t7")));
        // Nothing is measured twice.
        assert_eq!(run(&args), Ok(true));
        let sorted = |mut lines: Vec<String>| {
            lines.sort();
            lines
        };
        assert_eq!(sorted(lines(&args.out)), sorted(results));
    }

    #[test]
    fn a_violation_of_a_safe_program_fails() {
        // The fake goes by the name: this one is labelled safe and called a violation.
        let (folder, args) = suite(&["pthread-2015/a.i"]);
        let index = std::fs::read_to_string(folder.file("index.tsv")).unwrap();
        std::fs::write(folder.file("index.tsv"), index.replace("a.i", "false.i")).unwrap();
        assert_eq!(run(&Args { which: vec![Which::Fig6], ..args }), Ok(false));
    }

    /// Knows the verdict by the comment in the program, and needs a call for each line; the reverse order is twice as dear.
    const FAKE_COMUS: &str = include_str!("fake_comus.sh");

    #[test]
    fn families_are_generated_and_decided() {
        let (folder, args) = suite(&[]);
        std::fs::write(folder.file("fake"), FAKE_COMUS).unwrap();
        let args = Args { which: vec![Which::Thesis, Which::Orders], suite: None, threads_max: Some(3), ..args };
        assert_eq!(run(&args), Ok(true));
        std::fs::write(folder.file("fake"), FAKE_COMUS.replace("verdict=UNSAFE; status=10", "true")).unwrap();
        assert_eq!(run(&args), Ok(false));
    }

    #[test]
    fn the_order_is_passed_on() {
        use families::{Family, Parameters};
        let (folder, args) = suite(&[]);
        std::fs::write(folder.file("fake"), FAKE_COMUS).unwrap();
        let parameters = Parameters { shuffle: Some(3), ..Parameters::new(Family::Chain, 4, true) };
        let case = |order| family::Case::new(parameters.clone(), order);
        let runner = family::Runner::new(&args).unwrap();
        let cases = [case(family::Order::Automatic), case(family::Order::Natural), case(family::Order::Reverse)];
        let calls: Vec<u64> = runner.run(&cases).unwrap().iter().map(|answer| answer.calls.unwrap()).collect();
        assert_eq!((calls[1], calls[2]), (calls[0], 2 * calls[0]));
    }
}
