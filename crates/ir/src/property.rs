//! What is asked of a program: a property, and the memory model under which it is meant.
//!
//! A [`Property`] is what a user asks for.  A [`Goal`] is what has to be looked for in executions because of it: passes and
//! reductions keep some goals and lose others, and engines look for some and not for others.

use crate::Order;
use std::fmt;

/// A question about a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Spec {
    pub property: Property,
    pub memory: MemoryModel,
}

/// A property, as SV-COMP has them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Property {
    /// No assertion fails, no error function is called.
    #[default]
    UnreachCall,
    NoDataRace,
    NoDeadlock,
    ValidDeref,
    ValidFree,
    ValidMemtrack,
    NoOverflow,
    Termination,
}

impl Property {
    pub const ALL: [Property; 8] = {
        use Property::*;
        [UnreachCall, NoDataRace, NoDeadlock, ValidDeref, ValidFree, ValidMemtrack, NoOverflow, Termination]
    };

    /// The name that SV-COMP has for it.
    pub fn name(self) -> &'static str {
        self.words().0
    }

    /// The name, and the formula of property files without its blanks.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Property::UnreachCall => ("unreach-call", "G!call(reach_error())"),
            Property::NoDataRace => ("no-data-race", "G!data-race"),
            Property::NoDeadlock => ("no-deadlock", "G!deadlock"),
            Property::ValidDeref => ("valid-deref", "Gvalid-deref"),
            Property::ValidFree => ("valid-free", "Gvalid-free"),
            Property::ValidMemtrack => ("valid-memtrack", "Gvalid-memtrack"),
            Property::NoOverflow => ("no-overflow", "G!overflow"),
            Property::Termination => ("termination", "Fend"),
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Property::ALL.into_iter().find(|property| property.name() == name)
    }

    /// The property of a formula in linear temporal logic, written without blanks.
    pub fn from_formula(formula: &str) -> Option<Self> {
        Property::ALL.into_iter().find(|property| property.words().1 == formula)
    }

    /// What to look for in executions.  `None` if it is a matter of checks, and programs have none for it yet: that no check
    /// fails would say nothing about the property.
    pub fn goal(self) -> Option<Goal> {
        match self {
            Property::NoDataRace => Some(Goal::Race),
            Property::NoDeadlock => Some(Goal::Deadlock),
            Property::Termination => Some(Goal::Lasso),
            Property::UnreachCall
            | Property::ValidDeref
            | Property::ValidFree
            | Property::ValidMemtrack
            | Property::NoOverflow => {
                Check::ALL.iter().any(|check| check.property() == self).then_some(Goal::Assertion)
            }
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What is looked for in executions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// A state in which a thread fails an assertion.
    Assertion,
    /// A state in which two threads can touch the same memory next, one of them to write it.
    Race,
    /// A state in which threads wait that nobody will wake.
    Deadlock,
    /// A way to go on for ever.
    Lasso,
}

/// What an assertion is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Check {
    /// The user states that something holds.
    #[default]
    Assertion,
    /// The user calls the error function.
    Error,
}

impl Check {
    pub const ALL: [Check; 2] = [Check::Assertion, Check::Error];

    pub fn name(self) -> &'static str {
        match self {
            Check::Assertion => "assertion",
            Check::Error => "error",
        }
    }

    /// The property that is violated where it fails.
    pub fn property(self) -> Property {
        match self {
            Check::Assertion | Check::Error => Property::UnreachCall,
        }
    }
}

/// How threads see what others write.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum MemoryModel {
    /// There is one memory, and every step sees all steps before it.
    #[default]
    SequentiallyConsistent,
}

impl MemoryModel {
    /// Whether accesses of this order do less under the model than C allows.
    pub fn strengthens(self, order: Order) -> bool {
        match (self, order) {
            (MemoryModel::SequentiallyConsistent, Order::Relaxed | Order::Acquire | Order::Release | Order::AcqRel) => {
                true
            }
            (MemoryModel::SequentiallyConsistent, Order::Plain | Order::SeqCst) => false,
        }
    }
}

impl fmt::Display for MemoryModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MemoryModel::SequentiallyConsistent => f.write_str("sequentially consistent"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_are_found_by_name_and_formula() {
        for property in Property::ALL {
            let (name, formula) = property.words();
            assert_eq!((Property::from_name(name), Property::from_formula(formula)), (Some(property), Some(property)));
        }
    }

    #[test]
    fn a_property_without_checks_has_no_goal() {
        assert_eq!(Property::UnreachCall.goal(), Some(Goal::Assertion));
        assert_eq!(Property::NoDataRace.goal(), Some(Goal::Race));
        assert_eq!(Property::ValidDeref.goal(), None);
    }
}
