package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/causaldocs/causal/app/proof/trial"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/render/node"
)

// walk is a replay in progress.
type walk struct {
	scratch string // everything below is in here
	walked  string // the clone that is updated from commit to commit
	clean   string // the clone that is documented anew at every commit
	history []commit
	every   int
	at      int // the commit of history that comes next
	churn   *churn
	pages   string // the state of the pages after the last update
	// before is what clean runs knew at the commit before
	before  map[string]*node.Node
	outcome outcome
}

// replay walks the last n commits of a repository. Its progress goes to talk.
func replay(ctx context.Context, repository string, n, every int, talk io.Writer) (o *outcome, err error) {
	w, err := newWalk(ctx, repository, n, every)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	for w.more() {
		if _, err := w.step(ctx); err != nil {
			return nil, err
		}
		if done := w.at - 1; done%every == 0 && done > 0 {
			_, _ = fmt.Fprintf(talk, "%d of %d commits\n", done, len(w.history)-1)
		}
	}
	return w.finish(), nil
}

// newWalk clones the repository twice and finds the commits to walk.
func newWalk(ctx context.Context, repository string, n, every int) (*walk, error) {
	repository, err := filepath.Abs(repository)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(repository); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%w: %s is not a directory", trial.ErrUnfit, repository)
	}
	scratch, err := os.MkdirTemp("", "replay-")
	if err != nil {
		return nil, err
	}
	w := &walk{scratch: scratch, walked: filepath.Join(scratch, "walked"), clean: filepath.Join(scratch, "clean"), every: every}
	if err := w.prepare(ctx, repository, n); err != nil {
		return nil, errors.Join(err, w.close())
	}
	return w, nil
}

func (w *walk) prepare(ctx context.Context, repository string, n int) error {
	list, err := history(ctx, repository, n)
	if err != nil {
		return err
	}
	if len(list) < 2 {
		return fmt.Errorf("%w: it has one commit, and two are needed to see an update", trial.ErrUnfit)
	}
	if err := refuseOwn(ctx, repository, list); err != nil {
		return err
	}
	for _, into := range []string{w.walked, w.clean} {
		if err := clone(ctx, repository, into); err != nil {
			return err
		}
	}
	w.history = list
	w.outcome = outcome{Repository: repository, From: list[0].ID, To: list[len(list)-1].ID}
	w.churn, err = newChurn(ctx, w.scratch, filepath.Join(w.walked, filepath.FromSlash(layout().Docs)))
	return err
}

func (w *walk) close() error { return os.RemoveAll(w.scratch) }

func (w *walk) more() bool { return w.at < len(w.history) }

// step updates at the next commit, and documents it anew beside. The first commit is where the walk begins: what it
// costs does not count.
func (w *walk) step(ctx context.Context) (*report.Update, error) {
	at := w.history[w.at]
	report, err := w.document(ctx, at)
	if err != nil {
		return nil, fmt.Errorf("at %s: %w", at, err)
	}
	walked, err := written(w.walked)
	if err != nil {
		return nil, err
	}
	clean, err := written(w.clean)
	if err != nil {
		return nil, err
	}
	lines, pages, err := w.churn.since(ctx, w.pages)
	if err != nil {
		return nil, err
	}
	now := clean.nodes()
	if w.at > 0 {
		w.outcome.add(report, lines)
		missed := w.weigh(at, report, now)
		if w.at%w.every == 0 || w.at == len(w.history)-1 {
			if err := w.compare(ctx, at, walked, clean, missed); err != nil {
				return nil, err
			}
		}
		w.outcome.Missed += len(missed)
	}
	w.at, w.pages, w.before, w.outcome.Modules = w.at+1, pages, now, len(now)
	return report, nil
}

// document updates the walked clone, with its time taken, and makes everything anew in the clean one.
func (w *walk) document(ctx context.Context, at commit) (*report.Update, error) {
	if err := checkout(ctx, w.walked, at); err != nil {
		return nil, err
	}
	report, took, err := update(ctx, w.walked)
	if err != nil {
		return nil, err
	}
	if w.at > 0 {
		w.outcome.times = append(w.outcome.times, took)
	}
	if err := forget(w.clean); err != nil {
		return nil, err
	}
	if err := checkout(ctx, w.clean, at); err != nil {
		return nil, err
	}
	if _, _, err := update(ctx, w.clean); err != nil {
		return nil, fmt.Errorf("clean run: %w", err)
	}
	return report, nil
}

// weigh holds what was run again to what had to be: the modules of which clean runs at this commit and the one before
// recorded different inputs, or say something else. It returns those that were left out.
func (w *walk) weigh(at commit, report *report.Update, now map[string]*node.Node) map[string]bool {
	missed := map[string]bool{}
	for m, n := range now {
		old := w.before[m]
		changed := old == nil || content(old) != content(n)
		if changed {
			w.outcome.Changed++
		}
		if changed || inputs(old) != inputs(n) {
			w.outcome.Minimum++
			missed[m] = true
		}
	}
	for _, m := range report.Rerun {
		if !missed[m] {
			w.outcome.Needless = append(w.outcome.Needless, needless{at, m, because(report, m)})
		}
		delete(missed, m)
	}
	for _, m := range slices.Sorted(maps.Keys(missed)) {
		w.outcome.Left = append(w.outcome.Left, left{at, m})
	}
	return missed
}

func because(report *report.Update, module string) string {
	for _, i := range report.Invalidated {
		if i.Node == module {
			return i.String()
		}
	}
	return ""
}

// compare holds every node and page to that of the clean run, and adds the modules whose node differs to missed.
func (w *walk) compare(ctx context.Context, at commit, walked, clean files, missed map[string]bool) error {
	w.outcome.Compared++
	stuck := kept(walked.nodes(), clean.nodes())
	w.outcome.Kept += len(stuck)
	for _, name := range differing(walked, clean, stuck) {
		if m, about := layout().ModuleOf(name); about && layout().IsNode(name) {
			missed[m] = true
		} else {
			w.outcome.Pages++
		}
		if len(w.outcome.Differences) == shown {
			continue
		}
		text, err := diff(ctx, w.scratch, name, walked, clean)
		if err != nil {
			return err
		}
		w.outcome.Differences = append(w.outcome.Differences, difference{at, name, text})
	}
	return nil
}

// finish computes what can be told only at the end.
func (w *walk) finish() *outcome {
	o := &w.outcome
	slices.Sort(o.times)
	o.Median, o.P90 = milliseconds(percentile(o.times, 50)), milliseconds(percentile(o.times, 90))
	o.Ratio = ratio(o.Rerun, o.Minimum)
	o.Holds = o.Missed == 0 && o.Pages == 0 && o.Ratio <= most
	return o
}
