//! What a failed call says.

use std::ffi::{CString, c_char};
use std::ptr;

use super::guard_or;
use crate::error::Error;

/// Why a call failed: a status, one line of text, and JSON with place, hint and all faults. It belongs to the caller of the failed call and depends
/// on nothing else. Immutable, so it may be read from several threads at once. Using it after tb_error_free() is the caller's fault and undefined.
pub struct tb_error {
    status: i32,
    message: CString,
    json: CString,
}

impl tb_error {
    pub(super) fn new(error: Error) -> Self {
        // Neither text holds a NUL: messages escape control characters, and so does JSON. Should one slip through, the text ends there.
        let c_string = |text: String| CString::new(text.split('\0').next().unwrap_or_default()).unwrap_or_default();
        tb_error { status: error.code.status(), message: c_string(error.to_string()), json: c_string(error.to_json()) }
    }
}

/// The status of the failed call.
///
/// Ownership: borrows `error`.
/// NULL: TB_OK for a NULL `error`.
/// Threads: any, also several at once.
/// Errors: none.
#[unsafe(no_mangle)]
pub extern "C" fn tb_error_status(error: Option<&tb_error>) -> i32 {
    guard_or(super::status::TB_ERR_PANIC, || error.map_or(super::status::TB_OK, |error| error.status))
}

/// What went wrong, in one line with place and hint, as text that ends with NUL.
///
/// Ownership: borrows `error`; the text lives as long as the error.
/// NULL: the empty text for a NULL `error`; never NULL itself.
/// Threads: any, also several at once.
/// Errors: none.
#[unsafe(no_mangle)]
pub extern "C" fn tb_error_message(error: Option<&tb_error>) -> *const c_char {
    guard_or(c"".as_ptr(), || error.map_or(c"".as_ptr(), |error| error.message.as_ptr()))
}

/// The error as JSON: code, message, place, hint, every fault; docs/contract.md describes it. Text that ends with NUL.
///
/// Ownership: borrows `error`; the text lives as long as the error.
/// NULL: the text "null" for a NULL `error`; never NULL itself.
/// Threads: any, also several at once.
/// Errors: none.
#[unsafe(no_mangle)]
pub extern "C" fn tb_error_json(error: Option<&tb_error>) -> *const c_char {
    guard_or(c"null".as_ptr(), || error.map_or(c"null".as_ptr(), |error| error.json.as_ptr()))
}

/// Frees an error.
///
/// Ownership: takes `error`.
/// NULL: does nothing.
/// Threads: any, while no other thread uses this error.
/// Errors: none.
#[unsafe(no_mangle)]
pub extern "C" fn tb_error_free(error: Option<Box<tb_error>>) {
    guard_or((), || drop(error));
}

/// The name of a status, such as "invalid_rule": static text that ends with NUL, "ok" for TB_OK, "unknown" for a number that is none.
///
/// Ownership: the text is static and never freed.
/// NULL: takes no pointer; never NULL itself.
/// Threads: any, also several at once.
/// Errors: none.
#[unsafe(no_mangle)]
pub extern "C" fn tb_status_name(status: i32) -> *const c_char {
    use super::status::*;
    guard_or(c"unknown".as_ptr(), || {
        match status {
            TB_OK => c"ok",
            TB_ERR_PANIC => c"panic",
            TB_ERR_NULL_ARGUMENT => c"null_argument",
            TB_ERR_INVALID_UTF8 => c"invalid_utf8",
            TB_ERR_INVALID_JSON => c"invalid_json",
            TB_ERR_INVALID_YAML => c"invalid_yaml",
            TB_ERR_INVALID_REQUEST => c"invalid_request",
            TB_ERR_INVALID_OPTIONS => c"invalid_options",
            TB_ERR_INVALID_RULE => c"invalid_rule",
            TB_ERR_INVALID_INTENTS => c"invalid_intents",
            TB_ERR_INVALID_HINTS => c"invalid_hints",
            TB_ERR_INVALID_TOOL => c"invalid_tool",
            TB_ERR_TOO_LARGE => c"too_large",
            TB_ERR_TOO_DEEP => c"too_deep",
            TB_ERR_IO => c"io",
            TB_ERR_CALLBACK => c"callback",
            TB_ERR_STOPPED => c"stopped",
            _ => c"unknown",
        }
        .as_ptr()
    })
}

/// Writes NULL where an error will go, so that a caller need not.
///
/// # Safety
/// `error` is NULL or can be written.
pub(super) unsafe fn reset(error: *mut *mut tb_error) {
    // SAFETY: as this function's.
    unsafe { super::clear(error, ptr::null_mut()) };
}
