package server_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/githubsim"
	"github.com/causaldocs/causal/app/server"
	"github.com/causaldocs/causal/app/web"
)

// startFor starts the server for some repositories only.
func (f *fixture) startFor(allow ...string) {
	f.Helper()
	app := f.sim.App()
	f.run(server.Options{GitHubURL: f.sim.URL(), Out: io.Discard, StatusToken: token, Allow: allow, Credentials: &web.Credentials{
		Host: f.sim.URL(), ID: app.ID, Slug: app.Slug, WebhookSecret: app.Secret, PrivateKey: app.PEM(),
	}})
	f.sim.SetWebhook(f.server.WebhookURL())
}

// TestOnlyAllowed checks that events of repositories that are not on the list have no effect.
func TestOnlyAllowed(t *testing.T) {
	t.Parallel()
	f := setup(t)
	other, err := f.sim.CreateRepository("eve/shop", githubsim.FromFiles(shop))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.sim.Install(other); err != nil {
		t.Fatal(err)
	}
	docs := func() bool { _, ok := other.Read("main", moneyPage); return ok }
	f.eventually("both have docs", func() bool { return f.has(moneyPage, "Holds amounts.")() && docs() })
	f.quiet()
	f.stop()

	f.startFor("OCTO") // the sweeper looks at once: at what changes from here on
	head := other.Head("main")
	change := strings.Replace(shop["money/money.go"], "int64", "uint64", 1)
	for _, r := range []*githubsim.Repository{other, f.repo} {
		if _, err := r.Push("main", githubsim.Change{Message: "Change it", Write: map[string]string{"money/money.go": change}}); err != nil {
			t.Fatal(err)
		}
	}
	f.eventually("the page of the allowed one follows", f.has(moneyPage, "uint64"))
	f.quiet()
	if log, err := other.Log("main"); err != nil || len(log) < 2 || log[1][0] != head {
		t.Errorf("eve/shop was written to: %v, %v", log, err)
	}
	p, at := somebody(t), f.server.URL()
	p.logIn(at)
	for _, path := range []string{"/", "/runs", "/runs?repository=eve%2Fshop", "/queue"} {
		if body := p.sees(at + path); strings.Contains(strings.ReplaceAll(body, "eve/shop</h1>", ""), "/runs?repository=eve") {
			t.Errorf("%s shows eve/shop:\n%s", path, body)
		}
	}
	p.sees(at+"/runs?repository=eve%2Fshop", "No such run")
	if _, body := p.read(http.Get("http://" + f.server.AdminAddr() + "/metrics")); !strings.Contains(body, `outcome="not allowed"`) {
		t.Errorf("the metrics do not count what was dropped:\n%s", body)
	}
}

// TestSweeperPassesOthersBy: a server that starts with a list finds nothing to do for the others.
func TestSweeperPassesOthersBy(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.eventually("the first docs are there", f.has(moneyPage, "Holds amounts."))
	f.quiet()
	f.stop()
	other, err := f.sim.CreateRepository("eve/shop", githubsim.FromFiles(shop))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.sim.Install(other); err != nil { // the server is away: GitHub cannot deliver it
		t.Fatal(err)
	}
	f.push(map[string]string{"money/money.go": strings.Replace(shop["money/money.go"], "int64", "uint64", 1)})
	f.startFor("octo/shop")
	f.eventually("the page follows", f.has(moneyPage, "uint64"))
	f.quiet()
	if n := len(f.sim.Writes(other)); n != 0 {
		t.Errorf("%d writes to eve/shop", n)
	}
}

// TestLogLevel: lines below the level are not written.
func TestLogLevel(t *testing.T) {
	t.Parallel()
	for level, lines := range map[slog.Level]bool{slog.LevelInfo: true, slog.LevelWarn: false} {
		var log bytes.Buffer
		ctx, cancel := context.WithCancel(t.Context())
		s, err := server.New(ctx, server.Options{
			Listen: "127.0.0.1:0", Data: t.TempDir(), Out: io.Discard, Log: &log, LogLevel: level, Now: time.Now, StatusToken: token,
		})
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		if err := s.Serve(ctx); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(log.String(), `"msg":"serving"`); got != lines {
			t.Errorf("%v: the log says %s", level, log.String())
		}
	}
}
