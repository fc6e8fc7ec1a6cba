//! Words of a text in any script.
//!
//! Words are those of Unicode's word rules, parted further at every mark inside (`graph_trace` is two), lower-cased, in compatibility form
//! and with an English plural folded. Scripts without spaces give characters where words in a row are looked for, and pairs of characters
//! where two texts are compared.

mod fold;
mod language;
mod name;
mod script;
mod sentence;

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;

pub use language::Language;
pub(crate) use name::{each_name_term, spaced_name};
pub(crate) use sentence::first_sentence;

/// A word of a text, as searches compare it.
pub(crate) struct SearchTerm<'a> {
    /// In lower case and no more, to be shown.
    pub plain: &'a str,
    /// In lower case, accents off, an English plural folded; of an unspaced script a pair of characters.
    pub word: &'a str,
    /// The word without an ending of its language.
    pub stem: &'a str,
    /// Whether it says nothing about which tool is meant.
    pub empty: bool,
    /// Whether it joins two requests, as `and` does.
    pub joining: bool,
}

/// What [`each_phrase_word`] gives between two runs of an unspaced script.
pub(crate) const GAP: &str = " ";

/// Gives the words of a text in order, for finding words in a row: folded words, and each character of an unspaced script. Where two runs of
/// such a script are parted by something that is no word, [`GAP`] stands between them, so that a run is found inside one run only.
pub(crate) fn each_phrase_word(text: &str, mut visit: impl FnMut(&str)) {
    let text = fold::normalized(text);
    let (mut lower, mut folded) = (String::new(), String::new());
    let mut after_run = false;
    each_run(&text, |run, unspaced| {
        if unspaced {
            if std::mem::replace(&mut after_run, true) {
                visit(GAP);
            }
            let run = visible(run);
            return run.char_indices().for_each(|(at, c)| visit(&run[at..at + c.len_utf8()]));
        }
        each_word(run, &mut lower, |word| {
            after_run = false;
            folded.clear();
            folded.push_str(word);
            fold::fold_plural(&mut folded);
            visit(&folded);
        });
    });
}

/// Gives the terms of a text in order, doubles and all, for comparing texts: words, and each pair of neighbours in an unspaced script (a
/// character that stands alone as it is). A word in camel case or with digits gives its parts, then itself.
pub(crate) fn each_search_term(text: &str, language: Language, mut visit: impl FnMut(SearchTerm)) {
    let text = fold::normalized(text);
    let mut lower = String::new();
    let mut terms = Terms::new(language);
    each_run(&text, |run, unspaced| {
        if unspaced {
            return terms.of_run(&visible(run), &mut visit);
        }
        for word in run.unicode_words() {
            let parts = name::parts(word);
            if parts.len() > 1 {
                for part in parts {
                    each_word(part, &mut lower, |word| terms.of_word(word, &mut visit));
                }
                // Marks part a word in any case: only what stands between two of them can be a whole.
                if word.contains(is_mark_inside) {
                    continue;
                }
            }
            each_word(word, &mut lower, |word| terms.of_word(word, &mut visit));
        }
    });
}

/// As [`each_search_term`], without the parts of words in camel case.
fn each_whole(text: &str, language: Language, mut visit: impl FnMut(SearchTerm)) {
    let mut terms = Terms::new(language);
    each_run(text, |run, unspaced| {
        if unspaced {
            terms.of_run(&visible(run), &mut visit);
        } else {
            each_word(run, &mut String::new(), |word| terms.of_word(word, &mut visit));
        }
    });
}

/// The text as names, tags and whole messages are compared: compatibility form, lower case, no white space around it.
pub(crate) fn key(text: &str) -> String {
    let mut key = String::with_capacity(text.len());
    fold::push_lower(fold::normalized(text.trim()).as_ref(), &mut key);
    key
}

/// Gives the tokens of a text among which whole tool names are looked for, in lower case: what stands between white space and marks other than
/// `_ - . /`, without these four at its ends. A run of an unspaced script is a token of its own, since a name in such a text has no space
/// around it.
pub(crate) fn each_name_token(text: &str, mut visit: impl FnMut(&str)) {
    let key = key(text);
    let is_inside = |c: char| c.is_alphanumeric() || script::is_unspaced(c) || matches!(c, '_' | '-' | '.' | '/');
    for token in key.split(|c| !is_inside(c)) {
        each_run(token, |part, _| {
            let part = part.trim_matches(['_', '-', '.', '/']);
            if !part.is_empty() {
                visit(part);
            }
        });
    }
}

/// Gives the words of a text in a script with spaces, in lower case, parted at marks inside. `lower` is room for them.
fn each_word(text: &str, lower: &mut String, mut visit: impl FnMut(&str)) {
    for word in text.unicode_words() {
        lower.clear();
        fold::push_lower(word, lower);
        for piece in lower.split(is_mark_inside) {
            fold::each_without_apostrophe(piece, |plain| {
                if !plain.is_empty() {
                    visit(plain);
                }
            });
        }
    }
}

/// Makes terms of words and runs.
struct Terms {
    language: Language,
    word: String,
    stem: String,
}

impl Terms {
    fn new(language: Language) -> Self {
        Terms { language, word: String::new(), stem: String::new() }
    }

    fn of_word(&mut self, plain: &str, visit: &mut impl FnMut(SearchTerm)) {
        self.word.clear();
        fold::push_without_accents(plain, &mut self.word);
        fold::fold_plural(&mut self.word);
        self.language.stem(&self.word, &mut self.stem);
        visit(SearchTerm {
            plain,
            word: &self.word,
            stem: &self.stem,
            empty: self.language.is_empty_word(plain),
            joining: self.language.is_joining_word(plain),
        });
    }

    /// A run has no words: what its language's lists hold is taken out, and pairs are made of the rest.
    fn of_run(&mut self, run: &str, visit: &mut impl FnMut(SearchTerm)) {
        let language = script::language_of_run(run, self.language);
        if language == Language::KOREAN {
            self.stem.clear();
            language.stem(run, &mut self.stem);
            let empty = language.is_empty_word(run) || language.is_empty_word(&self.stem);
            return each_pair(&self.stem, |pair| visit(SearchTerm { plain: pair, word: pair, stem: pair, empty, joining: false }));
        }
        let mut start = 0;
        let mut at = 0;
        while at < run.len() {
            let here = at + run[at..].chars().next().map_or(1, char::len_utf8);
            let Some(end) = longest_empty_word(&run[at..], language) else {
                at = here;
                continue;
            };
            pairs_of_segment(&run[start..at], language, visit);
            let joining = language.is_joining_word(&run[at..at + end]);
            visit(SearchTerm { plain: &run[at..at + end], word: &run[at..at + end], stem: &run[at..at + end], empty: true, joining });
            at += end;
            start = at;
        }
        pairs_of_segment(&run[start..], language, visit);
    }
}

/// The longest word of the lists, of two characters or more, that a text begins with: its length in bytes.
fn longest_empty_word(text: &str, language: Language) -> Option<usize> {
    const MOST: usize = 8;
    let ends: Vec<usize> = text.char_indices().map(|(at, c)| at + c.len_utf8()).take(MOST).collect();
    ends.into_iter().skip(1).rev().find(|end| language.is_empty_word(&text[..*end]))
}

/// A pair is empty where both its characters are words that say nothing.
fn pairs_of_segment(segment: &str, language: Language, visit: &mut impl FnMut(SearchTerm)) {
    let is_empty = |c: char| language.is_empty_word(c.encode_utf8(&mut [0; 4]));
    if !segment.is_empty() {
        each_pair(segment, |pair| {
            visit(SearchTerm { plain: pair, word: pair, stem: pair, empty: pair.chars().all(is_empty), joining: false })
        });
    }
}

/// Marks that Unicode's rules let stand inside a word, such as the dot of `mail.send`; apostrophes are left for later.
fn is_mark_inside(c: char) -> bool {
    (c.is_ascii_punctuation() && c != '\'') || matches!(c, '\u{b7}' | '\u{203f}' | '\u{2040}' | '\u{2024}' | '\u{2027}')
}

/// A run without characters that cannot be seen.
fn visible(run: &str) -> Cow<'_, str> {
    if run.contains(script::is_invisible) { run.replace(script::is_invisible, "").into() } else { run.into() }
}

/// Gives the longest pieces of a text that are in unspaced scripts (`true`), and the pieces between them.
fn each_run<'a>(text: &'a str, mut visit: impl FnMut(&'a str, bool)) {
    let (mut start, mut unspaced) = (0, false);
    for (at, c) in text.char_indices() {
        let is_unspaced = script::is_unspaced(c) || (unspaced && script::is_invisible(c));
        if is_unspaced != unspaced {
            if start < at {
                visit(&text[start..at], unspaced);
            }
            (start, unspaced) = (at, is_unspaced);
        }
    }
    if start < text.len() {
        visit(&text[start..], unspaced);
    }
}

fn each_pair(run: &str, mut visit: impl FnMut(&str)) {
    let mut start = 0;
    let mut pairs = 0;
    for (at, c) in run.char_indices().skip(1) {
        visit(&run[start..at + c.len_utf8()]);
        start = at;
        pairs += 1;
    }
    if pairs == 0 {
        visit(run);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phrase_words(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        each_phrase_word(text, |word| words.push(word.to_owned()));
        words
    }

    fn terms(text: &str) -> Vec<String> {
        let mut terms = Vec::new();
        each_search_term(text, Language::guess(text), |term| terms.push(term.word.to_owned()));
        terms
    }

    fn tokens(text: &str) -> Vec<String> {
        let mut tokens = Vec::new();
        each_name_token(text, |token| tokens.push(token.to_owned()));
        tokens
    }

    #[test]
    fn words_are_lower_case_and_singular() {
        assert_eq!(terms("Run the TESTS, kindly: it's Ünïque!"), ["run", "the", "test", "kindly", "it", "unique"]);
        assert_eq!(terms("ΣΑΣ İstanbul don't"), ["σασ", "istanbul", "dont"]);
    }

    #[test]
    fn marks_inside_part_words() {
        assert_eq!(
            terms("graph_trace repo-map mail.send a/b x:y 3.14"),
            ["graph", "trace", "repo", "map", "mail", "send", "a", "b", "x", "y", "3", "14"]
        );
    }

    #[test]
    fn forms_of_one_letter_are_one_letter() {
        assert_eq!(terms("ｄｅｐｌｏｙ"), ["deploy"]);
        assert_eq!(terms("cafe\u{301}"), terms("café"));
        assert_eq!(terms("ﾒｰﾙ"), terms("メール"));
        assert_eq!(terms("\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}"), terms("한글"));
    }

    #[test]
    fn unspaced_scripts_give_pairs_for_search() {
        assert_eq!(terms("騒音の条例"), ["騒音", "音の", "の条", "条例"]);
        assert_eq!(terms("天"), ["天"]);
        assert_eq!(terms("GitHubのissue、条例"), ["git", "hub", "github", "の", "issue", "条例"]);
        assert_eq!(terms("API를 검색"), ["api", "를", "검색"]);
        assert_eq!(terms("葛\u{e0100}城"), ["葛城"]);
        assert_eq!(terms("ค้นหา").len(), 4);
    }

    #[test]
    fn unspaced_scripts_give_characters_for_phrases_and_gaps_between_runs() {
        assert_eq!(phrase_words("条例 run 音"), ["条", "例", "run", "音"]);
        assert_eq!(phrase_words("条例。検索"), ["条", "例", GAP, "検", "索"]);
    }

    #[test]
    fn name_tokens_are_whole_names() {
        assert_eq!(tokens("Use `graph_trace`, (repo-map) or mail.send."), ["use", "graph_trace", "repo-map", "or", "mail.send"]);
        assert_eq!(tokens("graph_traceを使って a/b_c **x_y**"), ["graph_trace", "を使って", "a/b_c", "x_y"]);
        assert_eq!(tokens(" ... -- "), [""; 0]);
    }

    #[test]
    fn texts_without_words_give_none() {
        for text in ["", " ", "!?", "🚀", "'", "_", "\u{200b}", "\0"] {
            assert_eq!(terms(text), [""; 0], "{text:?}");
            assert_eq!(phrase_words(text), [""; 0], "{text:?}");
        }
    }
}
