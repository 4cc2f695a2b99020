//! The property to check, by name or by a property file as SV-COMP writes them.

use base::Diagnostic;
use std::path::Path;

/// A property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Property {
    /// No assertion fails, no error function is called.
    UnreachCall,
    /// One that we know the name of, or were given in a file, but cannot check.
    Unsupported(String),
}

/// The properties of SV-COMP that have a name but no engine yet.
const KNOWN: [&str; 7] = [
    "no-data-race",
    "no-deadlock",
    "no-overflow",
    "termination",
    "valid-memsafety",
    "valid-memcleanup",
    "coverage-error-call",
];

/// Why there is no property.
pub enum Fault {
    /// It is neither a name nor a file.
    Usage(String),
    Input(Diagnostic),
}

impl Property {
    pub fn name(&self) -> &str {
        match self {
            Property::UnreachCall => "unreach-call",
            Property::Unsupported(name) => name,
        }
    }

    /// A name, or the path of a property file.
    pub fn read(text: &str) -> Result<Self, Fault> {
        if ["unreach-call", "assert", "reach"].contains(&text) {
            return Ok(Property::UnreachCall);
        }
        if KNOWN.contains(&text) {
            return Ok(Property::Unsupported(text.into()));
        }
        let path = Path::new(text);
        if !path.exists() && path.extension().is_none() {
            return Err(Fault::Usage(format!(
                "`{text}` is neither a property nor a file; the properties are unreach-call, {}",
                KNOWN.join(", ")
            )));
        }
        let bytes = std::fs::read(path).map_err(|error| {
            Fault::Input(Diagnostic::error(format!("the property file cannot be read: {error}")).at(text, 0, 0))
        })?;
        parse(&String::from_utf8_lossy(&bytes), text).map_err(Fault::Input)
    }
}

/// Reads the lines `CHECK( init(main()), LTL(G ! call(reach_error())) )` of a property file.
fn parse(text: &str, file: &str) -> Result<Property, Diagnostic> {
    let mut found: Option<Property> = None;
    for (index, line) in text.lines().enumerate() {
        let line: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let inner = line.strip_prefix("CHECK(").and_then(|rest| rest.strip_suffix(')'));
        let Some((init, formula)) = inner.and_then(|inner| inner.split_once(',')) else {
            let message = "expected `CHECK( init(main()), LTL(...) )`";
            return Err(Diagnostic::error(message).at(file, index as u32 + 1, 1));
        };
        let property = match (init, formula) {
            (
                "init(main())",
                "LTL(G!call(reach_error()))" | "LTL(G!call(__VERIFIER_error()))" | "LTL(G!call(__assert_fail()))",
            ) => Property::UnreachCall,
            ("init(main())", formula) => Property::Unsupported(name_of(formula).unwrap_or(formula).into()),
            (init, _) => Property::Unsupported(format!("a start at {init}")),
        };
        // Several lines are one property with parts; all of them together are supported only if each is.
        found = match found {
            Some(Property::Unsupported(first)) => Some(Property::Unsupported(first)),
            _ => Some(property),
        };
    }
    found.ok_or_else(|| Diagnostic::error("the property file has no CHECK line").at(file, 0, 0))
}

/// SV-COMP's name for a formula.
fn name_of(formula: &str) -> Option<&'static str> {
    Some(match formula {
        "LTL(G!data-race)" => "no-data-race",
        "LTL(G!deadlock)" => "no-deadlock",
        "LTL(G!overflow)" => "no-overflow",
        "LTL(Fend)" => "termination",
        "LTL(Gvalid-free)" | "LTL(Gvalid-deref)" | "LTL(Gvalid-memtrack)" => "valid-memsafety",
        "LTL(Gvalid-memcleanup)" => "valid-memcleanup",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn property_files_of_sv_comp() {
        let parse = |text| parse(text, "p.prp").map(|property| property.name().to_string());
        assert_eq!(parse("CHECK( init(main()), LTL(G ! call(reach_error())) )\n").unwrap(), "unreach-call");
        assert_eq!(parse("CHECK( init(main()), LTL(G ! data-race) )").unwrap(), "no-data-race");
        let memory = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n";
        assert_eq!(parse(memory).unwrap(), "valid-memsafety");
        assert_eq!(parse("CHECK( init(f()), LTL(F end) )").unwrap(), "a start at init(f())");
        assert_eq!(
            parse("\nhello\n").unwrap_err().to_string(),
            "p.prp:2:1: error: expected `CHECK( init(main()), LTL(...) )`"
        );
        assert!(parse("").is_err());
    }
}
