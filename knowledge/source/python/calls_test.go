package python

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

// TestOrderOfCalls: what is called for an argument comes before the function, and what a lambda does behind the one that gets it.
func TestOrderOfCalls(t *testing.T) {
	t.Parallel()
	f := Language{}.Extract(t.Context(), "a.py", []byte("def main():\n    a(b(c()))\n    d.e(lambda: f(g))\n    h[i(j())].k(l)\n"))
	body := slices.Clone(f.Symbols[0].Body)
	slices.SortFunc(body, func(a, b source.Reference) int { return cmp.Compare(a.Order, b.Order) })
	var names []string
	for _, r := range body {
		if r.Kind == source.RefCall {
			names = append(names, r.Name)
		}
	}
	if got := strings.Join(names, " "); got != "c b a d.e f j i k" {
		t.Errorf("got %s", got)
	}
}
