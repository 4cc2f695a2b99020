//! Validates how programs are unfolded: `unfolding FILE...` with loops kept, and unwound.

mod common;

use base::Budget;
use facts::Facts;
use ir::DataModel;
use passes::Bounds;
use std::time::Instant;

fn main() {
    for file in std::env::args().skip(1) {
        let Some(program) = common::load(&file, DataModel::Lp64) else { continue };
        let facts = Facts::compute(&program);
        for bounds in [Bounds::keeping_loops(64), Bounds::keeping_loops(0), Bounds::new(2)] {
            let kind = if bounds.keep { "loops kept" } else { "unwound" };
            let unfolded = passes::unfold(&program, &facts, ir::Goal::Assertion, &bounds, &Budget::unlimited());
            let Ok(unfolded) = unfolded else { continue };
            let start = Instant::now();
            let said = confirm::unfolding::check(&program, &unfolded).err().unwrap_or_else(|| "valid".into());
            println!("{file}\t{kind}\t{said}\t{:.1} ms", start.elapsed().as_secs_f64() * 1000.0);
        }
    }
}
