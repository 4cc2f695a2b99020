//! The options by name, one line for each.  Whoever adds one adds it here; the command line and the tables that measure what
//! each switch is worth read this table.

use super::Settings;
use crate::options::{SWITCH, Setting, Tell, ints_setting, read_ints, switch};

pub const OPTIONS: &[Setting<Settings>] = &[
    ints_setting(|settings, value| read_ints(&mut settings.ints, value)),
    Setting::new(
        "order",
        "THREADS",
        "",
        "the threads from the first level down, as in t1,t0; found from the data flow by default",
        |settings, value| {
            settings.order = value.split(',').map(String::from).collect();
            Ok(())
        },
    ),
    Setting::new(
        "checker",
        "COMMAND",
        "",
        "a verifier that decides the sequential programs, as in cbmc {file}",
        |s, value| {
            s.checker = Some(value.into());
            Ok(())
        },
    ),
    Setting::new("checker-unsafe", "TEXT", "", "what it prints when an assertion can fail", |s, value| {
        s.checker_unsafe = Some(value.into());
        Ok(())
    }),
    Setting::new("checker-safe", "TEXT", "", "what it prints when none can", |s, value| {
        s.checker_safe = Some(value.into());
        Ok(())
    }),
    Tell::setting(|settings, value| settings.tell.read(value)),
    Setting::new("ranges", SWITCH, "on", "ranges of the variables are the first lemmas", |s, value| {
        switch(&mut s.ranges, value)
    }),
    Setting::new("generalise", SWITCH, "on", "lemmas are made general", |s, value| switch(&mut s.generalise, value)),
    Setting::new("maximise", SWITCH, "on", "bounds in lemmas are made tight", |s, value| {
        switch(&mut s.maximise, value)
    }),
    Setting::new(
        "invariants-first",
        SWITCH,
        "on",
        "lemmas are first tried without the state before the move",
        |s, value| switch(&mut s.invariants_first, value),
    ),
    Setting::new("reuse-paths", SWITCH, "on", "a failing path is used again up to a promise made on it", |s, value| {
        switch(&mut s.reuse_paths, value)
    }),
    Setting::new("stable-lemmas", SWITCH, "on", "lemmas that moves preserve also hold before the start", |s, value| {
        switch(&mut s.stable_lemmas, value)
    }),
    Setting::new("keep-lemmas", SWITCH, "on", "lemmas are kept for later questions", |s, value| {
        switch(&mut s.keep_lemmas, value)
    }),
    Setting::new(
        "eliminate",
        SWITCH,
        "on",
        "questions leave out what the environment neither reads nor changes",
        |s, value| switch(&mut s.eliminate, value),
    ),
    Setting::new("quick", SWITCH, "on", "to make a lemma general no thread below is asked", |s, value| {
        switch(&mut s.quick, value)
    }),
    Setting::new(
        "inductive",
        SWITCH,
        "off",
        "conditions before a move are tried as properties that moves preserve",
        |s, value| switch(&mut s.inductive_properties, value),
    ),
    Setting::new("checker-invariants", SWITCH, "on", "lemmas are read off the checker's invariants", |s, value| {
        switch(&mut s.checker_invariants, value)
    }),
    Setting::new(
        "exact-projection",
        SWITCH,
        "off",
        "questions are projected exactly where that is quick",
        |s, value| switch(&mut s.exact_projection, value),
    ),
    Setting::new("restarts", SWITCH, "on", "long attempts are begun again in another way", |s, value| {
        switch(&mut s.restarts, value)
    }),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn switches() -> impl Iterator<Item = &'static Setting<Settings>> {
        OPTIONS.iter().filter(|setting| setting.about.values == SWITCH)
    }

    #[test]
    fn every_switch_turns_a_field_of_its_own() {
        let mut seen = vec![Settings::default()];
        for Setting { about, read } in switches() {
            let mut settings = Settings::default();
            read(&mut settings, about.default).unwrap();
            assert_eq!(settings, Settings::default(), "{} is not as the table says", about.name);
            read(&mut settings, if about.default == "on" { "off" } else { "on" }).unwrap();
            assert!(!seen.contains(&settings), "{} turns the field of another", about.name);
            seen.push(settings);
        }
    }

    #[test]
    fn no_switch_is_missing() {
        let mut settings = Settings::default();
        switches().for_each(|setting| (setting.read)(&mut settings, "off").unwrap());
        // A field more does not compile.
        let Settings {
            ints: _,
            order: _,
            checker: _,
            checker_unsafe: _,
            checker_safe: _,
            tell: _,
            ranges,
            generalise,
            maximise,
            invariants_first,
            reuse_paths,
            stable_lemmas,
            keep_lemmas,
            eliminate,
            quick,
            inductive_properties,
            checker_invariants,
            exact_projection,
            restarts,
        } = settings;
        let fields = [
            ranges,
            generalise,
            maximise,
            invariants_first,
            reuse_paths,
            stable_lemmas,
            keep_lemmas,
            eliminate,
            quick,
            inductive_properties,
            checker_invariants,
            exact_projection,
            restarts,
        ];
        assert_eq!(fields, [false; 13]);
    }
}
