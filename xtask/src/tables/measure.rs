//! Runs `unbraid check` with bounds and keeps what it says, so that an interrupted experiment goes on where it stopped.

use super::Args;
use crate::build;
use crate::check::{Said, check};
use crate::rows::{Row, Table, Task, start, tasks};
use crate::run::each;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;

/// A program with the bounds to decide it with; `None` means that they are found out.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Point {
    pub path: String,
    pub rounds: Option<u32>,
    pub unwind: Option<u32>,
}

impl Point {
    /// The program and the bounds of a row; bounds that are no numbers are found out.
    pub fn of(row: &Row<'_>) -> Self {
        let bound = |name: &str| row.get(name).parse().ok();
        Point { path: row.get("path").into(), rounds: bound("rounds"), unwind: bound("unwind") }
    }
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// SAFE, UNSAFE, UNKNOWN or ERROR.
    pub verdict: String,
    pub reason_kind: String,
    pub reason: String,
    pub seconds: f64,
    pub variables: Option<u64>,
    pub clauses: Option<u64>,
}

impl Measured {
    /// The search came to its end within the bounds, without a violation.
    pub fn is_complete(&self) -> bool {
        self.verdict == "SAFE" || self.verdict == "UNKNOWN" && self.reason_kind == "bound"
    }
    /// More time or memory might have helped.
    pub fn ran_out(&self) -> bool {
        matches!(self.reason_kind.as_str(), "timeout" | "memory" | "hang")
    }
    /// The verdict, with the reason where there is none.
    pub fn words(&self) -> String {
        match self.verdict.as_str() {
            "SAFE" | "UNSAFE" => self.verdict.clone(),
            other => format!("{other}({})", self.reason_kind),
        }
    }
}

const COLUMNS: [&str; 9] =
    ["path", "rounds", "unwind", "verdict", "reason_kind", "reason", "seconds", "variables", "clauses"];

pub struct Measurer {
    binary: PathBuf,
    folder: PathBuf,
    tasks: HashMap<String, Task>,
    /// Results so far, and the file they go to.
    known: Mutex<(HashMap<Point, Measured>, File)>,
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
        let text = fs::read_to_string(&args.out).unwrap_or_default();
        let same = !args.fresh && text.lines().next() == Some(settings.as_str());
        let known =
            if same { Table::parse(&text).map(|table| read(&table)).unwrap_or_default() } else { HashMap::new() };
        let lines = known.iter().map(|(point, measured)| line(point, measured)).collect();
        let file = start(&args.out, &settings, &COLUMNS, lines)?;
        Ok(Measurer { binary, folder, tasks, known: Mutex::new((known, file)) })
    }

    /// The programs of the suite with their labels.
    pub fn tasks(&self) -> impl Iterator<Item = &Task> {
        self.tasks.values()
    }

    /// Measures the points that are not known, and returns what is known of each.
    pub fn measure(&self, args: &Args, points: &[Point]) -> Result<HashMap<Point, Measured>, String> {
        let known = |point: &Point| self.held().0.get(point).cloned();
        let todo: Vec<Point> = points.iter().filter(|point| known(point).is_none()).cloned().collect();
        each(&todo, args.jobs, |point| self.one(args, point), |point, measured| self.keep(point, measured))?;
        Ok(points.iter().filter_map(|point| Some((point.clone(), known(point)?))).collect())
    }

    fn held(&self) -> std::sync::MutexGuard<'_, (HashMap<Point, Measured>, File)> {
        self.known.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn keep(&self, point: &Point, measured: Measured) -> Result<(), String> {
        let mut known = self.held();
        let text = line(point, &measured);
        known.0.insert(point.clone(), measured);
        writeln!(known.1, "{text}").and_then(|()| known.1.flush()).map_err(|error| error.to_string())
    }

    fn one(&self, args: &Args, point: &Point) -> Result<Measured, String> {
        let task = self.tasks.get(&point.path).ok_or_else(|| format!("{}: not in the index", point.path))?;
        let mut options = vec!["--data-model".to_string(), task.data_model.clone()];
        for (name, value) in [("--rounds", point.rounds), ("--unwind", point.unwind)] {
            options.extend(value.into_iter().flat_map(|value| [name.to_string(), value.to_string()]));
        }
        let settings = args.settings(&self.binary, args.lazy_engine());
        let said = check(&settings, &options, &self.folder.join(&point.path))?.unless_refused()?;
        let (variables, clauses) = (said.statistic("variables"), said.statistic("clauses"));
        let Said { verdict, reason_kind, reason, seconds, .. } = said;
        Ok(Measured { verdict, reason_kind, reason, seconds, variables, clauses })
    }
}

fn line(point: &Point, measured: &Measured) -> String {
    let number = |number: Option<u64>| number.map_or("-".into(), |number| number.to_string());
    let Measured { verdict, reason_kind, reason, seconds, variables, clauses } = measured;
    [
        point.path.clone(),
        number(point.rounds.map(u64::from)),
        number(point.unwind.map(u64::from)),
        verdict.clone(),
        reason_kind.clone(),
        reason.clone(),
        format!("{seconds:.3}"),
        number(*variables),
        number(*clauses),
    ]
    .join("\t")
}

fn read(table: &Table) -> HashMap<Point, Measured> {
    let measured = table.rows().filter_map(|row| {
        let number = |name: &str| row.get(name).parse().ok();
        let measured = Measured {
            verdict: row.get("verdict").into(),
            reason_kind: row.get("reason_kind").into(),
            reason: row.get("reason").into(),
            seconds: row.get("seconds").parse().ok()?,
            variables: number("variables"),
            clauses: number("clauses"),
        };
        Some((Point::of(&row), measured))
    });
    measured.collect()
}
