//! Rounds amounts.

use serde::de::Deserialize;

/// Rounds.
pub trait Rounder {
    /// To a step.
    fn round(&self, step: i64) -> i64;
}
