package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/cli"
	"github.com/causaldocs/causal/app/githubsim"
	_ "github.com/causaldocs/causal/app/githubsim/openapi/contract" // every request is held to GitHub's description
	"github.com/causaldocs/causal/app/programtest"
	"github.com/causaldocs/causal/app/sandbox"
	"github.com/causaldocs/causal/app/server"
	"github.com/causaldocs/causal/app/web"
	"github.com/causaldocs/causal/webhooks"
	"github.com/causaldocs/causal/webhooks/queue"
	"github.com/causaldocs/causal/webhooks/queue/queuetest"
)

// shop is a small project: two packages of which one uses the other.
var shop = map[string]string{
	"go.mod":         "module example.com/shop\n\ngo 1.24\n",
	"money/money.go": "// Package money holds amounts.\npackage money\n\n// Amount is in cents.\ntype Amount int64\n",
	"cart/cart.go":   "// Package cart adds up.\npackage cart\n\nimport \"example.com/shop/money\"\n\n// Total is what is to be paid.\nfunc Total(n int) money.Amount { return money.Amount(n) }\n",
}

// fixture is a simulated GitHub and a server that is an App there.
type fixture struct {
	testing.TB
	sim    *githubsim.Server
	repo   *githubsim.Repository
	data   string
	server *server.Server
	url    string // of the server
	pid    int    // of the program
	stop   func()

	ended chan queue.RunRow
	runs  []queue.RunRow
}

const token = "a long enough token"

// setup is a fixture whose server runs and is installed.
func setup(t *testing.T) *fixture {
	t.Helper()
	f := begin(t)
	f.install()
	return f
}

// begin is a fixture without a server.
func begin(t testing.TB) *fixture {
	t.Helper()
	sim, err := githubsim.New(githubsim.Options{Dir: t.TempDir(), App: &githubsim.App{ID: 7, Slug: "causal", Name: "causal", Owner: "octo", Secret: "s3cret-s3cret"}})
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{TB: t, sim: sim, data: t.TempDir(), ended: make(chan queue.RunRow, 1000)}
	t.Cleanup(func() {
		if f.stop != nil {
			f.stop()
		}
		for _, v := range sim.Violations() {
			t.Errorf("outside of GitHub's description: %s", v)
		}
		if err := sim.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := os.Chmod(f.data, 0o700); err != nil { //nolint:gosec // a directory
		t.Fatal(err)
	}
	queuetest.Tables(t, filepath.Join(f.data, "queue.db"))
	if f.repo, err = sim.CreateRepository("octo/shop", githubsim.FromFiles(shop)); err != nil {
		t.Fatal(err)
	}
	return f
}

// install starts the server and installs the App on the repository.
func (f *fixture) install() {
	f.Helper()
	f.start()
	if _, err := f.sim.Install(f.repo); err != nil {
		f.Fatal(err)
	}
}

// start starts the server, which GitHub delivers to from then on.
func (f *fixture) start() {
	f.Helper()
	app := f.sim.App()
	f.run(server.Options{GitHubURL: f.sim.URL(), Out: io.Discard, StatusToken: token, Credentials: &web.Credentials{
		Host: f.sim.URL(), ID: app.ID, Slug: app.Slug, WebhookSecret: app.Secret, PrivateKey: app.PEM(),
	}})
	f.sim.SetWebhook(f.server.WebhookURL())
}

// run runs a server until it is stopped.
func (f *fixture) run(o server.Options) {
	f.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	o.Listen, o.Admin, o.Data, o.Log, o.Now = "127.0.0.1:0", "127.0.0.1:0", f.data, io.Discard, time.Now
	o.Finished = func(r queue.RunRow) { f.ended <- r }
	s, err := server.New(ctx, o.Analysing(sandbox.Here))
	if err != nil {
		cancel()
		f.Fatal(err)
	}
	f.server, f.url = s, s.URL()
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	f.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			f.Errorf("the server ended with %v", err)
		}
	})
}

// program runs the server as documented: the program with default flags, except for the ports, in a new working directory.
func (f *fixture) program() {
	f.Helper()
	app := f.sim.App()
	cmd := exec.CommandContext(context.WithoutCancel(f.Context()), programtest.Build(f.TB), "serve", "--listen=127.0.0.1:0", "--admin=", "--github-url="+f.sim.URL())
	cmd.Dir = f.TempDir()
	cmd.Env = append(os.Environ(), fmt.Sprintf("CAUSAL_GITHUB_APP_ID=%d", app.ID), "CAUSAL_GITHUB_APP_SLUG="+app.Slug,
		"CAUSAL_GITHUB_PRIVATE_KEY="+app.PEM(), "CAUSAL_GITHUB_WEBHOOK_SECRET="+app.Secret, "CAUSAL_STATUS_TOKEN="+token)
	lines, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		f.Fatal(err)
	}
	f.pid = cmd.Process.Pid
	serving, done := make(chan string, 1), make(chan struct{})
	go func() {
		defer close(done)
		defer close(serving)
		for scanner := bufio.NewScanner(lines); scanner.Scan(); {
			var line struct {
				Msg, URL, Version, Conclusion, Title, Error string
			}
			if json.Unmarshal(scanner.Bytes(), &line) != nil {
				continue // not a log line
			}
			switch line.Msg {
			case "serving":
				if line.Version == "" {
					f.Error("the line serving names no version")
				}
				serving <- line.URL
			case "run ended", "run failed":
				f.ended <- queue.RunRow{Outcome: queue.Outcome{Conclusion: line.Conclusion, Title: line.Title}, Error: line.Error}
			}
		}
	}()
	f.stop = sync.OnceFunc(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		<-done
		if err := cmd.Wait(); err != nil {
			f.Errorf("the server ended with %v", err)
		}
	})
	if f.url = <-serving; f.url == "" {
		f.Fatal("the server does not serve")
	}
	f.sim.SetWebhook(f.url + webhooks.DefaultPath)
}

// eventually looks again whenever a run has ended.
func (f *fixture) eventually(what string, holds func() bool) {
	f.Helper()
	late := time.After(5 * time.Minute) // runs share the processors with whatever else is tested
	for !holds() {
		select {
		case r := <-f.ended:
			f.runs = append(f.runs, r)
		case <-late:
			f.Fatalf("it does not come to pass that %s; the runs were %+v", what, f.runs)
		}
	}
}

// fresh checks that the docs on main equal those of a clean run.
func (f *fixture) fresh() {
	f.Helper()
	dir := filepath.Join(f.TempDir(), "clone")
	if out, err := exec.Command("git", "clone", "-q", f.repo.Dir(), dir).CombinedOutput(); err != nil {
		f.Fatalf("git clone: %v\n%s", err, out)
	}
	var told strings.Builder
	world := cli.IO{Out: &told, Err: &told, Getenv: os.Getenv, Now: time.Now, Dir: dir}
	if code := cli.Run(f.Context(), []string{"check"}, world); code != cli.ExitClean {
		f.Errorf("the docs are not what a clean run writes; causal check ends with %d:\n%s", code, told.String())
	}
}

func (f *fixture) has(page, text string) func() bool {
	return func() bool {
		content, _ := f.repo.Read("main", page)
		return strings.Contains(content, text)
	}
}

func (f *fixture) push(files map[string]string) {
	f.Helper()
	if _, err := f.repo.Push("main", githubsim.Change{Write: files, Message: "Change it"}); err != nil {
		f.Fatal(err)
	}
}

func (f *fixture) get(path string) (int, string) {
	f.Helper()
	r, err := http.Get(f.url + path)
	if err != nil {
		f.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		f.Fatal(err)
	}
	return r.StatusCode, string(body)
}

const moneyPage = "docs/causal/modules/money.md"

// TestTheWholeLoop runs the program as documented, through an installation, a push, a pull request and its merge.
func TestTheWholeLoop(t *testing.T) {
	t.Parallel()
	f := begin(t)
	f.program()
	if _, err := f.sim.Install(f.repo); err != nil {
		t.Fatal(err)
	}
	f.eventually("the first docs are there", f.has(moneyPage, "Holds amounts."))
	wider := map[string]string{"money/money.go": strings.Replace(shop["money/money.go"], "int64", "uint64", 1)}
	f.push(wider)
	f.eventually("the page follows a push", f.has(moneyPage, "uint64"))
	if _, err := f.repo.Push("sum", githubsim.Change{Write: map[string]string{"money/sum.go": "package money\n\n// Sum adds up.\nfunc Sum(a, b Amount) Amount { return a + b }\n"}, Message: "Add Sum"}); err != nil {
		t.Fatal(err)
	}
	n, err := f.repo.OpenPull("sum", "main", "Add Sum", "octo")
	if err != nil {
		t.Fatal(err)
	}
	f.eventually("the pull request is told", func() bool { return len(f.repo.Comments(n)) == 1 })
	if _, err := f.repo.MergePull(n, "octo"); err != nil {
		t.Fatal(err)
	}
	f.eventually("the page follows a merge", f.has(moneyPage, "Sum adds up"))
	f.fresh()
	queued, err := f.repo.Push("difference", githubsim.Change{Write: map[string]string{"money/minus.go": "package money\n\n// Minus takes away.\nfunc Minus(a, b Amount) Amount { return a - b }\n"}, Message: "Add Minus"})
	if err != nil {
		t.Fatal(err)
	}
	if n, err = f.repo.OpenPull("difference", "main", "Add Minus", "octo"); err != nil {
		t.Fatal(err)
	}
	group, err := f.repo.Enqueue(n, "octo")
	if err != nil {
		t.Fatal(err)
	}
	head := f.repo.Head(group)
	f.eventually("the merge group has its check", func() bool { return len(f.repo.CheckRuns(head)) == 1 && len(f.repo.CheckRuns(queued)) == 1 })
	if got := f.repo.CheckRuns(head)[0]; got.Conclusion != "neutral" || got.Name != f.repo.CheckRuns(queued)[0].Name || f.repo.Head(group) != head {
		t.Errorf("the merge group has the check %+v, and its branch is at %s", got, f.repo.Head(group))
	}
	if err := f.repo.Dequeue(group, true, "octo"); err != nil {
		t.Fatal(err)
	}
	f.eventually("the page follows a merge by the queue", f.has(moneyPage, "Minus takes away"))
	f.fresh()
	if status, body := f.get("/"); status != http.StatusOK || !strings.Contains(body, "causal") || strings.Contains(body, "octo/shop") {
		t.Errorf("the status page without a token answers %d:\n%s", status, body)
	}
}

// TestARestartLosesNothing checks that deliveries during a downtime are found.
func TestARestartLosesNothing(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.eventually("the first docs are there", f.has(moneyPage, "Holds amounts."))
	f.stop()
	f.push(map[string]string{"money/money.go": strings.Replace(shop["money/money.go"], "int64", "uint64", 1)})
	f.start()
	f.eventually("the page follows", f.has(moneyPage, "uint64"))
	f.fresh()
}

// TestLostAndDisorderedDeliveries do no harm.
func TestLostAndDisorderedDeliveries(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.eventually("the first docs are there", f.has(moneyPage, "Holds amounts."))
	f.sim.Hold()
	text := shop["money/money.go"]
	for _, kind := range []string{"uint64", "uint32", "float64"} {
		f.push(map[string]string{"money/money.go": strings.Replace(text, "int64", kind, 1)})
	}
	f.sim.DuplicateDeliveries(3)
	f.sim.Release(true)
	f.eventually("the page follows", f.has(moneyPage, "float64"))
	f.fresh()
}

// TestRefusalsEnd: a run that was refused because of the configuration of the base, or a missing permission, is repeated when that is
// mended, without another event of the pull request.
func TestRefusalsEnd(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.eventually("the first docs are there", f.has(moneyPage, "Holds amounts."))
	propose := func(branch string) string {
		t.Helper()
		head, err := f.repo.Push(branch, githubsim.Change{Write: map[string]string{branch + ".txt": "x\n"}, Message: "Add a file"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.repo.OpenPull(branch, "main", "Add a file", "octo"); err != nil {
			t.Fatal(err)
		}
		return head
	}
	concluded := func(head, conclusion string) func() bool {
		return func() bool {
			runs := f.repo.CheckRuns(head)
			return len(runs) == 1 && runs[0].Conclusion == conclusion
		}
	}
	f.push(map[string]string{".causal/config.yml": "docs: [1,2\n"})
	first := propose("first")
	f.eventually("the pull request is refused", concluded(first, "failure"))
	f.push(map[string]string{".causal/config.yml": "version: 1\n"})
	f.eventually("it is looked at again when the configuration is mended", concluded(first, "success"))

	f.stop() // it holds a token that may do more
	f.sim.Permit("octo", "pull_requests", "")
	f.start()
	f.push(map[string]string{"money/money.go": strings.Replace(shop["money/money.go"], "int64", "uint64", 1)})
	head := f.repo.Head("main")
	f.eventually("the check run names the missing permission", concluded(head, "failure"))
	f.sim.Accept("octo")
	f.eventually("it is tried again when the permission is granted", f.has(moneyPage, "uint64"))
	f.fresh()
}

func TestAdminPort(t *testing.T) {
	t.Parallel()
	f := setup(t)
	for path, want := range map[string]string{"/healthz": "alive", "/readyz": "ready", "/metrics": "causal_nodes_total"} {
		f.eventually(path+" says "+want, func() bool {
			r, err := http.Get("http://" + f.server.AdminAddr() + path)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Body.Close()
			body, err := io.ReadAll(r.Body)
			return err == nil && r.StatusCode == http.StatusOK && strings.Contains(string(body), want)
		})
	}
}

// TestExamine checks the problems of an App. The server of this test is never reachable from outside.
func TestExamine(t *testing.T) {
	t.Parallel()
	f := setup(t)
	app := f.sim.App()
	examine := func(publicURL string) string {
		problems, err := server.Examine(t.Context(), server.Options{Now: time.Now, PublicURL: publicURL, Credentials: &web.Credentials{
			Host: f.sim.URL(), ID: app.ID, Slug: app.Slug, WebhookSecret: app.Secret, PrivateKey: app.PEM(),
		}})
		if err != nil {
			t.Fatal(err)
		}
		var all strings.Builder
		for _, p := range problems {
			all.WriteString(p.String() + "\n")
		}
		return all.String()
	}
	for _, what := range []string{"has not granted", "the webhook URL is", "event"} {
		if got := examine(f.server.URL()); strings.Contains(got, what) {
			t.Errorf("found although all is well: %s", got)
		}
	}
	f.sim.Permit("octo", "contents", "read")
	got := examine("https://elsewhere.example.com")
	for _, want := range []string{"and not https://elsewhere.example.com/webhooks", "octo has not granted contents=write"} {
		if !strings.Contains(got, want) {
			t.Errorf("not found: %s in\n%s", want, got)
		}
	}
}
