//! The simple score: how well a tool fits a message, by the words both have.

mod hash;
mod query;
mod stop;
mod terms;

pub(crate) use query::Query;
pub(crate) use stop::is_stop_word;
pub(crate) use terms::ToolTerms;

#[cfg(test)]
mod tests;
