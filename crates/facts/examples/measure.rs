//! Times the facts on programs in text form and counts what they found: `measure FILE.ir ...`, one line per file.

use facts::Facts;
use std::time::Instant;

fn main() {
    println!("instructions\tms\tregions\tcells\tshared\taccesses\tsites\tlocks\tswitches\twild\tfile");
    for path in std::env::args().skip(1) {
        let program = match std::fs::read_to_string(&path).map(|text| ir::text::parse(&text, &path)) {
            Ok(Ok(program)) => program,
            Ok(Err(error)) => {
                eprintln!("{path}: {error}");
                continue;
            }
            Err(error) => {
                eprintln!("{path}: {error}");
                continue;
            }
        };
        let start = Instant::now();
        let facts = Facts::compute(&program);
        let time = start.elapsed();
        let blocks = program.functions.values().flat_map(|function| function.blocks.values());
        println!(
            "{}\t{:.1}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{path}",
            blocks.map(|block| block.insts.len()).sum::<usize>(),
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
