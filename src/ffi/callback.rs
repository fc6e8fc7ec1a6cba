//! The host's functions, as the library calls them.

use std::collections::BTreeMap;
use std::ffi::{c_char, c_void};

use super::status::{TB_OK, TB_PASS, TB_STOP};
use super::{CallPointer, guard, text};
use crate::broker::Logger;
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
