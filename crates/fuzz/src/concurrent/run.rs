//! Runs of the comparison of all ways to decide a program, with a summary.

use super::bounded::{self, Said};
use super::campaign::{Campaign, Found};
use super::compare::{self, Agreed};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

/// What a run found.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub found: Found,
    pub unsafe_: u64,
    pub unsupported: u64,
    pub bent: u64,
    pub naive_states: u64,
    pub plain_states: u64,
    pub engine_states: [u64; 2],
    /// What the bounded engine said, by the way in which it was run.
    pub bounded: [Tally; bounded::WAYS.len()],
}

/// How often an engine said what.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub safe: u64,
    pub unsafe_: u64,
    /// By reason.
    pub unknown: BTreeMap<String, u64>,
}

impl Tally {
    fn add(&mut self, said: Said) {
        match said {
            Said::Safe => self.safe += 1,
            Said::Unsafe => self.unsafe_ += 1,
            Said::Unknown(why) => *self.unknown.entry(why).or_default() += 1,
        }
    }
}

impl Summary {
    fn add(&mut self, agreed: Agreed, bent: bool) {
        self.unsafe_ += u64::from(agreed.is_unsafe);
        self.unsupported += u64::from(agreed.unsupported);
        self.bent += u64::from(bent);
        self.naive_states += agreed.naive_states as u64;
        self.plain_states += agreed.plain_states as u64;
        self.engine_states[0] += agreed.engine_states[0] as u64;
        self.engine_states[1] += agreed.engine_states[1] as u64;
        self.bounded.iter_mut().zip(agreed.bounded).for_each(|(tally, said)| tally.add(said));
    }

    pub fn print(&self) -> String {
        let mut text = String::new();
        let percent = |n: u64| 100.0 * n as f64 / self.found.compared.max(1) as f64;
        let mean = |n: u64| n as f64 / self.found.compared.max(1) as f64;
        let safe = self.found.compared - self.unsafe_ - self.unsupported;
        let mut line = |name: &str, value: String| _ = writeln!(text, "{name:24}{value:>12}");
        line("programs compared", self.found.compared.to_string());
        line("left out (too large)", self.found.left_out.to_string());
        line("bent", format!("{:.1} %", percent(self.bent)));
        line("safe", format!("{safe} ({:.1} %)", percent(safe)));
        line("unsafe", format!("{} ({:.1} %)", self.unsafe_, percent(self.unsafe_)));
        line("unsupported", format!("{} ({:.1} %)", self.unsupported, percent(self.unsupported)));
        line("naive states, mean", format!("{:.0}", mean(self.naive_states)));
        line("plain states, mean", format!("{:.0}", mean(self.plain_states)));
        line("engine, not reduced", format!("{:.0}", mean(self.engine_states[0])));
        line("engine, reduced", format!("{:.0}", mean(self.engine_states[1])));
        for ((name, _), tally) in bounded::WAYS.iter().zip(&self.bounded) {
            line(&format!("bounded ({name})"), String::new());
            line("    safe", format!("{} ({:.1} %)", tally.safe, percent(tally.safe)));
            line("    unsafe", format!("{} ({:.1} %)", tally.unsafe_, percent(tally.unsafe_)));
            for (why, count) in &tally.unknown {
                line(&format!("    {why}"), format!("{count} ({:.1} %)", percent(*count)));
            }
        }
        line("disagreements", self.found.disagreements.len().to_string());
        text
    }
}

/// Compares programs; the bounded engine has so much time for each, in each way.
pub fn run(campaign: &Campaign, time: Duration) -> Summary {
    let mut summary = Summary::default();
    let judge = |program: &_| compare::judge(program, time);
    let found = campaign.run("concurrent", judge, |agreed, case| summary.add(agreed, case.bent));
    Summary { found, ..summary }
}
