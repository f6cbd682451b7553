pub fn f() -> u8 { g() }
fn g() -> u8 { 1 }
