package survey

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/fact"
)

// reading reads the evidence of a conclusion.
type reading func(t *testing.T, r Reader)

func readingOf(modules ...string) reading {
	return func(t *testing.T, r Reader) {
		for _, m := range modules {
			if _, err := Read(r, m); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func readingFacts(facts ...fact.Fact) reading {
	return func(t *testing.T, r Reader) {
		for _, f := range facts {
			if _, err := r.Read(f); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// explained returns the reason why a conclusion about b is stale after an edit. Conclusions about the other modules may have been updated;
// then the survey's cache knows what changed.
func explained(t *testing.T, read reading, edit map[string]string, remembered, caughtUp bool, extra map[string]string) []string {
	t.Helper()
	b := newBench(t)
	maps.Copy(b.tree.files, extra)
	var held, others []fact.Observation
	b.run(t, true, func(t *testing.T, s *Survey) {
		r, all := &recorder{t: t, survey: s}, &recorder{t: t, survey: s}
		read(t, r)
		readingOf(s.Modules()...)(t, all)
		held, others = r.read, all.read
	})
	for name, text := range edit {
		if b.tree.files[name] = text; text == "" {
			delete(b.tree.files, name)
		}
	}
	if !remembered {
		b.index = t.TempDir()
	}
	s := b.survey(t)
	var changes []fact.Change
	for _, o := range held {
		if now := digest(t, s, o.Fact); now != o.Digest {
			changes = append(changes, fact.Change{Fact: o.Fact, Before: o.Digest, After: now})
		}
	}
	causes := s.Explain(held, changes, func(family fact.Family, prefix string) []fact.Observation {
		return slices.DeleteFunc(slices.Clone(others), func(o fact.Observation) bool {
			return caughtUp || o.Family != family || !strings.HasPrefix(o.Name, prefix)
		})
	})
	var out []string
	for _, c := range causes {
		out = append(out, strings.TrimPrefix(c.File+": ", ": ")+c.Detail)
	}
	return out
}

// TestTheFileBehindACause: b rests on a function of a. Whatever changed that function's interface is named by its file, with
// the same words whether or not anything is remembered, and whether or not others have caught up.
func TestTheFileBehindACause(t *testing.T) {
	t.Parallel()
	base := map[string]string{
		"a/a.go": "package a\n\nfunc A() T { return 0 }\n", "a/t.go": "package a\n\ntype T int\n", "a/1.go": "package a\n\nfunc one() {}\n",
		"a/2.go": "package a\n\nfunc two() {}\n", "a/3.go": "package a\n\nfunc three() {}\n",
	}
	const edited = "package a\n\nfunc A(n int) T { return 0 }\n"
	one, two, three := "package a\n\nfunc one() int { return 1 }\n", "package a\n\nfunc two() int { return 2 }\n", "package a\n\nfunc three() int { return 3 }\n"
	for _, c := range []struct {
		name string
		edit map[string]string
		want string
	}{
		{"the file that declares it", map[string]string{"a/a.go": edited}, "a/a.go: a.A changed"},
		{"the file of a type that it leads to", map[string]string{"a/t.go": "package a\n\ntype T int64\n"}, "a/t.go: a.A changed"},
		{"another file, too", map[string]string{"a/a.go": edited, "a/1.go": one}, "a/a.go: a.A changed (a/1.go changed as well)"},
		{"a new file, too", map[string]string{"a/a.go": edited, "a/z.go": "package a\n"}, "a/a.go: a.A changed (a/z.go changed as well)"},
		{
			"many files", map[string]string{"a/t.go": "package a\n\ntype T int64\n", "a/1.go": one, "a/2.go": two, "a/3.go": three},
			"a/1.go: a.A changed (3 more files changed as well)",
		},
		{"all files are gone", map[string]string{"a/a.go": "", "a/t.go": "", "a/1.go": "", "a/2.go": "", "a/3.go": ""}, "a.A is gone"},
	} {
		for _, how := range []struct{ remembered, caughtUp bool }{{true, false}, {true, true}, {false, false}} {
			held := readingFacts(fact.Of(fact.Symbols, "a", "A"))
			if got := explained(t, held, c.edit, how.remembered, how.caughtUp, base); !slices.Equal(got, []string{c.want}) {
				t.Errorf("%s, %+v: %q, want %q", c.name, how, got, c.want)
			}
		}
	}
}

func TestExplain(t *testing.T) {
	t.Parallel()
	const b = "package b\n\nimport \"x/a\"\n\nfunc B() int { return a.A() }\n"
	more := map[string]string{"a/more.go": "package a\n\nfunc More() int { return 1 }\n"}
	both := map[string]string{"a/more.go": more["a/more.go"], "c/c.go": "package c\n\nimport \"x/a\"\n\nfunc C() int { return a.More() }\n"}
	for _, c := range []struct {
		name        string
		read        reading
		extra, edit map[string]string
		want        []string
	}{
		{"a source", readingOf("b"), nil, map[string]string{"b/b.go": b + "\nfunc C() {}\n"}, []string{"b/b.go: changed"}},
		{"a comment", readingOf("b"), nil, map[string]string{"b/b.go": "// here\n\n" + b}, nil},
		{"a source came", readingOf("b"), nil, map[string]string{"b/c.go": "package b\n"}, []string{"b/c.go: was added"}},
		{"a source went", readingOf("b"), map[string]string{"b/c.go": "package b\n"}, map[string]string{"b/c.go": ""}, []string{"b/c.go: is gone"}},
		{"one moved", readingOf("c"), nil, map[string]string{"c/c.go": "", "c/d.go": "package c\n\nfunc C() {}\n"}, []string{"c/d.go: was added", "c/c.go: is gone"}},
		{"a listing alone", readingFacts(fact.New(fact.Listings, "b")), nil, map[string]string{"b/c.go": "package b\n"}, []string{"the files of b are others"}},
		{"a listing and one file", readingFacts(fact.New(fact.Listings, "b"), fact.New(fact.Files, "b/b.go")), more, map[string]string{"b/c.go": "package b\n"}, []string{"b/c.go: was added"}},
		{
			"a file that was not read went", readingFacts(fact.New(fact.Listings, "b"), fact.New(fact.Files, "b/b.go")), map[string]string{"b/c.go": "package b\n"},
			map[string]string{"b/c.go": ""}, []string{"the files of b are others"},
		},
		{
			"a name more", readingOf("b"), more, map[string]string{"b/b.go": strings.Replace(b, "a.A()", "a.A() + a.More()", 1)},
			[]string{"b/b.go: changed", "a.More is used now"},
		},
		{
			"a name less", readingOf("b"), nil, map[string]string{"b/b.go": "package b\n"},
			[]string{"b/b.go: changed", "a.A is not used any more"},
		},
		{
			"a name less that another uses", readingOf("b", "c"), both, map[string]string{"b/b.go": "package b\n"},
			[]string{"b/b.go: changed", "a.A is not used any more"},
		},
		{
			"a name is gone", readingOf("b"), nil, map[string]string{"a/a.go": "package a\n"},
			[]string{"a/a.go: a.A is gone", "a.* is used now"},
		},
		{
			"an import that leads outside", readingOf("c"), nil, map[string]string{"c/c.go": "package c\n\nimport \"fmt\"\n\nfunc C() { fmt.Println() }\n"},
			[]string{"c/c.go: changed", "its imports lead elsewhere"},
		},
		{"a module lies elsewhere", readingOf("b"), nil, map[string]string{"go.mod": "module y\n"}, []string{"a.A is not used any more"}},
		{"all of a module", readingFacts(fact.Of(fact.Symbols, "a", "*")), nil, map[string]string{"a/n.go": "package a\n\nfunc N() {}\n"}, []string{"a/n.go: the interface of a changed"}},
		{"a body", readingFacts(fact.Of(fact.Bodies, "b", "B")), nil, map[string]string{"b/b.go": strings.Replace(b, "a.A()", "1", 1)}, []string{"b/b.go: b.B does something else"}},
		{
			"what has to do with a symbol", readingFacts(
				fact.Of(fact.Callers, "a", "A"), fact.Of(fact.Callees, "b", "B"), fact.Of(fact.Implementers, "a", "T"), fact.Of(fact.Callers, "b", "B"), fact.Of(fact.Callees, "c", "New"),
			), map[string]string{"a/t.go": "package a\n\ntype T interface{ Do() }\n"},
			map[string]string{"b/b.go": "package b\n\nimport \"x/a\"\n\ntype T struct{ a.T }\n\nfunc (T) Do() {}\n\nfunc B() {}\n", "c/c.go": "package c\n\nfunc New() {}\n"},
			[]string{"the list of references to a.A changed", "b/b.go: the list of references in b.B changed", "the list of implementations of a.T changed", "c/c.go: c.New was added"},
		},
		{
			"what is told as it is", readingFacts(
				AllModules, ImportersFact("a"), LanguageFact("d"), PathFact("d"), ReadmeFact("b"), fact.New(fact.Absences, "d/d.py"), BlobFact("go.mod"), ReadmeFact("e"), QuotedFact("e"),
			), map[string]string{"e/README": "`E`\n"},
			map[string]string{
				"d/d.py": "x = 1\n", "c/c.go": "package c\n\nimport _ \"x/a\"\n", "b/README.md": "# B\n", "go.mod": "module x\n\ngo 1.26\n", "e/README": "",
			},
			[]string{
				"the list of modules changed", "the list of importers of a changed", "the README of b was added", "d was added", "the language of d was added",
				"d/d.py was added", "the README of e is gone", "the example in the README of e is gone", "go.mod: changed",
			},
		},
	} {
		got := explained(t, c.read, c.edit, true, false, c.extra)
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%q, want\n%q", c.name, got, c.want)
		}
	}
}

// TestTheOrderOfCauses checks that the conclusion's own changes precede those of others, and removals follow existing files.
func TestTheOrderOfCauses(t *testing.T) {
	t.Parallel()
	got := explained(t, readingOf("b"), map[string]string{
		"a/a.go": "package a\n\nfunc A() int64 { return 1 }\n", "b/b.go": "", "b/z.go": "package b\n\nimport \"x/a\"\n\nvar B = a.A()\n",
	}, true, false, nil)
	if want := []string{"b/z.go: was added", "b/b.go: is gone", "a/a.go: a.A changed"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestTheRootIsCalledByItsName: its path says nothing.
func TestTheRootIsCalledByItsName(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.tree.files["x.go"] = "package shop\n"
	for range 2 {
		b.run(t, true, func(t *testing.T, s *Survey) {
			if root, a := s.ModuleName("."), s.ModuleName("a"); root != "shop" || a != "a" {
				t.Errorf("%q, %q", root, a)
			}
		})
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	v := condition.NewVocabulary(Words...)
	file, blob := fact.Change{Fact: fact.New(fact.Files, "a/a.go")}, fact.Change{Fact: BlobFact("a/a.go")}
	name, all := fact.Change{Fact: fact.Of(fact.Symbols, "a", "A")}, fact.Change{Fact: fact.Of(fact.Symbols, "a", "*")}
	absent, listing := fact.Change{Fact: fact.New(fact.Absences, "a/a.go")}, fact.Change{Fact: fact.New(fact.Listings, "a")}
	for _, c := range []struct {
		expression string
		changes    []fact.Change // that make it true; the others do not
	}{
		{`modified("a/*.go")`, []fact.Change{file, blob, absent}},
		{`modified("b/*.go")`, nil},
		{`symbol_changed("a", "A")`, []fact.Change{name}},
		{`symbol_changed("b", "A")`, nil},
		{`interface_changed("a")`, []fact.Change{name, all}},
		{`interface_changed("*")`, []fact.Change{name, all}},
		{`interface_changed("b")`, nil},
	} {
		parsed, err := v.Parse(c.expression)
		if err != nil {
			t.Fatal(err)
		}
		for _, change := range []fact.Change{file, blob, name, all, absent, listing} {
			holds := len(parsed.Evaluate(oneChange{v, change}).Because) > 0
			if want := slices.Contains(c.changes, change); holds != want {
				t.Errorf("%s is %v of %s", c.expression, holds, change.Fact)
			}
		}
	}
	for _, c := range []struct {
		change fact.Change
		want   []string
	}{{name, []string{symbolChanged, "a", "A"}}, {all, []string{interfaceChanged, "a"}}} {
		word, args := narrow(c.change)
		if got := append([]string{word}, args...); !slices.Equal(got, c.want) {
			t.Errorf("of %s it is said %q", c.change.Fact, got)
		}
	}
}

// oneChange answers conditions where one thing changed.
type oneChange struct {
	words  *condition.Vocabulary
	change fact.Change
}

func (o oneChange) Answer(q condition.Question) condition.Answer {
	word, _ := o.words.Word(q.Word)
	return condition.Answer{Holds: word.Matches(q, o.change)}
}
