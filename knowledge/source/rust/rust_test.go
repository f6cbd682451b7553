package rust

import (
	"testing"

	"github.com/causaldocs/causal/knowledge/source/sourcetest"
)

const fixture = `// A program that adds up what is in the basket.
//! Adds up baskets.

use std::env;

/// The most that one basket holds.
pub const LIMIT: usize = 40;

/// Adds up the prices.
///
/// Nothing costs nothing.
pub fn total(prices: &[u64]) -> u64 {
    // one by one
    let label = "total: ";
    let sum = prices.iter().sum();
    println!("{label}{sum}");
    sum
}

/// Reports whether there is room.
pub fn room(count: usize) -> bool {
    count < LIMIT
}

fn secret(n: u8) -> u8 {
    n + env::var("BASKET_HOME").map_or(0, |_| 1)
}
`

func TestConformance(t *testing.T) {
	t.Parallel()
	sourcetest.Run(t, sourcetest.Fixture{
		Language: Language{}, Path: "src/basket.rs", Base: fixture,
		Target: "total", Other: "room", Const: "LIMIT", Hidden: "secret",
		Edits: map[string]sourcetest.Edit{
			"comment in a body":            {Old: "// one by one", New: "// all /* of */ them"},
			"comment between declarations": {Old: "fn secret", New: "/* nothing to see */\nfn secret"},
			"comment at the top":           {Old: "// A program that adds up what is in the basket.", New: "// Sums."},
			"blank lines":                  {Old: "\n\n/// Adds", New: "\n\n\n\n/// Adds"},
			"formatting":                   {Old: "total(prices: &[u64]) -> u64 {\n    // one by one\n    let label", New: "total(\n    prices : & [ u64 ],\n)->u64\n{\nlet  label"},
			"body":                         {Old: "    sum\n", New: "    sum + 1\n"},
			"string literal":               {Old: `"total: "`, New: `"total:  "`},
			"doc comment":                  {Old: "Nothing costs nothing.", New: "Nothing costs one."},
			"module doc":                   {Old: "Adds up baskets.", New: "Sums up baskets."},
			"signature":                    {Old: "prices: &[u64])", New: "prices: &[u64], tax: u64)"},
			"result type":                  {Old: "-> u64 {", New: "-> u128 {"},
			"decorator":                    {Old: "pub fn total", New: "#[must_use]\npub fn total"},
			"constant value":               {Old: "usize = 40", New: "usize = 41"},
			"hidden signature":             {Old: "n: u8", New: "n: u16"},
			"target hidden":                {Old: "pub fn total", New: "pub(crate) fn total"},
			"symbol added":                 {Old: "fn secret", New: "pub fn more() {}\n\nfn secret"},
			"symbols swapped": {
				Old: "/// Reports whether there is room.\npub fn room(count: usize) -> bool {\n    count < LIMIT\n}\n\nfn secret(n: u8) -> u8 {\n    n + env::var(\"BASKET_HOME\").map_or(0, |_| 1)\n}\n",
				New: "fn secret(n: u8) -> u8 {\n    n + env::var(\"BASKET_HOME\").map_or(0, |_| 1)\n}\n\n/// Reports whether there is room.\npub fn room(count: usize) -> bool {\n    count < LIMIT\n}\n",
			},
			"import added":         {Old: "use std::env;", New: "use std::env;\nuse crate::money::Amount;"},
			"environment variable": {Old: "BASKET_HOME", New: "BASKET_HOUSE"},
			"syntax error":         {Old: "    sum\n}", New: "    sum\n"},
		},
	})
}
