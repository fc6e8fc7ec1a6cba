//! What needs no broker.

use std::ffi::c_char;

use super::buffer::tb_buf;
use super::error::{reset, tb_error};
use super::{clear, guard, guard_or, null, text};

/// The number of the ABI that this library speaks. Compare it with TB_ABI_VERSION: a program works with a library whose number is equal.
///
/// Ownership: none.
/// NULL: takes no pointer.
/// Threads: any, also several at once.
/// Errors: none.
#[unsafe(no_mangle)]
pub extern "C" fn tb_abi_version() -> u32 {
    super::status::TB_ABI_VERSION
}

/// The version of the library, such as "0.1.0": static text that ends with NUL.
///
/// Ownership: the text is static and never freed.
/// NULL: takes no pointer; never NULL itself.
/// Threads: any, also several at once.
/// Errors: none.
#[unsafe(no_mangle)]
pub extern "C" fn tb_version() -> *const c_char {
    const TEXT: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    guard_or(c"".as_ptr(), || TEXT.as_ptr().cast::<c_char>())
}

/// The common way of the calls that need no broker.
///
/// # Safety
/// `request` is readable for `request_len` bytes, `answer` and `error` are NULL or can be written.
unsafe fn call(name: &str, request: *const c_char, request_len: usize, answer: *mut tb_buf, error: *mut *mut tb_error) -> i32 {
    // SAFETY: as this function's.
    unsafe {
        reset(error);
        clear(answer, tb_buf::EMPTY);
        guard(error, || {
            if answer.is_null() {
                return Err(null("answer"));
            }
            answer.write(tb_buf::new(crate::requests::call(name, text(request, request_len, "request")?)?));
            Ok(())
        })
    }
}

/// Tells version, ABI number, profiles, every limit and the constants of the replaced package. The request is empty text or {}.
///
/// Ownership: borrows `request`; `*answer` is the caller's, for tb_buf_free().
/// NULL: TB_ERR_NULL_ARGUMENT for a NULL `answer`, or a NULL `request` with a length; `error` may be NULL.
/// Threads: any, also several at once.
/// Errors: TB_ERR_INVALID_JSON, TB_ERR_INVALID_REQUEST, TB_ERR_INVALID_UTF8, TB_ERR_TOO_LARGE, TB_ERR_TOO_DEEP; `*answer` is zeroed then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_info(request: *const c_char, request_len: usize, answer: *mut tb_buf, error: *mut *mut tb_error) -> i32 {
    // SAFETY: the pointers are by contract readable or writable.
    unsafe { call("info", request, request_len, answer, error) }
}

/// Lists the built-in example rules, for well-known public MCP servers: empty text, or {"profile"}.
///
/// Ownership: borrows `request`; `*answer` is the caller's, for tb_buf_free().
/// NULL: TB_ERR_NULL_ARGUMENT for a NULL `answer`, or a NULL `request` with a length; `error` may be NULL.
/// Threads: any, also several at once.
/// Errors: TB_ERR_INVALID_JSON, TB_ERR_INVALID_REQUEST, TB_ERR_INVALID_UTF8, TB_ERR_TOO_LARGE, TB_ERR_TOO_DEEP; `*answer` is zeroed then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_default_rules(
    request: *const c_char,
    request_len: usize,
    answer: *mut tb_buf,
    error: *mut *mut tb_error,
) -> i32 {
    // SAFETY: the pointers are by contract readable or writable.
    unsafe { call("default_rules", request, request_len, answer, error) }
}

/// Reads rules without a broker and lists them as written back: {"rules"}, {"text","format","file"} or {"path","format"}, and {"profile"}.
///
/// Ownership: borrows `request`; `*answer` is the caller's, for tb_buf_free().
/// NULL: TB_ERR_NULL_ARGUMENT for a NULL `answer`, or a NULL `request` with a length; `error` may be NULL.
/// Threads: any, also several at once.
/// Errors: TB_ERR_INVALID_JSON, TB_ERR_INVALID_REQUEST, TB_ERR_INVALID_UTF8, TB_ERR_TOO_LARGE, TB_ERR_TOO_DEEP, TB_ERR_INVALID_RULE, TB_ERR_INVALID_YAML, TB_ERR_IO; `*answer` is zeroed then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_read_rules(request: *const c_char, request_len: usize, answer: *mut tb_buf, error: *mut *mut tb_error) -> i32 {
    // SAFETY: the pointers are by contract readable or writable.
    unsafe { call("read_rules", request, request_len, answer, error) }
}

/// Reads the text of a tool's hints and answers them in canonical form: {"text"}. Empty text and {} are no hints.
///
/// Ownership: borrows `request`; `*answer` is the caller's, for tb_buf_free().
/// NULL: TB_ERR_NULL_ARGUMENT for a NULL `answer`, or a NULL `request` with a length; `error` may be NULL.
/// Threads: any, also several at once.
/// Errors: TB_ERR_INVALID_JSON, TB_ERR_INVALID_REQUEST, TB_ERR_INVALID_UTF8, TB_ERR_TOO_LARGE, TB_ERR_TOO_DEEP, TB_ERR_INVALID_HINTS; `*answer` is zeroed then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_read_hints(request: *const c_char, request_len: usize, answer: *mut tb_buf, error: *mut *mut tb_error) -> i32 {
    // SAFETY: the pointers are by contract readable or writable.
    unsafe { call("read_hints", request, request_len, answer, error) }
}
