//! How well a tool fits a message: BM25F over the tools' fields, with what is known of words, names, clauses and servers beside it.
//!
//! | module | job |
//! | --- | --- |
//! | `message` | a message as its words, clauses and quotations |
//! | `token_type`, `thesaurus`, `word_weights`, `word_tables` | what is known of words |
//! | `query` | a message and hints, ready to be compared |
//! | `document` | what of a tool is compared |
//! | `index` | all tools by their terms |
//! | `score`, `confidence` | the comparison, and what its number means |
//! | `explain` | why a tool has its score |
//! | `weights` | every number of it |
//! | `learning` | what making the tables anew takes |
//!
//! `docs/ranking.md` says where the tables come from and how all is measured.

mod confidence;
mod document;
mod explain;
pub(crate) mod hash;
mod index;
pub mod learning;
mod message;
mod query;
mod score;
mod stop;
mod thesaurus;
mod token_type;
mod weights;
mod word_tables;
mod word_weights;

pub(crate) use document::{ToolTerms, ToolText};
pub use explain::TermHit;
pub(crate) use index::Index;
pub(crate) use query::Query;
pub(crate) use stop::is_stop_word;
pub use weights::Weights;
pub use word_tables::WordTables;

#[cfg(test)]
mod tests;
