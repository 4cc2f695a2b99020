//! What the rules are there for: terms that mean the same are the same term.  (That the rules keep the meaning is tested
//! with random terms.)

mod common;

use common::{BINARY, UNARY};
use logic::{Node, Term, Terms};
use std::str::SplitWhitespace;

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
    for line in include_str!("same.txt").lines().filter(|line| line.starts_with('(')) {
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
