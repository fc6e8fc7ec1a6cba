//! toolbroker is the tool layer of a chat client. It holds every tool of every MCP server that a client talks to, and decides, turn by turn, which
//! of them the model gets to see, in which order and at what cost in tokens; and says why.
//!
//! ```
//! use toolbroker::{Broker, Options, SelectRequest};
//!
//! let broker = Broker::new(Options::standard());
//! broker.add_tools("make", r#"[{"name": "build_all", "description": "Builds everything."},
//!                              {"name": "clean", "description": "Removes what was built."}]"#)?;
//! let selection = broker.select(&SelectRequest::for_message("please build it"))?;
//! let names: Vec<_> = selection.tools().map(|tool| tool.id().to_string()).collect();
//! assert_eq!(names, ["make/build_all", "make/clean"]);
//! # Ok::<(), toolbroker::Error>(())
//! ```
//!
//! What a request means, what an answer holds and what an error says stands in `docs/contract.md`. The way of the data:
//!
//! | module | job |
//! | --- | --- |
//! | `document` | a text becomes a tree that knows where each value stands |
//! | `tool` | a tool, and the forms it is read from |
//! | `registry` | all tools, live, as immutable snapshots |
//! | `rules` | rules: read, checked, compiled |
//! | `intent`, `words`, `rank` | what a message is for, its words, and how well a tool fits it |
//! | `ranking` | the tools that fit a message, best first |
//! | `embedding` | vectors by the host's own model |
//! | `budget` | what tools cost |
//! | `pins` | tools that are to stay |
//! | `select` | the selection: rules, rank, pins, budget, explanation |
//! | `session` | the list of one conversation, turn by turn |
//! | `hints`, `overrides` | guidance per tool, and the Markdown made of it |
//! | `discover` | the plain search functions of the replaced package |
//! | `go` | how Go reads and writes, for profile `go-0.2` |
//! | `broker`, `requests` | the pieces put together, for Rust and as JSON |
//! | `ffi` | the C ABI; the only unsafe code |

#![deny(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![warn(missing_docs)]

mod broker;
mod budget;
mod discover;
mod document;
mod embedding;
mod error;
#[allow(unsafe_code)]
mod ffi;
mod go;
mod hints;
mod intent;
mod json;
pub mod limits;
mod options;
mod overrides;
mod pins;
mod rank;
mod ranking;
mod registry;
mod requests;
mod rules;
mod select;
mod session;
mod tool;
mod words;

pub use broker::{Broker, BrokerBuilder, IntentMode, Logger};
pub use budget::{DEFAULT_CONTEXT_WINDOW_TOKENS, DEFAULT_TOKEN_BUDGET_SHARE};
pub use discover::MIN_KEYWORD_SCORE;
pub use embedding::Embedder;
pub use error::{Code, Error, Place, Result};
pub use hints::Hints;
pub use intent::Intent;
pub use options::{
    AnswerKeys, BadTools, BudgetCut, Decision, EnricherAsks, Identity, IntentNames, LimitsHeld, MessageIntent, Options, Order, Patterns,
    Phrases, Profile, RequestHints, RuleReading, ToolJson,
};
pub use overrides::{CallContext, Enricher, NopEnricher};
pub use pins::{Pins, StandingPins};
pub use rank::{TermHit, Weights};
#[doc(hidden)]
pub use rank::{WordTables, learning};
pub use ranking::{DEFAULT_TOP, RankRequest, Ranked, Ranking};
pub use registry::{Report, ReportWarning};
pub use requests::{BROKER_CALLS, SESSION_CALLS, call, default_rules};
pub use rules::{Action, EmptyInclude, Match, Rule, RuleFormat};
pub use select::{Budget, By, Cuts, Explanation, Fate, RuleWork, SelectRequest, Selection, ToolFate, Warning};
pub use session::{
    Against, Allow, CallCheck, Dropped, OwnTools, PastTool, Policy, Prefix, Session, SessionOptions, Turn, TurnCuts, TurnRequest, Why,
};
pub use tool::{Annotations, Refusal, Tool, ToolId};
pub use words::Language;

/// The library's version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The number of the C ABI. It changes when a program that was built against it would break.
pub const ABI: u32 = ffi::TB_ABI_VERSION;
