//! The broker of C: each call takes a JSON request and gives a JSON answer.

use std::any::Any;
use std::ffi::{c_char, c_void};

use super::buffer::tb_buf;
use super::error::{reset, tb_error};
use super::{CallPointer, clear, guard, guard_or, null, text};
use crate::broker::Broker;
use crate::select::SelectRequest;

/// Holds all tools, rules and intents. Made by tb_builder_build(). It may be shared between threads, and every call but tb_broker_free() may run on
/// several at once: a call sees one state from beginning to end, and neither waits for changes nor makes them wait. A call that failed, a caught
/// panic included, changed nothing. Using it after tb_broker_free() is the caller's fault and undefined.
pub struct tb_broker {
    broker: Broker,
}

impl tb_broker {
    pub(super) fn new(broker: Broker) -> Self {
        tb_broker { broker }
    }
}

/// Frees a broker, its tools and the contexts of its callbacks.
///
/// Ownership: takes `broker`.
/// NULL: does nothing.
/// Threads: any, while no other thread uses this broker.
/// Errors: none.
#[unsafe(no_mangle)]
pub extern "C" fn tb_broker_free(broker: Option<Box<tb_broker>>) {
    guard_or((), || drop(broker));
}

/// The common way of all calls: text in, one call by name, text out.
///
/// # Safety
/// `request` is readable for `request_len` bytes, `answer` and `error` are NULL or can be written.
unsafe fn call(
    name: &str,
    broker: Option<&tb_broker>,
    request: *const c_char,
    request_len: usize,
    call_ctx: *mut c_void,
    answer: *mut tb_buf,
    error: *mut *mut tb_error,
) -> i32 {
    // SAFETY: as this function's.
    unsafe {
        reset(error);
        clear(answer, tb_buf::EMPTY);
        guard(error, || {
            let broker = broker.ok_or_else(|| null("broker"))?;
            if answer.is_null() {
                return Err(null("answer"));
            }
            let request = text(request, request_len, "request")?;
            let context = CallPointer(call_ctx);
            answer.write(tb_buf::new(broker.broker.call(name, request, Some(&context as &dyn Any))?));
            Ok(())
        })
    }
}

/// Selects as tb_broker_select() does, and gives the places of the tools in the order of registration (from 0) instead of a text: no JSON is made and no
/// callback runs, so that words alone rank where the broker has an embedder. `*count` is how many were selected, also where `capacity` is less: then the first `capacity` are written.
///
/// Ownership: borrows `broker`, `request`; writes into the caller's `indices`.
/// NULL: TB_ERR_NULL_ARGUMENT for a NULL `broker` or `count`, a NULL `request` with a length, a NULL `indices` with a capacity; `error` may be NULL.
/// Threads: any, also several at once.
/// Errors: TB_ERR_INVALID_JSON, TB_ERR_INVALID_REQUEST, TB_ERR_INVALID_UTF8, TB_ERR_TOO_LARGE, TB_ERR_TOO_DEEP; `*count` is then 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_broker_select_indices(
    broker: Option<&tb_broker>,
    request: *const c_char,
    request_len: usize,
    indices: *mut usize,
    capacity: usize,
    count: *mut usize,
    error: *mut *mut tb_error,
) -> i32 {
    // SAFETY: the pointers are by contract readable or writable, `indices` for `capacity` numbers.
    unsafe {
        reset(error);
        clear(count, 0);
        guard(error, || {
            let broker = broker.ok_or_else(|| null("broker"))?;
            if count.is_null() || (indices.is_null() && capacity > 0) {
                return Err(null(if count.is_null() { "count" } else { "indices" }));
            }
            let request = SelectRequest::from_json(text(request, request_len, "request")?)?;
            let selection = broker.broker.select_places(&request);
            for (at, place) in selection.indices().take(capacity).enumerate() {
                indices.add(at).write(place);
            }
            count.write(selection.count());
            Ok(())
        })
    }
}

/// Adds tools, or replaces those of the same server and name: {"server","tools"}; `tools` is a tool, a list, a tools/list result or a JSON-RPC
/// response, in any known form. Answers a report; one bad tool is refused in it by name, and the others are taken.
///
/// Ownership: borrows `broker`, `request`; `*answer` is the caller's, for tb_buf_free().
/// NULL: TB_ERR_NULL_ARGUMENT for a NULL `broker` or `answer`, or a NULL `request` with a length; `error` may be NULL.
/// Threads: any, also several at once.
/// Errors: TB_ERR_INVALID_JSON, TB_ERR_INVALID_REQUEST, TB_ERR_INVALID_UTF8, TB_ERR_TOO_LARGE, TB_ERR_TOO_DEEP; TB_ERR_INVALID_TOOL where `tools` holds no tools at all; `*answer` is zeroed then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_broker_add_tools(
    broker: Option<&tb_broker>,
    request: *const c_char,
    request_len: usize,
    answer: *mut tb_buf,
    error: *mut *mut tb_error,
) -> i32 {
    // SAFETY: the pointers are by contract readable or writable.
    unsafe { call("add_tools", broker, request, request_len, std::ptr::null_mut(), answer, error) }
}

/// Makes these the only tools of a server, in one step: {"server","tools"}. Answers a report.
///
/// Ownership: borrows `broker`, `request`; `*answer` is the caller's, for tb_buf_free().
/// NULL: TB_ERR_NULL_ARGUMENT for a NULL `broker` or `answer`, or a NULL `request` with a length; `error` may be NULL.
/// Threads: any, also several at once.
/// Errors: TB_ERR_INVALID_JSON, TB_ERR_INVALID_REQUEST, TB_ERR_INVALID_UTF8, TB_ERR_TOO_LARGE, TB_ERR_TOO_DEEP; TB_ERR_INVALID_TOOL where `tools` holds no tools at all; `*answer` is zeroed then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_broker_replace_tools(
    broker: Option<&tb_broker>,
    request: *const c_char,
    request_len: usize,
    answer: *mut tb_buf,
    error: *mut *mut tb_error,
) -> i32 {
    // SAFETY: the pointers are by contract readable or writable.
    unsafe { call("replace_tools", broker, request, request_len, std::ptr::null_mut(), answer, error) }
}

/// Removes a server's tools, {"server"}, or single ones, {"tools":[{"server","name"}]}. Answers a report.
///
/// Ownership: borrows `broker`, `request`; `*answer` is the caller's, for tb_buf_free().
/// NULL: TB_ERR_NULL_ARGUMENT for a NULL `broker` or `answer`, or a NULL `request` with a length; `error` may be NULL.
/// Threads: any, also several at once.
/// Errors: TB_ERR_INVALID_JSON, TB_ERR_INVALID_REQUEST, TB_ERR_INVALID_UTF8, TB_ERR_TOO_LARGE, TB_ERR_TOO_DEEP; `*answer` is zeroed then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_broker_remove_tools(
    broker: Option<&tb_broker>,
    request: *const c_char,
    request_len: usize,
    answer: *mut tb_buf,
    error: *mut *mut tb_error,
) -> i32 {
    // SAFETY: the pointers are by contract readable or writable.
    unsafe { call("remove_tools", broker, request, request_len, std::ptr::null_mut(), answer, error) }
}

/// Lists the registered tools: {"server","detail"}. Empty text asks for all, in short.
///
/// Ownership: borrows `broker`, `request`; `*answer` is the caller's, for tb_buf_free().
/// NULL: TB_ERR_NULL_ARGUMENT for a NULL `broker` or `answer`, or a NULL `request` with a length; `error` may be NULL.
/// Threads: any, also several at once.
/// Errors: TB_ERR_INVALID_JSON, TB_ERR_INVALID_REQUEST, TB_ERR_INVALID_UTF8, TB_ERR_TOO_LARGE, TB_ERR_TOO_DEEP; `*answer` is zeroed then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_broker_all_tools(
    broker: Option<&tb_broker>,
    request: *const c_char,
    request_len: usize,
    answer: *mut tb_buf,
    error: *mut *mut tb_error,
) -> i32 {
    // SAFETY: the pointers are by contract readable or writable.
    unsafe { call("all_tools", broker, request, request_len, std::ptr::null_mut(), answer, error) }
}

/// Puts rules in force in place of those before: {"rules"}, {"text","format","file"} or {"path","format"}. Answers {"rules":n}. The call
/// opens no file but the one that `path` names.
///
/// Ownership: borrows `broker`, `request`; `*answer` is the caller's, for tb_buf_free().
/// NULL: TB_ERR_NULL_ARGUMENT for a NULL `broker` or `answer`, or a NULL `request` with a length; `error` may be NULL.
/// Threads: any, also several at once.
/// Errors: TB_ERR_INVALID_JSON, TB_ERR_INVALID_REQUEST, TB_ERR_INVALID_UTF8, TB_ERR_TOO_LARGE, TB_ERR_TOO_DEEP; TB_ERR_INVALID_RULE, TB_ERR_INVALID_YAML, TB_ERR_IO; the old rules then stay in force; `*answer` is zeroed then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_broker_load_rules(
    broker: Option<&tb_broker>,
    request: *const c_char,
    request_len: usize,
    answer: *mut tb_buf,
    error: *mut *mut tb_error,
) -> i32 {
    // SAFETY: the pointers are by contract readable or writable.
    unsafe { call("load_rules", broker, request, request_len, std::ptr::null_mut(), answer, error) }
}

/// Lists the rules in force, as loaded. The request is empty text or {}.
///
/// Ownership: borrows `broker`, `request`; `*answer` is the caller's, for tb_buf_free().
/// NULL: TB_ERR_NULL_ARGUMENT for a NULL `broker` or `answer`, or a NULL `request` with a length; `error` may be NULL.
/// Threads: any, also several at once.
/// Errors: TB_ERR_INVALID_JSON, TB_ERR_INVALID_REQUEST, TB_ERR_INVALID_UTF8, TB_ERR_TOO_LARGE, TB_ERR_TOO_DEEP; `*answer` is zeroed then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_broker_all_rules(
    broker: Option<&tb_broker>,
    request: *const c_char,
    request_len: usize,
    answer: *mut tb_buf,
    error: *mut *mut tb_error,
) -> i32 {
    // SAFETY: the pointers are by contract readable or writable.
    unsafe { call("all_rules", broker, request, request_len, std::ptr::null_mut(), answer, error) }
}

/// Extends or replaces the table of intents: {"intents":{"name":["phrase"]},"mode"}. Answers {"intents","phrases"}, the numbers there are then.
///
/// Ownership: borrows `broker`, `request`; `*answer` is the caller's, for tb_buf_free().
/// NULL: TB_ERR_NULL_ARGUMENT for a NULL `broker` or `answer`, or a NULL `request` with a length; `error` may be NULL.
/// Threads: any, also several at once.
/// Errors: TB_ERR_INVALID_JSON, TB_ERR_INVALID_REQUEST, TB_ERR_INVALID_UTF8, TB_ERR_TOO_LARGE, TB_ERR_TOO_DEEP; TB_ERR_INVALID_INTENTS; the old table then stays; `*answer` is zeroed then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_broker_load_intents(
    broker: Option<&tb_broker>,
    request: *const c_char,
    request_len: usize,
    answer: *mut tb_buf,
    error: *mut *mut tb_error,
) -> i32 {
    // SAFETY: the pointers are by contract readable or writable.
    unsafe { call("load_intents", broker, request, request_len, std::ptr::null_mut(), answer, error) }
}

/// Selects the tools that the model sees for a turn. Request and answer stand in docs/contract.md, "Select". Runs the enricher, the embedder and the logger.
///
/// Ownership: borrows `broker`, `request`; `*answer` is the caller's, for tb_buf_free(). `call_ctx` goes to the callbacks unchanged.
/// NULL: TB_ERR_NULL_ARGUMENT for a NULL `broker` or `answer`, or a NULL `request` with a length; `call_ctx` and `error` may be NULL.
/// Threads: any, also several at once.
/// Errors: TB_ERR_INVALID_JSON, TB_ERR_INVALID_REQUEST, TB_ERR_INVALID_UTF8, TB_ERR_TOO_LARGE, TB_ERR_TOO_DEEP; TB_ERR_STOPPED where the enricher or the embedder asked to stop; their other failures are a warning in the answer; `*answer` is zeroed then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_broker_select(
    broker: Option<&tb_broker>,
    request: *const c_char,
    request_len: usize,
    call_ctx: *mut c_void,
    answer: *mut tb_buf,
    error: *mut *mut tb_error,
) -> i32 {
    // SAFETY: the pointers are by contract readable or writable.
    unsafe { call("select", broker, request, request_len, call_ctx, answer, error) }
}

/// Ranks the registered tools by how well they fit a message; rules and budget have no say. Request and answer stand in docs/contract.md, "Rank". Runs the
/// embedder and the logger.
///
/// Ownership: borrows `broker`, `request`; `*answer` is the caller's, for tb_buf_free(). `call_ctx` goes to the callbacks unchanged.
/// NULL: TB_ERR_NULL_ARGUMENT for a NULL `broker` or `answer`, or a NULL `request` with a length; `call_ctx` and `error` may be NULL.
/// Threads: any, also several at once.
/// Errors: TB_ERR_INVALID_JSON, TB_ERR_INVALID_REQUEST, TB_ERR_INVALID_UTF8, TB_ERR_TOO_LARGE, TB_ERR_TOO_DEEP; TB_ERR_STOPPED where the embedder asked to stop; its other failures are a warning in the answer; `*answer` is zeroed then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_broker_rank(
    broker: Option<&tb_broker>,
    request: *const c_char,
    request_len: usize,
    call_ctx: *mut c_void,
    answer: *mut tb_buf,
    error: *mut *mut tb_error,
) -> i32 {
    // SAFETY: the pointers are by contract readable or writable.
    unsafe { call("rank", broker, request, request_len, call_ctx, answer, error) }
}

/// Makes the vectors of the registered tools that have none yet, so that no call that ranks has to: {}. Answers {"embedded": n}, 0 without an
/// embedder. Runs the embedder.
///
/// Ownership: borrows `broker`, `request`; `*answer` is the caller's, for tb_buf_free(). `call_ctx` goes to the callbacks unchanged.
/// NULL: TB_ERR_NULL_ARGUMENT for a NULL `broker` or `answer`, or a NULL `request` with a length; `call_ctx` and `error` may be NULL.
/// Threads: any, also several at once.
/// Errors: TB_ERR_INVALID_JSON, TB_ERR_INVALID_REQUEST, TB_ERR_INVALID_UTF8, TB_ERR_TOO_LARGE, TB_ERR_TOO_DEEP; TB_ERR_CALLBACK where the embedder failed, TB_ERR_STOPPED where it asked to stop; what it made before is kept; `*answer` is zeroed then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_broker_embed_tools(
    broker: Option<&tb_broker>,
    request: *const c_char,
    request_len: usize,
    call_ctx: *mut c_void,
    answer: *mut tb_buf,
    error: *mut *mut tb_error,
) -> i32 {
    // SAFETY: the pointers are by contract readable or writable.
    unsafe { call("embed_tools", broker, request, request_len, call_ctx, answer, error) }
}

/// Finds the intents of a message: {"message"}. Answers a list of {"name","confidence","keywords"}.
///
/// Ownership: borrows `broker`, `request`; `*answer` is the caller's, for tb_buf_free().
/// NULL: TB_ERR_NULL_ARGUMENT for a NULL `broker` or `answer`, or a NULL `request` with a length; `error` may be NULL.
/// Threads: any, also several at once.
/// Errors: TB_ERR_INVALID_JSON, TB_ERR_INVALID_REQUEST, TB_ERR_INVALID_UTF8, TB_ERR_TOO_LARGE, TB_ERR_TOO_DEEP; `*answer` is zeroed then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_broker_detect_intent(
    broker: Option<&tb_broker>,
    request: *const c_char,
    request_len: usize,
    answer: *mut tb_buf,
    error: *mut *mut tb_error,
) -> i32 {
    // SAFETY: the pointers are by contract readable or writable.
    unsafe { call("detect_intent", broker, request, request_len, std::ptr::null_mut(), answer, error) }
}

/// Splits an intent sentence into keywords: {"intent"}. Answers a list of words.
///
/// Ownership: borrows `broker`, `request`; `*answer` is the caller's, for tb_buf_free().
/// NULL: TB_ERR_NULL_ARGUMENT for a NULL `broker` or `answer`, or a NULL `request` with a length; `error` may be NULL.
/// Threads: any, also several at once.
/// Errors: TB_ERR_INVALID_JSON, TB_ERR_INVALID_REQUEST, TB_ERR_INVALID_UTF8, TB_ERR_TOO_LARGE, TB_ERR_TOO_DEEP; `*answer` is zeroed then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_broker_tokenize(
    broker: Option<&tb_broker>,
    request: *const c_char,
    request_len: usize,
    answer: *mut tb_buf,
    error: *mut *mut tb_error,
) -> i32 {
    // SAFETY: the pointers are by contract readable or writable.
    unsafe { call("tokenize", broker, request, request_len, std::ptr::null_mut(), answer, error) }
}

/// Lists the tools that hold keywords, best first: {"keywords","max_results","tools","indices"}; without `tools` those registered.
///
/// Ownership: borrows `broker`, `request`; `*answer` is the caller's, for tb_buf_free().
/// NULL: TB_ERR_NULL_ARGUMENT for a NULL `broker` or `answer`, or a NULL `request` with a length; `error` may be NULL.
/// Threads: any, also several at once.
/// Errors: TB_ERR_INVALID_JSON, TB_ERR_INVALID_REQUEST, TB_ERR_INVALID_UTF8, TB_ERR_TOO_LARGE, TB_ERR_TOO_DEEP; TB_ERR_INVALID_TOOL for a bad tool in the request; `*answer` is zeroed then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_broker_score_by_keywords(
    broker: Option<&tb_broker>,
    request: *const c_char,
    request_len: usize,
    answer: *mut tb_buf,
    error: *mut *mut tb_error,
) -> i32 {
    // SAFETY: the pointers are by contract readable or writable.
    unsafe { call("score_by_keywords", broker, request, request_len, std::ptr::null_mut(), answer, error) }
}

/// As tb_broker_score_by_keywords() with the words of a sentence: {"intent","max_results","tools","indices"}.
///
/// Ownership: borrows `broker`, `request`; `*answer` is the caller's, for tb_buf_free().
/// NULL: TB_ERR_NULL_ARGUMENT for a NULL `broker` or `answer`, or a NULL `request` with a length; `error` may be NULL.
/// Threads: any, also several at once.
/// Errors: TB_ERR_INVALID_JSON, TB_ERR_INVALID_REQUEST, TB_ERR_INVALID_UTF8, TB_ERR_TOO_LARGE, TB_ERR_TOO_DEEP; TB_ERR_INVALID_TOOL for a bad tool in the request; `*answer` is zeroed then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_broker_score_by_intent(
    broker: Option<&tb_broker>,
    request: *const c_char,
    request_len: usize,
    answer: *mut tb_buf,
    error: *mut *mut tb_error,
) -> i32 {
    // SAFETY: the pointers are by contract readable or writable.
    unsafe { call("score_by_intent", broker, request, request_len, std::ptr::null_mut(), answer, error) }
}

/// Lists the tools with these names, in the order asked: {"names","tools","indices"}; without `tools` those registered.
///
/// Ownership: borrows `broker`, `request`; `*answer` is the caller's, for tb_buf_free().
/// NULL: TB_ERR_NULL_ARGUMENT for a NULL `broker` or `answer`, or a NULL `request` with a length; `error` may be NULL.
/// Threads: any, also several at once.
/// Errors: TB_ERR_INVALID_JSON, TB_ERR_INVALID_REQUEST, TB_ERR_INVALID_UTF8, TB_ERR_TOO_LARGE, TB_ERR_TOO_DEEP; TB_ERR_INVALID_TOOL for a bad tool in the request; `*answer` is zeroed then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_broker_find_by_names(
    broker: Option<&tb_broker>,
    request: *const c_char,
    request_len: usize,
    answer: *mut tb_buf,
    error: *mut *mut tb_error,
) -> i32 {
    // SAFETY: the pointers are by contract readable or writable.
    unsafe { call("find_by_names", broker, request, request_len, std::ptr::null_mut(), answer, error) }
}

/// Estimates what tools cost in tokens: {"tools"}; without, those registered. Answers a number.
///
/// Ownership: borrows `broker`, `request`; `*answer` is the caller's, for tb_buf_free().
/// NULL: TB_ERR_NULL_ARGUMENT for a NULL `broker` or `answer`, or a NULL `request` with a length; `error` may be NULL.
/// Threads: any, also several at once.
/// Errors: TB_ERR_INVALID_JSON, TB_ERR_INVALID_REQUEST, TB_ERR_INVALID_UTF8, TB_ERR_TOO_LARGE, TB_ERR_TOO_DEEP; TB_ERR_INVALID_TOOL for a bad tool in the request; `*answer` is zeroed then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_broker_estimate(
    broker: Option<&tb_broker>,
    request: *const c_char,
    request_len: usize,
    answer: *mut tb_buf,
    error: *mut *mut tb_error,
) -> i32 {
    // SAFETY: the pointers are by contract readable or writable.
    unsafe { call("estimate", broker, request, request_len, std::ptr::null_mut(), answer, error) }
}

/// Lists the tools that stay when the last are dropped until the rest fits: {"budget","tools","indices"}; without `tools` those registered.
///
/// Ownership: borrows `broker`, `request`; `*answer` is the caller's, for tb_buf_free().
/// NULL: TB_ERR_NULL_ARGUMENT for a NULL `broker` or `answer`, or a NULL `request` with a length; `error` may be NULL.
/// Threads: any, also several at once.
/// Errors: TB_ERR_INVALID_JSON, TB_ERR_INVALID_REQUEST, TB_ERR_INVALID_UTF8, TB_ERR_TOO_LARGE, TB_ERR_TOO_DEEP; TB_ERR_INVALID_TOOL for a bad tool in the request; `*answer` is zeroed then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_broker_prune(
    broker: Option<&tb_broker>,
    request: *const c_char,
    request_len: usize,
    answer: *mut tb_buf,
    error: *mut *mut tb_error,
) -> i32 {
    // SAFETY: the pointers are by contract readable or writable.
    unsafe { call("prune", broker, request, request_len, std::ptr::null_mut(), answer, error) }
}

/// Composes the override block of tools with the broker's enricher: {"tools":[{"server","name"}]} or {"names"}. Answers {"block"}. Runs the enricher, unless the request brings "hints".
///
/// Ownership: borrows `broker`, `request`; `*answer` is the caller's, for tb_buf_free(). `call_ctx` goes to the callbacks unchanged.
/// NULL: TB_ERR_NULL_ARGUMENT for a NULL `broker` or `answer`, or a NULL `request` with a length; `call_ctx` and `error` may be NULL.
/// Threads: any, also several at once.
/// Errors: TB_ERR_INVALID_JSON, TB_ERR_INVALID_REQUEST, TB_ERR_INVALID_UTF8, TB_ERR_TOO_LARGE, TB_ERR_TOO_DEEP; TB_ERR_CALLBACK where the enricher failed, TB_ERR_STOPPED where it asked to stop; `*answer` is zeroed then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_broker_overrides(
    broker: Option<&tb_broker>,
    request: *const c_char,
    request_len: usize,
    call_ctx: *mut c_void,
    answer: *mut tb_buf,
    error: *mut *mut tb_error,
) -> i32 {
    // SAFETY: the pointers are by contract readable or writable.
    unsafe { call("overrides", broker, request, request_len, call_ctx, answer, error) }
}
