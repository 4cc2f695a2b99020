//! What the order of the threads costs.  Each program is shuffled, so that neither names nor the order of creation tell
//! anything, and decided with the order that the engine finds, with that of the data flow, and with its reverse.

use super::Args;
use super::family::{Case, Order, Runner, title, wanted};
use families::{Family, Parameters};

/// Programs large enough for the order to matter, of which the good order decides each in a short time.
fn threads(family: Family) -> usize {
    match family {
        Family::Matrix | Family::Pascal | Family::Longest => 4,
        Family::Peterson => 2,
        Family::Chain => 6,
        Family::Ring => 3,
    }
}

const ORDERS: [(&str, Order); 3] =
    [("data flow", Order::Natural), ("automatic", Order::Automatic), ("reverse", Order::Reverse)];

/// True if no verdict is wrong and the engine's own order decides whatever the natural one does.
pub fn run(args: &Args) -> Result<bool, String> {
    let mut programs = Vec::new();
    for family in wanted(args) {
        let threads = args.threads_max.map_or(threads(family), |max| max.min(threads(family)));
        for seed in &args.seeds {
            let parameters = Parameters { shuffle: Some(*seed), ..Parameters::new(family, threads, true) };
            let variants = ORDERS.map(|(name, order)| (name.to_string(), Case::new(parameters.clone(), order)));
            programs.push((format!("{}, seed {seed}", title(&parameters).trim_end()), variants.to_vec()));
        }
    }
    let (mut fine, answers) = Runner::new(args)?.compare("The order of the threads", &programs)?;
    for ((title, _), answers) in programs.iter().zip(&answers) {
        if answers[0].is_decided() && !answers[1].is_decided() {
            fine = false;
            println!("!!! {title}: not decided with the order that was found: {}", answers[1].reason);
        }
    }
    Ok(fine)
}
