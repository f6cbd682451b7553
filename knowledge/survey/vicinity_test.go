package survey

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/source"
)

// relatedTo asks a survey what names, is named by, and implements symbols, through the functions for plugins.
func relatedTo(t *testing.T, s *Survey, about [3][2]string) (said [3][]string, digests [3]string) {
	t.Helper()
	r := &recorder{t: t, survey: s}
	callers, err := CallersOf(r, about[0][0], about[0][1])
	if err != nil {
		t.Fatal(err)
	}
	callees, err := calleesOf(r, about[1][0], about[1][1])
	if err != nil {
		t.Fatal(err)
	}
	kin, err := ImplementersOf(r, about[2][0], about[2][1])
	if err != nil {
		t.Fatal(err)
	}
	said[0], said[1] = spelled(callers), spelled(callees)
	for _, i := range kin {
		said[2] = append(said[2], fmt.Sprintf("%s.%s %t", i.Module, i.Name, i.Certain))
	}
	for i, o := range r.read {
		digests[i] = o.Digest
	}
	return said, digests
}

// TestFactsAboutSymbols checks that facts about relations of a symbol change exactly when an edit affects them, that changes are reported,
// and that a survey without a cache has the same facts.
func TestFactsAboutSymbols(t *testing.T) {
	t.Parallel()
	type step struct {
		name   string
		edit   map[string]string
		differ [3]bool // callers, callees, implementers
		want   [3][]string
	}
	for _, c := range []struct {
		language string
		about    [3][2]string // the symbols whose callers, callees and implementers are asked for
		files    map[string]string
		steps    []step
	}{
		{
			"go", [3][2]string{{"a", "A"}, {"c", "C.Do"}, {"a", "Doer"}},
			map[string]string{
				"a/a.go": "package a\n\ntype Doer interface{ Do() int }\n\nfunc A() int { return one() }\n\nfunc one() int { return 1 }\n",
				"b/b.go": "package b\n", "d/d.go": "package d\n",
				"c/c.go": "package c\n\nimport \"x/a\"\n\ntype C struct{}\n\nfunc (C) Do() int { return a.A() }\n\nvar _ a.Doer = C{}\n",
			},
			[]step{
				{"as it is", nil, [3]bool{}, [3][]string{{"c.C.Do call true"}, {"a.A call true", "c.C type true"}, {"c.C true"}}},
				{
					"a caller more, in another module", map[string]string{"b/b.go": "package b\n\nimport \"x/a\"\n\nfunc B() int { return a.A() }\n"},
					[3]bool{true, false, false}, [3][]string{{"b.B call true", "c.C.Do call true"}, {"a.A call true", "c.C type true"}, {"c.C true"}},
				},
				{
					"lines move", map[string]string{
						"b/b.go": "package b\n\nimport \"x/a\"\n\n\n\n// B is here.\nfunc B() int {\n\n\treturn a.A()\n}\n",
						"c/c.go": "package c\n\nimport \"x/a\"\n\n// C is here.\n\ntype C struct{}\n\nfunc (C) Do() int {\n\n\treturn a.A()\n}\n\nvar _ a.Doer = C{}\n",
					},
					[3]bool{}, [3][]string{{"b.B call true", "c.C.Do call true"}, {"a.A call true", "c.C type true"}, {"c.C true"}},
				},
				{"an edit elsewhere", map[string]string{"d/d.go": "package d\n\nfunc D() {}\n"}, [3]bool{}, [3][]string{{"b.B call true", "c.C.Do call true"}, {"a.A call true", "c.C type true"}, {"c.C true"}}},
				{"another body", map[string]string{"a/a.go": "package a\n\ntype Doer interface{ Do() int }\n\nfunc A() int { return 1 + one() }\n\nfunc one() int { return 2 }\n"}, [3]bool{}, [3][]string{{"b.B call true", "c.C.Do call true"}, {"a.A call true", "c.C type true"}, {"c.C true"}}},
				{
					"a method has another result", map[string]string{"c/c.go": "package c\n\nimport \"x/a\"\n\ntype C struct{}\n\nfunc (C) Do() { a.A() }\n\nvar _ a.Doer\n"},
					[3]bool{false, false, true}, [3][]string{{"b.B call true", "c.C.Do call true"}, {"a.A call true", "c.C type true"}, nil},
				},
				{
					"a method is gone", map[string]string{"c/c.go": "package c\n\nimport \"x/a\"\n\ntype C struct{}\n\nvar _ a.Doer\n"},
					[3]bool{true, true, false}, [3][]string{{"b.B call true"}, nil, nil},
				},
				{"the module is gone", map[string]string{"a/a.go": ""}, [3]bool{true, false, true}, [3][]string{nil, nil, nil}},
			},
		},
		{
			"typescript", [3][2]string{{"lib", "f"}, {"web", "w.go"}, {"lib", "Base"}},
			map[string]string{
				"lib/index.ts": "export class Base {}\nexport function f() { return 1; }\n", "own/x.ts": "",
				"web/w.ts": "import { f } from \"../lib\";\nexport function go() { return f(); }\n", "ui/u.ts": "export class Button {}\n",
			},
			[]step{
				{"as it is", nil, [3]bool{}, [3][]string{{"web.w.go call true"}, {"lib.f call true"}, nil}},
				{
					"a type more extends it", map[string]string{"ui/u.ts": "import { Base } from \"../lib\";\nexport class Button extends Base {}\n"},
					[3]bool{false, false, true}, [3][]string{{"web.w.go call true"}, {"lib.f call true"}, {"ui.u.Button true"}},
				},
				{
					"lines move", map[string]string{"web/w.ts": "import { f } from \"../lib\";\n\n\nexport function go() {\n  return f();\n}\n", "ui/u.ts": "import { Base } from \"../lib\";\n\n// here\nexport class Button extends Base {}\n"},
					[3]bool{}, [3][]string{{"web.w.go call true"}, {"lib.f call true"}, {"ui.u.Button true"}},
				},
				{
					"it is passed on and no more called", map[string]string{"web/w.ts": "import { f } from \"../lib\";\nexport function go() { return [f]; }\n"},
					[3]bool{true, true, false}, [3][]string{{"web.w.go value true"}, {"lib.f value true"}, {"ui.u.Button true"}},
				},
				{
					"nothing extends it", map[string]string{"ui/u.ts": "import { Base } from \"../lib\";\nexport class Button {}\n"},
					[3]bool{false, false, true}, [3][]string{{"web.w.go value true"}, {"lib.f value true"}, nil},
				},
			},
		},
	} {
		b := newBench(t)
		maps.Copy(b.tree.files, c.files)
		var before [3]string
		b.run(t, true, func(t *testing.T, s *Survey) { _, before = relatedTo(t, s, c.about) })
		for _, step := range c.steps {
			old := b.fresh(t)
			maps.Copy(b.tree.files, step.edit)
			maps.DeleteFunc(b.tree.files, func(_, text string) bool { return text == "" })
			b.run(t, true, func(t *testing.T, s *Survey) {
				said, digests := relatedTo(t, s, c.about)
				for i, family := range []fact.Family{fact.Callers, fact.Callees, fact.Implementers} {
					if !slices.Equal(said[i], step.want[i]) || (digests[i] != before[i]) != step.differ[i] {
						t.Errorf("%s, %s: %s %q, the digest was %q and is %q", c.language, step.name, family, said[i], before[i], digests[i])
					}
				}
				compare(t, old, b.fresh(t), s)
				before = digests
			})
		}
	}
}

// TestNoneIsSomething checks that a symbol without references differs from a missing symbol.
func TestNoneIsSomething(t *testing.T) {
	t.Parallel()
	s := newBench(t).survey(t)
	for _, family := range []fact.Family{fact.Callers, fact.Callees, fact.Implementers} {
		if none, gone := digest(t, s, fact.Of(family, "c", "C")), digest(t, s, fact.Of(family, "c", "None")); none == "" || gone != "" {
			t.Errorf("%s: none are %q, those of nothing are %q", family, none, gone)
		}
	}
}

// TestFactsAreComplete checks that lists for display are truncated, and lists as evidence are not.
func TestFactsAreComplete(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	const importers = mostFollowed + 50
	for i := range importers {
		b.tree.files[fmt.Sprintf("m/m%d/m.go", i)] = "package m\n\nimport \"x/a\"\n\nfunc M() int { return a.A() }\n"
	}
	s := b.survey(t)
	all, err := CallersOf(&recorder{t: t, survey: s}, "a", "A")
	if err != nil || len(all) != importers+1 {
		t.Errorf("%d callers: %v", len(all), err)
	}
	if r, ok, err := s.Reach(t.Context(), "a", "A"); !ok || err != nil || len(r.UsedBy) != mostFollowed {
		t.Errorf("%d of them shown: %v", len(r.UsedBy), err)
	}
}

// TestAnAnswerKnowsNothingOfOthers checks that earlier questions do not affect the facts about another symbol.
func TestAnAnswerKnowsNothingOfOthers(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	maps.Copy(b.tree.files, map[string]string{
		"a/a.go": "package a\n\ntype Doer interface{ Do() }\n\nfunc A() {}\n",
		"b/b.go": "package b\n\nimport \"x/a\"\n\ntype Base struct{}\n\nfunc (Base) Do() { a.A() }\n",
		"c/c.go": "package c\n\nimport (\n\t\"x/a\"\n\t\"x/b\"\n)\n\ntype C struct{ b.Base }\n\nvar _ a.Doer = C{}\n",
	})
	first, later := b.fresh(t), b.fresh(t)
	doer := fact.Of(fact.Implementers, "a", "Doer")
	want := digest(t, first, doer)
	digest(t, later, fact.Of(fact.Implementers, "a", "A"))
	if got := digest(t, later, doer); got != want {
		t.Errorf("%q, and %q after another was asked for", want, got)
	}
}

// calleesOf lists the references in the code of a symbol.
func calleesOf(r Reader, module, symbol string) ([]source.Referred, error) {
	return value[[]source.Referred](r, fact.Of(fact.Callees, module, symbol))
}
