//! The calls on a session.

use super::{nothing, one_text, unknown_call, whole, within};
use crate::document::{Reader, parse_json};
use crate::error::{Code, Result};
use crate::limits;
use crate::overrides::CallContext;
use crate::session::{Session, TurnRequest, history_json};

/// The calls on a session, by name.
pub const SESSION_CALLS: [&str; 4] = ["turn", "check_call", "history", "save"];

impl Session {
    /// Runs one call: its name, a JSON request and what the callbacks get; answers JSON.
    ///
    /// # Errors
    /// Those of the call, and `invalid_request` for a name that is none.
    pub fn call(&mut self, name: &str, request: &str, context: CallContext) -> Result<String> {
        within(request)?;
        let request = whole(request);
        match name {
            "turn" => Ok(self.turn_with(&TurnRequest::from_json(request)?, context)?.to_json()),
            "check_call" => Ok(self.check_call(&one_text(request, "name")?).to_json()),
            "history" => Ok(history_json(&self.history(&names(request)?))),
            "save" => nothing(request).map(|()| self.save()),
            _ => Err(unknown_call(name, &SESSION_CALLS)),
        }
    }
}

/// A request with one key, a list of names.
fn names(request: &str) -> Result<Vec<String>> {
    let document = parse_json(request)?;
    let mut reader = Reader::new(Code::InvalidRequest);
    let fields = reader.object(&document, "", &["names"]);
    super::required(&mut reader, &fields, "names");
    let names = fields.texts(&mut reader, "names", limits::LIST_ITEMS);
    reader.finish(names)
}
