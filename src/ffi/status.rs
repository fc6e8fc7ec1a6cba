//! Status numbers. They are frozen; a retired one stays reserved; callers must bear numbers they do not know.

/// All went well.
pub const TB_OK: i32 = 0;
/// A fault of the library was caught at the boundary. The handle stays usable.
pub const TB_ERR_PANIC: i32 = -1;
/// A required pointer is NULL, or NULL came with a length.
pub const TB_ERR_NULL_ARGUMENT: i32 = -2;
/// Text that is not UTF-8.
pub const TB_ERR_INVALID_UTF8: i32 = -3;
/// Text that is not JSON.
pub const TB_ERR_INVALID_JSON: i32 = -4;
/// Text that is not YAML.
pub const TB_ERR_INVALID_YAML: i32 = -5;
/// A request with an unknown key, a wrong type or a value out of range.
pub const TB_ERR_INVALID_REQUEST: i32 = -6;
/// The same, in options.
pub const TB_ERR_INVALID_OPTIONS: i32 = -7;
/// A rule text with faults.
pub const TB_ERR_INVALID_RULE: i32 = -8;
/// An intent table with faults.
pub const TB_ERR_INVALID_INTENTS: i32 = -9;
/// Text that is not hints.
pub const TB_ERR_INVALID_HINTS: i32 = -10;
/// Tools that are no list of tools.
pub const TB_ERR_INVALID_TOOL: i32 = -11;
/// Over a limit of size or number.
pub const TB_ERR_TOO_LARGE: i32 = -12;
/// Nested deeper than the limit.
pub const TB_ERR_TOO_DEEP: i32 = -13;
/// A file that cannot be read.
pub const TB_ERR_IO: i32 = -14;
/// A callback failed.
pub const TB_ERR_CALLBACK: i32 = -15;
/// A callback asked to stop.
pub const TB_ERR_STOPPED: i32 = -16;

/// A callback's answer: go on as if there were no callback.
pub const TB_PASS: i32 = 1;
/// A callback's answer: end the call with TB_ERR_STOPPED.
pub const TB_STOP: i32 = 2;

/// The number of the ABI that this header describes. Compare it with tb_abi_version().
pub const TB_ABI_VERSION: u32 = 1;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Code;

    #[test]
    fn numbers_agree_with_the_codes() {
        let numbers = [
            TB_ERR_PANIC,
            TB_ERR_NULL_ARGUMENT,
            TB_ERR_INVALID_UTF8,
            TB_ERR_INVALID_JSON,
            TB_ERR_INVALID_YAML,
            TB_ERR_INVALID_REQUEST,
            TB_ERR_INVALID_OPTIONS,
            TB_ERR_INVALID_RULE,
            TB_ERR_INVALID_INTENTS,
            TB_ERR_INVALID_HINTS,
            TB_ERR_INVALID_TOOL,
            TB_ERR_TOO_LARGE,
            TB_ERR_TOO_DEEP,
            TB_ERR_IO,
            TB_ERR_CALLBACK,
            TB_ERR_STOPPED,
        ];
        assert_eq!(numbers, Code::ALL.map(Code::status));
    }
}
