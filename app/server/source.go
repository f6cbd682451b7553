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

// source is the data of the status page, from the queue and GitHub. It implements web.Source.
type source struct {
	queue  *queue.Queue
	listed func(ctx context.Context) ([]github.Repository, error)
	log    *slog.Logger
	web    string // GitHub's web URL
	scope  queue.Scope
	pushes []int64 // the repositories whose jobs may be restarted; nil for all
}

// patience limits the time that a page waits for GitHub.
const patience = 5 * time.Second

// lanesShown limits the branches and pull requests of a repository that are shown with their last run.
const lanesShown = 20

const mostOfError = 16 << 10

func (s *source) Counts(ctx context.Context) (queue.Totals, error) {
	t, err := s.queue.Totals(ctx, s.scope)
	t.Waiting += t.Parked
	return t, err
}

// repositories lists the repositories of the App. If GitHub is unavailable, which is when the page matters most, it
// lists those with stored runs.
func (s *source) repositories(ctx context.Context) ([]github.Repository, error) {
	asking, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	list, err := s.listed(asking)
	if err == nil {
		return list, nil
	}
	s.log.WarnContext(ctx, "GitHub does not list the repositories; the status page shows those with runs", "error", github.Redact(err.Error()))
	kept, err := s.queue.Repositories(ctx, s.scope)
	list = nil
	for _, q := range kept {
		list = append(list, github.Repository{ID: q.Repository, Owner: q.Owner, Name: q.Name, URL: s.page(q)})
	}
	return list, err
}

// Repositories implements web.Source. Each repository has the last runs of its branches and pull requests.
func (s *source) Repositories(ctx context.Context, after string, limit int) ([]web.Repository, error) {
	list, err := s.repositories(ctx)
	if err != nil {
		return nil, err
	}
	name := func(r github.Repository) string { return r.Owner + "/" + r.Name }
	chosen := slices.DeleteFunc(slices.Clone(list), func(r github.Repository) bool {
		return name(r) <= after || !s.scope.Includes(queue.Subject{Repository: r.ID, Owner: r.Owner, Name: r.Name})
	})
	slices.SortFunc(chosen, func(a, b github.Repository) int { return cmp.Compare(name(a), name(b)) })
	chosen = chosen[:min(len(chosen), limit)]
	ids := make([]int64, len(chosen))
	out := make([]web.Repository, len(chosen))
	for i, r := range chosen {
		ids[i], out[i] = r.ID, web.Repository{Name: name(r), URL: r.URL, Private: r.Private, Archived: r.Archived}
	}
	rows, err := s.queue.Last(ctx, ids, lanesShown)
	for _, r := range rows {
		at := slices.Index(ids, r.Subject.Repository)
		out[at].Last = append(out[at].Last, s.run(r))
	}
	return out, err
}

func (s *source) Runs(ctx context.Context, f queue.Filter) ([]web.Run, error) {
	f.Scope, f.Brief = s.scope, true
	rows, err := s.queue.Runs(ctx, f)
	var out []web.Run
	for _, r := range rows {
		out = append(out, s.run(r))
	}
	return out, err
}

func (s *source) Jobs(ctx context.Context, f queue.Filter) ([]web.Job, error) {
	f.Scope = s.scope
	rows, err := s.queue.Jobs(ctx, f)
	var out []web.Job
	for _, r := range rows {
		r.Error = plain.Text(r.Error, mostOfError)
		restarts := (r.State == queue.Dead || r.State == queue.Waiting) && r.Run != 0 && s.mayRestart(r.Subject)
		out = append(out, web.Job{JobRow: r, Subject: s.subject(r.Subject), Restarts: restarts})
	}
	return out, err
}

func (s *source) mayRestart(of queue.Subject) bool {
	return queue.Scope{Names: s.scope.Names, Repositories: s.pushes}.Includes(of)
}

func (s *source) Restart(ctx context.Context, run int64) error {
	r, err := s.queue.Run(ctx, run)
	if err == nil && !s.mayRestart(r.Subject) || errors.Is(err, queue.ErrNoRun) {
		return web.ErrNotDead // do not reveal other runs
	}
	if err == nil {
		err = s.queue.Restart(ctx, run)
	}
	if errors.Is(err, queue.ErrNotDead) {
		return web.ErrNotDead
	}
	return err
}

func (s *source) Run(ctx context.Context, id int64) (*web.RunDetail, error) {
	r, err := s.queue.Run(ctx, id)
	if errors.Is(err, queue.ErrNoRun) || err == nil && !s.scope.Includes(r.Subject) {
		return nil, web.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	out := &web.RunDetail{Run: s.run(r)}
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
	r.Conclusion, r.Error = cmp.Or(r.Conclusion, string(r.State)), plain.Text(r.Error, mostOfError)
	return web.Run{RunRow: r, Subject: s.subject(r.Subject)}
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

func (s *source) page(q queue.Subject) string { return s.web + "/" + q.Owner + "/" + q.Name }

// remembered caches the result of a function for some time.
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

func runsURL(public string, s queue.Subject) string {
	return public + "/runs?repository=" + url.QueryEscape(s.Owner+"/"+s.Name)
}
