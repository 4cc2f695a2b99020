//! The options by name, one line for each.  Whoever adds one adds it here; the command line and the tables that measure what
//! each switch is worth read this table.

use super::Comus;
use crate::options::{Setting, Tell, ints_setting, read_ints};

pub const OPTIONS: &[Setting<Comus>] = &[
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
    Setting::text("checker", "COMMAND", "a verifier that decides the sequential programs, as in cbmc {file}", |s| {
        &mut s.checker
    }),
    Setting::text("checker-unsafe", "TEXT", "what it prints when an assertion can fail", |s| &mut s.checker_unsafe),
    Setting::text("checker-safe", "TEXT", "what it prints when none can", |s| &mut s.checker_safe),
    Tell::setting(|settings, value| settings.tell.read(value)),
    Setting::on("ranges", "ranges of the variables are the first lemmas", |s| &mut s.ranges),
    Setting::on("generalise", "lemmas are made general", |s| &mut s.generalise),
    Setting::on("maximise", "bounds in lemmas are made tight", |s| &mut s.maximise),
    Setting::on("invariants-first", "lemmas are first tried without the state before the move", |s| {
        &mut s.invariants_first
    }),
    Setting::on("reuse-paths", "a failing path is used again up to a promise made on it", |s| &mut s.reuse_paths),
    Setting::on("stable-lemmas", "lemmas that moves preserve also hold before the start", |s| &mut s.stable_lemmas),
    Setting::on("keep-lemmas", "lemmas are kept for later questions", |s| &mut s.keep_lemmas),
    Setting::on("eliminate", "questions leave out what the environment neither reads nor changes", |s| {
        &mut s.eliminate
    }),
    Setting::on("quick", "to make a lemma general no thread below is asked", |s| &mut s.quick),
    Setting::off("inductive", "conditions before a move are tried as properties that moves preserve", |s| {
        &mut s.inductive_properties
    }),
    Setting::on("checker-invariants", "lemmas are read off the checker's invariants", |s| &mut s.checker_invariants),
    Setting::off("exact-projection", "questions are projected exactly where that is quick", |s| {
        &mut s.exact_projection
    }),
    Setting::on("restarts", "long attempts are begun again in another way", |s| &mut s.restarts),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SWITCH;
    use crate::options::usual;

    fn switches() -> impl Iterator<Item = &'static Setting<Comus>> {
        OPTIONS.iter().filter(|setting| setting.about.values == SWITCH)
    }

    #[test]
    fn every_switch_turns_a_field_of_its_own() {
        let mut seen = vec![usual::<Comus>()];
        for setting in switches() {
            let about = setting.about;
            let mut settings = usual::<Comus>();
            setting.read(&mut settings, about.default).unwrap();
            assert_eq!(settings, usual::<Comus>(), "{} is not as the table says", about.name);
            setting.read(&mut settings, if about.default == "on" { "off" } else { "on" }).unwrap();
            assert!(!seen.contains(&settings), "{} turns the field of another", about.name);
            seen.push(settings);
        }
    }

    #[test]
    fn no_switch_is_missing() {
        let mut settings = Comus::default();
        switches().for_each(|setting| setting.read(&mut settings, "on").unwrap());
        assert!(!format!("{settings:?}").contains("false"), "{settings:?}");
    }
}
