package github

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	gh "github.com/google/go-github/v66/github"
)

// Permissions maps GitHub's permissions to "read", "write" or "admin".
type Permissions map[string]string

// String lists the permissions, sorted by name.
func (p Permissions) String() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(p)) {
		parts = append(parts, name+"="+p[name])
	}
	return strings.Join(parts, " ")
}

func (p Permissions) lacks(wanted Permissions) Permissions {
	rank := map[string]int{"": 0, "read": 1, "write": 2, "admin": 3}
	out := Permissions{}
	for name, level := range wanted {
		if rank[p[name]] < rank[level] {
			out[name] = level
		}
	}
	return out
}

// toLibrary rejects names that go-github does not know: it would drop them from the token.
func (p Permissions) toLibrary() (*gh.InstallationPermissions, error) {
	out := &gh.InstallationPermissions{}
	encoded, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(encoded, out); err != nil {
		return nil, err
	}
	if missing := permissionsOf(out).lacks(p); len(missing) > 0 {
		return nil, fmt.Errorf("unknown permission %s", missing)
	}
	return out, nil
}

func permissionsOf(from *gh.InstallationPermissions) Permissions {
	out := Permissions{}
	encoded, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(encoded, &out)
	}
	if err != nil {
		panic(err)
	}
	return out
}

// early is how long before its expiry a token is replaced.
const early = time.Minute

type tokenKey struct {
	installation, repository int64 // repository 0: all repositories of the installation
	permissions              string
}

// tokens creates and caches installation tokens.
//
// It does not use ghinstallation's Transport, which writes into its AppsTransport, a data race if shared, and has no
// injectable clock.
type tokens struct {
	app   *App
	mu    sync.Mutex
	byKey map[tokenKey]*installationToken
}

func (t *tokens) get(key tokenKey, permissions Permissions) *installationToken {
	t.mu.Lock()
	defer t.mu.Unlock()
	if known, ok := t.byKey[key]; ok {
		return known
	}
	for other, known := range t.byKey {
		if known.ended() {
			delete(t.byKey, other)
		}
	}
	made := &installationToken{app: t.app, key: key, permissions: maps.Clone(permissions), turn: make(chan struct{}, 1)}
	t.byKey[key] = made
	return made
}

func (t *tokens) forget(repository int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.DeleteFunc(t.byKey, func(key tokenKey, _ *installationToken) bool { return key.repository == repository })
}

type installationToken struct {
	app         *App
	key         tokenKey
	permissions Permissions
	turn        chan struct{} // guards the fields below; a channel, since waiting must be cancellable

	value      string
	until      time.Time
	repository string
}

func (t *installationToken) token(ctx context.Context) (string, error) {
	select {
	case t.turn <- struct{}{}:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	defer func() { <-t.turn }()
	if t.value != "" && t.app.opt.Now().Before(t.until.Add(-early)) {
		return t.value, nil
	}
	made, err := t.app.mint(ctx, t.key, t.permissions)
	if err != nil {
		return "", err
	}
	t.value, t.until = made.GetToken(), made.GetExpiresAt().Time
	if len(made.Repositories) == 1 {
		t.repository = made.Repositories[0].GetFullName()
	}
	return t.value, nil
}

func (t *installationToken) renew(refused string) bool {
	t.turn <- struct{}{}
	defer func() { <-t.turn }()
	if t.value == refused {
		t.value = ""
	}
	return true
}

func (t *installationToken) ended() bool {
	select {
	case t.turn <- struct{}{}:
		defer func() { <-t.turn }()
		return !t.app.opt.Now().Before(t.until)
	default:
		return false
	}
}

func (t *installationToken) name() (owner, name string, ok bool) {
	t.turn <- struct{}{}
	defer func() { <-t.turn }()
	return strings.Cut(t.repository, "/")
}

func (a *App) mint(ctx context.Context, key tokenKey, permissions Permissions) (*gh.InstallationToken, error) {
	doing := fmt.Sprintf("get a token of installation %d", key.installation)
	library, err := permissions.toLibrary()
	if err != nil {
		return nil, &Error{Kind: ErrRefused, Doing: doing, Said: err.Error()}
	}
	options := &gh.InstallationTokenOptions{Permissions: library}
	if key.repository != 0 {
		options.RepositoryIDs = []int64{key.repository}
	}
	made, _, err := a.api.Apps.CreateInstallationToken(repeatable(ctx), key.installation, options)
	if err != nil {
		return nil, a.unminted(ctx, doing, permissions, err)
	}
	if made.GetToken() == "" {
		return nil, &Error{Kind: ErrRefused, Doing: doing, Said: "the answer has no token"}
	}
	return made, nil
}

// unminted explains why there is no token. GitHub answers 422 for a repository or permission outside the installation;
// 403 and 404 are about the installation itself.
func (a *App) unminted(ctx context.Context, doing string, permissions Permissions, err error) error {
	explained := a.opt.explain(ctx, doing, permissions.String(), err)
	answer, refused := errors.AsType[*gh.ErrorResponse](err)
	failed, known := errors.AsType[*Error](explained)
	if !refused || !known {
		return explained
	}
	if status := answer.Response.StatusCode; status == http.StatusForbidden || status == http.StatusNotFound {
		failed.Kind, failed.Needs = ErrInstallation, ""
	}
	return failed
}
