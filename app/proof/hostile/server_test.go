package hostile_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/githubsim"
	"github.com/causaldocs/causal/app/proof/hostile"
	"github.com/causaldocs/causal/app/sandbox"
	"github.com/causaldocs/causal/app/server"
	"github.com/causaldocs/causal/app/web"
	"github.com/causaldocs/causal/knowledge/testmode"
	"github.com/causaldocs/causal/webhooks/queue"
)

// breaks is a pull request title that makes the child process panic, in a separate goroutine.
const breaks = "Break the scanner"

// TestMain makes the test binary do the work of a server's child when it is started as one.
func TestMain(m *testing.M) {
	if !sandbox.IsChild() {
		os.Exit(m.Run())
	}
	from := os.Stdin
	in, out, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	os.Stdin = in
	go func() {
		for said, all := make([]byte, 4096), []byte(nil); ; {
			n, err := from.Read(said)
			if all = append(all, said[:n]...); bytes.Contains(all, []byte(breaks)) {
				panic("a scanner goes wrong")
			}
			_, _ = out.Write(said[:n])
			if err != nil {
				_ = out.Close()
				return
			}
		}
	}()
	os.Exit(sandbox.Main())
}

var shop = map[string]string{
	"go.mod": "module example.com/shop\n", "README.md": "# Shop\n\nSells things.\n",
	"money/money.go": "// Package money holds amounts.\npackage money\n\n// Amount is in cents.\ntype Amount int64\n",
}

// testServer is a server with a repository and a hostile fork.
type testServer struct {
	*testing.T
	sim    *githubsim.Server
	repo   *githubsim.Repository
	fork   *githubsim.Repository
	server *server.Server
	ended  chan queue.RunRow
	made   int
}

// long leaves a test with a real server to the long run.
func long(t *testing.T) {
	t.Helper()
	if !testmode.Long() {
		t.Skip("starts a server and its children; CAUSAL_LONG=1 runs it")
	}
}

// startServer starts the real server with a simulated GitHub and limits for child processes.
func startServer(t *testing.T, limits sandbox.Limits) *testServer {
	t.Helper()
	sim, err := githubsim.New(githubsim.Options{Dir: t.TempDir(), App: &githubsim.App{ID: 7, Slug: "causal", Name: "causal", Owner: "octo", Secret: "s3cret-s3cret"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sim.Close() })
	b := &testServer{T: t, sim: sim, ended: make(chan queue.RunRow, 1000)}
	if b.repo, err = sim.CreateRepository("octo/shop", githubsim.FromFiles(shop)); err != nil {
		t.Fatal(err)
	}
	b.repo.SetPrivate(false)
	if b.fork, err = b.repo.Fork("mallory"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	app := sim.App()
	b.server, err = server.New(ctx, server.Options{
		GitHubURL: sim.URL(), Out: io.Discard, Log: io.Discard, Listen: "127.0.0.1:0", Admin: "127.0.0.1:0", Data: t.TempDir(), Now: time.Now, Limits: limits,
		StatusToken: "a long enough token", Finished: func(r queue.RunRow) { b.ended <- r },
		Credentials: &web.Credentials{Host: sim.URL(), ID: app.ID, Slug: app.Slug, WebhookSecret: app.Secret, PrivateKey: app.PEM()},
	})
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- b.server.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	sim.SetWebhook(b.server.WebhookURL())
	if _, err := sim.Install(b.repo); err != nil {
		t.Fatal(err)
	}
	b.eventually("main is documented", func() bool {
		_, ok := b.repo.Read("main", "docs/causal/modules/money.md")
		return ok
	})
	return b
}

// eventually checks the condition after each run. The timeout is twice the time limit of a run.
func (b *testServer) eventually(what string, holds func() bool) {
	b.Helper()
	late := time.After(2 * sandbox.DefaultLimits().Time)
	for !holds() {
		select {
		case <-b.ended:
		case <-late:
			b.Fatalf("timeout: %s", what)
		}
	}
}

// attack opens a pull request from the fork, and returns its head.
func (b *testServer) attack(a hostile.Attack) string {
	b.Helper()
	b.made++
	branch := fmt.Sprint("attack-", b.made)
	if err := a.Commit(b.Context(), b.fork.Dir(), branch, b.fork.Head("main")); err != nil {
		b.Fatal(err)
	}
	if _, err := b.repo.OpenPull("mallory:"+branch, "main", a.Title, "mallory"); err != nil {
		b.Fatal(err)
	}
	return b.fork.Head(branch)
}

// told waits for the check runs of the commits and returns them in the same order.
func (b *testServer) told(heads []string) []githubsim.CheckRun {
	b.Helper()
	var out []githubsim.CheckRun
	b.eventually("every attack has a check run", func() bool {
		out = out[:0]
		for _, head := range heads {
			for _, r := range b.repo.CheckRuns(head) {
				if r.Status == "completed" {
					out = append(out, r)
				}
			}
		}
		return len(out) == len(heads)
	})
	return out
}

// proposal is a pull request with a file that repeats a fragment.
func proposal(file, fragment string, size int) hostile.Attack {
	return hostile.Attack{Title: "Add it", Message: "Add it", Files: []hostile.File{{
		Path: file, Mode: "100644", Content: func() []byte { return bytes.Repeat([]byte(fragment), size/len(fragment)) },
	}}}
}

// TestAForkCannotStopTheWorkers checks that files that once took scanners minutes neither stop a run nor delay another push.
func TestAForkCannotStopTheWorkers(t *testing.T) {
	long(t)
	t.Parallel()
	b := startServer(t, sandbox.DefaultLimits())
	var heads []string
	for _, a := range []hostile.Attack{
		proposal("web/b.js", "@ ; ", 80_000), proposal("web/b.js", "@a\n", 80_000), proposal("web/b.ts", "@ ; ", 80_000), proposal("web/b.ts", "@a\n", 80_000),
		proposal("README.md", "[a](", 200_000), proposal("src/lib.rs", "x::", 80_000), proposal("src/lib.rs", "#[", 80_000),
	} {
		heads = append(heads, b.attack(a))
	}
	if _, err := b.repo.Push("main", githubsim.Change{Message: "Go on", Write: map[string]string{"cart/cart.go": "// Package cart adds up.\npackage cart\n"}}); err != nil {
		t.Fatal(err)
	}
	b.eventually("a push is documented", func() bool {
		_, ok := b.repo.Read("main", "docs/causal/modules/cart.md")
		return ok
	})
	for i, r := range b.told(heads) {
		if strings.Contains(r.Title, "stopped") {
			t.Errorf("attack %d: %s", i, r.Title)
		}
	}
}

// TestAForkCannotTakeTheMemory runs children with a fourth of the memory limit on files that once took ten times as much.
func TestAForkCannotTakeTheMemory(t *testing.T) {
	long(t)
	t.Parallel()
	b := startServer(t, sandbox.Limits{Memory: sandbox.DefaultLimits().Memory / 4})
	const node, config = ".causal/nodes/money.yml", ".causal/config.yml"
	huge := proposal("money/big.go", "package money\n// x\n", 60<<20)
	huge.Files = append(huge.Files, hostile.File{Path: config, Mode: "100644", Content: func() []byte { return []byte("version: 1\nmax_file_bytes: 1000000000000\n") }})
	unknown := proposal(node, "k", 20<<20)
	key := unknown.Files[0].Content
	unknown.Files[0].Content = func() []byte { return append(key(), ": 1\n"...) }
	var heads []string
	for _, a := range []hostile.Attack{
		proposal(node, "a: b\n", 60<<20), proposal(node, "- {a: b}\n", 15<<20), proposal(node, "[a,", 7<<20), proposal(".causal/frames/s-000000000000.yml", "- {a: b}\n", 15<<20),
		unknown, proposal(config, "# x\n", 20<<20), huge,
	} {
		heads = append(heads, b.attack(a))
	}
	for i, r := range b.told(heads) {
		if strings.Contains(r.Title, "stopped") {
			t.Errorf("attack %d: %s", i, r.Title)
		}
		if n := len(r.Title) + len(r.Summary) + len(r.Text); n > 64<<10 {
			t.Errorf("attack %d: the check run has %d bytes", i, n)
		}
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.server.URL()+"/runs", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if page, err := io.ReadAll(answer.Body); err != nil || len(page) > 1<<20 {
		t.Errorf("the status page has %d bytes: %v", len(page), err)
	}
}

// TestUnsignedBodiesAreNotHeld sends sixty bodies of 25 MiB at once without a valid signature. The server must allocate less than a tenth
// of their size.
func TestUnsignedBodiesAreNotHeld(t *testing.T) { //nolint:paralleltest // it measures allocations
	long(t)
	b := startServer(t, sandbox.DefaultLimits())
	const bodies, size = 60, 25 << 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var group sync.WaitGroup
	codes := make([]int, bodies)
	for i := range bodies {
		group.Go(func() {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.server.WebhookURL(), io.LimitReader(blanks{}, size))
			if err != nil {
				t.Error(err)
				return
			}
			request.ContentLength = size
			signature := make([]byte, 32)
			_, _ = rand.Read(signature)
			request.Header.Set("Content-Type", "application/json")
			request.Header.Set("X-Github-Event", "push")
			request.Header.Set("X-Github-Delivery", fmt.Sprint("delivery-", i))
			if value := []string{"", "none at all", "sha256=" + hex.EncodeToString(signature)}[i%3]; value != "" {
				request.Header.Set("X-Hub-Signature-256", value)
			}
			answer, err := http.DefaultClient.Do(request)
			if err != nil {
				return // the server has hung up before it was all sent
			}
			codes[i] = answer.StatusCode
			_ = answer.Body.Close()
		})
	}
	group.Wait()
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > bodies*size/10 {
		t.Errorf("%d MB were allocated", n>>20)
	}
	if slices.ContainsFunc(codes, func(code int) bool { return code != 0 && code < 400 }) {
		t.Errorf("answers %v", codes)
	}
}

// blanks is a body without end.
type blanks struct{}

func (blanks) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// TestAPanicInAScannerEndsOneJob: the child is gone, its check run says so, and the server does the next job.
func TestAPanicInAScannerEndsOneJob(t *testing.T) {
	long(t)
	t.Parallel()
	b := startServer(t, sandbox.DefaultLimits())
	a := proposal("money/more.go", "package money\n", 14)
	a.Title = breaks
	broken := b.told([]string{b.attack(a)})[0]
	if broken.Conclusion == "success" || !strings.Contains(broken.Title, "analysis stopped by a crash") {
		t.Errorf("the check run is %s: %s", broken.Conclusion, broken.Title)
	}
	if next := b.told([]string{b.attack(proposal("money/less.go", "package money\n", 14))})[0]; strings.Contains(next.Title, "stopped") {
		t.Errorf("the next check run is %s", next.Title)
	}
}
