//! `cargo xtask bench --lower-only`: which programs cannot be read at all.

use crate::bench::Args;
use crate::rows::{Task, tasks, write};
use crate::run::{each, run as run_process};
use base::parallel::processors;
use std::collections::HashSet;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Long enough for the largest programs in a busy machine.
const LIMIT: Duration = Duration::from_secs(120);

/// True if every program of the index can be read.
pub fn run(args: &Args, binary: &Path) -> Result<bool, String> {
    let (folder, all) = tasks(&args.suite, "index.tsv")?;
    let mut seen = HashSet::new();
    let programs: Vec<Task> = all
        .into_iter()
        .filter(|task| args.filter.as_ref().is_none_or(|filter| task.path.contains(filter)))
        .filter(|task| seen.insert((task.path.clone(), task.data_model.clone())))
        .collect();
    let stubs = args.stubs()?;
    let mut failures = Vec::new();
    let mut slowest: Vec<(f64, String)> = Vec::new();
    each(
        &programs,
        args.jobs.unwrap_or_else(processors),
        |task| {
            let mut command = Command::new(binary);
            command.args(["ir", "--data-model", &task.data_model]).arg("-I").arg(&stubs);
            command.args(&args.options).arg(folder.join(&task.path));
            run_process(command, LIMIT)
        },
        |task, ran| {
            slowest.push((ran.wall.as_secs_f64(), task.path.clone()));
            if ran.status != Some(0) {
                let reason = ran.stderr.lines().find(|line| line.contains("error")).unwrap_or("no message");
                let status = ran.status.map_or("killed".to_string(), |status| status.to_string());
                failures.push(format!("{}\t{status}\t{}", task.path, reason.replace('\t', " ")));
            }
            Ok(())
        },
    )?;
    failures.sort();
    slowest.sort_by(|a, b| b.0.total_cmp(&a.0));
    let out: String = failures.iter().map(|failure| format!("{failure}\n")).collect();
    print!("{out}");
    let total: f64 = slowest.iter().map(|(seconds, _)| seconds).sum();
    println!("{} of {} programs can be read, {total:.1} s in all", programs.len() - failures.len(), programs.len());
    for (seconds, path) in slowest.iter().take(3) {
        println!("  {seconds:.2} s  {path}");
    }
    write(&args.out.with_extension("lower.tsv"), &format!("path\tstatus\treason\n{out}"))?;
    Ok(failures.is_empty())
}
