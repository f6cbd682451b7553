package survey

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/causaldocs/causal/knowledge/fact"
)

// readTree has modules whose evidence is of every kind.
func readTree() *memoryTree {
	return newMemoryTree(map[string]string{
		"go.mod": "module x\n", "a/a.go": "package a\n\nfunc A() int { return 1 }\n\nfunc More() {}\n", "a/README.md": "# A\n", "a/zz.go": "package a\n",
		"b/b.go": "package b\n\nimport (\n\t\"fmt\"\n\n\t\"x/a\"\n\t_ \"x/c\"\n)\n\nfunc B() { fmt.Println(a.A()); a.More() }\n",
		"c/c.go": "// Package c is documented.\npackage c\n", "c/README.md": "# C\n",
		"web/w.ts": "import * as ui from './ui/x'\nimport './ui/y'\nexport const all = ui\n", "web/ui/x.ts": "export const f = 1\n", "web/ui/y.ts": "f()\n",
	})
}

// TestReadRecordsAllThatItsAnswerFollowsFrom, and Evidence computes the same of the parts; whether all was looked at, little,
// or the module was released in between.
func TestReadRecordsAllThatItsAnswerFollowsFrom(t *testing.T) {
	t.Parallel()
	b := &bench{index: t.TempDir(), tree: readTree()}
	want := map[string][]string{
		"a":   {"listing a", "links a", "file a/a.go", "file a/zz.go", "file a/README.md"},
		"b":   {"listing b", "links b", "file b/b.go", "symbol a A", "symbol a More"},
		"c":   {"listing c", "links c", "file c/c.go"},
		"web": {"listing web", "links web", "file web/w.ts", "symbol web/ui x.*"},
	}
	evidence := map[string][]fact.Observation{}
	for round := range 3 {
		b.run(t, true, func(t *testing.T, s *Survey) {
			for m, want := range want {
				r := &recorder{t: t, survey: s}
				k, err := Read(r, m)
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for _, o := range r.read {
					got = append(got, o.Fact.String())
				}
				if !slices.Equal(got, want) {
					t.Errorf("round %d, %s: read %q, want %q", round, m, got, want)
				}
				if evidence[m] != nil && !slices.Equal(r.read, evidence[m]) {
					t.Errorf("round %d, %s: read %q, and before %q", round, m, r.read, evidence[m])
				}
				evidence[m] = r.read
				s.Release(r.read)
				if again, err := Read(r, m); err != nil || again == k || !reflect.DeepEqual(again, k) {
					t.Errorf("round %d, %s: once it was released it reads otherwise, or was not: %v", round, m, err)
				}
			}
		})
		if round == 1 { // touched by a comment only
			b.tree.files["a/a.go"] += "// here\n"
		}
	}
}

func TestReadOfWhatIsNotThere(t *testing.T) {
	t.Parallel()
	s := (&bench{index: t.TempDir(), tree: readTree()}).survey(t)
	r := &recorder{t: t, survey: s}
	if _, err := Read(r, "none"); !errors.Is(err, ErrNoModule) {
		t.Error(err)
	}
	if want := []fact.Observation{fact.Listing("none", "")}; !slices.Equal(r.read, want) {
		t.Errorf("read %q: that there is nothing is evidence as well", r.read)
	}
	blob, err := Blob(r, "none")
	if err != nil || blob != nil {
		t.Error(blob, err)
	}
	readme, err := ReadmeOf(r, "b")
	if err != nil || readme.Path != "" || readme.Content != nil {
		t.Error(readme, err)
	}
}

// TestReaders checks each answer and the files that were read for it.
func TestReaders(t *testing.T) {
	t.Parallel()
	b := &bench{index: t.TempDir(), tree: readTree()}
	b.tree.files["b/b_test.go"], b.tree.files["data.bin"] = "package b\n", "\x00data"
	b.tree.files["web/test_it.py"], b.tree.files["c/c_test.go"] = "x = 1\n", "package c\n\nimport _ \"x/b\"\n"
	for range 2 {
		b.run(t, true, testReaders)
	}
}

func testReaders(t *testing.T, s *Survey) {
	for _, c := range []struct {
		ask  func(r Reader) (any, error)
		want string
		read fact.Fact
	}{
		{func(r Reader) (any, error) { return Modules(r) }, "[a b c web web/ui]", AllModules},
		{func(r Reader) (any, error) { return ImportersOf(r, "a") }, "{[b] []}", ImportersFact("a")},
		{func(r Reader) (any, error) { return ImportersOf(r, "b") }, "{[] [c]}", ImportersFact("b")},
		{func(r Reader) (any, error) { return UsageOf(r, "a") }, "[A More]", UsageFact("a")},
		{func(r Reader) (any, error) { return UsageOf(r, "b") }, "[]", UsageFact("b")},
		{func(r Reader) (any, error) { return LanguageOf(r, "web") }, "typescript", LanguageFact("web")},
		{func(r Reader) (any, error) { return LanguageOf(r, "none") }, "", LanguageFact("none")},
		{func(r Reader) (any, error) { return Exists(r, "web/ui") }, "true", PathFact("web/ui")},
		{func(r Reader) (any, error) { return Exists(r, "data.bin") }, "true", PathFact("data.bin")},
		{func(r Reader) (any, error) { return Exists(r, "data") }, "false", PathFact("data")},
		{func(r Reader) (any, error) { return Setting(r, "title") }, "Shop", SettingFact("title")},
		{func(r Reader) (any, error) { return Setting(r, "none") }, "", SettingFact("none")},
		{func(r Reader) (any, error) { v, err := Blob(r, "data.bin"); return string(v), err }, "\x00data", BlobFact("data.bin")},
		{func(r Reader) (any, error) { v, err := Blob(r, "c/c.go"); return string(v), err }, "// Package c is documented.\npackage c\n", BlobFact("c/c.go")},
		{func(r Reader) (any, error) { v, err := ReadmeOf(r, "c"); return v.Path + string(v.Content), err }, "c/README.md# C\n", ReadmeFact("c")},
		{func(r Reader) (any, error) { return QuotedOf(r, "c") }, "[]", QuotedFact("c")},
	} {
		r := &recorder{t: t, survey: s}
		got, err := c.ask(r)
		if err != nil || fmt.Sprint(got) != c.want || len(r.read) != 1 || r.read[0].Fact != c.read {
			t.Errorf("%s: %q, %v, read %q; want %q", c.read, fmt.Sprint(got), err, r.read, c.want)
		}
	}
	wrong := readerOf(func(fact.Fact) (any, error) { return 7, nil })
	if _, err := Modules(wrong); err == nil {
		t.Error("a reader that says nonsense is believed")
	}
	broken := errors.New("broken")
	if _, err := Exists(readerOf(func(fact.Fact) (any, error) { return nil, broken }), "a"); !errors.Is(err, broken) {
		t.Error(err)
	}
}

type readerOf func(f fact.Fact) (any, error)

func (r readerOf) Read(f fact.Fact) (any, error) { return r(f) }

// TestOneSurveyForMany checks that concurrent questions have the same answers as sequential ones.
func TestOneSurveyForMany(t *testing.T) {
	t.Parallel()
	b := &bench{index: t.TempDir(), tree: readTree()}
	facts := slices.Collect(maps.Keys(allFacts(b.fresh(t))))
	for round := range 2 {
		b.run(t, true, func(t *testing.T, s *Survey) {
			one := b.fresh(t)
			var group sync.WaitGroup
			for worker := range 4 {
				group.Go(func() {
					for i := range facts {
						f := facts[(i+worker*len(facts)/4)%len(facts)]
						got, err := s.Digest(t.Context(), f)
						if want := digestOnly(t, one, f); err != nil || got != want {
							t.Errorf("round %d: %s is %q, %v; want %q", round, f, got, err, want)
						}
						if _, err := s.Value(t.Context(), f); err != nil {
							t.Error(err)
						}
						s.Release([]fact.Observation{f.As(got)})
						s.Explain(nil, []fact.Change{{Fact: f, Before: "before", After: got}}, func(fact.Family, string) []fact.Observation { return nil })
					}
					askAround(t, s)
				})
			}
			group.Wait()
		})
	}
}

// askAround calls the methods that are not facts.
func askAround(t *testing.T, s *Survey) {
	if _, _, err := s.Origin(t.Context()); err != nil {
		t.Error(err)
	}
	if _, _, err := s.Reach(t.Context(), "a", "A"); err != nil {
		t.Error(err)
	}
	s.Trigger()
	s.Changed()
	s.Introducers()
	if file, dir := s.Has("a"); file || !dir || s.LeftOut("a") || len(s.Modules()) == 0 || len(s.Dependants("a")) != 1 || s.FilesRead() < 0 {
		t.Error("a survey that is asked much at once is confused")
	}
}

func digestOnly(t *testing.T, s *Survey, f fact.Fact) string {
	d, err := s.Digest(t.Context(), f)
	if err != nil {
		t.Error(err)
	}
	return d
}

// TestFamilies checks that exactly one provider answers each family.
func TestFamilies(t *testing.T) {
	t.Parallel()
	s := newBench(t).survey(t)
	var got []string
	for _, f := range s.Families() {
		got = append(got, string(f))
		if _, err := s.Value(t.Context(), fact.Of(f, "none", "none")); err != nil {
			t.Error(err)
		}
	}
	if want := "absent bases blob body bundle bundled callees callers config description divided examples file flows implementers implements importers language links list listing manual modules parts path published quoted readme symbol usage"; strings.Join(got, " ") != want {
		t.Errorf("%q, want %q", got, want)
	}
}
