package matrix

// rustShop is the shop in Rust: one crate, a directory with a mod.rs a module.
var rustShop = language{name: "Rust", root: "src", more: []string{"."}, files: map[string]string{
	"Cargo.toml": "[package]\nname = \"shop\"\nversion = \"1.0.0\"\nedition = \"2021\"\n",
	"src/lib.rs": "//! The shop.\n\npub mod api;\npub mod cart;\npub mod money;\npub mod report;\npub mod till;\npub mod tools;\npub mod unrelated;\n",
	"src/money/mod.rs": `//! Amounts in the smallest unit of a currency.

pub mod receipt;

/// How many small units make one large one.
pub const SCALE: i64 = 100;

/// Counts small units.
pub struct Amount {
    pub units: i64,
}

impl Amount {
    /// Write the amount.
    pub fn text(&self) -> String {
        self.units.to_string()
    }
}

/// Read a whole number of large units.
pub fn parse(text: &str) -> Amount {
    Amount { units: digits(text) * SCALE }
}

fn digits(text: &str) -> i64 {
    text.parse().unwrap()
}

/// The currency to count in, from SHOP_CURRENCY.
pub fn currency() -> String {
    std::env::var("SHOP_CURRENCY").unwrap()
}
`,
	"src/money/receipt.rs": `//! Receipts.

/// One line of a receipt.
pub struct Line {
    pub text: String,
}

/// What was paid.
pub struct Receipt {
    pub first: Line,
}

/// Make a receipt.
pub fn print(count: i64) -> Receipt {
    Receipt { first: Line { text: count.to_string() } }
}
`,
	"src/cart/mod.rs":      "//! What a customer wants to buy.\n\nuse crate::money::parse;\n\n/// Sum the prices.\npub fn total(prices: &[String]) -> i64 {\n    prices.iter().map(|p| parse(p).units).sum()\n}\n",
	"src/report/mod.rs":    "//! Writes what was sold.\n\nuse crate::money::SCALE;\n\n/// Turn small units into large ones.\npub fn large(small: i64) -> i64 {\n    small / SCALE\n}\n",
	"src/till/mod.rs":      "//! Takes the money.\n\nuse crate::money::receipt::print;\n\n/// Print a receipt.\npub fn pay() -> String {\n    print(1).first.text\n}\n",
	"src/api/mod.rs":       "//! Serves the cart.\n\nuse crate::cart::total;\n\n/// The total as text.\npub fn answer(prices: &[String]) -> String {\n    total(prices).to_string()\n}\n",
	"src/unrelated/mod.rs": "//! Depends on nothing here.\n\n/// Fixed.\npub fn answer() -> i64 {\n    42\n}\n",
	"src/tools/mod.rs":     "/// Run them.\npub fn run() {}\n",
	"src/tools/README.md":  readme,
}, trials: []trial{
	{row: "comment in a body", edits: []edit{replace("src/money/mod.rs", "    text.parse()", "    // whole units\n    text /* as a number */.parse()")}},
	{row: "comment at the top of a file", edits: []edit{replace("src/money/mod.rs", "//! Amounts", "// Copyright the shop.\n\n//! Amounts")}},
	{row: "blank lines and indentation", edits: []edit{replace("src/money/mod.rs", "    text.parse()", "\n\n  text.parse()")}},
	{row: "all lines shifted", edits: []edit{replace("src/money/mod.rs", "pub mod receipt;\n", "\n\n\npub mod receipt;\n")}},
	{row: "spacing within a line", edits: []edit{replace("src/money/mod.rs", "digits(text) * SCALE", "digits( text )  *  SCALE")}},
	{row: "mode of a file", edits: []edit{executable("src/money/mod.rs")}},
	{row: "body of a function that others call", edits: []edit{replace("src/money/mod.rs", "text.parse()", "text.trim().parse()")}, rerun: "money"},
	{row: "body of the caller", edits: []edit{replace("src/cart/mod.rs", "parse(p).units)", "parse(p).units + 0)")}, rerun: "cart"},
	{row: "function fails with another error", edits: []edit{replace("src/money/mod.rs", "text.parse().unwrap()", "text.parse().expect(\"digits\")")}, rerun: "money"},
	{row: "signature of a function", edits: []edit{replace("src/money/mod.rs", "parse(text: &str)", "parse<'a>(text: &'a str)")}, rerun: "money cart", pages: "money"},
	{row: "signature of a private function", edits: []edit{replace("src/money/mod.rs", "digits(text: &str)", "digits<'a>(text: &'a str)")}, rerun: "money"},
	{row: "decorator on a function", edits: []edit{replace("src/money/mod.rs", "pub fn parse", "#[must_use]\npub fn parse")}, rerun: "money cart", pages: "money"},
	{row: "constant that others use", edits: []edit{replace("src/money/mod.rs", "i64 = 100", "i64 = 1000")}, rerun: "money report", pages: "money"},
	{row: "documentation of a function", edits: []edit{replace("src/money/mod.rs", "Read a whole", "Read one whole")}, rerun: "money", pages: "money"},
	{row: "documentation of the module", edits: []edit{replace("src/money/mod.rs", "//! Amounts in", "//! All amounts in")}, rerun: "money", pages: "money index guide list"},
	{row: "environment variable", edits: []edit{replace("src/money/mod.rs", "var(\"SHOP_CURRENCY\")", "var(\"SHOP_MONEY\")")}, rerun: "money", pages: "money operations"},
	{row: "method of a type, its body", edits: []edit{replace("src/money/mod.rs", "self.units.to_string()", "(self.units + 0).to_string()")}, rerun: "money"},
	{row: "method added to a type that others only hold", edits: []edit{replace("src/money/mod.rs", "    /// Write the", "    /// Whether it is nothing.\n    pub fn zero(&self) -> bool {\n        self.units == 0\n    }\n\n    /// Write the")}, rerun: "money cart", pages: "money"},
	{row: "type reached through another type", edits: []edit{replace("src/money/receipt.rs", "    pub text: String,\n", "    pub text: String,\n    pub note: String,\n")}, rerun: "money till", pages: "money"},
	{row: "name passed on by another module, at its origin",
		given: []edit{
			replace("src/lib.rs", "pub mod till;\n", "pub mod till;\npub mod bank;\npub mod desk;\n"),
			create("src/bank/mod.rs", "//! All that others need.\n\npub use crate::money::parse;\n"),
			create("src/desk/mod.rs", "//! Calls the bank.\n\nuse crate::bank::parse;\n\n/// Call it.\npub fn call() -> i64 {\n    parse(\"1\").units\n}\n"),
		},
		edits: []edit{replace("src/money/mod.rs", "parse(text: &str)", "parse<'a>(text: &'a str)")}, rerun: "money cart bank desk", pages: "money"},
	{row: "import added", edits: []edit{replace("src/cart/mod.rs", "use crate::money::parse;\n", "use crate::money::parse;\nuse crate::unrelated::answer;\n")}, rerun: "cart", pages: "cart unrelated index"},
	{row: "import removed", edits: []edit{replace("src/report/mod.rs", "use crate::money::SCALE;\n\n", ""), replace("src/report/mod.rs", "small / SCALE", "small / 100")}, rerun: "report", pages: "report money index guide"},
	{row: "export added, others import everything",
		given: []edit{
			replace("src/lib.rs", "pub mod till;\n", "pub mod till;\npub mod wild;\n"),
			create("src/wild/mod.rs", "//! Takes everything.\n\nuse crate::money::*;\n\n/// Ten.\npub const TEN: i64 = SCALE / 10;\n"),
		},
		edits: []edit{replace("src/money/mod.rs", "fn digits", "/// Nothing.\npub const ZERO: i64 = 0;\n\nfn digits")}, rerun: "money wild", pages: "money"},
	{row: "export added", edits: []edit{replace("src/money/mod.rs", "fn digits", "/// Nothing.\npub const ZERO: i64 = 0;\n\nfn digits")}, rerun: "money", pages: "money"},
	{row: "file that does not parse, then the mend", edits: []edit{replace("src/money/mod.rs", "digits(text) * SCALE }", "digits(text * SCALE }")}, rerun: "money", pages: "money operations", kept: "money"},
	{row: "edit that is not committed", uncommitted: true, edits: []edit{replace("src/money/mod.rs", "i64 = 100", "i64 = 1000")}, rerun: "money report", pages: "money"},
	{row: "two edits on two branches, merged", edits: []edit{replace("src/money/mod.rs", "Read a whole", "Read one whole")},
		other: []edit{replace("src/unrelated/mod.rs", "/// Fixed.", "/// Never changes.")}},
}}
