//! Validates how programs are translated: `translation FILE...`.

use base::Budget;
use claim::modular::Ints;
use std::time::{Duration, Instant};

fn main() {
    for file in std::env::args().skip(1) {
        let text = file.ends_with(".ir").then(|| std::fs::read_to_string(&file).expect("a file"));
        let parsed = text.map(|text| ir::text::parse(&text, &file).expect("a program"));
        let program = match parsed.map_or_else(
            || front::load(&[file.clone().into()], &front::Options::default()).map(|loaded| loaded.program),
            Ok,
        ) {
            Ok(program) => program,
            Err(errors) => {
                println!("{file}: cannot be read: {:?}", errors.first());
                continue;
            }
        };
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
