//! Makes a text that shows something as small as it goes: without lines, then without pieces of lines.

use std::time::{Duration, Instant};

/// The smallest text found within the time for which `shows` still holds.
pub fn minimise(text: &str, time: Duration, shows: &mut dyn FnMut(&str) -> bool) -> String {
    let end = Instant::now() + time;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let lines = without(lines, end, shows);
    let text = lines.concat();
    let pieces: Vec<&str> = text.split_inclusive([' ', ',', '(', ')', '\n']).collect();
    without(pieces, end, shows).concat()
}

/// Leaves out ever smaller runs of pieces.
fn without<'t>(mut pieces: Vec<&'t str>, end: Instant, shows: &mut dyn FnMut(&str) -> bool) -> Vec<&'t str> {
    let mut length = pieces.len().div_ceil(2);
    while length > 0 {
        let mut at = 0;
        let mut changed = false;
        while at < pieces.len() {
            if Instant::now() >= end {
                return pieces;
            }
            let mut fewer = pieces.clone();
            fewer.drain(at..(at + length).min(pieces.len()));
            if shows(&fewer.concat()) {
                pieces = fewer;
                changed = true;
            } else {
                at += length;
            }
        }
        length = if length == 1 && changed { 1 } else { length / 2 };
    }
    pieces
}
