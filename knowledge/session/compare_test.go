package session

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
)

// earlier is a session with a frame for each kind of evidence, and suspended frames.
func earlier(t *testing.T) (Record, map[string]string) {
	t.Helper()
	ok := must[string](t)
	files := records("a.go", "1", "b.go", "1", "d/c.go", "1")
	files["old.go"] = FileRecord{Path: "old.go", Role: Deleted}
	tree := frame.NewTree(ID("fix login", files))
	named := map[string]string{"root": ok(tree.Start("fix login", nil))}
	add := func(name, parent string, evidence ...fact.Observation) {
		named[name] = ok(tree.Spawn(named[parent], name, nil))
		check(t, tree.Conclude(named[name], name, evidence, 1, "wrong("+name+")"))
	}
	set := func(name string, evidence ...fact.Observation) {
		add(name, "root", evidence...)
		check(t, tree.Suspend(named[name]))
	}
	add("reads a", "root", fact.File("a.go", "1"))
	add("below", "reads a", fact.Text("x"))
	add("cites", "root", fact.Frame(named["reads a"]))
	add("lists d", "root", fact.Listing("d", "x"))
	add("misses new", "root", fact.Absent("d/new.go"))
	set("aside a", fact.File("a.go", "1"))
	set("aside b", fact.File("b.go", "1"), fact.Symbol("m", "F", "1"))
	named["aside open"] = ok(tree.Spawn(named["root"], "aside open", nil))
	check(t, tree.Suspend(named["aside open"]))
	return Record{Artifacts{SessionID: tree.SessionID(), InitialPrompt: "fix login", RootFrameID: named["root"], Files: files}, tree}, named
}

// gone are the observations, as text, that do not hold any more.
type gone []string

func (g gone) Holds(o fact.Observation) (holds bool, why string, err error) {
	for _, text := range g {
		if o.String() == text {
			return false, text + " differs", nil
		}
	}
	return true, "", nil
}

// nothing is wrong, but for the conditions that are named.
func wrongIf(conditions ...string) frame.ConditionHolds {
	return func(c string) (holds bool, why string, err error) {
		for _, wrong := range conditions {
			if c == wrong {
				return true, "it is said", nil
			}
		}
		return false, "", nil
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	whole := records("a.go", "1", "b.go", "1", "d/c.go", "1")
	for name, tt := range map[string]struct {
		prompt                  string
		files                   map[string]FileRecord
		gone                    gone
		wrong                   []string
		changed, added, deleted []string
		fallen, resumable       []string
	}{
		"nothing changed": {prompt: " fix\n login", files: whole, resumable: []string{"aside a", "aside b", "aside open"}},
		"another task":    {prompt: "fix logout", files: whole},
		"a changed": {
			prompt: "fix login", files: records("a.go", "2", "b.go", "1", "d/c.go", "1"), gone: gone{"file a.go 1"},
			changed: []string{"a.go"}, fallen: []string{"reads a", "below", "cites", "aside a"}, resumable: []string{"aside b", "aside open"},
		},
		"the bytes of a changed, and nothing in it": {
			prompt: "fix login", files: records("a.go", "2", "b.go", "1", "d/c.go", "1"),
			changed: []string{"a.go"}, resumable: []string{"aside a", "aside b", "aside open"},
		},
		"a symbol changed, in no file of the session": {
			prompt: "fix login", files: whole, gone: gone{"symbol m F 1"}, fallen: []string{"aside b"}, resumable: []string{"aside a", "aside open"},
		},
		"what was deleted is there again": {
			prompt: "fix login", files: records("a.go", "1", "b.go", "1", "d/c.go", "1", "old.go", "7"), added: []string{"old.go"},
			resumable: []string{"aside a", "aside b", "aside open"},
		},
		"b deleted": {
			prompt: "fix login", files: records("a.go", "1", "d/c.go", "1"), gone: gone{"file b.go 1"}, deleted: []string{"b.go"},
			fallen: []string{"aside b"}, resumable: []string{"aside a", "aside open"},
		},
		"what was absent and listed": {
			prompt: "fix logout", files: whole, gone: gone{"listing d x", "absent d/new.go"}, fallen: []string{"lists d", "misses new"},
		},
		"a condition holds": {prompt: "fix login", files: whole, wrong: []string{"wrong(aside a)"}, resumable: []string{"aside b", "aside open"}},
	} {
		record, named := earlier(t)
		before := record.Tree.Frames()
		got, err := Compare(t.Context(), record, Artifacts{InitialPrompt: tt.prompt, Files: tt.files}, tt.gone, wrongIf(tt.wrong...))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got.SamePrompt != (tt.prompt != "fix logout") || got.Prompt != "fix login" {
			t.Errorf("%s: same prompt: %t", name, got.SamePrompt)
		}
		for what, lists := range map[string][2][]string{
			"changed": {got.Changed, tt.changed}, "added": {got.Added, tt.added}, "deleted": {got.Deleted, tt.deleted},
			"fallen": {fallenIDs(got), ids(named, tt.fallen)}, "resumable": {got.Resumable, ids(named, tt.resumable)},
			"suspended": {got.Suspended, ids(named, []string{"aside a", "aside b", "aside open"})},
		} {
			if !reflect.DeepEqual(lists[0], lists[1]) {
				t.Errorf("%s: %s: %q, want %q", name, what, lists[0], lists[1])
			}
		}
		if !reflect.DeepEqual(record.Tree.Frames(), before) {
			t.Errorf("%s: comparing changed the tree", name)
		}
	}
}

func ids(named map[string]string, names []string) []string {
	var out []string
	for _, n := range names {
		out = append(out, named[n])
	}
	return out
}

func fallenIDs(c Comparison) []string {
	var out []string
	for _, f := range c.Fallen {
		if f.Why == "" {
			return []string{"no reason for " + f.FrameID}
		}
		out = append(out, f.FrameID)
	}
	return out
}

// TestFallenBranchComesBack: a suspended frame that fell in its own session is offered again when its ground is back.
func TestFallenBranchComesBack(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		gone gone
		want bool
	}{"still changed": {gone{"file a.go 1"}, false}, "back": {nil, true}} {
		record, named := earlier(t)
		if _, err := record.Tree.InvalidatePremise(named["aside a"], "a.go changed"); err != nil {
			t.Fatal(err)
		}
		got, err := Compare(t.Context(), record, Artifacts{InitialPrompt: "fix login", Files: record.Files}, c.gone, wrongIf())
		if err != nil {
			t.Fatal(err)
		}
		offered := strings.Contains(strings.Join(got.Resumable, " "), named["aside a"])
		if offered != c.want {
			t.Errorf("%s: offered: %t", name, offered)
		}
		for _, id := range fallenIDs(got) {
			if id == named["aside a"] {
				t.Errorf("%s: a frame that fell before is news", name)
			}
		}
	}
}

func TestCompareErrors(t *testing.T) {
	t.Parallel()
	record, named := earlier(t)
	current := Artifacts{InitialPrompt: "fix login", Files: record.Files}
	broken := errors.New("no vocabulary has this word")
	_, err := Compare(t.Context(), record, current, gone{}, func(string) (bool, string, error) { return false, "", broken })
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), named["aside a"]) {
		t.Errorf("a condition that cannot be read: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Compare(ended, record, current, gone{}, wrongIf()); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
