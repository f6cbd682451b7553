package frame

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/causaldocs/causal/knowledge/fact"
)

// everything is an Observer for which all holds.
type everything struct{}

func (everything) Holds(fact.Observation) (bool, string, error) { return true, "", nil }

// repository is an Observer over file digests, which also counts what it is asked.
type repository struct {
	files map[string]string
	asked map[string]int
	err   error
}

func (r repository) Holds(e fact.Observation) (bool, string, error) {
	r.asked[e.String()]++
	if e.Family != fact.Files {
		return true, "", r.err
	}
	if now := r.files[e.Name]; now != e.Digest {
		return false, fmt.Sprintf("%s is %q now", e.Name, now), r.err
	}
	return true, "", r.err
}

func TestVerify(t *testing.T) {
	t.Parallel()
	ok := must[string](t)
	tree := NewTree("s")
	root := ok(tree.Start("root", nil))
	a, b := ok(tree.Spawn(root, "a", nil)), ok(tree.Spawn(root, "b", nil))
	leaf, open := ok(tree.Spawn(a, "leaf", nil)), ok(tree.Spawn(a, "open", nil))
	conclude(t, tree, leaf, fact.File("x.go", "1"), fact.Text("seen"))
	conclude(t, tree, a, fact.Frame(leaf), fact.File("y.go", "1"))
	conclude(t, tree, b, fact.File("x.go", "1"), fact.File("z.go", "1"), fact.Frame("gone"), fact.Frame(open))
	conclude(t, tree, root, fact.Frame(a))

	observer := repository{files: map[string]string{"x.go": "1", "y.go": "1", "z.go": "2"}, asked: map[string]int{}}
	got, err := tree.Verify(t.Context(), observer)
	if err != nil {
		t.Fatal(err)
	}
	want := []Verdict{
		{leaf, Holds, 2, 2, nil},
		{open, Open, 0, 0, nil},
		{a, Holds, 2, 2, nil},
		{b, Fell, 1, 4, []Failure{
			{"file z.go 1", `z.go is "2" now`}, {"frame gone", "not found"}, {"frame " + open, "has not concluded"}}},
		{root, Holds, 1, 1, nil},
	}
	if !reflect.DeepEqual(got.Verdicts, want) {
		t.Errorf("verdicts\n%+v, want\n%+v", got.Verdicts, want)
	}
	if got.String() != "verified 3 of 4" {
		t.Errorf("counts: %s", got)
	}
	if n := observer.asked["file x.go 1"]; n != 1 {
		t.Errorf("x.go was checked %d times", n)
	}

	observer.files["x.go"] = "2"
	got, err = tree.Verify(t.Context(), observer)
	if err != nil {
		t.Fatal(err)
	}
	if root := got.Verdicts[4]; root.Outcome != Fell || !slices.Equal(root.Failures, []Failure{{"frame " + a, "fell"}}) {
		t.Errorf("the fall of a leaf does not reach the root: %+v", root)
	}
	if got.String() != "verified 0 of 4" {
		t.Errorf("counts: %s", got)
	}
}

func TestVerifyInvalidated(t *testing.T) {
	t.Parallel()
	ok := must[string](t)
	tree := NewTree("s")
	root := ok(tree.Start("root", nil))
	a := ok(tree.Spawn(root, "a", nil))
	conclude(t, tree, a, fact.Text("x"))
	conclude(t, tree, root, fact.Frame(a))
	must[[]string](t)(tree.InvalidatePremise(a, "a.go changed"))
	got, err := tree.Verify(t.Context(), everything{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Verdict{
		{a, Fell, 1, 1, []Failure{{"", "invalidated: a.go changed"}}},
		{root, Fell, 0, 1, []Failure{{"frame " + a, "fell"}}},
	}
	if !reflect.DeepEqual(got.Verdicts, want) {
		t.Errorf("verdicts %+v", got.Verdicts)
	}
}

func TestVerifyStops(t *testing.T) {
	t.Parallel()
	tree := NewTree("s")
	root := must[string](t)(tree.Start("root", nil))
	conclude(t, tree, root, fact.File("x.go", "1"))
	broken := repository{asked: map[string]int{}, err: errors.New("object is missing")}
	if _, err := tree.Verify(t.Context(), broken); !errors.Is(err, broken.err) {
		t.Errorf("an observer's error is lost: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tree.Verify(ctx, everything{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled walk gives %v", err)
	}
}

// TestVerifyProperties: children come before their parents and the walk is complete; a frame falls exactly when an
// observation of its own or of a frame that it cites, at any distance, does not hold.
func TestVerifyProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tree, list := randomTree(t, 20)
		observer := repository{asked: map[string]int{}, files: map[string]string{
			"a.go": "1", "b.go": rapid.SampledFrom([]string{"1", "2"}).Draw(t, "b.go"), "d/c.go": "1"}}
		got, err := tree.Verify(context.Background(), observer)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Verdicts) != len(list) {
			t.Fatalf("%d verdicts of %d frames", len(got.Verdicts), len(list))
		}
		done := map[string]bool{}
		for _, verdict := range got.Verdicts {
			f, _ := tree.Frame(verdict.FrameID)
			for _, child := range f.Children {
				if !done[child] {
					t.Fatalf("frame %s comes before its child %s", f.ID, child)
				}
			}
			done[f.ID] = true
			if fell := reachesFailure(tree, observer, f.ID); fell != (verdict.Outcome == Fell) {
				t.Fatalf("frame %s: %s, want fallen %v", f.ID, verdict.Outcome, fell)
			}
			if verdict.Verified+len(verdict.Failures) != verdict.Total {
				t.Fatalf("frame %s: counts do not add up: %+v", f.ID, verdict)
			}
		}
	})
}

func reachesFailure(tree *Tree, observer repository, id string) bool {
	failed := false
	closure([]string{id}, func(id string) []string {
		var cited []string
		f, _ := tree.Frame(id)
		for _, text := range f.Evidence {
			e, err := fact.Parse(text)
			if err != nil {
				failed = true
			}
			if e.Family != fact.Frames {
				holds, _, _ := observer.Holds(e)
				failed = failed || !holds
				continue
			}
			target, known := tree.Frame(e.Name)
			failed = failed || !known || target.Conclusion == ""
			cited = append(cited, e.Name)
		}
		return cited
	})
	return failed
}
