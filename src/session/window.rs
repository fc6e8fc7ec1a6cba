//! The last messages of a conversation, and how well tools fit them together.

use crate::embedding::similarities;
use crate::options::{Options, RequestHints};
use crate::rank::{Query, WordTables};
use crate::registry::Snapshot;
use crate::words::Language;

/// One message.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Said {
    pub message: String,
    pub hints: Vec<String>,
    pub language: Option<Language>,
    /// By the host's embedder. It is not saved: a restored session asks for it again.
    pub vector: Option<Vec<f32>>,
}

impl Said {
    pub fn query<'t>(&self, options: &Options, tables: &'t WordTables) -> Query<'t> {
        let hints: &[String] = if options.hints == RequestHints::Raise { &self.hints } else { &[] };
        Query::new(&self.message, hints, self.language, &options.ranking, tables)
    }
}

/// How well each tool fits, in the order of (server, name).
pub(super) struct Scores {
    /// From 0 to 1.
    pub total: Vec<f64>,
    /// What of that the messages before the last one add.
    pub before: Vec<f64>,
}

/// The scores of the visible tools. A message counts as much as it says: what the messages before it add is weighed by `decay`, and by how much the
/// best score leaves open. So an assent leaves all to the message before, and a message that names its tool leaves nothing.
pub(super) fn scores(
    window: &[Said],
    decay: f64,
    snapshot: &Snapshot,
    options: &Options,
    tables: &WordTables,
    visible: impl Fn(usize) -> bool,
) -> Option<Scores> {
    let index = snapshot.index(&options.ranking);
    let by_id = snapshot.tools_by_id();
    let mut scores: Option<Scores> = None;
    for said in window {
        let query = said.query(options, tables);
        let near = said.vector.as_ref().map(|vector| similarities(&by_id, vector));
        if query.is_empty() && near.is_none() && scores.is_none() {
            continue;
        }
        let own = index.scores(&query, near.as_deref(), &visible);
        let open = 1.0 - own.iter().copied().fold(0.0, f64::max);
        let before: Vec<f64> = match scores {
            Some(earlier) => earlier.total.iter().map(|score| rounded(decay * open * score)).collect(),
            None => vec![0.0; own.len()],
        };
        let total = own.iter().zip(&before).map(|(own, before)| rounded((own + before).min(1.0))).collect();
        scores = Some(Scores { total, before });
    }
    scores
}

/// To the places that scores have.
fn rounded(score: f64) -> f64 {
    (score * 1e6).round() / 1e6
}
