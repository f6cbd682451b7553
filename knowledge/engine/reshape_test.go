package engine

import (
	"slices"
	"testing"

	"github.com/causaldocs/causal/knowledge/index"
	"github.com/causaldocs/causal/knowledge/source"
)

func TestReshape(t *testing.T) {
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
	for _, c := range []struct {
		name              string
		now               source.Table
		uses              []string
		relinks, concerns bool
	}{
		{"a private name", source.Table{Names: names("F", "1", "T", "1", "f.G", "1", "x", "1"), Interface: "1"}, []string{"F", "T"}, false, false},
		{"another digest", source.Table{Names: names("F", "2", "T", "1", "f.G", "1"), Interface: "2"}, []string{"F"}, false, true},
		{"another digest of what is not used", source.Table{Names: names("F", "2", "T", "1", "f.G", "1"), Interface: "2"}, []string{"T", ""}, false, false},
		{"a name is gone", source.Table{Names: names("T", "1", "f.G", "1"), Interface: "2"}, []string{"F"}, true, true},
		{"a member that was taken for the whole", source.Table{Names: names("F", "1", "T", "1", "T.Zero", "1", "f.G", "1"), Interface: "1"}, []string{"T"}, true, false},
		{"a name that begins alike", source.Table{Names: names("F", "1", "T", "1", "Tx", "1", "f.G", "1"), Interface: "1"}, []string{"T"}, false, false},
		{"everything is used", source.Table{Names: names("F", "1", "T", "1", "f.G", "1", "N", "1"), Interface: "2"}, []string{"*"}, true, true},
		{"all of one file is used", source.Table{Names: names("F", "2", "T", "1", "f.G", "1"), Interface: "2"}, []string{"f.*"}, false, false},
		{"all of one file is used and in it changed", source.Table{Names: names("F", "1", "T", "1", "f.G", "2"), Interface: "2"}, []string{"f.*"}, false, true},
		{"names lead on", source.Table{Names: old.Names, Interface: "1", Forwards: to}, []string{"T"}, true, true},
		{"names led on and one came", source.Table{Names: names("F", "1", "T", "1", "f.G", "1", "x", "1"), Interface: "1", Stars: to}, nil, true, true},
	} {
		change := reshape(old, c.now)
		if change == nil {
			t.Errorf("%s: nothing changed", c.name)
			continue
		}
		if change.relinks(c.uses) != c.relinks || change.concerns(c.uses) != c.concerns {
			t.Errorf("%s: relinks %v, concerns %v", c.name, change.relinks(c.uses), change.concerns(c.uses))
		}
	}
	if reshape(old, old) != nil {
		t.Error("a table differs from itself")
	}
	if !(&reshaping{whole: true}).relinks(nil) {
		t.Error("a module that is new concerns nobody")
	}
}

func TestUsesAreReadBackWithoutTheRecord(t *testing.T) {
	t.Parallel()
	x, err := index.Open(t.TempDir(), "key")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	batch := x.NewBatch()
	batch.PutUses("a", encodeUses([]source.Use{{Module: "x\ny", Name: "N"}, {Module: "x\ny", Name: ""}, {Module: "y", Name: "M"}}))
	batch.PutUses("none", encodeUses(nil))
	if err := batch.Commit(); err != nil {
		t.Fatal(err)
	}
	w := &world{index: x, records: map[string]*record{"loaded": {Uses: []source.Use{{Module: "y", Name: "L"}}}}}
	for _, c := range []struct {
		module, other string
		names         []string
		ok            bool
	}{
		{"a", "x\ny", []string{"N", ""}, true}, {"a", "y", []string{"M"}, true}, {"a", "x", nil, true},
		{"none", "y", nil, true}, {"loaded", "y", []string{"L"}, true}, {"nowhere", "y", nil, false},
	} {
		if names, ok := w.usesOf(c.module, c.other); !slices.Equal(names, c.names) || ok != c.ok {
			t.Errorf("%s uses of %q: %q, %v", c.module, c.other, names, ok)
		}
	}
}
