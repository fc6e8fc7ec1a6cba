//! Making a broker: options and callbacks, then nothing of them changes.

use std::ffi::{c_char, c_void};
use std::ptr;

use super::broker::tb_broker;
use super::callback::{Context, HostEmbedder, HostEnricher, HostLogger, tb_vectors, tb_writer};
use super::error::{reset, tb_error};
use super::{clear, guard, guard_or, null, text};
use crate::broker::{Broker, BrokerBuilder};
use crate::error::{Code, Error};
use crate::options::Options;

/// What a broker will be made of. One thread at a time. Using it after tb_builder_build() or tb_builder_free() is the caller's fault and undefined.
pub struct tb_builder {
    builder: Option<BrokerBuilder>,
    has_enricher: bool,
    has_embedder: bool,
    has_logger: bool,
}

/// Starts a broker with options: a JSON object as docs/contract.md describes it, or empty text for the standard profile.
///
/// Ownership: borrows `options`; `*out` is the caller's, for tb_builder_build() or tb_builder_free().
/// NULL: TB_ERR_NULL_ARGUMENT for a NULL `out`, or a NULL `options` with a length; `error` may be NULL.
/// Threads: any.
/// Errors: TB_ERR_INVALID_JSON, TB_ERR_INVALID_OPTIONS, TB_ERR_INVALID_UTF8, TB_ERR_TOO_LARGE, TB_ERR_TOO_DEEP; `*out` is then NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_builder_new(
    options: *const c_char,
    options_len: usize,
    out: *mut *mut tb_builder,
    error: *mut *mut tb_error,
) -> i32 {
    // SAFETY: the pointers are by contract readable or writable.
    unsafe {
        reset(error);
        clear(out, ptr::null_mut());
        guard(error, || {
            if out.is_null() {
                return Err(null("out"));
            }
            let options = Options::from_json(text(options, options_len, "options")?)?;
            let builder =
                tb_builder { builder: Some(Broker::builder(options)), has_enricher: false, has_embedder: false, has_logger: false };
            out.write(Box::into_raw(Box::new(builder)));
            Ok(())
        })
    }
}

/// Sets the function that knows guidance on tools. It is asked {"tools":[{"server","name"}]} and writes {"hints":[{…} or null, …]}, one for each
/// tool in order; writing nothing means no hints. It returns TB_OK, TB_PASS (as if it were absent), TB_STOP (end the call), or a negative number: an
/// error, whose text is what it wrote and whose number is `callback_status` in the error's JSON. It runs on the thread of the call, with no lock
/// held, and may call any function on the same broker. It must return: no exception and no longjmp may leave it.
///
/// Ownership: takes `ctx` in every case, failure included; `free_ctx` (may be NULL) runs on it once, after the last call. `request` lives for the call.
/// NULL: TB_ERR_NULL_ARGUMENT for a NULL `builder`; a NULL `enricher` sets none and frees `ctx`; `ctx`, `error` may be NULL.
/// Threads: the builder's; the function itself runs on every thread that calls the broker, several at once.
/// Errors: TB_ERR_INVALID_REQUEST where one is set already.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_builder_set_enricher(
    builder: Option<&mut tb_builder>,
    enricher: Option<
        unsafe extern "C" fn(
            ctx: *mut c_void,
            call_ctx: *mut c_void,
            request: *const c_char,
            request_len: usize,
            writer: *mut tb_writer,
        ) -> i32,
    >,
    ctx: *mut c_void,
    free_ctx: Option<unsafe extern "C" fn(ctx: *mut c_void)>,
    error: *mut *mut tb_error,
) -> i32 {
    // SAFETY: the pointers are by contract readable or writable.
    unsafe {
        reset(error);
        guard(error, || {
            let context = Context { pointer: ctx, free: free_ctx };
            let builder = builder.ok_or_else(|| null("builder"))?;
            if builder.has_enricher {
                return Err(Error::new(Code::InvalidRequest, "an enricher is set already"));
            }
            let Some(function) = enricher else { return Ok(()) };
            builder.builder = builder.builder.take().map(|taken| {
                let asks = taken.options().enricher_asks;
                taken.enricher(HostEnricher { function, context, asks })
            });
            builder.has_enricher = true;
            Ok(())
        })
    }
}

/// Sets the function that turns texts into vectors, by which tools are then ranked beside their words. It is asked {"texts":["…", …]}, as many as the
/// limit `embedding_batch` at once, and calls tb_vectors_push() for each in order; all vectors have one length. Each tool is asked for once, by
/// tb_broker_embed_tools() or by the first call that ranks; the message each time. It returns TB_OK, TB_STOP (end the call), or another number: an error, whose
/// text tb_vectors_explain() gives and whose number is `callback_status` in the error's JSON; tools are then ranked by words, and the answer says so. It
/// runs on the thread of the call, with no lock held, and may call any function on the same broker. It must return: no exception and no longjmp may leave it.
///
/// Ownership: takes `ctx` in every case, failure included; `free_ctx` (may be NULL) runs on it once, after the last call. `request` lives for the call.
/// NULL: TB_ERR_NULL_ARGUMENT for a NULL `builder`; a NULL `embedder` sets none and frees `ctx`; `ctx`, `error` may be NULL.
/// Threads: the builder's; the function itself runs on every thread that calls the broker, several at once.
/// Errors: TB_ERR_INVALID_REQUEST where one is set already.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_builder_set_embedder(
    builder: Option<&mut tb_builder>,
    embedder: Option<
        unsafe extern "C" fn(
            ctx: *mut c_void,
            call_ctx: *mut c_void,
            request: *const c_char,
            request_len: usize,
            vectors: *mut tb_vectors,
        ) -> i32,
    >,
    ctx: *mut c_void,
    free_ctx: Option<unsafe extern "C" fn(ctx: *mut c_void)>,
    error: *mut *mut tb_error,
) -> i32 {
    // SAFETY: the pointers are by contract readable or writable.
    unsafe {
        reset(error);
        guard(error, || {
            let context = Context { pointer: ctx, free: free_ctx };
            let builder = builder.ok_or_else(|| null("builder"))?;
            if builder.has_embedder {
                return Err(Error::new(Code::InvalidRequest, "an embedder is set already"));
            }
            let Some(function) = embedder else { return Ok(()) };
            builder.builder = builder.builder.take().map(|taken| taken.embedder(HostEmbedder { function, context }));
            builder.has_embedder = true;
            Ok(())
        })
    }
}

/// Sets the function that takes warnings, one line of UTF-8 each, without a NUL behind it. It runs on the thread of the call, with no lock held, and
/// may call any function on the same broker. It must return: no exception and no longjmp may leave it.
///
/// Ownership: takes `ctx` in every case, failure included; `free_ctx` (may be NULL) runs on it once, after the last call. `message` lives for the call.
/// NULL: TB_ERR_NULL_ARGUMENT for a NULL `builder`; a NULL `logger` sets none and frees `ctx`; `ctx`, `error` may be NULL.
/// Threads: the builder's; the function itself runs on every thread that calls the broker, several at once.
/// Errors: TB_ERR_INVALID_REQUEST where one is set already.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_builder_set_logger(
    builder: Option<&mut tb_builder>,
    logger: Option<unsafe extern "C" fn(ctx: *mut c_void, call_ctx: *mut c_void, message: *const c_char, message_len: usize)>,
    ctx: *mut c_void,
    free_ctx: Option<unsafe extern "C" fn(ctx: *mut c_void)>,
    error: *mut *mut tb_error,
) -> i32 {
    // SAFETY: the pointers are by contract readable or writable.
    unsafe {
        reset(error);
        guard(error, || {
            let context = Context { pointer: ctx, free: free_ctx };
            let builder = builder.ok_or_else(|| null("builder"))?;
            if builder.has_logger {
                return Err(Error::new(Code::InvalidRequest, "a logger is set already"));
            }
            let Some(function) = logger else { return Ok(()) };
            builder.builder = builder.builder.take().map(|taken| taken.logger(HostLogger { function, context }));
            builder.has_logger = true;
            Ok(())
        })
    }
}

/// Makes the broker: without tools and rules, with the built-in intents.
///
/// Ownership: takes `builder` in every case, failure included; `*out` is the caller's, for tb_broker_free().
/// NULL: TB_ERR_NULL_ARGUMENT for a NULL `builder` or `out` (the builder is freed then too); `error` may be NULL.
/// Threads: the builder's.
/// Errors: no other; `*out` is NULL on failure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_builder_build(builder: Option<Box<tb_builder>>, out: *mut *mut tb_broker, error: *mut *mut tb_error) -> i32 {
    // SAFETY: the pointers are by contract readable or writable.
    unsafe {
        reset(error);
        clear(out, ptr::null_mut());
        guard(error, || {
            let builder = builder.and_then(|builder| builder.builder).ok_or_else(|| null("builder"))?;
            if out.is_null() {
                return Err(null("out"));
            }
            out.write(Box::into_raw(Box::new(tb_broker::new(builder.build()))));
            Ok(())
        })
    }
}

/// Frees a builder that was not built, and the contexts of its callbacks.
///
/// Ownership: takes `builder`.
/// NULL: does nothing.
/// Threads: the builder's.
/// Errors: none.
#[unsafe(no_mangle)]
pub extern "C" fn tb_builder_free(builder: Option<Box<tb_builder>>) {
    guard_or((), || drop(builder));
}
