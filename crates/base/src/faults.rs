//! Faults for tests of the checks: `cargo xtask faults` puts them into a copy of the program, and here is said which of them is on.
//! Not part of any other build.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering::Relaxed};

/// More faults there cannot be.
const MOST: usize = 1 << 16;

/// The fault that is on; 0 for none.
static CHOSEN: AtomicUsize = AtomicUsize::new(0);
/// Whether it is noted which faults are asked for.
static NOTING: AtomicBool = AtomicBool::new(false);
static ASKED: [AtomicU8; MOST] = [const { AtomicU8::new(0) }; MOST];

/// Switches one fault on, and all others off.
pub fn choose(number: usize) {
    CHOSEN.store(number, Relaxed);
}

/// Notes from now on which faults are asked for.
pub fn note() {
    NOTING.store(true, Relaxed);
    ASKED.iter().for_each(|asked| asked.store(0, Relaxed));
}

/// The faults that have been asked for.
pub fn asked() -> Vec<usize> {
    (0..MOST).filter(|number| ASKED[*number].load(Relaxed) != 0).collect()
}

/// Is this fault on?
pub fn on(number: usize) -> bool {
    if NOTING.load(Relaxed) {
        ASKED[number % MOST].store(1, Relaxed);
    }
    CHOSEN.load(Relaxed) == number
}

pub fn less<T: PartialOrd + ?Sized>(number: usize, one: &T, other: &T) -> bool {
    if on(number) { one <= other } else { one < other }
}
pub fn at_most<T: PartialOrd + ?Sized>(number: usize, one: &T, other: &T) -> bool {
    if on(number) { one < other } else { one <= other }
}
pub fn more<T: PartialOrd + ?Sized>(number: usize, one: &T, other: &T) -> bool {
    less(number, other, one)
}
pub fn at_least<T: PartialOrd + ?Sized>(number: usize, one: &T, other: &T) -> bool {
    at_most(number, other, one)
}
pub fn exchanged<T>(number: usize, one: T, other: T) -> (T, T) {
    if on(number) { (other, one) } else { (one, other) }
}
