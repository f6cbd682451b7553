#!/usr/bin/env run-cargo-script
//! What is hard to read in this language,
//! all in one file.
#![allow(dead_code)]
#![doc = "More of it."]

use std::collections::{self, HashMap as Map, hash_map::{Entry, *}};
pub use crate::shapes::{Circle, Square as Box4};
pub use crate::prelude::*;
pub(crate) use self::inner::Deep;
use super::sibling::{helper, Thing as _};

extern crate alloc as heap;

/* a comment /* in a comment */ with "quotes' */

/** A block of documentation
 *
 *   * with a list
 */
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Matrix<T, const ROWS: usize, const COLS: usize = { 1 + 2 }>
where
    T: Copy + for<'a> Fn(&'a str) -> bool,
{
    /// The cells.
    pub cells: [[T; COLS]; ROWS],
    pub(crate) near: Option<Vec<Vec<T>>>,
    secret: u8,
    pub r#type: fn(u8, &str) -> char,
}

pub struct Pair<A: Fn(u8) -> u8, B>(pub A, B, pub(in crate::shapes) (u8, char))
where
    B: Sized;

pub struct Unit;

#[repr(u8)]
pub enum Flag {
    /// Off.
    Off = 1 << 2,
    On = Flag::base::<u8, u8>() as isize,
    Named { x: u8, y: Map<u8, u8> },
    #[cfg(feature = "more")]
    Tuple(u8, Vec<Vec<u8>>),
}

impl Flag {
    const fn base<A, B>() -> u8 {
        1
    }
    #[deprecated(since = "1.0", note = "use `base`")]
    pub fn old<'a>(self: &'a mut Self, mut n: u8, (a, b): (u8, u8)) -> impl Iterator<Item = &'a u8> + 'a {
        let c = 'x';
        let l = '\'';
        let brace = "}";
        let raw = r##"}"#"##;
        let bytes = (b'}', b"}\"", br#"}"#, c"}", cr"}");
        'outer: loop {
            if n < a && b > c as u8 || 1 >> 2 < 3 {
                break 'outer;
            }
        }
        [].iter()
    }
}

impl<T> From<T> for Unit where T: Into<u8>, {
    fn from(_: T) -> Self {
        Unit
    }
}

impl core::ops::Add<&Unit> for &'_ Unit {
    type Output = Unit;
    const fn add(self, other: &Unit) -> Unit {
        Unit
    }
}

unsafe impl Send for Unit {}
impl<const N: usize> Matrix<u8, { N }, 3> {
    pub const SIZE: usize = N * 3;
    pub async unsafe fn run(&self) {}
}

pub unsafe auto trait Marker {}

#[must_use = "it does nothing alone"]
pub trait Shape<'a, T = u8>: Send + 'a {
    const SIDES: u8;
    type Out<'b>: Iterator<Item = u8>
    where
        Self: 'b;
    /// The area.
    fn area(&self) -> f64;
    fn name(&self) -> String {
        String::from("shape")
    }
}

pub const GREETING: &str = "hello  world";
pub const TABLE: [u8; 4] = [1, 2, 3, 4,];
const LESS: bool = 1 < 2 && 3 > 2;
pub static mut COUNT: u32 = 0;
const _: () = assert!(LESS);
pub type Short<'a, T> = Result<&'a T, Box<dyn Fn(&str) -> !>>;

pub union Bits {
    pub int: u32,
    pub float: f32,
}

unsafe extern "C" {
    /// Allocates.
    pub safe fn allocate(size: usize, ...) -> *mut u8;
    pub static ENVIRON: *const *const u8;
    type Opaque;
}

pub extern "C" fn exported(x: *const u8) -> *mut u8 {
    x as *mut u8
}

/// Makes a list.
#[macro_export]
macro_rules! list {
    () => { Vec::new() };
    ($($x:expr),+ $(,)?) => {{
        let mut v = Vec::new();
        $(v.push($x);)+
        v
    }};
}

macro_rules! private [ ($name:ident) => { fn $name() {} } ];

list! { fn not_an_item() {} }
thread_local!(static KEY: u8 = 1;);

pub mod inner {
    //! Inside.
    use super::Unit;

    /// Deep down.
    pub struct Deep(pub Unit);

    mod hidden {
        pub fn unreachable() {}
        pub(super) fn near() -> super::Deep {
            super::super::shape()
        }
    }

    pub fn union(auto: u8, default: u8) -> u8 {
        crate::money::round(auto) + default
    }
}

pub mod outside;

fn r#match(union: u8) -> u8 {
    let x = 1..2;
    let y = 1.0e-5f64 + 2. + 0xFE as f64;
    let t = ((1, 2), 3).0.1;
    union
}

pub fn where_clause<F>(f: F) -> [u8; { 1 + 1 }]
where
    F: FnOnce() -> u8,
    [(); { 2 }]: Sized,
{
    #[cfg(feature = "x")]
    fn local() {}
    [f(); 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn works() {}

    #[tokio::test]
    async fn waits() {}
}
