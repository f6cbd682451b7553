package survey

import (
	"fmt"
	"slices"
	"testing"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/source"
)

// TestReach checks the references to a symbol in its module and in others, its own references, and its implementers, with a full and with
// a lazy survey.
func TestReach(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.tree.files["a/a.go"] = "package a\n\ntype Doer interface{ Do() int }\n\nfunc A() int { return one() }\n\nfunc one() int { return 1 }\n"
	b.tree.files["c/c.go"] = "package c\n\nimport \"x/a\"\n\ntype C struct{}\n\nfunc (C) Do() int { return a.A() }\n\nvar _ a.Doer = C{}\n"
	for range 2 {
		b.run(t, true, testReach)
	}
}

func testReach(t *testing.T, s *Survey) {
	for _, c := range []struct {
		module, symbol       string
		uses, usedBy, kindOf []string
	}{
		{"a", "A", []string{"a.one call true"}, []string{"b.B call true", "c.C.Do call true"}, nil},
		{"a", "one", nil, []string{"a.A call true"}, nil},
		{"a", "Doer", nil, []string{"c. type true"}, []string{"c.C true"}},
	} {
		r, ok, err := s.Reach(t.Context(), c.module, c.symbol)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		var kin []string
		for _, i := range r.Implementers {
			kin = append(kin, fmt.Sprintf("%s.%s %t", i.Module, i.Name, i.Certain))
		}
		for what, lists := range map[string][2][]string{
			"uses": {spelled(r.Uses), c.uses}, "used by": {spelled(r.UsedBy), c.usedBy}, "implemented by": {kin, c.kindOf},
		} {
			if !slices.Equal(lists[0], lists[1]) {
				t.Errorf("%s.%s: %s %q, want %q", c.module, c.symbol, what, lists[0], lists[1])
			}
		}
	}
}

func spelled(list []source.Referred) []string {
	var out []string
	for _, r := range list {
		out = append(out, fmt.Sprintf("%s.%s %s %t", r.Module, r.Name, r.Kind, r.Certain))
	}
	return out
}

// TestReachOfABody checks that the digest of a body depends only on what the symbol reaches in its module.
func TestReachOfABody(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	body := func(text string) (out source.Digest) {
		b.tree.files["a/a.go"] = "package a\n\nfunc A() int { return one() }\n" + text
		b.run(t, true, func(t *testing.T, s *Survey) {
			r, ok, err := s.Reach(t.Context(), "a", "A")
			if err != nil || !ok {
				t.Fatal(ok, err)
			}
			out = r.Body
			if d := digest(t, s, fact.Of(fact.Bodies, "a", "A")); d != string(out) {
				t.Errorf("the fact says %q, the reach %q", d, out)
			}
		})
		return out
	}
	first := body("\nfunc one() int { return 1 }\n")
	if again := body("\n// ordinary\n\nfunc one() int {\n\treturn 1\n}\n\nfunc other() {}\n"); again != first {
		t.Error("formatting, or what it does not reach, changes a body")
	}
	if other := body("\nfunc one() int { return 2 }\n"); other == first {
		t.Error("what it reaches changes, and its body does not")
	}
}

func TestReachOfNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.settle(t)
	s := b.survey(t)
	for _, name := range [][2]string{{"a", "None"}, {"none", "A"}} {
		if r, ok, err := s.Reach(t.Context(), name[0], name[1]); ok || err != nil {
			t.Errorf("%v: %+v, %v", name, r, err)
		}
		if d := digest(t, s, fact.Of(fact.Bodies, name[0], name[1])); d != "" {
			t.Errorf("%v: body %q", name, d)
		}
	}
}
