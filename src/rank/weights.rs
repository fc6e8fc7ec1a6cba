//! The numbers of the score, in one place.

use crate::document::{Node, Reader};

/// Declares the weights with their names, defaults and documentation.
macro_rules! weights {
    ($($(#[$about:meta])* $name:ident = $default:literal),+ $(,)?) => {
        /// Every number that a score depends on. `toolbroker eval --task ablation` says what the parts are worth.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub struct Weights {
            $($(#[$about])* pub $name: f64),+
        }

        impl Default for Weights {
            /// Plain numbers: one for a field or a word, two for the name, a half for what is only a part of something. `toolbroker eval --task fit` found
            /// none on the measured sets that does better by more than chance (`docs/ranking.md`).
            fn default() -> Self {
                Weights { $($name: $default),+ }
            }
        }

        impl Weights {
            /// The weights' names in JSON.
            pub const NAMES: &[&str] = &[$(stringify!($name)),+];

            /// One weight by its name.
            pub fn get(&self, name: &str) -> Option<f64> {
                match name {
                    $(stringify!($name) => Some(self.$name),)+
                    _ => None,
                }
            }

            /// One weight by its name, to be changed.
            pub fn get_mut(&mut self, name: &str) -> Option<&mut f64> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)+
                    _ => None,
                }
            }
        }
    };
}

weights! {
    /// A word of the name.
    name = 2.0,
    /// A word of the title.
    title = 1.0,
    /// A word of the description's first sentence.
    first_sentence = 1.0,
    /// A word of the rest of the description.
    description = 1.0,
    /// A word of a parameter's name.
    parameter_name = 1.0,
    /// A word of a parameter's description.
    parameter_description = 1.0,
    /// A word of the values that a parameter may take.
    parameter_value = 0.5,
    /// A word of a tag.
    tag = 0.5,
    /// A word of the server's name.
    server = 1.0,
    /// BM25's k1: how soon more of the same word stops counting.
    saturation = 1.2,
    /// BM25's b for descriptions and parameters: how much a long text counts less, from 0 to 1.
    length = 0.5,
    /// The same for names, servers and tags.
    name_length = 0.5,
    /// Two neighbouring words that stand side by side in a tool too.
    word_pair = 0.5,
    /// A word without its ending, where no tool has the word itself.
    stem = 0.5,
    /// A word that means the same, from `tables/synonyms.txt`.
    synonym = 0.5,
    /// A word of the topic that a word of the message belongs to, from `tables/topics.txt`.
    topic = 0.5,
    /// A word that a path, address or file ending calls for, from `tables/token_types.txt`.
    token_type = 0.5,
    /// Synonyms and topics that more than this share of all tools have are left out.
    common = 0.1,
    /// A word in quotes, or inside a path or address.
    quoted = 0.5,
    /// A word without a weight of its own in `tables/word_weights.txt`.
    unlisted_word = 1.0,
    /// More for a tool whose name's words are all in the message.
    name_coverage = 0.5,
    /// More for a tool that has every word of the message.
    message_coverage = 0.5,
    /// The share of the score that the best clause of the message gives, where it has several.
    clause = 0.5,
    /// How much a weak clause counts less.
    clause_evenness = 0.5,
    /// More for a tool whose server has other tools that fit: of the mean of its two best.
    server_prior = 0.5,
    /// Less for a tool that comes first for the descriptions of many others.
    hub = 0.5,
    /// The share of the score that the similarity of vectors gives, where there is an embedder, from 0 to 1.
    vector = 0.5,
    /// The similarity of vectors at which a tool is as likely right as wrong.
    vector_even_odds = 0.5,
    /// Tools without any word of the message that are counted beside those of the registry, so that scores mean the same in a small one.
    background = 60.0,
    /// The weighed score of a tool that is as likely right as wrong, for a message of words that say little; see `confidence`.
    even_odds = 20.0,
    /// The same for a short message, as times the worth of its words: a message of one word cannot reach more than a few times that.
    even_share = 2.0,
}

/// The largest value that a weight may have: 1 for a share of something.
fn most(name: &str) -> f64 {
    if matches!(name, "length" | "name_length" | "clause" | "vector" | "common") { 1.0 } else { 1000.0 }
}

impl Weights {
    /// Reads weights from an object of names and numbers; those that are absent stay as they are.
    pub(crate) fn read(&mut self, reader: &mut Reader, node: &Node, path: &str) {
        let fields = reader.object(node, path, Self::NAMES);
        for name in Self::NAMES {
            let Some(node) = fields.get(name) else { continue };
            let path = fields.at(name);
            match (reader.number(node, &path), self.get_mut(name)) {
                (Some(value), Some(weight)) if (0.0..=most(name)).contains(&value) => *weight = value,
                (Some(_), _) => reader.fault(node.mark, &path, format!("`{name}` is from 0 to {}", most(name)), None),
                (None, _) => {}
            }
        }
    }
}
