//! The effects of instructions, gathered line by line.

use super::names::{Object, Objects, Span, Value, View};
use ir::{FuncId, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// Where a value goes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// A variable of the function that is not in memory.
    Local(String),
    Span(Span),
}

/// What an instruction did.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    Set {
        target: Target,
        value: Value,
        was: Option<Value>,
        /// The input the value comes from.
        input: Option<String>,
    },
    Read {
        place: Span,
        value: Value,
    },
    /// A value that the program leaves open.
    Input {
        source: String,
        value: Value,
    },
    Lock(Span),
    Unlock(Span),
    /// An attempt to take a lock that another has.
    Busy(Span),
    /// Something of a library's that is not for the reader to understand.
    Changes(Span),
    Start(usize),
    Join(usize),
    End,
    Call {
        func: FuncId,
        args: Vec<(String, Value)>,
    },
    Allocate {
        object: Object,
        /// The freed one whose place it takes.
        freed: Option<Object>,
    },
    Free(Object),
    AtomicBegin,
    AtomicEnd,
}

/// The effects of one line, in their order.  A line may be a long loop, so places are looked up.
#[derive(Default)]
pub struct Effects {
    /// Those that became superfluous are gone; the last one never is.
    all: Vec<Option<Effect>>,
    /// The numbers of the last read of each place and of the last write to each target.
    reads: FxHashMap<Span, usize>,
    sets: FxHashMap<Target, usize>,
    begins: bool,
    ends: bool,
}

impl Effects {
    /// Adds an effect, which may make others superfluous.
    pub fn add(&mut self, effect: Effect) {
        match effect {
            Effect::Set { target, value, mut was, mut input } => {
                // `x = nondet()` is one thing to the reader.
                if let Some(Effect::Input { source, value: given }) = self.last()
                    && same_number(given, &value)
                {
                    input = Some(source.clone());
                    self.remove(self.all.len() - 1);
                }
                // What was read on this line before it was written is what it was.
                if let Target::Span(place) = &target
                    && let Some(&index) = self.reads.get(place)
                    && matches!(&self.all[index], Some(Effect::Read { value, .. }) if Some(value) == was.as_ref())
                {
                    self.reads.remove(place);
                    self.remove(index);
                }
                // In a loop on one line only the last value counts, beside the first.
                if let Some(index) = self.sets.remove(&target)
                    && let Some(Effect::Set { was: first, .. }) = self.remove(index)
                {
                    was = first.or(was);
                }
                self.sets.insert(target.clone(), self.all.len());
                self.all.push(Some(Effect::Set { target, value, was, input }));
            }
            Effect::Read { place, .. } => {
                if let Some(index) = self.reads.remove(&place) {
                    self.remove(index);
                }
                // Its own write on the same line says it already.
                if !self.sets.contains_key(&Target::Span(place)) {
                    self.reads.insert(place, self.all.len());
                    self.all.push(Some(effect));
                }
            }
            Effect::AtomicBegin if std::mem::replace(&mut self.begins, true) => (),
            Effect::AtomicEnd if std::mem::replace(&mut self.ends, true) => (),
            _ => self.all.push(Some(effect)),
        }
    }

    fn remove(&mut self, index: usize) -> Option<Effect> {
        let removed = self.all[index].take();
        while let Some(None) = self.all.last() {
            self.all.pop();
        }
        removed
    }

    pub fn last(&self) -> Option<&Effect> {
        self.all.last().and_then(Option::as_ref)
    }

    /// What is worth telling.
    pub fn finish(self, objects: &Objects<'_>) -> Vec<Effect> {
        let mut effects = self.all.into_iter().flatten().collect();
        tidy(&mut effects, objects);
        effects
    }
}

/// The same bits, whatever the declared type.
fn same_number(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Int { bits: a, .. }, Value::Int { bits: b, .. }) => a == b,
        (Value::Int { bits, .. }, Value::Null) | (Value::Null, Value::Int { bits, .. }) => *bits == 0,
        _ => a == b,
    }
}

/// Drops what only surrounds a real effect, or leads to it.
fn tidy(effects: &mut Vec<Effect>, objects: &Objects<'_>) {
    effects.retain(|effect| !place_of(effect).is_some_and(|place| objects.is_in_front(place)));
    // A pointer that was read to get somewhere: what happened there says it.
    let touched: FxHashSet<Object> =
        effects.iter().filter_map(|effect| place_of(effect).map(|place| place.object)).collect();
    effects.retain(|effect| match effect {
        Effect::Read { place, value: Value::Pointer { object, .. } } => {
            place.object == *object || !touched.contains(object)
        }
        _ => true,
    });
    let bracket = |effect: &Effect| matches!(effect, Effect::AtomicBegin | Effect::AtomicEnd);
    if effects.iter().any(|effect| !bracket(effect)) || effects.len() > 1 {
        effects.retain(|effect| !bracket(effect));
    }
}

/// The memory an effect is about.
fn place_of(effect: &Effect) -> Option<Span> {
    match effect {
        Effect::Set { target: Target::Span(place), .. }
        | Effect::Read { place, .. }
        | Effect::Lock(place)
        | Effect::Unlock(place)
        | Effect::Busy(place)
        | Effect::Changes(place) => Some(*place),
        _ => None,
    }
}

/// Concerns only the thread itself.
pub fn is_local(effect: &Effect, objects: &Objects<'_>, thread: usize) -> bool {
    match effect {
        Effect::Set { target: Target::Local(_), input: None, .. } | Effect::Call { .. } => true,
        Effect::Set { target: Target::Span(place), input: None, .. } => objects.is_own(place.object, thread),
        _ => false,
    }
}

/// The effect in words.
pub fn show(effect: &Effect, program: &Program, objects: &Objects<'_>, view: View<'_>) -> String {
    let place = |place: &Span| objects.show_place(*place, view);
    let value = |value: &Value| objects.show_value(value, view);
    let thread = |index: &usize| view.threads.get(*index).cloned().unwrap_or_default();
    match effect {
        Effect::Set { target, value: new, was, input } => {
            let name = match target {
                Target::Local(name) => name.clone(),
                Target::Span(target) => place(target),
            };
            match (input, was) {
                (Some(source), _) => format!("{name} = {source} → {}", value(new)),
                (None, Some(old)) => format!("{name} = {} (was {})", value(new), value(old)),
                (None, None) => format!("{name} = {}", value(new)),
            }
        }
        Effect::Read { place: read, value: seen } => format!("{} reads {}", place(read), value(seen)),
        Effect::Input { source, value: given } => format!("{source} → {}", value(given)),
        Effect::Lock(lock) => format!("lock {}", place(lock)),
        Effect::Unlock(lock) => format!("unlock {}", place(lock)),
        Effect::Busy(lock) => format!("{} is taken", place(lock)),
        Effect::Changes(changed) => format!("{} changes", place(changed)),
        Effect::Start(index) => format!("starts {}", thread(index)),
        Effect::Join(index) => format!("joins {}", thread(index)),
        Effect::End => "thread ends".into(),
        Effect::Call { func, args } => {
            let args: Vec<String> = args.iter().map(|(name, arg)| format!("{name} = {}", value(arg))).collect();
            format!("calls {}({})", program.functions[*func].name, args.join(", "))
        }
        Effect::Allocate { object, freed } => {
            let place = match freed {
                Some(freed) => format!(", in the place of {}, which was freed", objects.show_object(*freed, view)),
                None => String::new(),
            };
            format!("allocates {} ({} bytes){place}", objects.show_object(*object, view), objects.size_of(*object))
        }
        Effect::Free(object) => format!("frees {}", objects.show_object(*object, view)),
        Effect::AtomicBegin => "atomic section begins".into(),
        Effect::AtomicEnd => "atomic section ends".into(),
    }
}
