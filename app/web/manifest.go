package web

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"net/url"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/webhooks"
)

// Grant is a permission of the GitHub App, with the reason for it.
type Grant struct{ Name, Level, Reason string }

// Grants lists the permissions of the GitHub App. All of them are needed.
var Grants = []Grant{
	{"contents", "write", "reads the source files, and commits pages and nodes"},
	{"pull_requests", "write", "lists the stale docs of a pull request in one comment, comments on its lines, and opens a pull request if a branch is protected or principles wait for approval"},
	{"checks", "write", "reports the result of a push in a check run, with the reason if nothing was done"},
	{"merge_queues", "read", "receives check requests of merge queues; not used otherwise"},
	{"metadata", "read", "reads names, default branches and visibility; GitHub grants it to every App"},
}

type manifest struct {
	Name        string            `json:"name"`
	URL         string            `json:"url"`
	Description string            `json:"description"`
	Hook        hook              `json:"hook_attributes"`
	Redirect    string            `json:"redirect_url"`
	Callbacks   []string          `json:"callback_urls"`
	Setup       string            `json:"setup_url"`
	Public      bool              `json:"public"`
	Permissions map[string]string `json:"default_permissions"`
	Events      []string          `json:"default_events"`
}

type hook struct {
	URL    string `json:"url"`
	Active bool   `json:"active"`
}

const longestName = 34

// newManifest describes the App. App names are unique on GitHub, so the default has the owner or server in it; the user
// can change it on GitHub.
func newManifest(server *url.URL, webhook, owner string) manifest {
	if owner == "" {
		owner = strings.ReplaceAll(server.Hostname(), ".", "-")
	}
	name := "causal-" + strings.TrimPrefix(owner, "causal-")
	m := manifest{
		Name: strings.TrimRight(name[:min(len(name), longestName)], "-"), URL: server.String(),
		Description: "Keeps documentation true: updates outdated pages after each push.",
		Hook:        hook{webhook, true}, Redirect: server.JoinPath("/setup/callback").String(), Setup: server.String(),
		Callbacks:   []string{server.JoinPath(callbackPath).String()},
		Permissions: map[string]string{},
	}
	for _, g := range Grants {
		m.Permissions[g.Name] = g.Level
	}
	for _, e := range webhooks.Events {
		if !e.Always() {
			m.Events = append(m.Events, e.Name)
		}
	}
	return m
}

func (m manifest) String() string {
	text, err := json.Marshal(m)
	if err != nil {
		panic("web: " + err.Error()) // strings, a bool and a map of strings always encode
	}
	return string(text)
}

const gitHub = "https://github.com"

var organisation = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9-]{0,38}$`)

func registration(host *url.URL, owner, state string) string {
	u := host.JoinPath("settings", "apps", "new")
	if owner != "" {
		u = host.JoinPath("organizations", owner, "settings", "apps", "new")
	}
	u.RawQuery = url.Values{"state": {state}}.Encode()
	return u.String()
}

// GitHubServer parses the URL of a GitHub server; empty is github.com. HTTP is allowed only for this machine, for
// tests.
func GitHubServer(address string) (*url.URL, error) {
	if address == "" {
		address = gitHub
	}
	u, err := url.Parse(strings.TrimRight(address, "/"))
	if err != nil || u.Host == "" || u.Path != "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || !plainHost.MatchString(u.Host) {
		return nil, fmt.Errorf("%q is not the URL of a GitHub server, such as https://github.example.com", address)
	}
	if u.Scheme != "https" && (u.Scheme != "http" || !OnlyHere(u)) {
		return nil, fmt.Errorf("%s must begin with https://, because it sends the key of the App", address)
	}
	return u, nil
}

// plainHost excludes characters that could extend the content security policy.
var plainHost = lazyregexp.New(`^[A-Za-z0-9.-]+(:[0-9]+)?$`)

// OnlyHere reports whether a URL is on this machine, which GitHub cannot reach.
func OnlyHere(u *url.URL) bool {
	host := strings.ToLower(u.Hostname())
	address, err := netip.ParseAddr(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || err == nil && address.IsLoopback()
}
