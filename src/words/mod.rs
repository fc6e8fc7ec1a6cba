//! Words of a text in any script.
//!
//! Words are those of Unicode's word rules, parted further at every mark inside (`graph_trace` is two), lower-cased, in compatibility form
//! and with an English plural folded. Scripts without spaces give characters where words in a row are looked for, and pairs of characters
//! where two texts are compared.

mod fold;
mod name;
mod script;

use unicode_segmentation::UnicodeSegmentation;

pub(crate) use name::{NameTerms, name_terms};

/// A word by which texts are compared.
pub(crate) struct Term<'a> {
    /// In lower case, as lists of words to leave out have it.
    pub plain: &'a str,
    /// With the plural folded too: what is compared.
    pub folded: &'a str,
}

/// What [`each_phrase_word`] gives between two runs of an unspaced script.
pub(crate) const GAP: &str = " ";

/// Gives the words of a text in order, for finding words in a row: folded words, and each character of an unspaced script. Where two runs of
/// such a script are parted by something that is no word, [`GAP`] stands between them, so that a run is found inside one run only.
pub(crate) fn each_phrase_word(text: &str, mut visit: impl FnMut(&str)) {
    let mut after_run = false;
    each_part(text, |part| match part {
        Part::Word(term) => {
            after_run = false;
            visit(term.folded);
        }
        Part::Run(run) => {
            if std::mem::replace(&mut after_run, true) {
                visit(GAP);
            }
            for (at, c) in run.char_indices() {
                visit(&run[at..at + c.len_utf8()]);
            }
        }
    });
}

/// Gives the terms of a text in order, doubles and all, for comparing texts: folded words, and each pair of neighbours in an unspaced script
/// (a character that stands alone as it is).
pub(crate) fn each_search_term(text: &str, mut visit: impl FnMut(Term)) {
    each_part(text, |part| match part {
        Part::Word(term) => visit(term),
        Part::Run(run) => each_pair(run, |pair| visit(Term { plain: pair, folded: pair })),
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

enum Part<'a> {
    Word(Term<'a>),
    /// Neighbours of unspaced scripts, without invisible characters.
    Run(&'a str),
}

fn each_part(text: &str, mut visit: impl FnMut(Part)) {
    let text = fold::normalized(text);
    let (mut lower, mut folded) = (String::new(), String::new());
    each_run(&text, |run, unspaced| {
        if unspaced && run.contains(script::is_invisible) {
            return visit(Part::Run(&run.replace(script::is_invisible, "")));
        } else if unspaced {
            return visit(Part::Run(run));
        }
        for word in run.unicode_words() {
            lower.clear();
            fold::push_lower(word, &mut lower);
            for piece in lower.split(is_mark_inside) {
                fold::each_without_apostrophe(piece, |plain| {
                    if plain.is_empty() {
                        return;
                    }
                    folded.clear();
                    folded.push_str(plain);
                    fold::fold_plural(&mut folded);
                    visit(Part::Word(Term { plain, folded: &folded }));
                });
            }
        }
    });
}

/// Marks that Unicode's rules let stand inside a word, such as the dot of `mail.send`; apostrophes are left for later.
fn is_mark_inside(c: char) -> bool {
    (c.is_ascii_punctuation() && c != '\'') || matches!(c, '\u{b7}' | '\u{203f}' | '\u{2040}' | '\u{2024}' | '\u{2027}')
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
        each_search_term(text, |term| terms.push(term.folded.to_owned()));
        terms
    }

    fn tokens(text: &str) -> Vec<String> {
        let mut tokens = Vec::new();
        each_name_token(text, |token| tokens.push(token.to_owned()));
        tokens
    }

    #[test]
    fn words_are_lower_case_and_singular() {
        assert_eq!(terms("Run the TESTS, kindly: it's Ünïque!"), ["run", "the", "test", "kindly", "it", "ünïque"]);
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
        assert_eq!(terms("GitHubのissue、条例"), ["github", "の", "issue", "条例"]);
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
