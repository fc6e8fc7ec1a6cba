pub mod error;
pub mod limits;
mod document;
