//! Validates how programs are translated: `translation FILE...`.

mod common;

use base::Budget;
use claim::modular::Ints;
use ir::DataModel;
use std::time::{Duration, Instant};

fn main() {
    for file in std::env::args().skip(1) {
        let Some(program) = common::load(&file, DataModel::Lp64) else { continue };
        let budget = Budget::new(Some(Duration::from_secs(20)), None);
        for (ints, name) in [(Ints::Machine, "wrapping"), (Ints::Unwrapped, "not wrapping")] {
            let options = system::Options { raw: true, ..ints.into() };
            let Ok(translated) = system::translate(&program, &options, &budget) else {
                println!("{file}\t{name}\trefused");
                continue;
            };
            let start = Instant::now();
            let said = confirm::translation::check(&translated, &budget).err().unwrap_or_else(|| "valid".into());
            println!("{file}\t{name}\t{said}\t{:.1} ms", start.elapsed().as_secs_f64() * 1000.0);
        }
    }
}
