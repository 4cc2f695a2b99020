//! What the rules are there for: terms that mean the same are the same term.  (That the rules keep the meaning is tested
//! with random terms.)

use logic::{Node, Term, Terms};

struct World {
    t: Terms,
    a: Term,
    b: Term,
    c: Term,
    x: Term,
    y: Term,
}

fn world() -> World {
    let mut t = Terms::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| t.variable(1, name));
    let [x, y] = ["x", "y"].map(|name| t.variable(32, name));
    World { t, a, b, c, x, y }
}

#[test]
fn variables_are_always_new() {
    let mut t = Terms::new();
    let (first, second) = (t.variable(8, "v"), t.variable(8, "v"));
    assert_ne!(first, second);
    assert_eq!(t.name(first), t.name(second));
}

#[test]
fn booleans() {
    let World { mut t, a, b, .. } = world();
    let not_a = t.not(a);
    assert_eq!(t.not(not_a), a);
    let b_and_not_a = t.and(b, not_a);
    let nothing = t.and(a, b_and_not_a);
    assert!(t.is_false(nothing));
    assert_eq!(t.and(a, b), t.and(b, a));
    let a_or_b = t.or(a, b);
    assert_eq!(t.and(a, a_or_b), a);
    let a_and_b = t.and(a, b);
    assert_eq!(t.or(a, a_and_b), a);
    assert_eq!(t.or(not_a, a_and_b), t.or(not_a, b));
    let either = t.or(a_or_b, not_a);
    assert!(t.is_true(either));
    let same = t.eq(a, b);
    let different = t.xor(a, b);
    assert_eq!(t.not(same), different);
    assert_eq!(t.xor(different, b), a);
    let implied = t.implies(a, a_or_b);
    assert!(t.is_true(implied));
}

#[test]
fn sums() {
    let World { mut t, x, y, .. } = world();
    let (one, two, five) = (t.constant(32, 1), t.constant(32, 2), t.constant(32, 5));
    let next = t.add(x, one);
    assert_eq!(t.add(next, one), t.add(x, two));
    assert_eq!(t.sub(next, one), x);
    let (sum, difference) = (t.add(x, y), t.sub(x, y));
    assert_eq!(t.sub(sum, y), x);
    assert_eq!(t.add(difference, y), x);
    let reached = t.eq(next, five);
    let four = t.constant(32, 4);
    assert_eq!(reached, t.eq(x, four));
    let itself = t.eq(next, x);
    assert!(t.is_false(itself));
    let no_difference = t.constant(32, 0);
    assert_eq!(t.eq(difference, no_difference), t.eq(x, y));
    let doubled = t.mul(x, two);
    assert_eq!(doubled, t.add(x, x));
    assert_eq!(doubled, t.shl(x, one));
}

#[test]
fn choices() {
    let World { mut t, a, b, c, x, y } = world();
    let chosen = t.ite(a, x, y);
    assert_eq!(t.ite(a, chosen, y), chosen);
    let not_a = t.not(a);
    assert_eq!(t.ite(not_a, y, x), chosen);
    let inner = t.ite(b, x, y);
    let both = t.and(a, b);
    assert_eq!(t.ite(a, inner, y), t.ite(both, x, y));
    assert_eq!(t.ite(a, t.bool(true), t.bool(false)), a);
    assert_eq!(t.ite(a, b, t.bool(false)), both);
    // A tree of constants compared with one of them is its condition.
    let [one, two, three] = [1, 2, 3].map(|value| t.constant(32, value));
    let low = t.ite(b, two, three);
    let tree = t.ite(a, one, low);
    assert_eq!(t.eq(tree, one), a);
    let not_b = t.not(b);
    assert_eq!(t.eq(tree, three), t.and(not_a, not_b));
    let four = t.constant(32, 4);
    let never = t.eq(tree, four);
    assert!(t.is_false(never));
    let unknown = t.ite(c, one, x);
    let found = t.eq(unknown, two);
    let (not_c, same) = (t.not(c), t.eq(x, two));
    assert_eq!(found, t.and(not_c, same));
}

#[test]
fn slices() {
    let World { mut t, x, a, .. } = world();
    let bytes: Vec<Term> = (0..4).map(|i| t.extract(x, 8 * i, 8)).collect();
    let upper = t.concat(bytes[3], bytes[2]);
    let lower = t.concat(bytes[1], bytes[0]);
    assert_eq!(t.concat(upper, lower), x);
    let middle = t.concat(bytes[2], lower);
    assert_eq!(t.concat(bytes[3], middle), x);
    // The same by shifts and disjunction, as C code does it.
    let mut word = t.zext(bytes[0], 32);
    for (i, &byte) in bytes.iter().enumerate().skip(1) {
        let (wide, amount) = (t.zext(byte, 32), t.constant(32, 8 * i as u128));
        let shifted = t.shl(wide, amount);
        word = t.or(word, shifted);
    }
    assert_eq!(word, x);
    let wide = t.sext(x, 64);
    assert_eq!(t.extract(wide, 0, 32), x);
    let mask = t.constant(32, 0xff);
    let masked = t.and(x, mask);
    assert_eq!(masked, t.zext(bytes[0], 32));
    // A truth value that was made an integer is one again.
    let (wide, zero) = (t.zext(a, 32), t.constant(32, 0));
    assert_eq!(t.ne(wide, zero), a);
    // Sums of promoted bytes are sums of bytes.
    let (p, q) = (t.zext(bytes[0], 32), t.zext(bytes[1], 32));
    let sum = t.add(p, q);
    assert_eq!(t.extract(sum, 0, 8), t.add(bytes[0], bytes[1]));
}

#[test]
fn comparisons() {
    let World { mut t, x, y, .. } = world();
    let [zero, last] = [0, 0xffff_ffff].map(|value| t.constant(32, value));
    let below_zero = t.ult(x, zero);
    assert!(t.is_false(below_zero));
    let at_most = t.ule(x, last);
    assert!(t.is_true(at_most));
    let sign = t.extract(x, 31, 1);
    assert_eq!(t.slt(x, zero), sign);
    let (less, at_least) = (t.slt(x, y), t.sle(y, x));
    assert_eq!(t.not(less), at_least);
    let (wide_x, wide_y) = (t.sext(x, 64), t.sext(y, 64));
    assert_eq!(t.slt(wide_x, wide_y), less);
    let (wide_x, wide_y) = (t.zext(x, 64), t.zext(y, 64));
    assert_eq!(t.slt(wide_x, wide_y), t.ult(x, y));
}

#[test]
fn operands_were_made_before() {
    let World { mut t, a, x, y, .. } = world();
    let sum = t.add(x, y);
    let chosen = t.ite(a, sum, x);
    assert_eq!(t.view(chosen), Node::Ite(a, sum, x));
    assert!(t.operands(chosen).all(|operand| operand < chosen));
}
