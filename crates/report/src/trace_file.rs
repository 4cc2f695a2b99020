//! Traces as files: a JSON object that says of which program the trace is and how to run it.

use crate::story::{Position, Story};
use claim::Trace;
use serde::{Deserialize, Serialize};

/// Raised when a file of the old kind could be misunderstood.
const VERSION: u32 = 2;
const FORMAT: &str = "unbraid-trace";

/// What the file holds.  The steps in words are written for people and not read back.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TraceFile {
    format: String,
    version: u32,
    pub tool: String,
    pub program: ProgramId,
    pub property: String,
    pub violation: Position,
    #[serde(flatten)]
    pub trace: Trace,
}

/// Which program the trace is of: the files and the options that shape it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ProgramId {
    pub files: Vec<String>,
    /// ILP32 or LP64.
    pub data_model: String,
    /// Options of the C compiler.
    pub cc_args: Vec<String>,
    /// What functions without a body do.
    #[serde(rename = "extern")]
    pub externs: String,
    /// Functions, beyond the usual ones, whose being called is a violation.
    #[serde(default)]
    pub error_functions: Vec<String>,
}

impl TraceFile {
    pub fn new(tool: &str, program: ProgramId, property: &str, violation: Position, trace: Trace) -> Self {
        TraceFile {
            format: FORMAT.into(),
            version: VERSION,
            tool: tool.into(),
            program,
            property: property.into(),
            violation,
            trace,
        }
    }

    /// The text of the file, with the story for people.
    pub fn print(&self, story: &Story) -> String {
        let mut value = serde_json::to_value(self).unwrap_or_default();
        if let Some(object) = value.as_object_mut() {
            object.insert("threads".into(), story.threads.clone().into());
            object.insert("steps".into(), crate::json::steps(story));
        }
        format!("{value:#}\n")
    }

    pub fn parse(text: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Head {
            format: String,
            version: u32,
        }
        let head: Head = serde_json::from_str(text).map_err(|error| format!("not a trace: {error}"))?;
        if head.format != FORMAT {
            return Err(format!("not a trace: its format is `{}`", head.format));
        }
        if head.version != VERSION {
            return Err(format!("version {} of the trace format; this Unbraid reads version {VERSION}", head.version));
        }
        serde_json::from_str(text).map_err(|error| format!("not a trace: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::story::End;

    #[test]
    fn files_can_be_read_back() {
        let mut trace = Trace::default();
        trace.push(0);
        trace.push(1);
        trace.inputs.push(u128::MAX);
        let program = ProgramId { files: vec!["a.c".into()], data_model: "LP64".into(), ..ProgramId::default() };
        let file = TraceFile::new("unbraid 0.1.0", program, "unreach-call", Position::default(), trace);
        let story = Story { threads: vec!["main".into()], items: Vec::new(), end: End::Diverged(String::new()) };
        assert_eq!(TraceFile::parse(&file.print(&story)), Ok(file.clone()));
        let newer = file.print(&story).replace("\"version\": 2", "\"version\": 3");
        assert!(TraceFile::parse(&newer).unwrap_err().starts_with("version 3"));
        assert!(TraceFile::parse("{}").is_err());
        assert!(TraceFile::parse("\u{0}").is_err());
    }
}
