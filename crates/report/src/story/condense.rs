//! Leaves out the rounds of loops and long stretches in which a thread is busy with itself.

use super::{Item, StoryStep};

/// Rounds of a loop are left out from this many on.
const ROUNDS: usize = 4;
/// The longest body of a loop that is recognised, in lines.
const BODY: usize = 48;
/// Lines of local work in a row that are shown whole.
const LOCAL: usize = 16;

/// Lines in a row of one thread that are shown whole.
const ALONE: usize = 72;

/// Each step comes with whether it concerns its own thread only.
pub fn condense(items: Vec<(Item, bool)>) -> Vec<Item> {
    let mut out = Vec::new();
    let mut rest = items.as_slice();
    while let Some((first, _)) = rest.first() {
        let end = rest.iter().position(|(item, _)| item.thread() != first.thread()).unwrap_or(rest.len());
        let (run, later) = rest.split_at(end);
        // Once more for each loop around a loop.
        let mut rounds = leave_out_rounds(run);
        for _ in 0..3 {
            rounds = leave_out_rounds(&rounds);
        }
        // Nobody reads on while one thread runs alone for very long.
        out.extend(leave_out_middle(leave_out_local(&rounds), ALONE, (ALONE / 3, ALONE / 2), "more steps"));
        rest = later;
    }
    out
}

/// Keeps the first and the last round of a loop that one thread runs without another coming between.
fn leave_out_rounds(run: &[(Item, bool)]) -> Vec<(Item, bool)> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < run.len() {
        let Some((body, rounds)) = (1..=BODY).find_map(|body| {
            let rounds = rounds_at(&run[at..], body);
            (rounds >= ROUNDS).then_some((body, rounds))
        }) else {
            out.push(run[at].clone());
            at += 1;
            continue;
        };
        out.extend_from_slice(&run[at..at + body]);
        let left_out = rounds - 2;
        let text = format!("… {left_out} more rounds of this loop");
        out.push((Item::Elided { thread: run[at].0.thread(), text }, false));
        at += body * (rounds - 1);
        out.extend_from_slice(&run[at..at + body]);
        at += body;
    }
    out
}

/// How often the first `body` lines come again, one after the other.
fn rounds_at(run: &[(Item, bool)], body: usize) -> usize {
    let same = |(a, _): &(Item, bool), (b, _): &(Item, bool)| match (a, b) {
        (Item::StoryStep(a), Item::StoryStep(b)) => place(a) == place(b),
        (Item::Elided { text: a, .. }, Item::Elided { text: b, .. }) => a == b,
        (Item::StoryStep(_), Item::Elided { .. }) | (Item::Elided { .. }, Item::StoryStep(_)) => false,
    };
    let mut chunks = run.chunks_exact(body);
    let Some(first) = chunks.next() else { return 0 };
    1 + chunks.take_while(|chunk| chunk.iter().zip(first).all(|(a, b)| same(a, b))).count()
}

fn place(step: &StoryStep) -> (&str, u32, &str) {
    (&step.file, step.line, &step.function)
}

/// Keeps the beginning and the end of a long stretch of local work.
fn leave_out_local(run: &[(Item, bool)]) -> Vec<Item> {
    let mut out = Vec::new();
    let mut rest = run;
    while let Some((_, local)) = rest.first() {
        let end = rest.iter().position(|(_, other)| other != local).unwrap_or(rest.len());
        let (stretch, later) = rest.split_at(end);
        let items = stretch.iter().map(|(item, _)| item.clone()).collect();
        out.extend(match local {
            true => leave_out_middle(items, LOCAL, (LOCAL / 2 - 1, LOCAL / 2 - 1), "more local steps"),
            false => items,
        });
        rest = later;
    }
    out
}

/// Keeps so many items at the beginning and at the end of what one thread does, if there are more than `most`.
fn leave_out_middle(run: Vec<Item>, most: usize, (first, last): (usize, usize), what: &str) -> Vec<Item> {
    if run.len() <= most {
        return run;
    }
    let left_out = run.len() - first - last;
    let elided = Item::Elided { thread: run[0].thread(), text: format!("… {left_out} {what}") };
    let ending = run[first + left_out..].to_vec();
    run.into_iter().take(first).chain([elided]).chain(ending).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(thread: usize, line: u32) -> (Item, bool) {
        let step = StoryStep {
            thread,
            file: "a.c".into(),
            line,
            function: "f".into(),
            statement: String::new(),
            effects: Vec::new(),
        };
        (Item::StoryStep(step), true)
    }

    fn lines(items: &[Item]) -> Vec<String> {
        items
            .iter()
            .map(|item| match item {
                Item::StoryStep(step) => step.line.to_string(),
                Item::Elided { text, .. } => text.clone(),
            })
            .collect()
    }

    #[test]
    fn middle_rounds_of_a_loop_go() {
        let mut items = vec![step(0, 1)];
        (0..5).for_each(|_| items.extend([step(0, 2), step(0, 3)]));
        items.push(step(0, 4));
        let expected = ["1", "2", "3", "… 3 more rounds of this loop", "2", "3", "4"];
        assert_eq!(lines(&condense(items)), expected);
    }

    #[test]
    fn loops_around_loops_go_too() {
        let mut items = Vec::new();
        for _ in 0..5 {
            items.push(step(0, 1));
            (0..6).for_each(|_| items.push(step(0, 2)));
        }
        let inner = "… 4 more rounds of this loop";
        let expected = ["1", "2", inner, "2", "… 3 more rounds of this loop", "1", "2", inner, "2"];
        assert_eq!(lines(&condense(items)), expected);
    }

    #[test]
    fn a_loop_that_others_interrupt_stays() {
        let items: Vec<_> = (0..12).map(|i| step(i % 2, 5)).collect();
        assert_eq!(condense(items).len(), 12);
    }

    #[test]
    fn long_local_stretches_are_cut() {
        let items: Vec<_> = (0..40).map(|i| step(0, i)).collect();
        let shown = lines(&condense(items));
        assert_eq!(shown.len(), 15);
        assert_eq!(shown[7], "… 26 more local steps");
    }
}
