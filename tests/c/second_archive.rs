//! A Rust archive that is not toolbroker's, with the standard library in it: `second_archive.c` links both.

#[unsafe(no_mangle)]
pub extern "C" fn second_archive_answer(number: i32) -> i32 {
    let caught = std::panic::catch_unwind(|| {
        let text = format!("{number}");
        let list: Vec<i32> = text.chars().map(|c| c.to_digit(10).expect("a digit") as i32).collect();
        list.iter().sum()
    });
    caught.unwrap_or(-1)
}
