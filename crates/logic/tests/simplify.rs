//! What the rules are there for: terms that mean the same are the same term.  (That the rules keep the meaning is tested
//! with random terms.)

mod common;

use common::{BINARY, UNARY};
use logic::{Node, Term, Terms};
use std::str::SplitWhitespace;

/// Terms on one line are one term.  Of one bit are a, b and c, of 32 bits x, y and numbers.
const SAME: &str = "
    (not (not a)) = a
    (and a (and b (not a))) = false
    (and a b) = (and b a)
    (and a (or a b)) = a
    (or a (and a b)) = a
    (or (not a) (and a b)) = (or (not a) b)
    (or (or a b) (not a)) = true
    (not (eq a b)) = (xor a b)
    (xor (xor a b) b) = a
    (implies a (or a b)) = true

    (add (add x 1) 1) = (add x 2)
    (sub (add x 1) 1) = x
    (sub (add x y) y) = x
    (add (sub x y) y) = x
    (eq (add x 1) 5) = (eq x 4)
    (eq (add x 1) x) = false
    (eq (sub x y) 0) = (eq x y)
    (mul x 2) = (add x x) = (shl x 1)

    (ite a (ite a x y) y) = (ite a x y) = (ite (not a) y x)
    (ite a (ite b x y) y) = (ite (and a b) x y)
    (ite a true false) = a
    (ite a b false) = (and a b)
    (eq (ite a 1 (ite b 2 3)) 1) = a
    (eq (ite a 1 (ite b 2 3)) 3) = (and (not a) (not b))
    (eq (ite a 1 (ite b 2 3)) 4) = false
    (eq (ite c 1 x) 2) = (and (not c) (eq x 2))

    (concat (concat (bits 24 8 x) (bits 16 8 x)) (concat (bits 8 8 x) (bits 0 8 x))) = x
    (concat (bits 24 8 x) (concat (bits 16 8 x) (concat (bits 8 8 x) (bits 0 8 x)))) = x
    (or (or (zext 32 (bits 0 8 x)) (shl (zext 32 (bits 8 8 x)) 8)) \
        (or (shl (zext 32 (bits 16 8 x)) 16) (shl (zext 32 (bits 24 8 x)) 24))) = x
    (bits 0 32 (sext 64 x)) = x
    (and x 255) = (zext 32 (bits 0 8 x))
    (ne (zext 32 a) 0) = a
    (bits 0 8 (add (zext 32 (bits 0 8 x)) (zext 32 (bits 8 8 x)))) = (add (bits 0 8 x) (bits 8 8 x))

    (ult x 0) = false
    (ule x 4294967295) = true
    (slt x 0) = (bits 31 1 x)
    (not (slt x y)) = (sle y x)
    (slt (sext 64 x) (sext 64 y)) = (slt x y)
    (slt (zext 64 x) (zext 64 y)) = (ult x y)";

struct Reader {
    terms: Terms,
    variables: Vec<(&'static str, Term)>,
}

impl Reader {
    fn new() -> Self {
        let mut terms = Terms::new();
        let widths = [("a", 1), ("b", 1), ("c", 1), ("x", 32), ("y", 32)];
        let variables = widths.map(|(name, width)| (name, terms.variable(width, name))).to_vec();
        Reader { terms, variables }
    }

    fn term(&mut self, words: &mut SplitWhitespace<'_>) -> Term {
        let word = words.next().expect("a term");
        if let Some((_, variable)) = self.variables.iter().find(|(name, _)| *name == word) {
            return *variable;
        }
        match word {
            "(" => (),
            "true" | "false" => return self.terms.bool(word == "true"),
            _ => return self.terms.constant(32, word.parse().expect("a number")),
        }
        let number =
            |words: &mut SplitWhitespace<'_>| words.next().and_then(|word| word.parse().ok()).expect("a number");
        let operation = words.next().expect("an operation");
        let is_it = |op: &dyn std::fmt::Debug| format!("{op:?}").to_lowercase() == operation;
        let (unary, binary) = (UNARY.iter().find(|(op, _)| is_it(op)), BINARY.iter().find(|(op, _)| is_it(op)));
        let result = match (operation, unary, binary) {
            ("bits", ..) => {
                let (low, width, of) = (number(words), number(words), self.term(words));
                self.terms.extract(of, low, width)
            }
            ("zext" | "sext", ..) => {
                let extend = if operation == "zext" { Terms::zext } else { Terms::sext };
                let (width, of) = (number(words), self.term(words));
                extend(&mut self.terms, of, width)
            }
            ("ite", ..) => {
                let (condition, yes, no) = (self.term(words), self.term(words), self.term(words));
                self.terms.ite(condition, yes, no)
            }
            (_, Some((_, build)), _) => {
                let of = self.term(words);
                build(&mut self.terms, of)
            }
            _ => {
                let build = match operation {
                    "concat" => Terms::concat,
                    "implies" => Terms::implies,
                    _ => binary.expect("an operation").1,
                };
                let (left, right) = (self.term(words), self.term(words));
                build(&mut self.terms, left, right)
            }
        };
        assert_eq!(words.next(), Some(")"));
        result
    }
}

#[test]
fn terms_that_mean_the_same_are_the_same() {
    for line in SAME.lines().filter(|line| !line.trim().is_empty()) {
        let mut reader = Reader::new();
        let text = line.replace('(', " ( ").replace(')', " ) ");
        let mut sides = text.split('=').map(|side| reader.term(&mut side.split_whitespace()));
        let first = sides.next();
        assert!(sides.all(|side| Some(side) == first), "{line}");
    }
}

#[test]
fn variables_are_always_new() {
    let mut t = Terms::new();
    let (first, second) = (t.variable(8, "v"), t.variable(8, "v"));
    assert_ne!(first, second);
    assert_eq!(t.name(first), t.name(second));
}

#[test]
fn operands_were_made_before() {
    let Reader { mut terms, variables, .. } = Reader::new();
    let [a, x, y] = ["a", "x", "y"].map(|name| variables.iter().find(|it| it.0 == name).expect("a variable").1);
    let sum = terms.add(x, y);
    let chosen = terms.ite(a, sum, x);
    assert_eq!(terms.view(chosen), Node::Ite(a, sum, x));
    assert!(terms.operands(chosen).all(|operand| operand < chosen));
}
