package frame

import (
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/fact"
)

const never = `generator_changed()`

// must returns a function that fails the test on an error and passes the value on.
func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func ids(frames []Frame) []string {
	var list []string
	for _, f := range frames {
		list = append(list, f.ID)
	}
	return list
}

func conclude(t testing.TB, tree *Tree, id string, evidence ...fact.Observation) {
	t.Helper()
	if err := tree.Conclude(id, "found "+id, evidence, 0.9, never); err != nil {
		t.Fatal(err)
	}
}

func get(t testing.TB, v View, id string) Frame {
	t.Helper()
	f, ok := v.Frame(id)
	if !ok {
		t.Fatalf("frame %q is gone", id)
	}
	return f
}

func TestIDs(t *testing.T) {
	t.Parallel()
	ok := must[string](t)
	tree := NewTree("s-1")
	slice := map[string]any{"b": []string{"x"}, "a": map[string]any{"y": 1.0, "x": nil}}
	same := map[string]any{"a": map[string]any{"x": nil, "y": 1}, "b": []any{"x"}}
	root := ok(tree.Start("q", slice))
	if len(root) != 16 || strings.Trim(root, "0123456789abcdef") != "" {
		t.Errorf("id %q is not 16 hex digits", root)
	}
	if got := ok(tree.Start("q", same)); got != root {
		t.Errorf("the same slice in another order and number type gives %s, not %s", got, root)
	}
	child := ok(tree.Spawn(root, "q", slice))
	others := []string{
		root, child,
		ok(tree.Start("q2", slice)),
		ok(tree.Start("q", map[string]any{"a": 1})),
		ok(tree.Start("q", nil)),
		ok(tree.Spawn(child, "q", slice)),
		ok(NewTree("s-2").Start("q", slice)),
	}
	slices.Sort(others)
	if len(slices.Compact(slices.Clone(others))) != len(others) {
		t.Errorf("different calls share an id: %v", others)
	}
	if got := ok(tree.Start("q", map[string]any{})); got != ok(tree.Start("q", nil)) {
		t.Error("an empty slice and none are different calls")
	}
	// Fixed forever: ids are stored.
	if got := ok(NewTree("s-1").Start("find auth problem", map[string]any{"log": "401"})); got != "3617185a7f93660b" {
		t.Errorf("the derivation of ids changed: %s", got)
	}
}

// replay runs the whole life of a session.
func replay(t *testing.T, tree *Tree) {
	t.Helper()
	ok := must[string](t)
	root := ok(tree.Start("find auth problem", nil))
	auth := ok(tree.Refine(root, "analyze auth", nil))
	ok(tree.Refine(auth, "just refresh tokens", nil))
	db := ok(tree.Pivot(auth, "could be the database", map[string]any{"log": "slow query"}))
	conclude(t, tree, db, fact.Text("pool of 1"))
	if err := tree.Complete(db); err != nil {
		t.Fatal(err)
	}
	conclude(t, tree, root, fact.Frame(db))
	if err := tree.Complete(root); err != nil {
		t.Fatal(err)
	}
}

func TestRedeliveryBuildsTheSameTree(t *testing.T) {
	t.Parallel()
	tree := NewTree("s-1")
	replay(t, tree)
	before := tree.Frames()
	replay(t, tree)
	if !reflect.DeepEqual(tree.Frames(), before) {
		t.Errorf("a second delivery changed the tree:\n%+v\n%+v", before, tree.Frames())
	}
	again := NewTree("s-1")
	replay(t, again)
	if !reflect.DeepEqual(again.Frames(), before) {
		t.Error("two runs give different trees")
	}
	loaded, err := Load("s-1", before)
	if err != nil {
		t.Fatal(err)
	}
	replay(t, loaded)
	if !reflect.DeepEqual(loaded.Frames(), before) {
		t.Error("a delivery on the loaded tree changed it")
	}
}

func TestStartRefuses(t *testing.T) {
	t.Parallel()
	cyclic := map[string]any{}
	cyclic["self"] = cyclic
	wide := map[string]any{"x": 1}
	for range 60 {
		wide = map[string]any{"a": wide, "b": wide}
	}
	tests := []struct {
		query string
		slice map[string]any
		want  string
	}{
		{"", nil, "query is empty"},
		{"\xff", nil, "not valid UTF-8"},
		{"q", map[string]any{"a": []any{1, struct{}{}}}, "context_slice.a[1]: struct {}"},
		{"q", map[string]any{"a": func() {}}, "context_slice.a: func()"},
		{"q", map[string]any{"a": math.NaN()}, "context_slice.a: NaN"},
		{"q", map[string]any{"a": math.Inf(1)}, "not a JSON number"},
		{"q", map[string]any{"a": "\xff"}, "context_slice.a: text is not valid UTF-8"},
		{"q", map[string]any{"\xff": 1}, "not valid UTF-8"},
		{"q", cyclic, "nested deeper"},
		{"q", wide, "values"},
	}
	for _, tt := range tests {
		tree := NewTree("s")
		if id, err := tree.Start(tt.query, tt.slice); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Start(%q) = %q, %v; want %q", tt.query, id, err, tt.want)
		}
		if tree.Len() != 0 {
			t.Errorf("Start(%q) added a frame", tt.query)
		}
	}
	if _, err := NewTree("s").Spawn("nobody", "q", nil); err == nil || !strings.Contains(err.Error(), "nobody") {
		t.Errorf("Spawn under an unknown parent: %v", err)
	}
}

func TestConcludeRefuses(t *testing.T) {
	t.Parallel()
	tree := NewTree("s")
	root := must[string](t)(tree.Start("q", nil))
	tests := []struct {
		conclusion string
		evidence   []fact.Observation
		confidence float64
		condition  string
		want       string
	}{
		{"", nil, 1, never, "the conclusion is empty"},
		{"c", nil, 1, "", "the invalidation condition is empty"},
		{"c", nil, 1.01, never, "not between 0 and 1"},
		{"c", nil, -0.1, never, "not between 0 and 1"},
		{"c", nil, math.NaN(), never, "not between 0 and 1"},
		{"c", []fact.Observation{{}}, 1, never, "no family"},
		{"c", []fact.Observation{fact.Text(" ")}, 1, never, "text is empty"},
		{"c", []fact.Observation{fact.File("a", "-")}, 1, never, "cannot have the digest"},
		{"c", []fact.Observation{fact.Frame(root)}, 1, never, "cites itself"},
	}
	for _, tt := range tests {
		err := tree.Conclude(root, tt.conclusion, tt.evidence, tt.confidence, tt.condition)
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), root) {
			t.Errorf("Conclude(%+v) = %v, want %q and the frame", tt, err, tt.want)
		}
	}
	if f := get(t, tree.View, root); f.Conclusion != "" || f.Evidence != nil {
		t.Errorf("a refused conclusion left %+v", f)
	}
	if err := tree.Complete(root); err == nil {
		t.Error("a frame completes without a conclusion")
	}
	conclude(t, tree, root, fact.Text("a"), fact.Absent("x"), fact.Text("a"))
	if f := get(t, tree.View, root); !slices.Equal(f.Evidence, []string{"text a", "absent x"}) || f.Confidence != 0.9 {
		t.Errorf("concluded %+v", f)
	}
	if err := tree.Conclude("nobody", "c", nil, 1, never); err == nil {
		t.Error("an unknown frame concludes")
	}
}

func TestConcludingAnewMakesValid(t *testing.T) {
	t.Parallel()
	ok, list := must[string](t), must[[]string](t)
	tree := NewTree("s")
	root := ok(tree.Start("q", nil))
	a := ok(tree.Spawn(root, "a", nil))
	conclude(t, tree, a, fact.Text("x"))
	conclude(t, tree, root, fact.Frame(a))
	list(tree.InvalidatePremise(a, "a.go changed"))
	if err := tree.Conclude(root, "c", []fact.Observation{fact.Frame(a)}, 1, never); err == nil {
		t.Error("a conclusion on fallen evidence is accepted")
	}
	conclude(t, tree, a, fact.Text("y"))
	list(tree.InvalidateConclusion(a, "a concludes otherwise"))
	conclude(t, tree, root, fact.Frame(a))
	for _, f := range tree.Frames() {
		if f.Validity == Invalidated {
			t.Errorf("after all concluded anew, %s is invalidated", f.ID)
		}
	}
	list(tree.InvalidatePremise(root, "the task changed"))
	if err := tree.Conclude(a, "c", nil, 1, never); err == nil {
		t.Error("a frame concludes under an invalidated parent")
	}
	if _, err := tree.Spawn(root, "b", nil); err == nil {
		t.Error("an invalidated frame spawns")
	}
}

// TestViewsAreCopies: whatever is done to what a view returns, the tree stays as it is.
func TestViewsAreCopies(t *testing.T) {
	t.Parallel()
	tree := NewTree("s")
	given := map[string]any{"diff": map[string]any{"files": []any{"a.go", map[string]any{"n": 1}}}, "names": []string{"x"}}
	root := must[string](t)(tree.Start("q", given))
	auth := must[string](t)(tree.Spawn(root, "auth", given))
	must[string](t)(tree.Pivot(auth, "db", given))
	evidence := []fact.Observation{fact.File("a.go", "1"), fact.Absent("b.go"), fact.Listing(".", "2"), fact.Frame(auth)}
	conclude(t, tree, root, evidence...)
	before := tree.Frames()

	vandalize(given)
	evidence[0] = fact.Text("changed")
	view := tree.View
	single, _ := view.Frame(root)
	for _, frames := range [][]Frame{
		{single}, view.Frames(), view.Active(), view.Suspended(),
	} {
		if len(frames) == 0 {
			t.Fatal("a query is empty: nothing is proved for it")
		}
		for i := range frames {
			f := &frames[i]
			f.ID, f.Query, f.Conclusion, f.Status, f.Validity, f.BranchedFrom = "x", "x", "x", "x", "x", "x"
			overwrite(f.Children)
			overwrite(f.Evidence)
			vandalize(f.ContextSlice)
		}
	}
	overwrite(view.Roots())
	if !reflect.DeepEqual(tree.Frames(), before) {
		t.Error("a change to what a view returned reached the tree")
	}

	loaded, err := Load("s", before)
	if err != nil {
		t.Fatal(err)
	}
	want := tree.Frames()
	for i := range before {
		overwrite(before[i].Children)
		vandalize(before[i].ContextSlice)
	}
	if !reflect.DeepEqual(loaded.Frames(), want) {
		t.Error("a change to what was loaded reached the tree")
	}
}

func overwrite(list []string) {
	for i := range list {
		list[i] = "changed"
	}
}

// vandalize changes every value in a context slice, at any depth.
func vandalize(v any) {
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range maps.Clone(v) {
			vandalize(inner)
			v[key+"'"] = "added"
			delete(v, key)
		}
	case []any:
		for i, inner := range v {
			vandalize(inner)
			v[i] = "changed"
		}
	case []string:
		overwrite(v)
	}
}

func TestZeroView(t *testing.T) {
	t.Parallel()
	var v View
	verification, err := v.Verify(t.Context(), everything{})
	if err != nil || verification.Total != 0 {
		t.Errorf("Verify = %v, %v", verification, err)
	}
	_, found := v.Frame("x")
	if found || v.Len() != 0 || v.SessionID() != "" || v.Roots() != nil || v.Frames() != nil {
		t.Error("the zero View shows something")
	}
}
