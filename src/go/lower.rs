//! Go's `strings.ToLower`.

/// Lower case, letter by letter: one character becomes one, so `İ` is `i`, and `Σ` is `σ` wherever it stands.
pub(crate) fn lower(text: &str) -> String {
    text.chars().map(lower_char).collect()
}

fn lower_char(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    // Letters that have a lower case only since Unicode 16 and 17; Go 1.26 has the tables of Unicode 15.
    let is_newer = matches!(c, '\u{1c89}' | '\u{a7cb}'..='\u{a7cf}' | '\u{a7d2}' | '\u{a7d4}' | '\u{a7da}' | '\u{a7dc}')
        || matches!(c, '\u{10d50}'..='\u{10d65}' | '\u{16ea0}'..='\u{16eb8}');
    if is_newer { c } else { c.to_lowercase().next().unwrap_or(c) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_letter_is_lowered_by_itself() {
        assert_eq!(lower("Build_ÄÖ 日本 ẞ"), "build_äö 日本 ß");
        assert_eq!(lower("İI"), "ii");
        assert_eq!(lower("ΟΔΟΣ Σ"), "οδοσ σ");
        assert_eq!(lower("ǅ K Å"), "ǆ k å");
    }

    #[test]
    fn letters_newer_than_gos_tables_stay() {
        for c in ['\u{1c89}', '\u{a7cb}', '\u{a7dc}', '\u{10d50}', '\u{16ea0}'] {
            assert_eq!(lower(&c.to_string()), c.to_string());
        }
    }
}
