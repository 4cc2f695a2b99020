//! Arrays: reading skips writes to other places, where constants show that they are other places.

use crate::term::{Node, Op, Sort, Stored, Term, Terms};

impl Terms {
    /// The array with the same element everywhere.
    pub fn array_constant(&mut self, index_width: u32, element: Term) -> Term {
        assert!((1..=128).contains(&index_width));
        let width = self.stored(element).width;
        self.intern(Stored { op: Op::ArrayConstant, width, extra: index_width as u16, a: element.0, b: 0, c: 0 })
    }

    pub fn select(&mut self, array: Term, index: Term) -> Term {
        let Sort::Array { index: index_width, element } = self.sort(array) else { panic!("reading a bit-vector") };
        assert_eq!(self.width(index), index_width, "an index of another width");
        let mut array = array;
        loop {
            match self.view(array) {
                Node::Store(_, at, value) if at == index => return value,
                Node::Store(base, at, _) if self.distinct(at, index) => array = base,
                Node::ArrayConstant(element) => return element,
                _ => return self.node(Op::Select, element, array, index),
            }
        }
    }

    pub fn store(&mut self, array: Term, index: Term, value: Term) -> Term {
        let Sort::Array { index: index_width, element } = self.sort(array) else { panic!("writing a bit-vector") };
        assert_eq!(self.width(index), index_width, "an index of another width");
        assert_eq!(self.width(value), element, "an element of another width");
        match self.view(array) {
            // Overwritten at once.
            Node::Store(base, at, _) if at == index => return self.store(base, index, value),
            Node::ArrayConstant(element) if element == value => return array,
            _ => (),
        }
        // Written as read.
        if let Node::Select(read, at) = self.view(value)
            && read == array
            && at == index
        {
            return array;
        }
        let (width, extra) = (element as u8, index_width as u16);
        self.intern(Stored { op: Op::Store, width, extra, a: array.0, b: index.0, c: value.0 })
    }

    /// Certainly different: two constants, or two sums of one term with different constants.
    fn distinct(&self, a: Term, b: Term) -> bool {
        if self.is_constant(a) && self.is_constant(b) {
            return a != b;
        }
        match (self.constant_summand(a), self.constant_summand(b)) {
            (Some((x, c)), Some((y, d))) => x == y && c != d,
            (Some((x, _)), None) => x == b,
            (None, Some((y, _))) => y == a,
            (None, None) => false,
        }
    }
}
