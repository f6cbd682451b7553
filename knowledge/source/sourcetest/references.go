package sourcetest

import (
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

// checkReferences fails t where what code names breaks a rule that holds for every input.
func checkReferences(t testing.TB, f source.File) {
	t.Helper()
	checkBody(t, "the file", f.Body)
	for _, s := range f.Symbols {
		checkBody(t, s.Name, s.Body)
		for i := 1; i < len(s.Requires); i++ {
			if s.Requires[i-1].Name >= s.Requires[i].Name {
				t.Errorf("%s: required methods not sorted and unique: %v", s.Name, s.Requires)
			}
		}
	}
}

func checkBody(t testing.TB, where string, body []source.Reference) {
	t.Helper()
	for _, r := range body {
		switch {
		case slices.Contains(strings.Split(r.Name, "."), ""):
			t.Errorf("%s: reference %q has an empty part", where, r.Name)
		case r.Open && strings.Contains(r.Name, "."):
			t.Errorf("%s: open reference %q is more than a selector", where, r.Name)
		case r.Line < 1:
			t.Errorf("%s: reference %s on line %d", where, r.Name, r.Line)
		case r.Kind != source.RefCall && r.Kind != source.RefType && r.Kind != source.RefValue:
			t.Errorf("%s: reference %s is of kind %q", where, r.Name, r.Kind)
		}
	}
	sorted := source.SortReferences(slices.Clone(body))
	if !slices.Equal(sorted, body) {
		t.Errorf("%s: references are not sorted, or not each once: %v", where, body)
	}
}

// CheckLines fails t if a reference is outside of the source. Languages with line directives cannot be checked
// everywhere.
func CheckLines(t testing.TB, f source.File, src []byte) {
	t.Helper()
	lines := strings.Count(string(src), "\n") + 1
	check := func(where string, body []source.Reference) {
		for _, r := range body {
			if r.Line > lines {
				t.Errorf("%s: reference %s on line %d of %d", where, r.Name, r.Line, lines)
			}
		}
	}
	check("the file", f.Body)
	for _, s := range f.Symbols {
		check(s.Name, s.Body)
	}
}
