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

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Family {
    /// Sum-Matrix: one row per thread.
    Matrix,
    /// Pascal's triangle: one row per thread.
    Pascal,
    /// Longest increasing subsequence: one index per thread.
    Longest,
    /// Peterson's mutual exclusion.
    Peterson,
    /// `v_i += v_{i+1}`, and the last adds one.
    Chain,
    /// `v_i += v_{i+1}`, and the last adds the first.
    Ring,
}

impl Family {
    pub const ALL: [Family; 6] =
        [Family::Matrix, Family::Pascal, Family::Longest, Family::Peterson, Family::Chain, Family::Ring];

    /// The name that the papers' tables have for it.
    pub fn name(self) -> &'static str {
        match self {
            Family::Matrix => "mat",
            Family::Pascal => "pas",
            Family::Longest => "long",
            Family::Peterson => "pet",
            Family::Chain => "chain",
            Family::Ring => "ring",
        }
    }

    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|family| family.name() == name)
    }
}

/// How often the threads go round, where that is a choice.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Loops {
    /// As in the papers: two iterations of chain and ring, Peterson without end.
    Usual,
    Bounded(u32),
    Endless,
}

/// Who makes the claim.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Claimant {
    /// The first thread, when it has its result: as in the thesis.
    Thread,
    /// The main function, after all threads have ended.
    Main,
}

/// How shared data is written down.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Storage {
    /// Arrays, and loops over their columns.
    Arrays,
    /// A variable for each cell, and no loops but those that wait: what a tool without arrays needs.
    Scalars,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Parameters {
    pub family: Family,
    /// At least two.
    pub threads: usize,
    pub safe: bool,
    /// Columns of the matrix; as many as rows if not given.
    pub columns: Option<usize>,
    pub loops: Loops,
    pub place: Claimant,
    pub storage: Storage,
    /// The seed of the shuffle, if there is one.
    pub shuffle: Option<u64>,
}

impl Parameters {
    /// The program as the papers have it.
    pub fn new(family: Family, threads: usize, safe: bool) -> Self {
        Parameters {
            family,
            threads,
            safe,
            columns: None,
            loops: Loops::Usual,
            place: Claimant::Thread,
            storage: Storage::Arrays,
            shuffle: None,
        }
    }

    /// The options of `cargo xtask family` that give this program.
    pub fn options(&self) -> String {
        let mut text = format!("{} --threads {}", self.family.name(), self.threads);
        if !self.safe {
            text += " --unsafe";
        }
        if let Some(columns) = self.columns {
            text += &format!(" --columns {columns}");
        }
        match self.loops {
            Loops::Usual => (),
            Loops::Bounded(count) => text += &format!(" --iterations {count}"),
            Loops::Endless => text += " --endless",
        }
        if self.place == Claimant::Main {
            text += " --assert main";
        }
        if self.storage == Storage::Scalars {
            text += " --scalars";
        }
        if let Some(seed) = self.shuffle {
            text += &format!(" --shuffle {seed}");
        }
        text
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
    if parameters.loops == Loops::Bounded(0) {
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
    match parameters.loops {
        Loops::Usual => Ok(()),
        Loops::Bounded(_) | Loops::Endless => {
            let name = parameters.family.name();
            Err(format!("{name} computes its table once: it has neither --iterations nor --endless"))
        }
    }
}
