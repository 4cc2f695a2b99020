//! Reads the given `.ll` files and reports failures and speed.

use std::time::{Duration, Instant};

fn main() {
    let (mut bytes, mut lines, mut insts, mut failed, mut files) = (0usize, 0usize, 0usize, 0, 0);
    let mut time = Duration::ZERO;
    let (mut located, mut records, mut unnamed) = (0usize, 0usize, 0usize);
    for path in std::env::args().skip(1) {
        let Ok(raw) = std::fs::read(&path) else {
            continue;
        };
        let text = String::from_utf8_lossy(&raw);
        files += 1;
        bytes += text.len();
        lines += text.lines().count();
        let start = Instant::now();
        let result = llvm::parse(&text);
        time += start.elapsed();
        match result {
            Ok(module) => {
                let di = llvm::DebugInfo::new(&module);
                for function in &module.functions {
                    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
                        insts += 1;
                        let scope = inst.dbg.and_then(|id| di.location(id)?.scope);
                        located += usize::from(scope.and_then(|scope| di.file_of_scope(scope)).is_some());
                    }
                    for record in &function.dbg_records {
                        records += 1;
                        let ok = di.local_variable(record.variable).is_some() && record.operand.is_some();
                        unnamed += usize::from(!ok);
                    }
                }
            }
            Err(error) => {
                failed += 1;
                println!("{path}:{error}");
            }
        }
    }
    let speed = bytes as f64 / 1e6 / time.as_secs_f64().max(1e-9);
    println!("{files} files, {failed} failed, {lines} lines, {bytes} bytes, {insts} instructions");
    println!("{located} located, {records} records, {unnamed} of them odd");
    println!("{time:?}, {speed:.1} MB/s");
}
