//! Times the facts on programs in text form and counts what they found: `measure FILE.ir ...`, one line per file.

use facts::Facts;
use std::time::Instant;

fn main() {
    println!("instructions\tms\tregions\tcells\tshared\taccesses\tsites\tlocks\tswitches\twild\tfile");
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).map_err(|error| error.to_string());
        let program = text.and_then(|text| ir::text::parse(&text, &path).map_err(|error| error.to_string()));
        let program = match program {
            Ok(program) => program,
            Err(error) => {
                eprintln!("{path}: {error}");
                continue;
            }
        };
        let start = Instant::now();
        let facts = Facts::compute(&program);
        let time = start.elapsed();
        println!(
            "{}\t{:.1}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{path}",
            program.insts().count(),
            time.as_secs_f64() * 1000.0,
            facts.regions.all.len(),
            facts.cells.all.len(),
            facts.shared.cells.len(),
            facts.accesses.len(),
            facts.sites.all.len(),
            facts.locks.all.len(),
            facts.movers.switches.len(),
            facts.points_to.wild_access,
        );
    }
}
