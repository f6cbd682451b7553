package hooks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/reasoning"
	"github.com/causaldocs/causal/knowledge/store"
)

const (
	mostStale     = 5
	mostDecisions = 3
)

// known reports outdated pages, contested decisions and decisions reversed since a time. It omits checks that do not
// finish in lookFor.
func (p *Place) known(ctx context.Context, now func() time.Time, since time.Time) ([]string, error) {
	has := func(name string) bool {
		_, err := os.Lstat(filepath.Join(p.repo.Root(), filepath.FromSlash(name)))
		return err == nil
	}
	ctx, cancel := context.WithTimeout(ctx, lookFor)
	defer cancel()
	var lines, stale []string
	var err, failed error
	if has(store.Log) {
		lines, err = p.decided(ctx, now, since)
	}
	if has(store.Top + "/nodes") { // takes longer
		stale, failed = p.stale(ctx, now)
	}
	lines = append(stale, lines...)
	if ctx.Err() == nil {
		return lines, errors.Join(err, failed)
	}
	if len(lines) > 0 {
		lines = append(lines, "The list of stale pages and contested decisions is incomplete (time limit); run `causal check` and `causal decisions`.")
	}
	return lines, fmt.Errorf("find stale pages and contested decisions: %w", ctx.Err())
}

func (p *Place) stale(ctx context.Context, now func() time.Time) (lines []string, err error) {
	var c *report.Check
	err = p.within(ctx, now, func(w *workspace.Workspace) error {
		k, err := w.Look()
		if err == nil {
			c, err = k.Check(ctx)
		}
		return err
	})
	if err != nil || len(c.Stale) == 0 {
		return nil, err
	}
	pages := map[string]string{} // with the first reason
	var order []string
	for _, s := range c.Stale {
		page := cmp.Or(s.Page, s.Node)
		if _, ok := pages[page]; !ok {
			pages[page] = cmp.Or(s.Detail, s.Because)
			order = append(order, page)
		}
	}
	lines = []string{fmt.Sprintf("In causal's docs, %s stale (run `causal update`):", summary.Count(len(order), "page")+are(len(order)))}
	for i, page := range order {
		if i == mostStale {
			return append(lines, fmt.Sprintf("- and %d more, which `causal check` lists", len(order)-i)), nil
		}
		lines = append(lines, "- "+plain.Line(page+": "+pages[page], longestQuote))
	}
	return lines, nil
}

func are(n int) string {
	if n == 1 {
		return " is"
	}
	return " are"
}

// decided reports contested positions, and those superseded since a time; zero means none.
func (p *Place) decided(ctx context.Context, now func() time.Time, since time.Time) (lines []string, err error) {
	err = p.within(ctx, now, func(w *workspace.Workspace) error {
		log, err := w.Ledger(ctx, false)
		if err == nil {
			lines = decisions(log, reasoning.NewRecorder(log.Log).Graph().State(nil), since)
		}
		return err
	})
	return lines, err
}

func decisions(log *workspace.Ledger, s reasoning.State, since time.Time) []string {
	news := func(i reasoning.Item) bool {
		by, ok := log.Find(i.SupersededBy)
		if !ok || since.IsZero() {
			return false
		}
		at, err := time.Parse(time.RFC3339, by.At)
		return err == nil && at.After(since)
	}
	var out []string
	for _, part := range []struct {
		what  string
		items []reasoning.Item
		only  func(reasoning.Item) bool
	}{{"contested", s.Contested, func(reasoning.Item) bool { return true }}, {"replaced since the last session", s.Past, news}} {
		n := 0
		for _, i := range part.items {
			if n < mostDecisions && part.only(i) {
				n++
				out = append(out, fmt.Sprintf("- %s: %s %q", part.what, i.Event.ID.Short(), quote(i.Event.Text)))
			}
		}
	}
	if len(out) == 0 {
		return nil
	}
	title := "Contested or replaced decisions (see `causal why ID`):"
	if len(log.Problems) > 0 {
		title = cmp.Or(reasoning.Lacks(log.Log), "the log was changed after it was written") + " (see `causal verify`). Contested or replaced decisions in the intact part:"
	}
	return append([]string{title}, out...)
}

func (p *Place) within(ctx context.Context, now func() time.Time, fn func(*workspace.Workspace) error) error {
	w, err := workspace.Open(ctx, workspace.WorkTree{Dir: p.repo.Root(), Now: now})
	if err != nil {
		return err
	}
	defer func() { _ = w.Close() }()
	return fn(w)
}
