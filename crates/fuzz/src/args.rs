//! The command line: `--name value` pairs after a subcommand.  A tool of the developers needs no more.

use std::collections::BTreeMap;

/// The options of a subcommand.
#[derive(Clone, Debug, Default)]
pub struct Args {
    given: BTreeMap<String, String>,
}

impl Args {
    /// Reads `--name value` and `--name`, all of which must be known.
    pub fn read(args: &[String], known: &[&str]) -> Result<Args, String> {
        let mut given = BTreeMap::new();
        let mut rest = args.iter().peekable();
        while let Some(arg) = rest.next() {
            let name = arg.strip_prefix("--").filter(|name| known.contains(name));
            let Some(name) = name else { return Err(format!("{arg} is not among {known:?}")) };
            let value = rest.next_if(|next| !next.starts_with("--")).cloned().unwrap_or_default();
            given.insert(name.to_string(), value);
        }
        Ok(Args { given })
    }

    pub fn has(&self, name: &str) -> bool {
        self.given.contains_key(name)
    }

    pub fn text(&self, name: &str, default: &str) -> String {
        self.given.get(name).cloned().unwrap_or_else(|| default.to_string())
    }

    pub fn number(&self, name: &str, default: u64) -> Result<u64, String> {
        match self.given.get(name) {
            None => Ok(default),
            Some(text) => text.parse().map_err(|_| format!("--{name} {text}: not a number")),
        }
    }
}
