package rust_test

import (
	"testing"

	"github.com/causaldocs/causal/knowledge/source/rust"
	"github.com/causaldocs/causal/knowledge/source/sourcetest"
)

func TestHeaders(t *testing.T) {
	sourcetest.Headers(t, rust.Language{}, "src/lib.rs", `
#[must_use]
pub const unsafe fn parse<'a, T: Into<Vec<u8>> + 'a, const N: usize>(mut text: &'a str, (a, b): (u8, [T; N])) -> Result<T, Error> where T: Clone { }
pub async fn none() {}
pub struct Open<T> { pub list: Vec<(T, u8)>, pub(crate) inner: u8, hidden: T }
#[non_exhaustive]
pub enum Color { Red, #[doc(hidden)] Rgb(u8, u8), Named { name: String }, Code = 3 }
pub trait Draw<T = u8>: Send + Iterator<Item = T> where T: Copy {
    fn draw(&'static mut self, at: impl Fn(u8) -> u8) -> Box<dyn Fn(u8) -> u8>;
    fn boxed(mut self: Box<Self>);
}
pub const LIMIT: [u8; 2] = [1, 2];
pub(crate) static mut COUNT: u8 = 1;
`, `
parse: #[must_use] pub const unsafe <'a, T: Into<Vec<u8>> + 'a, N: usize> (text: &'a str, (a, b): (u8, [T; N])) -> Result<T, Error>
none: pub async
Open: pub <T> {list: Vec<(T, u8)>} …
Color: #[non_exhaustive] pub {Red, Rgb, Named, Code}
Draw: pub <T = u8> +Send +Iterator<Item = T>
Draw.draw: (s:&'static mut self, at: impl Fn(u8) -> u8) -> Box<dyn Fn(u8) -> u8>
Draw.boxed: (s:self: Box<Self>)
LIMIT: pub -> [u8; 2] = [1, 2]
COUNT: pub static -> u8 = 1
`)
}
