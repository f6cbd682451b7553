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
	{"contents", "write", "reads the source files, and commits pages and nodes"},
	{"pull_requests", "write", "lists the stale docs of a pull request in one comment, comments on its lines, and opens a pull request if a branch is protected or principles wait for approval"},
	{"checks", "write", "reports the result of a push in a check run, with the reason if nothing was done"},
	{"merge_queues", "read", "receives check requests of merge queues; not used otherwise"},
	{"metadata", "read", "reads names, default branches and visibility; GitHub grants it to every App"},
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
		Description: "Keeps documentation true: updates outdated pages after each push.",
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
		return nil, fmt.Errorf("%q is not the URL of a GitHub server, such as https://github.example.com", address)
	}
	if u.Scheme != "https" && (u.Scheme != "http" || !OnlyHere(u)) {
		return nil, fmt.Errorf("%s must begin with https://, because it sends the key of the App", address)
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
