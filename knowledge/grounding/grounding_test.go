package grounding_test

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/grounding"
	"github.com/causaldocs/causal/knowledge/prompt"
)

const source = `package money

import "strconv"

// Parse reads an amount.
func Parse(s string) (int, error) {
	return strconv.Atoi(s)
}`

func shown() *grounding.Shown {
	var s grounding.Shown
	s.AddLines("money/money.go", 1, strings.Split(source, "\n"))
	s.AddLines("tax/tax.go", 4, []string{"// Rate gives the rate of a country.", "func Rate(country string) int {"})
	s.AddNames("money.Format", "max_len")
	s.AddRef("money.Parse", "func Parse(s string)", grounding.Cite{File: "money/money.go", From: 6, To: 8})
	return &s
}

func TestHold(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text   string
		cites  string // separated by spaces
		reason prompt.Reason
	}{
		"stands":                  {"Reads an amount with `strconv.Atoi`.", "money/money.go:6-8", ""},
		"one line":                {"Reads an amount.", "money/money.go:7", ""},
		"a whole file":            {"Reads an amount with strconv.Atoi.", "money/money.go", ""},
		"a symbol":                {"Reads an amount with `Parse`.", "money.Parse", ""},
		"a shown name":            {"The opposite of `money.Format` and max_len.", "money/money.go:6-8", ""},
		"an abbreviation":         {"Reads amounts, e.g. of carts.", "money/money.go:6-8", ""},
		"no source":               {"Reads an amount.", "", prompt.NotCited},
		"an unknown file":         {"Reads an amount.", "money/rates.go:1-2", prompt.NoSuchPlace},
		"lines not shown":         {"Gives a rate.", "tax/tax.go:1-5", prompt.NoSuchPlace},
		"lines behind the end":    {"Gives a rate.", "tax/tax.go:5-9", prompt.NoSuchPlace},
		"a backward range":        {"Gives a rate.", "tax/tax.go:5-4", prompt.NoSuchPlace},
		"a huge range":            {"Gives a rate.", "tax/tax.go:4-999999999999", prompt.NoSuchPlace},
		"one of two is unknown":   {"Gives a rate.", "tax/tax.go:4-5 x.go:1", prompt.NoSuchPlace},
		"a name in another place": {"Calls `Rate`.", "money/money.go:6-8", prompt.NameNotFound},
		"an invented name":        {"Rounds with `RoundHalfEven`.", "money/money.go:6-8", prompt.NameNotFound},
		"part of a name":          {"Calls `Pars`.", "money/money.go:6-8", prompt.NameNotFound},
		"an invented call":        {"Calls ParseAmount() first.", "money/money.go:6-8", prompt.NameNotFound},
		"an invented chain":       {"Calls money.Round for it.", "money/money.go:6-8", prompt.NameNotFound},
		"snake case":              {"Keeps to min_len.", "money/money.go:6-8", prompt.NameNotFound},
		"camel case":              {"Calls parseAll for it.", "money/money.go:6-8", prompt.NameNotFound},
		"no words":                {"…", "money/money.go:6-8", prompt.NotTheForm},
		"a link":                  {"See [here](x).", "money/money.go:6-8", prompt.NotTheForm},
		"an address":              {"See https://example.com for it.", "money/money.go:6-8", prompt.NotTheForm},
		"a tag":                   {"Reads <img src=x>.", "money/money.go:6-8", prompt.NotTheForm},
		"a comment":               {"Reads <!-- causal:keep -->.", "money/money.go:6-8", prompt.NotTheForm},
		"a mention":               {"Ask @octocat for it.", "money/money.go:6-8", prompt.NotTheForm},
		"a fence":                 {"Run ```sh rm``` for it.", "money/money.go:6-8", prompt.NotTheForm},
		"half a code span":        {"Reads `Parse.", "money/money.go:6-8", prompt.NotTheForm},
		"a long sentence":         {strings.Repeat("word ", 200), "money/money.go:6-8", prompt.NotTheForm},
	} {
		stand, dropped := shown().Hold([]grounding.Claim{{Text: c.text, Cites: strings.Fields(c.cites)}})
		switch {
		case c.reason == "" && len(stand) != 1:
			t.Errorf("%s: dropped: %v", name, dropped)
		case c.reason != "" && (len(dropped) != 1 || dropped[0].Reason != c.reason):
			t.Errorf("%s: stands %v, dropped %v, want %s", name, stand, dropped, c.reason)
		}
	}
}

func TestCitesArePlaces(t *testing.T) {
	t.Parallel()
	stand, _ := shown().Hold([]grounding.Claim{{Text: "Reads amounts.", Cites: []string{"money.Parse", "`money/money.go:L6-L8`", "money/money.go"}}})
	if len(stand) != 1 || len(stand[0].Cites) != 2 || stand[0].Cites[0].String() != "money/money.go:6-8" || stand[0].Cites[1].String() != "money/money.go" {
		t.Errorf("got %v", stand)
	}
}

func TestClean(t *testing.T) {
	t.Parallel()
	if clean, ok := grounding.Clean("a\u202eb\u200b\tc\nd"); !ok || clean != "ab c d" {
		t.Errorf("Clean returned %q", clean)
	}
}

func TestQuotes(t *testing.T) {
	t.Parallel()
	const doc = "Removes the currency sign and the spaces of an amount; an empty text is an error."
	for quotation, want := range map[string]bool{
		"the spaces of an amount":               true,
		"the spaces of an amount.":              true,
		"“Removes the currency sign”":           true,
		"the spaces of an amount, an empty":     true,
		"the space of an amount":                false,
		"an amount":                             false, // too few words
		"":                                      false,
		"currency sign and the spaces of a sum": false,
	} {
		if got := grounding.Quotes(doc, quotation, 3); got != want {
			t.Errorf("Quotes(%q) = %t", quotation, got)
		}
	}
}

// FuzzClean holds to what a page needs of a text of a model: one line, and no markup that a renderer acts on.
func FuzzClean(f *testing.F) {
	for _, s := range []string{"a `b` c", "# x", "<b>", "@a", "[a](b)", "\u202ex", "https://x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		clean, ok := grounding.Clean(s)
		if !ok {
			return
		}
		if strings.ContainsAny(clean, "\n\r\u202e\u200b") || strings.Contains(clean, "://") || strings.Count(clean, "`")%2 != 0 {
			t.Errorf("Clean(%q) = %q", s, clean)
		}
		if again, ok := grounding.Clean(clean); !ok || again != clean {
			t.Errorf("Clean(%q) = %q, and again %q", s, clean, again)
		}
	})
}
