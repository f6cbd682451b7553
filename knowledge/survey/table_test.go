package survey

import (
	"errors"
	"slices"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

func TestCompareTables(t *testing.T) {
	t.Parallel()
	names := func(list ...string) map[string]source.Digest {
		out := map[string]source.Digest{}
		for i := 0; i < len(list); i += 2 {
			out[list[i]] = source.Digest(list[i+1])
		}
		return out
	}
	to := map[string][]source.Target{"F": {{Dir: "b"}}}
	old := source.Table{Names: names("F", "1", "T", "1", "f.G", "1"), Interface: "1"}
	all := []string{`symbol m ""`}
	for _, c := range []struct {
		name    string
		now     source.Table
		uses    []string
		relinks bool
		facts   []string
	}{
		{"a private name", source.Table{Names: names("F", "1", "T", "1", "f.G", "1", "x", "1"), Interface: "1"}, []string{"F", "T"}, false, []string{"symbol m x"}},
		{"another digest", source.Table{Names: names("F", "2", "T", "1", "f.G", "1"), Interface: "2"}, []string{"F"}, false, []string{"symbol m *", "symbol m F"}},
		{"another digest of what is private", source.Table{Names: names("F", "2", "T", "1", "f.G", "1"), Interface: "1"}, []string{"T", ""}, false, []string{"symbol m F"}},
		{"a name is gone", source.Table{Names: names("T", "1", "f.G", "1"), Interface: "2"}, []string{"F"}, true, []string{"symbol m *", "symbol m F"}},
		{
			"a member that was taken for the whole", source.Table{Names: names("F", "1", "T", "1", "T.Zero", "1", "f.G", "1"), Interface: "1"},
			[]string{"T"}, true, []string{"symbol m T.*", "symbol m T.Zero"},
		},
		{"a name that begins alike", source.Table{Names: names("F", "1", "T", "1", "Tx", "1", "f.G", "1"), Interface: "1"}, []string{"T"}, false, []string{"symbol m Tx"}},
		{
			"everything is used", source.Table{Names: names("F", "1", "T", "1", "f.G", "1", "N", "1"), Interface: "2"},
			[]string{"*"}, true, []string{"symbol m *", "symbol m N"},
		},
		{"all of one file is used and in it changed", source.Table{Names: names("F", "1", "T", "1", "f.G", "2"), Interface: "1"}, []string{"f.*"}, false, []string{"symbol m f.*", "symbol m f.G"}},
		{"a function is a type now", source.Table{Names: old.Names, Interface: "1", Types: map[string]bool{"F": true}}, []string{"F"}, true, []string{"symbol m F"}},
		{"names lead on", source.Table{Names: old.Names, Interface: "1", Forwards: to}, []string{"T"}, true, all},
		{"names led on and one came", source.Table{Names: names("F", "1", "T", "1", "f.G", "1", "x", "1"), Interface: "1", Stars: to}, nil, true, all},
		{"a file came that declares nothing", source.Table{Names: old.Names, Interface: "1", Files: map[string]string{"g.py": "g."}}, []string{"T"}, true, all},
	} {
		change := compareTables(old, c.now)
		if change == nil {
			t.Errorf("%s: nothing changed", c.name)
			continue
		}
		var facts []string
		for _, f := range change.facts("m") {
			facts = append(facts, f.String())
		}
		slices.Sort(facts)
		if change.relinks(c.uses) != c.relinks || !slices.Equal(facts, c.facts) {
			t.Errorf("%s: relinks %v, facts %q", c.name, change.relinks(c.uses), facts)
		}
	}
	if compareTables(old, old) != nil {
		t.Error("a table differs from itself")
	}
	if !(&tableChange{whole: true}).relinks(nil) {
		t.Error("a module that is new concerns nobody")
	}
}

func TestUsesAreReadBackWithoutTheRecord(t *testing.T) {
	t.Parallel()
	x := openIndex(t, t.TempDir())
	batch := x.NewBatch()
	uses := encodeUses([]source.Use{{Module: "x\ny", Name: "N"}, {Module: "x\ny", Name: ""}, {Module: "y", Name: "M"}})
	if err := errors.Join(batch.Put(usesOfModule, "a", uses), batch.Put(usesOfModule, "none", encodeUses(nil)), batch.Commit()); err != nil {
		t.Fatal(err)
	}
	s := &Survey{Config: Config{Index: x}, records: map[string]*record{"loaded": {Uses: []source.Use{{Module: "y", Name: "L"}}}}}
	for _, c := range []struct {
		module, other string
		names         []string
		ok            bool
	}{
		{"a", "x\ny", []string{"N", ""}, true}, {"a", "y", []string{"M"}, true}, {"a", "x", nil, true},
		{"none", "y", nil, true}, {"loaded", "y", []string{"L"}, true}, {"nowhere", "y", nil, false},
	} {
		if names, ok := s.usesOf(c.module, c.other); !slices.Equal(names, c.names) || ok != c.ok {
			t.Errorf("%s uses of %q: %q, %v", c.module, c.other, names, ok)
		}
	}
}
