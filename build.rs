//! What the linker is told of the shared library.

/// The ABI number in the shared library's name. `tests/c/artefact.sh` compares it with the header's.
const ABI: u32 = 1;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    match std::env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("linux") => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libtoolbroker.so.{ABI}");
            // A thread that called in has destructors registered that lie in the library; they would run after dlclose() took it away.
            println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
        }
        // Without it a program looks for the library in the folder where it was built.
        Ok("macos") => println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libtoolbroker.{ABI}.dylib"),
        _ => {}
    }
}
