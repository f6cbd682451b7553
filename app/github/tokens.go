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

// Permissions are names of GitHub's permissions with "read", "write" or "admin": {"contents": "write"}.
type Permissions map[string]string

// String lists them in the order of their names.
func (p Permissions) String() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(p)) {
		parts = append(parts, name+"="+p[name])
	}
	return strings.Join(parts, " ")
}

// lacks lists what wanted has and p has not.
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

// toLibrary refuses names that the library does not know: it would leave them out, and the token would lack them.
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

// permissionsOf reads the library's structure, which has one field for each permission.
func permissionsOf(from *gh.InstallationPermissions) Permissions {
	out := Permissions{}
	encoded, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(encoded, &out)
	}
	if err != nil {
		panic(err) // a structure of strings is always an object of strings
	}
	return out
}

// early is how long before its end a token is replaced.
const early = time.Minute

// tokenKey names a token by what it may do.
type tokenKey struct {
	installation, repository int64 // repository 0: all repositories of the installation
	permissions              string
}

// tokens makes tokens of installations and keeps them for as long as they are good.
//
// They are asked for with the App's own client and not with ghinstallation's Transport: that one writes into the
// AppsTransport it was made from, which is a data race when two share it, and has no clock that could be set.
type tokens struct {
	app   *App
	mu    sync.Mutex
	byKey map[tokenKey]*installationToken
}

// get returns the token of a key, which may have to be made yet.
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

// forget drops the tokens of a repository.
func (t *tokens) forget(repository int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.DeleteFunc(t.byKey, func(key tokenKey, _ *installationToken) bool { return key.repository == repository })
}

// installationToken is one token, made when it is first needed and made again when it ends.
type installationToken struct {
	app         *App
	key         tokenKey
	permissions Permissions
	turn        chan struct{} // held by the one that looks at the fields below; a channel, so that waiting can end

	value      string
	until      time.Time
	repository string // "owner/name" of the one repository, as GitHub calls it now
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

// renew forgets a token that GitHub refused, unless another one has been made meanwhile.
func (t *installationToken) renew(refused string) bool {
	t.turn <- struct{}{}
	defer func() { <-t.turn }()
	if t.value == refused {
		t.value = ""
	}
	return true
}

// ended reports whether nobody can use it any more. One that is being looked at is in use.
func (t *installationToken) ended() bool {
	select {
	case t.turn <- struct{}{}:
		defer func() { <-t.turn }()
		return !t.app.opt.Now().Before(t.until)
	default:
		return false
	}
}

// name is the repository that the token is for. It must have been made.
func (t *installationToken) name() (owner, name string, ok bool) {
	t.turn <- struct{}{}
	defer func() { <-t.turn }()
	return strings.Cut(t.repository, "/")
}

// mint asks for a token. Asking twice does no harm.
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

// unminted explains why there is no token. That a repository or a permission is not the installation's is said by 422; what
// 403 and 404 speak of is the installation itself.
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
