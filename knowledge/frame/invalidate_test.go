package frame

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/causaldocs/causal/knowledge/fact"
	_ "github.com/causaldocs/causal/knowledge/rapidseed"
)

// randomTree builds a tree whose frames cite earlier frames, unknown frames and files, with some branches set aside.
func randomTree(t *rapid.T, most int) (*Tree, []string) {
	tree := NewTree("s")
	var list []string
	for i := range rapid.IntRange(1, most).Draw(t, "frames") {
		parent := rapid.IntRange(-1, len(list)-1).Draw(t, "parent")
		query := fmt.Sprint("q", i)
		var id string
		var err error
		if parent < 0 {
			id, err = tree.Start(query, nil)
		} else {
			id, err = tree.Spawn(list[parent], query, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, id)
	}
	for i, id := range list {
		for range rapid.IntRange(0, 2).Draw(t, "conclusions") {
			if err := tree.Conclude(id, "c", randomEvidence(t, list, i), 1, never); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, id := range rapid.SliceOfN(rapid.SampledFrom(list), 0, 3).Draw(t, "set aside") {
		if err := tree.Suspend(id); err != nil {
			t.Fatal(err)
		}
	}
	return tree, list
}

func randomEvidence(t *rapid.T, list []string, self int) []fact.Observation {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) fact.Observation {
		file := rapid.SampledFrom([]string{"a.go", "b.go", "d/c.go"}).Draw(t, "file")
		cited := rapid.IntRange(0, len(list)-1).Draw(t, "cited")
		return rapid.SampledFrom([]fact.Observation{
			fact.Frame(list[(self+1+cited%max(1, len(list)-1))%len(list)]), fact.File(file, "1"), fact.Absent(file), fact.Listing("d", "1"),
			fact.Frame("unknown"), fact.Text("x"),
		}).Filter(func(e fact.Observation) bool { return e != fact.Frame(list[self]) }).Draw(t, "kind")
	}), 0, 4).Draw(t, "evidence")
}

func statusMap(v View) map[string]Status {
	all := map[string]Status{}
	for _, f := range v.Frames() {
		all[f.ID] = f.Status
	}
	return all
}

// closure is all that can be reached by the given step, by brute force.
func closure(from []string, step func(string) []string) map[string]bool {
	reached := map[string]bool{}
	for len(from) > 0 {
		id := from[0]
		from = from[1:]
		if !reached[id] {
			reached[id] = true
			from = append(from, step(id)...)
		}
	}
	return reached
}

func checkFallen(t *rapid.T, tree *Tree, fallen []string, want map[string]bool, before map[string]Status) {
	if len(fallen) != len(want) {
		t.Fatalf("%d fell, want %d", len(fallen), len(want))
	}
	for _, f := range tree.Frames() {
		if (f.Validity == Invalidated) != want[f.ID] || slices.Contains(fallen, f.ID) != want[f.ID] {
			t.Fatalf("frame %s is %s, want fallen %v", f.ID, f.Validity, want[f.ID])
		}
		if want[f.ID] && !strings.HasPrefix(f.ValidityReason, "because") {
			t.Fatalf("frame %s has reason %q", f.ID, f.ValidityReason)
		}
		if f.Status != before[f.ID] {
			t.Fatalf("frame %s was %s, is %s", f.ID, before[f.ID], f.Status)
		}
	}
}

func TestPremiseFallsOverDescendantsOnly(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tree, list := randomTree(t, 20)
		id := rapid.SampledFrom(list).Draw(t, "id")
		before := statusMap(tree.View)
		want := closure([]string{id}, func(id string) []string {
			f, _ := tree.Frame(id)
			return f.Children
		})
		fallen, err := tree.InvalidatePremise(id, "because")
		if err != nil {
			t.Fatal(err)
		}
		checkFallen(t, tree, fallen, want, before)
		if again, err := tree.InvalidatePremise(id, "again"); err != nil || len(again) != 0 {
			t.Fatalf("a second time %v fall, %v", again, err)
		}
	})
}

func TestConclusionFallsAlongEvidenceOnly(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tree, list := randomTree(t, 20)
		id := rapid.SampledFrom(list).Draw(t, "id")
		before := statusMap(tree.View)
		citing := func(id string) []string {
			var users []string
			for _, f := range tree.Frames() {
				if slices.Contains(f.Evidence, "frame "+id) {
					users = append(users, f.ID)
				}
			}
			return users
		}
		want := closure(citing(id), citing)
		fallen, err := tree.InvalidateConclusion(id, "because")
		if err != nil {
			t.Fatal(err)
		}
		checkFallen(t, tree, fallen, want, before)
	})
}

// TestCitingFollowsTheEvidence compares the index with the evidence of all frames, while conclusions change.
func TestCitingFollowsTheEvidence(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tree, list := randomTree(t, 12)
		for range rapid.IntRange(0, 5).Draw(t, "changes") {
			i := rapid.IntRange(0, len(list)-1).Draw(t, "frame")
			if f, _ := tree.Frame(list[i]); f.Status == Suspended {
				continue
			}
			if err := tree.Conclude(list[i], "c", randomEvidence(t, list, i), 1, never); err != nil {
				t.Fatal(err)
			}
		}
		loaded, err := Load("s", tree.Frames())
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range []*forest{tree.f, loaded.f} {
			compareLookups(t, f, append(list, "unknown"))
		}
	})
}

func compareLookups(t *rapid.T, f *forest, list []string) {
	cited := map[string]bool{}
	for _, id := range list {
		var want []*node
		for _, n := range f.ordered() {
			if slices.Contains(n.Evidence, "frame "+id) {
				want, cited[id] = append(want, n), true
			}
		}
		if got := f.citing(id); !slices.Equal(got, want) {
			t.Fatalf("%s: cited by %d frames, want %d", id, len(got), len(want))
		}
	}
	if len(f.users) != len(cited) {
		t.Fatalf("the index has %d frames, and %d are cited", len(f.users), len(cited))
	}
}

// TestSiblingsStand: a root that cites two leaves falls with one of them; the other leaf and a branch that was set
// aside do not.
func TestSiblingsStand(t *testing.T) {
	t.Parallel()
	ok := must[string](t)
	tree := NewTree("s")
	root := ok(tree.Start("q", nil))
	a, b, aside := ok(tree.Spawn(root, "a", nil)), ok(tree.Spawn(root, "b", nil)), ok(tree.Spawn(root, "c", nil))
	conclude(t, tree, a, fact.Text("x"))
	conclude(t, tree, b, fact.Text("y"))
	if err := tree.Suspend(aside); err != nil {
		t.Fatal(err)
	}
	conclude(t, tree, root, fact.Frame(a), fact.Frame(b))
	fallen := must[[]string](t)(tree.InvalidateConclusion(a, "a concludes otherwise"))
	if !slices.Equal(fallen, []string{root}) {
		t.Errorf("fell: %v, want %s only", fallen, root)
	}
	if f := get(t, tree.View, aside); f.Status != Suspended || f.Validity != Valid {
		t.Errorf("the branch set aside is %s and %s", f.Status, f.Validity)
	}
	if f := get(t, tree.View, root); f.ValidityReason != "a concludes otherwise; by way of frame "+a {
		t.Errorf("reason %q", f.ValidityReason)
	}
}

func TestReasonsCarryTheChain(t *testing.T) {
	t.Parallel()
	ok := must[string](t)
	tree := NewTree("s")
	id := ok(tree.Start("q", nil))
	chain := []string{id}
	for i := range 12 {
		id = ok(tree.Spawn(id, fmt.Sprint(i), nil))
		chain = append(chain, id)
	}
	must[[]string](t)(tree.InvalidatePremise(chain[0], "a.go changed"))
	for i, want := range map[int]string{
		0:  "a.go changed",
		1:  "a.go changed; by way of frame " + chain[0],
		3:  "a.go changed; by way of frame " + strings.Join(chain[:3], " → "),
		12: "a.go changed; by way of frame … → " + strings.Join(chain[4:12], " → "),
	} {
		if got := get(t, tree.View, chain[i]).ValidityReason; got != want {
			t.Errorf("reason at depth %d: %q, want %q", i, got, want)
		}
	}
}

func TestInvalidateRefuses(t *testing.T) {
	t.Parallel()
	tree := NewTree("s")
	root := must[string](t)(tree.Start("q", nil))
	for _, invalidate := range []func(string, string) ([]string, error){tree.InvalidatePremise, tree.InvalidateConclusion} {
		if _, err := invalidate("nobody", "x"); err == nil {
			t.Error("an unknown frame falls")
		}
		if _, err := invalidate(root, ""); err == nil || !strings.Contains(err.Error(), "reason is empty") {
			t.Errorf("a frame falls without a reason: %v", err)
		}
	}
}

// TestDeepTree: depth costs no stack, and size no more than it should.
func TestDeepTree(t *testing.T) {
	t.Parallel()
	ok := must[string](t)
	tree := NewTree("s")
	root := ok(tree.Start("q", nil))
	id, below := root, ""
	for i := range 5_000 {
		below = id
		id = ok(tree.Spawn(id, fmt.Sprint(i), nil))
	}
	conclude(t, tree, id, fact.File("a.go", "1"))
	conclude(t, tree, below, fact.Frame(id))
	if fallen := must[[]string](t)(tree.InvalidateConclusion(id, "x")); len(fallen) != 1 {
		t.Errorf("%d fell", len(fallen))
	}
	if fallen := must[[]string](t)(tree.InvalidatePremise(root, "x")); len(fallen) != 5_000 {
		t.Errorf("%d fell", len(fallen))
	}
	if err := tree.Suspend(root); err != nil {
		t.Fatal(err)
	}
	if _, err := tree.Verify(t.Context(), everything{}); err != nil {
		t.Error(err)
	}
	if _, err := Load("s", tree.Frames()); err != nil {
		t.Error(err)
	}
}
