//! Peterson's mutual exclusion: for two threads as in Fig. 4.2 of the thesis, for more as Peterson generalised it, with a
//! level for each thread and one thread that has to wait at each level.

use crate::Parameters;
use crate::frame::{Check, Frame};
use crate::shuffle::Names;
use crate::text::Text;

pub fn frame(parameters: &Parameters, names: &Names) -> Result<Frame, String> {
    let threads = parameters.threads;
    let mut frame = Frame { check: Check::Within, ..Frame::default() };
    frame.about = vec![format!("Peterson's mutual exclusion of {threads} threads; the first claims that it is alone.")];
    // The last of the natural order, so that there is the whole hierarchy between the mistake and the claim.
    let culprit = |thread: usize| !parameters.safe && thread + 1 == threads;
    let name = names.function(threads - 1);
    let flags = |flag: &str| {
        let numbers = 0..threads;
        numbers.map(|number| format!("{flag}{number}")).collect::<Vec<_>>().join(", ")
    };
    if threads == 2 {
        frame.mistake = format!("{name} sets the turn before its claim");
        frame.globals = vec![format!("int {};", flags("claim")), "int turn;".into(), format!("int {};", flags("cs"))];
    } else {
        frame.mistake = format!("{name} says that it waits at a level before it says that it is there");
        let levels: Vec<String> = (1..threads).map(|level| format!("waits{level}")).collect();
        frame.globals = vec![
            format!("int {}; // how far each thread has come", flags("level")),
            format!("int {}; // the number of the thread that waits at a level", levels.join(", ")),
            format!("int {};", flags("cs")),
        ];
    }
    let inside = |out: &mut Text, thread: usize| {
        if threads == 2 {
            enter_of_two(out, thread, names, culprit(thread));
        } else {
            (1..threads).for_each(|level| enter_level(out, threads, thread, level, names, culprit(thread)));
        }
        let own = names.number(thread);
        out.line(format!("cs{own} = 1;"));
        if thread == 0 {
            let others: Vec<String> = (1..threads).map(|other| format!("!cs{}", names.number(other))).collect();
            out.line(format!("assert({});", others.join(" && ")));
        }
        out.line(format!("cs{own} = 0;"));
        out.line(format!("{}{own} = 0;", if threads == 2 { "claim" } else { "level" }));
    };
    for thread in 0..threads {
        let mut body = Text::default();
        let bounded = parameters.iterations.map(|count| format!("for (int i = 0; i < {count}; i++)"));
        let head = bounded.unwrap_or_else(|| "while (1)".into());
        body.block(head, |out| inside(out, thread));
        frame.bodies.push(body);
    }
    Ok(frame)
}

fn enter_of_two(out: &mut Text, thread: usize, names: &Names, swapped: bool) {
    let (own, other) = (names.number(thread), names.number(1 - thread));
    let claim = format!("claim{own} = 1;");
    let turn = format!("turn = {other};");
    let lines = if swapped { [turn, claim] } else { [claim, turn] };
    lines.iter().for_each(|line| out.line(line));
    out.wait_while(format!("claim{other} && turn != {own}"));
}

fn enter_level(out: &mut Text, threads: usize, thread: usize, level: usize, names: &Names, swapped: bool) {
    let own = names.number(thread);
    let there = format!("level{own} = {level};");
    let waits = format!("waits{level} = {own};");
    let lines = if swapped { [waits, there] } else { [there, waits] };
    lines.iter().for_each(|line| out.line(line));
    for other in (0..threads).filter(|other| *other != thread) {
        out.wait_while(format!("level{} >= {level} && waits{level} == {own}", names.number(other)));
    }
}
