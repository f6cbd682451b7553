package frame

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/fact"
)

type branches struct {
	tree                   *Tree
	root, auth, jwt, other string
}

// authBranches is a root with a branch of two frames that is followed and a third frame beside it that completed.
func authBranches(t *testing.T) branches {
	t.Helper()
	ok := must[string](t)
	b := branches{tree: NewTree("s")}
	b.root = ok(b.tree.Start("find auth problem", nil))
	b.auth = ok(b.tree.Refine(b.root, "auth", nil))
	b.jwt = ok(b.tree.Refine(b.auth, "jwt", nil))
	b.other = ok(b.tree.Refine(b.auth, "logs", nil))
	conclude(t, b.tree, b.other, fact.Text("401"))
	if err := b.tree.Complete(b.other); err != nil {
		t.Fatal(err)
	}
	return b
}

func statuses(t *testing.T, v View, list ...string) string {
	t.Helper()
	var b strings.Builder
	for _, id := range list {
		b.WriteByte(string(get(t, v, id).Status)[0])
	}
	return b.String()
}

func TestPivot(t *testing.T) {
	t.Parallel()
	b := authBranches(t)
	db, err := b.tree.Pivot(b.auth, "could be the database", nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := statuses(t, b.tree.View, b.root, b.auth, b.jwt, b.other, db); got != "assca" {
		t.Errorf("statuses %s", got)
	}
	f := get(t, b.tree.View, db)
	if f.BranchedFrom != b.auth || f.ParentID != b.root || f.Depth != 1 {
		t.Errorf("the new frame is %+v", f)
	}
	if got := ids(b.tree.Suspended()); !slices.Equal(got, []string{b.auth, b.jwt}) {
		t.Errorf("Suspended = %v", got)
	}
	if got := ids(b.tree.Active()); !slices.Equal(got, []string{b.root, db}) {
		t.Errorf("Active = %v", got)
	}
	if _, err := b.tree.Pivot(db, "auth", nil); err == nil || !strings.Contains(err.Error(), "resume it") {
		t.Errorf("pivoting to a question that another branch asks: %v", err)
	}
	if _, err := b.tree.Spawn(b.jwt, "more", nil); err == nil {
		t.Error("a suspended frame spawns")
	}
	if err := b.tree.Conclude(b.jwt, "c", nil, 1, never); err == nil {
		t.Error("a suspended frame concludes")
	}
	if err := b.tree.Complete(b.jwt); err == nil {
		t.Error("a suspended frame completes")
	}
}

func TestPivotOfARoot(t *testing.T) {
	t.Parallel()
	b := authBranches(t)
	db, err := b.tree.Pivot(b.root, "could be the database", nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.tree.Roots(); !slices.Equal(got, []string{b.root, db}) {
		t.Errorf("Roots = %v", got)
	}
	if f := get(t, b.tree.View, db); f.ParentID != "" || f.BranchedFrom != b.root {
		t.Errorf("the new root is %+v", f)
	}
}

func TestBacktrack(t *testing.T) {
	t.Parallel()
	b := authBranches(t)
	fresh, err := b.tree.Backtrack(b.jwt, "start over", nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := statuses(t, b.tree.View, b.root, b.auth, b.jwt, b.other, fresh); got != "sssca" {
		t.Errorf("statuses %s", got)
	}
	if f := get(t, b.tree.View, fresh); f.ParentID != "" || f.BranchedFrom != "" || f.Depth != 0 {
		t.Errorf("the new root is %+v", f)
	}
	if again, err := b.tree.Backtrack(b.jwt, "start over", nil); err != nil || again != fresh {
		t.Errorf("backtracking again = %s, %v", again, err)
	}
	if _, err := b.tree.Backtrack(fresh, "find auth problem", nil); err == nil || !strings.Contains(err.Error(), b.root) {
		t.Errorf("starting over with the first question: %v", err)
	}
	if _, err := b.tree.Backtrack(fresh, "find auth problem", map[string]any{"attempt": 2}); err != nil {
		t.Error(err)
	}
}

func TestResumeTakesTheCallersWithIt(t *testing.T) {
	t.Parallel()
	b := authBranches(t)
	if _, err := b.tree.Pivot(b.auth, "db", nil); err != nil {
		t.Fatal(err)
	}
	if err := b.tree.Resume(b.jwt); err != nil {
		t.Fatal(err)
	}
	if got := statuses(t, b.tree.View, b.root, b.auth, b.jwt); got != "aaa" {
		t.Errorf("statuses %s", got)
	}
	for _, id := range []string{b.jwt, b.other} {
		if err := b.tree.Resume(id); err == nil || !strings.Contains(err.Error(), "only a suspended frame") {
			t.Errorf("resuming a frame that is not suspended: %v", err)
		}
	}
	if err := b.tree.Suspend(b.other); err == nil {
		t.Error("a completed frame is suspended")
	}
	if err := b.tree.Suspend(b.auth); err != nil {
		t.Fatal(err)
	}
	if err := b.tree.Resume(b.auth); err != nil {
		t.Fatal(err)
	}
	if got := statuses(t, b.tree.View, b.auth, b.jwt); got != "as" {
		t.Errorf("resuming the caller: statuses %s", got)
	}
}

// TestSuspendedFallsAndComesBack is a branch that falls while it is set aside.
func TestSuspendedFallsAndComesBack(t *testing.T) {
	t.Parallel()
	b := authBranches(t)
	condition := `modified("auth.go")`
	if err := b.tree.Conclude(b.auth, "no expiry check", []fact.Observation{fact.File("auth.go", "1")}, 0.9, condition); err != nil {
		t.Fatal(err)
	}
	if err := b.tree.Suspend(b.auth); err != nil {
		t.Fatal(err)
	}
	if _, err := b.tree.InvalidatePremise(b.auth, "auth.go changed"); err != nil {
		t.Fatal(err)
	}
	if got := statuses(t, b.tree.View, b.auth, b.jwt, b.other); got != "ssc" {
		t.Errorf("falling changed the statuses to %s", got)
	}
	for _, id := range []string{b.auth, b.jwt} {
		if err := b.tree.Resume(id); err == nil || !strings.Contains(err.Error(), "revalidate") {
			t.Errorf("resuming a fallen frame: %v", err)
		}
	}
	holds, asked := true, ""
	check := func(c string) (bool, string, error) {
		asked = c
		return holds, "auth.go is still changed", nil
	}
	if err := b.tree.Revalidate(b.auth, check); err == nil || !strings.Contains(err.Error(), "still changed") {
		t.Errorf("revalidating while the condition holds: %v", err)
	}
	if asked != condition {
		t.Errorf("asked about %q", asked)
	}
	holds = false
	if err := b.tree.Revalidate(b.jwt, check); err == nil || !strings.Contains(err.Error(), b.auth) {
		t.Errorf("revalidating under a fallen parent: %v", err)
	}
	if err := b.tree.Revalidate(b.auth, check); err != nil {
		t.Fatal(err)
	}
	if f := get(t, b.tree.View, b.auth); f.Validity != Valid || f.ValidityReason != "" || f.Status != Suspended {
		t.Errorf("revalidated: %+v", f)
	}
	if err := b.tree.Resume(b.auth); err != nil {
		t.Error(err)
	}
	failing := func(string) (bool, string, error) { return false, "", errors.New("no git") }
	if err := b.tree.Revalidate(b.other, failing); err == nil || !strings.Contains(err.Error(), "no git") {
		t.Errorf("revalidating when the condition cannot be evaluated: %v", err)
	}
	if err := b.tree.Revalidate(b.jwt, failing); err != nil {
		t.Errorf("a frame without a conclusion has no condition to ask about: %v", err)
	}
	if err := b.tree.Revalidate(b.jwt, failing); err != nil {
		t.Errorf("revalidating a valid frame: %v", err)
	}
}
