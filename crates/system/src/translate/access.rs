//! Accesses to memory: where they may go, and what they find and leave there.
//!
//! An access with a constant address is some pieces of one object.  Any other is compared with each place that its address may
//! be by the facts; an address that is none of them is an error of memory, which ends the execution, so it is part of the
//! guard that it is one of them.

use super::Refused;
use super::constants::fixes;
use super::memory::{MOST_PLACES, Obj, PieceId, Pieces};
use super::values::{Mode, Number, Value};
use super::walk::Walk;
use facts::Point;
use formula::{Formula, Linear, Var};
use ir::{Expr, Ty};

/// A place an access may go to: `when` says whether it does.
pub struct Way {
    when: Formula,
    pieces: Pieces,
    /// What is in the object at first may be anything.
    unknown: bool,
}

impl Walk<'_, '_> {
    /// Where an access goes; the path goes on only if it goes somewhere.
    pub fn access(&mut self, point: Point, addr: &Expr, ty: Ty, write: bool) -> Result<Vec<Way>, Refused> {
        let address = self.number(addr, Mode::Signed)?;
        self.settle()?;
        let size = self.program().size_of(ty);
        self.refuse_if(size > 8, "a number of more than 64 bits")?;
        let (facts, unfolded) = (self.cx.facts, self.cx.unfolded);
        let places: Vec<(Obj, u64)> = match address.as_constant() {
            Some(pointer) => self.cx.memory.locate(pointer).into_iter().collect(),
            None => {
                let targets = facts.points_to.address(point);
                let places =
                    targets.and_then(|targets| self.cx.memory.places(MOST_PLACES, unfolded, facts, targets, size));
                places.ok_or_else(|| self.refuse("an access with an address that may be very many"))?
            }
        };
        // What is constant on one path may be another constant on the next.
        let noted = self.cx.accesses.entry(point).or_default();
        let new: Vec<(Obj, u64)> = places.iter().filter(|place| !noted.contains(place)).copied().collect();
        noted.extend(new);
        let mut ways = Vec::new();
        let is_valid = |(object, offset): &(Obj, u64)| self.cx.memory.valid(*object, *offset, size, write);
        for (object, offset) in places.into_iter().filter(is_valid) {
            let pieces = self.cx.memory.pieces_at(object, offset, size);
            let pieces = pieces.ok_or_else(|| self.refuse("an access to a place that memory was not cut for"))?;
            let pointer = self.cx.memory.pointer(object, offset as i64);
            let when = settled(self.eq_zero(address.plus_constant(-pointer)));
            if when != Formula::False {
                // A block that takes the place of a freed one has any content again, whatever the first one began with.
                let again = !self.cx.unfolded.reuses.is_empty();
                let unknown = again || pieces.clone().any(|piece| self.cx.memory.initial(piece).is_none());
                ways.push(Way { when, pieces, unknown });
            }
        }
        self.assume(any_of(ways.iter().map(|way| &way.when)));
        Ok(ways)
    }

    fn piece(&mut self, piece: PieceId) -> Result<Number, Refused> {
        if let Some(number) = self.state.pieces.get(&piece) {
            return Ok(number.clone());
        }
        let var = self.cx.piece(piece)?;
        let info = &self.cx.vars.all[var];
        Ok(Number { term: var.into(), mode: info.mode, bits: info.bits })
    }

    /// The pieces of one place as one number.
    fn together(&mut self, pieces: Pieces) -> Result<Number, Refused> {
        let last = pieces.clone().next_back();
        if let (1, Some(only)) = (pieces.len(), last) {
            return self.piece(only);
        }
        let (mut term, mut bits) = (Linear::constant(0), 0);
        for piece in pieces {
            let part = self.piece(piece)?;
            // The highest piece has the sign.
            let mode = if Some(piece) == last { Mode::Signed } else { Mode::Unsigned };
            let value = self.in_mode(Value::Number(part.clone()), mode);
            term = term.plus_multiple(&value, 1 << bits);
            bits += part.bits;
        }
        Ok(Number { term, mode: Mode::Signed, bits })
    }

    pub fn load(&mut self, ways: &[Way], ty: Ty) -> Result<Value, Refused> {
        let numbers = ways.iter().map(|way| self.together(way.pieces.clone())).collect::<Result<Vec<_>, _>>()?;
        let mode = match numbers.iter().any(|number| number.mode == Mode::Ring) {
            true => Mode::Ring,
            false => numbers.first().map_or(Mode::Signed, |number| number.mode),
        };
        let terms = ways.iter().zip(&numbers).rev();
        let term = Linear::last_of(
            terms.map(|(way, number)| (way.when.clone(), self.in_mode(Value::Number(number.clone()), mode))),
        );
        if ways.iter().any(|way| way.unknown) {
            let step = self.state.steps() - 1;
            self.state.reads.push((step, term.clone()));
        }
        let all = numbers.first().map_or(8, |number| number.bits);
        Ok(match self.program().bits_of(ty) {
            1 => Value::Truth(self.as_truth(Value::Number(Number { term, mode, bits: all }))),
            bits if bits < all => {
                let exact = if mode == Mode::Ring { Mode::Ring } else { Mode::Signed };
                let term = self.cx.vars.wrap(&self.state.ranges, term, bits, exact);
                Value::Number(Number { term, mode: exact, bits })
            }
            bits => Value::Number(Number { term, mode, bits }),
        })
    }

    pub fn store(&mut self, ways: &[Way], ty: Ty, value: &Expr) -> Result<(), Refused> {
        if self.state.dead {
            return Ok(());
        }
        let all = self.program().size_of(ty) as u32 * 8;
        let whole = self.program().bits_of(ty) == all;
        let first = ways.first().filter(|way| way.pieces.len() == 1 && whole);
        let common = match first.and_then(|way| way.pieces.clone().next()) {
            Some(piece) => self.cx.modes.piece(piece),
            None => Mode::Unsigned,
        };
        let value = Number { term: self.number(value, common)?, mode: common, bits: all };
        for way in ways {
            let several = way.pieces.len() > 1;
            let mut from = 0;
            for piece in way.pieces.clone() {
                let before = self.piece(piece)?;
                let part = match several {
                    false => value.clone(),
                    true => {
                        let unsigned = self.in_mode(Value::Number(value.clone()), Mode::Unsigned);
                        let term = unsigned.floor_div(1 << from).floor_mod(1 << before.bits);
                        Number { term, mode: Mode::Unsigned, bits: before.bits }
                    }
                };
                from += before.bits;
                let mode = self.cx.modes.piece(piece);
                let new = self.in_mode(Value::Number(part), mode);
                let old = self.in_mode(Value::Number(before.clone()), mode);
                let term = Linear::choice(way.when.clone(), new, old);
                self.state.pieces.insert(piece, Number { term, mode, bits: before.bits });
            }
        }
        Ok(())
    }
}

/// Where an equality fixes a variable, the rest of a conjunction is asked for that value.
fn settled(formula: Formula) -> Formula {
    let parts = formula.conjuncts().to_vec();
    let fixed = parts.iter().find_map(fixes);
    let Some((var, value)) = fixed else { return formula };
    Formula::and(parts.into_iter().map(|part| match fixes(&part) == Some((var, value)) {
        true => part,
        false => part.substitute(&mut |other| (other == var).then(|| Linear::constant(value))),
    }))
}

/// One of the conditions; `0 <= i <= 9` where they are the values of an index one after the other.
fn any_of<'f>(conditions: impl Iterator<Item = &'f Formula> + Clone) -> Formula {
    let values: Option<Vec<(Var, i128)>> = conditions.clone().map(fixes).collect();
    if let Some(mut values) = values
        && values.len() > 2
    {
        values.sort_unstable();
        let (first, last) = (values[0], values[values.len() - 1]);
        if first.0 == last.0 && last.1 - first.1 == values.len() as i128 - 1 {
            return Formula::between(first.1, &first.0.into(), last.1);
        }
    }
    Formula::or(conditions.cloned())
}
