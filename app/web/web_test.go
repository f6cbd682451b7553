package web

import (
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/webhooks/queue"
)

var update = flag.Bool("update", false, "write golden files anew")

func TestNewRefusesWhatWouldNotBeSafe(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, url, token string
		ok               bool
	}{
		{"a token", "https://causal.example.com", token, true},
		{"no token", "https://causal.example.com", "", true},
		{"a short token", "https://causal.example.com", "fifteen letters", false},
		{"no address", "", token, false},
		{"an address without a scheme", "causal.example.com", token, false},
		{"another scheme", "ftp://causal.example.com", token, false},
	} {
		if _, err := New(Options{Source: &fake{}, URL: c.url, Token: c.token, Now: time.Now}); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// answers are requests of someone who is logged in.
var answers = []struct {
	name, method, target string
	status               int
	says                 []string
	not                  []string
}{
	{name: "repositories", target: "/", status: 200, says: []string{"octo/shop", "private", "archived", "2 pages updated", "pull request #7", "Nothing has run here yet", "archived repository", "3 min ago"}},
	{name: "runs", target: "/runs", status: 200, says: []string{"/runs/412", "push and 1 more", "sweeper, attempt 5", "1.4 s", "not recorded"}},
	{name: "runs of a repository", target: "/runs?repository=octo/shop", status: 200, says: []string{"Runs of octo/shop", "/runs/412"}, not: []string{"/runs/411"}},
	{name: "runs of an outcome", target: "/runs?conclusion=failed", status: 200, says: []string{"/runs/411", "<option selected>failed"}, not: []string{"/runs/412"}},
	{name: "runs of an unknown outcome are all runs", target: "/runs?conclusion=%27%3B--", status: 200, says: []string{"/runs/411", "/runs/412"}},
	{name: "no such runs", target: "/runs?repository=octo/nothing", status: 200, says: []string{"No such run"}},
	{name: "a page after the last", target: "/runs?after=1", status: 200, says: []string{"No more runs", `href="/runs"`}},
	{name: "a page after nothing", target: "/runs?after=-3", status: 200, says: []string{"/runs/412"}},
	{name: "a page after what is no number", target: "/runs?after=99999999999999999999", status: 200, says: []string{"/runs/412"}},
	{name: "a run", target: "/runs/412", status: 200, says: []string{
		"72d3162e-cc78-11e3-81ab-4c9367dc0958", "money.Parse gained ErrRange",
		"4 frames, 1 of them invalidated", "s-0bbed3741f7f", "same content: its page was left alone", "docs/causal/modules/internal/money.md",
	}},
	{name: "a run that failed", target: "/runs/411", status: 200, says: []string{"connection reset by peer", "attempt 5", "No frame was created", "No unit was invalidated"}},
	{name: "a run that is not there", target: "/runs/1", status: 404, says: []string{"kept for 30 days"}},
	{name: "a run that has no number", target: "/runs/x", status: 404},
	{name: "the queue", target: "/queue", status: 200, says: []string{"8 of 8", "2 of 8", "in 4 min", "none planned", "secondary rate limit", `action="/runs/411/restart"`}, not: []string{"/runs/407/restart"}},
	{name: "dead jobs", target: "/queue?state=dead", status: 200, says: []string{"/runs/411/restart"}, not: []string{"octo/tools"}},
	{name: "a restart that was done", target: "/queue?restarted=411", status: 200, says: []string{"The job of run 411 is queued again."}},
	{name: "a restart that nobody did", target: "/queue?restarted=%3Cb%3Ex", status: 200, not: []string{"queued again", "<b>x"}},
	{name: "restart by GET", target: "/runs/411/restart", status: 404},
	{name: "restart of what is not dead", method: http.MethodPost, target: "/runs/413/restart", status: 409, says: []string{"dead or waiting"}},
	{name: "restart of what is not there", method: http.MethodPost, target: "/runs/1/restart", status: 404},
	{name: "nothing", target: "/nothing", status: 404, says: []string{"This page does not exist"}},
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range answers {
		f := shop()
		p := pagesOver(t, f, token)
		r := ask(p, max(c.method, http.MethodGet), c.target, nil, p.access.grant())
		text := r.text
		if r.status != c.status {
			t.Errorf("%s: status %d, want %d", c.name, r.status, c.status)
		}
		for _, s := range c.says {
			if !strings.Contains(text, s) {
				t.Errorf("%s: does not say %q", c.name, s)
			}
		}
		for _, s := range c.not {
			if strings.Contains(text, s) {
				t.Errorf("%s: says %q", c.name, s)
			}
		}
		if len(f.restarted) > 0 {
			t.Errorf("%s: restarted %v", c.name, f.restarted)
		}
	}
}

func TestRestart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		header http.Header
		login  bool
		status int
		done   bool
	}{
		{"by someone who is logged in", nil, true, http.StatusSeeOther, true},
		{"from our own page", http.Header{"Sec-Fetch-Site": {"same-origin"}, "Origin": {"http://causal.example.com"}}, true, http.StatusSeeOther, true},
		{"from another site", http.Header{"Sec-Fetch-Site": {"cross-site"}}, true, http.StatusForbidden, false},
		{"from another origin, in an old browser", http.Header{"Origin": {"https://evil.example"}}, true, http.StatusForbidden, false},
		{"from a neighbour of the same site", http.Header{"Sec-Fetch-Site": {"same-site"}}, true, http.StatusForbidden, false},
		{"by nobody", nil, false, http.StatusSeeOther, false},
	} {
		f := shop()
		p := pagesOver(t, f, token)
		h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			maps.Copy(r.Header, c.header)
			p.ServeHTTP(w, r)
		})
		var cookies []*http.Cookie
		if c.login {
			cookies = append(cookies, p.access.grant())
		}
		r := ask(h, http.MethodPost, "http://causal.example.com/runs/411/restart", nil, cookies...)
		if r.status != c.status || slices.Equal(f.restarted, []int64{411}) != c.done {
			t.Errorf("%s: status %d, restarted %v", c.name, r.status, f.restarted)
		}
		if want := "/login?next=%2F"; !c.login && r.header.Get("Location") != want {
			t.Errorf("%s: sent to %s, want %s", c.name, r.header.Get("Location"), want)
		}
	}
}

// TestWhoSeesRestart: the button is there for whom it works, whatever the job died of or waits for.
func TestWhoSeesRestart(t *testing.T) {
	t.Parallel()
	for _, may := range []bool{true, false} {
		f := shop()
		for i := range f.jobs {
			f.jobs[i].Restarts = may && (f.jobs[i].State == queue.Dead || f.jobs[i].State == queue.Waiting)
		}
		p := pagesOver(t, f, token)
		text := ask(p, http.MethodGet, "/queue", nil, p.access.grant()).text
		for _, action := range []string{`action="/runs/411/restart"`, `action="/runs/407/restart"`} {
			if strings.Contains(text, action) != may {
				t.Errorf("who may restart: %t; there is %s: %t", may, action, !may)
			}
		}
	}
}

func TestWithoutATokenThereAreOnlyCounts(t *testing.T) {
	t.Parallel()
	f := shop()
	p := pagesOver(t, f, "")
	for _, c := range []struct {
		method, target string
		status         int
	}{
		{"GET", "/", 200}, {"GET", "/runs", 403}, {"GET", "/runs/412", 403}, {"GET", "/queue", 403},
		{"POST", "/runs/411/restart", 403}, {"GET", "/login", 403}, {"POST", "/login", 403}, {"GET", "/else", 403},
	} {
		// No cookie is worth anything: the empty token signs none.
		r := ask(p, c.method, c.target, url.Values{"token": {""}}, p.access.grant())
		text := r.text
		if r.status != c.status {
			t.Errorf("%s %s: status %d, want %d", c.method, c.target, r.status, c.status)
		}
		if !strings.Contains(text, "Only counts are shown") || !strings.Contains(text, "--admin-token-file") {
			t.Errorf("%s %s does not say what is missing", c.method, c.target)
		}
		if strings.Contains(text, "octo") || strings.Contains(text, "money") {
			t.Errorf("%s %s names what may be private", c.method, c.target)
		}
	}
	if len(f.restarted) > 0 {
		t.Errorf("restarted %v", f.restarted)
	}
}

func TestPaging(t *testing.T) {
	t.Parallel()
	f := &fake{}
	for i := range 2*runsPerPage + 1 {
		f.runs = append(f.runs, Run{queue.RunRow{ID: int64(1000 - i), Started: noon, Outcome: ended("", fmt.Sprintf("run %d", i))}, Subject{Repository: "octo/shop", Branch: "main"}})
	}
	for i := range repositoriesPerPage + 1 {
		f.repositories = append(f.repositories, Repository{Name: fmt.Sprintf("octo/%c", 'a'+i)})
	}
	for i := range jobsPerPage + 1 {
		f.jobs = append(f.jobs, Job{JobRow: queue.JobRow{ID: int64(2000 - i), Run: int64(2000 - i), State: queue.Dead}, Subject: f.runs[0].Subject})
	}
	p := pagesOver(t, f, token)
	for _, c := range []struct {
		target      string
		says, not   []string
		first, next string
	}{
		{"/runs?repository=octo/shop", []string{">run 0<", ">run 49<"}, []string{">run 50<"}, "", "/runs?after=951&amp;repository=octo%2Fshop"},
		{"/runs?after=951", []string{">run 50<", ">run 99<"}, []string{">run 49<", ">run 100<"}, "/runs", "/runs?after=901"},
		{"/runs?after=901&conclusion=", []string{">run 100<"}, []string{">run 99<"}, "/runs?conclusion=", ""},
		{"/", []string{">octo/a", ">octo/y"}, []string{">octo/z"}, "", "/?after=octo%2Fy"},
		{"/?after=octo%2Fy", []string{">octo/z"}, []string{">octo/y"}, "/", ""},
		{"/queue?state=dead", []string{"/runs/2000\"", "/runs/1951\""}, []string{"/runs/1950\""}, "", "/queue?after=1951&amp;state=dead"},
		{"/queue?after=1951&state=dead", []string{"/runs/1950\""}, []string{"/runs/1951\""}, "/queue?state=dead", ""},
	} {
		text := ask(p, "GET", c.target, nil, p.access.grant()).text
		for rel, want := range map[string]string{"first": c.first, "next": c.next} {
			if want != "" {
				c.says = append(c.says, `<a href="`+want+`" rel="`+rel+`"`)
			} else {
				c.not = append(c.not, `rel="`+rel+`"`)
			}
		}
		for _, s := range c.says {
			if !strings.Contains(text, s) {
				t.Errorf("%s: %s is missing", c.target, s)
			}
		}
		for _, s := range c.not {
			if strings.Contains(text, s) {
				t.Errorf("%s: %s is there", c.target, s)
			}
		}
	}
}

func TestFailuresAreLoggedAndNotShown(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	f := shop()
	f.err = errors.New("database is locked")
	p, err := New(Options{Source: f, URL: "https://c.example", Token: token, Now: func() time.Time { return noon }, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{"/", "/runs", "/runs/412", "/queue"} {
		log.Reset()
		r := ask(p, "GET", target, nil, p.access.grant())
		if text := r.text; r.status != 500 || strings.Contains(text, "locked") {
			t.Errorf("%s: status %d, %s", target, r.status, text)
		}
		if !strings.Contains(log.String(), "database is locked") {
			t.Errorf("%s: the log says %q", target, log.String())
		}
	}
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	p := pagesOver(t, shop(), token)
	strict := "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
	for _, target := range []string{"/", "/runs/412", "/login", "/nothing", asset("style.css")} {
		h := ask(p, "GET", target, nil, p.access.grant()).header
		for name, want := range map[string]string{
			"Content-Security-Policy": strict, "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
			"Referrer-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
		} {
			if h.Get(name) != want {
				t.Errorf("%s: %s is %q", target, name, h.Get(name))
			}
		}
		want := "no-store"
		if strings.HasPrefix(target, "/static") {
			want = "public, max-age=31536000, immutable"
		}
		if h.Get("Cache-Control") != want {
			t.Errorf("%s: Cache-Control is %q", target, h.Get("Cache-Control"))
		}
	}
	for target, want := range map[string]int{asset("style.css"): 200, asset("favicon.svg"): 200, "/static/": 404, "/static/nothing.css": 404, "/static/../web.go": 307} {
		if r := ask(p, "GET", target, nil); r.status != want {
			t.Errorf("%s: status %d, want %d", target, r.status, want)
		}
	}
}

func TestTextOfOthersIsOnlyText(t *testing.T) {
	t.Parallel()
	const evil = `"><script>alert(1)</script>`
	f := shop()
	d := f.details[412]
	d.Title, d.Repository, d.Branch, d.URL, d.Error = evil, evil, evil, "javascript:alert(1)", evil
	d.Causes, d.Session, d.Head = []queue.Cause{{Event: evil, Delivery: evil}}, evil, Commit{evil, evil, "javascript:alert(1)"}
	d.Frames = []frame.Frame{{ID: evil, Query: evil, Status: evil, Validity: evil, ValidityReason: evil, Conclusion: evil, InvalidationCondition: evil, BranchedFrom: evil, Evidence: []string{evil}}}
	d.Chain = []Step{{StepKind(evil), evil, evil, evil, evil, "javascript:alert(1)", nil}}
	p := pagesOver(t, f, token)
	text := ask(p, "GET", "/runs/412", nil, p.access.grant()).text
	if strings.Contains(text, "<script") || strings.Contains(text, "javascript:") {
		t.Error(text)
	}
	if n := strings.Count(text, "&lt;script&gt;"); n < 15 {
		t.Errorf("only %d of the texts are shown", n)
	}
}

func TestGolden(t *testing.T) {
	t.Parallel()
	empty := &fake{}
	for _, c := range []struct {
		name, target string
		source       *fake
	}{
		{"repositories", "/", shop()}, {"run", "/runs/412", shop()}, {"queue", "/queue", shop()},
		{"repositories-empty", "/", empty}, {"runs-empty", "/runs", empty}, {"queue-empty", "/queue", empty},
	} {
		p := pagesOver(t, c.source, token)
		golden(t, c.name+".html", ask(p, "GET", c.target, nil, p.access.grant()).text)
	}
}

// golden compares a page with the one that was looked at. The address of an asset changes with every edit of the style.
func golden(t *testing.T, name, got string) {
	t.Helper()
	got = strings.ReplaceAll(got, version(), "VERSION")
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s changed; look at it and run the test with -update", file)
	}
}
