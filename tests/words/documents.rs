//! Manual pages as plain text.

/// A manual page without the marks of fonts and with its escapes as the characters that they stand for.
pub(crate) fn without_roff(page: &str) -> String {
    let mut plain = page.to_owned();
    for font in ["\\fB", "\\fI", "\\fR", "\\fP", "\\&", "\\/"] {
        plain = plain.replace(font, "");
    }
    for (escape, text) in [("\\-", "-"), ("\\(aq", "'"), ("\\*(Aq", "'"), ("\\(dq", "\"")] {
        plain = plain.replace(escape, text);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::without_roff;

    #[test]
    fn fonts_and_escapes_are_taken_out() {
        assert_eq!(without_roff("\\fBoff\\fR \\-\\-yes"), "off --yes");
    }
}
