//! What each optimisation of CoMuS is worth: some programs are decided as usual, and then with each switch turned in turn.
//! The switches are those that the binary lists.

use super::Args;
use super::family::{Case, Order, Runner, title, wanted};
use families::{Family, Parameters};
use std::process::Command;

/// The programs: large enough for something to be learnt, decided in a short time.
fn threads(family: Family) -> Option<usize> {
    match family {
        Family::Matrix | Family::Ring => Some(3),
        Family::Pascal => Some(4),
        Family::Chain => Some(6),
        Family::Longest | Family::Peterson => None,
    }
}

/// What is told besides.  Ranges as lemmas alone prove a chain; as long as they also prepare the system, which has no switch
/// (proofs are about the prepared system), it takes one call without these lemmas, too.
fn base(family: Family) -> Option<&'static str> {
    (family == Family::Chain).then_some("no-ranges")
}

/// The words that turn each switch of the binary, where these are told already.
fn turns(shown: &str, base: Option<&str>) -> Vec<String> {
    let turn = |line: &str| {
        let mut words = line.split_whitespace();
        let (name, state) = (words.next()?, words.next()?);
        let off = format!("no-{name}");
        let is_on = state == "on" && base != Some(off.as_str());
        Some(if is_on { off } else { name.to_string() })
    };
    shown.lines().filter_map(turn).collect()
}

/// True if no verdict is wrong.
pub fn run(args: &Args) -> Result<bool, String> {
    let runner = Runner::new(args)?;
    let output = Command::new(runner.binary()).args(["check", "--show-switches"]).output();
    let output = output.map_err(|error| format!("{}: {error}", runner.binary().display()))?;
    let shown = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        return Err(format!("{} lists no switches", runner.binary().display()));
    }
    let mut programs = Vec::new();
    for family in wanted(args) {
        let Some(threads) = threads(family) else { continue };
        let parameters = Parameters::new(family, args.threads_max.map_or(threads, |max| max.min(threads)), true);
        let base = base(family);
        let variant = |name: &str, turned: Option<&str>| {
            let words: Vec<&str> = base.into_iter().chain(turned).collect();
            let options = if words.is_empty() { vec![] } else { vec!["--comus".into(), words.join(",")] };
            (name.to_string(), Case { options, ..Case::new(parameters.clone(), Order::Automatic) })
        };
        let turned = turns(&shown, base);
        let variants = turned.iter().map(|turned| variant(turned, Some(turned)));
        let words = base.map_or(String::new(), |words| format!(", {words}"));
        let title = format!("{}{words}", title(&parameters).trim_end());
        programs.push((title, [variant("as usual", None)].into_iter().chain(variants).collect()));
    }
    runner.compare("Switches of CoMuS", &programs).map(|(fine, _)| fine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_switch_is_turned() {
        let shown = "ranges           on   of variables\ninductive        off  properties\n";
        assert_eq!(turns(shown, None), ["no-ranges", "inductive"]);
        assert_eq!(turns(shown, Some("no-ranges")), ["ranges", "inductive"]);
    }
}
