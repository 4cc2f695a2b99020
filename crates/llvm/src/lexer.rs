//! Splits assembly text into tokens.
//!
//! Tokens borrow from the text; escapes are only undone where a name or string
//! is kept.  The lexer never fails: a character that begins no token becomes
//! [`Token::Bad`], which no rule of the parser accepts.

use std::borrow::Cow;

/// A token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Token<'a> {
    /// The end of the text.
    Eof,
    /// A keyword, opcode, type or other bare word.
    Word(&'a str),
    /// `name:`, a block label or the key of a metadata field.
    Label(RawName<'a>),
    /// `%name`
    Local(RawName<'a>),
    /// `@name`
    Global(RawName<'a>),
    /// `!7`
    MetaNumber(u32),
    /// `!name`
    MetaName(&'a str),
    /// `!` before a string or brace.
    Bang,
    /// `#7`
    AttrGroup(u32),
    /// `#dbg_declare` and the like.
    Record(&'a str),
    /// `$name` of a comdat, or `^7` of the module summary: of no use.
    Useless,
    /// `"..."`, the raw text between the quotes.
    Str(&'a str),
    /// `c"..."`, the raw text between the quotes.
    Bytes(&'a str),
    /// A decimal integer or floating-point number.
    Number(&'a str),
    /// `0x...`, the text after `0x`.
    Hex(&'a str),
    /// `...`
    Ellipsis,
    /// A single character.
    Punct(u8),
    /// What cannot begin a token.
    Bad,
}

/// A name as written: still escaped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RawName<'a> {
    /// The text without sigil, quotes and colon.
    pub text: &'a str,
    /// Whether it was quoted; if not and all digits, it is a number.
    pub quoted: bool,
}

/// Undoes the escapes `\\` and `\XX` in bytes.
pub(crate) fn unescape_bytes(raw: &str) -> Cow<'_, [u8]> {
    if !raw.contains('\\') {
        return Cow::Borrowed(raw.as_bytes());
    }
    let hex = |byte: &u8| (*byte as char).to_digit(16).map(|digit| digit as u8);
    let mut out = Vec::with_capacity(raw.len());
    let mut rest = raw.as_bytes();
    while let [first, more @ ..] = rest {
        let (byte, next) = match rest {
            [b'\\', b'\\', next @ ..] => (b'\\', next),
            [b'\\', high, low, next @ ..] => match (hex(high), hex(low)) {
                (Some(high), Some(low)) => (high << 4 | low, next),
                _ => (b'\\', more),
            },
            _ => (*first, more),
        };
        out.push(byte);
        rest = next;
    }
    Cow::Owned(out)
}

/// Undoes escapes; what is not UTF-8 afterwards is replaced.
pub(crate) fn unescape(raw: &str) -> Cow<'_, str> {
    if !raw.as_bytes().contains(&b'\\') {
        return Cow::Borrowed(raw);
    }
    Cow::Owned(String::from_utf8_lossy(&unescape_bytes(raw)).into_owned())
}

/// Whether a byte can stand in an unquoted name.
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'$' | b'.' | b'_')
}

/// The lexer: a position in a text.
#[derive(Clone)]
pub(crate) struct Lexer<'a> {
    pub text: &'a str,
    /// Offset behind the last token.
    pub pos: usize,
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a str) -> Self {
        Lexer { text, pos: 0 }
    }

    /// The text between two offsets of tokens.
    pub fn slice(&self, from: usize, to: usize) -> &'a str {
        // Tokens begin and end at ASCII characters, so this never falls back.
        self.text.get(from..to).unwrap_or("")
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.pos).copied()
    }

    fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.pos + ahead).copied()
    }

    /// The next byte that is not blank, without moving.
    pub fn peek_nonblank(&self) -> Option<u8> {
        let rest = self.text.as_bytes().get(self.pos..)?;
        rest.iter().copied().find(|b| !matches!(b, b' ' | b'\t' | b'\r' | b'\n'))
    }

    fn skip_while(&mut self, wanted: impl Fn(u8) -> bool) -> &'a str {
        let from = self.pos;
        let rest = self.text.as_bytes().get(from..).unwrap_or(&[]);
        self.pos += rest.iter().position(|b| !wanted(*b)).unwrap_or(rest.len());
        self.slice(from, self.pos)
    }

    /// Moves to the end of the line.
    pub fn skip_line(&mut self) {
        self.skip_while(|b| b != b'\n');
    }

    fn skip_blank(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' | 0 => self.pos += 1,
                b';' => self.skip_line(),
                _ => break,
            }
        }
    }

    /// The next token and the offset at which it begins.
    pub fn next(&mut self) -> (Token<'a>, usize) {
        self.skip_blank();
        let start = self.pos;
        (self.token(start), start)
    }

    fn token(&mut self, start: usize) -> Token<'a> {
        let Some(byte) = self.peek() else {
            return Token::Eof;
        };
        match byte {
            b'%' => self.sigil(Token::Local),
            b'@' => self.sigil(Token::Global),
            b'0'..=b'9' => self.number(start),
            b'-' | b'+' if self.peek_at(1).is_some_and(|b| b.is_ascii_digit()) => {
                self.pos += 1;
                self.number(start)
            }
            b'!' => self.metadata(),
            b'#' => self.hash(),
            b'"' => self.quoted().map_or(Token::Bad, |text| self.label_or(text, true, Token::Str(text))),
            b'^' => {
                self.pos += 1;
                self.skip_while(|b| b.is_ascii_digit());
                Token::Useless
            }
            b'.' if self.text.as_bytes()[self.pos..].starts_with(b"...") => {
                self.pos += 3;
                Token::Ellipsis
            }
            b'$' if self.peek_at(1) == Some(b'"') => {
                self.pos += 1;
                self.quoted();
                Token::Useless
            }
            _ if is_name(byte) => self.word(),
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' | b',' | b'=' | b'*' | b'|' | b':' => {
                self.pos += 1;
                Token::Punct(byte)
            }
            _ => {
                // A whole character, so that slices stay on boundaries.
                self.pos += 1;
                self.skip_while(|b| b & 0xC0 == 0x80);
                Token::Bad
            }
        }
    }

    fn word(&mut self) -> Token<'a> {
        let text = self.skip_while(is_name);
        match self.peek() {
            Some(b'"') if text == "c" => self.quoted().map_or(Token::Bad, Token::Bytes),
            _ if text.starts_with('$') => self.label_or(text, false, Token::Useless),
            _ => self.label_or(text, false, Token::Word(text)),
        }
    }

    /// A quoted text from the opening quote on; `None` if it does not end.
    fn quoted(&mut self) -> Option<&'a str> {
        self.pos += 1;
        let text = self.skip_while(|b| b != b'"');
        self.peek()?;
        self.pos += 1;
        Some(text)
    }

    /// The text as a label if a colon follows, else the other token.
    fn label_or(&mut self, text: &'a str, quoted: bool, other: Token<'a>) -> Token<'a> {
        if self.peek() != Some(b':') {
            return other;
        }
        self.pos += 1;
        Token::Label(RawName { text, quoted })
    }

    fn sigil(&mut self, make: impl Fn(RawName<'a>) -> Token<'a>) -> Token<'a> {
        self.pos += 1;
        if self.peek() == Some(b'"') {
            return self.quoted().map_or(Token::Bad, |text| make(RawName { text, quoted: true }));
        }
        let text = self.skip_while(is_name);
        if text.is_empty() { Token::Bad } else { make(RawName { text, quoted: false }) }
    }

    fn number(&mut self, start: usize) -> Token<'a> {
        if self.peek() == Some(b'0') && self.peek_at(1) == Some(b'x') && self.pos == start {
            self.pos += 2;
            return Token::Hex(self.skip_while(|b| b.is_ascii_alphanumeric()));
        }
        let signed = self.pos != start;
        self.skip_while(|b| b.is_ascii_digit());
        if self.peek() == Some(b'.') {
            self.pos += 1;
            self.skip_while(|b| b.is_ascii_digit());
            if matches!(self.peek(), Some(b'e' | b'E')) {
                let sign = usize::from(matches!(self.peek_at(1), Some(b'+' | b'-')));
                if self.peek_at(1 + sign).is_some_and(|b| b.is_ascii_digit()) {
                    self.pos += 1 + sign;
                    self.skip_while(|b| b.is_ascii_digit());
                }
            }
            return Token::Number(self.slice(start, self.pos));
        }
        if !signed && self.peek().is_some_and(|b| is_name(b) || b == b':') {
            self.skip_while(is_name);
            // `4abc` is no token of the language.
            return self.label_or(self.slice(start, self.pos), false, Token::Bad);
        }
        Token::Number(self.slice(start, self.pos))
    }

    fn metadata(&mut self) -> Token<'a> {
        self.pos += 1;
        match self.peek() {
            Some(b'0'..=b'9') => self.skip_while(|b| b.is_ascii_digit()).parse().map_or(Token::Bad, Token::MetaNumber),
            Some(byte) if is_name(byte) || byte == b'\\' => {
                Token::MetaName(self.skip_while(|b| is_name(b) || b == b'\\'))
            }
            _ => Token::Bang,
        }
    }

    fn hash(&mut self) -> Token<'a> {
        self.pos += 1;
        let text = self.skip_while(is_name);
        match text.bytes().next() {
            Some(b'0'..=b'9') => text.parse().map_or(Token::Bad, Token::AttrGroup),
            Some(_) => Token::Record(text),
            None => Token::Bad,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token<'_>> {
        let mut lexer = Lexer::new(text);
        std::iter::from_fn(|| Some(lexer.next().0).filter(|token| *token != Token::Eof)).collect()
    }

    #[test]
    fn names_and_labels() {
        let plain = |text| RawName { text, quoted: false };
        assert_eq!(
            tokens("%a @b.c-d e: 12: \"x y\": !7 !dbg !{ #3 #dbg_value $c ^2 i32"),
            [
                Token::Local(plain("a")),
                Token::Global(plain("b.c-d")),
                Token::Label(plain("e")),
                Token::Label(plain("12")),
                Token::Label(RawName { text: "x y", quoted: true }),
                Token::MetaNumber(7),
                Token::MetaName("dbg"),
                Token::Bang,
                Token::Punct(b'{'),
                Token::AttrGroup(3),
                Token::Record("dbg_value"),
                Token::Useless,
                Token::Useless,
                Token::Word("i32"),
            ]
        );
    }

    #[test]
    fn numbers_and_strings() {
        assert_eq!(
            tokens("-5 1.5e+3 0xK3FFF ... c\"a\\00\" \"b\" ; c\n = 4abc é"),
            [
                Token::Number("-5"),
                Token::Number("1.5e+3"),
                Token::Hex("K3FFF"),
                Token::Ellipsis,
                Token::Bytes("a\\00"),
                Token::Str("b"),
                Token::Punct(b'='),
                Token::Bad,
                Token::Bad,
            ]
        );
        assert_eq!(&*unescape_bytes("a\\\\\\0A\\zz"), b"a\\\n\\zz");
        assert_eq!(unescape("a\\22b"), "a\"b");
    }
}
