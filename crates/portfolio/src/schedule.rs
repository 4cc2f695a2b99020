//! The schedule of a portfolio: a table that can be read and changed.  `default.portfolio` explains its columns.

use base::{Diagnostic, quantity};
use claim::modular::Ints;
use engines::Command;
use ir::Spec;
use std::fmt;
use std::time::Duration;

/// Which engines run, and when.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// This many rows run side by side at most.
    pub cores: usize,
    pub rows: Vec<Row>,
}

/// One engine with its options and limits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    pub command: Command,
    pub start: Start,
    pub time: Time,
    /// The row gives up when the process has this many percent of the memory it may have.
    pub memory: u32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// After this time, or as soon as nothing else is running.
    At(Duration),
    /// When all rows of this engine above have given up.
    After(String),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Time {
    For(Duration),
    /// Of what is left when the row begins, in percent.
    Share(u32),
}

/// The text of the schedule that is built in.
const DEFAULT: &str = include_str!("default.portfolio");
/// How many side by side where the table does not say.
const CORES: usize = 2;

impl Schedule {
    /// The text of the schedule that is built in.
    pub fn default_text() -> &'static str {
        DEFAULT
    }

    /// One engine alone with everything there is.
    pub fn alone(command: Command) -> Self {
        let start = Start::At(Duration::ZERO);
        Schedule { cores: 1, rows: vec![Row { command, start, time: Time::Share(100), memory: 100 }] }
    }

    /// Reads a table; `file` is its name in messages.
    pub fn parse(text: &str, file: &str) -> Result<Self, Diagnostic> {
        let mut schedule = Schedule { cores: CORES, rows: Vec::new() };
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or("");
            let read = engines::words(line).and_then(|words| schedule.read(&words));
            read.map_err(|message| Diagnostic::error(message).at(file, number, 0))?;
        }
        if schedule.rows.is_empty() {
            return Err(Diagnostic::error("the portfolio has no rows").at(file, 0, 0));
        }
        schedule.ints().map_err(|message| Diagnostic::error(message).at(file, 0, 0))?;
        Ok(schedule)
    }

    /// Carries out the words of a line.
    fn read(&mut self, words: &[String]) -> Result<(), String> {
        match words {
            [] => {}
            [cores, count] if cores == "cores" => self.cores = read_cores(count)?,
            words => self.rows.push(read_row(words, &self.rows)?),
        }
        Ok(())
    }

    /// Gives an option a value in all rows whose engines have it, of one engine or of any.  False if there is no such row.
    pub fn set(&mut self, engine: Option<&str>, option: &str, value: &str) -> bool {
        let mut used = false;
        let meant = |row: &&mut Row| engine.is_none_or(|name| row.command.engine == name) && row.command.has(option);
        for row in self.rows.iter_mut().filter(meant) {
            row.command.set(option, value);
            used = true;
        }
        used
    }

    /// Some row knows how to decide this.
    pub fn decides(&self, spec: Spec) -> bool {
        let Some(goal) = spec.property.goal() else { return false };
        let decides = |row: &Row| row.command.make().is_ok_and(|engine| engine.decides(goal, spec.memory));
        self.rows.iter().any(decides)
    }

    /// The integers that the verdict speaks of, on which all rows must agree: any of them may give it.  The error says what is
    /// wrong with a row.
    pub fn ints(&self) -> Result<Ints, String> {
        let mut known: Option<(&Row, Ints)> = None;
        for row in &self.rows {
            let ints = row.command.make()?.ints();
            match known {
                Some((other, known)) if known != ints => {
                    return Err(format!("the verdict of {row} speaks of other integers than that of {other}"));
                }
                _ => known = Some((row, ints)),
            }
        }
        Ok(known.map_or(Ints::Machine, |(_, ints)| ints))
    }
}

impl fmt::Display for Row {
    /// What the row is called: the engine, with its options where it has any.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.command.fmt(f)
    }
}

fn read_cores(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|count| *count > 0).ok_or_else(|| format!("`{text}` is not a number of cores"))
}

fn read_row(words: &[String], above: &[Row]) -> Result<Row, String> {
    let [engine, start, time, memory, options @ ..] = words else {
        return Err("a row is: engine start time memory options".into());
    };
    let command = Command::read(engine, options)?;
    let start = match start.strip_prefix("after:") {
        Some(name) if above.iter().any(|row| row.command.engine == name) => Start::After(name.into()),
        Some(name) => return Err(format!("no row above is of engine `{name}`")),
        None => Start::At(read_time(start)?),
    };
    let time = match time.ends_with('%') {
        true => Time::Share(read_share(time)?),
        false => Time::For(read_time(time)?),
    };
    Ok(Row { command, start, time, memory: read_share(memory)? })
}

fn read_time(text: &str) -> Result<Duration, String> {
    quantity::duration(text).map_err(|why| format!("`{text}` is not a time: {why}"))
}

fn read_share(text: &str) -> Result<u32, String> {
    let number = text.strip_suffix('%').and_then(|number| number.parse().ok());
    number.filter(|share| (1..=100).contains(share)).ok_or_else(|| format!("`{text}` is not a share from 1% to 100%"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schedule_that_is_built_in_can_be_read() {
        let schedule = Schedule::parse(DEFAULT, "default").unwrap();
        // Cheap ones first, and no engine is left out.
        assert_eq!(
            (schedule.rows[0].to_string().as_str(), &schedule.rows[0].start),
            ("explicit", &Start::At(Duration::ZERO))
        );
        for entry in engines::ENGINES {
            assert!(schedule.rows.iter().any(|row| row.command.engine == entry.name), "{} is left out", entry.name);
        }
    }

    #[test]
    fn rows_say_when_and_how_long() {
        let text = "cores 3\n# nothing\nexplicit 1.5s 50% 60% # a remark\n\nexplicit after:explicit 20s 100%\n";
        let schedule = Schedule::parse(text, "p").unwrap();
        assert_eq!(schedule.cores, 3);
        let [one, two] = schedule.rows.as_slice() else { panic!("{schedule:?}") };
        assert_eq!((&one.start, one.time, one.memory), (&Start::At(Duration::from_millis(1500)), Time::Share(50), 60));
        assert_eq!((&two.start, two.time), (&Start::After("explicit".into()), Time::For(Duration::from_secs(20))));
    }

    #[test]
    fn rows_are_command_lines() {
        let row = |text: &str| Schedule::parse(text, "p").map(|schedule| schedule.rows[0].command.clone());
        assert_eq!(row("lazy 0s 1s 9% unwind=3 rounds=0"), Ok(Command::parse("lazy unwind=3 rounds=0").unwrap()));
        assert_eq!(row("lazy 0s 1s 9%"), Ok(Command::new("lazy")));
        let command = "comus checker=\"cbmc {file}\" order=t1,t0";
        let words: Vec<&str> = command.splitn(2, ' ').collect();
        let text = format!("{} 0s 1s 9% {}", words[0], words[1]);
        assert_eq!(row(&text).unwrap().to_string(), command);
    }

    #[test]
    fn options_are_for_the_rows_that_have_them() {
        assert!(!Schedule::alone(Command::new("explicit")).set(None, "rounds", "2"));
        let mut schedule = Schedule::parse("explicit 0s 1s 9%\nlazy 0s 1s 9% rounds=7 unwind=3", "p").unwrap();
        assert!(schedule.set(None, "rounds", "2"));
        assert!(!schedule.set(Some("explicit"), "rounds", "4"));
        let names: Vec<String> = schedule.rows.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["explicit", "lazy rounds=2 unwind=3"]);
    }

    #[test]
    fn the_verdicts_of_all_rows_speak_of_the_same_integers() {
        let both = "comus 0s 1s 9% ints=math\nproduct 0s 1s 9% ints=math";
        assert_eq!(Schedule::parse(both, "p").unwrap().ints(), Ok(Ints::Mathematical));
    }
}
