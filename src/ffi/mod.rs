//! The C ABI. The only unsafe code of the library; `docs/c-api.md` has the conventions that hold for every function here.
//!
//! Every entry runs inside [`guard`], so that a panic becomes a status. Ownership stands in the signatures: `Option<Box<T>>` takes a handle,
//! `Option<&T>` borrows one, and both are NULL-able pointers in C.

// The names are C's.
#![allow(non_camel_case_types)]

mod broker;
mod buffer;
mod builder;
mod callback;
mod error;
mod library;
#[cfg(feature = "test-panic")]
mod panic_test;
mod status;

use std::any::Any;
use std::ffi::{c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::{Code, Error, Result};
use crate::limits;
use error::tb_error;
pub(crate) use status::TB_ABI_VERSION;
use status::TB_OK;

/// Runs the body of an entry: its result becomes a status, its error goes to the caller's pointer, a panic becomes an error like any other.
///
/// # Safety
/// `error` is NULL or can be written.
unsafe fn guard(error: *mut *mut tb_error, body: impl FnOnce() -> Result<()>) -> i32 {
    let result = catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|payload| Err(panicked(payload)));
    match result {
        Ok(()) => TB_OK,
        Err(failure) => {
            let status = failure.code.status();
            if !error.is_null() {
                // SAFETY: the caller gave a pointer that can be written.
                unsafe { error.write(Box::into_raw(Box::new(tb_error::new(failure)))) };
            }
            status
        }
    }
}

/// Runs the body of an entry that has no status; after a panic it answers `fallback`.
fn guard_or<T>(fallback: T, body: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|payload| {
        panicked(payload);
        fallback
    })
}

fn panicked(payload: Box<dyn Any + Send>) -> Error {
    let text = match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (_, Some(text)) => text.clone(),
        _ => "no text".to_owned(),
    };
    // A payload may panic when it is dropped.
    std::mem::forget(payload);
    Error::new(Code::Panic, format!("a fault of the library: {text}"))
}

/// The one place where a pointer and a length become text: NULL with 0 is empty, NULL with more is an error, lengths are checked before the
/// memory is touched.
///
/// # Safety
/// Unless `data` is NULL, `len` bytes can be read there and stay as they are for `'a`.
unsafe fn text<'a>(data: *const c_char, len: usize, name: &str) -> Result<&'a str> {
    if len > limits::INPUT_BYTES {
        return Err(Error::new(Code::TooLarge, format!("{name}: {len} bytes, the limit is {}", limits::INPUT_BYTES)));
    }
    if data.is_null() {
        return if len == 0 { Ok("") } else { Err(null(name)) };
    }
    // SAFETY: not NULL, and by contract `len` bytes can be read; the limit is far below isize::MAX.
    let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), len) };
    std::str::from_utf8(bytes).map_err(|error| Error::new(Code::InvalidUtf8, format!("{name}: not UTF-8 at byte {}", error.valid_up_to())))
}

fn null(name: &str) -> Error {
    Error::new(Code::NullArgument, format!("{name} is NULL"))
}

/// An out-parameter that must be there, set to `empty` before anything can fail.
///
/// # Safety
/// `out` is NULL or can be written.
unsafe fn clear<T>(out: *mut T, empty: T) {
    if !out.is_null() {
        // SAFETY: not NULL, so it can be written.
        unsafe { out.write(empty) };
    }
}

/// What the host handed to a call for its callbacks.
struct CallPointer(*mut c_void);
