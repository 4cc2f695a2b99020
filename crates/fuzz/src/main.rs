//! The command for the long runs; `docs/testing.md` has the list.

use fuzz::concurrent::{generate::generate, plain, to_ir::to_ir, tune};
use fuzz::naive;
use fuzz::rng::Rng;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let count: u64 = args[1].parse().unwrap();
    let seed: u64 = args[2].parse().unwrap();
    let mut stat = [0usize; 4];
    let mut total = 0;
    for i in 0..count {
        let mut rng = Rng::of_case(seed, i);
        let source = generate(&mut rng);
        let mut program = to_ir(&source);
        let wrong = ir::validate(&program);
        if !wrong.is_empty() {
            println!("{i}: {}", wrong[0].describe(&program));
            println!("{}", ir::text::print(&program));
            return;
        }
        let Some(t) = tune::tune(&program, 20000, &mut rng) else { stat[3] += 1; continue };
        tune::apply(&mut program, &t);
        let a = naive::check(&program, 20000);
        total += a.states;
        if args.len() > 3 { println!("; {i} states {}\n{}", a.states, ir::text::print(&program)); }
        let (b, _) = plain::check(&program, 100000);
        let k = match a.verdict { naive::Verdict::Safe => 0, naive::Verdict::Unsafe(_) => 1, naive::Verdict::Unsupported => 2, naive::Verdict::GaveUp(w) => {println!("{w}"); 3 }};
        stat[k] += 1;
        if (k == 0) != (b == plain::Verdict::Safe) || (k == 1) != (b == plain::Verdict::Unsafe) {
            println!("{i}: naive {k} plain {b:?}");
            println!("{}", ir::text::print(&program));
            return;
        }
    }
    println!("{stat:?} {}", total / count as usize);
}
