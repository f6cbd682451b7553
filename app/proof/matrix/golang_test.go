package matrix

// plugs are modules with an interface, a registry and implementations.
var plugs = []edit{
	create("plug/plug.go", "// Package plug holds plugs.\npackage plug\n\n// Plug fits.\ntype Plug interface {\n\tFit()\n}\n\n// Register takes a plug.\nfunc Register(name string, p Plug) {}\n"),
	create("round/round.go", "// Package round makes amounts even.\npackage round\n\nimport \"example.com/shop/plug\"\n\nfunc init() { plug.Register(\"round\", Round{}) }\n\n// Round is a plug.\ntype Round struct{}\n\n// Fit fits.\nfunc (Round) Fit() {}\n\nfunc turn() {}\n"),
	create("flat/flat.go", "// Package flat takes plugs.\npackage flat\n\nimport \"example.com/shop/plug\"\n\n// Flat is flat.\ntype Flat struct{}\n\n// Use takes a plug.\nfunc Use(p plug.Plug) {}\n"),
}

// goShop is the shop in Go. The other modules use different parts of money.
var goShop = language{name: "Go", told: goTold, files: map[string]string{
	"go.mod": "module example.com/shop\n\ngo 1.26\n",
	"money/money.go": `// Package money holds amounts in the smallest unit of a currency.
package money

import (
	"errors"
	"os"
	"strconv"
)

// Scale is how many small units make one large one.
const Scale = 100

// ErrSyntax is returned for text that is not a number.
var ErrSyntax = errors.New("money: syntax")

// Amount counts small units.
type Amount int64

// String writes the amount.
func (a Amount) String() string { return strconv.FormatInt(int64(a), 10) }

// Parse reads a whole number of large units.
func Parse(s string) (Amount, error) {
	n, err := digits(s)
	if err != nil {
		return 0, ErrSyntax
	}
	return Amount(n * Scale), nil
}

func digits(s string) (int, error) {
	return strconv.Atoi(s)
}

// Currency is the one to count in, from SHOP_CURRENCY.
func Currency() string { return os.Getenv("SHOP_CURRENCY") }
`,
	"money/receipt.go": `package money

// Receipt says what was paid.
type Receipt struct {
	Lines []Line
}

// Line is one line of a Receipt.
type Line struct {
	Text string
	Sum  Amount
}

// Print makes a receipt.
func Print(sums ...Amount) Receipt {
	var r Receipt
	for _, s := range sums {
		r.Lines = append(r.Lines, Line{Sum: s})
	}
	return r
}
`,
	"money/money_test.go": `package money

import "testing"

func TestParse(t *testing.T) {
	if _, err := Parse("1"); err != nil {
		t.Fatal(err)
	}
}
`,
	"cart/cart.go": `// Package cart adds up what a customer wants to buy.
package cart

import "example.com/shop/money"

// Total sums prices.
func Total(prices []string) (int64, error) {
	var sum int64
	for _, p := range prices {
		a, err := money.Parse(p)
		if err != nil {
			return 0, err
		}
		sum += int64(a)
	}
	return sum, nil
}
`,
	"report/report.go": `// Package report writes what was sold.
package report

import "example.com/shop/money"

// Large turns small units into large ones.
func Large(small int) int { return small / money.Scale }
`,
	"till/till.go": `// Package till takes the money.
package till

import "example.com/shop/money"

// Pay counts the lines of the receipt.
func Pay() int { return len(money.Print().Lines) }
`,
	"api/api.go": `// Package api serves the cart.
package api

import "example.com/shop/cart"

// Answer is the total as a number.
func Answer(prices []string) int64 {
	n, _ := cart.Total(prices)
	return n
}
`,
	"unrelated/unrelated.go": "// Package unrelated depends on nothing here.\npackage unrelated\n\n// Answer is fixed.\nfunc Answer() int { return 42 }\n",
	"tools/tools.go":         "package tools\n\n// Run runs them.\nfunc Run() {}\n",
	"tools/README.md":        readme,
}, trials: []trial{
	{row: "comment in a body", edits: []edit{replace("money/money.go", "\tn, err := digits(s)\n", "\t// whole units\n\tn, err := digits(s) // as a number\n")}},
	{row: "comment at the top of a file", edits: []edit{replace("money/money.go", "// Package money", "// Copyright the shop.\n\n// Package money")}},
	{row: "blank lines and indentation", edits: []edit{replace("money/money.go", "\treturn strconv.Atoi(s)\n", "\n\n\t\treturn strconv.Atoi(s)\n\n")}},
	{row: "all lines shifted", edits: []edit{replace("money/money.go", "import (", "\n\n\n\n\nimport (")}},
	{row: "spacing within a line", edits: []edit{replace("money/money.go", "Amount(n * Scale)", "Amount(n   *   Scale)")}},
	{row: "mode of a file", edits: []edit{executable("money/money.go")}},
	{row: "test, its body", edits: []edit{replace("money/money_test.go", `Parse("1")`, `Parse("12")`)}},
	{row: "test added", edits: []edit{replace("money/money_test.go", "func TestParse", "func TestDigits(t *testing.T) {}\n\nfunc TestParse")}, rerun: "money", pages: "money"},
	{row: "body of a function that others call", edits: []edit{replace("money/money.go", "strconv.Atoi(s)", `strconv.Atoi(s + "")`)}, rerun: "money"},
	{row: "body of the caller", edits: []edit{replace("cart/cart.go", "sum += int64(a)", "sum += int64(a) + 0")}, rerun: "cart"},
	{row: "function fails with another error", edits: []edit{replace("money/money.go", "return 0, ErrSyntax", "return 0, err")}, rerun: "money"},
	{row: "signature of a function", edits: []edit{replace("money/money.go", "func Parse(s string) (", "func Parse(s string, base ...int) (")}, rerun: "money cart", pages: "money"},
	{row: "signature of a private function", edits: []edit{replace("money/money.go", "func digits(s string) (int, error)", "func digits(s string) (n int, err error)")}, rerun: "money"},
	{row: "directive on a function", edits: []edit{replace("money/money.go", "func digits", "//go:noinline\nfunc digits")}, rerun: "money"},
	{row: "function becomes private", edits: []edit{replace("money/money.go", "func Currency()", "func currency()")}, rerun: "money", pages: "money"},
	{row: "constant that others use", edits: []edit{replace("money/money.go", "Scale = 100", "Scale = 1000")}, rerun: "money report", pages: "money"},
	{row: "constants numbered in order, one put in front",
		given: []edit{
			create("money/unit.go", "package money\n\n// Unit is a currency.\ntype Unit int\n\n// The units.\nconst (\n\tEuro Unit = iota\n\tPound\n)\n"),
			create("stock/stock.go", "// Package stock counts coins.\npackage stock\n\nimport \"example.com/shop/money\"\n\n// Home is where the shop is.\nvar Home = money.Pound\n"),
		},
		edits: []edit{replace("money/unit.go", "\tEuro Unit = iota\n", "\tDollar Unit = iota\n\tEuro\n")}, rerun: "money stock", pages: "money"},
	{row: "documentation of a function", edits: []edit{replace("money/money.go", "// Parse reads a whole", "// Parse reads one whole")}, rerun: "money", pages: "money"},
	{row: "documentation of the module", edits: []edit{replace("money/money.go", "money holds", "money keeps")}, rerun: "money", pages: "money index guide list"},
	{row: "environment variable", edits: []edit{replace("money/money.go", `Getenv("SHOP_CURRENCY")`, `Getenv("SHOP_MONEY")`)}, rerun: "money", pages: "money operations"},
	{row: "method of a type, its body", edits: []edit{replace("money/money.go", "FormatInt(int64(a), 10)", "FormatInt(int64(a)+0, 10)")}, rerun: "money"},
	{row: "method added to a type that others only hold", edits: []edit{replace("money/money.go", "// Parse reads", "// Zero reports whether it is nothing.\nfunc (a Amount) Zero() bool { return a == 0 }\n\n// Parse reads")},
		rerun: "money cart till", pages: "money"},
	{row: "type reached through another type", edits: []edit{replace("money/receipt.go", "\tText string\n", "\tText string\n\tNote string\n")}, rerun: "money till", pages: "money"},
	{row: "private type reached through a public function",
		given: []edit{
			create("money/rate.go", "package money\n\ntype row struct{ From string }\n\ntype table struct{ Rows []row }\n\n// Rates are today's.\nfunc Rates() table { return table{} }\n"),
			create("bureau/bureau.go", "// Package bureau changes money.\npackage bureau\n\nimport \"example.com/shop/money\"\n\n// Count counts the rates.\nfunc Count() int { return len(money.Rates().Rows) }\n"),
		},
		edits: []edit{replace("money/rate.go", "{ From string }", "{ From, To string }")}, rerun: "money bureau"},
	{row: "embedded struct",
		given: []edit{
			create("money/book.go", "package money\n\ntype base struct{ ID int }\n\n// Entry is a line of the books.\ntype Entry struct {\n\tbase\n\tSum Amount\n}\n"),
			create("books/books.go", "// Package books keeps the books.\npackage books\n\nimport \"example.com/shop/money\"\n\n// First is the first entry.\nvar First money.Entry\n"),
		},
		edits: []edit{replace("money/book.go", "{ ID int }", "{ ID int64 }")}, rerun: "money books"},
	{row: "one of two declarations for different platforms",
		given: []edit{
			create("money/host_linux.go", "package money\n\n// Host is where the bank is.\nfunc Host() string { return \"linux\" }\n"),
			create("money/host_windows.go", "package money\n\n// Host is where the bank is.\nfunc Host() string { return \"windows\" }\n"),
			create("desk/desk.go", "// Package desk calls the bank.\npackage desk\n\nimport \"example.com/shop/money\"\n\n// Call calls it.\nfunc Call() string { return money.Host() }\n"),
		},
		edits: []edit{replace("money/host_windows.go", "func Host() string", "func Host() (name string)")}, rerun: "money desk", pages: "money"},
	{row: "type comes to implement an interface", given: plugs,
		edits: []edit{replace("flat/flat.go", "// Use takes", "// Fit fits.\nfunc (Flat) Fit() {}\n\n// Use takes")}, rerun: "flat", pages: "flat plug extensions index"},
	{row: "type comes to implement an interface no more", given: plugs,
		edits: []edit{replace("round/round.go", "func (Round) Fit() {}", "func (Round) Fit(turns int) {}")}, rerun: "round", pages: "round plug"},
	{row: "body of a method that implements an interface", given: plugs, edits: []edit{replace("round/round.go", "Fit() {}", "Fit() { turn() }")}, rerun: "round"},
	{row: "interface asks for another method", given: plugs, edits: []edit{replace("plug/plug.go", "Fit()", "Fit()\n\tPull()")}, rerun: "plug round flat", pages: "plug round"},
	{row: "name that something is registered under", given: plugs, edits: []edit{replace("round/round.go", `"round"`, `"circle"`)}, rerun: "round", pages: "round plug extensions index"},
	{row: "registration moves to another file of the module", given: plugs,
		edits: []edit{replace("round/round.go", "func init() { plug.Register(\"round\", Round{}) }\n\n", ""),
			create("round/start.go", "package round\n\nimport \"example.com/shop/plug\"\n\nfunc init() { plug.Register(\"round\", Round{}) }\n")}, rerun: "round", pages: "round extensions"},
	{row: "registration moves to another module", given: plugs,
		edits: []edit{replace("round/round.go", "func init() { plug.Register(\"round\", Round{}) }\n\n", "var _ plug.Plug = Round{}\n\n"),
			replace("flat/flat.go", "import \"example.com/shop/plug\"\n", "import (\n\t\"example.com/shop/plug\"\n\t\"example.com/shop/round\"\n)\n\nfunc init() { plug.Register(\"round\", round.Round{}) }\n")},
		rerun: "round flat", pages: "round flat plug extensions index"},
	{row: "import added", edits: []edit{replace("cart/cart.go", `import "example.com/shop/money"`, "import (\n\t\"example.com/shop/money\"\n\t\"example.com/shop/unrelated\"\n)\n\nvar _ = unrelated.Answer")},
		rerun: "cart", pages: "cart unrelated index guide"},
	{row: "import removed", edits: []edit{replace("report/report.go", "import \"example.com/shop/money\"\n\n", ""), replace("report/report.go", "money.Scale", "100")},
		rerun: "report", pages: "report money index guide"},
	{row: "export added, others import everything",
		given: []edit{create("wild/wild.go", "// Package wild takes everything.\npackage wild\n\nimport . \"example.com/shop/money\"\n\n// Ten is a scale.\nvar Ten = Scale / 10\n")},
		edits: []edit{replace("money/money.go", "func digits", "// Zero is nothing.\nfunc Zero() Amount { return 0 }\n\nfunc digits")}, rerun: "money wild", pages: "money"},
	{row: "export added", edits: []edit{replace("money/money.go", "func digits", "// Zero is nothing.\nfunc Zero() Amount { return 0 }\n\nfunc digits")}, rerun: "money", pages: "money"},
	{row: "export removed that others use", edits: []edit{replace("money/money.go", "// Scale is how many small units make one large one.\nconst Scale = 100\n", "const scale = 100\n"), replace("money/money.go", "n * Scale", "n * scale")},
		rerun: "money report", pages: "money index"},
	{row: "symbol moved to another file of the module", edits: []edit{replace("money/money.go", "func digits(s string) (int, error) {\n\treturn strconv.Atoi(s)\n}\n", ""),
		create("money/digits.go", "package money\n\nimport \"strconv\"\n\nfunc digits(s string) (int, error) {\n\treturn strconv.Atoi(s)\n}\n")}, rerun: "money", pages: "money"},
	{row: "public symbol moved to another file of the module", edits: []edit{replace("money/money.go", "// Scale is how many small units make one large one.\nconst Scale = 100\n", ""),
		replace("money/receipt.go", "package money\n", "package money\n\n// Scale is how many small units make one large one.\nconst Scale = 100\n")}, rerun: "money", pages: "money"},
	{row: "file renamed, same code", edits: []edit{rename("money/receipt.go", "money/paper.go")}, rerun: "money", pages: "money"},
	{row: "file of the caller renamed, same code", edits: []edit{rename("cart/cart.go", "cart/basket.go")}, rerun: "cart", pages: "cart"},
	{row: "file added", edits: []edit{create("money/format.go", "package money\n\n// Format writes an amount.\nfunc Format(a Amount) string { return a.String() }\n")}, rerun: "money", pages: "money"},
	{row: "file deleted", edits: []edit{remove("money/receipt.go")}, rerun: "money till", pages: "money index"},
	{row: "module added", edits: []edit{create("tax/tax.go", "// Package tax adds tax.\npackage tax\n\nimport \"example.com/shop/money\"\n\n// Rate is the rate.\nconst Rate = money.Scale / 5\n")},
		rerun: "tax", pages: "tax money index guide list"},
	{row: "module added that an import was waiting for",
		given: []edit{replace("api/api.go", `import "example.com/shop/cart"`, "import (\n\t\"example.com/shop/cart\"\n\t\"example.com/shop/tax\"\n)\n\nvar _ = tax.Rate")},
		edits: []edit{create("tax/tax.go", "// Package tax adds tax.\npackage tax\n\n// Rate is the rate.\nconst Rate = 20\n")}, rerun: "tax api", pages: "tax api index guide list"},
	{row: "module deleted", edits: []edit{remove("unrelated")}, removed: "unrelated", pages: "list index guide"},
	{row: "module deleted that others use", edits: []edit{remove("cart")}, removed: "cart", rerun: "api", pages: "api money index guide list"},
	{row: "module renamed", edits: []edit{rename("unrelated", "related")}, removed: "unrelated", rerun: "related", pages: "related list index guide"},
	{row: "module renamed, its users not", edits: []edit{rename("cart", "basket")}, removed: "cart", rerun: "basket api", pages: "basket api money index guide list"},
	{row: "path of the project", edits: []edit{replace("go.mod", "example.com/shop", "example.com/store")}, rerun: "cart report till api", pages: "cart report till api money index guide"},
	{row: "file that does not parse, then the mend", edits: []edit{replace("money/money.go", "n, err := digits(s)", "n, err := := digits(s)")}, rerun: "money", pages: "money operations", kept: "money"},
	{row: "edit that is not committed", uncommitted: true, edits: []edit{replace("money/money.go", "Scale = 100", "Scale = 1000")}, rerun: "money report", pages: "money"},
	{row: "two edits on two branches, merged", edits: []edit{replace("money/money.go", "// Parse reads a whole", "// Parse reads one whole")},
		other: []edit{replace("unrelated/unrelated.go", "// Answer is fixed.", "// Answer never changes.")}},
	{row: "one branch uses what the other edits, merged", edits: []edit{replace("money/money.go", "func Parse(s string) (", "func Parse(s string, base ...int) (")},
		other: []edit{replace("unrelated/unrelated.go", "package unrelated\n", "package unrelated\n\nimport \"example.com/shop/money\"\n\nvar _ = money.Parse\n")}, rerun: "unrelated"},
}}
