//! Sessions: the list of tools of one conversation, which changes as little as it can.
//!
//! Data flows `window` → `turn` → `plan` → `list` → `answer`: what was said lately, what fits it, what comes in and goes, the bytes, the answer.

mod answer;
mod explanation;
mod gate;
mod list;
mod options;
mod plan;
mod request;
mod state;
mod turn;
mod window;

use std::collections::BTreeSet;
use std::sync::Arc;

pub use answer::{Dropped, Turn, Why};
pub use gate::{Against, CallCheck, PastTool};
pub use list::Prefix;
pub use options::{Allow, OwnTools, Policy, SessionOptions};
pub use plan::TurnCuts;
pub use request::TurnRequest;

use crate::broker::Broker;
use crate::error::Result;
use crate::overrides::CallContext;
use crate::tool::ToolId;
use list::Shown;
use window::Said;

pub(crate) use gate::history_json;

/// What a session knows between two turns.
#[derive(Debug, Clone)]
struct State {
    options: SessionOptions,
    /// How many turns there were.
    turn: u64,
    /// The last messages, oldest first.
    window: Vec<Said>,
    /// The intents of the last turn.
    intents: Arc<[String]>,
    list: Vec<Shown>,
    /// Which tools of the list the last turn allowed.
    allowed: Vec<ToolId>,
    /// Tools that were in the list once and are not now.
    past: BTreeSet<ToolId>,
}

/// The tool list of one conversation. What was shown stays, byte for byte and in its order, so that the provider's prompt cache holds; `docs/sessions.md`
/// tells when it does not.
///
/// A session sees the broker as it is at each turn: tools and rules that come and go there come and go here.
pub struct Session {
    broker: Arc<Broker>,
    state: State,
}

impl Session {
    /// A conversation that begins.
    pub fn new(broker: Arc<Broker>, options: SessionOptions) -> Self {
        let state = State {
            options,
            turn: 0,
            window: Vec::new(),
            intents: Arc::default(),
            list: Vec::new(),
            allowed: Vec::new(),
            past: BTreeSet::new(),
        };
        Session { broker, state }
    }

    /// A conversation that begins, or goes on where a saved one stood; options as JSON, with what [`Session::save`] gave under `state`. Options
    /// that are given beside a state take the place of the saved ones.
    ///
    /// # Errors
    /// `invalid_json`, or `invalid_request` with every fault and its place.
    pub fn from_json(broker: Arc<Broker>, text: &str) -> Result<Self> {
        Ok(Session { broker, state: state::from_json(text)? })
    }

    /// The broker that it was made from.
    pub fn broker(&self) -> &Arc<Broker> {
        &self.broker
    }

    /// Its options, with the last turn's budget.
    pub fn options(&self) -> &SessionOptions {
        &self.state.options
    }

    /// Takes what happened, and answers the list to send now.
    ///
    /// # Errors
    /// `stopped`, where the enricher or the embedder asks for it; the session is then as before.
    pub fn turn(&mut self, request: &TurnRequest) -> Result<Turn> {
        self.turn_with(request, None)
    }

    /// Takes a turn, handing a value to the callbacks.
    ///
    /// # Errors
    /// As [`Session::turn`].
    pub fn turn_with(&mut self, request: &TurnRequest, context: CallContext) -> Result<Turn> {
        let (state, turn) = turn::turn(&self.broker, &self.state, request, context)?;
        self.state = state;
        Ok(turn)
    }

    /// Whether the model may call a tool now: by the list of the last turn, and by the tools and rules of this moment.
    pub fn check_call(&self, name: &str) -> CallCheck {
        gate::check_call(&self.broker, &self.state, name)
    }

    /// Which of these tools, named in the conversation's past, are not in the list now, once each, in the order in which they are named.
    pub fn history<T: AsRef<str>>(&self, names: &[T]) -> Vec<PastTool> {
        gate::history(&self.broker, &self.state, names)
    }

    /// The session as JSON, for [`Session::from_json`]. It holds the last messages and the names of tools, no definitions.
    pub fn save(&self) -> String {
        state::to_json(&self.state)
    }
}
