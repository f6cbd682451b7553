package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/causaldocs/causal/webhooks/queue"
)

// Rows on one page of each list.
const (
	repositoriesPerPage = 25
	runsPerPage         = 50
	jobsPerPage         = 50
)

type listing[T any] struct {
	Rows       []T
	First      string // URL of the first page, empty on it
	Next       string // URL of the next page, empty on the last
	Counts     countsView
	Repository string // the filter
	Chosen     string
	Choices    []string
}

func list[T any](r *http.Request, limit int, read func(limit int) ([]T, error), name func(T) string) (listing[T], error) {
	rows, err := read(limit + 1)
	if err != nil {
		return listing[T]{}, err
	}
	l := listing[T]{Rows: rows[:min(len(rows), limit)]}
	if r.URL.Query().Has("after") {
		l.First = leaf(r.URL, "")
	}
	if len(rows) > limit {
		l.Next = leaf(r.URL, name(rows[limit-1]))
	}
	return l, nil
}

func leaf(u *url.URL, after string) string {
	q := u.Query()
	q.Set("after", after)
	if after == "" {
		q.Del("after")
	}
	return strings.TrimSuffix(u.Path+"?"+q.Encode(), "?")
}

func before(r *http.Request) int64 {
	id, err := strconv.ParseInt(r.URL.Query().Get("after"), 10, 64)
	if err != nil || id < 0 {
		return 0
	}
	return id
}

type countsView struct {
	queue.Totals

	Now time.Time
}

func (p *Pages) counts(r *http.Request) (countsView, error) {
	c, err := sourceOf(r).Counts(r.Context())
	return countsView{c, p.now()}, err
}

func (p *Pages) closed(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/" {
		p.show(w, r, http.StatusForbidden, view{Template: "closed", Title: "Not shown", Content: closedView{Setting: p.setting}})
		return
	}
	counts, err := p.source.Counts(r.Context())
	if err != nil {
		p.fail(w, r, err)
		return
	}
	p.show(w, r, http.StatusOK, view{Template: "closed", Title: "Status", Content: closedView{&countsView{counts, p.now()}, p.setting}})
}

type closedView struct {
	Counts  *countsView
	Setting string
}

func (p *Pages) repositories(w http.ResponseWriter, r *http.Request) error {
	l, err := list(r, repositoriesPerPage, func(limit int) ([]Repository, error) {
		return sourceOf(r).Repositories(r.Context(), r.URL.Query().Get("after"), limit)
	}, func(row Repository) string { return row.Name })
	if err != nil {
		return err
	}
	if l.Counts, err = p.counts(r); err != nil {
		return err
	}
	p.show(w, r, http.StatusOK, view{Template: "repositories", Title: "Repositories", Content: l})
	return nil
}

func (p *Pages) runs(w http.ResponseWriter, r *http.Request) error {
	f := queue.Filter{Name: r.URL.Query().Get("repository"), Conclusion: chosen(r, "conclusion", Conclusions), Before: before(r)}
	l, err := list(r, runsPerPage, func(limit int) ([]Run, error) {
		f.Limit = limit
		return sourceOf(r).Runs(r.Context(), f)
	}, func(row Run) string { return strconv.FormatInt(row.ID, 10) })
	if err != nil {
		return err
	}
	l.Repository, l.Chosen, l.Choices = f.Name, f.Conclusion, Conclusions
	title := "Runs"
	if f.Name != "" {
		title = "Runs of " + f.Name
	}
	p.show(w, r, http.StatusOK, view{Template: "runs", Title: title, Content: l})
	return nil
}

func (p *Pages) run(w http.ResponseWriter, r *http.Request) error {
	id, err := number(r, "id")
	if err != nil {
		return err
	}
	d, err := sourceOf(r).Run(r.Context(), id)
	if err != nil {
		return err
	}
	p.show(w, r, http.StatusOK, view{Template: "run", Title: fmt.Sprintf("Run %d", id), Content: newRunView(d)})
	return nil
}

func (p *Pages) queue(w http.ResponseWriter, r *http.Request) error {
	state := chosen(r, "state", JobStates)
	l, err := list(r, jobsPerPage, func(limit int) ([]Job, error) {
		return sourceOf(r).Jobs(r.Context(), queue.Filter{State: queue.State(state), Before: before(r), Limit: limit})
	}, func(row Job) string { return strconv.FormatInt(row.ID, 10) })
	if err != nil {
		return err
	}
	if l.Counts, err = p.counts(r); err != nil {
		return err
	}
	l.Chosen, l.Choices = state, JobStates
	v := view{Template: "queue", Title: "Queue", Content: l}
	if id, err := strconv.ParseInt(r.URL.Query().Get("restarted"), 10, 64); err == nil {
		v.Notice = fmt.Sprintf("The job of run %d is queued again.", id)
	}
	p.show(w, r, http.StatusOK, v)
	return nil
}

func (p *Pages) restart(w http.ResponseWriter, r *http.Request) error {
	id, err := number(r, "id")
	if err != nil {
		return err
	}
	if err := sourceOf(r).Restart(r.Context(), id); err != nil {
		return err
	}
	p.log.InfoContext(r.Context(), "status page: job restarted", "run", id)
	http.Redirect(w, r, "/queue?restarted="+strconv.FormatInt(id, 10), http.StatusSeeOther)
	return nil
}

// chosen returns the choice of a filter; empty for none.
func chosen(r *http.Request, name string, choices []string) string {
	if choice := r.URL.Query().Get(name); slices.Contains(choices, choice) {
		return choice
	}
	return ""
}

func number(r *http.Request, name string) (int64, error) {
	id, err := strconv.ParseInt(r.PathValue(name), 10, 64)
	if err != nil {
		return 0, ErrNotFound
	}
	return id, nil
}
