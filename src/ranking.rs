//! A ranking: the tools that fit a message, best first, whatever rules and budget say.

use std::sync::Arc;

use crate::document::{Fields, Reader, parse_json};
use crate::error::{Code, Result};
use crate::json::{push_entry, push_text_entry, to_json};
use crate::limits;
use crate::options::Options;
use crate::rank::{Query, TermHit, WordTables};
use crate::registry::Snapshot;
use crate::select::{Warning, language, min_score};
use crate::tool::{Tool, ToolId};
use crate::words::Language;

/// A rank request; `docs/contract.md` says what each part means.
#[derive(Debug, Clone, PartialEq)]
pub struct RankRequest {
    /// What the user wrote.
    pub message: String,
    /// Words, tool names and tags to raise.
    pub hints: Vec<String>,
    /// At most this many tools.
    pub top: usize,
    /// From 0 to 1: tools with less are left out.
    pub min_score: f64,
    /// The message's language; `None`: guessed.
    pub language: Option<Language>,
    /// Whether to say what each tool was found by.
    pub explain: bool,
    /// Whether the answer's JSON names tools by their places in the order of registration, from 0.
    pub indices: bool,
}

/// How many tools a ranking has where the request does not say.
pub const DEFAULT_TOP: usize = 20;

impl Default for RankRequest {
    fn default() -> Self {
        RankRequest {
            message: String::new(),
            hints: Vec::new(),
            top: DEFAULT_TOP,
            min_score: 0.0,
            language: None,
            explain: false,
            indices: false,
        }
    }
}

impl RankRequest {
    /// A request for what a user wrote.
    pub fn for_message(message: impl Into<String>) -> Self {
        RankRequest { message: message.into(), ..Self::default() }
    }

    /// Reads a request from a JSON object.
    ///
    /// # Errors
    /// `invalid_json`, or `invalid_request` with every fault and its place.
    pub fn from_json(text: &str) -> Result<Self> {
        let document = parse_json(text)?;
        let mut reader = Reader::new(Code::InvalidRequest);
        let keys = ["message", "hints", "top", "min_score", "language", "explain", "indices"];
        let fields = reader.object(&document, "", &keys);
        let request = RankRequest {
            message: fields.text(&mut reader, "message").unwrap_or_default(),
            hints: fields.texts(&mut reader, "hints", limits::LIST_ITEMS),
            top: top(&mut reader, &fields).unwrap_or(DEFAULT_TOP),
            min_score: min_score(&mut reader, &fields).unwrap_or(0.0),
            language: language(&mut reader, &fields),
            explain: fields.is_true(&mut reader, "explain"),
            indices: fields.is_true(&mut reader, "indices"),
        };
        reader.finish(request)
    }
}

fn top(reader: &mut Reader, fields: &Fields) -> Option<usize> {
    let node = fields.get("top")?;
    let top = reader.integer(node, "top")?;
    if top < 0 {
        reader.fault(node.mark, "top", "out of range", Some("not below 0".to_owned()));
    }
    usize::try_from(top).ok()
}

/// The tools that have anything of what is asked for, best first.
#[derive(Debug)]
pub struct Ranking {
    snapshot: Arc<Snapshot>,
    as_indices: bool,
    /// The language that the message was read in.
    pub language: Language,
    /// The tools.
    pub tools: Vec<Ranked>,
    /// What the host should know.
    pub warnings: Vec<Warning>,
}

/// One tool of a ranking.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// Its place in the order of registration.
    pub index: usize,
    /// How well it fits, from 0 to 1.
    pub score: f64,
    /// What it was found by, where that was asked for.
    pub terms: Option<Vec<TermHit>>,
}

impl Ranking {
    /// The tool of one of [`Ranking::tools`].
    pub fn tool(&self, ranked: &Ranked) -> &Tool {
        &self.snapshot.tools[ranked.index]
    }

    /// The answer as JSON.
    pub fn to_json(&self) -> String {
        let mut out = String::from("{\"tools\":[");
        for (at, ranked) in self.tools.iter().enumerate() {
            out.push_str(if at > 0 { ",{" } else { "{" });
            if self.as_indices {
                push_entry(&mut out, "index", &ranked.index.to_string());
            } else {
                let ToolId { server, name } = self.tool(ranked).id();
                push_text_entry(&mut out, "server", server);
                push_text_entry(&mut out, "name", name);
            }
            push_entry(&mut out, "score", &to_json(&ranked.score));
            if let Some(terms) = &ranked.terms {
                push_entry(&mut out, "terms", &to_json(terms));
            }
            out.push('}');
        }
        out.push(']');
        push_text_entry(&mut out, "language", self.language.code());
        if !self.warnings.is_empty() {
            push_entry(&mut out, "warnings", &to_json(&self.warnings));
        }
        out.push('}');
        out
    }
}

/// Ranks the tools of one state.
pub(crate) fn rank(
    snapshot: Arc<Snapshot>,
    options: &Options,
    tables: &WordTables,
    request: &RankRequest,
    similarities: Option<&[f32]>,
) -> Ranking {
    let query = Query::new(&request.message, &request.hints, request.language, &options.ranking, tables);
    let index = snapshot.index(&options.ranking);
    let mut best = index.best(&query, similarities, request.top);
    best.retain(|(_, score)| *score >= request.min_score);
    let tools = best.into_iter().map(|(place, score)| {
        let tool = snapshot.by_id[place] as usize;
        let terms = request.explain.then(|| index.hits(&query, place, snapshot.tools[tool].terms()));
        Ranked { index: tool, score, terms }
    });
    let tools = tools.collect();
    let mut warnings = Vec::new();
    warnings.extend(query.cut.then(crate::select::long_message));
    Ranking { tools, language: query.language, as_indices: request.indices, warnings, snapshot }
}
