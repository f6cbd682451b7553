package source

import "testing"

type nowhere struct{}

func (nowhere) Resolve(string, Import) []Target { return nil }

func TestLooksBeforeNames(t *testing.T) {
	t.Parallel()
	o := NewOutlook(Module{Path: "a"}, nil, map[string]Resolver{"java": nowhere{}}, Linker{Table: func(string) (Table, bool) { return Table{}, false }})
	for path, want := range map[string]bool{"a/Test.java": true, "b/Test.java": false} {
		u := &Unit{Path: path, File: File{Language: "java", Imports: []Import{{Path: "c.C"}}}}
		if got := o.Looks(u); got != want {
			t.Errorf("%s: %t", path, got)
		}
	}
}
