//! The solver as engines see it: terms and literals go in, answers and models come out.
//!
//! A solver belongs to one pool of terms and to the thread that made it; several solvers can run in several threads.
//! Clauses are handed to CaDiCaL when `solve` is called.  Hence a model can be read until `solve` is called again, whatever
//! is added in between.

use crate::blast::Blaster;
use crate::cnf::Cnf;
use crate::evaluate::Evaluation;
use crate::gates::{Kind, Lit};
use crate::order::Order;
use crate::sat::Sat;
use crate::term::{Term, Terms};
use base::{Budget, Spent};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    Satisfiable,
    /// Under the assumptions.
    Unsatisfiable,
    Spent(Spent),
}

/// How large the problem is and how hard it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    pub variables: u64,
    pub clauses: u64,
    /// Of the circuit, whether they were asked for or not.
    pub gates: u64,
    pub conflicts: u64,
    pub decisions: u64,
    pub propagations: u64,
}

#[derive(Default)]
pub struct Solver {
    blaster: Blaster,
    cnf: Cnf,
    sat: Sat,
    answer: Option<Answer>,
    model: Reading,
    /// Shared with CaDiCaL, which calls it while it solves.
    order: Rc<RefCell<Order>>,
    ordering: Ordering,
}

/// What the order has to do with the solver.
#[derive(Default)]
struct Ordering {
    connected: bool,
    /// Edges since the last call of `solve`: literal (0 for none), from, to.
    edges: Vec<(i32, u32, u32)>,
    observed: FxHashSet<i32>,
    /// Literals that stand for others in the order.
    aliases: FxHashMap<Lit, Lit>,
}

/// What has been read from the last model.
#[derive(Default)]
struct Reading {
    /// Variables made later are not in the model.
    variables: u64,
    gates: FxHashMap<usize, bool>,
    evaluation: Evaluation,
}

impl Solver {
    pub fn new() -> Self {
        Solver::default()
    }

    /// The literal of a term of one bit.
    pub fn literal(&mut self, terms: &Terms, t: Term) -> Lit {
        assert_eq!(terms.width(t), 1, "a literal is one bit");
        self.blaster.word(terms, t)[0]
    }
    /// The literals of a term's bits, lowest first.
    pub fn literals(&mut self, terms: &Terms, t: Term) -> Vec<Lit> {
        self.blaster.word(terms, t).to_vec()
    }
    /// A literal that nothing is known of.
    pub fn fresh(&mut self) -> Lit {
        self.blaster.gates.input()
    }

    /// One of the literals holds.
    pub fn clause(&mut self, clause: &[Lit]) {
        if clause.contains(&Lit::TRUE) {
            return;
        }
        let clause: Vec<i32> = clause
            .iter()
            .filter(|&&lit| lit != Lit::FALSE)
            .map(|&lit| self.cnf.literal(&self.blaster.gates, lit))
            .collect();
        self.cnf.add(&clause);
    }
    /// The term, of one bit, holds.
    pub fn assert(&mut self, terms: &Terms, t: Term) {
        let lit = self.literal(terms, t);
        self.clause(&[lit]);
    }

    /// Is there a model in which the assumptions hold?
    pub fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> Answer {
        let assumed: Vec<i32> = assumptions.iter().map(|&lit| self.cnf.literal(&self.blaster.gates, lit)).collect();
        self.sat.add(&self.cnf.take_pending());
        self.hand_over_order();
        self.model = Reading { variables: self.cnf.variables(), ..Reading::default() };
        let answer = self.sat.solve(assumed.into_iter(), budget);
        self.answer = Some(answer);
        answer
    }

    /// The value of a literal in the model; false for what the model does not speak of.
    pub fn value(&mut self, lit: Lit) -> bool {
        assert_eq!(self.answer, Some(Answer::Satisfiable), "there is no model");
        self.gate_value(lit.gate()) != lit.is_complement()
    }

    /// The value of a term in the model; variables that the model does not speak of are 0.
    pub fn value_of(&mut self, terms: &Terms, t: Term) -> u128 {
        assert_eq!(self.answer, Some(Answer::Satisfiable), "there is no model");
        let mut evaluation = std::mem::take(&mut self.model.evaluation);
        let value = evaluation.value(terms, t, &mut |variable| self.variable_value(terms, variable));
        self.model.evaluation = evaluation;
        value
    }

    /// Adds `count` nodes to the graph that must be acyclic in each model.  Nodes are numbered from 0.
    pub fn order_nodes(&mut self, count: usize) -> Range<usize> {
        let mut order = self.order.borrow_mut();
        let first = order.nodes();
        for _ in 0..count {
            order.add_node();
        }
        first..first + count
    }
    /// An edge that is in the graph of each model.
    pub fn order_edge(&mut self, from: usize, to: usize) {
        self.add_edge(0, from, to);
    }
    /// An edge that is in the graph of those models in which the literal holds.
    pub fn order_edge_if(&mut self, lit: Lit, from: usize, to: usize) {
        if lit == Lit::TRUE {
            self.order_edge(from, to);
        } else if lit != Lit::FALSE {
            let label = self.order_literal(lit);
            self.add_edge(label, from, to);
        }
    }
    /// The nodes in an order with which all edges of the model's graph agree; where there is a choice, the lowest first.
    pub fn order(&mut self) -> Vec<usize> {
        assert_eq!(self.answer, Some(Answer::Satisfiable), "there is no model");
        let cadical = &mut self.sat.cadical;
        self.order.borrow().topological(|lit| cadical.val(lit) == lit)
    }

    pub fn statistics(&self) -> Statistics {
        let counted = |name: &str| self.sat.cadical.get_statistic_value(name).max(0) as u64;
        Statistics {
            variables: self.cnf.variables(),
            clauses: self.cnf.clauses(),
            gates: self.blaster.gates.len() as u64,
            conflicts: counted("conflicts"),
            decisions: counted("decisions"),
            propagations: counted("propagations"),
        }
    }

    fn add_edge(&mut self, label: i32, from: usize, to: usize) {
        let nodes = self.order.borrow().nodes();
        assert!(from < nodes && to < nodes, "an edge from {from} to {to} among {nodes} nodes");
        self.ordering.edges.push((label, from as u32, to as u32));
    }

    /// A literal of the solver's that may be observed.  One that the solver has seen may have been eliminated, and can
    /// then no longer be observed: a new one stands for it.
    fn order_literal(&mut self, lit: Lit) -> i32 {
        let known = self.cnf.literal(&self.blaster.gates, lit);
        let seen = u64::from(known.unsigned_abs()) <= self.model.variables;
        if !seen || self.ordering.observed.contains(&known.abs()) {
            self.ordering.observed.insert(known.abs());
            return known;
        }
        let positive = if lit.is_complement() { !lit } else { lit };
        let alias = match self.ordering.aliases.get(&positive) {
            Some(&alias) => alias,
            None => {
                let alias = self.fresh();
                self.clause(&[!positive, alias]);
                self.clause(&[positive, !alias]);
                self.ordering.aliases.insert(positive, alias);
                alias
            }
        };
        let label = self.cnf.literal(&self.blaster.gates, if lit.is_complement() { !alias } else { alias });
        self.ordering.observed.insert(label.abs());
        label
    }

    /// Only now: CaDiCaL may take back its model when a variable is observed.
    fn hand_over_order(&mut self) {
        let edges = std::mem::take(&mut self.ordering.edges);
        if edges.is_empty() {
            return;
        }
        if !self.ordering.connected {
            self.sat.cadical.connect_external_propagator(self.order.clone());
            self.ordering.connected = true;
        }
        for &(label, ..) in edges.iter().filter(|(label, ..)| *label != 0) {
            // Counted by CaDiCaL; more than once does no harm, and observing calls us back.
            self.sat.cadical.add_observed_var(label.abs());
        }
        let mut order = self.order.borrow_mut();
        for (label, from, to) in edges {
            if label == 0 {
                order.add_fixed(from, to);
            } else {
                order.add_conditional(label, from, to);
            }
        }
    }

    /// A gate outside the model is computed from its inputs.
    fn gate_value(&mut self, gate: usize) -> bool {
        let mut stack = vec![gate];
        while let Some(&number) = stack.last() {
            if self.model.gates.contains_key(&number) {
                stack.pop();
                continue;
            }
            let variable = self.cnf.variable(number).filter(|&variable| variable as u64 <= self.model.variables);
            let value = match variable {
                Some(variable) => self.sat.cadical.val(variable) > 0,
                None => match self.computed(number, &mut stack) {
                    Some(value) => value,
                    None => continue,
                },
            };
            self.model.gates.insert(number, value);
            stack.pop();
        }
        self.model.gates[&gate]
    }

    fn computed(&self, number: usize, stack: &mut Vec<usize>) -> Option<bool> {
        let gate = self.blaster.gates.get(number);
        if let Kind::Constant | Kind::Input = gate.kind {
            return Some(false);
        }
        // Inputs that a kind does not have are the constant.
        let value = |input: Lit| self.model.gates.get(&input.gate()).map(|value| *value != input.is_complement());
        let [Some(a), Some(b), Some(c)] = gate.inputs.map(value) else {
            stack.extend(gate.inputs.into_iter().filter(|input| value(*input).is_none()).map(Lit::gate));
            return None;
        };
        Some(match gate.kind {
            Kind::And => a && b,
            Kind::Xor => a != b,
            Kind::Ite => (a && b) || (!a && c),
            Kind::Majority => (a && (b || c)) || (b && c),
            Kind::Constant | Kind::Input => unreachable!("answered above"),
        })
    }

    /// The value of a variable in the model; zero if nothing was said of it.
    fn variable_value(&mut self, terms: &Terms, variable: Term) -> u128 {
        let Some(word) = self.blaster.known(terms, variable) else { return 0 };
        let word = word.to_vec();
        (0..).zip(word).fold(0, |value, (bit, lit)| value | u128::from(self.value(lit)) << bit)
    }
}
