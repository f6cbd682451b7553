package web

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/knowledge/buildinfo"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/webhooks/queue"
)

const token = "correct horse battery staple"

// noon is when the tests take place.
var noon = time.Date(2026, 2, 18, 12, 0, 0, 0, time.UTC)

// fake is a Source over values. It notes what it is asked for.
type fake struct {
	repositories []Repository
	runs         []Run
	details      map[int64]*RunDetail
	jobs         []Job
	err          error

	restarted []int64
}

func (f *fake) Counts(context.Context) (queue.Totals, error) {
	c := queue.Totals{Repositories: len(f.repositories), Runs: len(f.runs)}
	by := map[queue.State]*int{queue.Queued: &c.Queued, queue.Running: &c.Running, queue.Waiting: &c.Waiting, queue.Dead: &c.Dead}
	for _, j := range f.jobs {
		*by[j.State]++
		if j.State != queue.Dead && (c.Oldest.IsZero() || j.Since.Before(c.Oldest)) {
			c.Oldest = j.Since
		}
	}
	return c, f.err
}

func (f *fake) Repositories(_ context.Context, after string, limit int) ([]Repository, error) {
	var chosen []Repository
	for _, r := range f.repositories {
		if r.Name > after {
			chosen = append(chosen, r)
		}
	}
	return chosen[:min(limit, len(chosen))], f.err
}

func (f *fake) Runs(_ context.Context, filter queue.Filter) ([]Run, error) {
	var chosen []Run
	for _, r := range f.runs {
		if (filter.Name == "" || r.Repository == filter.Name) && (filter.Conclusion == "" || r.Conclusion == filter.Conclusion) && (filter.Before == 0 || r.ID < filter.Before) {
			chosen = append(chosen, r)
		}
	}
	return chosen[:min(filter.Limit, len(chosen))], f.err
}

func (f *fake) Run(_ context.Context, id int64) (*RunDetail, error) {
	d := f.details[id]
	if d == nil {
		return nil, fmt.Errorf("run %d: %w", id, ErrNotFound)
	}
	return d, f.err
}

func (f *fake) Jobs(_ context.Context, filter queue.Filter) ([]Job, error) {
	var chosen []Job
	for _, j := range f.jobs {
		if (filter.State == "" || j.State == filter.State) && (filter.Before == 0 || j.ID < filter.Before) {
			chosen = append(chosen, j)
		}
	}
	return chosen[:min(filter.Limit, len(chosen))], f.err
}

func (f *fake) Restart(_ context.Context, id int64) error {
	for _, j := range f.jobs {
		switch {
		case j.Run == id && j.Restarts:
			f.restarted = append(f.restarted, id)
			return nil
		case j.Run == id:
			return fmt.Errorf("job of run %d: %w", id, ErrNotDead)
		}
	}
	return fmt.Errorf("job of run %d: %w", id, ErrNotFound)
}

func ended(conclusion, title string) queue.Outcome {
	return queue.Outcome{Conclusion: conclusion, Title: title}
}

// shop is a server in the middle of its day.
func shop() *fake {
	const at = "https://github.com/octo/shop"
	mainBranch := Subject{Repository: "octo/shop", Branch: "main", URL: at + "/tree/main"}
	pull := Subject{Repository: "octo/shop", Pull: 7, URL: at + "/pull/7"}
	tools := Subject{Repository: "octo/a-repository-with-a-name-that-is-as-long-as-names-may-get", Branch: "feature/an-equally-long-branch-name-that-someone-has-chosen"}
	before := func(d time.Duration) time.Time { return noon.Add(-d) }
	updated := Run{queue.RunRow{
		ID: 412, Outcome: ended("updated", "2 pages updated, 1 node looked at and left"), Attempt: 1,
		Started: before(3 * time.Minute), Ended: before(3*time.Minute - 1400*time.Millisecond),
		Causes: []queue.Cause{{Event: "push", Delivery: "72d3162e-cc78-11e3-81ab-4c9367dc0958"}, {Event: "push"}},
	}, mainBranch}
	failed := Run{queue.RunRow{
		ID: 411, Outcome: ended("failed", "GitHub did not answer"), Attempt: 5,
		Started: before(2 * time.Hour), Ended: before(2*time.Hour - 31*time.Second), Causes: []queue.Cause{{Event: "sweeper"}},
	}, tools}
	f := &fake{
		runs: []Run{
			{queue.RunRow{ID: 413, Outcome: ended("running", ""), Attempt: 1, Started: before(4 * time.Second), Causes: []queue.Cause{{Event: "pull_request"}}}, pull},
			updated, failed,
			{queue.RunRow{ID: 410, Outcome: ended("skipped", "Only causal's own files changed"), Attempt: 1, Started: before(26 * time.Hour), Ended: before(26*time.Hour - 80*time.Millisecond), Causes: []queue.Cause{{Event: "push"}}}, pull},
			{queue.RunRow{ID: 409, Outcome: ended("refused", "The App may not write to this repository: grant it contents: write"), Attempt: 1, Started: before(90 * time.Hour), Ended: before(90*time.Hour - time.Second)}, mainBranch},
			{queue.RunRow{ID: 408, Outcome: ended("fresh", "Nothing that is documented changed"), Attempt: 1, Started: before(100 * time.Hour), Ended: before(100*time.Hour - time.Second), Causes: []queue.Cause{{Event: "push"}}}, mainBranch},
		},
		jobs: []Job{
			{JobRow: queue.JobRow{ID: 95, State: queue.Running, Attempt: 1, Attempts: 8, Since: before(5 * time.Second), Run: 413}, Subject: pull},
			{JobRow: queue.JobRow{ID: 94, State: queue.Queued, Attempts: 8, Since: before(2 * time.Second), Due: noon}, Subject: mainBranch},
			{JobRow: queue.JobRow{ID: 93, State: queue.Waiting, Attempt: 2, Attempts: 8, Since: before(7 * time.Minute), Due: noon.Add(4 * time.Minute), Error: "secondary rate limit of GitHub", Run: 407}, Subject: Subject{Repository: "octo/tools", Branch: "main"}},
			{JobRow: queue.JobRow{ID: 92, State: queue.Dead, Attempt: 8, Attempts: 8, Since: before(2 * time.Hour), Error: `publish: Post "https://api.github.com/graphql": read: connection reset by peer`, Run: 411}, Subject: tools, Restarts: true},
		},
	}
	f.repositories = []Repository{
		{Name: tools.Repository, Last: []Run{failed}},
		{Name: "octo/attic", URL: "https://github.com/octo/attic", Archived: true},
		{Name: "octo/new"},
		{Name: "octo/shop", URL: at, Private: true, Last: []Run{f.runs[0], updated}},
	}
	f.details = map[int64]*RunDetail{
		412: {
			Run: updated, Head: Commit{"4c1f0aa91d3f6c2b7e8a9d0c1b2a3f4e5d6c7b8a", "money.Parse gained ErrRange", at + "/commit/4c1f0aa"},
			Frames: frames(), Chain: chain(at),
		},
		411: {Run: failed},
	}
	f.details[412].Session = "s-0bbed3741f7f"
	f.details[411].Error = "publish: Post \"https://api.github.com/graphql\": read tcp 10.0.0.7:51234->140.82.121.6:443:\nread: connection reset by peer"
	return f
}

func frames() []frame.Frame {
	const root = "4c41a9b977b33b4d"
	return []frame.Frame{{
		ID: root, Query: "bring the documentation up to date", Status: "completed", Validity: "valid", Conclusion: "documented 2 modules",
		Confidence: 1, InvalidationCondition: "generator_changed()", Evidence: []string{"frame 25691dce346f996d", "frame b9a009a586b9c848", "frame 77aa09a586b9c001"},
	},
		{ID: "25691dce346f996d", ParentID: root, Query: "document module internal/money", Status: "completed", Validity: "valid", Confidence: 1, Conclusion: "Amounts in minor units, parsed strictly.", InvalidationCondition: `modified("internal/money/*.go")`, Evidence: []string{"file internal/money/money.go 5d1e77ab0c1f"}},
		{ID: "b9a009a586b9c848", ParentID: root, Query: "document module internal/cart", Status: "completed", Validity: "invalidated", ValidityReason: `symbol_changed("internal/money", "Parse"): internal/money/money.go changed in 4c1f0aa`, Confidence: 0.8, Conclusion: "Adds up what a customer wants to buy.", InvalidationCondition: `modified("internal/cart/*.go") or symbol_changed("internal/money", "Parse")`, Evidence: []string{"file internal/cart/cart.go 77ab5d1e0c1f", "symbol internal/money Parse 77ab0c1f"}},
		{ID: "77aa09a586b9c001", ParentID: root, Query: "document module cmd/shop", Status: "suspended", Validity: "valid", BranchedFrom: "b9a009a586b9c848"},
	}
}

func chain(at string) []Step {
	page := func(name string) Step { return Step{Kind: Page, Name: name, URL: at + "/blob/main/" + name} }
	return []Step{{Kind: Pushed, Name: "4c1f0aa", Detail: "money.Parse gained ErrRange", URL: at + "/commit/4c1f0aa", Then: []Step{
		{Kind: Invalidated, Name: "internal/money", Because: `modified("internal/money/*.go")`, File: "internal/money/money.go", Then: []Step{
			{Kind: Rerun, Name: "internal/money", Detail: "interface changed", Then: []Step{
				page("docs/causal/modules/internal/money.md"),
				{Kind: Invalidated, Name: "internal/cart", Because: `symbol_changed("internal/money", "Parse")`, Then: []Step{
					{Kind: Rerun, Name: "internal/cart", Detail: "same content: its page was left alone"},
				}},
			}},
		}},
		{Kind: Published, Name: "9e0d2c1", Detail: "2 files, verified", URL: at + "/commit/9e0d2c1"},
	}}}
}

// pagesOver is the status page over a source; without a token when it is empty.
func pagesOver(t *testing.T, source Source, token string) *Pages {
	t.Helper()
	p, err := New(Options{
		Source: source, URL: "http://causal.example.com", Token: token, TokenSetting: "--admin-token-file",
		Build: buildinfo.Info{Version: "v1.2.3", Commit: "c0ffee"}, Now: func() time.Time { return noon }, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// answer is what came back.
type answer struct {
	status  int
	text    string
	header  http.Header
	cookies []*http.Cookie
}

// ask sends a request, with a form where one is given.
func ask(h http.Handler, method, target string, form url.Values, cookies ...*http.Cookie) answer {
	r := httptest.NewRequestWithContext(context.Background(), method, target, strings.NewReader(form.Encode()))
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for _, c := range cookies {
		r.AddCookie(c)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return answer{w.Code, w.Body.String(), w.Header(), (&http.Response{Header: w.Header()}).Cookies()}
}
