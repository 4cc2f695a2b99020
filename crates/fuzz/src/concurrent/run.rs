//! Runs of the comparison of all ways to decide a program.

use super::bounded::{self, Said};
use super::campaign::{Campaign, Summary};
use super::compare::{self, Case};
use std::time::Duration;

/// Compares programs; the bounded engine has so much time for each, in each way.
pub fn run(campaign: &Campaign, time: Duration) -> Summary {
    let judge = |case: &Case| compare::judge(&case.program, time);
    campaign.run("concurrent", judge, |agreed, case, summary| {
        let mut count = |name: &str, number: usize| summary.count("", name, number as u64);
        count("unsafe", usize::from(agreed.is_unsafe));
        count("unsupported", usize::from(agreed.unsupported));
        count("bent", usize::from(case.bent));
        count("naive states", agreed.naive_states);
        count("plain states", agreed.plain_states);
        count("states of the engine, not reduced", agreed.engine_states[0]);
        count("states of the engine, reduced", agreed.engine_states[1]);
        for ((name, _), said) in bounded::WAYS.iter().zip(agreed.bounded) {
            let (kind, why) = match said {
                Said::Safe => ("decided", "safe".to_string()),
                Said::Unsafe => ("decided", "unsafe".to_string()),
                Said::Unknown(why) => ("unknown", why),
            };
            summary.count(name, kind, 1);
            summary.count(name, &format!("{kind}, {why}"), 1);
        }
    })
}
