//! The property to check, by name or by a property file as SV-COMP writes them.

use crate::answer::about_file;
use crate::check::Refusal;
use base::Diagnostic;
use ir::Property;
use std::path::Path;

/// What was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    pub name: String,
    /// `None` if it is none of ours, or several at once.
    pub property: Option<Property>,
}

/// What SV-COMP has a name for, but is no property of ours: several at once, or about something else.
const OTHERS: [&str; 3] = [MEMORY, "valid-memcleanup", "coverage-error-call"];
/// Three properties at once.
const MEMORY: &str = "valid-memsafety";

impl From<Property> for Asked {
    fn from(property: Property) -> Self {
        Asked { name: property.name().into(), property: Some(property) }
    }
}

impl Asked {
    fn other(name: &str) -> Self {
        Asked { name: name.into(), property: None }
    }

    /// A name, or the path of a property file.
    pub fn read(text: &str) -> Result<Self, Refusal> {
        if let Some(property) = Property::from_name(text) {
            return Ok(property.into());
        }
        if ["assert", "reach"].contains(&text) {
            return Ok(Property::UnreachCall.into());
        }
        if OTHERS.contains(&text) {
            return Ok(Asked::other(text));
        }
        let path = Path::new(text);
        if !path.exists() && path.extension().is_none() {
            let names: Vec<&str> = Property::ALL.into_iter().map(Property::name).chain(OTHERS).collect();
            let names = names.join(", ");
            return Err(Refusal::Usage(format!(
                "`{text}` is neither a property nor a file; the properties are {names}"
            )));
        }
        let unreadable = |error| about_file(path, format!("the property file cannot be read: {error}"));
        let bytes = std::fs::read(path).map_err(unreadable).map_err(Refusal::Input)?;
        parse(&String::from_utf8_lossy(&bytes), text).map_err(Refusal::Input)
    }
}

/// Reads the lines `CHECK( init(main()), LTL(G ! call(reach_error())) )` of a property file.
fn parse(text: &str, file: &str) -> Result<Asked, Diagnostic> {
    let mut parts: Vec<Asked> = Vec::new();
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
        let part = match init {
            "init(main())" => property_of(formula),
            init => Asked::other(&format!("a start at {init}")),
        };
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    // Several lines are one property with parts.
    let of_memory = |part: &Asked| {
        matches!(part.property, Some(Property::ValidDeref | Property::ValidFree | Property::ValidMemtrack))
    };
    if parts.len() > 1 {
        let memory = parts.iter().all(of_memory);
        let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
        return Ok(Asked::other(if memory { MEMORY.into() } else { names.join(" and ") }.as_str()));
    }
    parts.pop().ok_or_else(|| Diagnostic::error("the property file has no CHECK line").at(file, 0, 0))
}

/// What a formula without blanks asks for.
fn property_of(formula: &str) -> Asked {
    let inner = formula.strip_prefix("LTL(").and_then(|rest| rest.strip_suffix(')'));
    match inner {
        // Older names of the error function.
        Some("G!call(__VERIFIER_error())" | "G!call(__assert_fail())") => Property::UnreachCall.into(),
        Some("Gvalid-memcleanup") => Asked::other("valid-memcleanup"),
        _ => inner.and_then(Property::from_formula).map_or_else(|| Asked::other(formula), Asked::from),
    }
}
