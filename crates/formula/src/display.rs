//! Formulas as people and C compilers read them: `2*a + b <= 15 && (x == 0 || y != 1)`.

use crate::{Atom, Formula, Linear, Var};
use std::fmt;

/// Names for the variables.
pub type Names<'n> = &'n dyn Fn(Var) -> String;

/// Something to be written with names.
pub struct Shown<'a, T>(&'a T, Names<'a>);

impl fmt::Display for Shown<'_, Linear> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_sum(f, self.0.offset(), self.0.terms().iter().map(|(a, c)| (a, *c)), self.1)
    }
}
impl fmt::Display for Shown<'_, Formula> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(f, self.1, false)
    }
}

impl Linear {
    pub fn display<'a>(&'a self, names: Names<'a>) -> Shown<'a, Linear> {
        Shown(self, names)
    }
}

impl Formula {
    pub fn display<'a>(&'a self, names: Names<'a>) -> Shown<'a, Formula> {
        Shown(self, names)
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, names: Names<'_>, nested: bool) -> fmt::Result {
        match self {
            Formula::True => f.write_str("1"),
            Formula::False => f.write_str("0"),
            Formula::Le(term) => write_relation(f, term, "<=", names),
            Formula::Eq(term) => write_relation(f, term, "==", names),
            Formula::Ne(term) => write_relation(f, term, "!=", names),
            Formula::Divides(divisor, term) => write!(f, "({}) % {divisor} == 0", term.display(names)),
            Formula::NotDivides(divisor, term) => write!(f, "({}) % {divisor} != 0", term.display(names)),
            Formula::And(parts) => write_parts(f, parts, " && ", names, nested),
            Formula::Or(parts) => write_parts(f, parts, " || ", names, nested),
        }
    }
}

fn write_parts(
    f: &mut fmt::Formatter<'_>,
    parts: &[Formula],
    between: &str,
    names: Names<'_>,
    nested: bool,
) -> fmt::Result {
    f.write_str(if nested { "(" } else { "" })?;
    for (i, part) in parts.iter().enumerate() {
        f.write_str(if i == 0 { "" } else { between })?;
        part.write(f, names, true)?;
    }
    f.write_str(if nested { ")" } else { "" })
}

/// The atoms with positive coefficients on the left, the others on the right, the constant where it is positive.
fn write_relation(f: &mut fmt::Formatter<'_>, term: &Linear, relation: &str, names: Names<'_>) -> fmt::Result {
    let positive = || term.terms().iter().filter(|(_, c)| *c > 0).map(|(a, c)| (a, *c));
    let negative = || term.terms().iter().filter(|(_, c)| *c < 0).map(|(a, c)| (a, -*c));
    let offset = term.offset();
    // `c <= x` reads worse than `x >= c`.
    if positive().next().is_none() {
        let turned = if relation == "<=" { ">=" } else { relation };
        write_sum(f, 0, negative(), names)?;
        write!(f, " {turned} {offset}")
    } else {
        let keep_left = negative().next().is_some() && offset > 0;
        write_sum(f, if keep_left { offset } else { 0 }, positive(), names)?;
        write!(f, " {relation} ")?;
        write_sum(f, if keep_left { 0 } else { -offset }, negative(), names)
    }
}

fn write_sum<'a>(
    f: &mut fmt::Formatter<'_>,
    constant: i128,
    terms: impl Iterator<Item = (&'a Atom, i128)>,
    names: Names<'_>,
) -> fmt::Result {
    let mut first = true;
    for (atom, factor) in terms {
        match (first, factor < 0) {
            (true, true) => f.write_str("-")?,
            (true, false) => {}
            (false, true) => f.write_str(" - ")?,
            (false, false) => f.write_str(" + ")?,
        }
        if factor.abs() != 1 {
            write!(f, "{}*", factor.abs())?;
        }
        write_atom(f, atom, names)?;
        first = false;
    }
    match (first, constant) {
        (true, _) => write!(f, "{constant}"),
        (false, 0) => Ok(()),
        (false, 1..) => write!(f, " + {constant}"),
        (false, _) => write!(f, " - {}", constant.unsigned_abs()),
    }
}

fn write_atom(f: &mut fmt::Formatter<'_>, atom: &Atom, names: Names<'_>) -> fmt::Result {
    match atom {
        Atom::Var(var) => f.write_str(&names(*var)),
        Atom::Choice(choice) => {
            f.write_str("(")?;
            choice.condition.write(f, names, true)?;
            write!(f, " ? {} : {})", choice.then.display(names), choice.other.display(names))
        }
        Atom::Div(q) => write!(f, "floor_div({}, {})", q.dividend.display(names), q.divisor),
        Atom::Mod(q) => write!(f, "floor_mod({}, {})", q.dividend.display(names), q.divisor),
    }
}
