use super::Node; use crate::error::Result; pub(crate) fn parse(_: &str) -> Result<Option<Node>> { Err(crate::error::Error::new(crate::error::Code::InvalidHints, "stub")) }
