//! How verifiers say what they found.

use std::path::Path;

/// What a verifier said about a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    Violated,
    NotViolated,
    /// Neither; why, on one line.
    Nothing(String),
}

/// What a program left behind.
#[derive(Clone, Debug)]
pub struct Output {
    /// `None` if a signal ended it.
    pub status: Option<i32>,
    pub text: String,
}

/// By what its answers are known.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Signs {
    violated: Option<String>,
    not_violated: Option<String>,
    status_violated: Option<i32>,
    status_not_violated: Option<i32>,
    /// The C it reads best, by the names of `unbraid sequentialize --for`.
    pub flavour: String,
}

const TOOLS: &str = include_str!("tools.tsv");

impl Signs {
    /// The signs of the tool that a command runs.
    pub fn of(command: &str) -> Self {
        let names: Vec<&str> = command.split_whitespace().filter_map(program_name).collect();
        let rows = TOOLS.lines().filter(|line| !line.starts_with('#')).skip(1);
        let mut cells = rows.map(|line| line.split('\t').collect::<Vec<_>>());
        cells
            .find(|cells| cells[0] == "*" || names.contains(&cells[0]))
            .map_or_else(Signs::default, |cells| Signs::row(&cells))
    }

    fn row(cells: &[&str]) -> Self {
        let cell = |index: usize| cells.get(index).copied().filter(|cell| *cell != "-");
        let status = |index: usize| cell(index).and_then(|cell| cell.parse().ok());
        Signs {
            violated: cell(1).map(String::from),
            not_violated: cell(2).map(String::from),
            status_violated: status(3),
            status_not_violated: status(4),
            flavour: cell(5).unwrap_or("svcomp").into(),
        }
    }

    /// With other texts.  Who gives a text means it: the exit status says nothing then.
    pub fn with_texts(self, violated: Option<&str>, not_violated: Option<&str>) -> Self {
        if violated.is_none() && not_violated.is_none() {
            return self;
        }
        let text = |given: Option<&str>, known: Option<String>| given.map(String::from).or(known);
        Signs {
            violated: text(violated, self.violated),
            not_violated: text(not_violated, self.not_violated),
            status_violated: None,
            status_not_violated: None,
            flavour: self.flavour,
        }
    }

    pub fn read(&self, output: &Output) -> Said {
        let has = |text: &Option<String>| text.as_ref().is_some_and(|text| output.text.contains(text.as_str()));
        match (has(&self.violated), has(&self.not_violated)) {
            (true, false) => return Said::Violated,
            (false, true) => return Said::NotViolated,
            (true, true) => {
                return Said::Nothing("it says both that there is a violation and that there is none".into());
            }
            (false, false) => (),
        }
        let Some(status) = output.status else { return Said::Nothing("it was ended by a signal".into()) };
        if self.status_violated == Some(status) {
            Said::Violated
        } else if self.status_not_violated == Some(status) {
            Said::NotViolated
        } else {
            let last = output.text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("nothing was printed");
            Said::Nothing(format!("exit status {status}: {}", last.trim()))
        }
    }
}

/// The name of a program without its folder and ending.
fn program_name(word: &str) -> Option<&str> {
    Path::new(word).file_stem()?.to_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(command: &str, status: i32, text: &str) -> Said {
        Signs::of(command).read(&Output { status: Some(status), text: text.into() })
    }

    #[test]
    fn known_tools() {
        assert_eq!(said("cbmc {file}", 10, "...\nVERIFICATION FAILED\n"), Said::Violated);
        assert_eq!(
            said("timeout 60 /opt/cbmc-6/bin/cbmc --unwind 1 {file}", 0, "VERIFICATION SUCCESSFUL"),
            Said::NotViolated
        );
        assert_eq!(said("cbmc {file}", 10, ""), Said::Violated);
        assert_eq!(said("cbmc {file}", 6, "PARSING ERROR\n"), Said::Nothing("exit status 6: PARSING ERROR".into()));
        assert_eq!(said("esbmc {file}", 1, "VERIFICATION FAILED"), Said::Violated);
        assert_eq!(said("esbmc {file}", 0, "usage: ..."), Said::Nothing("exit status 0: usage: ...".into()));
        assert_eq!(Signs::of("cbmc {file}").flavour, "cbmc");
        assert_eq!(Signs::of("mine {file}").with_texts(Some("x"), None).flavour, "svcomp");
        let cpa = "scripts/cpa.sh -svcomp24 {file}";
        assert_eq!(said(cpa, 0, "Verification result: FALSE. Property violation found"), Said::Violated);
        assert_eq!(said(cpa, 0, "Verification result: TRUE. No property violation"), Said::NotViolated);
        assert!(matches!(said(cpa, 0, "Verification result: UNKNOWN, incomplete analysis."), Said::Nothing(_)));
    }

    #[test]
    fn other_tools_speak_by_their_exit_status() {
        assert_eq!(said("mine {file}", 10, "VERIFICATION SUCCESSFUL"), Said::Violated);
        assert_eq!(said("mine {file}", 0, ""), Said::NotViolated);
        assert_eq!(said("mine {file}", 3, ""), Said::Nothing("exit status 3: nothing was printed".into()));
    }

    #[test]
    fn texts_of_the_user_win() {
        let signs = Signs::of("mine {file}").with_texts(Some("BUG"), None);
        let read = |status, text: &str| signs.read(&Output { status: Some(status), text: text.into() });
        assert_eq!(read(0, "a BUG"), Said::Violated);
        assert!(matches!(read(0, "nothing"), Said::Nothing(_)));
        assert!(matches!(read(10, "nothing"), Said::Nothing(_)));
        let signs = Signs::of("cbmc {file}").with_texts(None, Some("FAILED"));
        let output = Output { status: Some(0), text: "VERIFICATION FAILED".into() };
        assert!(matches!(signs.read(&output), Said::Nothing(why) if why.contains("both")));
    }
}
