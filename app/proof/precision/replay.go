package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/review"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/life"
	"github.com/causaldocs/causal/review/principle"
	"github.com/causaldocs/causal/review/record"
)

// told is a finding that people would have read beside the lines of a change.
type told struct {
	Repo    string `json:"repo"`
	Commit  string `json:"commit"`
	Rule    string `json:"rule"`
	Place   string `json:"place"`
	Symbol  string `json:"symbol,omitempty"`
	Message string `json:"message"`
	Quote   string `json:"quote"`
	Subject string `json:"subject"`          // of the commit
	Listed  bool   `json:"listed,omitempty"` // it stands in the summary, and beside no line
}

func (t told) key() [5]string { return [5]string{t.Repo, t.Commit, t.Rule, t.Place, t.Symbol} }

// promotion is a principle that the changes came to.
type promotion struct {
	Repo      string `json:"repo"`
	Commit    string `json:"commit"`
	Principle string `json:"principle"`
	Text      string `json:"text"`
}

// replay is a walk over histories. Each first-parent commit is a change that is reviewed and closed.
type replay struct {
	commits int           // of each repository
	within  time.Duration // a change is reviewed, or left out
	logs    string        // a directory with what a linter said of commits: REPOSITORY/COMMIT.sarif; empty for none
	out     *json.Encoder // told and promotion, as they come; nil for none
	talk    io.Writer     // progress
	sum     sum
}

// sum is what a walk came to.
type sum struct {
	changes, large, slow int
	absent               int // of which the repository has not everything
	told                 []told
	promoted             []promotion
}

// mostFiles is how many files a commit may change: larger ones move, reformat or take over whole trees.
const mostFiles = 100

// nameOf is what a repository is called: owner and name, as the last two parts of its path have them.
func nameOf(dir string) string {
	dir = strings.TrimSuffix(filepath.ToSlash(filepath.Clean(dir)), ".git")
	parts := strings.Split(dir, "/")
	return strings.Join(parts[max(len(parts)-2, 0):], "/")
}

// walk reviews the last commits of a repository. The repository is not touched.
func (r *replay) walk(ctx context.Context, dir string) (err error) {
	temp, err := os.MkdirTemp("", "precision-")
	if err != nil {
		return fmt.Errorf("make a directory: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	tree := filepath.Join(temp, "tree")
	if err := clone(ctx, dir, tree); err != nil {
		return err
	}
	list, err := history(ctx, tree, r.commits)
	if err != nil {
		return err
	}
	for i, c := range list {
		if c.files > mostFiles {
			r.sum.large++
			continue
		}
		if err := r.change(ctx, tree, nameOf(dir), c); err != nil {
			return fmt.Errorf("at %s: %w", c.id, err)
		}
		if (i+1)%50 == 0 {
			_, _ = fmt.Fprintf(r.talk, "%s: %d of %d commits\n", nameOf(dir), i+1, len(list))
		}
	}
	return nil
}

// change reviews one commit as `causal review --base PARENT --head COMMIT --vet=false --close merged --as push-COMMIT` does.
func (r *replay) change(ctx context.Context, tree, repo string, c commit) error {
	limited, cancel := context.WithTimeout(ctx, r.within)
	defer cancel()
	w, err := workspace.Open(limited, workspace.WorkTree{Dir: tree, Revision: c.id, Now: time.Now})
	if err != nil {
		return err
	}
	err = errors.Join(r.review(limited, w, repo, c), w.Close())
	if limited.Err() != nil && ctx.Err() == nil {
		r.sum.slow++
		_, _ = fmt.Fprintf(r.talk, "%s: %s takes longer than %s\n", repo, c.id, r.within)
		return nil
	}
	if errors.Is(err, gitstore.ErrUnknownObject) {
		r.sum.absent++
		return nil
	}
	r.sum.changes++
	return err
}

func (r *replay) review(ctx context.Context, w *workspace.Workspace, repo string, c commit) error {
	base, err := w.Repo.Resolve(ctx, c.parent)
	if err != nil {
		return err
	}
	head, err := w.Repo.Resolve(ctx, c.id)
	if err != nil {
		return err
	}
	memory, err := w.Remember()
	if err != nil {
		return err
	}
	logs, err := r.said(w, repo, c)
	if err != nil {
		return err
	}
	change := workspace.Change{
		Base: base, Head: head.ID, Given: review.NewGiven(logs.Faults, memory), Outside: logs.Outside, Nowhere: logs.Nowhere, Ran: logs.Ran,
		Without: func(string) bool { return false }, State: &life.State{},
	}
	found, err := w.Review(ctx, change)
	if err != nil {
		return err
	}
	for _, f := range found.Outcome.Findings {
		listed := found.Unsure[f.ID]
		if !f.Severity.AtLeast(finding.Warning) || !found.Shown[f.ID] && f.Rule != documents && !listed {
			continue
		}
		t := told{repo, short(c.id), f.Rule, fmt.Sprintf("%s:%d", f.Path, f.Line), f.Symbol, f.Message, f.Quote, c.subject, listed}
		if err := r.tell(t); err != nil {
			return err
		}
		r.sum.told = append(r.sum.told, t)
	}
	return r.end(w, repo, change, head, memory)
}

// said is what a linter said of a commit, where there is a log of it.
func (r *replay) said(w *workspace.Workspace, repo string, c commit) (*workspace.Logs, error) {
	logs := workspace.NewLogs()
	if r.logs == "" {
		return logs, nil
	}
	name := filepath.Join(r.logs, filepath.FromSlash(repo), c.id+".sarif")
	if _, err := os.Stat(name); errors.Is(err, os.ErrNotExist) {
		return logs, nil
	}
	return logs, logs.Add(name, name, w.Repo.Root())
}

// documents is the rule whose findings are told beside documents that the change itself need not touch.
const documents = "stale-reference"

// end closes the change, and tells of the principles that came of it.
func (r *replay) end(w *workspace.Workspace, repo string, c workspace.Change, head gitstore.Commit, memory *review.Memory) error {
	promoted, err := w.CloseChange(record.New(record.Change{
		Key: "push-" + short(head.ID), Base: c.Base.ID, Head: head.ID, Outcome: record.Merged, At: head.When, Author: head.Author,
	}, c.State), memory)
	if err != nil {
		return err
	}
	after, err := w.Remember()
	if err != nil {
		return err
	}
	for _, slug := range slices.Sorted(slices.Values(promoted)) {
		p := promotion{repo, short(head.ID), slug, string(after.Principles[principle.Path(slug)])}
		if err := r.tell(p); err != nil {
			return err
		}
		r.sum.promoted = append(r.sum.promoted, p)
	}
	return nil
}

func (r *replay) tell(v any) error {
	if r.out == nil {
		return nil
	}
	if err := r.out.Encode(v); err != nil {
		return fmt.Errorf("tell what was found: %w", err)
	}
	return nil
}

func short(id string) string { return id[:min(len(id), 12)] }
