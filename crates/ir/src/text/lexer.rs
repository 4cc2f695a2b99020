//! Tokens of the text form.
//!
//! Lines matter, because one line is one instruction; but a line that ends in an opening bracket or a comma goes on.
//! The lexer drops those line ends, so the parser never has to think of them.

use base::{Diagnostic, FileId, Pos};

/// Where a token stands, line and column counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct At {
    pub line: u32,
    pub column: u32,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Tok {
    /// A bare name or keyword, dots included: `load.acq`.
    Word(String),
    /// `@name`
    Object(String),
    /// `%name`
    Reg(String),
    /// `$name`
    Layout(String),
    Str(Vec<u8>),
    /// `hex` matters for floats, where it means bits.
    Int {
        value: u128,
        hex: bool,
    },
    Float(String),
    /// `!line:column` or `!file:line:column`
    Pos(Pos),
    Punct(&'static str),
    Newline,
    End,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Token {
    pub tok: Tok,
    pub at: At,
}

/// Longest first, so that a prefix does not win.  Those that end in `u` must not run into a name.
const PUNCTS: [&str; 37] = [
    "<=u", ">=u", ">>u", "->", "==", "!=", "<=", ">=", "<<", ">>", "<u", ">u", "/u", "@", "{", "}", "(", ")", "[", "]",
    ",", ":", "=", "+", "-", "*", "/", "&", "|", "^", "~", "<", ">", "!", ".", "$", "%",
];

/// All tokens of `text`, the last of them [`Tok::End`].
pub fn tokens(text: &str, file: &str) -> Result<Vec<Token>, Diagnostic> {
    let mut lexer = Lexer { rest: text, at: At { line: 1, column: 1 }, file, out: Vec::new() };
    while lexer.token()? {}
    Ok(lexer.out)
}

struct Lexer<'a> {
    rest: &'a str,
    at: At,
    file: &'a str,
    out: Vec<Token>,
}

impl<'a> Lexer<'a> {
    fn error<T>(&self, at: At, message: impl Into<String>) -> Result<T, Diagnostic> {
        Err(Diagnostic::error(message).at(self.file, at.line, at.column))
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.rest = &self.rest[c.len_utf8()..];
        if c == '\n' {
            self.at = At { line: self.at.line + 1, column: 1 };
        } else {
            self.at.column += 1;
        }
        Some(c)
    }

    fn skip(&mut self, count: usize) {
        (0..count).for_each(|_| _ = self.bump());
    }

    /// Takes the characters that `keep` holds of; none of them may be a line end.
    fn take_while(&mut self, keep: impl Fn(char) -> bool) -> &'a str {
        let len = self.rest.find(|c| !keep(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(len);
        self.rest = rest;
        self.at.column += taken.chars().count() as u32;
        taken
    }

    /// Adds one token; false at the end of the text.
    fn token(&mut self) -> Result<bool, Diagnostic> {
        self.take_while(|c| c == ' ' || c == '\t' || c == '\r');
        let at = self.at;
        let Some(c) = self.peek() else {
            self.out.push(Token { tok: Tok::End, at });
            return Ok(false);
        };
        let tok = match c {
            ';' => {
                self.take_while(|c| c != '\n');
                return Ok(true);
            }
            '\n' => {
                self.bump();
                if self.line_goes_on() {
                    return Ok(true);
                }
                Tok::Newline
            }
            '"' => Tok::Str(self.string()?),
            '0'..='9' => self.number()?,
            '@' if self.name_follows(is_word_start) => Tok::Object(self.sigil_name(is_plain)?),
            '%' if self.name_follows(is_dotted) => Tok::Reg(self.sigil_name(is_dotted)?),
            '$' if self.name_follows(is_dotted) => Tok::Layout(self.sigil_name(is_dotted)?),
            '!' if self.rest[1..].starts_with(|c: char| c.is_ascii_digit()) => self.position()?,
            c if is_word_start(c) => {
                // A word after `.` or `->` is one step of a path, so that `a.b` there is two.
                let step = matches!(self.out.last(), Some(Token { tok: Tok::Punct("." | "->"), .. }));
                Tok::Word(self.take_while(if step { is_plain } else { is_dotted }).to_string())
            }
            _ => self.punct()?,
        };
        self.out.push(Token { tok, at });
        Ok(true)
    }

    fn line_goes_on(&self) -> bool {
        match self.out.last() {
            None => true,
            Some(last) => matches!(last.tok, Tok::Newline | Tok::Punct("," | "(" | "[" | "{")),
        }
    }

    fn name_follows(&self, start: fn(char) -> bool) -> bool {
        self.rest[1..].starts_with(|c| start(c) || c == '"')
    }

    fn sigil_name(&mut self, keep: fn(char) -> bool) -> Result<String, Diagnostic> {
        self.bump();
        if self.peek() != Some('"') {
            return Ok(self.take_while(keep).to_string());
        }
        let at = self.at;
        String::from_utf8(self.string()?).or_else(|_| self.error(at, "a name must be UTF-8"))
    }

    fn string(&mut self) -> Result<Vec<u8>, Diagnostic> {
        let start = self.at;
        let mut bytes = Vec::new();
        self.bump();
        loop {
            let at = self.at;
            match self.bump() {
                None | Some('\n') => return self.error(start, "this string does not end on its line"),
                Some('"') => return Ok(bytes),
                Some('\\') => match self.escape() {
                    Some(byte) => bytes.push(byte),
                    None => return self.error(at, "unknown escape, there are \\n, \\t, \\\", \\\\ and two hex digits"),
                },
                Some(c) => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
    }

    /// What follows a backslash.
    fn escape(&mut self) -> Option<u8> {
        Some(match self.bump()? {
            'n' => b'\n',
            't' => b'\t',
            '"' => b'"',
            '\\' => b'\\',
            high => (high.to_digit(16)? * 16 + self.bump()?.to_digit(16)?) as u8,
        })
    }

    fn number(&mut self) -> Result<Tok, Diagnostic> {
        let (at, start) = (self.at, self.rest);
        let is_digit = |c: char| c.is_ascii_digit();
        let tok = if start.starts_with("0x") {
            self.skip(2);
            match u128::from_str_radix(self.take_while(|c| c.is_ascii_hexdigit()), 16) {
                Ok(value) => Tok::Int { value, hex: true },
                Err(_) => return self.error(at, "a hexadecimal number needs 1 to 32 digits"),
            }
        } else {
            let digits = self.take_while(is_digit);
            let behind = self.rest.len();
            if self.rest.strip_prefix('.').is_some_and(|rest| rest.starts_with(is_digit)) {
                self.skip(1);
                self.take_while(is_digit);
            }
            if let Some(exponent) = self.rest.strip_prefix('e')
                && exponent.strip_prefix(['+', '-']).unwrap_or(exponent).starts_with(is_digit)
            {
                self.skip(2);
                self.take_while(is_digit);
            }
            match digits.parse() {
                _ if self.rest.len() != behind => Tok::Float(start[..start.len() - self.rest.len()].to_string()),
                Ok(value) => Tok::Int { value, hex: false },
                Err(_) => return self.error(at, "this number does not fit 128 bits"),
            }
        };
        if self.rest.starts_with(is_plain) {
            return self.error(at, "a number runs into a name");
        }
        Ok(tok)
    }

    fn position(&mut self) -> Result<Tok, Diagnostic> {
        let at = self.at;
        self.bump();
        let mut parts = Vec::new();
        loop {
            match self.take_while(|c| c.is_ascii_digit()).parse::<u32>() {
                Ok(part) => parts.push(part),
                Err(_) => return self.error(at, "a position is !line:column or !file:line:column"),
            }
            if parts.len() == 3 || !self.rest.starts_with(':') {
                break;
            }
            self.bump();
        }
        match parts[..] {
            [line, column] => Ok(Tok::Pos(Pos::new(FileId(0), line, column))),
            [file, line, column] => Ok(Tok::Pos(Pos::new(FileId(file), line, column))),
            _ => self.error(at, "a position is !line:column or !file:line:column"),
        }
    }

    fn punct(&mut self) -> Result<Tok, Diagnostic> {
        for punct in PUNCTS {
            let Some(after) = self.rest.strip_prefix(punct) else { continue };
            if punct.ends_with('u') && after.starts_with(is_plain) {
                continue;
            }
            self.skip(punct.len());
            return Ok(Tok::Punct(punct));
        }
        let c = self.peek().unwrap_or(' ');
        self.error(self.at, format!("unexpected character {c:?}"))
    }
}

fn is_word_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn is_dotted(c: char) -> bool {
    is_plain(c) || c == '.'
}

/// May the name follow its sigil, or stand alone, without quotes?
pub fn is_bare(name: &str, kind: NameKind) -> bool {
    match kind {
        NameKind::Object | NameKind::Field => name.starts_with(is_word_start) && name.chars().all(is_plain),
        NameKind::Reg | NameKind::Layout => !name.is_empty() && name.chars().all(is_dotted),
        NameKind::Word => name.starts_with(is_word_start) && name.chars().all(is_dotted),
    }
}

/// What a name names; each kind has its own bare alphabet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameKind {
    Object,
    Field,
    Reg,
    Layout,
    /// Functions and blocks.
    Word,
}
