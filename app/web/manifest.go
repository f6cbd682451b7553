package web

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/webhooks"
)

// Grant is a permission that the GitHub App asks for, and why.
type Grant struct{ Name, Level, Reason string }

// Grants lists all of them: each is needed, and none is for later.
var Grants = []Grant{
	{"contents", "write", "reads the files that knowledge is derived from, and commits the pages and nodes that it keeps"},
	{"pull_requests", "write", "tells in one comment what a pull request makes stale, remarks on its lines, and opens one where a branch is protected, or where principles wait for approval"},
	{"checks", "write", "says in a check run what was done with a push, and why when it was nothing"},
	{"merge_queues", "read", "hears when a merge queue wants a check; nothing else is done with it"},
	{"metadata", "read", "knows names, default branches and visibility; GitHub gives it to every App"},
}

// Events are the events that the server handles.
func Events() []webhooks.Known {
	return slices.DeleteFunc(slices.Clone(webhooks.Events), func(e webhooks.Known) bool { return e.Status != webhooks.Handled })
}

// manifest is what GitHub makes an App from.
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

// longestName is the most that GitHub takes for the name of an App.
const longestName = 34

// newManifest describes our App. Names of Apps are unique on GitHub, so that ours has the name of its owner or server in
// it; the person can change it on GitHub's page.
func newManifest(server *url.URL, webhook, owner string) manifest {
	if owner == "" {
		owner = strings.ReplaceAll(server.Hostname(), ".", "-")
	}
	name := "causal-" + strings.TrimPrefix(owner, "causal-")
	m := manifest{
		Name: strings.TrimRight(name[:min(len(name), longestName)], "-"), URL: server.String(),
		Description: "Keeps documentation true: after each push, what no longer holds is derived again.",
		Hook:        hook{webhook, true}, Redirect: server.JoinPath("/setup/callback").String(), Setup: server.String(),
		Callbacks:   []string{server.JoinPath(callbackPath).String()},
		Permissions: map[string]string{},
	}
	for _, g := range Grants {
		m.Permissions[g.Name] = g.Level
	}
	for _, e := range Events() {
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

// gitHub is where people go when nothing else is said.
const gitHub = "https://github.com"

// organisation is how GitHub spells the name of one.
var organisation = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9-]{0,38}$`)

// registration is the address that takes the manifest: of a GitHub server, for a user or for an organisation.
func registration(host *url.URL, owner, state string) string {
	u := host.JoinPath("settings", "apps", "new")
	if owner != "" {
		u = host.JoinPath("organizations", owner, "settings", "apps", "new")
	}
	u.RawQuery = url.Values{"state": {state}}.Encode()
	return u.String()
}

// GitHubServer reads the address of a GitHub server; empty is github.com. Without encryption only this machine is spoken
// to, for trying things out.
func GitHubServer(address string) (*url.URL, error) {
	if address == "" {
		address = gitHub
	}
	u, err := url.Parse(strings.TrimRight(address, "/"))
	if err != nil || u.Host == "" || u.Path != "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || !plainHost.MatchString(u.Host) {
		return nil, fmt.Errorf("%q is not the address of a GitHub server; write it like https://github.example.com", address)
	}
	if u.Scheme != "https" && (u.Scheme != "http" || !OnlyHere(u)) {
		return nil, fmt.Errorf("%s must begin with https://: the key of the App comes from there", address)
	}
	return u, nil
}

// plainHost keeps everything out of the content security policy that could add to it.
var plainHost = lazyregexp.New(`^[A-Za-z0-9.-]+(:[0-9]+)?$`)

// OnlyHere reports whether an address means this machine, which GitHub cannot reach.
func OnlyHere(u *url.URL) bool {
	host := strings.ToLower(u.Hostname())
	address, err := netip.ParseAddr(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || err == nil && address.IsLoopback()
}
