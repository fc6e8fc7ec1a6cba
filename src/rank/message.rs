//! A message as its words: which stand side by side, which in quotes, which clause each is in, and what paths and addresses call for.

use super::document::{stem_number, word_number};
use super::hash::hash;
use super::token_type;
use crate::limits;
use crate::words::{Language, each_search_term, key};

/// A word of a message.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MessageWord {
    /// As explanations show it.
    pub text: String,
    /// Its number as it stands.
    pub word: u64,
    /// The number of its stem; of a token type the number of the type.
    pub stem: u64,
    /// The hash of its stem, for sequences.
    pub stem_hash: u64,
    /// Whether it stands for a path or an address and not for itself.
    pub is_type: bool,
    /// Whether it is something that the message is about rather than what is asked for: a quotation, the inside of a path.
    pub quoted: bool,
    /// Whether nothing but words that say nothing stands between it and the word before.
    pub follows: bool,
    /// The clause it is in, from 0.
    pub clause: u32,
}

/// The words of a message and what is quoted in it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Message {
    pub words: Vec<MessageWord>,
    pub clauses: u32,
    /// Whether there were more words than [`limits::MESSAGE_WORDS`].
    pub cut: bool,
    /// The quotations, whole.
    pub quotations: Vec<u64>,
}

/// How far behind its beginning a quotation ends, in bytes.
const LONGEST_QUOTATION: usize = 1_000;

/// Words that a clause has before a comma or an `and` ends it: `search and replace` is one request.
const CLAUSE_WORDS: usize = 3;

impl Message {
    /// Adds the words of a text, as clauses of their own.
    pub fn push(&mut self, text: &str, language: Language) {
        let mut parser = Parser { message: self, language, in_clause: 0, follows: false };
        parser.text(text);
        parser.end_clause();
    }
}

struct Parser<'a> {
    message: &'a mut Message,
    language: Language,
    /// Words in the clause so far.
    in_clause: usize,
    follows: bool,
}

impl Parser<'_> {
    fn text(&mut self, text: &str) {
        let mut start = 0;
        // Where the quotation ends that is open.
        let mut quotation: Option<usize> = None;
        let mut before = ' ';
        for (at, c) in text.char_indices() {
            if self.message.cut {
                return;
            }
            let next = at + c.len_utf8();
            match quotation {
                Some(end) if at < end => {}
                Some(_) => {
                    self.quotation(&text[start..at]);
                    (start, quotation) = (next, None);
                }
                None => {
                    if let Some(end) = quotation_end(text, at, c, before) {
                        self.segment(&text[start..at]);
                        (start, quotation) = (next, Some(end));
                    } else if ends_clause(c, &text[next..]) {
                        self.segment(&text[start..at]);
                        self.end_clause();
                        start = next;
                    } else if is_comma(c, &text[next..]) {
                        self.segment(&text[start..at]);
                        self.join();
                        start = next;
                    }
                }
            }
            before = c;
        }
        self.segment(&text[start..]);
    }

    fn quotation(&mut self, text: &str) {
        self.message.quotations.push(hash(&key(text)));
        for piece in text.split_whitespace() {
            self.piece(piece, true);
        }
    }

    fn segment(&mut self, text: &str) {
        for piece in text.split_whitespace() {
            if self.message.cut {
                return;
            }
            let types = token_type::types_of(piece);
            if types.is_empty() {
                self.piece(piece, false);
                continue;
            }
            for name in &types {
                let number = token_type::number(name);
                self.add(MessageWord {
                    text: (*name).to_owned(),
                    word: number,
                    stem: number,
                    stem_hash: number,
                    is_type: true,
                    quoted: false,
                    follows: false,
                    clause: 0,
                });
            }
            self.follows = false;
            self.piece(piece, true);
        }
    }

    fn piece(&mut self, piece: &str, quoted: bool) {
        each_search_term(piece, self.language, |term| {
            if term.joining {
                self.join();
            } else if !term.empty {
                self.add(MessageWord {
                    text: term.plain.to_owned(),
                    word: word_number(term.word),
                    stem: stem_number(term.stem),
                    stem_hash: hash(term.stem),
                    is_type: false,
                    quoted,
                    follows: self.follows,
                    clause: 0,
                });
                self.follows = true;
            }
        });
    }

    fn add(&mut self, word: MessageWord) {
        if self.message.words.len() == limits::MESSAGE_WORDS {
            self.message.cut = true;
            return;
        }
        self.in_clause += 1;
        self.message.words.push(MessageWord { clause: self.message.clauses, ..word });
    }

    /// A comma or a word that may begin another request.
    fn join(&mut self) {
        self.follows = false;
        if self.in_clause >= CLAUSE_WORDS {
            self.end_clause();
        }
    }

    fn end_clause(&mut self) {
        self.follows = false;
        if self.in_clause > 0 {
            self.in_clause = 0;
            self.message.clauses += 1;
        }
    }
}

fn ends_clause(c: char, after: &str) -> bool {
    let parts_words = || !after.starts_with(char::is_alphanumeric);
    matches!(c, '。' | '！' | '？' | '；' | '।' | '\n') || matches!(c, '.' | '?' | '!' | ';') && parts_words()
}

/// The comma of `10,000` is none.
fn is_comma(c: char, after: &str) -> bool {
    matches!(c, '、' | '，') || c == ',' && !after.starts_with(|c: char| c.is_ascii_digit())
}

/// Where the quotation ends that a mark begins: the place of the mark that closes it.
fn quotation_end(text: &str, at: usize, c: char, before: char) -> Option<usize> {
    let close = match c {
        '"' | '`' => c,
        '“' | '„' => '”',
        '«' => '»',
        '「' => '」',
        '『' => '』',
        '\'' | '‘' if !before.is_alphanumeric() => '’',
        _ => return None,
    };
    let start = at + c.len_utf8();
    let mut end = text.len().min(start + LONGEST_QUOTATION);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let inside = &text[start..end];
    let is_close = |(place, mark): &(usize, char)| match close {
        // An apostrophe inside a word closes nothing.
        '’' => matches!(mark, '\'' | '’') && !inside[place + mark.len_utf8()..].starts_with(char::is_alphanumeric),
        '”' => matches!(mark, '”' | '“' | '"'),
        close => *mark == close,
    };
    let (place, _) = inside.char_indices().find(is_close)?;
    (place > 0).then_some(start + place)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words, by clause; those in quotes in brackets.
    fn clauses(text: &str) -> Vec<String> {
        let mut message = Message::default();
        message.push(text, Language::guess(text));
        let mut clauses = vec![String::new(); message.clauses as usize];
        for word in &message.words {
            let clause = &mut clauses[word.clause as usize];
            if !clause.is_empty() {
                clause.push(' ');
            }
            clause.push_str(&if word.quoted { format!("[{}]", word.text) } else { word.text.clone() });
        }
        clauses
    }

    #[test]
    fn sentences_and_long_lists_are_clauses() {
        assert_eq!(clauses("Book a flight. Then send a mail!"), ["book flight", "send mail"]);
        assert_eq!(clauses("Read the sales data, plot it and save a picture"), ["read sales data", "plot save picture"]);
        assert_eq!(clauses("search and replace"), ["search replace"]);
        assert_eq!(clauses("版本 3.14 costs 10,000"), ["版本 3 14 costs 10 000"]);
        assert_eq!(clauses("请搜索天气。发送邮件"), ["请搜 搜索 索天 天气", "发送 送邮 邮件"]);
        assert!(clauses(" , . ! and").is_empty());
    }

    #[test]
    fn quotations_are_set_apart() {
        assert_eq!(clauses(r#"Translate "good weather" to French"#), ["translate [weather] french"]);
        assert_eq!(clauses("Translate 'rainy days' for mom's dinner, it's late"), ["translate [rainy] [days] mom dinner", "late"]);
        assert_eq!(clauses("A 5\" screen and John's mail"), ["5 screen john mail"]);
        assert_eq!(clauses("「騒音」 in Kyoto"), ["[騒音] kyoto"]);
    }

    #[test]
    fn paths_and_addresses_stand_for_their_type() {
        assert_eq!(clauses("Open /tmp/notes/todo.md"), ["open <path> <.md> [tmp] [notes] [todo] [md]"]);
        assert_eq!(clauses("Mail bob@example.org"), ["mail <email> [bob] [example] [org]"]);
    }

    #[test]
    fn a_pair_is_not_made_over_a_comma() {
        let mut message = Message::default();
        message.push("weather, the map of towns", Language::ENGLISH);
        let follows: Vec<bool> = message.words.iter().map(|word| word.follows).collect();
        assert_eq!(follows, [false, false, true]);
    }
}
