//! Z3's terms as formulas: what quantifier elimination and Spacer give back.
//!
//! Everything must be linear with constants of moderate size; anything else is `None`, never an approximation.

use crate::encode;
use formula::{Formula, Linear, Var};
use rustc_hash::FxHashMap;
use z3::ast::{Ast, Dynamic};
use z3::{AstKind, DeclKind, SortKind};

/// Constants and coefficients stay below this, so that sums and products of a few of them are exact.
const LARGEST: u128 = 1 << 90;

/// Reads terms of one context; shared parts are read once.
pub struct Decoder<'p> {
    /// What the bound variable with this number stands for; `None` if there are to be none.
    bound: &'p dyn Fn(usize) -> Option<Var>,
    formulas: FxHashMap<Dynamic, Option<Formula>>,
    terms: FxHashMap<Dynamic, Option<Linear>>,
}

impl<'p> Decoder<'p> {
    pub fn new(bound: &'p dyn Fn(usize) -> Option<Var>) -> Self {
        Decoder { bound, formulas: FxHashMap::default(), terms: FxHashMap::default() }
    }

    pub fn formula(&mut self, node: &Dynamic) -> Option<Formula> {
        if let Some(known) = self.formulas.get(node) {
            return known.clone();
        }
        let read = self.read_formula(node);
        self.formulas.insert(node.clone(), read.clone());
        read
    }

    fn read_formula(&mut self, node: &Dynamic) -> Option<Formula> {
        let parts = parts(node)?;
        match node.decl().kind() {
            DeclKind::True => Some(Formula::True),
            DeclKind::False => Some(Formula::False),
            DeclKind::And => Some(Formula::and(self.formulas(&parts)?)),
            DeclKind::Or => Some(Formula::or(self.formulas(&parts)?)),
            DeclKind::Not => Some(self.formula(parts.first()?)?.not()),
            DeclKind::Implies => self.connected(&parts, Formula::implies),
            DeclKind::Xor => self.connected(&parts, |a, b| a.iff(b).not()),
            DeclKind::Ite => {
                let [condition, then, other] = self.formulas(&parts)?.try_into().ok()?;
                Some(Formula::and([condition.not().implies(other), condition.implies(then)]))
            }
            DeclKind::Eq | DeclKind::Iff if parts.first()?.sort_kind() == SortKind::Bool => {
                self.connected(&parts, Formula::iff)
            }
            DeclKind::Distinct if parts.first()?.sort_kind() == SortKind::Bool => {
                let all = self.formulas(&parts)?;
                let differ = |(a, b): (Formula, Formula)| a.iff(b).not();
                Some(Formula::and(pairs(&all).map(differ)))
            }
            DeclKind::Eq => self.compared(&parts, Formula::eq),
            DeclKind::Distinct => {
                let all = self.terms(&parts)?;
                Some(Formula::and(pairs(&all).map(|(a, b)| Formula::ne(&a, &b))))
            }
            DeclKind::Le => self.compared(&parts, Formula::le),
            DeclKind::Lt => self.compared(&parts, Formula::lt),
            DeclKind::Ge => self.compared(&parts, |a, b| Formula::le(b, a)),
            DeclKind::Gt => self.compared(&parts, |a, b| Formula::lt(b, a)),
            _ => None,
        }
    }

    fn formulas(&mut self, nodes: &[Dynamic]) -> Option<Vec<Formula>> {
        nodes.iter().map(|node| self.formula(node)).collect()
    }
    fn terms(&mut self, nodes: &[Dynamic]) -> Option<Vec<Linear>> {
        nodes.iter().map(|node| self.term(node)).collect()
    }
    fn connected(&mut self, nodes: &[Dynamic], by: fn(Formula, Formula) -> Formula) -> Option<Formula> {
        let [a, b] = self.formulas(nodes)?.try_into().ok()?;
        Some(by(a, b))
    }
    fn compared(&mut self, nodes: &[Dynamic], by: fn(&Linear, &Linear) -> Formula) -> Option<Formula> {
        let [a, b] = self.sides(nodes)?;
        Some(by(&a, &b))
    }
    fn sides(&mut self, nodes: &[Dynamic]) -> Option<[Linear; 2]> {
        self.terms(nodes)?.try_into().ok()
    }

    pub fn term(&mut self, node: &Dynamic) -> Option<Linear> {
        if let Some(known) = self.terms.get(node) {
            return known.clone();
        }
        let read = self.read_term(node).filter(moderate);
        self.terms.insert(node.clone(), read.clone());
        read
    }

    fn read_term(&mut self, node: &Dynamic) -> Option<Linear> {
        if node.kind() == AstKind::Var {
            return (self.bound)(bound_number(node)?).map(Linear::var);
        }
        if let Some(value) = numeral(node) {
            return Some(Linear::constant(value));
        }
        let parts = parts(node)?;
        // By name, before the kind is asked for: the number of this kind is another one in each version of Z3.
        if parts.is_empty() {
            return encode::named(&node.decl().name()).map(Linear::var);
        }
        match node.decl().kind() {
            DeclKind::Add => self.sum(&parts, 1),
            DeclKind::Sub => self.sum(&parts, -1),
            DeclKind::Uminus => Some(self.term(parts.first()?)?.scale(-1)),
            DeclKind::Mul => {
                let mut product = Linear::constant(1);
                for part in self.terms(&parts)? {
                    product = match (product.as_constant(), part.as_constant()) {
                        (Some(factor), _) => scaled(&part, factor, LARGEST)?,
                        (None, Some(factor)) => scaled(&product, factor, LARGEST)?,
                        (None, None) => return None,
                    };
                }
                Some(product)
            }
            DeclKind::Idiv => self.quotient(&parts).map(|(dividend, divisor)| dividend.floor_div(divisor)),
            DeclKind::Mod => self.quotient(&parts).map(|(dividend, divisor)| dividend.floor_mod(divisor)),
            DeclKind::Ite => {
                let [condition, then, other] = parts.as_slice() else { return None };
                Some(Linear::choice(self.formula(condition)?, self.term(then)?, self.term(other)?))
            }
            // All values are integers, so that these change nothing.
            DeclKind::ToReal | DeclKind::ToInt => self.term(parts.first()?),
            _ => None,
        }
    }

    fn sum(&mut self, parts: &[Dynamic], sign: i128) -> Option<Linear> {
        let terms = self.terms(parts)?;
        let (first, rest) = terms.split_first()?;
        let mut sum = first.clone();
        for term in rest {
            sum = Some(sum.plus_multiple(term, sign)).filter(moderate)?;
        }
        Some(sum)
    }

    fn quotient(&mut self, parts: &[Dynamic]) -> Option<(Linear, i128)> {
        let [dividend, divisor] = self.sides(parts)?;
        let divisor = divisor.as_constant().filter(|value| *value > 0)?;
        Some((dividend, divisor))
    }
}

/// The operands of an application; quantifiers and bound variables have none.
fn parts(node: &Dynamic) -> Option<Vec<Dynamic>> {
    node.is_app().then(|| node.children())
}

fn pairs<T: Clone>(all: &[T]) -> impl Iterator<Item = (T, T)> {
    all.iter().enumerate().flat_map(move |(i, a)| all[..i].iter().map(move |b| (a.clone(), b.clone())))
}

/// The value of an integer constant, also of one written as a real.
pub fn numeral(node: &Dynamic) -> Option<i128> {
    if node.kind() != AstKind::Numeral {
        return None;
    }
    match node.sort_kind() {
        SortKind::Int => node.as_int()?.as_i128(),
        SortKind::Real => match node.as_real()?.as_rational()? {
            (value, 1) => Some(i128::from(value)),
            _ => None,
        },
        _ => None,
    }
}

/// Z3's bindings tell the number of a bound variable only in print: `(:var 3)`.
fn bound_number(node: &Dynamic) -> Option<usize> {
    node.to_string().strip_prefix("(:var ")?.strip_suffix(')')?.parse().ok()
}

fn moderate(term: &Linear) -> bool {
    largest(term) <= LARGEST
}

/// `factor * term`, unless that has numbers larger than the limit.
pub fn scaled(term: &Linear, factor: i128, limit: u128) -> Option<Linear> {
    let fits = largest(term).checked_mul(factor.unsigned_abs()).is_some_and(|product| product <= limit);
    fits.then(|| term.scale(factor))
}

/// The largest absolute value among the coefficients and the constant.
fn largest(term: &Linear) -> u128 {
    term.terms().iter().map(|(_, factor)| factor.unsigned_abs()).fold(term.offset().unsigned_abs(), u128::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::Encoder;
    use z3::ast::{Bool, Int};

    fn decoded(term: &Bool) -> Option<Formula> {
        Decoder::new(&|_| None).formula(&Dynamic::from_ast(term))
    }
    fn x() -> Linear {
        Linear::var(Var(0))
    }
    fn y() -> Linear {
        Linear::var(Var(1))
    }

    #[test]
    fn what_was_encoded_is_decoded() {
        let choice = Linear::choice(Formula::le(&x(), &y()), x().floor_div(3), y().scale(2).floor_mod(4));
        let all = [
            Formula::True,
            Formula::le(&x().scale(3), &y().plus_constant(-(1 << 70))),
            Formula::ne(&choice.scale(-2).plus(&x()), &y()),
            Formula::or([Formula::eq(&x(), &y()), Formula::and([Formula::lt(&x(), &y()), Formula::eq(&choice, &x())])]),
        ];
        for formula in all {
            assert_eq!(decoded(&Encoder::default().formula(&formula)), Some(formula));
        }
        // Divisibility comes back as a remainder.
        let even = Formula::divides(2, x());
        let expected = Formula::eq(&x().floor_mod(2), &Linear::constant(0));
        assert_eq!(decoded(&Encoder::default().formula(&even)), Some(expected));
    }

    #[test]
    fn other_ways_to_write_it() {
        let mut encoder = Encoder::default();
        let (a, b) = (encoder.linear(&x()), encoder.linear(&y()));
        let (p, q) = (a.gt(&b), b.ge(Int::from_i64(2)));
        let (lt, ge) = (Formula::lt(&y(), &x()), Formula::le(&Linear::constant(2), &y()));
        assert_eq!(decoded(&p.implies(&q)), Some(lt.clone().implies(ge.clone())));
        assert_eq!(decoded(&p.xor(&q)), Some(lt.clone().iff(ge.clone()).not()));
        assert_eq!(decoded(&p.iff(&q)), Some(lt.clone().iff(ge)));
        assert_eq!(decoded(&a.to_real().gt(b.to_real())), Some(lt.clone()));
        assert_eq!(decoded(&Int::sub(&[a.clone(), b.clone()]).le(Int::from_i64(0)).not()), Some(lt));
        assert_eq!(decoded(&Int::distinct(&[a.clone(), b.clone()])), Some(Formula::ne(&x(), &y())));
        // Not linear, not ours.
        assert_eq!(decoded(&Int::mul(&[a.clone(), b.clone()]).le(Int::from_i64(0))), None);
        assert_eq!(decoded(&Int::new_const("other").le(&a)), None);
    }
}
