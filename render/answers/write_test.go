package answers

import (
	"testing"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/store"
)

// TestLinks: a cite links to its lines, or to the page of a module that the answer rests on.
func TestLinks(t *testing.T) {
	t.Parallel()
	a := &Answer{Evidence: []fact.Observation{fact.New(fact.Conclusions, "module/app/money").As("d")}}
	l := store.Layout{Docs: "docs/causal"}
	for cite, want := range map[string]string{
		"a.go:8": "../../a.go#L8", "a.go:8-9": "../../a.go#L8-L9", "a.go": "../../a.go", "docs/a b.md:3-4": "../../docs/a%20b.md?plain=1#L3-L4", "README.MD:1": "../../README.MD?plain=1#L1", "README.md": "../../README.md",
		"node app/money": "modules/app/money.md", "node app/tax": "", "event 8f3a90c1": "",
	} {
		if got := linkOf(l, a, ParseCite(cite)); got != want {
			t.Errorf("%s links to %q, want %q", cite, got, want)
		}
	}
}
