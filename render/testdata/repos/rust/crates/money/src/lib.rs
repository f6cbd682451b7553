//! Amounts of money.
//!
//! # Example
//!
//! ```
//! assert!(money::parse("1").is_ok());
//! ```

use std::fmt;

pub mod round;
pub use round::Rounder;

/// An amount.
#[derive(Clone, Debug)]
pub struct Amount<C> {
    pub units: i64,
    currency: C,
}

impl<C> Amount<C> {
    /// Adds.
    pub fn add(&self, other: &Self) -> i64 {
        self.units + other.units
    }
}

/// Reads an amount.
///
/// # Errors
///
/// For what is not a number.
pub fn parse(s: &str) -> Result<Amount<()>, fmt::Error> {
    s.parse().map(|units| Amount { units, currency: () }).map_err(|_| fmt::Error)
}

/// Small units in a large one.
pub const SCALE: i64 = 100;

#[deprecated(note = "use parse")]
pub fn read(s: &str) -> i64 {
    s.len() as i64
}
