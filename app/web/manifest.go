package web

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"net/url"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
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

// Event is an event that the GitHub App is told of, and why.
type Event struct {
	Name, Reason string
	// Always says that GitHub sends it to every App and refuses a manifest that asks for it.
	Always bool
}

// Events lists all of them.
var Events = []Event{
	{"push", "a branch moved: what rested on the changed files is looked at again", false},
	{"pull_request", "a pull request was opened, changed, closed or merged", false},
	{"merge_group", "a merge queue wants its pull requests checked before it merges them", false},
	{"check_run", "someone asks to run one of our checks again", false},
	{"check_suite", "someone asks to run all checks of a commit again", false},
	{"issue_comment", "someone gives a command in a comment on a pull request, such as `/causal help`", false},
	{"pull_request_review_comment", "someone gives one beside a line", false},
	{"pull_request_review_thread", "someone settles a remark, or opens it again", false},
	{"repository", "a repository was renamed, moved, archived, or has another default branch", false},
	{"installation", "the App was installed, suspended or removed", true},
	{"installation_repositories", "repositories were added to the App or taken from it", true},
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
	for _, e := range Events {
		if !e.Always {
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
