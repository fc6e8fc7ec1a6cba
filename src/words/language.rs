//! What is known of a language: the words that say nothing about a tool, the endings that do not change a word's meaning.
//!
//! A language is a file in `languages/`. English stands first and is what a text counts as when nothing speaks for another.

use std::sync::LazyLock;

use serde::Deserialize;
use unicode_segmentation::UnicodeSegmentation;

use super::{fold, script};
use crate::rank::hash;

/// A language of messages and tools. It is one of [`Language::ALL`]'s, by place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Language(u8);

/// Bytes that a language is guessed by.
const GUESS_BYTES: usize = 2_048;

impl Language {
    /// The codes of all languages with a pack, as requests and answers write them.
    pub const ALL: [&str; 12] = ["en", "de", "fr", "es", "pt", "it", "nl", "ru", "ja", "zh", "ko", "hi"];
    /// English.
    pub const ENGLISH: Language = Language(0);
    pub(super) const JAPANESE: Language = Language(8);
    pub(super) const CHINESE: Language = Language(9);
    pub(super) const KOREAN: Language = Language(10);
    const RUSSIAN: Language = Language(7);
    const HINDI: Language = Language(11);

    /// The language of a code.
    pub fn of(code: &str) -> Option<Language> {
        Self::ALL.iter().position(|known| *known == code).map(|at| Language(at as u8))
    }

    /// The code.
    pub fn code(self) -> &'static str {
        Self::ALL[self.0 as usize]
    }

    /// The language that a text seems to be in: that of its script where a script has one, else that with the most function words in it.
    /// The beginning of a long text is enough.
    pub fn guess(text: &str) -> Language {
        let mut end = text.len().min(GUESS_BYTES);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let text = &text[..end];
        let packs = &*PACKS;
        let (mut kana, mut hangul, mut han, mut devanagari, mut cyrillic, mut latin_words) = (0, 0, 0, 0, 0, 0);
        let mut found = [0u32; Self::ALL.len()];
        let mut lower = String::new();
        for c in text.chars().filter(|c| !c.is_ascii()) {
            match c {
                '\u{3041}'..='\u{30ff}' | '\u{ff66}'..='\u{ff9f}' => kana += 1,
                '\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7ff}' => hangul += 1,
                '\u{3400}'..='\u{9fff}' => han += 1,
                '\u{900}'..='\u{97f}' => devanagari += 1,
                '\u{400}'..='\u{4ff}' => cyrillic += 1,
                _ => {}
            }
        }
        for word in text.unicode_words().filter(|word| !word.starts_with(script::is_unspaced)) {
            latin_words += 1;
            lower.clear();
            fold::push_lower(word, &mut lower);
            let stop = packs.roles(hash::hash(&lower)).stop;
            for (language, found) in found.iter_mut().enumerate() {
                *found += u32::from(stop >> language & 1);
            }
        }
        // A character of these scripts weighs as a word: a name in Latin letters does not make a Japanese message English.
        if kana + han + hangul > 0 && kana + han + hangul >= latin_words {
            return match () {
                () if kana > 0 => Self::JAPANESE,
                () if hangul >= han => Self::KOREAN,
                () => Self::CHINESE,
            };
        }
        let quarter = text.chars().count() / 4;
        if devanagari > quarter {
            return Self::HINDI;
        }
        if cyrillic > quarter {
            return Self::RUSSIAN;
        }
        let mut best = 0;
        for language in 1..found.len() {
            if found[language] > found[best] {
                best = language;
            }
        }
        Language(best as u8)
    }

    /// Whether a lower-case word says nothing about which tool is meant.
    pub(super) fn is_empty_word(self, plain: &str) -> bool {
        PACKS.roles(hash::hash(plain)).empty & self.mask() != 0
    }

    /// Whether a lower-case word joins two requests, as `and` and `then` do.
    pub(super) fn is_joining_word(self, plain: &str) -> bool {
        PACKS.roles(hash::hash(plain)).joining & self.mask() != 0
    }

    /// English is understood beside every language of another script.
    fn mask(self) -> u16 {
        1 << self.0 | u16::from(self.0 >= Self::RUSSIAN.0)
    }

    /// The word without an ending that leaves its meaning, at most one; the word itself where there is none.
    pub(super) fn stem(self, word: &str, into: &mut String) {
        into.clear();
        into.push_str(word);
        let pack = &PACKS.languages[self.0 as usize];
        for (ending, replacement, letters) in &pack.suffixes {
            let Some(rest) = word.strip_suffix(ending.as_str()) else { continue };
            if rest.chars().count() < *letters as usize || (word.is_ascii() && !rest.bytes().any(|b| b"aeiouy".contains(&b))) {
                continue;
            }
            into.truncate(rest.len());
            if self == Self::ENGLISH && matches!(ending.as_str(), "ing" | "ed") {
                undouble(into);
            }
            into.push_str(replacement);
            return;
        }
    }
}

/// `stopp` is `stop`, `writ` stays and meets `write`, which loses its `e` too.
fn undouble(word: &mut String) {
    let bytes = word.as_bytes();
    if let [.., a, b] = bytes
        && a == b
        && !b"lsz".contains(b)
    {
        word.pop();
    } else if word.ends_with('e') {
        word.pop();
    }
}

/// A language's file.
#[derive(Deserialize)]
struct Pack {
    language: String,
    joining_words: Vec<String>,
    stop_words: Vec<String>,
    request_words: Vec<String>,
    /// An ending, what takes its place, and the letters that must be left before it; longest first.
    suffixes: Vec<(String, String, u8)>,
}

/// What a word is, as a bit for each language.
#[derive(Clone, Copy, Default)]
struct Roles {
    stop: u16,
    empty: u16,
    joining: u16,
}

struct Packs {
    languages: Vec<Pack>,
    /// By the words' hashes. No hash map: that keeps no pointer to the beginning of its memory, and a leak checker takes it for lost when the
    /// program ends.
    words: Vec<(u64, Roles)>,
}

static PACKS: LazyLock<Packs> = LazyLock::new(Packs::read);

impl Packs {
    fn read() -> Self {
        let files = [
            include_str!("languages/en.json"),
            include_str!("languages/de.json"),
            include_str!("languages/fr.json"),
            include_str!("languages/es.json"),
            include_str!("languages/pt.json"),
            include_str!("languages/it.json"),
            include_str!("languages/nl.json"),
            include_str!("languages/ru.json"),
            include_str!("languages/ja.json"),
            include_str!("languages/zh.json"),
            include_str!("languages/ko.json"),
            include_str!("languages/hi.json"),
        ];
        let languages: Vec<Pack> = files.iter().map(|file| serde_json::from_str(file).expect("a built-in pack is well-formed")).collect();
        let mut words: Vec<(u64, Roles)> = Vec::new();
        for (place, pack) in languages.iter().enumerate() {
            assert_eq!(pack.language, Language::ALL[place]);
            let bit = 1 << place;
            let stop = pack.stop_words.iter().map(|word| (word, Roles { stop: bit, empty: bit, joining: 0 }));
            let request = pack.request_words.iter().map(|word| (word, Roles { stop: 0, empty: bit, joining: 0 }));
            let joining = pack.joining_words.iter().map(|word| (word, Roles { stop: bit, empty: bit, joining: bit }));
            words.extend(stop.chain(request).chain(joining).map(|(word, roles)| (hash::hash(word), roles)));
        }
        words.sort_unstable_by_key(|(hash, _)| *hash);
        words.dedup_by(|(later, roles), (first, all)| {
            let same = later == first;
            if same {
                all.stop |= roles.stop;
                all.empty |= roles.empty;
                all.joining |= roles.joining;
            }
            same
        });
        Packs { languages, words }
    }

    fn roles(&self, word: u64) -> Roles {
        self.words.binary_search_by_key(&word, |(hash, _)| *hash).map_or(Roles::default(), |at| self.words[at].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stem(language: Language, word: &str) -> String {
        let mut stem = String::new();
        language.stem(word, &mut stem);
        stem
    }

    #[test]
    fn a_language_is_guessed_by_script_and_function_words() {
        for (text, code) in [
            ("What is the weather in Berlin?", "en"),
            ("", "en"),
            ("get_user", "en"),
            ("Wie wird das Wetter morgen in Berlin?", "de"),
            ("Quel temps fera-t-il demain à Paris ?", "fr"),
            ("¿Qué tiempo hace mañana en Madrid?", "es"),
            ("Qual é a previsão do tempo para amanhã em Lisboa?", "pt"),
            ("Che tempo farà domani a Roma?", "it"),
            ("Wat voor weer wordt het morgen in Amsterdam?", "nl"),
            ("Какая завтра погода в Москве?", "ru"),
            ("GitHubのissueを検索してください", "ja"),
            ("请帮我查一下明天北京的天气", "zh"),
            ("내일 서울 날씨 알려줘", "ko"),
            ("कल दिल्ली में मौसम कैसा रहेगा?", "hi"),
            ("Translate 条例 into English for me please", "en"),
        ] {
            assert_eq!(Language::guess(text).code(), code, "{text}");
        }
    }

    #[test]
    fn every_pack_has_words_and_no_two_words_share_a_hash() {
        let packs = Packs::read();
        let mut all: Vec<&String> = Vec::new();
        for pack in &packs.languages {
            assert!(pack.stop_words.len() >= 100 && pack.request_words.len() >= 50, "{}", pack.language);
            all.extend(pack.stop_words.iter().chain(&pack.request_words).chain(&pack.joining_words));
        }
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), packs.words.len());
    }

    #[test]
    fn words_that_name_what_tools_do_are_empty_in_no_language() {
        for word in
            ["find", "search", "list", "show", "create", "send", "file", "mail", "datei", "fichier", "archivo", "天気", "天气", "날씨"]
        {
            for code in Language::ALL {
                assert!(!Language::of(code).unwrap().is_empty_word(word), "{code} {word}");
            }
        }
    }

    #[test]
    fn english_loses_ing_and_ed_and_nothing_more() {
        for (a, b) in [("running", "run"), ("stopped", "stop"), ("writing", "write"), ("listed", "list"), ("merging", "merge")] {
            assert_eq!(stem(Language::ENGLISH, a), stem(Language::ENGLISH, b), "{a} {b}");
        }
        for (a, b) in [("unreadable", "unread"), ("string", "str"), ("organization", "organ"), ("universe", "university")] {
            assert_ne!(stem(Language::ENGLISH, a), stem(Language::ENGLISH, b), "{a} {b}");
        }
    }

    #[test]
    fn endings_of_other_languages_go() {
        for (code, a, b) in [
            ("de", "tabellen", "tabelle"),
            ("fr", "fichiers", "fichier"),
            ("es", "archivos", "archivo"),
            ("pt", "arquivos", "arquivo"),
            ("it", "clienti", "cliente"),
            ("nl", "bestanden", "bestand"),
            ("ru", "файлами", "файлах"),
            ("ko", "날씨를", "날씨가"),
        ] {
            let language = Language::of(code).unwrap();
            assert_eq!(stem(language, a), stem(language, b), "{code} {a} {b}");
        }
    }
}
