//! Words of a tool's name.

use super::{Language, SearchTerm, each_search_term, each_whole, fold, script};

/// Gives the terms of a name, and whether each is a part of it or made of several parts. Answers how many parts it has.
///
/// A name is split at white space, marks, digits and camel case: `getHTTPServer_v2` is get, http, server, v and 2. Beside its parts it is found by
/// what stands between two marks (`s3`, `youtube`) and by two neighbours in it (`github` of `createGitHubIssue`), since that is how people
/// write them. White space parts a name but makes no parts: `web search` in a message is no name.
pub(crate) fn each_name_term(name: &str, language: Language, mut visit: impl FnMut(SearchTerm, bool)) -> usize {
    let name = fold::normalized(name);
    let mut count = 0;
    let spaced = name.trim().contains(char::is_whitespace);
    for section in name.split(|c: char| c.is_whitespace() || c.is_ascii_punctuation()).filter(|section| !section.is_empty()) {
        let parts = parts(section);
        count += parts.len();
        for part in &parts {
            each_search_term(part, language, |term| visit(term, true));
        }
        let joined = parts.windows(2).map(|two| two.concat()).chain((parts.len() > 2).then(|| section.to_owned()));
        for text in joined {
            each_whole(&text, language, |term| visit(term, false));
        }
    }
    if spaced { 1 } else { count }
}

/// A name as words: `getUser_v2` is `get user v 2`.
pub(crate) fn spaced_name(name: &str) -> String {
    let sections = name.split(|c: char| c.is_whitespace() || c.is_ascii_punctuation()).filter(|section| !section.is_empty());
    sections.flat_map(parts).map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// The parts of a name without marks: it is parted where the kind of character changes, and before a capital that begins a word.
pub(super) fn parts(section: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut chars = section.char_indices().peekable();
    let mut before = None;
    while let Some((at, c)) = chars.next() {
        let here = Kind::of(c);
        let next = chars.peek().map(|(_, c)| Kind::of(*c));
        let begins = match (before, here) {
            (None, _) => false,
            (Some(Kind::Upper), Kind::Upper) => next == Some(Kind::Lower),
            (Some(Kind::Upper), Kind::Lower) => false,
            (Some(last), here) => last != here,
        };
        if begins {
            parts.push(&section[start..at]);
            start = at;
        }
        before = Some(here);
    }
    parts.push(&section[start..]);
    parts
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Upper,
    Lower,
    Digit,
    Unspaced,
}

impl Kind {
    /// Letters without case and marks count as lower case.
    fn of(c: char) -> Kind {
        match c {
            c if script::is_unspaced(c) => Kind::Unspaced,
            c if c.is_numeric() => Kind::Digit,
            c if c.is_uppercase() => Kind::Upper,
            _ => Kind::Lower,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(name: &str) -> Vec<String> {
        let mut terms = Vec::new();
        each_name_term(name, Language::ENGLISH, |term, _| terms.push(term.word.to_owned()));
        terms
    }

    fn count(name: &str) -> usize {
        each_name_term(name, Language::ENGLISH, |_, _| ())
    }

    #[test]
    fn names_are_split_at_marks_digits_and_camel_case() {
        assert_eq!(terms("graph_trace"), ["graph", "trace"]);
        assert_eq!(terms("mail.list-unread/all:x y"), ["mail", "list", "unread", "all", "x", "y"]);
        assert_eq!(parts("getHTTPServer2xÉtat"), ["get", "HTTP", "Server", "2", "x", "État"]);
        assert_eq!(parts("HTTPServer"), ["HTTP", "Server"]);
        assert_eq!(parts("条例Find"), ["条例", "Find"]);
    }

    #[test]
    fn a_name_is_written_as_words() {
        assert_eq!(spaced_name("getHTTPServer_v2/x"), "get http server v 2 x");
        assert_eq!(spaced_name("__"), "");
    }

    #[test]
    fn parts_are_counted() {
        for (name, parts) in [
            ("graph_trace", 2),
            ("search", 1),
            ("getUser", 2),
            ("a.b.c", 3),
            ("__", 0),
            ("", 0),
            ("_x_", 1),
            ("条例検索", 1),
            ("web search", 1),
        ] {
            assert_eq!(count(name), parts, "{name}");
        }
    }

    #[test]
    fn a_name_is_also_found_by_what_its_camel_case_and_digits_make_together() {
        assert_eq!(terms("s3"), ["s", "3", "s3"]);
        assert!(terms("createGitHubIssues").contains(&"github".to_owned()));
        assert!(terms("YouTube_search").contains(&"youtube".to_owned()));
        assert!(terms("getURLs").contains(&"url".to_owned()));
    }

    #[test]
    fn names_are_folded_like_texts() {
        assert_eq!(terms("LIST_Queries"), ["list", "query"]);
        assert_eq!(terms("条例検索"), ["条例", "例検", "検索"]);
    }
}
