//! Terms as numbers, the same on every platform.
//!
//! FNV-1a of 64 bits: two different terms fall together about once in 2^62 pairs, and all that would follow is a score too high.

/// The number of a text.
pub(crate) fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, mix)
}

/// The number of a sequence that a number is added to.
pub(super) fn join(sequence: u64, next: u64) -> u64 {
    next.to_le_bytes().into_iter().fold(mix(sequence, 0xff), mix)
}

fn mix(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_function_is_fnv_1a() {
        assert_eq!(hash(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash("foobar"), 0x8594_4171_f739_67e8);
    }
}
