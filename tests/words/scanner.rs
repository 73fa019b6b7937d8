//! A scanner of Rust sources for texts that people read: string literals and doc comments outside of tests.
//!
//! It knows raw strings, escapes, byte strings, character literals, lifetimes and nested comments. An item
//! below `#[cfg(test)]` is passed over up to its closing brace or semicolon.

use super::text::Text;

/// The string literals and doc comments of a source, without those of tests.
pub(crate) fn texts(source: &str) -> Vec<Text> {
    let mut scanner = Scanner {
        chars: source.chars().collect(),
        at: 0,
        line: 1,
        texts: Vec::new(),
        doc_end: 0,
        is_skipping: false,
    };
    while !scanner.is_done() {
        scanner.step();
    }
    scanner.texts
}

struct Scanner {
    chars: Vec<char>,
    at: usize,
    line: usize,
    texts: Vec<Text>,
    /// The line of the last doc comment: one on the next line goes on with it.
    doc_end: usize,
    is_skipping: bool,
}

impl Scanner {
    fn is_done(&self) -> bool {
        self.at >= self.chars.len()
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn comes(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(ahead, c)| self.peek(ahead) == Some(c))
    }

    fn take(&mut self) -> Option<char> {
        let c = self.peek(0)?;
        self.at += 1;
        self.line += usize::from(c == '\n');
        Some(c)
    }

    fn skip(&mut self, count: usize) {
        for _ in 0..count {
            self.take();
        }
    }

    /// Takes one token: a comment, a literal, a word or a single character. Returns a character of the code.
    fn step(&mut self) -> Option<char> {
        let c = self.peek(0)?;
        if self.comes("//") {
            self.line_comment();
        } else if self.comes("/*") {
            self.block_comment();
        } else if self.comes("#[cfg(test)]") {
            self.skip_item();
        } else if c == '"' {
            self.string(true);
        } else if c == '\'' {
            self.quote();
        } else if c.is_alphanumeric() || c == '_' {
            self.word();
        } else {
            self.take();
            return Some(c);
        }
        None
    }

    fn line_comment(&mut self) {
        let is_doc = self.comes("///") && !self.comes("////") || self.comes("//!");
        let line = self.line;
        self.skip(if is_doc { 3 } else { 2 });
        let mut content = String::new();
        while let Some(c) = self.peek(0).filter(|c| *c != '\n') {
            content.push(c);
            self.take();
        }
        if !is_doc || self.is_skipping {
            return;
        }
        if self.doc_end + 1 != line || self.texts.last().is_none_or(Text::is_literal) {
            self.texts.push(Text::doc());
        }
        self.doc_end = line;
        if let Some(text) = self.texts.last_mut() {
            text.push_line(line, content);
        }
    }

    fn block_comment(&mut self) {
        let mut depth = 0;
        loop {
            if self.comes("/*") {
                depth += 1;
                self.skip(2);
            } else if self.comes("*/") {
                depth -= 1;
                self.skip(2);
            } else {
                self.take();
            }
            if depth == 0 || self.is_done() {
                return;
            }
        }
    }

    /// A character literal or a lifetime.
    fn quote(&mut self) {
        self.take();
        if self.peek(0) == Some('\\') {
            self.skip(2);
            while self.take().is_some_and(|c| c != '\'') {}
        } else if self.peek(1) == Some('\'') {
            self.skip(2);
        }
    }

    /// A word of the code, which may be the prefix of a string or of a character.
    fn word(&mut self) {
        let mut word = String::new();
        while let Some(c) = self.peek(0).filter(|c| c.is_alphanumeric() || *c == '_') {
            word.push(c);
            self.take();
        }
        let rest = self.chars.iter().skip(self.at);
        let hashes = rest.take_while(|c| **c == '#').count();
        let is_string = self.peek(hashes) == Some('"');
        match word.as_str() {
            "r" | "br" | "cr" if is_string => self.raw_string(hashes, word == "r"),
            "b" | "c" if self.peek(0) == Some('"') => self.string(false),
            "b" if self.peek(0) == Some('\'') => self.quote(),
            _ => {}
        }
    }

    fn raw_string(&mut self, hashes: usize, is_kept: bool) {
        self.skip(hashes + 1);
        let end: String = std::iter::once('"').chain("#".repeat(hashes).chars()).collect();
        let mut text = Text::literal(self.line);
        while !self.is_done() && !self.comes(&end) {
            match self.take() {
                Some('\n') => text.next_line(self.line),
                Some(c) => text.push(c),
                None => {}
            }
        }
        self.skip(end.len());
        self.keep(text, is_kept);
    }

    fn string(&mut self, is_kept: bool) {
        self.take();
        let mut text = Text::literal(self.line);
        while let Some(c) = self.take().filter(|c| *c != '"') {
            match c {
                '\\' => self.escape(&mut text),
                '\n' => text.next_line(self.line),
                '{' => self.placeholder(&mut text),
                c => text.push(c),
            }
        }
        self.keep(text, is_kept);
    }

    /// What follows a backslash: a line that goes on, a blank, or a character as it is.
    fn escape(&mut self, text: &mut Text) {
        match self.take() {
            Some('\n') => {
                text.next_line(self.line);
                while self.peek(0).is_some_and(char::is_whitespace) {
                    if self.take() == Some('\n') {
                        text.next_line(self.line);
                    }
                }
            }
            // Two parts of a text, as with a sentence below another one.
            Some('n') => text.push('\u{1}'),
            Some('t' | 'r' | '0') => text.push(' '),
            Some('x') => self.skip(2),
            Some('u') => while self.take().is_some_and(|c| c != '}') {},
            Some(c) => text.push(c),
            None => {}
        }
    }

    /// A placeholder such as `{name:>8}` becomes an empty pair of braces: its name is read by nobody.
    fn placeholder(&mut self, text: &mut Text) {
        let is_part = |c: &char| c.is_ascii_alphanumeric() || "_:.$<>^+?#".contains(*c);
        let rest = self.chars.iter().skip(self.at);
        let length = rest.take_while(|c| is_part(c)).count();
        text.push('{');
        if self.peek(0) == Some('{') {
            text.push('{');
            self.skip(1);
        } else if self.peek(length) == Some('}') {
            self.skip(length);
        }
    }

    fn keep(&mut self, text: Text, is_kept: bool) {
        if is_kept && !self.is_skipping {
            self.texts.push(text);
        }
    }

    /// The item below `#[cfg(test)]`: up to its semicolon, or to the brace that closes its first one.
    fn skip_item(&mut self) {
        self.skip("#[cfg(test)]".len());
        let was_skipping = std::mem::replace(&mut self.is_skipping, true);
        let (mut depth, mut brackets) = (0_usize, 0_usize);
        while !self.is_done() {
            match self.step() {
                Some('{') => depth += 1,
                Some('}') if depth <= 1 => break,
                Some('}') => depth -= 1,
                Some('(' | '[') => brackets += 1,
                Some(')' | ']') => brackets = brackets.saturating_sub(1),
                Some(';') if depth == 0 && brackets == 0 => break,
                _ => {}
            }
        }
        self.is_skipping = was_skipping;
    }
}

#[cfg(test)]
mod tests {
    use super::super::text::Text;
    use super::texts;

    fn literals(source: &str) -> Vec<String> {
        let join = |text: &Text| text.parts().map(|(_, part)| part).collect();
        texts(source).iter().filter(|text| text.is_literal()).map(join).collect()
    }

    #[test]
    fn literals_of_all_kinds_are_read() {
        let source =
            "let a = \"one \\\"two\\\"\"; let b = r#\"raw \"three\"\"#; let c = b\"bytes\";";
        assert_eq!(literals(source), ["one \"two\"", "raw \"three\""]);
        assert_eq!(literals("\"a \\\n    b {name:>8} {{x}}\""), ["a b {} {{x}}"]);
        assert_eq!(literals("r\"c:\\\" x \"d\""), ["c:\\", "d"]);
    }

    #[test]
    fn quotes_of_characters_and_lifetimes_begin_no_literal() {
        assert_eq!(
            literals("fn f<'a>(c: &'a str) { g('\"', b'\"', '\\'', '\\u{22}'); \"x\" }"),
            ["x"]
        );
        assert_eq!(literals("// \"no\"\n/* \"no /* \"no\" */ no\" */ \"yes\""), ["yes"]);
        assert_eq!(literals("r#type(\"x\")"), ["x"]);
    }

    #[test]
    fn tests_are_passed_over() {
        let module = "\"a\"; #[cfg(test)]\nmod tests { fn f() { \"}\"; '{'; } /// That\n } \"b\"";
        assert_eq!(literals(module), ["a", "b"]);
        let line = "#[cfg(test)]\nmod tests;\n\"c\"; #[cfg(test)] use a::{b, c};\n\"d\"";
        assert_eq!(literals(line), ["c", "d"]);
        let texts = texts(module);
        assert!(texts.iter().all(Text::is_literal));
    }

    #[test]
    fn doc_comments_are_read_as_blocks() {
        let texts = texts("//! The same.\n//! More.\n\n/// It is.\n// No.\n/// What.\nfn f() {}\n");
        let lines: Vec<usize> = texts.iter().map(Text::first_line).collect();
        assert_eq!(lines, [1, 4, 6]);
        let starts = ["The same", "It", "What"];
        assert!(texts.iter().zip(starts).all(|(text, start)| text.begins_with(start)));
        assert!(!Text::plain("Items").begins_with("It"));
    }
}
