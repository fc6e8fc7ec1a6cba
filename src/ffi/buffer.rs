//! Text that goes out.

use std::ffi::c_char;
use std::ptr;

use super::guard_or;

/// Text of the library: `len` bytes of UTF-8 at `data`, with a NUL byte behind them that is not counted. JSON escapes control characters, so that
/// the text holds no other NUL. Zeroed on failure. Freed with tb_buf_free(). One thread at a time.
#[repr(C)]
#[derive(Debug)]
pub struct tb_buf {
    /// The text, or NULL.
    pub data: *const c_char,
    /// Its length in bytes, without the NUL.
    pub len: usize,
}

impl tb_buf {
    pub(super) const EMPTY: tb_buf = tb_buf { data: ptr::null(), len: 0 };

    /// Hands a text over to C.
    pub(super) fn new(text: String) -> Self {
        let len = text.len();
        let mut bytes = text.into_bytes();
        bytes.push(0);
        tb_buf { data: Box::into_raw(bytes.into_boxed_slice()).cast::<c_char>(), len }
    }
}

/// Frees a text of the library and zeroes the struct, so that freeing it again does nothing.
///
/// Ownership: frees what `buf` points to; the struct itself stays the caller's.
/// NULL: a NULL `buf`, and a struct whose `data` is NULL, do nothing.
/// Threads: any, while no other thread uses this struct.
/// Errors: none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tb_buf_free(buf: *mut tb_buf) {
    guard_or((), || {
        if buf.is_null() {
            return;
        }
        // SAFETY: not NULL, so by contract it can be read and written.
        let taken = unsafe { buf.replace(tb_buf::EMPTY) };
        if !taken.data.is_null() {
            let slice = ptr::slice_from_raw_parts_mut(taken.data.cast_mut().cast::<u8>(), taken.len + 1);
            // SAFETY: made by tb_buf::new as a boxed slice of len + 1 bytes.
            drop(unsafe { Box::from_raw(slice) });
        }
    });
}
