//! Ways to damage a text: bytes, tokens, lines, pieces of other texts.  Readers must survive what comes out.

use crate::Rng;

/// Numbers at which things tend to go wrong.
const NUMBERS: &str = "\
    0 1 -1 2 7 8 31 32 64 65 127 128 129 255 256 65535 65536 2147483647 2147483648 -2147483649 4294967295 \
    4294967296 8388607 8388608 9223372036854775807 -9223372036854775808 18446744073709551615 \
    18446744073709551616 340282366920938463463374607431768211455 340282366920938463463374607431768211456 \
    99999999999999999999999999999999999999999999999";

/// One of the texts, damaged.
pub fn damage(texts: &[String], rng: &mut Rng) -> String {
    let Some(base) = rng.pick(texts) else { return String::new() };
    let mut text = base.clone();
    // Small texts are damaged in more interesting ways when they are cut from large ones first.
    if text.len() > 4000 && rng.chance(30) {
        let percent = rng.within(1, 10) as u32;
        text = text.lines().filter(|_| !rng.chance(percent)).fold(String::new(), |all, line| all + line + "\n");
    }
    for _ in 0..rng.within(1, 6) {
        text = match rng.weighted(&[4, 8, 10, 6, 8, 4, 2, 3]) {
            0 => bytes(text, rng),
            1 => number(text, rng),
            2 => token(text, texts, rng),
            3 => swap_tokens(text, rng),
            4 => lines(text, rng),
            5 => splice(text, texts, rng),
            6 => nest(text, rng),
            _ => cut(text, rng),
        };
    }
    text
}

/// A place between characters.
fn place(text: &str, rng: &mut Rng) -> usize {
    between_characters(text, rng.below(text.len() + 1))
}

/// The place, or the last before it that is not within a character.
fn between_characters(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

fn bytes(text: String, rng: &mut Rng) -> String {
    let mut bytes = text.into_bytes();
    for _ in 0..rng.within(1, 3) {
        let at = rng.below(bytes.len());
        match rng.below(4) {
            0 if !bytes.is_empty() => bytes[at] = rng.next() as u8,
            1 if !bytes.is_empty() => {
                bytes.remove(at);
            }
            2 if !bytes.is_empty() => bytes[at] ^= 1 << rng.below(8),
            _ => bytes.insert(at, b"(){}[]<>,:;=%@!#\"'\\ \n\t*&-+.\0\xff0aZ"[rng.below(32)]),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Where the tokens of a text are: runs of name characters, and single other characters.
fn tokens(text: &str) -> Vec<(usize, usize)> {
    let is_name = |b: u8| b.is_ascii_alphanumeric() || b"%@!._-$#".contains(&b);
    let bytes = text.as_bytes();
    let mut all = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let mut end = at + 1;
        if is_name(bytes[at]) {
            while end < bytes.len() && is_name(bytes[end]) {
                end += 1;
            }
        }
        if !bytes[at].is_ascii_whitespace() && text.is_char_boundary(at) && text.is_char_boundary(end) {
            all.push((at, end));
        }
        at = end;
    }
    all
}

fn number(text: String, rng: &mut Rng) -> String {
    let all: Vec<(usize, usize)> = tokens(&text)
        .into_iter()
        .filter(|(start, end)| text[*start..*end].bytes().any(|byte| byte.is_ascii_digit()))
        .collect();
    let Some((start, end)) = rng.pick(&all).copied() else { return text };
    let chosen = rng.one_of(&NUMBERS.split(' ').collect::<Vec<_>>());
    // Only the digits: `i32` becomes `i65536`, `%3` becomes `%0`.
    let token = &text[start..end];
    let digits = token.find(|c: char| c.is_ascii_digit()).unwrap_or(0);
    let after = token[digits..].find(|c: char| !c.is_ascii_digit()).map_or(token.len(), |n| digits + n);
    format!("{}{chosen}{}", &text[..start + digits], &text[start + after..])
}

fn token(text: String, texts: &[String], rng: &mut Rng) -> String {
    let all = tokens(&text);
    let Some((start, end)) = rng.pick(&all).copied() else { return text };
    let other = if rng.chance(60) { &text } else { rng.pick(texts).unwrap_or(&text) };
    let choices = tokens(other);
    let replacement = match rng.pick(&choices) {
        Some((from, to)) if rng.chance(85) => &other[*from..*to],
        _ => "",
    };
    let keep = if rng.chance(20) { &text[start..end] } else { "" };
    format!("{}{keep} {replacement}{}", &text[..start], &text[end..])
}

fn swap_tokens(text: String, rng: &mut Rng) -> String {
    let all = tokens(&text);
    if all.len() < 2 {
        return text;
    }
    let first = rng.below(all.len() - 1);
    let near = (all.len() - first - 1).min(12);
    let second = first + 1 + rng.below(near);
    let ((a, b), (c, d)) = (all[first], all[second]);
    format!("{}{}{}{}{}", &text[..a], &text[c..d], &text[b..c], &text[a..b], &text[d..])
}

fn lines(text: String, rng: &mut Rng) -> String {
    let mut all: Vec<&str> = text.lines().collect();
    if all.is_empty() {
        return text;
    }
    let at = rng.below(all.len());
    let other = rng.below(all.len());
    match rng.below(4) {
        0 => {
            all.remove(at);
        }
        1 => all.insert(other, all[at]),
        2 => all.swap(at, other),
        _ => {
            let end = (at + rng.within(1, 8)).min(all.len());
            all.drain(at..end);
        }
    }
    all.join("\n")
}

/// Some lines of another text.
fn splice(text: String, texts: &[String], rng: &mut Rng) -> String {
    let Some(other) = rng.pick(texts) else { return text };
    let theirs: Vec<&str> = other.lines().collect();
    let mut ours: Vec<&str> = text.lines().collect();
    if theirs.is_empty() {
        return text;
    }
    let from = rng.below(theirs.len());
    let to = (from + rng.within(1, 20)).min(theirs.len());
    let at = rng.below(ours.len() + 1);
    ours.splice(at..at, theirs[from..to].iter().copied());
    ours.join("\n")
}

/// Many of the same: deep nesting, long lists.
fn nest(text: String, rng: &mut Rng) -> String {
    let at = place(&text, rng);
    let all = tokens(&text);
    let piece = match rng.pick(&all) {
        Some((start, end)) if rng.chance(50) => format!("{} ", &text[*start..*end]),
        _ => ["(", "{", "[", "<", "!{", "{i32, ", "[2 x ", "-", "(i32 0, ", "ptr "][rng.below(10)].to_string(),
    };
    let count = [3, 70, 300, 5000][rng.below(4)];
    format!("{}{}{}", &text[..at], piece.repeat(count), &text[at..])
}

fn cut(text: String, rng: &mut Rng) -> String {
    let start = place(&text, rng);
    if rng.chance(30) {
        return text[..start].to_string();
    }
    let end = between_characters(&text, (start + rng.within(1, 40)).min(text.len()));
    format!("{}{}", &text[..start], &text[end..])
}
