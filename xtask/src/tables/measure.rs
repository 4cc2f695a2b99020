//! Runs `unbraid check` with bounds and keeps what it says, so that an interrupted experiment goes on where it stopped.

use super::Args;
use crate::build;
use crate::check::{Said, check};
use crate::rows::{Results, Row, Task, tasks};
use crate::run::each;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// A program with the bounds to decide it with; `None` means that they are found out.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Point {
    pub path: String,
    pub rounds: Option<u32>,
    pub unwind: Option<u32>,
}

impl Point {
    const OF: [&str; 3] = ["path", "rounds", "unwind"];

    fn key(&self) -> String {
        let bound = |bound: Option<u32>| bound.map_or("-".into(), |bound| bound.to_string());
        format!("{}\t{}\t{}", self.path, bound(self.rounds), bound(self.unwind))
    }

    /// The program and the bounds of a row; bounds that are no numbers are found out.
    pub fn of(row: &Row<'_>) -> Self {
        let bound = |name: &str| row.get(name).parse().ok();
        Point { path: row.get("path").into(), rounds: bound("rounds"), unwind: bound("unwind") }
    }
}

pub struct Measurer {
    binary: PathBuf,
    folder: PathBuf,
    tasks: HashMap<String, Task>,
    results: Mutex<Results>,
}

impl Measurer {
    pub fn new(args: &Args) -> Result<Self, String> {
        let binary = build::binary(args.binary.as_deref())?;
        let suite =
            args.suite.as_deref().ok_or("--suite DIR is missing: the folder with the programs and index.tsv")?;
        let (folder, all) = tasks(suite, "index.tsv")?;
        let reach = all.into_iter().filter(|task| task.property == "unreach-call");
        let tasks = reach.map(|task| (task.path.clone(), task)).collect();
        let Args { timeout, memory, .. } = args;
        let engine = args.lazy_engine();
        let identity = build::identity(&binary);
        let settings = format!("# engine={engine} timeout={timeout} memory={memory} binary={identity}");
        let results = Results::open(&args.out, &settings, &Point::OF, args.fresh)?;
        Ok(Measurer { binary, folder, tasks, results: Mutex::new(results) })
    }

    /// The programs of the suite with their labels.
    pub fn tasks(&self) -> impl Iterator<Item = &Task> {
        self.tasks.values()
    }

    /// Measures the points that are not known, and returns what is known of each.
    pub fn measure(&self, args: &Args, points: &[Point]) -> Result<HashMap<Point, Said>, String> {
        let results = || self.results.lock().unwrap_or_else(PoisonError::into_inner);
        let known = |point: &Point| results().get(&point.key()).cloned();
        let todo: Vec<Point> = points.iter().filter(|point| known(point).is_none()).cloned().collect();
        each(&todo, args.jobs, |point| self.one(args, point), |point, said| results().keep(point.key(), said))?;
        Ok(points.iter().filter_map(|point| Some((point.clone(), known(point)?))).collect())
    }

    fn one(&self, args: &Args, point: &Point) -> Result<Said, String> {
        let task = self.tasks.get(&point.path).ok_or_else(|| format!("{}: not in the index", point.path))?;
        let mut options = vec!["--data-model".to_string(), task.data_model.clone()];
        for (name, value) in [("--rounds", point.rounds), ("--unwind", point.unwind)] {
            options.extend(value.into_iter().flat_map(|value| [name.to_string(), value.to_string()]));
        }
        let settings = args.settings(&self.binary, args.lazy_engine());
        check(&settings, &options, &self.folder.join(&point.path))?.unless_refused()
    }
}
