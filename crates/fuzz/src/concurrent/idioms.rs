//! Shapes of concurrent programs that people write.  They are in `idioms.txt`, which also says how they are written.

use super::generate::*;
use super::source::*;
use std::collections::BTreeMap;
use std::sync::LazyLock;

#[derive(Default)]
pub struct Idiom {
    pub threads: Vec<Vec<Stmt>>,
    /// What the first thread does when the others have ended.
    pub end: Vec<Stmt>,
}

/// A random idiom, with globals of its own.
pub fn pick(generator: &mut Generator<'_>) -> Idiom {
    let weights: Vec<u32> = SECTIONS.iter().map(|section| section.weight).collect();
    let section = &SECTIONS[generator.rng.weighted(&weights)];
    generator.source.idiom = section.name;
    let mut reader = Reader::new(generator, &section.words);
    reader.items();
    reader.idiom
}

/// A function that calls the one it is given, once or twice.
pub fn caller(generator: &mut Generator<'_>) -> usize {
    let mut reader = Reader::new(generator, &["caller", ";", "call"]);
    reader.item(&mut Vec::new());
    match reader.operand() {
        Expr::Function(function) => function,
        other => panic!("{other:?} is no function"),
    }
}

pub fn var(global: usize) -> Lvalue {
    Lvalue { base: Base::Global(global), path: Vec::new() }
}

pub fn element(array: usize, index: Index) -> Lvalue {
    Lvalue { base: Base::Global(array), path: vec![Select::Index(index)] }
}

pub fn behind(pointer: Local) -> Lvalue {
    Lvalue { base: Base::Deref(pointer), path: Vec::new() }
}

impl From<i32> for Expr {
    fn from(value: i32) -> Self {
        Expr::Const(value)
    }
}

impl From<Local> for Expr {
    fn from(local: Local) -> Self {
        Expr::Local(local)
    }
}

pub fn binary(op: BinOp, left: impl Into<Expr>, right: impl Into<Expr>) -> Expr {
    Expr::Binary(op, Box::new(left.into()), Box::new(right.into()))
}

/// What is left to read.
type Words = &'static [&'static str];

struct Section {
    name: &'static str,
    weight: u32,
    words: Vec<&'static str>,
}

static SECTIONS: LazyLock<Vec<Section>> = LazyLock::new(|| {
    let read = |section: &'static str| {
        let (head, body) = section.split_once('\n').expect("an idiom has a text");
        let (name, weight) = head.rsplit_once(" x").unwrap_or((head, "1"));
        let words = body.lines().flat_map(words).collect();
        Section { name, weight: weight.parse().expect("a weight is a number"), words }
    };
    include_str!("idioms.txt").split("\n== ").skip(1).map(read).collect()
});

/// The names, numbers and signs of a line.
fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = line.split("//").next().unwrap_or_default().trim();
    while !rest.is_empty() {
        let is_long = ["==", "!=", "<=", ">=", ".."].iter().any(|sign| rest.starts_with(sign));
        let length = match rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '@') {
            Some(0) => 1 + usize::from(is_long),
            end => end.unwrap_or(rest.len()),
        };
        words.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    words
}

/// Locals, each with one letter, by their numbers.
const LOCALS: &str = "vabcipr?fh?jk????st";

fn local(word: &str) -> Option<Local> {
    if word.len() == 1 { LOCALS.find(word) } else { None }
}

/// What a global of this type holds.
fn shape(word: &str) -> Option<Shape> {
    Some(match word {
        "int" => Shape::INT,
        "int_pointer" => Shape::Pointer(To::Int),
        "record_pointer" => Shape::Pointer(To::Record),
        "function_pointer" => Shape::Pointer(To::Function),
        "record" => Shape::Record,
        "mix" => Shape::Mix,
        "mutex" => Shape::Lock,
        "handle" => Shape::Handle,
        _ => Shape::Int { bits: word.strip_prefix(['i', 'u'])?.parse().ok()?, signed: word.starts_with('i') },
    })
}

/// The operators that are written as in C.
fn operator(word: &str) -> Option<BinOp> {
    use BinOp::*;
    let written = |op: &BinOp| if *op == SRem { "%" } else { ir::text::bin_op_name(*op) };
    [Add, Sub, Mul, SRem, And, Eq, Ne, SLt, SLe].into_iter().find(|op| written(op) == word)
}

/// What a name stands for.
#[derive(Clone)]
enum Name {
    Number(i32),
    Place(Lvalue),
    Function(usize),
    /// A text to be read where the name stands.
    Text(Words),
}

/// The text is ours: what is wrong with it ends the test.
struct Reader<'g, 'r> {
    generator: &'g mut Generator<'r>,
    rest: Words,
    names: BTreeMap<String, Name>,
    idiom: Idiom,
}

impl<'g, 'r> Reader<'g, 'r> {
    fn new(generator: &'g mut Generator<'r>, rest: Words) -> Self {
        let record = &generator.source.record;
        let known = [
            ("me", false),
            ("other", true),
            ("several_workers", generator.workers > 1),
            ("copyable", !record.contains(&Shape::Lock)),
            ("linked", record.contains(&Shape::Pointer(To::Record))),
            ("compare_freed", COMPARE_FREED),
        ];
        let names = known.map(|(name, holds)| (name.to_string(), Name::Number(i32::from(holds)))).into();
        Reader { generator, rest, names, idiom: Idiom::default() }
    }

    fn next(&mut self) -> &'static str {
        let (word, rest) = self.rest.split_first().expect("the text goes on");
        self.rest = rest;
        word
    }

    fn eat(&mut self, word: &str) -> bool {
        let is_next = self.rest.first() == Some(&word);
        self.rest = &self.rest[usize::from(is_next)..];
        is_next
    }

    /// What `read` finds behind this word.
    fn after<T>(&mut self, word: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        assert!(self.eat(word), "no `{word}` before {:?}", self.rest);
        read(self)
    }

    fn define(&mut self, name: &str, meaning: Name) {
        self.names.insert(name.into(), meaning);
    }

    fn meaning(&self, word: &str) -> Option<Name> {
        let numbered = word.split_once('@').map(|(stem, which)| format!("{stem}{}", self.known(which)));
        let name = numbered.as_deref().unwrap_or(word);
        let section = || SECTIONS.iter().find(|section| section.name == name);
        self.names.get(name).cloned().or_else(|| Some(Name::Text(&section()?.words)))
    }

    fn known(&self, word: &str) -> i32 {
        match self.meaning(word) {
            Some(Name::Number(number)) => number,
            _ => word.parse().unwrap_or_else(|_| panic!("`{word}` is no number")),
        }
    }

    fn number(&mut self) -> i32 {
        if self.eat("-") {
            return -self.number();
        }
        let word = self.next();
        let low = self.known(word);
        if !self.eat("..") {
            return low;
        }
        let high = self.number();
        self.generator.rng.number(low.into(), high.into()) as i32
    }

    /// Statements and declarations up to the end.
    fn items(&mut self) -> Vec<Stmt> {
        let mut out = Vec::new();
        while !self.rest.is_empty() && !self.eat("}") {
            self.item(&mut out);
        }
        out
    }

    fn block(&mut self) -> Vec<Stmt> {
        self.after("{", Self::items)
    }

    fn otherwise(&mut self) -> Vec<Stmt> {
        if self.eat("else") { self.block() } else { Vec::new() }
    }

    /// Reads another text where this one is; in it `me` is this number.
    fn read(&mut self, text: Words, me: i32) -> Vec<Stmt> {
        let (after, outer) = (std::mem::replace(&mut self.rest, text), self.known("me"));
        self.set_me(me);
        self.eat("{");
        let out = self.items();
        self.set_me(outer);
        self.rest = after;
        out
    }

    fn set_me(&mut self, me: i32) {
        self.define("me", Name::Number(me));
        self.define("other", Name::Number(1 - me));
    }

    /// Passes over a block, or over a choice between blocks.
    fn skip(&mut self) -> Words {
        let start = self.rest;
        let mut depth = 0;
        loop {
            match self.next() {
                "{" => depth += 1,
                "}" if depth == 1 => break,
                "}" => depth -= 1,
                _ => (),
            }
        }
        if start[0] != "{" && self.eat("else") {
            self.skip();
        }
        start
    }

    /// Reads one of two ways.
    fn choice(&mut self, out: &mut Vec<Stmt>, first: bool) {
        let mut way = |reader: &mut Self, taken: bool| match taken {
            true if reader.rest[0] == "{" => out.extend(reader.block()),
            true => reader.item(out),
            false => _ = reader.skip(),
        };
        way(self, first);
        if self.eat("else") {
            way(self, !first);
        }
    }

    fn expr(&mut self) -> Expr {
        let left = self.operand();
        let sign = self.rest[0];
        operator(sign).map_or(left.clone(), |op| binary(op, left, self.after(sign, Self::operand)))
    }

    fn operand(&mut self) -> Expr {
        let word = self.rest[0];
        match (word, local(word), self.meaning(word)) {
            ("(", ..) => {
                let inner = self.after("(", Self::expr);
                self.after(")", |_| inner)
            }
            ("null", ..) => self.after(word, |_| Expr::Null),
            ("arithmetic", ..) => self.after(word, |reader| reader.generator.arithmetic()),
            (_, Some(local), _) => self.after(word, |_| local.into()),
            (_, None, Some(Name::Function(function))) => self.after(word, |_| Expr::Function(function)),
            _ => self.number().into(),
        }
    }

    fn local(&mut self) -> Local {
        let word = self.next();
        local(word).unwrap_or_else(|| panic!("`{word}` is no local"))
    }

    /// A part of memory, if one begins here.
    fn maybe_place(&mut self) -> Option<Lvalue> {
        let is_deref = self.eat("*");
        let word = self.rest[0];
        let mut place = match (local(word), self.meaning(word)) {
            (Some(pointer), _) if is_deref || self.rest[1] == "." => behind(pointer),
            (None, Some(Name::Place(place))) => place,
            _ => return None,
        };
        self.next();
        let record = &self.generator.source.record;
        let (last, link) = (record.len() - 1, record.iter().position(|field| *field == Shape::Pointer(To::Record)));
        loop {
            place.path.push(match self.rest[0] {
                "[" => Select::Index(self.index()),
                "." => Select::Field(match self.after(".", Self::next) {
                    // The last field of the record is always an `int`.
                    "value" => last,
                    "link" => link.expect("there is a link"),
                    "word" => 0,
                    "half" => 1,
                    "byte" => 2,
                    field => panic!("`{field}` is no field"),
                }),
                _ => return Some(place),
            });
        }
    }

    fn place(&mut self) -> Lvalue {
        self.maybe_place().unwrap_or_else(|| panic!("no place at {:?}", self.rest))
    }

    fn index(&mut self) -> Index {
        let index = match self.after("[", |reader| local(reader.rest[0])) {
            None => Index::Const(self.number() as u32),
            Some(_) => match (self.local(), self.eat("&")) {
                (local, true) => Index::Masked(local, self.number() as u32),
                (local, false) => Index::Raw(local),
            },
        };
        self.after("]", |_| index)
    }

    /// What a local gets, if any.
    fn assignment(&mut self, to: Option<Local>) -> Stmt {
        if let Some(place) = self.maybe_place() {
            return Stmt::Read(to.expect("a local"), place);
        }
        let word = self.rest[0];
        match (word, to) {
            ("fetch_add" | "exchange" | "compare_swap", _) => {
                self.next();
                let place = self.after("(", Self::place);
                let first = self.after(",", Self::expr);
                let stmt = match (word, to) {
                    ("fetch_add", _) => Stmt::FetchAdd(to, place, first),
                    ("exchange", Some(to)) => Stmt::Exchange(to, place, first),
                    (_, to) => Stmt::CompareSwap(to.expect("a local"), place, first, self.after(",", Self::expr)),
                };
                self.after(")", |_| stmt)
            }
            ("any", Some(to)) => Stmt::Havoc(to, self.after(word, Self::number) as u8),
            ("alloc", Some(to)) => {
                Stmt::Alloc(to, if self.after(word, Self::next) == "record" { To::Record } else { To::Int })
            }
            ("&", Some(to)) => Stmt::AddressOf(to, self.after(word, Self::place)),
            (_, Some(to)) if self.rest[1] == "(" => {
                let callee = match self.operand() {
                    Expr::Function(function) => Callee::Named(function),
                    Expr::Local(local) => Callee::Pointer(local),
                    other => panic!("{other:?} is called"),
                };
                Stmt::Call(Some(to), callee, self.operand())
            }
            (_, to) => Stmt::Set(to.expect("a local"), self.expr()),
        }
    }

    /// A global, or an array of them.
    fn declare(&mut self, mut shape: Shape) {
        let name = self.next();
        if let "[" = self.rest[0] {
            let Index::Const(count) = self.index() else { panic!("no number of elements") };
            shape = Shape::Array(Box::new(shape), count);
        }
        let is_handle = shape == Shape::Handle;
        let global = self.generator.global(shape);
        if is_handle {
            self.generator.kept_handle = Some(global);
        }
        if self.eat("=") {
            self.generator.source.globals[global].init = match self.expr() {
                Expr::Function(function) => Init::Function(function),
                Expr::Const(number) => Init::Number(number),
                other => panic!("{other:?} is no initial value"),
            };
        }
        self.define(name, Name::Place(var(global)));
    }

    /// A statement, a declaration, or a choice between some.
    fn item(&mut self, out: &mut Vec<Stmt>) {
        let before = self.rest;
        let word = self.next();
        match word {
            "thread" => {
                let body = self.block();
                self.idiom.threads.push(body);
            }
            "both" => {
                let text = self.skip();
                let bodies = [0, 1].map(|me| self.read(text, me));
                self.idiom.threads.extend(bodies);
            }
            "end" => self.idiom.end = self.block(),
            "function" | "functional" => {
                let param = if word == "function" { Shape::INT } else { Shape::Pointer(To::Function) };
                let (name, function) =
                    (self.next(), self.generator.add_function(FunctionKind::Helper, param, Vec::new()));
                self.define(name, Name::Function(function));
                self.generator.source.functions[function].body = self.block();
            }
            "define" => {
                let (name, text) = (self.next(), self.skip());
                self.define(name, Name::Text(text));
            }
            "choose" => {
                let (name, number) = (self.next(), self.number());
                let is_chance = self.eat("%");
                let drawn = if is_chance { i32::from(self.generator.rng.chance(number as u32)) } else { number };
                self.define(name, Name::Number(drawn));
            }
            "maybe" => {
                let percent = self.number() as u32;
                let first = self.generator.rng.chance(percent);
                self.choice(out, first);
            }
            "when" => {
                let condition = self.next();
                self.choice(out, self.known(condition) != 0);
            }
            "either" => {
                let mut ways = vec![self.skip()];
                while self.eat("or") {
                    ways.push(self.skip());
                }
                let way = self.generator.rng.one_of(&ways);
                out.extend(self.read(way, self.known("me")));
            }
            "table" => {
                let (name, mut functions) = (self.next(), Vec::new());
                while self.eat("=") || self.eat(",") {
                    let Expr::Function(function) = self.operand() else { panic!("not a function") };
                    functions.push(function);
                }
                let table = self.generator.function_table(functions);
                self.define(name, Name::Place(var(table)));
            }
            "cell" => {
                // Helpers have their bodies already.
                let functions = self.generator.source.functions.iter_mut();
                for function in functions.filter(|function| function.kind != FunctionKind::Helper) {
                    if function.cells.first() != Some(&Shape::INT) {
                        function.cells.insert(0, Shape::INT);
                    }
                }
                self.define(word, Name::Place(Lvalue { base: Base::Cell(0), path: Vec::new() }));
            }
            "start" => {
                let handle = self.local();
                if self.generator.workers > 1 {
                    self.generator.enter(1);
                    self.generator.spawn(out, handle, 2);
                }
            }
            "if" => out.push(Stmt::If(self.expr(), self.block(), self.otherwise())),
            "switch" => {
                let value = self.expr();
                self.eat("{");
                let cases = (0..).map_while(|number| (!self.eat("}")).then(|| (number, self.block()))).collect();
                out.push(Stmt::Switch(value, cases, self.otherwise()));
            }
            "loop" => out.push(Stmt::While(self.block(), self.after("while", Self::expr), self.block())),
            "repeat" => out.push(Stmt::Repeat(self.local(), self.number(), self.block())),
            "atomic" => out.push(Stmt::Atomic(self.block())),
            "begin" => out.push(Stmt::AtomicBegin),
            "leave" => out.push(Stmt::AtomicEnd),
            "break" => out.push(Stmt::Break),
            "continue" => out.push(Stmt::Continue),
            "return" => out.push(Stmt::Return(self.expr())),
            "lock" => out.push(Stmt::Lock(self.place())),
            "unlock" => out.push(Stmt::Unlock(self.place())),
            "copy" => out.push(Stmt::CopyRecord(self.place(), self.place())),
            "free" => out.push(Stmt::Free(self.local())),
            "join" => out.push(Stmt::Join(self.local(), None)),
            "inc" => {
                let place = self.place();
                out.push(Stmt::Read(INTS[0], place.clone()));
                out.push(Stmt::Write(place, binary(BinOp::Add, INTS[0], 1)));
            }
            "look" => {
                out.push(Stmt::Read(INTS[0], self.place()));
                out.push(self.generator.assertion(INTS[0]));
            }
            "assert" => {
                let local = self.local();
                out.push(self.generator.assertion(local));
            }
            "wait" => {
                let (place, value) = (self.place(), self.after("==", Self::operand));
                out.push(Stmt::Wait(place, value, self.eat("then").then(|| self.operand())));
            }
            "take" => {
                let (place, least) = (self.place(), self.after(">=", Self::number));
                out.push(Stmt::Take(place, least, self.after(",", Self::number)));
            }
            "fetch_add" => {
                self.rest = before;
                out.push(self.assignment(None));
            }
            _ if shape(word).is_some() => shape(word).into_iter().for_each(|shape| self.declare(shape)),
            _ => match (self.meaning(word), local(word)) {
                (Some(Name::Text(text)), _) => {
                    let me = if self.rest[0] == ";" { 0 } else { self.number() };
                    out.extend(self.read(text, me));
                }
                (_, Some(to)) if self.eat("=") => out.push(self.assignment(Some(to))),
                _ => {
                    self.rest = before;
                    out.push(Stmt::Write(self.place(), self.after("=", Self::expr)));
                }
            },
        }
        self.eat(";");
    }
}
