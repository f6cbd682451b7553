//! Declarations that macros wrap, and macros that other code names.

cfg_net! {
    pub use self::addr::Address;

    /// Listens.
    pub struct Listener {
        pub port: u16,
    }
}

impl Listener {
    cfg_time! {
        pub fn timeout(&self) -> u64 {
            1
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        1;
    }
    cfg_time! {
        fn more() {}
    }
}

cfg_if::cfg_if! {
    if #[cfg(unix)] {
        pub fn poll() -> u8 { 1 }
    } else if #[cfg(windows)] {
        pub fn poll() -> u16 { 2 }
    } else {
        pub mod fallback {
            pub fn poll() {}
        }
    }
}

cfg_value!(1, { not, items });
cfg_other! { 1 => { not items } }

/// Derives it.
#[proc_macro_derive(Answer, attributes(answer))]
pub fn derive_answer(input: TokenStream) -> TokenStream {
    input
}

#[cfg(test)]
proptest! {
    #[test]
    fn holds(x in 0..10) {}
}
