//! Runs `unbraid check` on one program and reads what it says.

use crate::rows::Row;
use crate::run::run;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// What it is told in every case.
pub struct Settings<'a> {
    pub binary: &'a Path,
    pub engine: &'a str,
    pub timeout: &'a str,
    pub memory: &'a str,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Said {
    /// SAFE, UNSAFE, UNKNOWN or ERROR.
    pub verdict: String,
    pub reason_kind: String,
    pub reason: String,
    pub seconds: f64,
    pub megabytes: f64,
    /// How it compares with what is known of the program, where that is looked at.
    pub result: String,
    /// Of the sequential checker, if the engine has one.
    pub calls: Option<u64>,
    /// Of the formula, if there is one.
    pub variables: Option<u64>,
    pub clauses: Option<u64>,
}

impl Said {
    /// An error if the command line was refused: it is so for every program.
    pub fn unless_refused(self) -> Result<Self, String> {
        match self.reason_kind == "status 1" {
            true => Err(self.reason.strip_prefix("error: ").unwrap_or(&self.reason).to_string()),
            false => Ok(self),
        }
    }
    pub fn is_decided(&self) -> bool {
        matches!(self.verdict.as_str(), "SAFE" | "UNSAFE")
    }
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
        if self.is_decided() { self.verdict.clone() } else { format!("{}({})", self.verdict, self.reason_kind) }
    }
    pub fn calls_text(&self) -> String {
        text(self.calls)
    }

    pub const COLUMNS: [&str; 9] =
        ["verdict", "reason_kind", "reason", "seconds", "megabytes", "result", "calls", "variables", "clauses"];

    /// As cells of a table.
    pub fn cells(&self) -> [String; 9] {
        let Said { verdict, reason_kind, reason, seconds, megabytes, result, calls, variables, clauses } = self.clone();
        let (seconds, megabytes) = (format!("{seconds:.3}"), format!("{megabytes:.0}"));
        let [calls, variables, clauses] = [calls, variables, clauses].map(text);
        [verdict, reason_kind, reason, seconds, megabytes, result, calls, variables, clauses]
    }

    pub fn of(row: &Row<'_>) -> Option<Self> {
        let cell = |name: &str| row.get(name).to_string();
        let number = |name: &str| row.get(name).parse().ok();
        Some(Said {
            verdict: cell("verdict"),
            reason_kind: cell("reason_kind"),
            reason: cell("reason"),
            seconds: row.get("seconds").parse().ok()?,
            megabytes: row.get("megabytes").parse().unwrap_or(0.0),
            result: cell("result"),
            calls: number("calls"),
            variables: number("variables"),
            clauses: number("clauses"),
        })
    }
}

fn text(number: Option<u64>) -> String {
    number.map_or("-".into(), |number| number.to_string())
}

/// Decides a program with further options.
pub fn check(settings: &Settings<'_>, options: &[String], program: &Path) -> Result<Said, String> {
    let Settings { binary, engine, timeout, memory } = settings;
    let mut command = Command::new(binary);
    command.args(["check", "--json", "--engine", engine, "--timeout", timeout, "--memory", memory]);
    command.args(options).arg(program);
    let ran = run(command, patience(timeout)?)?;
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
    let text = |name: &str| json[name].as_str().unwrap_or_default().replace(['\t', '\n'], " ");
    let error = || "ERROR".to_string();
    let (verdict, reason_kind, reason) = match ran.status {
        Some(0 | 5 | 10) => (text("verdict"), text("reason_kind"), text("reason")),
        Some(2) => {
            let first = json["errors"][0]["message"].as_str().unwrap_or("no message");
            let reason = format!("line {}: {first}", json["errors"][0]["line"]).replace(['\t', '\n'], " ");
            (error(), text("reason_kind"), reason)
        }
        Some(status) => {
            let complaint = ran.stderr.lines().next().unwrap_or_default().replace('\t', " ");
            (error(), format!("status {status}"), complaint)
        }
        None => (error(), "hang".into(), text("reason")),
    };
    let statistic = |name: &str| json["statistics"][name].as_u64();
    Ok(Said {
        verdict,
        reason_kind,
        reason,
        seconds: ran.wall.as_secs_f64(),
        megabytes: json["memory_bytes"].as_f64().unwrap_or(0.0) / 1e6,
        result: String::new(),
        calls: statistic("checker calls"),
        variables: statistic("variables"),
        clauses: statistic("clauses"),
    })
}

/// Twice the time and some, after which a process is stuck.
fn patience(timeout: &str) -> Result<Duration, String> {
    Ok(base::quantity::duration(timeout)? * 2 + Duration::from_secs(10))
}
