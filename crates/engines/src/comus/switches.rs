//! The switches by name, one line for each.  Whoever adds one adds it here; the command line and the tables that measure what
//! each is worth read this table.

use super::Settings;

/// A way to run that can be switched on and off.
pub struct Switch {
    pub name: &'static str,
    /// What it does, in a few words.
    pub what: &'static str,
    pub field: fn(&mut Settings) -> &mut bool,
}

pub const SWITCHES: &[Switch] = &[
    Switch { name: "ranges", what: "ranges of the variables are the first lemmas", field: |s| &mut s.ranges },
    Switch { name: "generalise", what: "lemmas are made general", field: |s| &mut s.generalise },
    Switch { name: "maximise", what: "bounds in lemmas are made tight", field: |s| &mut s.maximise },
    Switch {
        name: "invariants-first",
        what: "lemmas are first tried without the state before the move",
        field: |s| &mut s.invariants_first,
    },
    Switch {
        name: "reuse-paths",
        what: "a failing path is used again up to a promise made on it",
        field: |s| &mut s.reuse_paths,
    },
    Switch {
        name: "stable-lemmas",
        what: "lemmas that moves preserve also hold before the start",
        field: |s| &mut s.stable_lemmas,
    },
    Switch { name: "keep-lemmas", what: "lemmas are kept for later questions", field: |s| &mut s.keep_lemmas },
    Switch {
        name: "eliminate",
        what: "questions leave out what the environment neither reads nor changes",
        field: |s| &mut s.eliminate,
    },
    Switch { name: "quick", what: "to make a lemma general no thread below is asked", field: |s| &mut s.quick },
    Switch {
        name: "inductive",
        what: "conditions before a move are tried as properties that moves preserve",
        field: |s| &mut s.inductive_properties,
    },
    Switch {
        name: "checker-invariants",
        what: "lemmas are read off the checker's invariants",
        field: |s| &mut s.checker_invariants,
    },
    Switch {
        name: "exact-projection",
        what: "questions are projected exactly where that is quick",
        field: |s| &mut s.exact_projection,
    },
    Switch { name: "restarts", what: "long attempts are begun again in another way", field: |s| &mut s.restarts },
];

impl Settings {
    /// Carries out words such as `ranges=off`, or `no-ranges` for short, separated by commas.
    pub fn switch(&mut self, words: &str) -> Result<(), String> {
        for word in words.split(',') {
            let (name, on) = match (word.split_once('='), word.strip_prefix("no-")) {
                (Some((name, "on")), _) => (name, true),
                (Some((name, "off")), _) | (None, Some(name)) => (name, false),
                (None, None) => (word, true),
                (Some((_, other)), _) => return Err(format!("`{other}` in `{word}` is neither on nor off")),
            };
            let switch = SWITCHES.iter().find(|switch| switch.name == name);
            let switch = switch.ok_or_else(|| {
                let names: Vec<&str> = SWITCHES.iter().map(|switch| switch.name).collect();
                format!("`{name}` is not a switch of comus; there are {}", names.join(", "))
            })?;
            *(switch.field)(self) = on;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_switch_turns_a_field_of_its_own() {
        let mut seen = vec![Settings::default()];
        for switch in SWITCHES {
            let mut settings = Settings::default();
            let field = (switch.field)(&mut settings);
            *field = !*field;
            assert!(!seen.contains(&settings), "{} turns the field of another", switch.name);
            seen.push(settings);
        }
    }

    #[test]
    fn no_switch_is_missing() {
        let mut settings = Settings::default();
        SWITCHES.iter().for_each(|switch| *(switch.field)(&mut settings) = false);
        // A field more does not compile.
        let Settings {
            ints: _,
            order: _,
            checker: _,
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

    #[test]
    fn switches_are_read() {
        let mut settings = Settings::default();
        settings.switch("no-ranges,inductive,quick=off").unwrap();
        let expected = Settings { ranges: false, inductive_properties: true, quick: false, ..Settings::default() };
        assert_eq!(settings, expected);
        settings.switch("ranges=on,no-inductive,quick").unwrap();
        assert_eq!(settings, Settings::default());
        assert_eq!(settings.switch("quick=maybe").unwrap_err(), "`maybe` in `quick=maybe` is neither on nor off");
        assert!(
            settings
                .switch("no-colour")
                .unwrap_err()
                .starts_with("`colour` is not a switch of comus; there are ranges, ")
        );
        assert!(settings.switch("").is_err());
    }
}
