package source_test

import (
	"slices"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

// TestMergedReferences checks that a symbol with several declarations has the references and constraints of each.
func TestMergedReferences(t *testing.T) {
	t.Parallel()
	declare := func(guard string, refs ...source.Reference) source.Symbol {
		s := symbol("F", 1)
		s.Guard, s.Body = guard, refs
		return s
	}
	a := source.Reference{Name: "a", Kind: source.RefCall, Line: 7}
	for _, c := range []struct {
		name  string
		list  []source.Symbol
		guard string
		body  []source.Reference
	}{
		{"the same constraint", []source.Symbol{declare("linux"), declare("linux")}, "linux", nil},
		{"one is always there", []source.Symbol{declare("linux"), declare("")}, "", nil},
		{"either", []source.Symbol{declare("windows"), declare("linux")}, "linux || windows", nil},
		{
			"the first line of each", []source.Symbol{
				declare("", a, source.Reference{Name: "b", Kind: source.RefType, Line: 2}),
				declare("", source.Reference{Name: "a", Kind: source.RefCall, Line: 3}, source.Reference{Name: "a", Kind: source.RefCall, Open: true, Line: 1}),
			}, "", []source.Reference{
				{Name: "a", Kind: source.RefCall, Line: 3, Order: 1}, {Name: "a", Kind: source.RefCall, Open: true, Line: 1, Order: 4},
				{Name: "b", Kind: source.RefType, Line: 2, Order: 2},
			},
		},
	} {
		got := source.MergeSymbols(c.list)
		if len(got) != 1 || got[0].Guard != c.guard || !slices.Equal(got[0].Body, c.body) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// TestMergedDocumentation checks that each declaration of a name keeps its documentation, without duplicates.
func TestMergedDocumentation(t *testing.T) {
	t.Parallel()
	declare := func(signature, doc string) source.Symbol {
		s := symbol("F", 1)
		s.Signature, s.Doc = signature, doc
		return s
	}
	for _, c := range []struct {
		name      string
		list      []source.Symbol
		doc       string
		overloads []source.Overload
	}{
		{"one", []source.Symbol{declare("F()", "Does."), declare("F(a)", "")}, "Does.", nil},
		{"the second", []source.Symbol{declare("F()", ""), declare("F(a)", "Does.")}, "Does.", nil},
		{"the same text", []source.Symbol{declare("F()", "Does."), declare("F(a)", "Does.")}, "Does.", nil},
		{"the same declaration", []source.Symbol{declare("F()", "Does."), declare("F()", "Does here.")}, "Does.", nil},
		{"the same declaration, said of once", []source.Symbol{declare("F()", ""), declare("F()", "Does.")}, "Does.", nil},
		{
			"each", []source.Symbol{declare("F()", "Does."), declare("F(a)", "Does a."), declare("F(b)", "Does a."), declare("F(c)", "Does c.")}, "Does.",
			[]source.Overload{{Signature: "F(a)", Doc: "Does a."}, {Signature: "F(c)", Doc: "Does c."}},
		},
	} {
		got := source.MergeSymbols(c.list)[0]
		if got.Doc != c.doc || !slices.Equal(got.Overloads, c.overloads) {
			t.Errorf("%s: %q and %q", c.name, got.Doc, got.Overloads)
		}
		if again := source.MergeSymbols([]source.Symbol{got, declare("F(z)", "Does z.")})[0]; len(again.Overloads) != len(c.overloads)+1 || !slices.Equal(got.Overloads, c.overloads) {
			t.Errorf("%s: merged again, %q out of %q", c.name, again.Overloads, got.Overloads)
		}
	}
}
