package web

import (
	"net/url"
	"strings"
	"testing"
)

// TestTheServersOwnGitHub: a server that was started for one GitHub server makes its App there and nowhere else, because
// it looks for it there at its next start.
func TestTheServersOwnGitHub(t *testing.T) {
	t.Parallel()
	const own = "https://github.corp.example"
	s := newStage(t, func(o *SetupOptions) { o.GitHub = own + "/" })
	if text := ask(s, "GET", s.Link(), nil).text; !strings.Contains(text, `value="`+own+`" readonly`) || strings.Contains(text, "https://github.com") {
		t.Errorf("the form says %s", text)
	}
	action, _, cookies := s.depart(t, url.Values{"token": {s.token(t)}, "owner": {"user"}, "host": {"https://github.com"}})
	if !strings.HasPrefix(action, own+"/settings/apps/new?") {
		t.Errorf("the App is made at %s", action)
	}
	if r := ask(s, "GET", arrive(action), nil, cookies...); r.status != 200 || len(s.active) != 1 || s.active[0].Host != own {
		t.Errorf("status %d, active %v", r.status, s.active)
	}
	if _, err := NewSetup(SetupOptions{URL: "https://causal.example.com", GitHub: "github.corp.example"}); err == nil {
		t.Error("took an address without a scheme")
	}
}

// TestOnlyOneWayBack: a refused link must not lead to itself.
func TestOnlyOneWayBack(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	for path, back := range map[string]bool{"/": false, "/setup": false, "/setup?token=x": false, "/setup/callback": true} {
		if text := ask(s, "GET", path, nil).text; strings.Contains(text, `href="/setup"`) != back {
			t.Errorf("%s has a link to the beginning: %v", path, !back)
		}
	}
}

// TestThisMachine: only a name that can be nobody else's is taken without encryption.
func TestThisMachine(t *testing.T) {
	t.Parallel()
	for address, taken := range map[string]bool{
		"http://localhost": true, "http://LOCALHOST:8080": true, "http://git.localhost": true, "http://127.0.0.1:3000": true, "http://127.1.2.3": true,
		"http://127.evil.example": false, "http://127.0.0.1.evil.example": false, "http://localhost.evil.example": false, "http://evil.example": false,
		"http://127": false, "http://0x7f.1": false, "http://10.0.0.1": false, "https://github.example.com": true,
	} {
		if _, err := GitHubServer(address); (err == nil) != taken {
			t.Errorf("%s: %v", address, err)
		}
	}
}
