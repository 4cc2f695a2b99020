//! Runs programs as before a proof is believed: `runs FILE...` says for each C file what was found, and how long it took.

mod common;

use base::Budget;
use ir::DataModel;
use ir::interp::Code;
use std::time::Instant;

fn main() {
    for file in std::env::args().skip(1) {
        let Some(program) = common::load(&file, DataModel::Lp64) else { continue };
        let code = Code::new(&program);
        let start = Instant::now();
        let said = confirm::runs::check(&code, &Budget::unlimited()).err().unwrap_or_else(|| "nothing".to_string());
        println!("{file}\t{said}\t{:.1} ms", start.elapsed().as_secs_f64() * 1000.0);
    }
}
