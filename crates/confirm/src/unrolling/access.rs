//! Accesses to memory during the walk along a thread.

use super::encoding::{Cell, DangerKind};
use super::objects::{Sharing, place};
use super::walk::Walk;
use base::Pos;
use facts::Point;
use ir::Ty;
use logic::Term;
use passes::ThreadId;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Where an access goes, each place with the condition that it goes there.
pub struct Access {
    pub places: Vec<(Term, Vec<usize>)>,
    pub size: u64,
}

impl Walk<'_, '_> {
    /// Finds out where an access goes, and ends the thread where that is nowhere.
    pub fn locate(&mut self, address: Term, ty: Ty, write: bool, point: Point, pos: Pos) -> Result<Access, String> {
        let size = self.encoding.program().size_of(ty);
        let (spots, foreseen) = match self.encoding.values.leaves(address) {
            Some(leaves) => {
                let found = leaves.iter().filter_map(|leaf| self.encoding.objects.at(*leaf as u64, size));
                (found.collect(), false)
            }
            None => (self.encoding.objects.spots(self.encoding.facts, self.thread, point, size)?, true),
        };
        let mut places = Vec::new();
        let mut valid = self.encoding.values.terms.bool(false);
        for spot in spots {
            let object = &self.encoding.objects.all[spot.object];
            if write && object.constant {
                continue;
            }
            let pieces = self.encoding.objects.pieces_of(spot, size).ok_or_else(|| {
                format!("the access at {} goes where the facts do not say", place(self.encoding.program(), pos))
            })?;
            let here = self.encoding.values.terms.is(address, u128::from(object.base + spot.offset));
            if !self.encoding.values.terms.is_false(here) {
                valid = self.encoding.values.terms.or(valid, here);
                places.push((here, pieces));
            }
        }
        let mut or_else = self.encoding.values.terms.bool(false);
        if foreseen {
            let objects = self.encoding.objects.aimed_at(self.encoding.facts, self.thread, point);
            or_else = self.astray(address, size, write, valid, objects, pos);
        }
        self.stop_unless(valid, or_else);
        Ok(Access { places, size })
    }

    /// That an access goes to bytes that exist, but not to any that were foreseen, must be impossible; returns when it does.
    fn astray(
        &mut self,
        address: Term,
        size: u64,
        write: bool,
        valid: Term,
        objects: BTreeSet<usize>,
        pos: Pos,
    ) -> Term {
        let offset_bits = self.encoding.objects.offset_bits();
        let named = self.encoding.is_named(address);
        let terms = &mut self.encoding.values.terms;
        let name = terms.extract(address, offset_bits, terms.width(address) - offset_bits);
        let offset = terms.extract(address, 0, offset_bits);
        // Offsets this large are those of places before an object, written as places far behind the one named before it.
        let far = terms.extract(offset, offset_bits - 1, 1);
        let near = terms.not(far);
        let not_valid = terms.not(valid);
        let mut when = terms.all(&[self.state.guard, named, near, not_valid]);
        for object in objects {
            let object = &self.encoding.objects.all[object];
            let own = terms.constant(terms.width(name), u128::from(object.base >> offset_bits));
            let other = terms.ne(name, own);
            // Beyond the end of a known object is an error of the program.
            let last = terms.constant(offset_bits, u128::from(object.size.saturating_sub(size)));
            let impossible = object.size < size || (write && object.constant);
            let inside = if impossible { terms.bool(false) } else { terms.ule(offset, last) };
            let strange = terms.or(other, inside);
            when = terms.and(when, strange);
        }
        self.encoding.danger(when, DangerKind::Astray, pos);
        when
    }

    /// What the access reads.
    pub fn load(&mut self, access: &Access, ty: Ty) -> Result<Term, String> {
        let mut values = Vec::new();
        for (here, pieces) in access.places.iter().rev() {
            let mut bytes: Option<Term> = None;
            for piece in pieces {
                let content = self.content(*piece, *here, true)?;
                bytes = Some(bytes.map_or(content, |low| self.encoding.values.terms.concat(content, low)));
            }
            values.extend(bytes.map(|bytes| (*here, bytes)));
        }
        let bits = self.encoding.values.bits(ty);
        let terms = &mut self.encoding.values.terms;
        let value = terms.last_of(values).unwrap_or_else(|| terms.bool(false));
        Ok(terms.resize(value, bits))
    }

    /// Writes where the access goes.
    pub fn store(&mut self, access: &Access, value: Term) -> Result<(), String> {
        let value = self.encoding.values.terms.resize(value, 8 * access.size as u32);
        for (here, pieces) in &access.places {
            let mut low = 0;
            for piece in pieces {
                let bits = 8 * self.encoding.objects.pieces[*piece].size as u32;
                let part = self.encoding.values.terms.extract(value, low, bits);
                low += bits;
                let before = self.content(*piece, *here, false)?;
                let after = self.encoding.values.terms.ite(*here, part, before);
                self.set(*piece, *here, after)?;
            }
        }
        Ok(())
    }

    fn wrong_facts(&self, piece: usize) -> String {
        let thread = self.thread.0;
        format!("thread {thread} touches piece {piece} of memory, which the facts say it does not")
    }

    /// What the piece holds now; `read` if that matters where the condition holds.
    fn content(&mut self, piece: usize, here: Term, read: bool) -> Result<Term, String> {
        let sharing = self.encoding.objects.pieces[piece].sharing;
        match sharing {
            Sharing::Shared if !self.state.alone => {
                let guard = self.encoding.values.terms.and(self.state.guard, here);
                let Some(section) = &self.state.section else { return Err(self.wrong_facts(piece)) };
                let (group, known) = (section.group, section.contents.get(&piece).copied());
                if read {
                    // Also after a write of the section's own: it may have been in another branch, or elsewhere.
                    let before = self.cell(group, piece).read;
                    self.cell(group, piece).read = self.encoding.values.terms.or(before, guard);
                }
                Ok(known.unwrap_or_else(|| self.cell(group, piece).before))
            }
            Sharing::Private(thread) if !self.state.alone && thread != self.thread => Err(self.wrong_facts(piece)),
            Sharing::Shared | Sharing::Private(_) | Sharing::Settled => {
                let known = self.state.memory.get(&piece).copied();
                Ok(known.unwrap_or_else(|| self.before_the_thread(piece)))
            }
        }
    }

    /// What the piece holds before the thread has written it.
    pub fn before_the_thread(&mut self, piece: usize) -> Term {
        match self.thread {
            ThreadId::FIRST => self.encoding.at_birth(piece),
            _ => self.encoding.at_first(piece),
        }
    }

    fn set(&mut self, piece: usize, here: Term, content: Term) -> Result<(), String> {
        let sharing = self.encoding.objects.pieces[piece].sharing;
        match sharing {
            Sharing::Settled if !self.state.alone => Err(self.wrong_facts(piece)),
            Sharing::Shared if !self.state.alone => {
                let guard = self.encoding.values.terms.and(self.state.guard, here);
                let Some(section) = &mut self.state.section else { return Err(self.wrong_facts(piece)) };
                Rc::make_mut(&mut section.contents).insert(piece, content);
                let group = section.group;
                let before = self.cell(group, piece).write;
                self.cell(group, piece).write = self.encoding.values.terms.or(before, guard);
                Ok(())
            }
            Sharing::Private(_) | Sharing::Shared | Sharing::Settled => {
                Rc::make_mut(&mut self.state.memory).insert(piece, content);
                Ok(())
            }
        }
    }

    /// What a group does to a piece.
    pub fn cell(&mut self, group: usize, piece: usize) -> &mut Cell {
        let bits = 8 * self.encoding.objects.pieces[piece].size as u32;
        let terms = &mut self.encoding.values.terms;
        self.groups[group].cells.entry(piece).or_insert_with(|| Cell {
            before: terms.variable(bits, "read"),
            read: terms.bool(false),
            write: terms.bool(false),
            after: Vec::new(),
        })
    }
}
