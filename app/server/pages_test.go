package server_test

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/bot"
	"github.com/causaldocs/causal/app/githubsim"
	"github.com/causaldocs/causal/app/web"
	"github.com/causaldocs/causal/webhooks/queue"
	"github.com/causaldocs/causal/webhooks/queue/queuetest"
)

// person is a browser with cookies.
type person struct {
	testing.TB
	http.Client
}

func somebody(t testing.TB) *person {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &person{t, http.Client{Jar: jar}}
}

// read gives what an address answers, after redirects.
func (p *person) read(r *http.Response, err error) (int, string) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		p.Fatal(err)
	}
	return r.StatusCode, string(body)
}

// sees looks at a page and for texts on it.
func (p *person) sees(address string, texts ...string) string {
	p.Helper()
	status, body := p.read(p.Get(address))
	if status != http.StatusOK {
		p.Errorf("%s answers %d", address, status)
	}
	for _, text := range texts {
		if !strings.Contains(body, text) {
			p.Errorf("%s does not show %q:\n%s", address, text, body)
		}
	}
	return body
}

func (p *person) logIn(server string) {
	p.Helper()
	if status, body := p.read(p.PostForm(server+"/login", url.Values{"token": {token}})); status != http.StatusOK || !strings.Contains(body, "Log out") {
		p.Fatalf("the login answers %d:\n%s", status, body)
	}
}

var runLink = regexp.MustCompile(`href="(/runs/[0-9]+)">[0-9]+ pages updated`)

// TestStatusPage checks that the pages show the runs, with the causal chain and the frames of each.
func TestStatusPage(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.eventually("the first docs are there", f.has(moneyPage, "Holds amounts."))
	f.push(map[string]string{"money/money.go": strings.Replace(shop["money/money.go"], "int64", "uint64", 1)})
	f.eventually("the page follows a push", f.has(moneyPage, "uint64"))
	f.quiet()

	p, at := somebody(t), f.server.URL()
	p.logIn(at)
	queuetest.Eventually(t, "GitHub's list is on the page, for which the page does not wait long", func() bool {
		_, body := p.read(p.Get(at + "/"))
		return strings.Contains(body, ">private<")
	})
	if body := p.sees(at+"/", "octo/shop", ">main</a>"); strings.Contains(body, "HEAD") || strings.Contains(body, "default branch") {
		t.Errorf("a run that only looked up the name of the default branch is shown as one of a branch:\n%s", body)
	}
	body := p.sees(at+"/runs", "updated", "octo/shop")
	links := runLink.FindAllStringSubmatch(body, -1) // the newest first
	if len(links) != 2 {
		t.Fatalf("%d runs that updated pages are listed, want 2:\n%s", len(links), body)
	}
	p.sees(at+links[1][1], "Why it ran", "Causes", "new", "result changed", moneyPage, "module/money", "confidence")
	p.sees(at+"/queue", "<h1>Queue</h1>")
	p.sees(at+"/runs?repository=octo%2Fnone", "No such run")

	// With GitHub away there is still something to see. The list is not asked for again while it is new.
	f.stop()
	f.sim.Faults(githubsim.Fault{Operation: "apps/list-installations", Times: -1, Effect: githubsim.Refuse(http.StatusForbidden, "not today")})
	f.start()
	p.logIn(f.server.URL())
	p.sees(f.server.URL()+"/", "octo/shop", ">main</a>")
	f.sim.Heal()
}

// TestWhoMayRestartJobs: those who are logged in, from the page itself.
func TestWhoMayRestartJobs(t *testing.T) {
	t.Parallel()
	f := setup(t)
	restart := f.server.URL() + "/runs/1/restart"
	p := somebody(t)
	if _, body := p.read(p.PostForm(restart, nil)); !strings.Contains(body, "<h1>Log in</h1>") {
		t.Errorf("without a login:\n%s", body)
	}
	p.logIn(f.server.URL())
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, restart, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Origin", "https://elsewhere.example.com")
	if status, body := p.read(p.Do(r)); status != http.StatusForbidden {
		t.Errorf("from another site: %d\n%s", status, body)
	}
	if status, body := p.read(p.PostForm(f.server.URL()+"/runs/999/restart", nil)); status != http.StatusConflict || !strings.Contains(body, "dead or waiting") {
		t.Errorf("of no dead job: %d\n%s", status, body)
	}
}

// TestEveryConclusionCanBeChosen: runs are found by any outcome that the bot or the queue gives them.
func TestEveryConclusionCanBeChosen(t *testing.T) {
	t.Parallel()
	for _, c := range []string{
		bot.Updated, bot.Proposed, bot.Fresh, bot.Stale, bot.Told, bot.SetAside, bot.Completed, bot.Skipped, bot.Refused,
		string(queue.Failed), string(queue.Waiting), string(queue.Dead), string(queue.Back), string(queue.Lost), string(queue.Running),
	} {
		if !slices.Contains(web.Conclusions, c) {
			t.Errorf("the status page does not offer %q", c)
		}
	}
}

var metric = regexp.MustCompile("(?m)^\\| `(causal_[a-z_]+)` \\|")

// TestDocumentedMetrics: docs/self-hosting.md has the metrics that there are.
func TestDocumentedMetrics(t *testing.T) {
	t.Parallel()
	docs, err := os.ReadFile("../../docs/self-hosting.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{}
	for _, m := range metric.FindAllStringSubmatch(string(docs), -1) {
		documented[m[1]] = true
	}
	f := setup(t)
	f.eventually("the first docs are there", f.has(moneyPage, "Holds amounts."))
	f.eventually("all metrics are there", func() bool {
		_, body := somebody(t).read(http.Get("http://" + f.server.AdminAddr() + "/metrics"))
		there := map[string]bool{}
		for _, m := range regexp.MustCompile(`(?m)^# TYPE (causal_[a-z_]+) `).FindAllStringSubmatch(body, -1) {
			there[m[1]] = true
			if !documented[m[1]] {
				t.Fatalf("docs/self-hosting.md does not say what %s is", m[1])
			}
		}
		return len(there) == len(documented)
	})
}

// TestNotReadyWhileStopping: a server that lets its runs end gets no more work from a balancer.
func TestNotReadyWhileStopping(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.eventually("the first docs are there", f.has(moneyPage, "Holds amounts."))
	p, admin := somebody(t), "http://"+f.server.AdminAddr()
	if err := f.sim.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	queuetest.Eventually(t, "no run is left", func() bool { // then only the blocked run remains
		_, body := p.read(p.Get(admin + "/metrics"))
		return !regexp.MustCompile(`causal_queue_jobs\{state="(?:running|available|pending|retryable|scheduled)"\} [1-9]`).MatchString(body)
	})
	until := make(chan struct{})
	f.sim.Faults(githubsim.Fault{Operation: "graphql/createCommitOnBranch", Times: -1, Effect: githubsim.Slow(until)})
	f.push(map[string]string{"money/money.go": strings.Replace(shop["money/money.go"], "int64", "uint64", 1)})
	queuetest.Eventually(t, "a run is going on", func() bool {
		_, body := p.read(p.Get(admin + "/metrics"))
		return strings.Contains(body, `causal_queue_jobs{state="running"} 1`)
	})
	stopped := make(chan struct{})
	go func() { defer close(stopped); f.stop() }()
	queuetest.Eventually(t, "the server says that it is stopping", func() bool {
		status, body := p.read(p.Get(admin + "/readyz"))
		return status == http.StatusServiceUnavailable && strings.Contains(body, "stopping")
	})
	f.sim.Heal()
	close(until)
	<-stopped
}
