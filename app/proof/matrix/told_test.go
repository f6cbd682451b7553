package matrix

import (
	"fmt"
	"strings"
)

// goTold are trials about flows, commands, and modules that fill several pages.
var goTold = []trial{
	{row: "call that a flow passes through", given: goProgram,
		edits: []edit{replace("cmd/shop/main.go", "\tsweep()\n\tlight()\n", "\tlight()\n")}, rerun: "cmd/shop", pages: "cmd/shop index"},
	{row: "body of a step of a flow", given: goProgram,
		edits: []edit{replace("cmd/shop/main.go", "hold(what, 100)", "hold(what, 50+50)")}, rerun: "cmd/shop"},
	{row: "comment of a step of a flow", given: goProgram,
		edits: []edit{replace("cmd/shop/main.go", "lets people in", "lets customers in")}, rerun: "cmd/shop", pages: "cmd/shop index"},
	{row: "function that a flow calls becomes a type", given: append(goProgram[:1:1], create("money/coin.go", "package money\n\n// Coin is one.\nfunc Coin(n int) int { return n }\n"),
		replace("cmd/shop/main.go", "\tsweep()\n\tlight()\n", "\t_ = money.Coin(1)\n\tsweep()\n\tlight()\n"), replace("cmd/shop/main.go", "import \"flag\"", "import (\n\t\"flag\"\n\n\t\"example.com/shop/money\"\n)")),
		edits: []edit{replace("money/coin.go", "func Coin(n int) int { return n }", "type Coin int")}, rerun: "cmd/shop money", pages: "cmd/shop index money"},
	{row: "help of a flag", given: goProgram,
		edits: []edit{replace("cmd/shop/main.go", "how bright it is", "how bright it shall be")}, rerun: "cmd/shop", pages: "commands"},
	{row: "default of a flag that another module declares", given: append(goProgram[:1:1],
		create("money/settings.go", "package money\n\n// Settings are those to begin with.\nvar Settings = newSettings()\n\ntype settings struct{ Light int }\n\nfunc newSettings() settings { return settings{Light: 10} }\n"),
		replace("cmd/shop/main.go", "import \"flag\"", "import (\n\t\"flag\"\n\n\t\"example.com/shop/money\"\n)"),
		replace("cmd/shop/main.go", `"light", 10`, `"light", money.Settings.Light`)),
		edits: []edit{replace("money/settings.go", "Light: 10", "Light: 20")}, rerun: "money", pages: "commands"},
	{row: "function of a module with several pages, its documentation", given: goLedger,
		edits: []edit{replace("ledger/sales.go", "the end of Sales07", "the very end of Sales07")}, rerun: "ledger", pages: "ledger~sales"},
	{row: "function of a module with several pages, its first sentence", given: goLedger,
		edits: []edit{replace("ledger/sales.go", "Sales07 adds", "Sales07 sums")}, rerun: "ledger", pages: "ledger ledger~sales"},
	{row: "module with several pages comes to have one", given: goLedger,
		edits: []edit{remove("ledger/sales.go"), remove("ledger/costs.go")}, rerun: "ledger", pages: "guide ledger ledger~costs ledger~sales ledger~taxes"},
	{row: "module comes to have several pages", given: goLedger[:1],
		edits: goLedger[1:], rerun: "ledger", pages: "guide ledger ledger~costs ledger~sales ledger~taxes"},
	{row: "why a function is tested, in its spec", given: []edit{create(".causal/specs/money/Parse.yml", goSpec)},
		edits: []edit{replace(".causal/specs/money/Parse.yml", "Prices are read by it.", "All prices are read by it.")}, pages: "money"},
}

// goSpec is a spec that waits for a run.
const goSpec = `schema: causal.testspec/v1
target: {lang: go, pkg: example.com/shop/money, symbol: Parse}
status: pending_record
rationale: "Prices are read by it."
provenance: {generator: det/1, seeds: [], llm: none}
invalidation_condition: "body_changed(\"money\", \"Parse\")"
cases:
  - {id: c-1, law: golden, why: "a price", args: [{string: "7"}]}
`

// goProgram is a program with a flag, and something that goes on behind main.
var goProgram = []edit{create("cmd/shop/main.go", `// Command shop opens the shop.
package main

import "flag"

var brightness = flag.Int("light", 10, "how bright it is")

func main() {
	flag.Parse()
	open()
}

// open lets people in.
func open() {
	sweep()
	light()
}

// sweep cleans the floor.
func sweep() { take("broom") }

// light turns the light on.
func light() { take("switch") }

// take takes something in hand.
func take(what string) { hold(what, 100) }

func hold(string, int) {}
`)}

// goLedger are the files of a package that one page is too small for.
var goLedger = []edit{goAccount("taxes"), goAccount("costs"), goAccount("sales")}

func goAccount(name string) edit {
	var b strings.Builder
	b.WriteString("// Package ledger keeps the books.\npackage ledger\n")
	upper := strings.ToUpper(name[:1]) + name[1:]
	for i := range 15 {
		f := fmt.Sprintf("%s%02d", upper, i)
		fmt.Fprintf(&b, "\n// %s adds up.\n//\n// %s\n//\n// That is the end of %s.\nfunc %s() int { return %d }\n", f, strings.Repeat("It goes on and on. ", 45), f, f, i)
	}
	return create("ledger/"+name+".go", b.String())
}

// pythonTold are trials as goTold.
var pythonTold = []trial{
	{row: "function of a module with several pages, its documentation", given: pythonLedger,
		edits: []edit{replace("ledger/sales.py", "the end of sales07", "the very end of sales07")}, rerun: "ledger", pages: "ledger~sales"},
	{row: "function of a module with several pages, its first sentence", given: pythonLedger,
		edits: []edit{replace("ledger/sales.py", "Add sales07", "Sum sales07")}, rerun: "ledger", pages: "ledger ledger~sales"},
	{row: "module with several pages comes to have one", given: pythonLedger,
		edits: []edit{remove("ledger/sales.py"), remove("ledger/costs.py")}, rerun: "ledger", pages: "guide ledger ledger~costs ledger~sales ledger~taxes"},
	{row: "module comes to have several pages", given: pythonLedger[:2],
		edits: pythonLedger[2:], rerun: "ledger", pages: "guide ledger ledger~costs ledger~sales ledger~taxes"},
}

// pythonLedger are the files of a package that one page is too small for.
var pythonLedger = []edit{create("ledger/__init__.py", "\"\"\"The books.\"\"\"\n"), pythonAccount("taxes"), pythonAccount("costs"), pythonAccount("sales")}

func pythonAccount(name string) edit {
	var b strings.Builder
	b.WriteString("\"\"\"Some of the " + name + ".\"\"\"\n")
	for i := range 15 {
		f := fmt.Sprintf("%s%02d", name, i)
		fmt.Fprintf(&b, "\n\ndef %s() -> int:\n    \"\"\"Add %s.\n\n    %s\n\n    That is the end of %s.\n    \"\"\"\n    return %d\n", f, f, strings.Repeat("It goes on and on. ", 45), f, i)
	}
	return create("ledger/"+name+".py", b.String())
}
