//! Checks the claim that programs are safe within bounds: `unrolling UNWIND SECONDS [--32] FILE...`, C or text of programs.

mod common;

use base::Budget;
use claim::{Proof, Unrolling};
use ir::DataModel;
use ir::interp::Code;
use std::time::{Duration, Instant};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let unwind = args[0].parse().expect("the most times round a loop");
    let seconds = args[1].parse().expect("seconds for each file");
    let data_model = if args.iter().any(|arg| arg == "--32") { DataModel::Ilp32 } else { DataModel::Lp64 };
    for file in args[2..].iter().filter(|arg| !arg.starts_with("--")) {
        let Some(program) = common::load(file, data_model) else { continue };
        let code = Code::new(&program);
        let start = Instant::now();
        let budget = Budget::new(Some(Duration::from_secs(seconds)), None);
        let claim =
            Proof::Unrolling(Unrolling { unwind, loops: Vec::new(), counted: 1 << 10, threads: 200, size: 400_000 });
        let said =
            confirm::check(&claim, &code, &budget).err().map_or_else(|| "confirmed".to_string(), |why| why.to_string());
        println!("{file}: {said} ({:.2} s)", start.elapsed().as_secs_f64());
    }
}
