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
                        let loc = inst.dbg.and_then(|id| di.location(id));
                        located += usize::from(loc.is_some_and(|loc| loc.file.is_some() && loc.function.is_some()));
                    }
                    for record in &function.dbg_records {
                        records += 1;
                        let var = di.local_variable(record.variable);
                        let ok = var.is_some_and(|var| !di.type_name(var.ty).contains('?')) && record.operand.is_some();
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
