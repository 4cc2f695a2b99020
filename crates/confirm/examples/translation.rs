//! Validates how programs are translated: `translation FILE...`.

use base::Budget;
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
        let options = system::Options { raw: true, ..system::Options::default() };
        let Ok(translated) = system::translate(&program, &options, &budget) else {
            println!("{file}\trefused");
            continue;
        };
        let start = Instant::now();
        let Some(known) = system::ranges::ranges(&translated.system, &budget) else {
            println!("{file}\tno ranges");
            continue;
        };
        let ranges = start.elapsed();
        let start = Instant::now();
        let said = confirm::translation::check(&translated, &known, &budget).err().unwrap_or_else(|| "valid".into());
        println!("{file}\t{said}\t{ranges:.1?}\t{:.1?}", start.elapsed());
    }
}
