//! The host's functions, as the library calls them.

use std::collections::BTreeMap;
use std::ffi::{c_char, c_void};

use super::status::{TB_OK, TB_PASS, TB_STOP};
use super::{CallPointer, guard, text};
use crate::broker::Logger;
use crate::embedding::Embedder;
use crate::error::{Code, Error, Result};
use crate::hints::Hints;
use crate::json::{Entries, items};
use crate::limits;
use crate::options::EnricherAsks;
use crate::overrides::{CallContext, Enricher};
use crate::tool::ToolId;

/// Takes a callback's answer. It belongs to the library and is valid only while the callback that was handed it runs. One thread at a time.
pub struct tb_writer {
    bytes: Vec<u8>,
}

/// Appends text to a callback's answer. The bytes are copied. What is written must be UTF-8 as a whole, not in each piece.
///
/// Ownership: borrows `writer` and `data`.
/// NULL: TB_ERR_NULL_ARGUMENT for a NULL `writer`, or a NULL `data` with a length; NULL with 0 appends nothing.
/// Threads: the one that runs the callback.
/// Errors: TB_ERR_TOO_LARGE over the limit `input_bytes`; there is no error object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_writer_write(writer: Option<&mut tb_writer>, data: *const c_char, len: usize) -> i32 {
    // SAFETY: NULL takes no error; `data` is by contract readable for `len` bytes.
    unsafe {
        guard(std::ptr::null_mut(), || {
            let writer = writer.ok_or_else(|| super::null("writer"))?;
            if len > limits::INPUT_BYTES - writer.bytes.len() {
                return Err(Error::new(Code::TooLarge, "a callback's answer"));
            }
            if data.is_null() {
                return if len == 0 { Ok(()) } else { Err(super::null("data")) };
            }
            writer.bytes.extend_from_slice(std::slice::from_raw_parts(data.cast::<u8>(), len));
            Ok(())
        })
    }
}

/// A host's pointer and how it is freed: once, when the last that holds it goes.
pub(super) struct Context {
    pub pointer: *mut c_void,
    pub free: Option<unsafe extern "C" fn(ctx: *mut c_void)>,
}

// SAFETY: the host promises at registration that its callbacks and their context may be used from every thread that calls the broker.
unsafe impl Send for Context {}
// SAFETY: as above.
unsafe impl Sync for Context {}

impl Drop for Context {
    fn drop(&mut self) {
        if let Some(free) = self.free {
            // SAFETY: the host gave this pair; a drop happens once.
            unsafe { free(self.pointer) };
        }
    }
}

fn call_pointer(context: CallContext) -> *mut c_void {
    context.and_then(|any| any.downcast_ref::<CallPointer>()).map_or(std::ptr::null_mut(), |pointer| pointer.0)
}

pub(super) type EnricherFunction = unsafe extern "C" fn(
    ctx: *mut c_void,
    call_ctx: *mut c_void,
    request: *const c_char,
    request_len: usize,
    writer: *mut tb_writer,
) -> i32;

/// A host's enricher.
pub(super) struct HostEnricher {
    pub function: EnricherFunction,
    pub context: Context,
    pub asks: EnricherAsks,
}

impl Enricher for HostEnricher {
    fn lookup(&self, context: CallContext, tools: &[ToolId]) -> Result<Vec<Option<Hints>>> {
        let request = request(tools, self.asks);
        let mut writer = tb_writer { bytes: Vec::new() };
        // SAFETY: the host's function with the host's context; the request and the writer outlive the call.
        let status =
            unsafe { (self.function)(self.context.pointer, call_pointer(context), request.as_ptr().cast(), request.len(), &mut writer) };
        match status {
            TB_OK => answer(&writer.bytes, tools.len()),
            TB_PASS => Ok(vec![None; tools.len()]),
            TB_STOP => Err(Error::new(Code::Stopped, "the enricher asked to stop")),
            status => {
                let text = String::from_utf8_lossy(&writer.bytes);
                let message = if text.is_empty() { format!("the enricher answered {status}") } else { text.into_owned() };
                Err(Error { callback_status: Some(status), ..Error::new(Code::Callback, message) })
            }
        }
    }
}

/// `{"tools":[{"server":…,"name":…}]}`, or with names alone.
fn request(tools: &[ToolId], asks: EnricherAsks) -> String {
    let list = match asks {
        EnricherAsks::Pairs => serde_json::to_string(tools),
        EnricherAsks::Names => serde_json::to_string(&tools.iter().map(|id| BTreeMap::from([("name", &id.name)])).collect::<Vec<_>>()),
    };
    format!("{{\"tools\":{}}}", list.expect("identities are plain data"))
}

/// Reads `{"hints":[{…} or null, …]}`; nothing written at all is no hints.
fn answer(bytes: &[u8], wanted: usize) -> Result<Vec<Option<Hints>>> {
    if bytes.is_empty() {
        return Ok(vec![None; wanted]);
    }
    let bad = |message: String| Error::new(Code::Callback, format!("the enricher's answer: {message}"));
    // SAFETY: the slice is ours.
    let answer = unsafe { text(bytes.as_ptr().cast(), bytes.len(), "text") }.map_err(|error| bad(error.message))?;
    let list = Entries::read(answer).map_err(|error| bad(error.message))?.get("hints").ok_or_else(|| bad("no `hints`".to_owned()))?;
    items(list)
        .map_err(|_| bad("`hints` is no list".to_owned()))?
        .into_iter()
        .map(|raw| if raw == "null" { Ok(None) } else { crate::go::hints(raw).map(Some).map_err(|error| bad(error.message)) })
        .collect()
}

/// Takes a callback's vectors. It belongs to the library and is valid only while the callback that was handed it runs. One thread at a time.
pub struct tb_vectors {
    vectors: Vec<Vec<f32>>,
    error: Option<String>,
    /// How many are wanted.
    wanted: usize,
}

/// Appends a vector of `count` values: the next text's. The values are copied.
///
/// Ownership: borrows `vectors` and `values`.
/// NULL: TB_ERR_NULL_ARGUMENT for a NULL `vectors`, or NULL `values` with a count.
/// Threads: the one that runs the callback.
/// Errors: TB_ERR_TOO_LARGE for more values than the limit `vector_values`, or more vectors than texts; there is no error object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_vectors_push(vectors: Option<&mut tb_vectors>, values: *const f32, count: usize) -> i32 {
    // SAFETY: NULL takes no error; `values` is by contract readable for `count` values.
    unsafe {
        guard(std::ptr::null_mut(), || {
            let vectors = vectors.ok_or_else(|| super::null("vectors"))?;
            if count > limits::VECTOR_VALUES || vectors.vectors.len() == vectors.wanted {
                return Err(Error::new(Code::TooLarge, "a callback's vectors"));
            }
            if values.is_null() && count > 0 {
                return Err(super::null("values"));
            }
            let values = if count == 0 { &[] } else { std::slice::from_raw_parts(values, count) };
            vectors.vectors.push(values.to_vec());
            Ok(())
        })
    }
}

/// Says why there are no vectors: the text of the error that the callback's negative number becomes. The bytes are copied; a later text replaces it.
///
/// Ownership: borrows `vectors` and `message`.
/// NULL: TB_ERR_NULL_ARGUMENT for a NULL `vectors`, or a NULL `message` with a length.
/// Threads: the one that runs the callback.
/// Errors: TB_ERR_TOO_LARGE over the limit `input_bytes`; there is no error object. What is not UTF-8 is shown as U+FFFD.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_vectors_explain(vectors: Option<&mut tb_vectors>, message: *const c_char, len: usize) -> i32 {
    // SAFETY: NULL takes no error; `message` is by contract readable for `len` bytes.
    unsafe {
        guard(std::ptr::null_mut(), || {
            let vectors = vectors.ok_or_else(|| super::null("vectors"))?;
            if len > limits::INPUT_BYTES {
                return Err(Error::new(Code::TooLarge, "a callback's message"));
            }
            if message.is_null() && len > 0 {
                return Err(super::null("message"));
            }
            let bytes = if len == 0 { &[] } else { std::slice::from_raw_parts(message.cast::<u8>(), len) };
            vectors.error = Some(String::from_utf8_lossy(bytes).into_owned());
            Ok(())
        })
    }
}

pub(super) type EmbedderFunction = unsafe extern "C" fn(
    ctx: *mut c_void,
    call_ctx: *mut c_void,
    request: *const c_char,
    request_len: usize,
    vectors: *mut tb_vectors,
) -> i32;

/// A host's embedder.
pub(super) struct HostEmbedder {
    pub function: EmbedderFunction,
    pub context: Context,
}

impl Embedder for HostEmbedder {
    fn embed(&self, context: CallContext, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        let request = serde_json::json!({ "texts": texts }).to_string();
        let mut vectors = tb_vectors { vectors: Vec::with_capacity(texts.len()), error: None, wanted: texts.len() };
        // SAFETY: the host's function with the host's context; the request and the vectors outlive the call.
        let status =
            unsafe { (self.function)(self.context.pointer, call_pointer(context), request.as_ptr().cast(), request.len(), &mut vectors) };
        match status {
            TB_OK => Ok(vectors.vectors),
            TB_STOP => Err(Error::new(Code::Stopped, "the embedder asked to stop")),
            status => {
                let message = vectors.error.filter(|text| !text.is_empty()).unwrap_or_else(|| format!("the embedder answered {status}"));
                Err(Error { callback_status: Some(status), ..Error::new(Code::Callback, message) })
            }
        }
    }
}

pub(super) type LoggerFunction = unsafe extern "C" fn(ctx: *mut c_void, call_ctx: *mut c_void, message: *const c_char, message_len: usize);

/// A host's logger.
pub(super) struct HostLogger {
    pub function: LoggerFunction,
    pub context: Context,
}

impl Logger for HostLogger {
    fn warn(&self, context: CallContext, message: &str) {
        // SAFETY: the host's function with the host's context; the message outlives the call.
        unsafe { (self.function)(self.context.pointer, call_pointer(context), message.as_ptr().cast(), message.len()) };
    }
}
