//! The families of programs on which CoMuS was measured, for any number of threads, as C with pthreads.
//!
//! The programs of the paper and the thesis are not public; these are written from their descriptions.  What each family
//! computes, what is claimed of it and what is wrong in the unsafe twin is told in `docs/families.md`.
//!
//! In every family thread 0 makes the claim, and thread `i` waits for or reads what thread `i + 1` computes: that is the
//! natural order.  A shuffle gives the threads other names and creates them in another order.

mod fibonacci;
mod frame;
mod longest;
mod matrix;
mod pascal;
mod peterson;
mod shuffle;
mod storage;
mod text;

use clap::{ArgAction, ValueEnum};

/// With the names that the papers' tables have for them.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Family {
    /// Sum-Matrix: one row per thread
    #[value(name = "mat")]
    Matrix,
    /// Pascal's triangle: one row per thread
    #[value(name = "pas")]
    Pascal,
    /// Longest increasing subsequence: one index per thread
    #[value(name = "long")]
    Longest,
    /// Peterson's mutual exclusion
    #[value(name = "pet")]
    Peterson,
    /// `v_i += v_{i+1}`, and the last adds one
    Chain,
    /// `v_i += v_{i+1}`, and the last adds the first
    Ring,
}

impl Family {
    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_string())
    }
}

/// Who makes the claim.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Claimant {
    /// The first thread, when it has its result: as in the thesis
    Thread,
    /// The main function, after all threads have ended
    Main,
}

/// How shared data is written down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Storage {
    /// Arrays, and loops over their columns.
    Arrays,
    /// A variable for each cell, and no loops but those that wait: what a tool without arrays needs.
    Scalars,
}

#[derive(clap::Args, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Parameters {
    #[arg(value_enum)]
    pub family: Family,
    /// At least two
    #[arg(long)]
    pub threads: usize,
    /// The twin with a mistake
    #[arg(long = "unsafe", action = ArgAction::SetFalse)]
    pub safe: bool,
    /// Columns of the matrix; as many as threads by default
    #[arg(long)]
    pub columns: Option<usize>,
    /// How often the threads of pet, chain and ring go round; as in the papers by default: pet without end, the others twice
    #[arg(long, conflicts_with = "endless")]
    pub iterations: Option<u32>,
    /// The threads of pet, chain and ring go round without end
    #[arg(long)]
    pub endless: bool,
    /// Who makes the claim
    #[arg(long = "assert", value_enum, default_value_t = Claimant::Thread)]
    pub place: Claimant,
    /// A variable for each cell and no loops over columns, instead of arrays
    #[arg(long)]
    pub scalars: bool,
    /// Other names and another order of creation of the threads, by this seed
    #[arg(long)]
    pub shuffle: Option<u64>,
}

impl Parameters {
    /// The program as the papers have it.
    pub fn new(family: Family, threads: usize, safe: bool) -> Self {
        let (columns, iterations, endless, place, scalars, shuffle) =
            (None, None, false, Claimant::Thread, false, None);
        Parameters { family, threads, safe, columns, iterations, endless, place, scalars, shuffle }
    }

    fn storage(&self) -> Storage {
        if self.scalars { Storage::Scalars } else { Storage::Arrays }
    }

    /// The options of `cargo xtask family` that give this program.
    pub fn options(&self) -> String {
        let number = |option: &str, number: Option<u64>| number.map(|number| format!("{option} {number}"));
        let said = |said: bool, option: &str| said.then(|| option.to_string());
        let options = [
            said(!self.safe, "--unsafe"),
            number("--columns", self.columns.map(|columns| columns as u64)),
            number("--iterations", self.iterations.map(u64::from)),
            said(self.endless, "--endless"),
            said(self.place == Claimant::Main, "--assert main"),
            said(self.scalars, "--scalars"),
            number("--shuffle", self.shuffle),
        ];
        let options: String = options.into_iter().flatten().map(|option| format!(" {option}")).collect();
        format!("{} --threads {}{options}", self.family.name(), self.threads)
    }
}

/// A program of a family.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    pub text: String,
    pub safe: bool,
    /// What is wrong in it, if it is unsafe.
    pub because: Option<String>,
    /// The functions of the threads in the natural order: who makes the claim first, each before those it waits for.
    pub order: Vec<String>,
}

/// Writes the program, or says why there is none with these parameters.
pub fn generate(parameters: &Parameters) -> Result<Program, String> {
    let name = parameters.family.name();
    if parameters.threads < 2 {
        return Err(format!("{name} needs at least two threads"));
    }
    if parameters.columns.is_some() && parameters.family != Family::Matrix {
        return Err(format!("{name} has no columns to choose; only mat has"));
    }
    if parameters.columns == Some(0) {
        return Err("a matrix has at least one column".into());
    }
    if parameters.iterations == Some(0) {
        return Err("the threads go round at least once".into());
    }
    let names = shuffle::Names::new(parameters.threads, parameters.shuffle);
    let frame = match parameters.family {
        Family::Matrix => matrix::frame(parameters)?,
        Family::Pascal => pascal::frame(parameters)?,
        Family::Longest => longest::frame(parameters)?,
        Family::Peterson => peterson::frame(parameters, &names)?,
        Family::Chain | Family::Ring => fibonacci::frame(parameters, &names)?,
    };
    frame.program(parameters, &names)
}

/// The families that compute a table once have no iterations to choose.
fn computes_once(parameters: &Parameters) -> Result<(), String> {
    if parameters.iterations.is_none() && !parameters.endless {
        return Ok(());
    }
    let name = parameters.family.name();
    Err(format!("{name} computes its table once: it has neither --iterations nor --endless"))
}
