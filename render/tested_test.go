package render

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/keep"
	"github.com/causaldocs/causal/render/pagecheck"
)

// parse is a symbol with a case of each law.
var parse = TestedSymbol{Name: "Parse", Why: "The documentation says: Parse reads an amount.", Cases: []TestedCase{
	{Law: "golden", Call: `"7"`, Want: "7.00", Why: "the documentation names it"}, {Law: "golden", Call: `"8"`, Want: "", Why: "a value at the edge"},
	{Law: "golden", Call: `"9"`, Want: "9.00", Why: "a third reason"}, {Law: "golden", Call: `"10"`, Want: "10.00"},
	{Law: "error", Call: `"1-"`, Want: "error", Why: "the documentation names it"},
	{Law: "roundtrip", Inverse: "Amount.String", Why: "they are a pair"}, {Law: "no_panic"}, {Law: "example", Call: `"12.50"`, Want: "error"},
	{Law: "idempotent"}, {Law: "order"}, {Law: "http"},
}}

func TestWhatIsTested(t *testing.T) {
	t.Parallel()
	fell := TestedSymbol{Name: "Parse", State: TestsFell, Because: `symbol_changed("money", "Parse")`, File: "money/money.go"}
	changed := fell
	changed.Became = []Became{{Case: "c-3fa1", Call: `Parse("1-")`, Was: "error", Is: "1"}, {Case: "c-9b02", Call: `Parse("")`, Was: "0", Is: ""}}
	for name, c := range map[string]struct {
		symbol TestedSymbol
		want   string
	}{
		"each law": {parse, "`Parse` and `Amount.String` lead back to each other (they are a pair) · a second time changes nothing · values compare as an order does · " +
			"`\"12.50\"` is an error as documented · `\"7\"` is `7.00`, `\"8\"` is `\"\"`, `\"9\"` is `9.00` and others (the documentation names it; a value at the edge) · " +
			"`\"1-\"` refused (the documentation names it) · requests are answered as recorded · no input makes it panic"},
		"a reason of its own": {TestedSymbol{Name: "Parse", Why: "Invoices rest on it.", Cases: parse.Cases[6:7]}, "Invoices rest on it. no input makes it panic"},
		"documentation and more": {
			TestedSymbol{Name: "Parse", Why: "The documentation says: Parse reads an amount. They are a pair.", Cases: parse.Cases[6:7]}, "They are a pair. no input makes it panic",
		},
		"what is too long for a sentence": {TestedSymbol{Name: "Parse", Cases: []TestedCase{
			{Law: "golden", Call: `"7"`, Want: strings.Repeat("7", 80), Why: "the documentation names it"}, {Law: "error", Call: `"1-"`, Want: "error"}, {Law: "error", Call: strings.Repeat("1", 80), Want: "error"},
		}}, "calls that the spec shows (the documentation names it) · `\"1-\"` and others refused"},
		"nothing but the documentation": {TestedSymbol{Name: "Parse", Why: "The documentation says: Parse reads an amount.", Cases: parse.Cases[6:7]}, "no input makes it panic"},
		"only an error": {
			TestedSymbol{Name: "Parse", Cases: []TestedCase{{Law: "golden", Call: "null", Want: "no error"}, {Law: "error", Call: `"x"`, Want: "error"}}},
			"`null` is no error · `\"x\"` with an error",
		},
		"invalidated": {fell, "⚠ **Invalidated**: `symbol_changed(\"money\", \"Parse\")` through `money/money.go`; its test is skipped until the next `causal testgen --verify`"},
		"changed": {changed, "⚠ **Behaviour changed**: `Parse(\"1-\")` was an error, is `1`, and others; fix the code, or accept the change with " +
			"`causal testgen --accept .causal/specs/money/Parse.yml#c-3fa1`"},
		"waiting":     {TestedSymbol{Name: "Parse", State: TestsWait}, "*not tested yet*: `causal testgen --verify` records results"},
		"kept out":    {TestedSymbol{Name: "Parse", State: TestsKeptOut, Because: "reaches os"}, "*not tested*: reaches os"},
		"for nothing": {TestedSymbol{Name: "Parse", State: TestsKeptOut}, "*not tested*"},
		"unread":      {TestedSymbol{Name: "Parse", State: TestsUnread, Because: "line 3: no key"}, "⚠ **The spec cannot be read**: line 3: no key"},
		"more":        {TestedSymbol{Name: "Parse", Cases: parse.Cases[6:7], More: true}, "no input makes it panic · and more"},
	} {
		text := moneyWith(t, Tested{Symbols: []TestedSymbol{c.symbol}})
		_, section, there := strings.Cut(text, "## Tested behaviour\n\n")
		section, _, _ = strings.Cut(section, "\n\n")
		if want := "- [`Parse`](../../../.causal/specs/money/Parse.yml)\n  — " + c.want; !there || section != want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, section, want)
		}
	}
}

// moneyWith is the page of a module of which something is tested.
func moneyWith(t *testing.T, tested Tested) string {
	t.Helper()
	r := newRepo(t, map[string]string{"money/money.go": "// Package money counts.\npackage money\n\n// Parse reads an amount.\nfunc Parse(s string) int { return 0 }\n"})
	r.pages("")
	g := r.graph()
	g.tested = map[string]Tested{"money": tested}
	return pageOf(r.config, r.previous["money"], g, nil)
}

func TestNothingTestedSaysNothing(t *testing.T) {
	t.Parallel()
	if text := moneyWith(t, Tested{}); strings.Contains(text, "is tested") {
		t.Errorf("a page says that nothing is tested:\n%s", text)
	}
}

// TestTestedHasRoom: many specs leave the page readable, and it says where the others are.
func TestTestedHasRoom(t *testing.T) {
	t.Parallel()
	var many Tested
	for range 200 {
		many.Symbols = append(many.Symbols, parse)
	}
	text := moneyWith(t, many)
	if !strings.Contains(text, "- Others in `.causal/specs/money`\n") || len(text) > 4*listBytes {
		t.Errorf("the page has %d bytes, and ends with\n%s", len(text), text[len(text)-600:])
	}
}

// TestTestedIsText: nothing that a spec says becomes Markdown, and links lead to specs.
func TestTestedIsText(t *testing.T) {
	t.Parallel()
	const evil = "` @everyone <script> [x](https://example.com) | # <!-- causal:keep notes -->"
	hostile := TestedSymbol{
		Name: "Parse", State: TestsFell, Because: evil, File: evil, Why: evil, Cases: []TestedCase{
			{Law: "golden", Call: evil, Want: evil, Why: evil}, {Law: "roundtrip", Inverse: evil}, {Law: evil, Call: evil},
		},
	}
	changed := hostile
	changed.Became = []Became{{Case: evil, Call: evil, Was: evil, Is: evil}}
	for _, s := range []TestedSymbol{hostile, changed, {Name: "Parse", State: TestsKeptOut, Because: evil}, {Name: "Parse", State: TestsUnread, Because: evil}} {
		text := moneyWith(t, Tested{Symbols: []TestedSymbol{s}})
		if _, keeps, err := keep.Split([]byte(text)); len(keeps) > 0 || err != nil {
			t.Errorf("a spec opens keep blocks %v, %v", keeps, err)
		}
		there := func(name string) bool {
			return name == "money" || name == "money/money.go" || strings.HasPrefix(name, ".causal/")
		}
		for _, p := range pagecheck.Check([]pagecheck.Page{{Path: "docs/causal/modules/money.md", Content: []byte(text)}}, there) {
			t.Errorf("line %d: %s in\n%s", p.Line, p.What, text)
		}
	}
}
