//! From a solution to what happens in it, for `passes::follow`.

use super::orders::Orders;
use super::rounds::Rounds;
use logic::Solver;
use passes::follow::Action;

/// What happens in a solution of the rounds, up to the violation.
pub fn round_actions(rounds: &mut Rounds<'_>, solver: &mut Solver) -> Vec<Action> {
    let terms = &rounds.symbols.terms;
    let violated: Vec<usize> = rounds.violations.iter().map(|(_, at)| *at).collect();
    let mut actions = Vec::new();
    for (i, entry) in rounds.log.iter().enumerate() {
        if solver.value_of(terms, entry.when) == 0 {
            continue;
        }
        let value = entry.value.map_or(0, |value| solver.value_of(terms, value));
        let violation = violated.binary_search(&i).is_ok();
        actions.extend(Action::new(rounds.symbols.unfolded, entry.thread, entry.point, violation, value));
        if violation {
            break;
        }
    }
    actions
}

/// What happens in a solution of the orders, up to the violation.
pub fn order_actions(orders: &mut Orders<'_>, solver: &mut Solver) -> Vec<Action> {
    let terms = &orders.symbols.terms;
    let mut actions = Vec::new();
    for id in solver.order() {
        let node = &orders.nodes[id];
        for entry in &node.log {
            if solver.value_of(terms, entry.when) == 0 {
                continue;
            }
            let value = entry.value.map_or(0, |value| solver.value_of(terms, value));
            actions.extend(Action::new(orders.symbols.unfolded, node.thread, entry.point, entry.violation, value));
            if entry.violation {
                return actions;
            }
        }
    }
    actions
}
