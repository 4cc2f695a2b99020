//! What memory is called: `q.tail`, `buf[2].len`, `node#1.next`, `main:x`.

use ir::interp::{Code, Location, Machine, ObjectInfo};
use ir::{AllocKind, Field, FuncId, InitValue, Layout, ObjectId, Program, Ty, eval, signed};
use rustc_hash::{FxHashMap, FxHashSet};

/// An object that existed during the execution.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Object {
    Static(ObjectId),
    ThreadLocal(ObjectId),
    /// One made at run time: index into [`Objects`].  Addresses are used again, these numbers are not.
    Made(usize),
}

/// Some bytes of an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Span {
    pub object: Object,
    pub offset: u64,
    pub size: u64,
}

/// A value with what is needed to show it.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    Int { bits: u128, width: u32, unsigned: bool },
    Float { bits: u128, ty: Ty },
    Null,
    Pointer { object: Object, offset: u64, ended: bool, pointee: Option<Layout> },
    Function(FuncId),
    Address(u64),
}

/// An object made at run time.
pub struct Made {
    pub kind: AllocKind,
    pub name: String,
    pub layout: Option<Layout>,
    /// Where the user's part begins, once a pointer to it has been seen: an allocator may keep something in front.
    pub base: Option<u64>,
    /// Who made it, and in which function.
    pub thread: usize,
    pub func: FuncId,
    pub size: u64,
    pub ended: bool,
    /// Offsets that have been written: the others had no value to speak of.
    pub written: FxHashSet<u64>,
}

/// All objects made at run time.
pub struct Objects<'p> {
    code: &'p Code<'p>,
    program: &'p Program,
    made: Vec<Made>,
    /// What an address name stands for at present.
    current: FxHashMap<u32, usize>,
}

/// Who is looking: names depend on it.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub thread: usize,
    pub func: FuncId,
    /// Names of the threads.
    pub threads: &'a [String],
    /// Name of each object made at run time.
    pub made: &'a [String],
}

impl<'p> Objects<'p> {
    pub fn new(code: &'p Code<'p>) -> Self {
        Objects { code, program: code.program, made: Vec::new(), current: FxHashMap::default() }
    }

    /// A new object at `address`.
    pub fn make(&mut self, address: u64, made: Made) -> Option<Object> {
        let index = self.code.space.dynamic_index(address)?;
        self.made.push(made);
        self.current.insert(index, self.made.len() - 1);
        Some(Object::Made(self.made.len() - 1))
    }

    pub fn end(&mut self, object: Object) {
        if let Object::Made(index) = object {
            self.made[index].ended = true;
        }
    }

    /// What is known of an object that was made at run time.
    fn made(&self, object: Object) -> Option<&Made> {
        match object {
            Object::Made(index) => Some(&self.made[index]),
            Object::Static(_) | Object::ThreadLocal(_) => None,
        }
    }

    /// The object of the program, if it is one.
    fn declared(&self, object: Object) -> Option<&'p ir::Object> {
        match object {
            Object::Static(id) | Object::ThreadLocal(id) => Some(&self.program.objects[id]),
            Object::Made(_) => None,
        }
    }

    /// The place an access goes to.
    pub fn place(&self, machine: &Machine<'_>, address: u64, size: u64) -> Option<(Span, Location)> {
        let location = machine.locate(address, size).ok()?;
        let (info, offset) = machine.object_at(location)?;
        let object = match (info, location) {
            (ObjectInfo::Static(object), _) => Object::Static(object),
            (ObjectInfo::ThreadLocal(object), _) => Object::ThreadLocal(object),
            (ObjectInfo::Allocated(_), Location::Dynamic { index, .. }) => Object::Made(*self.current.get(&index)?),
            (ObjectInfo::Allocated(_), Location::Static { .. }) => return None,
        };
        let place = self.widen(Span { object, offset, size });
        let location = machine.locate(address - (offset - place.offset), place.size).ok()?;
        Some((place, location))
    }

    /// The object a pointer points to, and where into it.
    pub fn target(&self, address: u64) -> Option<(Object, u64)> {
        match self.code.space.locate(address, 0).ok()? {
            Location::Static { object, offset, .. } => Some((Object::Static(object), offset)),
            Location::Dynamic { index, offset } => Some((Object::Made(*self.current.get(&index)?), offset)),
        }
    }

    /// Notes that a place has a value from now on; tells whether it had one before.
    pub fn write(&mut self, place: Span) -> bool {
        match place.object {
            Object::Made(index) => !self.made[index].written.insert(place.offset),
            Object::Static(_) | Object::ThreadLocal(_) => true,
        }
    }

    /// Is this the model's own, or a literal: nothing the user has a name for?
    pub fn is_internal(&self, object: Object) -> bool {
        self.declared(object).is_some_and(|object| object.internal)
    }

    pub fn is_constant(&self, object: Object) -> bool {
        matches!(object, Object::Static(id) if self.program.objects[id].constant)
    }

    /// Inside something that a library keeps to itself, such as a mutex.
    pub fn is_private(&self, place: Span) -> bool {
        self.is_in_front(place) || self.walk(place).is_some_and(|walk| walk.private)
    }

    /// In front of what the user sees of an object.
    pub fn is_in_front(&self, place: Span) -> bool {
        self.user_offset(place.object, place.offset).is_none()
    }

    /// The size of an object made at run time, as far as the user sees it.
    pub fn size_of(&self, object: Object) -> u64 {
        let made = self.made(object).map_or(0, |made| made.size.saturating_sub(made.base.unwrap_or(0)));
        self.declared(object).map_or(made, |object| object.size)
    }

    /// The way to a place by the user's names.
    fn walk(&self, place: Span) -> Option<Walk<'_>> {
        self.walk_to(place.object, place.offset, Aim::Access(place.size))
    }

    fn walk_to(&self, object: Object, offset: u64, aim: Aim<'_>) -> Option<Walk<'_>> {
        Some(descend(self.program, self.layout(object)?, self.user_offset(object, offset)?, aim))
    }

    /// On the stack of this thread: nobody else's business, as far as can be seen.
    pub fn is_own(&self, object: Object, thread: usize) -> bool {
        let own = |made: &Made| made.kind == AllocKind::Stack && made.thread == thread;
        self.made(object).map_or(matches!(object, Object::ThreadLocal(_)), own)
    }

    /// The offset as the user counts it; `None` in front of the user's part.
    fn user_offset(&self, object: Object, offset: u64) -> Option<u64> {
        offset.checked_sub(self.made(object).and_then(|made| made.base).unwrap_or(0))
    }

    /// The whole number or pointer that a smaller access is part of: copies go byte by byte, readers do not.
    fn widen(&self, place: Span) -> Span {
        match self.walk(place) {
            Some(Walk { inside: Some(size), rest, .. }) => Span { offset: place.offset - rest, size, ..place },
            _ => place,
        }
    }

    fn layout(&self, object: Object) -> Option<&Layout> {
        match self.made(object) {
            Some(made) => made.layout.as_ref(),
            None => self.declared(object).map(|object| &object.layout),
        }
    }

    /// The value at a place, as the place is declared.
    pub fn value_at(&mut self, place: Span, bits: u128, ty: Ty) -> Value {
        let leaf = self.walk(place).and_then(|walk| walk.leaf.cloned());
        self.value(bits, ty, leaf.as_ref())
    }

    /// A value of a register or a place, by its declaration.
    pub fn value(&mut self, bits: u128, ty: Ty, layout: Option<&Layout>) -> Value {
        let layout = layout.map(|layout| layout.resolve(self.program).clone());
        let width = self.program.bits_of(ty);
        match (layout, ty) {
            (Some(Layout::Pointer(pointee)), _) if width == u32::from(self.program.data_model.pointer_bits()) => {
                self.pointer(bits as u64, pointee.as_deref())
            }
            (_, Ty::Ptr) => self.pointer(bits as u64, None),
            (_, Ty::F32 | Ty::F64 | Ty::F80 | Ty::F128) => Value::Float { bits, ty },
            (Some(Layout::Scalar { ty: declared, .. }), _) if declared.is_float() => {
                Value::Float { bits, ty: declared }
            }
            (Some(Layout::Scalar { unsigned, .. }), Ty::Int(_)) => Value::Int { bits, width, unsigned },
            (_, Ty::Int(_)) => Value::Int { bits, width, unsigned: false },
        }
    }

    fn pointer(&mut self, address: u64, pointee: Option<&Layout>) -> Value {
        if address == 0 {
            return Value::Null;
        }
        if let Some(func) = self.code.space.function_at(address) {
            return Value::Function(func);
        }
        let Some((object, offset)) = self.target(address) else { return Value::Address(address) };
        let mut ended = false;
        if let Object::Made(index) = object {
            let made = &mut self.made[index];
            ended = made.ended;
            let base = *made.base.get_or_insert(offset);
            // What `malloc` returns is known to be a `struct node` once it is put where one is expected.
            if let (None, Some(pointee)) = (&made.layout, pointee)
                && offset == base
            {
                let size = pointee.size(self.program);
                if size != 0 && !matches!(pointee.resolve(self.program), Layout::Bytes(_)) {
                    let count = (made.size - base.min(made.size)) / size;
                    made.layout = match count {
                        0 => None,
                        1 => Some(pointee.clone()),
                        _ => Some(Layout::Array { element: Box::new(pointee.clone()), count }),
                    };
                }
            }
        }
        Value::Pointer { object, offset, ended, pointee: pointee.cloned() }
    }

    /// Names for the objects made at run time, now that all are known.
    pub fn names(&self) -> Vec<String> {
        let mut counts: FxHashMap<String, usize> = FxHashMap::default();
        let mut number = |base: String| {
            let count = counts.entry(base.clone()).or_default();
            *count += 1;
            match (base.contains('@'), *count) {
                // Named after the place that made it: a number is needed from the second on.
                (true, 1) => base,
                (_, count) => format!("{base}#{count}"),
            }
        };
        self.made
            .iter()
            .map(|made| match made.kind {
                AllocKind::Stack if !made.name.is_empty() => made.name.clone(),
                AllocKind::Stack => number("local".into()),
                AllocKind::Heap => number(self.kind_of(made)),
            })
            .collect()
    }

    /// What a heap object is a piece of.
    fn kind_of(&self, made: &Made) -> String {
        let mut layout = made.layout.as_ref();
        while let Some(Layout::Array { element, .. }) = layout {
            layout = Some(element);
        }
        match layout {
            Some(Layout::Named(id)) if self.program.layouts.get(*id).is_some() => {
                let name = &self.program.layouts[*id].name;
                name.rsplit(' ').next().unwrap_or(name).to_string()
            }
            _ if !made.name.is_empty() => made.name.clone(),
            _ => "heap".into(),
        }
    }

    pub fn show_object(&self, object: Object, view: View<'_>) -> String {
        match object {
            Object::Static(id) | Object::ThreadLocal(id) => self.program.objects[id].name.clone(),
            Object::Made(index) => {
                let (made, name) = (&self.made[index], &view.made[index]);
                match made.kind {
                    AllocKind::Stack if made.thread != view.thread => format!("{}:{name}", view.threads[made.thread]),
                    AllocKind::Stack if made.func != view.func => {
                        format!("{}:{name}", self.program.functions[made.func].name)
                    }
                    AllocKind::Stack | AllocKind::Heap => name.clone(),
                }
            }
        }
    }

    /// The name of a place.
    pub fn show_place(&self, place: Span, view: View<'_>) -> String {
        self.show_path(place.object, place.offset, Aim::Access(place.size), view)
    }

    fn show_path(&self, object: Object, offset: u64, aim: Aim<'_>, view: View<'_>) -> String {
        let name = self.show_object(object, view);
        match (self.walk_to(object, offset, aim), self.user_offset(object, offset)) {
            (Some(walk), _) => with_path(name, &walk),
            (None, Some(offset)) if offset != 0 => format!("{name}+{offset}"),
            (None, _) => name,
        }
    }

    pub fn show_value(&self, value: &Value, view: View<'_>) -> String {
        match value {
            Value::Int { bits, width: 1, .. } => (*bits != 0).to_string(),
            Value::Int { bits, width, unsigned } => {
                let number = if *unsigned { bits.to_string() } else { signed(*bits, *width).to_string() };
                match u8::try_from(*bits) {
                    Ok(byte) if *width == 8 && !unsigned && (byte.is_ascii_graphic() || byte == b' ') => {
                        format!("{number} '{}'", byte as char)
                    }
                    _ => number,
                }
            }
            Value::Float { bits, ty } => format!("{:?}", eval::to_double(*ty, *bits)),
            Value::Null => "NULL".into(),
            Value::Function(func) => self.program.functions[*func].name.clone(),
            Value::Address(address) => format!("{address:#x}"),
            Value::Pointer { object, offset, ended, pointee } => {
                if let Some(text) = self.literal(*object, *offset) {
                    return text;
                }
                let path = self.show_path(*object, *offset, Aim::Pointee(pointee.as_ref()), view);
                format!("&{path}{}", if *ended { " (freed)" } else { "" })
            }
        }
    }

    /// A pointer to a string literal is shown as the string.
    fn literal(&self, object: Object, offset: u64) -> Option<String> {
        let Object::Static(id) = object else { return None };
        let object = &self.program.objects[id];
        let [init] = object.init.as_slice() else { return None };
        let InitValue::Bytes(bytes) = &init.value else { return None };
        if !object.internal || !object.constant || init.offset != 0 {
            return None;
        }
        let text = bytes.get(usize::try_from(offset).ok()?..)?;
        let text = text.split(|byte| *byte == 0).next()?;
        let shown: String = String::from_utf8_lossy(text).chars().take(24).collect();
        Some(format!("{shown:?}"))
    }
}

/// What a walk through a layout looks for.
#[derive(Clone, Copy)]
enum Aim<'a> {
    /// Something of this many bytes.
    Access(u64),
    /// Something that a pointer of this kind would point to.
    Pointee(Option<&'a Layout>),
}

/// A path into an object.
struct Walk<'a> {
    path: String,
    /// What is there, if it is exactly what was looked for.
    leaf: Option<&'a Layout>,
    /// Bytes further on that no name covers.
    rest: u64,
    /// It leads into what a library keeps to itself.
    private: bool,
    /// The access is a part of a number or pointer of this size.
    inside: Option<u64>,
}

fn with_path(name: String, walk: &Walk<'_>) -> String {
    let rest = if walk.rest == 0 { String::new() } else { format!("+{}", walk.rest) };
    format!("{name}{}{rest}", walk.path)
}

/// Finds names for the bytes at `offset`.
fn descend<'a>(program: &'a Program, layout: &'a Layout, offset: u64, aim: Aim<'_>) -> Walk<'a> {
    let mut walk = Walk { path: String::new(), leaf: None, rest: offset, private: false, inside: None };
    let mut layout = layout;
    // Layouts that contain themselves by value are refused elsewhere; a limit costs nothing.
    for _ in 0..64 {
        let named = layout;
        layout = layout.resolve(program);
        match layout {
            Layout::Scalar { .. } | Layout::Pointer(_) => {
                let size = layout.size(program);
                let fits = !matches!(aim, Aim::Access(wanted) if wanted != size);
                walk.leaf = (walk.rest == 0 && fits).then_some(layout);
                walk.inside =
                    matches!(aim, Aim::Access(part) if part < size && walk.rest + part <= size).then_some(size);
                return walk;
            }
            Layout::Bytes(_) | Layout::Named(_) => return walk,
            Layout::Array { element, count } => {
                let stride = element.size(program);
                if stride == 0 || arrives(program, named, walk.rest, aim) || too_small(program, element, aim) {
                    return walk;
                }
                let index = walk.rest / stride;
                if index >= *count {
                    return walk;
                }
                walk.path += &format!("[{index}]");
                walk.rest %= stride;
                layout = element;
            }
            Layout::Struct { fields, .. } | Layout::Union { fields, .. } => {
                if arrives(program, named, walk.rest, aim) {
                    return walk;
                }
                let Some(field) = choose(program, fields, walk.rest, aim) else { return walk };
                // The inside of a mutex is the library's affair.
                if field.name.starts_with("__") {
                    walk.rest = 0;
                    walk.private = true;
                    return walk;
                }
                if !field.name.is_empty() {
                    walk.path += &format!(".{}", field.name);
                }
                walk.rest -= field.offset;
                layout = &field.layout;
            }
        }
    }
    walk
}

/// Is a compound what a pointer points to as a whole?
fn arrives(program: &Program, layout: &Layout, rest: u64, aim: Aim<'_>) -> bool {
    match aim {
        Aim::Access(_) => false,
        Aim::Pointee(None) => rest == 0,
        Aim::Pointee(Some(wanted)) => {
            rest == 0 && (layout == wanted || layout.size(program) <= wanted.size(program) || wanted.size(program) == 0)
        }
    }
}

fn too_small(program: &Program, element: &Layout, aim: Aim<'_>) -> bool {
    matches!(aim, Aim::Access(size) if size > element.size(program))
}

/// The field to go into: one that covers the bytes, in a union rather one whose size fits.
fn choose<'a>(program: &Program, fields: &'a [Field], rest: u64, aim: Aim<'_>) -> Option<&'a Field> {
    let covers = |field: &&Field| {
        let size = field.layout.size(program);
        let wanted = match aim {
            Aim::Access(wanted) => wanted,
            Aim::Pointee(_) => 1,
        };
        field.offset <= rest && rest + wanted <= field.offset + size
    };
    let exact = |field: &&Field| match aim {
        Aim::Access(wanted) => field.offset == rest && field.layout.size(program) == wanted,
        Aim::Pointee(wanted) => wanted.is_some_and(|wanted| field.offset == rest && field.layout == *wanted),
    };
    fields.iter().find(exact).or_else(|| fields.iter().find(covers))
}
