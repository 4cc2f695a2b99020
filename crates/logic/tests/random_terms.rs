//! Random terms: what the rules make of them means what was written.

mod common;

use base::{Budget, Rng};
use common::{BINARY, UNARY, binary, mask, unary, value};
use logic::{Answer, Solver, Term, Terms};

/// A term together with its value for each of a few assignments, computed beside it without any rule.
#[derive(Clone)]
struct Valued {
    term: Term,
    width: u32,
    values: Vec<u128>,
}

struct Maker {
    terms: Terms,
    random: Rng,
    variables: Vec<Valued>,
    pool: Vec<Valued>,
    assignments: usize,
}

impl Maker {
    fn new(seed: u64, widths: &[u32], assignments: usize) -> Self {
        let mut random = Rng::new(seed);
        let mut terms = Terms::new();
        let mut variables = Vec::new();
        for &width in widths {
            for name in ["x", "y"] {
                let term = terms.variable(width, name);
                let values = (0..assignments).map(|_| value(&mut random, width)).collect();
                variables.push(Valued { term, width, values });
            }
        }
        Maker { terms, random, pool: variables.clone(), variables, assignments }
    }

    fn any(&mut self) -> Valued {
        // Recent ones more often, so that terms get deep.
        let len = self.pool.len();
        let from = if self.random.one_in(2) { len.saturating_sub(8) } else { 0 };
        self.pool[from + self.random.below(len - from)].clone()
    }
    fn constant(&mut self, width: u32) -> Valued {
        let value = value(&mut self.random, width);
        Valued { term: self.terms.constant(width, value), width, values: vec![value; self.assignments] }
    }
    /// A term of the given width: one that exists, a constant, or one made to fit.
    fn fitting(&mut self, width: u32) -> Valued {
        if self.random.one_in(4) {
            return self.constant(width);
        }
        let candidates: Vec<usize> = (0..self.pool.len()).filter(|&i| self.pool[i].width == width).collect();
        if !candidates.is_empty() && !self.random.one_in(8) {
            let from = if self.random.one_in(2) { candidates.len().saturating_sub(4) } else { 0 };
            let chosen = candidates[from + self.random.below(candidates.len() - from)];
            return self.pool[chosen].clone();
        }
        let other = self.any();
        self.resized(&other, width)
    }
    fn resized(&mut self, t: &Valued, width: u32) -> Valued {
        let own = t.width;
        let (term, values) = if width <= own {
            let low = self.random.below((own - width + 1) as usize) as u32;
            (self.terms.extract(t.term, low, width), t.values.iter().map(|v| mask(v >> low, width)).collect())
        } else if self.random.one_in(2) {
            (self.terms.zext(t.term, width), t.values.clone())
        } else {
            let extend = |v: &u128| {
                if v >> (own - 1) & 1 == 1 { v | (mask(u128::MAX, width) ^ mask(u128::MAX, own)) } else { *v }
            };
            (self.terms.sext(t.term, width), t.values.iter().map(extend).collect())
        };
        Valued { term, width, values }
    }

    fn step(&mut self) {
        let a = self.any();
        let made = match self.random.below(10) {
            0 => {
                let (op, build) = UNARY[self.random.below(UNARY.len())];
                let values = a.values.iter().map(|&v| unary(op, a.width, v)).collect();
                Some(Valued { term: build(&mut self.terms, a.term), width: a.width, values })
            }
            1 | 2 => {
                let (c, other) = (self.fitting(1), self.fitting(a.width));
                let term = self.terms.ite(c.term, a.term, other.term);
                let values = (0..self.assignments)
                    .map(|i| if c.values[i] == 1 { a.values[i] } else { other.values[i] })
                    .collect();
                Some(Valued { term, width: a.width, values })
            }
            3 => {
                let b = self.any();
                (a.width + b.width <= 128).then(|| {
                    let values = a.values.iter().zip(&b.values).map(|(x, y)| x << b.width | y).collect();
                    Valued { term: self.terms.concat(a.term, b.term), width: a.width + b.width, values }
                })
            }
            4 => {
                let width = self.variables[self.random.below(self.variables.len())].width;
                Some(self.resized(&a, width))
            }
            5 => {
                // Choices between constants, of which the rules know much.
                let (c, x, y) = (self.fitting(1), self.constant(a.width), self.constant(a.width));
                let values =
                    (0..self.assignments).map(|i| if c.values[i] == 1 { x.values[i] } else { y.values[i] }).collect();
                Some(Valued { term: self.terms.ite(c.term, x.term, y.term), width: a.width, values })
            }
            _ => {
                let (op, build) = BINARY[self.random.below(BINARY.len())];
                let b = self.fitting(a.width);
                let (a, b) = if self.random.one_in(2) { (a, b) } else { (b, a) };
                let values: Option<Vec<u128>> =
                    a.values.iter().zip(&b.values).map(|(&x, &y)| binary(op, a.width, x, y)).collect();
                // Divisions that fault are left out.
                values.map(|values| {
                    let term = build(&mut self.terms, a.term, b.term);
                    Valued { term, width: self.terms.width(term), values }
                })
            }
        };
        if let Some(made) = made {
            self.pool.push(made);
        }
    }

    fn check_evaluation(&self, seed: u64) {
        for valued in &self.pool {
            assert_eq!(self.terms.width(valued.term), valued.width);
            for i in 0..self.assignments {
                let found = self.terms.evaluate(valued.term, &mut |variable| {
                    self.variables.iter().find(|v| v.term == variable).expect("a variable").values[i]
                });
                assert_eq!(found, valued.values[i], "seed {seed}, {:?}, assignment {i}", valued.term);
            }
        }
    }

    fn check_solver(&mut self, seed: u64) {
        let mut solver = Solver::new();
        let roots: Vec<Valued> = self.pool.iter().rev().take(4).cloned().collect();
        for i in 0..self.assignments.min(2) {
            let mut assumptions = Vec::new();
            for variable in &self.variables {
                let value = self.terms.constant(variable.width, variable.values[i]);
                let same = self.terms.eq(variable.term, value);
                assumptions.push(solver.literal(&self.terms, same));
            }
            for root in &roots {
                let bits = solver.literals(&self.terms, root.term);
                // Made part of the clauses, not only of the circuit.
                let extra = solver.fresh();
                for &bit in &bits {
                    solver.clause(&[extra, bit, !bit]);
                    solver.clause(&[extra, bit]);
                }
                assert_eq!(solver.solve(&assumptions, &Budget::unlimited()), Answer::Satisfiable, "seed {seed}");
                let found = bits.iter().enumerate().fold(0, |sum, (n, &bit)| sum | u128::from(solver.value(bit)) << n);
                assert_eq!(found, root.values[i], "seed {seed}, {:?}", root.term);
                assert_eq!(solver.value_of(&self.terms, root.term), root.values[i]);
            }
        }
    }
}

#[test]
fn rules_keep_the_meaning() {
    for seed in 0..3000 {
        let widths: &[u32] = match seed % 4 {
            0 => &[1, 2, 3],
            1 => &[1, 8, 16],
            2 => &[1, 32, 64],
            _ => &[1, 5, 8, 100],
        };
        let mut maker = Maker::new(seed, widths, 6);
        for _ in 0..60 {
            maker.step();
        }
        maker.check_evaluation(seed);
    }
}

#[test]
fn circuits_keep_the_meaning() {
    for seed in 10_000..10_400 {
        let widths: &[u32] = if seed % 2 == 0 { &[1, 2, 3] } else { &[1, 4, 8] };
        let mut maker = Maker::new(seed, widths, 2);
        for _ in 0..40 {
            maker.step();
        }
        maker.check_solver(seed);
    }
}
