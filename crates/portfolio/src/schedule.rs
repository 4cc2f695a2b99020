//! The schedule of a portfolio: a table that can be read and changed.  `default.portfolio` explains its columns.

use base::{Diagnostic, quantity};
use engines::{Bounds, Entry, comus, find};
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
    pub engine: String,
    pub start: Start,
    pub time: Time,
    /// The row gives up when the process has this many percent of the memory it may have.
    pub memory: u32,
    pub bounds: Bounds,
    pub comus: comus::Settings,
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
    pub fn alone(engine: &str, bounds: Bounds) -> Self {
        let start = Start::At(Duration::ZERO);
        let row = Row {
            engine: engine.into(),
            start,
            time: Time::Share(100),
            memory: 100,
            bounds,
            comus: comus::Settings::default(),
        };
        Schedule { cores: 1, rows: vec![row] }
    }

    /// Reads a table; `file` is its name in messages.
    pub fn parse(text: &str, file: &str) -> Result<Self, Diagnostic> {
        let mut schedule = Schedule { cores: CORES, rows: Vec::new() };
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or("");
            let words: Vec<&str> = line.split_whitespace().collect();
            let read = match words.as_slice() {
                [] => Ok(()),
                ["cores", count] => read_cores(count).map(|cores| schedule.cores = cores),
                words => read_row(words, &schedule.rows).map(|row| schedule.rows.push(row)),
            };
            read.map_err(|message| Diagnostic::error(message).at(file, number, 0))?;
        }
        if schedule.rows.is_empty() {
            return Err(Diagnostic::error("the portfolio has no rows").at(file, 0, 0));
        }
        Ok(schedule)
    }

    /// Gives the rows that have a use for bounds these, where something is said.  False if there is no such row.
    pub fn set_bounds(&mut self, bounds: Bounds) -> bool {
        let mut used = false;
        for row in self.rows.iter_mut().filter(|row| find(&row.engine).is_some_and(|entry| entry.bounded)) {
            row.bounds.rounds = bounds.rounds.or(row.bounds.rounds);
            row.bounds.unwind = bounds.unwind.or(row.bounds.unwind);
            used = true;
        }
        used
    }

    /// Gives all rows these ways to prove thread by thread.
    pub fn set_comus(&mut self, settings: &comus::Settings) {
        self.rows.iter_mut().for_each(|row| row.comus = settings.clone());
    }
}

impl fmt::Display for Row {
    /// What the row is called: the engine, with its options where it has any.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.engine)?;
        for (name, value) in [("rounds", self.bounds.rounds), ("unwind", self.bounds.unwind)] {
            value.map_or(Ok(()), |value| write!(f, " {name}={value}"))?;
        }
        Ok(())
    }
}

fn read_cores(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|count| *count > 0).ok_or_else(|| format!("`{text}` is not a number of cores"))
}

fn read_row(words: &[&str], above: &[Row]) -> Result<Row, String> {
    let [engine, start, time, memory, options @ ..] = words else {
        return Err("a row is: engine start time memory options".into());
    };
    let entry = find(engine).ok_or_else(|| format!("engine `{engine}` does not exist"))?;
    let start = match start.strip_prefix("after:") {
        Some(name) if above.iter().any(|row| row.engine == name) => Start::After(name.into()),
        Some(name) => return Err(format!("no row above is of engine `{name}`")),
        None => Start::At(read_time(start)?),
    };
    let time = match time.ends_with('%') {
        true => Time::Share(read_share(time)?),
        false => Time::For(read_time(time)?),
    };
    let mut row = Row {
        engine: entry.name.into(),
        start,
        time,
        memory: read_share(memory)?,
        bounds: Bounds::default(),
        comus: comus::Settings::default(),
    };
    options.iter().try_for_each(|option| read_option(option, entry, &mut row.bounds))?;
    Ok(row)
}

fn read_time(text: &str) -> Result<Duration, String> {
    quantity::duration(text).map_err(|why| format!("`{text}` is not a time: {why}"))
}

fn read_share(text: &str) -> Result<u32, String> {
    let number = text.strip_suffix('%').and_then(|number| number.parse().ok());
    number.filter(|share| (1..=100).contains(share)).ok_or_else(|| format!("`{text}` is not a share from 1% to 100%"))
}

fn read_option(option: &str, entry: &Entry, bounds: &mut Bounds) -> Result<(), String> {
    let Some((name, value)) = option.split_once('=') else {
        return Err(format!("`{option}` is not of the form name=value"));
    };
    let bound = match name {
        "rounds" => &mut bounds.rounds,
        "unwind" => &mut bounds.unwind,
        _ => return Err(format!("`{name}` is not an option; there are rounds and unwind")),
    };
    if !entry.bounded {
        return Err(format!("engine {} has no use for {name}", entry.name));
    }
    // No rounds at all means all schedules.
    let number = value.parse().ok().filter(|number| *number > 0 || name == "rounds");
    *bound = Some(number.ok_or_else(|| format!("`{value}` is not a number of {name}"))?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        Schedule::parse(text, "p").expect_err("a mistake").to_string()
    }

    #[test]
    fn the_schedule_that_is_built_in_can_be_read() {
        let schedule = Schedule::parse(DEFAULT, "default").unwrap();
        // Cheap ones first, and no engine is left out.
        assert_eq!(
            (schedule.rows[0].engine.as_str(), &schedule.rows[0].start),
            ("explicit", &Start::At(Duration::ZERO))
        );
        for entry in engines::ENGINES {
            assert!(schedule.rows.iter().any(|row| row.engine == entry.name), "{} is left out", entry.name);
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
    fn mistakes_have_a_line() {
        assert_eq!(error("\nnobody 0s 100% 100%\n"), "p:2: error: engine `nobody` does not exist");
        assert_eq!(error("explicit 0s 100%"), "p:1: error: a row is: engine start time memory options");
        assert_eq!(error("explicit soon 100% 100%"), "p:1: error: `soon` is not a time: a number is missing");
        assert_eq!(error("explicit 0s 0% 100%"), "p:1: error: `0%` is not a share from 1% to 100%");
        assert_eq!(error("explicit 0s 1s 1G"), "p:1: error: `1G` is not a share from 1% to 100%");
        assert_eq!(error("explicit after:explicit 1s 9%"), "p:1: error: no row above is of engine `explicit`");
        assert_eq!(error("explicit 0s 1s 9% rounds=2"), "p:1: error: engine explicit has no use for rounds");
        assert_eq!(
            error("explicit 0s 1s 9% colour=2"),
            "p:1: error: `colour` is not an option; there are rounds and unwind"
        );
        assert_eq!(error("explicit 0s 1s 9% often"), "p:1: error: `often` is not of the form name=value");
        assert_eq!(error("cores many"), "p:1: error: `many` is not a number of cores");
        assert_eq!(error("# nothing"), "p: error: the portfolio has no rows");
    }

    #[test]
    fn rows_have_options() {
        let bounds = |text: &str| Schedule::parse(text, "p").map(|schedule| schedule.rows[0].bounds);
        assert_eq!(bounds("lazy 0s 1s 9% unwind=3 rounds=0"), Ok(Bounds { rounds: Some(0), unwind: Some(3) }));
        assert_eq!(bounds("lazy 0s 1s 9%"), Ok(Bounds::default()));
        assert_eq!(error("lazy 0s 1s 9% unwind=0"), "p:1: error: `0` is not a number of unwind");
        assert_eq!(error("lazy 0s 1s 9% rounds=few"), "p:1: error: `few` is not a number of rounds");
    }

    #[test]
    fn bounds_need_an_engine_that_has_a_use_for_them() {
        let bounds = Bounds { rounds: Some(2), unwind: None };
        assert!(!Schedule::alone("explicit", Bounds::default()).set_bounds(bounds));
        let mut schedule = Schedule::parse("explicit 0s 1s 9%\nlazy 0s 1s 9% rounds=7 unwind=3", "p").unwrap();
        assert!(schedule.set_bounds(bounds));
        let names: Vec<String> = schedule.rows.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["explicit", "lazy rounds=2 unwind=3"]);
    }
}
