package github

import (
	"errors"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/githubsim"
)

// TestHeads: all of an installation's repositories come with one request, and one that is gone keeps none of the others.
func TestHeads(t *testing.T) {
	w := newWorld(t)
	other, err := w.sim.CreateRepository("octo/empty", githubsim.Empty())
	must(t, err)
	_, err = w.sim.Install(other)
	must(t, err)
	head, err := w.repo.Push("wider", githubsim.Change{Message: "Change it", Write: map[string]string{"main.go": "package main // wider\n"}})
	must(t, err)
	n, err := w.repo.OpenPull("wider", "main", "Wider", "octo")
	must(t, err)
	list, err := w.app.Repositories(t.Context(), w.installation)
	must(t, err)
	list = append(list, Repository{ID: 9, node: "R_gone"})
	before := len(w.sim.Requests())
	got, err := w.app.Heads(t.Context(), w.installation, list, time.Time{})
	if !errors.Is(err, ErrGone) {
		t.Errorf("of the one that is gone it says %v", err)
	}
	if n := len(w.sim.Requests()) - before; n > 2 {
		t.Errorf("%d requests", n)
	}
	found := map[int64]Heads{}
	for _, h := range got {
		found[h.Repository] = h
	}
	if h := found[w.repo.ID()]; h.Branch != "main" || h.Head != w.repo.Head("main") || len(h.Pulls) != 1 || h.Pulls[n] != head {
		t.Errorf("octo/shop is %+v", h)
	}
	if h, ok := found[other.ID()]; !ok || h.Head != "" || len(h.Pulls) != 0 || len(found) != 2 {
		t.Errorf("octo/empty is %+v of %d", h, len(found))
	}
	if got, _ := w.app.Heads(t.Context(), w.installation, list[:1], time.Now().Add(time.Hour)); len(got) != 1 || len(got[0].Pulls) != 0 {
		t.Errorf("what was changed long ago is listed: %+v", got)
	}
}
