package server_test

import (
	"html"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/githubsim"
	"github.com/causaldocs/causal/app/server"
	"github.com/causaldocs/causal/webhooks/queue"
)

var (
	actionOf   = regexp.MustCompile(`action="(http[^"]+)"`)
	manifestOf = regexp.MustCompile(`name="manifest" value="([^"]+)"`)
)

// TestSetUp checks that a server without an App prints a link, and uses the App as soon as GitHub has created it.
func TestSetUp(t *testing.T) {
	t.Parallel()
	sim, err := githubsim.New(githubsim.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sim.Close() })
	repo, err := sim.CreateRepository("octo/shop", githubsim.FromFiles(shop))
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{TB: t, sim: sim, repo: repo, data: t.TempDir(), ended: make(chan queue.RunRow, 1000)}
	var out strings.Builder
	f.run(server.Options{GitHubURL: sim.URL(), Out: &out, StatusToken: token})
	t.Cleanup(func() { f.stop() })
	lines := strings.Fields(out.String())
	link := lines[slices.IndexFunc(lines, func(w string) bool { return strings.HasPrefix(w, "http") })]

	_, query, _ := strings.Cut(link, "?")

	p := somebody(t)
	p.sees(link, `value="`+sim.URL()+`"`)
	_, body := p.read(p.PostForm(f.server.URL()+"/setup", url.Values{"token": {strings.TrimPrefix(query, "token=")}, "owner": {"user"}, "keep": {"file"}}))
	action, manifest := actionOf.FindStringSubmatch(body), manifestOf.FindStringSubmatch(body)
	if action == nil || manifest == nil || !strings.HasPrefix(action[1], sim.URL()) {
		t.Fatalf("the way to GitHub is not there:\n%s", body)
	}
	status, body := p.read(p.PostForm(html.UnescapeString(action[1]), url.Values{"manifest": {html.UnescapeString(manifest[1])}}))
	if status != http.StatusOK || !strings.Contains(body, "causal is set up") || strings.Contains(body, "PRIVATE_KEY") {
		t.Fatalf("GitHub sends back to %d:\n%s", status, body)
	}
	if status, _ := p.read(p.Get(link)); status != http.StatusNotFound {
		t.Errorf("the link answers %d afterwards", status)
	}
	kept := server.CredentialsFile(f.data)
	if info, err := os.Stat(kept.String()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the credentials are kept as %v, %v", info, err)
	}
	if _, err := sim.Install(repo); err != nil {
		t.Fatal(err)
	}
	f.eventually("the first docs are there, without a new start", f.has(moneyPage, "Holds amounts."))

	f.stop()
	c, found, err := kept.Load()
	if err != nil || !found {
		t.Fatalf("the credentials are not found again: %v", err)
	}
	f.run(server.Options{GitHubURL: sim.URL(), Out: io.Discard, StatusToken: token, Credentials: &c})
	p = somebody(t)
	p.logIn(f.server.URL())
	if status, _ := p.read(p.Get(f.server.URL() + "/setup?" + query)); status != http.StatusNotFound {
		t.Errorf("the set-up answers %d after a new start", status)
	}
}
