//! Which differences between two words do not count.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// The text with compatibility forms replaced (NFKC): full-width letters, half-width Kana, and letters that come as a base with marks; without the
/// characters inside words that nobody sees.
pub(super) fn normalized(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || (is_nfkc_quick(text.chars()) == IsNormalized::Yes && !text.contains(is_unseen)) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.chars().filter(|c| !is_unseen(*c)).nfkc().collect())
    }
}

/// Marks of direction, of joining, of glyphs and of where a line may break. A zero-width space is none of them: it parts words.
fn is_unseen(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0100}'..='\u{e01ef}')
}

/// Appends the lower-case form; a sigma is the same at the end of a word, and the dot of `İ` is dropped.
pub(super) fn push_lower(text: &str, into: &mut String) {
    for c in text.chars() {
        match c {
            'İ' => into.push('i'),
            'ς' => into.push('σ'),
            c => into.extend(c.to_lowercase()),
        }
    }
}

/// Appends a lower-case word without accents: `café` is `cafe`, `straße` is `strasse`, `ё` is `е`. Marks that are letters of their own in a
/// script, such as those of Kana or Devanagari, stay.
pub(super) fn push_without_accents(word: &str, into: &mut String) {
    if word.is_ascii() {
        return into.push_str(word);
    }
    let bare = word.nfd().filter(|c| !matches!(c, '\u{300}'..='\u{36f}'));
    for c in bare.nfc() {
        match c {
            'ß' => into.push_str("ss"),
            'æ' => into.push_str("ae"),
            'œ' => into.push_str("oe"),
            'ø' => into.push('o'),
            'ł' => into.push('l'),
            'đ' => into.push('d'),
            'ı' => into.push('i'),
            c => into.push(c),
        }
    }
}

/// Folds an English plural in place, so that `tests` and `test`, `boxes` and `box`, `queries` and `query` are the same. What is left need be no
/// word (`status` and `statuses` are both `statu`): it is only compared with what is left of others. Words below four letters, words in
/// `ss`, `news`, and all that is not plain Latin stay.
pub(super) fn fold_plural(word: &mut String) {
    if word.len() < 4 || word == "news" || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return;
    }
    for ending in ["ies", "ie"] {
        if word.len() >= 5 && word.ends_with(ending) {
            word.truncate(word.len() - ending.len());
            word.push('y');
            return;
        }
    }
    drop_s(word);
    if word.len() >= 4 && ["se", "xe", "ze", "che", "she", "oe"].iter().any(|ending| word.ends_with(ending)) {
        word.pop();
        drop_s(word);
    }
}

fn drop_s(word: &mut String) {
    if word.len() >= 4 && word.ends_with('s') && !word.ends_with("ss") {
        word.pop();
    }
}

/// The words that a lower-case word with apostrophes is: `it's` is `it`, `don't` is `dont`, `l'issue` is `l` and `issue`.
pub(super) fn each_without_apostrophe(word: &str, mut visit: impl FnMut(&str)) {
    let Some(last) = word.rfind(APOSTROPHES) else { return visit(word) };
    let ending = word[last..].trim_start_matches(APOSTROPHES);
    let before = &word[..last];
    match ending {
        "t" if before.ends_with('n') => visit(&word.replace(APOSTROPHES, "")),
        "s" | "d" | "m" | "ll" | "re" | "ve" => before.split(APOSTROPHES).for_each(visit),
        _ => word.split(APOSTROPHES).for_each(visit),
    }
}

const APOSTROPHES: [char; 2] = ['\'', '\u{2019}'];

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(word: &str) -> String {
        let mut word = word.to_owned();
        fold_plural(&mut word);
        word
    }

    #[test]
    fn a_plural_folds_to_what_its_singular_folds_to() {
        for (one, many) in [
            ("test", "tests"),
            ("box", "boxes"),
            ("query", "queries"),
            ("deadline", "deadlines"),
            ("status", "statuses"),
            ("class", "classes"),
            ("address", "addresses"),
            ("match", "matches"),
            ("cache", "caches"),
            ("database", "databases"),
            ("release", "releases"),
            ("case", "cases"),
            ("size", "sizes"),
            ("bus", "buses"),
            ("lens", "lenses"),
            ("movie", "movies"),
            ("photo", "photos"),
            ("use", "uses"),
            ("file", "files"),
            ("api", "apis"),
            ("cpu", "cpus"),
            ("alias", "aliases"),
            ("dish", "dishes"),
        ] {
            assert_eq!(folded(one), folded(many), "{one} {many}");
        }
    }

    #[test]
    fn words_that_only_look_like_plurals_stay_apart() {
        for (a, b) in
            [("news", "new"), ("bus", "bu"), ("class", "clas"), ("its", "it"), ("case", "ca"), ("express", "expres"), ("aws", "aw")]
        {
            assert_ne!(folded(a), folded(b), "{a} {b}");
        }
        assert_eq!(folded("класс"), "класс");
    }

    #[test]
    fn apostrophes_leave_the_word() {
        let words = |word: &str| {
            let mut words = Vec::new();
            each_without_apostrophe(word, |word| words.push(word.to_owned()));
            words
        };
        assert_eq!(words("it's"), ["it"]);
        assert_eq!(words("repo\u{2019}s"), ["repo"]);
        assert_eq!(words("don't"), ["dont"]);
        assert_eq!(words("i'd"), ["i"]);
        assert_eq!(words("l'issue"), ["l", "issue"]);
        assert_eq!(words("plain"), ["plain"]);
    }
}
