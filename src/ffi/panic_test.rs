//! An export that panics, for the tests which show that a panic becomes a status. Built with the feature `test-panic` alone, and not in the header.

use super::error::{reset, tb_error};
use super::guard;

#[unsafe(no_mangle)]
unsafe extern "C" fn tb_test_panic(error: *mut *mut tb_error) -> i32 {
    // SAFETY: the pointer is by contract writable.
    unsafe {
        reset(error);
        guard(error, || panic!("asked to panic"))
    }
}
