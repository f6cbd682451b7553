package render

import (
	"slices"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

// TestOrderOfSymbols checks the order: used by other modules, shown in a README, documented.
func TestOrderOfSymbols(t *testing.T) {
	t.Parallel()
	n := &node.Node{Module: "m", Path: "m", Language: "go"}
	add := func(name string, kind source.Kind, doc string, aliases ...string) {
		n.PublicAPI = append(n.PublicAPI, node.Symbol{Name: name, Kind: kind, Signature: name, Doc: doc, File: "a.go", Aliases: aliases})
	}
	add("Bare", source.Func, "")
	add("Documented", source.Func, "Is told of.")
	add("Another", source.Func, "Is told of.")
	add("Shown", source.Func, "")
	add("Least", source.Func, "", "Called")
	add("Most", source.Func, "")
	add("Type", source.Struct, "Is told of.")
	add("Used", source.Struct, "")
	add("Used.Do", source.Method, "")
	for _, c := range []struct {
		used, quoted []string
		want         []string
	}{
		{nil, nil, []string{"Type", "Used", "Another", "Documented", "Bare", "Least", "Most", "Shown"}},
		{[]string{"Most", "Used.Do", "Called", "gone"}, []string{"Shown", "Most"}, []string{"Used", "Type", "Most", "Least", "Shown", "Another", "Documented", "Bare"}},
	} {
		p := modulePage(newRepo(t, nil).config, newOutline(n, undivided), &fakeGraph{used: map[string][]string{"m": c.used, "n": {"Bare"}}, quoted: c.quoted})
		parts := p.parts(p.entries)
		p.order(parts)
		var got []string
		for _, part := range parts {
			for _, e := range part.entries {
				got = append(got, e.Name)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("used %q, quoted %q: %q, want %q", c.used, c.quoted, got, c.want)
		}
	}
}
