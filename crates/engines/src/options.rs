//! Options of engines, as `name=value`.
//!
//! Each engine has a table of its own, by which its options are read and from which they are explained: nobody else knows what
//! they mean.  A [`Command`] is an engine with its options as one writes them, such as `lazy rounds=3`; the command line and the
//! rows of a portfolio become commands, and engines are made from commands alone.

use crate::{Engine, Entry, find};
use claim::modular::Ints;
use std::fmt;

/// One option of an engine.
pub struct Setting<E> {
    pub about: About,
    value: Value<E>,
}

/// What becomes of its value.
enum Value<E> {
    Switch(fn(&mut E) -> &mut bool),
    Text(fn(&mut E) -> &mut Option<String>),
    Other(fn(&mut E, &str) -> Result<(), String>),
}

/// What there is to say about an option.
#[derive(Clone, Copy, Debug)]
pub struct About {
    pub name: &'static str,
    /// What its values look like.
    pub values: &'static str,
    /// The value where none is given; empty if the engine finds out by itself.
    pub default: &'static str,
    /// What it does, in a few words.
    pub what: &'static str,
}

/// An engine that is ready to run, or what is wrong with its options.
pub type Made = Result<Box<dyn Engine>, String>;

/// The values of a switch.
pub const SWITCH: &str = "on|off";

impl<E> Setting<E> {
    pub const fn new(
        name: &'static str,
        values: &'static str,
        default: &'static str,
        what: &'static str,
        read: fn(&mut E, &str) -> Result<(), String>,
    ) -> Self {
        Setting { about: About { name, values, default, what }, value: Value::Other(read) }
    }

    /// Any text.
    pub const fn text(
        name: &'static str,
        values: &'static str,
        what: &'static str,
        into: fn(&mut E) -> &mut Option<String>,
    ) -> Self {
        Setting { about: About { name, values, default: "", what }, value: Value::Text(into) }
    }

    /// A switch that is on unless it is turned off.
    pub const fn on(name: &'static str, what: &'static str, switch: fn(&mut E) -> &mut bool) -> Self {
        Setting { about: About { name, values: SWITCH, default: "on", what }, value: Value::Switch(switch) }
    }

    /// A switch that is off unless it is turned on.
    pub const fn off(name: &'static str, what: &'static str, switch: fn(&mut E) -> &mut bool) -> Self {
        Setting { about: About { name, values: SWITCH, default: "off", what }, value: Value::Switch(switch) }
    }

    /// Gives the option a value; the error says what that is not.
    pub fn read(&self, engine: &mut E, value: &str) -> Result<(), String> {
        match (&self.value, value) {
            (Value::Other(read), _) => read(engine, value)?,
            (Value::Text(into), _) => *into(engine) = Some(value.into()),
            (Value::Switch(switch), "on" | "off") => *switch(engine) = value == "on",
            (Value::Switch(_), _) => return Err("neither on nor off".into()),
        }
        Ok(())
    }
}

/// An engine that keeps what its options say.
pub trait Configured: Engine + Default + 'static {
    const NAME: &'static str;
    /// What it does, in a few words.
    const WHAT: &'static str;
    const OPTIONS: &'static [Setting<Self>];
    /// Makes ready what the options ask for; the error says which of them do not go together.
    fn prepare(&mut self) -> Result<(), String> {
        Ok(())
    }
}

impl Entry {
    /// The entry that an engine makes of itself.
    pub(crate) const fn of<E: Configured>() -> Self {
        Entry { name: E::NAME, what: E::WHAT, options: abouts::<E>, make: make::<E> }
    }

    /// It has an option of this name.
    pub fn has(&self, option: &str) -> bool {
        (self.options)().iter().any(|about| about.name == option)
    }
}

fn abouts<E: Configured>() -> Vec<About> {
    E::OPTIONS.iter().map(|setting| setting.about).collect()
}

/// What the table says where nothing else is said.
pub(crate) fn usual<E: Configured>() -> E {
    let mut engine = E::default();
    for setting in E::OPTIONS.iter().filter(|setting| !setting.about.default.is_empty()) {
        setting.read(&mut engine, setting.about.default).expect("a default is a value of its option");
    }
    engine
}

fn make<E: Configured>(options: &[(String, String)]) -> Made {
    let mut engine = usual::<E>();
    for (name, value) in options {
        let setting = E::OPTIONS.iter().find(|setting| setting.about.name == name);
        let setting = setting.ok_or_else(|| {
            let names: Vec<&str> = E::OPTIONS.iter().map(|setting| setting.about.name).collect();
            format!("engine {} has no option `{name}`; it has {}", E::NAME, names.join(", "))
        })?;
        setting
            .read(&mut engine, value)
            .map_err(|why| format!("`{name}={value}` for engine {}: `{value}` is {why}", E::NAME))?;
    }
    engine.prepare().map_err(|why| format!("engine {}: {why}", E::NAME))?;
    Ok(Box::new(engine))
}

/// An engine with its options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    pub engine: String,
    options: Vec<(String, String)>,
}

impl Command {
    /// The engine as it is by default.
    pub fn new(engine: &str) -> Self {
        Command { engine: engine.into(), options: Vec::new() }
    }

    /// Reads `lazy rounds=3`; a value with blanks in it stands in quotes, as in `checker="cbmc {file}"`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let words = words(text)?;
        let (engine, options) = words.split_first().ok_or("no engine is named")?;
        Command::read(engine, options)
    }

    /// The engine with options that are already taken apart.
    pub fn read(engine: &str, options: &[String]) -> Result<Self, String> {
        let mut command = Command::new(engine);
        for option in options {
            let (name, value) =
                option.split_once('=').ok_or_else(|| format!("`{option}` is not of the form name=value"))?;
            command.set(name, value);
        }
        command.make()?;
        Ok(command)
    }

    /// The engine has an option of this name.
    pub fn has(&self, option: &str) -> bool {
        find(&self.engine).is_some_and(|entry| entry.has(option))
    }

    /// Gives an option a value, instead of the one it had; [`Command::make`] looks at what was given.
    pub fn set(&mut self, option: &str, value: &str) {
        match self.options.iter_mut().find(|(name, _)| name == option) {
            Some((_, old)) => *old = value.into(),
            None => self.options.push((option.into(), value.into())),
        }
    }

    /// The engine, ready to run.
    pub fn make(&self) -> Made {
        let entry = find(&self.engine).ok_or_else(|| format!("engine `{}` does not exist", self.engine))?;
        (entry.make)(&self.options)
    }
}

impl fmt::Display for Command {
    /// As [`Command::parse`] reads it, but for what is only told.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.engine)?;
        for (name, value) in self.options.iter().filter(|(name, _)| name != TELL) {
            match value.contains(char::is_whitespace) {
                true => write!(f, " {name}=\"{value}\"")?,
                false => write!(f, " {name}={value}")?,
            }
        }
        Ok(())
    }
}

/// The words of a text, separated by blanks; blanks in quotes belong to the word.
pub fn words(text: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut quoted) = (Vec::new(), String::new(), false);
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            c if c.is_whitespace() && !quoted => words.push(std::mem::take(&mut word)),
            c => word.push(c),
        }
    }
    if quoted {
        return Err("a quote is not closed".into());
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    Ok(words)
}

/// What an engine tells its observer besides progress.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Tell {
    #[default]
    Nothing,
    /// What it does and why.
    Course,
    /// That, and every program it makes, as C.
    Programs,
}

/// The option for it, in all engines that have something to tell.
pub const TELL: &str = "tell";

impl Tell {
    pub(crate) const fn setting<E>(read: fn(&mut E, &str) -> Result<(), String>) -> Setting<E> {
        let what = "what is told besides progress: what is done and why, or that and every program that is made";
        Setting::new(TELL, "nothing|course|programs", "nothing", what, read)
    }

    pub(crate) fn read(&mut self, value: &str) -> Result<(), String> {
        let words = [("nothing", Tell::Nothing), ("course", Tell::Course), ("programs", Tell::Programs)];
        one_of(self, value, &words, "neither nothing, course nor programs")
    }
}

/// The option for the integers that a verdict speaks of.
pub(crate) const fn ints_setting<E>(read: fn(&mut E, &str) -> Result<(), String>) -> Setting<E> {
    let what = "what integers are: C's, or those of mathematics, of which the verdict then speaks";
    Setting::new("ints", "machine|math", "machine", what, read)
}

pub(crate) fn read_ints(ints: &mut Ints, value: &str) -> Result<(), String> {
    one_of(ints, value, &[("machine", Ints::Machine), ("math", Ints::Mathematical)], "neither machine nor math")
}

/// Takes one of these words.
fn one_of<T: Copy>(into: &mut T, value: &str, words: &[(&str, T)], otherwise: &str) -> Result<(), String> {
    let (_, meant) = words.iter().find(|(word, _)| *word == value).ok_or(otherwise)?;
    *into = *meant;
    Ok(())
}

/// Reads a number that is not less than another.
pub(crate) fn number(value: &str, least: u32) -> Result<u32, String> {
    let number = value.parse().ok().filter(|number| *number >= least);
    number.ok_or_else(|| format!("not a number from {least} on"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ENGINES;

    #[test]
    fn commands_are_read_and_written() {
        for text in ["explicit", "lazy rounds=0 unwind=3", "comus checker=\"cbmc {file}\" ranges=off"] {
            assert_eq!(Command::parse(text).unwrap().to_string(), text);
        }
        let mut command = Command::parse("lazy  unwind=3 rounds=2").unwrap();
        command.set("unwind", "4");
        assert_eq!(command.to_string(), "lazy unwind=4 rounds=2");
        assert_eq!(Command::parse("product tell=course").unwrap().to_string(), "product");
    }

    #[test]
    fn mistakes_name_the_engine() {
        for (text, expected) in [
            ("", "no engine is named"),
            ("nobody", "engine `nobody` does not exist"),
            ("explicit rounds=2", "engine explicit has no option `rounds`; it has reduce, patience"),
            ("lazy often", "`often` is not of the form name=value"),
            ("lazy unwind=0", "`unwind=0` for engine lazy: `0` is not a number from 1 on"),
            ("lazy rounds=few", "`rounds=few` for engine lazy: `few` is not a number from 0 on"),
            ("comus quick=maybe", "`quick=maybe` for engine comus: `maybe` is neither on nor off"),
            ("product ints=roman", "`ints=roman` for engine product: `roman` is neither machine nor math"),
            (
                "comus checker-safe=yes",
                "engine comus: checker-unsafe and checker-safe are about a checker, and none is given",
            ),
            ("comus checker=\"cbmc", "a quote is not closed"),
        ] {
            assert_eq!(Command::parse(text).unwrap_err(), expected);
        }
    }

    #[test]
    fn every_default_can_be_given() {
        for entry in ENGINES {
            for about in (entry.options)().iter().filter(|about| !about.default.is_empty()) {
                let mut command = Command::new(entry.name);
                command.set(about.name, about.default);
                assert!(command.make().is_ok(), "{command}");
            }
        }
    }
}
