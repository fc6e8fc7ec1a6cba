//! Scripts that are written without spaces between words, or that glue endings to them.

use super::Language;

/// Whether words of this character's script are found by characters and pairs: Han, Kana, Hangul and Thai, and Lao, Khmer and Myanmar, which
/// have no spaces either.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{eff}' // Thai, Lao
        | '\u{1000}'..='\u{109f}' // Myanmar
        | '\u{1100}'..='\u{11ff}' | '\u{a960}'..='\u{a97f}' | '\u{ac00}'..='\u{d7ff}' // Hangul
        | '\u{1780}'..='\u{17d3}' // Khmer
        | '\u{3005}'..='\u{3007}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}' // Han
        | '\u{3041}'..='\u{309f}' | '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' // Kana
    ) && !matches!(c, '\u{e2f}' | '\u{e3f}' | '\u{e4f}' | '\u{e5a}' | '\u{e5b}' | '\u{104a}'..='\u{104f}')
}

/// The language whose lists a run is read with: its script's, or where Han alone leaves it open the text's.
pub(super) fn language_of_run(run: &str, text: Language) -> Language {
    match run.chars().next() {
        Some('\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7ff}') => Language::KOREAN,
        _ if run.contains(|c| matches!(c, '\u{3041}'..='\u{30ff}')) => Language::JAPANESE,
        _ if text == Language::JAPANESE => Language::JAPANESE,
        _ => Language::CHINESE,
    }
}

/// Characters that choose a glyph or allow a line break and say nothing else.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0100}'..='\u{e01ef}')
}
