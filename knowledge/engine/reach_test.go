package engine_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/source"
)

// TestReach: what names a symbol, in its module and in others, what it names, and what implements it.
func TestReach(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.tree.files["a/a.go"] = "package a\n\ntype Doer interface{ Do() int }\n\nfunc A() int { return one() }\n\nfunc one() int { return 1 }\n"
	b.tree.files["c/c.go"] = "package c\n\nimport \"x/a\"\n\ntype C struct{}\n\nfunc (C) Do() int { return a.A() }\n\nvar _ a.Doer = C{}\n"
	must(t)(b.update(t))
	for _, c := range []struct {
		module, symbol       string
		uses, usedBy, kindOf []string
	}{
		{"a", "A", []string{"a.one call true"}, []string{"b.B call true", "c.C.Do call true"}, nil},
		{"a", "one", nil, []string{"a.A call true"}, nil},
		{"a", "Doer", nil, []string{"c. type true"}, []string{"c.C true"}},
	} {
		r, ok, err := b.reach(t, c.module, c.symbol)
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

// reach asks once, as between two processes.
func (b *bench) reach(t *testing.T, module, symbol string) (r engine.Reach, ok bool, err error) {
	t.Helper()
	t.Run("reach", func(t *testing.T) {
		e := b.engine(t)
		if err = e.Look(t.Context()); err == nil {
			r, ok, err = e.Reach(t.Context(), module, symbol)
		}
	})
	return r, ok, err
}

func spelled(list []source.Referred) []string {
	var out []string
	for _, r := range list {
		out = append(out, fmt.Sprintf("%s.%s %s %t", r.Module, r.Name, r.Kind, r.Certain))
	}
	return out
}

// TestReachOfABody: the digest of a body follows what the symbol reaches in its module, and nothing else.
func TestReachOfABody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	body := func(text string) source.Digest {
		b.tree.files["a/a.go"] = "package a\n\nfunc A() int { return one() }\n" + text
		must(t)(b.update(t))
		r, ok, err := b.reach(t, "a", "A")
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		return r.Body
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
	b := setup(t)
	must(t)(b.update(t))
	for _, name := range [][2]string{{"a", "None"}, {"none", "A"}} {
		if r, ok, err := b.reach(t, name[0], name[1]); ok || err != nil {
			t.Errorf("%v: %+v, %v", name, r, err)
		}
	}
}
