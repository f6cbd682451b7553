package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/proof/trial"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/review"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/life"
	"github.com/causaldocs/causal/review/record"
)

// told is a reported finding.
type told struct {
	Repo    string `json:"repo"`
	Commit  string `json:"commit"`
	Rule    string `json:"rule"`
	Place   string `json:"place"`
	Symbol  string `json:"symbol,omitempty"`
	Message string `json:"message"`
	Quote   string `json:"quote"`
	Subject string `json:"subject"`          // of the commit
	Listed  bool   `json:"listed,omitempty"` // in the summary only, not beside a line
}

func (t told) key() [5]string { return [5]string{t.Repo, t.Commit, t.Rule, t.Place, t.Symbol} }

// replay is a walk over histories. Each first-parent commit is a change that is reviewed and closed.
type replay struct {
	commits int           // of each repository
	within  time.Duration // a change is reviewed, or left out
	out     *json.Encoder // of told; nil with verdicts
	talk    io.Writer     // progress
	sum     sum
}

// sum is the result of a walk.
type sum struct {
	changes, large, slow int
	absent               int // of which the repository has not everything
	told                 []told
}

// mostFiles is how many files a commit may change: larger ones move, reformat or take over whole trees.
const mostFiles = 100

// nameOf returns owner/name, from the last two parts of a path.
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
	if err := trial.Clone(ctx, dir, tree); err != nil {
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
	logs := workspace.NewLogs()
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
		if r.out != nil {
			if err := r.out.Encode(t); err != nil {
				return fmt.Errorf("print a finding: %w", err)
			}
		}
		r.sum.told = append(r.sum.told, t)
	}
	_, err = w.CloseChange(record.New(record.Change{
		Key: "push-" + short(head.ID), Base: base.ID, Head: head.ID, Outcome: record.Merged, At: head.When, Author: head.Author,
	}, change.State), memory)
	return err
}

// documents is the rule whose findings are shown beside documents that the change does not touch.
const documents = "stale-reference"

func short(id string) string { return id[:min(len(id), 12)] }
