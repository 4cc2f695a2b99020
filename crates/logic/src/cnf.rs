//! From gates to clauses (Tseitin), for the cone of what is asked for and nothing else.
//!
//! Clauses are collected here and reach the solver when it is started: until then a model can still be read.

use crate::gates::{Gates, Kind, Lit};

/// Clauses in the solver's own notation: a variable is a number from 1 up, its complement the negative number.
pub struct Cnf {
    /// The variable of each gate, 0 for none.
    variables: Vec<i32>,
    last_variable: i32,
    /// Literals of clauses to be handed over, each clause ended by 0.
    pending: Vec<i32>,
    clauses: u64,
    /// Gates with the mark whether their inputs have been looked at.
    stack: Vec<(usize, bool)>,
    conjuncts: Vec<Lit>,
    unexpanded: Vec<Lit>,
}

/// More conjuncts than this are not gathered into one gate: the clauses of a gate would get too long.
const WIDEST: usize = 64;

impl Default for Cnf {
    fn default() -> Self {
        let mut cnf = Cnf {
            variables: Vec::new(),
            last_variable: 0,
            pending: Vec::new(),
            clauses: 0,
            stack: Vec::new(),
            conjuncts: Vec::new(),
            unexpanded: Vec::new(),
        };
        // The gate that is always false.
        let constant = cnf.new_variable();
        cnf.variables.push(constant);
        cnf.add(&[-constant]);
        cnf
    }
}

impl Cnf {
    /// The solver's literal, with all the clauses that define it.
    pub fn literal(&mut self, gates: &Gates, lit: Lit) -> i32 {
        if self.variables.len() < gates.len() {
            self.variables.resize(gates.len(), 0);
        }
        if self.variables[lit.gate()] == 0 {
            self.define(gates, lit.gate());
        }
        self.known(lit)
    }
    /// The variable of a gate that has one.
    pub fn variable(&self, gate: usize) -> Option<i32> {
        self.variables.get(gate).copied().filter(|&variable| variable != 0)
    }

    pub fn add(&mut self, clause: &[i32]) {
        self.pending.extend_from_slice(clause);
        self.pending.push(0);
        self.clauses += 1;
    }
    pub fn take_pending(&mut self) -> Vec<i32> {
        std::mem::take(&mut self.pending)
    }

    pub fn variables(&self) -> u64 {
        self.last_variable as u64
    }
    pub fn clauses(&self) -> u64 {
        self.clauses
    }

    fn new_variable(&mut self) -> i32 {
        self.last_variable = self.last_variable.checked_add(1).expect("fewer than 2^31 variables fit into memory");
        self.last_variable
    }
    fn known(&self, lit: Lit) -> i32 {
        let variable = self.variables[lit.gate()];
        // A zero would end the clause.
        assert_ne!(variable, 0, "an input has its variable before its gate");
        if lit.is_complement() { -variable } else { variable }
    }

    /// Inputs get their variables before the gates that read them.
    fn define(&mut self, gates: &Gates, root: usize) {
        self.stack.push((root, false));
        while let Some((number, ready)) = self.stack.pop() {
            if self.variables[number] != 0 {
                continue;
            }
            let gate = gates.get(number);
            match gate.kind {
                Kind::Constant | Kind::Input => {
                    self.variables[number] = self.new_variable();
                    continue;
                }
                Kind::And => {
                    self.gather(gates, number);
                    if !ready {
                        self.stack.push((number, true));
                        self.stack.extend(self.conjuncts.iter().map(|conjunct| (conjunct.gate(), false)));
                    } else {
                        self.define_and(number);
                    }
                    continue;
                }
                Kind::Xor | Kind::Ite | Kind::Majority => (),
            }
            if !ready {
                self.stack.push((number, true));
                // Inputs that a kind does not have are the constant, which is defined.
                self.stack.extend(gate.inputs.map(|input| (input.gate(), false)));
                continue;
            }
            let output = self.new_variable();
            self.variables[number] = output;
            let [a, b, c] = gate.inputs.map(|input| self.known(input));
            match gate.kind {
                Kind::Xor => {
                    for clause in [[-output, a, b], [-output, -a, -b], [output, -a, b], [output, a, -b]] {
                        self.add(&clause);
                    }
                }
                Kind::Ite => {
                    for (condition, arm) in [(-a, b), (a, c)] {
                        self.add(&[-output, condition, arm]);
                        self.add(&[output, condition, -arm]);
                    }
                    // Implied; they let the solver see through a choice whose arms agree.
                    self.add(&[output, -b, -c]);
                    self.add(&[-output, b, c]);
                }
                Kind::Majority => {
                    for (x, y) in [(a, b), (a, c), (b, c)] {
                        self.add(&[output, -x, -y]);
                        self.add(&[-output, x, y]);
                    }
                }
                Kind::Constant | Kind::Input | Kind::And => unreachable!("defined above"),
            }
        }
    }

    fn define_and(&mut self, number: usize) {
        let output = self.new_variable();
        self.variables[number] = output;
        let mut long = Vec::with_capacity(self.conjuncts.len() + 1);
        long.push(output);
        for i in 0..self.conjuncts.len() {
            let input = self.known(self.conjuncts[i]);
            self.add(&[-output, input]);
            long.push(-input);
        }
        self.add(&long);
    }

    /// The conjuncts of a tree of conjunctions that nobody else reads: one gate with many inputs.
    fn gather(&mut self, gates: &Gates, root: usize) {
        self.conjuncts.clear();
        self.unexpanded.clear();
        self.unexpanded.extend_from_slice(&gates.get(root).inputs[..2]);
        while let Some(lit) = self.unexpanded.pop() {
            let gate = gates.get(lit.gate());
            let inner = gate.kind == Kind::And
                && !lit.is_complement()
                && gate.readers == 1
                && self.variables[lit.gate()] == 0
                && self.conjuncts.len() + self.unexpanded.len() < WIDEST;
            if inner {
                self.unexpanded.extend_from_slice(&gate.inputs[..2]);
            } else {
                self.conjuncts.push(lit);
            }
        }
    }
}
