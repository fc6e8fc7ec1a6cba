//! Words of a text in any script, folded so that equal words are equal texts.

use unicode_segmentation::UnicodeSegmentation;

/// The words of a text in order, as phrases are made of: case and plural folded; each character of a script that is written without spaces is a
/// word of its own, so that a phrase in it is found inside a run.
pub(crate) fn phrase_words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.unicode_words().flat_map(|word| {
        let mut parts = Vec::new();
        let mut plain = String::new();
        for c in word.chars() {
            if is_unspaced(c) {
                push_plain(&mut parts, &mut plain);
                parts.push(c.to_string());
            } else {
                plain.push(c);
            }
        }
        push_plain(&mut parts, &mut plain);
        parts
    })
}

fn push_plain(parts: &mut Vec<String>, plain: &mut String) {
    if !plain.is_empty() {
        parts.push(fold(plain));
        plain.clear();
    }
}

/// The terms of a text for ranking: words as above, but runs of an unspaced script as pairs of neighbours (a lone character as itself).
pub(crate) fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    let mut run: Vec<char> = Vec::new();
    let mut plain = String::new();
    // Word boundaries split runs of Han at each character, so runs are followed across them.
    for word in text.split_word_bounds() {
        for c in word.chars() {
            if is_unspaced(c) {
                push_plain(&mut terms, &mut plain);
                run.push(c);
                continue;
            }
            push_run(&mut terms, &mut run);
            if c.is_alphanumeric() || (!plain.is_empty() && is_inside_word(c)) {
                plain.push(c);
            } else {
                push_plain(&mut terms, &mut plain);
            }
        }
        push_plain(&mut terms, &mut plain);
    }
    push_run(&mut terms, &mut run);
    terms
}

fn push_run(terms: &mut Vec<String>, run: &mut Vec<char>) {
    match run[..] {
        [] => {}
        [one] => terms.push(one.to_string()),
        _ => terms.extend(run.windows(2).map(|pair| pair.iter().collect::<String>())),
    }
    run.clear();
}

/// Marks that stand inside a word: accents written apart, and apostrophes.
fn is_inside_word(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}' | '\u{300}'..='\u{36F}' | '\u{591}'..='\u{5C7}' | '\u{64B}'..='\u{65F}' | '\u{900}'..='\u{963}' | '\u{200D}')
}

/// The parts of a tool's name: split at `_ - . /` and other marks, between digits and letters, and at camel case; folded like words.
pub(crate) fn name_parts(name: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let chars: Vec<char> = name.chars().collect();
    let mut part = String::new();
    for (at, &c) in chars.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| chars[at]);
        let starts = before.is_some_and(|before| {
            let after_is_lower = chars.get(at + 1).is_some_and(|after| after.is_lowercase());
            before.is_numeric() != c.is_numeric()
                || (c.is_uppercase() && (before.is_lowercase() || (before.is_uppercase() && after_is_lower)))
        });
        if starts || !c.is_alphanumeric() {
            parts.extend(terms(&part));
            part.clear();
        }
        if c.is_alphanumeric() {
            part.push(c);
        }
    }
    parts.extend(terms(&part));
    parts
}

/// One word without case, width and plural.
pub(crate) fn fold(word: &str) -> String {
    let lower: String = word.chars().map(narrow).flat_map(char::to_lowercase).collect();
    singular(lower.trim_end_matches("'s").trim_end_matches("\u{2019}s")).to_owned()
}

/// English plurals, lightly: both sides are folded alike, so a stem need not be a word, but two words must not meet in one.
fn singular(word: &str) -> String {
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.chars().count() > 1) {
        return format!("{stem}y");
    }
    for ending in ["ches", "shes", "sses", "xes", "zes"] {
        if word.len() > ending.len() && word.ends_with(ending) {
            return word[..word.len() - 2].to_owned();
        }
    }
    match word.strip_suffix('s') {
        Some(stem) if stem.chars().count() > 2 && !stem.ends_with(['s', 'u', 'i']) => stem.to_owned(),
        _ => word.to_owned(),
    }
}

/// Full-width Latin letters, digits and marks (U+FF01 to U+FF5E) as ASCII.
fn narrow(c: char) -> char {
    match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        c => c,
    }
}

/// Scripts in which words are not told apart by spaces or, as Hangul, glued to endings: Han, Kana, Hangul, Thai.
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0E7F}'
        | '\u{1100}'..='\u{11FF}'
        | '\u{3005}'..='\u{3007}'
        | '\u{3041}'..='\u{30FF}'
        | '\u{3130}'..='\u{318F}'
        | '\u{31F0}'..='\u{31FF}'
        | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7A3}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{FF66}'..='\u{FF9F}'
        | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_meet_their_singular_and_nothing_else() {
        for (plural, one) in [("tests", "test"), ("queries", "query"), ("boxes", "box"), ("matches", "match"), ("deadlines", "deadline")] {
            assert_eq!(fold(plural), fold(one));
        }
        for (a, b) in [("status", "statu"), ("class", "clas"), ("unreadable", "unread"), ("is", "i"), ("reserved", "serve")] {
            assert_ne!(fold(a), fold(b));
        }
    }

    #[test]
    fn case_width_and_possessive_are_folded() {
        assert_eq!(fold("Ｂuild"), "build");
        assert_eq!(fold("ΣΑΣ"), fold("σασ"));
        assert_eq!(fold("user's"), "user");
    }

    #[test]
    fn unspaced_scripts_are_pairs_for_ranking_and_characters_for_phrases() {
        assert_eq!(terms("騒音の条例 x"), ["騒音", "音の", "の条", "条例", "x"]);
        assert_eq!(phrase_words("条例 tests").collect::<Vec<_>>(), ["条", "例", "test"]);
        assert_eq!(terms("語"), ["語"]);
    }

    #[test]
    fn names_split_at_marks_digits_and_camel_case() {
        assert_eq!(name_parts("mail_list-unread.v2"), ["mail", "list", "unread", "v", "2"]);
        assert_eq!(name_parts("getHTTPServer"), ["get", "http", "server"]);
        assert_eq!(name_parts("repo/日本語"), ["repo", "日本", "本語"]);
        assert!(name_parts("---").is_empty());
    }
}
