package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/causaldocs/causal/app/proof/trial"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/knowledge/store"
)

// walk is a replay in progress.
type walk struct {
	scratch string // everything below is in here
	walked  string // the clone that is updated from commit to commit
	clean   string // the clone of the clean runs
	history []commit
	every   int
	getenv  func(string) string
	at      int    // the commit of history that comes next
	docs    *churn // of the pages
	own     *churn // of everything under .causal
	outcome outcome
}

// replay walks the last n commits of a repository. Its progress goes to talk.
func replay(ctx context.Context, repository string, n, every int, model bool, talk io.Writer) (o *outcome, err error) {
	w, err := newWalk(ctx, repository, n, every)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	if model {
		m := newWriter()
		defer m.Close()
		w.getenv, w.outcome.Tokens = m.getenv, &tokens{}
	}
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
	w := &walk{scratch: scratch, walked: filepath.Join(scratch, "walked"), clean: filepath.Join(scratch, "clean"), every: every, getenv: noEnv}
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
		if err := trial.Clone(ctx, repository, into); err != nil {
			return err
		}
	}
	w.history = list
	w.outcome = outcome{Repository: repository, From: list[0].ID, To: list[len(list)-1].ID}
	if w.docs, err = newChurn(ctx, w.scratch, w.walked, "docs", pageDirs...); err != nil {
		return err
	}
	w.own, err = newChurn(ctx, w.scratch, w.walked, "own", store.Top)
	return err
}

func (w *walk) close() error { return os.RemoveAll(w.scratch) }

func (w *walk) more() bool { return w.at < len(w.history) }

// step checks and updates at the next commit, and compares with a clean run at every Nth. The first commit is the base, and does not
// count.
func (w *walk) step(ctx context.Context) (*report.Update, error) {
	at := w.history[w.at]
	if err := checkout(ctx, w.walked, at); err != nil {
		return nil, err
	}
	code, err := w.code(ctx)
	if err != nil {
		return nil, err
	}
	stale := 0
	if w.at > 0 {
		if stale, err = check(ctx, w.walked); err != nil {
			return nil, fmt.Errorf("at %s: %w", at, err)
		}
	}
	report, took, err := update(ctx, w.walked, w.getenv)
	if err != nil {
		return nil, fmt.Errorf("at %s: %w", at, err)
	}
	if t := w.outcome.Tokens; t != nil {
		if err := t.count(ctx, w, report.Model.TokensIn+report.Model.TokensOut); err != nil {
			return nil, err
		}
	}
	docs, err := w.docs.next(ctx)
	own, err2 := w.own.next(ctx)
	if err := errors.Join(err, err2); err != nil {
		return nil, err
	}
	if w.at > 0 {
		w.outcome.times = append(w.outcome.times, took)
		w.outcome.add(report, lines{code, docs, own})
		w.outcome.judge(at, stale, docs)
		if w.outcome.Tokens == nil && (w.at%w.every == 0 || w.at == len(w.history)-1) {
			if err := w.compare(ctx, at); err != nil {
				return nil, err
			}
		}
	}
	w.at++
	return report, nil
}

// code counts the lines that a commit adds and removes.
func (w *walk) code(ctx context.Context) (int, error) {
	if w.at == 0 {
		return 0, nil
	}
	out, err := git(ctx, w.walked, "diff-tree", "-r", "--numstat", "--no-renames", w.history[w.at-1].ID, w.history[w.at].ID)
	if err != nil {
		return 0, err
	}
	return numstat(out)
}

// compare compares every node and page with those of a clean run.
func (w *walk) compare(ctx context.Context, at commit) error {
	if err := forget(w.clean); err != nil {
		return err
	}
	if err := checkout(ctx, w.clean, at); err != nil {
		return err
	}
	if _, _, err := update(ctx, w.clean, w.getenv); err != nil {
		return fmt.Errorf("clean run: %w", err)
	}
	walked, err := written(w.walked)
	clean, err2 := written(w.clean)
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	w.outcome.Compared++
	nodes := clean.nodes()
	stuck := kept(walked.nodes(), nodes)
	w.outcome.Kept, w.outcome.Modules = w.outcome.Kept+len(stuck), len(nodes)
	for _, name := range differing(walked, clean, stuck) {
		if _, about := layout().ModuleOf(name); about && layout().IsNode(name) {
			w.outcome.Missed++
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

// finish computes the totals.
func (w *walk) finish() *outcome {
	o := &w.outcome
	slices.Sort(o.times)
	o.Median, o.P90 = milliseconds(percentile(o.times, 50)), milliseconds(percentile(o.times, 90))
	o.Share = float64(o.Own) / float64(max(o.Code, 1))
	if o.Tokens != nil {
		o.Tokens.finish()
	}
	o.Holds = o.Missed == 0 && o.Pages == 0 && len(o.Idle) == 0 && len(o.Late) == 0
	return o
}
