//! Circuits of random gates over four inputs against their truth tables.

use super::*;
use base::Rng;

fn tables(random: &mut Rng) {
    let mut gates = Gates::default();
    // The value of each literal under all assignments of the inputs at once.
    let mut made: Vec<(Lit, u16)> = vec![(Lit::FALSE, 0), (Lit::TRUE, !0)];
    for table in [0xaaaa, 0xcccc, 0xf0f0, 0xff00] {
        made.push((gates.input(), table));
    }
    for _ in 0..60 {
        let mut pick = || {
            let recent = if random.one_in(2) { made.len().saturating_sub(6) } else { 0 };
            let (lit, table) = made[recent + random.below(made.len() - recent)];
            if random.one_in(2) { (lit, table) } else { (!lit, !table) }
        };
        let ((a, x), (b, y), (c, z)) = (pick(), pick(), pick());
        let next = match random.below(5) {
            0 | 1 => (gates.and(a, b), x & y),
            2 => (gates.xor(a, b), x ^ y),
            3 => (gates.ite(a, b, c), x & y | !x & z),
            _ => (gates.majority(a, b, c), x & y | x & z | y & z),
        };
        made.push(next);
    }
    // Bottom up, as the solver would compute them.
    let mut values: Vec<u16> = vec![0; gates.len()];
    let mut inputs = [0xaaaa, 0xcccc, 0xf0f0, 0xff00].into_iter();
    for number in 0..gates.len() {
        let gate = gates.get(number);
        let [a, b, c] =
            gate.inputs.map(|lit| if lit.is_complement() { !values[lit.gate()] } else { values[lit.gate()] });
        values[number] = match gate.kind {
            Kind::Constant => 0,
            Kind::Input => inputs.next().expect("four inputs"),
            Kind::And => a & b,
            Kind::Xor => a ^ b,
            Kind::Ite => a & b | !a & c,
            Kind::Majority => a & b | a & c | b & c,
        };
    }
    for (lit, table) in made {
        let value = values[lit.gate()];
        assert_eq!(if lit.is_complement() { !value } else { value }, table, "{lit:?}");
    }
}

#[test]
fn gates_compute_what_was_asked_for() {
    let mut random = Rng::new(3);
    for _ in 0..3000 {
        tables(&mut random);
    }
}

#[test]
fn a_choice_made_of_conjunctions_is_one_gate() {
    let mut gates = Gates::default();
    let (c, a, b) = (gates.input(), gates.input(), gates.input());
    let (yes, no) = (gates.and(c, a), gates.and(!c, b));
    let choice = gates.or(yes, no);
    assert_eq!(choice, gates.ite(c, a, b));
    let (both, neither) = (gates.and(a, b), gates.and(!a, !b));
    let different = gates.and(!both, !neither);
    assert_eq!(different, gates.xor(a, b));
}
