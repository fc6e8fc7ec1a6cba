//! The worked cases and the vectors, in this process and through C.

mod cases;
#[path = "../common/mod.rs"]
mod common;
mod schemas;
mod vectors;
