//! What clang's syntax tree says: which operators change atomic objects, of what types, in which function.
//!
//! The tree is read line by line as clang prints it.  A line that is not understood makes its function uncertain.

use ir::DataModel;
use rustc_hash::FxHashMap;

/// What is of interest in a tree.
#[derive(Default)]
pub struct Tree<'t> {
    /// By the names of the functions.
    pub bodies: FxHashMap<&'t str, Body<'t>>,
    /// Is there an enumeration whose values are those of `_Bool`?
    pub enums_of_bool: bool,
}

/// The operators of a function that change atomic objects.
pub struct Body<'t> {
    pub updates: Vec<Update<'t>>,
    /// Are these all?
    pub certain: bool,
}

/// An operator that changes an atomic object.
pub struct Update<'t> {
    /// `+=`, `++` and the like.
    pub operator: &'t str,
    /// The type of the object.
    pub value: Kind,
    /// The type in which the new value is computed.
    pub computed: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Bool,
    Int {
        bits: u32,
        signed: bool,
    },
    Float,
    Complex,
    /// A pointer; or the tree does not say: an enumeration, for one.
    Other,
}

pub fn parse(tree: &str, data_model: DataModel) -> Tree<'_> {
    let mut found = Tree::default();
    let mut current = None;
    let mut lines = tree.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(declaration) = line.strip_prefix("|-").or_else(|| line.strip_prefix("`-")) {
            current = declaration.starts_with("FunctionDecl ").then(|| function_name(declaration)).flatten();
            if let Some(name) = current {
                found.bodies.entry(name).or_insert(Body { updates: Vec::new(), certain: true });
            }
        }
        let node = line.trim_start_matches(['|', '`', '-', ' ']);
        let of_bool = || matches!(last_quoted(node), Some("_Bool" | "bool"));
        found.enums_of_bool |= node.starts_with("EnumDecl ") && of_bool();
        let Some(body) = current.and_then(|name| found.bodies.get_mut(name)) else { continue };
        // The tree has no nodes for the bounds of arrays, but prints them within types.
        body.certain &= node.starts_with("StringLiteral ") || !has_effect_in_type(node);
        let kind = |name| kind(name, data_model);
        let update = if node.starts_with("CompoundAssignOperator ") {
            compound(node).map(|(operator, value, computed)| Update {
                operator,
                value: kind(value),
                computed: kind(computed),
            })
        } else if node.starts_with("UnaryOperator ") && (node.contains("fix '++'") || node.contains("fix '--'")) {
            step(node).map(|(operator, value)| Update { operator, value: kind(value), computed: kind(value) })
        } else {
            continue;
        };
        // The first part is the object.
        if lines.peek().is_some_and(|object| object.contains("_Atomic")) {
            match update {
                Some(update) => body.updates.push(update),
                None => body.certain = false,
            }
        }
    }
    found
}

/// `FunctionDecl 0x1 <place> col:6 used f 'void (void)' static`.
fn function_name(line: &str) -> Option<&str> {
    let (before, _) = line.split_once(" '")?;
    before.rsplit(' ').next()
}

/// Is something assigned within a type: `'int[n += 1]'`?
fn has_effect_in_type(node: &str) -> bool {
    let within = node.split_once('[').map_or("", |(_, rest)| rest);
    ["=", "++", "--"].iter().any(|effect| within.rsplit_once(']').is_some_and(|(bounds, _)| bounds.contains(effect)))
}

/// Operator, type of the object and type of the computation in `... 'uc':'unsigned char' '>>=' ComputeLHSTy='int' ...`.
fn compound(node: &str) -> Option<(&str, &str, &str)> {
    let (before, after) = node.rsplit_once(" ComputeLHSTy=")?;
    let (before, operator) = before.strip_suffix('\'')?.rsplit_once(" '")?;
    let (computed, _) = after.split_once(" ComputeResultTy=")?;
    Some((operator, last_quoted(before)?, last_quoted(computed)?))
}

/// Operator and type in `... 'int' postfix '++'`.
fn step(node: &str) -> Option<(&str, &str)> {
    let at = node.rfind("fix '")?;
    let operator = node.get(at + 5..at + 7)?;
    let (before, _) = node.get(..at)?.rsplit_once(' ')?;
    Some((operator, last_quoted(before)?))
}

/// The type without its other names: `'uc':'unsigned char'`.
fn last_quoted(text: &str) -> Option<&str> {
    let text = text.strip_suffix('\'')?;
    Some(text.rsplit_once('\'')?.1)
}

fn kind(name: &str, data_model: DataModel) -> Kind {
    let long = match data_model {
        DataModel::Ilp32 => 32,
        DataModel::Lp64 => 64,
    };
    let (signed, rest) = match name.strip_prefix("unsigned ") {
        Some(rest) => (false, rest),
        None => (true, name),
    };
    let bits = match rest {
        "_Bool" | "bool" => return Kind::Bool,
        "float" | "double" | "long double" | "__float128" | "_Float128" | "_Float16" => return Kind::Float,
        "char" | "signed char" => 8,
        "short" => 16,
        "int" => 32,
        "long" => long,
        "long long" => 64,
        "__int128" => 128,
        _ if rest.starts_with("_Complex ") => return Kind::Complex,
        _ => return Kind::Other,
    };
    Kind::Int { bits, signed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_found_in_their_functions() {
        let tree = "\
TranslationUnitDecl 0x1 <<invalid sloc>> <invalid sloc>
|-EnumDecl 0x56 <col:18, col:36> col:23 c 'B':'_Bool'
|-FunctionDecl 0x2 <a.c:2:1, col:26> col:6 used f 'void (void)' static
| `-CompoundStmt 0x3 <col:14, col:26>
|   |-CompoundAssignOperator 0x4 <col:48, col:56> 'uc':'unsigned char' '>>=' ComputeLHSTy='int' ComputeResultTy='int'
|   | |-ParenExpr 0x5 <col:48, col:50> 'auc':'_Atomic(uc)' lvalue
|   |-CompoundAssignOperator 0x6 <col:48, col:56> 'int' '/=' ComputeLHSTy='int' ComputeResultTy='int'
|   | |-DeclRefExpr 0x7 <col:25> 'int' lvalue Var 0x8 'x' 'int'
|   `-UnaryOperator 0x9 <col:91, col:93> 'long' postfix '--'
|     `-DeclRefExpr 0xa <col:91> 'volatile _Atomic(long)' lvalue Var 0xb 'l' 'volatile _Atomic(long)'
`-FunctionDecl 0xc <line:3:1, col:26> col:6 g 'void (int)'
  `-VarDecl 0xd <col:14, col:26> col:3 v 'int[a += 1]'
";
        let Tree { bodies, enums_of_bool } = parse(tree, DataModel::Ilp32);
        let found: Vec<(&str, Kind, Kind)> =
            bodies["f"].updates.iter().map(|update| (update.operator, update.value, update.computed)).collect();
        let int = |bits, signed| Kind::Int { bits, signed };
        assert_eq!(found, [(">>=", int(8, false), int(32, true)), ("--", int(32, true), int(32, true))]);
        assert!(enums_of_bool);
        assert!(bodies["f"].certain && !bodies["g"].certain);
    }
}
