package server

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/causaldocs/causal/app/bot"
	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/web"
	"github.com/causaldocs/causal/webhooks"
	"github.com/causaldocs/causal/webhooks/queue"
)

// source is the queue and GitHub as the status page wants to see them. It implements web.Source.
type source struct {
	queue  *queue.Queue
	listed func(ctx context.Context) ([]github.Repository, error)
	log    *slog.Logger
	web    string // address of GitHub on the web
}

// patience is how long a page waits for GitHub.
const patience = 5 * time.Second

// scan is how many runs are read at once, and most how many at all, to find those that are asked for.
const (
	scan = 200
	most = 4000
)

// mostOfError is how many bytes of an error a page shows: room for what a panic says.
const mostOfError = 16 << 10

// Counts implements web.Source.
func (s *source) Counts(ctx context.Context) (web.Counts, error) {
	stats, err := s.queue.Stats(ctx)
	if err != nil {
		return web.Counts{}, err
	}
	c := web.Counts{Queued: stats.Queued, Running: stats.Running, Waiting: stats.Waiting, Dead: stats.Dead, Oldest: stats.Oldest}
	repositories := map[int64]bool{}
	err = s.each(ctx, queue.Filter{}, func(r queue.RunRow) bool {
		c.Runs++
		repositories[r.Subject.Repository] = true
		return true
	})
	c.Repositories = len(repositories)
	return c, err
}

// each goes through runs, the newest first, until fn has enough.
func (s *source) each(ctx context.Context, f queue.Filter, fn func(queue.RunRow) bool) error {
	f.Limit = scan
	for seen := 0; seen < most; {
		rows, err := s.queue.Runs(ctx, f)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if !fn(r) {
				return nil
			}
		}
		if len(rows) < scan {
			return nil
		}
		seen += len(rows)
		f.Before = rows[len(rows)-1].ID
	}
	return nil
}

// repositories are those that the App sees. When GitHub does not say, which is when people want the page most, they are
// those that runs are kept of.
func (s *source) repositories(ctx context.Context) ([]github.Repository, error) {
	asking, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	list, err := s.listed(asking)
	if err == nil {
		return list, nil
	}
	s.log.WarnContext(ctx, "GitHub does not list the repositories; the status page shows those with runs", "error", github.Redact(err.Error()))
	list = nil
	seen := map[int64]bool{}
	err = s.each(ctx, queue.Filter{}, func(r queue.RunRow) bool {
		if q := r.Subject; !seen[q.Repository] {
			seen[q.Repository] = true
			list = append(list, github.Repository{ID: q.Repository, Owner: q.Owner, Name: q.Name, URL: s.page(q)})
		}
		return true
	})
	return list, err
}

// Repositories implements web.Source: each with the last run of every branch and pull request.
func (s *source) Repositories(ctx context.Context, after string, limit int) ([]web.Repository, error) {
	list, err := s.repositories(ctx)
	if err != nil {
		return nil, err
	}
	byID := map[int64]*web.Repository{}
	var out []web.Repository
	for _, r := range list {
		if name := r.Owner + "/" + r.Name; name > after {
			out = append(out, web.Repository{Name: name, URL: r.URL, Private: r.Private, Archived: r.Archived})
		}
	}
	slices.SortFunc(out, func(a, b web.Repository) int { return cmp.Compare(a.Name, b.Name) })
	out = out[:min(len(out), limit)]
	for _, r := range list {
		at, found := slices.BinarySearchFunc(out, r.Owner+"/"+r.Name, func(w web.Repository, name string) int { return cmp.Compare(w.Name, name) })
		if found {
			byID[r.ID] = &out[at]
		}
	}
	seen := map[string]bool{}
	err = s.each(ctx, queue.Filter{}, func(r queue.RunRow) bool {
		if repo := byID[r.Subject.Repository]; repo != nil && !seen[r.Subject.Key()] && isLane(r.Subject) {
			seen[r.Subject.Key()] = true
			repo.Last = append(repo.Last, s.run(r))
		}
		return true
	})
	return out, err
}

// isLane reports whether a subject is worked itself, and not only looked up.
func isLane(q queue.Subject) bool {
	return q.Ref != webhooks.DefaultBranch && !strings.HasPrefix(q.Ref, webhooks.CommitPrefix)
}

// Runs implements web.Source.
func (s *source) Runs(ctx context.Context, f web.RunFilter, before int64, limit int) ([]web.Run, error) {
	var out []web.Run
	err := s.each(ctx, queue.Filter{Before: before}, func(r queue.RunRow) bool {
		run := s.run(r)
		if (f.Repository == "" || run.Repository == f.Repository) && (f.Conclusion == "" || run.Conclusion == f.Conclusion) {
			out = append(out, run)
		}
		return len(out) < limit
	})
	return out, err
}

// Jobs implements web.Source.
func (s *source) Jobs(ctx context.Context, state web.JobState, before int64, limit int) ([]web.Job, error) {
	rows, err := s.queue.Jobs(ctx, queue.Filter{State: queue.State(state), Before: before, Limit: limit})
	if err != nil {
		return nil, err
	}
	var out []web.Job
	for _, r := range rows {
		out = append(out, web.Job{
			ID: r.ID, Run: r.Run, Subject: s.subject(r.Subject), State: web.JobState(r.State), Attempt: r.Attempt, Attempts: r.Attempts,
			Asked: r.Since, Next: r.Due, Error: plain.Text(r.Error, mostOfError),
		})
	}
	return out, nil
}

// Restart implements web.Source.
func (s *source) Restart(ctx context.Context, job int64) error {
	err := s.queue.Restart(ctx, job)
	if errors.Is(err, queue.ErrNotDead) {
		return web.ErrNotDead
	}
	return err
}

// Run implements web.Source.
func (s *source) Run(ctx context.Context, id int64) (*web.RunDetail, error) {
	r, err := s.queue.Run(ctx, id)
	if errors.Is(err, queue.ErrNoRun) {
		return nil, web.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	out := &web.RunDetail{Run: s.run(r), Session: r.Session, Error: plain.Text(r.Error, mostOfError)}
	repository := s.page(r.Subject)
	if r.Head != "" {
		out.Head = web.Commit{SHA: r.Head, URL: repository + "/commit/" + r.Head}
	}
	if len(r.Detail) == 0 {
		return out, nil
	}
	var d bot.Detail
	if err := json.Unmarshal(r.Detail, &d); err != nil {
		return nil, fmt.Errorf("read run %d: %w", id, err)
	}
	_, out.Head.Subject, _ = strings.Cut(d.Cause, " ")
	out.Chain, out.ChainLeft = chain(r, d, repository), d.Left
	out.Frames, err = frames(d.Frames)
	return out, err
}

func (s *source) run(r queue.RunRow) web.Run {
	out := web.Run{
		ID: r.ID, Subject: s.subject(r.Subject), Conclusion: web.Conclusion(r.Conclusion), Title: r.Title, Attempt: r.Attempt,
		Started: r.Started, Ended: r.Ended,
	}
	if r.Conclusion == "" {
		out.Conclusion = web.Conclusion(r.State)
	}
	for _, c := range r.Causes {
		out.Causes = append(out.Causes, web.Cause{Event: c.Event, Delivery: c.Delivery})
	}
	return out
}

func (s *source) subject(q queue.Subject) web.Subject {
	out := web.Subject{Repository: q.Owner + "/" + q.Name, Branch: strings.TrimPrefix(q.Ref, "refs/heads/"), Pull: q.Pull, URL: s.page(q)}
	switch {
	case q.Pull != 0:
		out.URL += fmt.Sprintf("/pull/%d", q.Pull)
	case q.Ref == webhooks.DefaultBranch:
		out.Branch = "default branch"
	case strings.HasPrefix(q.Ref, webhooks.CommitPrefix):
		out.Branch = "a commit"
		out.URL += "/commit/" + strings.TrimPrefix(q.Ref, webhooks.CommitPrefix)
	default:
		out.URL += (&url.URL{Path: "/tree/" + out.Branch}).EscapedPath()
	}
	return out
}

// page is a repository's address on the web.
func (s *source) page(q queue.Subject) string { return s.web + "/" + q.Owner + "/" + q.Name }

// remembered asks for something at most once in a while.
func remembered[T any](now func() time.Time, lasts time.Duration, ask func(context.Context) (T, error)) func(context.Context) (T, error) {
	var mu sync.Mutex
	var value T
	var until time.Time
	return func(ctx context.Context) (T, error) {
		mu.Lock()
		defer mu.Unlock()
		if now().Before(until) {
			return value, nil
		}
		got, err := ask(ctx)
		if err == nil {
			value, until = got, now().Add(lasts)
		}
		return got, err
	}
}

// runsURL is the page of a repository's runs.
func runsURL(public string, s queue.Subject) string {
	return public + "/runs?repository=" + url.QueryEscape(s.Owner+"/"+s.Name)
}
