package server_test

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/githubsim"
	"github.com/causaldocs/causal/app/server"
	"github.com/causaldocs/causal/app/web"
)

// startForPeople starts the server with the App's client secret, and with or without a token.
func (f *fixture) startForPeople(token string) {
	f.Helper()
	app := f.sim.App()
	f.run(server.Options{GitHubURL: f.sim.URL(), Out: io.Discard, StatusToken: token, Credentials: &web.Credentials{
		Host: f.sim.URL(), ID: app.ID, Slug: app.Slug, WebhookSecret: app.Secret, PrivateKey: app.PEM(), ClientID: app.ClientID, ClientSecret: app.ClientSecret,
	}})
	f.sim.SetWebhook(f.server.WebhookURL())
}

// named is a user who is logged in with GitHub.
func (f *fixture) named(login string) *person {
	f.Helper()
	f.sim.SetPerson(login)
	p := somebody(f.TB)
	p.sees(f.server.URL()+"/login", "Log in with GitHub")
	if body := p.sees(f.server.URL() + "/login/github?next=%2Fruns"); !strings.Contains(body, "Log out") || !strings.Contains(body, "<h1>Runs</h1>") {
		f.Fatalf("the login of %s leads to\n%s", login, body)
	}
	return p
}

var anyRun = regexp.MustCompile(`href="(/runs/[0-9]+)"`)

// TestPeopleSeeTheirs: who logs in with GitHub sees what GitHub lets them see, and the bearers of the token see all.
func TestPeopleSeeTheirs(t *testing.T) {
	t.Parallel()
	f := setup(t)
	other, err := f.sim.CreateRepository("eve/shop", githubsim.FromFiles(shop))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.sim.Install(other); err != nil {
		t.Fatal(err)
	}
	f.eventually("both have docs", func() bool {
		_, there := other.Read("main", moneyPage)
		return there && f.has(moneyPage, "Holds amounts.")()
	})
	f.quiet()
	f.stop()
	f.repo.Invite("guest", false)
	f.startForPeople(token)
	at := f.server.URL()

	all := somebody(t)
	all.logIn(at)
	all.sees(at+"/", "octo/shop", "eve/shop")
	ofEve := anyRun.FindStringSubmatch(all.sees(at + "/runs?repository=eve%2Fshop"))
	ofOcto := anyRun.FindStringSubmatch(all.sees(at + "/runs?repository=octo%2Fshop"))
	if ofEve == nil || ofOcto == nil {
		t.Fatal("the runs are not listed")
	}
	for login, sees := range map[string]struct{ octo, eve bool }{"octo": {true, false}, "eve": {false, true}, "guest": {true, false}, "stranger": {}} {
		p := f.named(login)
		for _, path := range []string{"/", "/runs", "/queue"} {
			body := p.sees(at + path)
			if path != "/queue" && strings.Contains(body, "octo/shop") != sees.octo || strings.Contains(body, "eve/shop") != sees.eve && path != "/queue" {
				t.Errorf("%s sees at %s\n%s", login, path, body)
			}
		}
		for run, may := range map[string]bool{ofOcto[1]: sees.octo, ofEve[1]: sees.eve} {
			status, body := p.read(p.Get(at + run))
			if want := map[bool]int{true: http.StatusOK, false: http.StatusNotFound}[may]; status != want {
				t.Errorf("%s: %s answers %d, want %d:\n%s", login, run, status, want, body)
			}
		}
	}

	// What GitHub takes away is gone when its last word is not good any more: a server that starts knows none.
	p := f.named("octo")
	f.stop()
	f.startForPeople("")
	at = f.server.URL()
	f.sim.Revoke()
	if _, body := p.read(p.Get(at + "/runs")); !strings.Contains(body, "Log in with GitHub") || strings.Contains(body, "Token <input") {
		t.Errorf("with a revoked token:\n%s", body)
	}
	p = f.named("octo")
	p.sees(at+"/runs", "octo/shop")
	if status, _ := p.read(p.PostForm(at+"/logout", nil)); status != http.StatusOK {
		t.Errorf("the way out answers %d", status)
	}
	p.sees(at+"/runs", "<h1>Log in</h1>")
}
