package session

import (
	"reflect"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/frame"
)

// earlier is a session with a frame for each kind of evidence and suspended frames with various conditions.
func earlier(t *testing.T) (Record, map[string]string) {
	t.Helper()
	ok := must[string](t)
	files := records("a.go", "1", "b.go", "1", "d/c.go", "1")
	tree := frame.NewTree(ID("fix login", files))
	named := map[string]string{"root": ok(tree.Start("fix login", nil))}
	add := func(name, cond string, evidence ...frame.Evidence) {
		named[name] = ok(tree.Spawn(named["root"], name, nil))
		check(t, tree.Conclude(named[name], name, evidence, 1, cond))
	}
	set := func(name, cond string, evidence ...frame.Evidence) {
		add(name, cond, evidence...)
		check(t, tree.Suspend(named[name]))
	}
	add("reads a", `modified("a.go")`, frame.File("a.go", "1"))
	add("reads a and b", `modified("*.go")`, frame.File("a.go", "1"), frame.File("b.go", "1"))
	add("lists d", `modified("d/*")`, frame.Listing("d", "x"))
	add("misses new", `modified("d/new.go")`, frame.Absent("d/new.go"))
	set("aside a", `modified("a.go")`, frame.File("a.go", "1"))
	set("aside b", `modified("b.go")`, frame.File("b.go", "1"))
	set("aside db", `interface_changed("db")`, frame.Text("x"))
	set("aside share", `dismissed_share("p") > 0.5`, frame.Text("x"))
	named["aside open"] = ok(tree.Spawn(named["root"], "aside open", nil))
	check(t, tree.Suspend(named["aside open"]))
	return Record{Artifacts{SessionID: tree.SessionID(), InitialPrompt: "fix login", RootFrameID: named["root"], Files: files}, tree}, named
}

// interfaces is what is known beside files: that the interface of some modules changed.
type interfaces map[string]bool

func (i interfaces) Modified(condition.Glob) (condition.Cause, bool) { return condition.Cause{}, true }
func (i interfaces) SymbolChanged(string, string) (condition.Cause, bool) {
	return condition.Cause{}, false
}
func (i interfaces) InterfaceChanged(module string) (condition.Cause, bool) {
	return condition.Cause{}, i[module]
}
func (i interfaces) ConclusionChanged(string) (condition.Cause, bool) {
	return condition.Cause{}, false
}
func (i interfaces) Resolved(string) (condition.Cause, bool)   { return condition.Cause{}, false }
func (i interfaces) GeneratorChanged() (condition.Cause, bool) { return condition.Cause{}, false }
func (i interfaces) DismissedShare(string) (share float64, _ condition.Cause) {
	return 0, condition.Cause{}
}
func (i interfaces) UnseenDays(string) (days float64, _ condition.Cause) { return 0, condition.Cause{} }

func TestCompare(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		prompt                  string
		files                   map[string]FileRecord
		known                   condition.Facts
		changed, added, deleted []string
		fallen                  map[string][]string
		resumable               []string
	}{
		"nothing changed": {
			prompt: " fix\n login", files: records("a.go", "1", "b.go", "1", "d/c.go", "1"),
			resumable: []string{"aside a", "aside b", "aside db", "aside open"},
		},
		"another task": {
			prompt: "fix logout", files: records("a.go", "1", "b.go", "1", "d/c.go", "1"),
		},
		"a changed, nothing else is known": {
			prompt: "fix login", files: records("a.go", "2", "b.go", "1", "d/c.go", "1"), changed: []string{"a.go"},
			fallen:    map[string][]string{"reads a": {"a.go"}, "reads a and b": {"a.go"}, "aside a": {"a.go"}},
			resumable: []string{"aside b", "aside open"},
		},
		"a changed, interfaces are known": {
			prompt: "fix login", files: records("a.go", "2", "b.go", "1", "d/c.go", "1"), changed: []string{"a.go"},
			known:     interfaces{},
			fallen:    map[string][]string{"reads a": {"a.go"}, "reads a and b": {"a.go"}, "aside a": {"a.go"}},
			resumable: []string{"aside b", "aside db", "aside share", "aside open"},
		},
		"the interface changed": {
			prompt: "fix login", files: records("a.go", "1", "b.go", "1", "d/c.go", "1"), known: interfaces{"db": true},
			resumable: []string{"aside a", "aside b", "aside share", "aside open"},
		},
		"b deleted": {
			prompt: "fix login", files: records("a.go", "1", "d/c.go", "1"), deleted: []string{"b.go"},
			fallen:    map[string][]string{"reads a and b": {"b.go"}, "aside b": {"b.go"}},
			resumable: []string{"aside a", "aside open"},
		},
		"added and changed in d": {
			prompt: "fix login", files: records("a.go", "1", "b.go", "1", "d/c.go", "2", "d/new.go", "1"),
			changed: []string{"d/c.go"}, added: []string{"d/new.go"},
			fallen:    map[string][]string{"lists d": {"d/new.go"}, "misses new": {"d/new.go"}},
			resumable: []string{"aside a", "aside b", "aside open"},
		},
		"changed in d": {
			prompt: "fix login", files: records("a.go", "1", "b.go", "1", "d/c.go", "2"), changed: []string{"d/c.go"},
			resumable: []string{"aside a", "aside b", "aside open"},
		},
		"deleted in d": {
			prompt: "fix logout", files: records("a.go", "1", "b.go", "1"), deleted: []string{"d/c.go"},
			fallen: map[string][]string{"lists d": {"d/c.go"}},
		},
	}
	for name, tt := range tests {
		record, named := earlier(t)
		before := record.Tree.Frames()
		want := Comparison{SessionID: record.SessionID, SamePrompt: tt.prompt != "fix logout",
			Changed: tt.changed, Added: tt.added, Deleted: tt.deleted}
		for _, f := range before {
			for frameName, files := range tt.fallen {
				if named[frameName] == f.ID {
					want.Fallen = append(want.Fallen, Fallen{f.ID, files})
				}
			}
		}
		for _, frameName := range tt.resumable {
			want.Resumable = append(want.Resumable, named[frameName])
		}
		got, err := Compare(record, Artifacts{InitialPrompt: tt.prompt, Files: tt.files}, tt.known)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v\n%+v, want\n%+v", name, err, got, want)
		}
		if !reflect.DeepEqual(record.Tree.Frames(), before) {
			t.Errorf("%s: comparing changed the tree", name)
		}
	}
}

// TestFallenBranchComesBack follows a suspended frame that fell in its own session, through the sessions after it.
func TestFallenBranchComesBack(t *testing.T) {
	t.Parallel()
	record, named := earlier(t)
	if _, err := record.Tree.InvalidatePremise(named["aside a"], "a.go changed"); err != nil {
		t.Fatal(err)
	}
	record.Files = records("a.go", "2", "b.go", "1", "d/c.go", "1")
	offered := func(hash string) bool {
		current := Artifacts{InitialPrompt: "fix login", Files: records("a.go", hash, "b.go", "1", "d/c.go", "1")}
		c, err := Compare(record, current, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range c.Fallen {
			if f.FrameID == named["aside a"] {
				t.Errorf("a frame that fell before is news, with a.go at %s", hash)
			}
		}
		for _, id := range c.Resumable {
			if id == named["aside a"] {
				return true
			}
		}
		return false
	}
	if offered("2") {
		t.Error("offered although a.go is still changed")
	}
	if offered("3") {
		t.Error("offered although a.go changed once more")
	}
	if !offered("1") {
		t.Error("not offered although a.go is what the frame saw")
	}
}

func TestRestoredFileDoesNotFell(t *testing.T) {
	t.Parallel()
	record, named := earlier(t)
	record.Files = records("a.go", "2", "b.go", "1", "d/c.go", "1")
	c, err := Compare(record, Artifacts{InitialPrompt: "fix login", Files: records("a.go", "1", "b.go", "1", "d/c.go", "1")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Changed) != 1 || c.Fallen != nil || c.Resumable[0] != named["aside a"] {
		t.Errorf("%+v", c)
	}
}

func TestCompareBadCondition(t *testing.T) {
	t.Parallel()
	tree := frame.NewTree("s-1")
	root := must[string](t)(tree.Start("q", nil))
	check(t, tree.Conclude(root, "c", nil, 1, "auth.py modified"))
	check(t, tree.Suspend(root))
	record := Record{Artifacts{SessionID: "s-1", RootFrameID: root}, tree}
	if _, err := Compare(record, Artifacts{}, nil); err == nil || !strings.Contains(err.Error(), root) {
		t.Errorf("Compare = %v", err)
	}
	if _, err := CompareAll([]Record{record}, Artifacts{}, nil); err == nil {
		t.Error("CompareAll passes over a broken condition")
	}
}

func TestCompareAll(t *testing.T) {
	t.Parallel()
	newest, _ := earlier(t)
	oldest := Record{Artifacts{SessionID: "s-0", InitialPrompt: "other"}, frame.NewTree("s-0")}
	var asked []string
	known := func(a Artifacts) condition.Facts {
		asked = append(asked, a.SessionID)
		return interfaces{"db": a.SessionID == newest.SessionID}
	}
	current := Artifacts{InitialPrompt: "fix login", Files: newest.Files}
	got, err := CompareAll([]Record{newest, oldest}, current, known)
	if err != nil || len(got) != 2 {
		t.Fatal(got, err)
	}
	want, err := Compare(newest, current, interfaces{"db": true})
	if err != nil || !reflect.DeepEqual(got[0], want) {
		t.Errorf("first %+v, want %+v, %v", got[0], want, err)
	}
	if got[1].SessionID != "s-0" || got[1].SamePrompt || len(got[1].Added) != 3 {
		t.Errorf("second %+v", got[1])
	}
	if !reflect.DeepEqual(asked, []string{newest.SessionID, "s-0"}) {
		t.Errorf("asked %v", asked)
	}
	if none, err := CompareAll(nil, current, nil); err != nil || len(none) != 0 {
		t.Errorf("no earlier sessions: %v, %v", none, err)
	}
}
