package github

import (
	"context"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"github.com/bradleyfalzon/ghinstallation/v2"
	gh "github.com/google/go-github/v66/github"
)

// Config holds an App's credentials.
type Config struct {
	ID         int64
	PrivateKey []byte // PEM
	Options
}

// App is a GitHub App. It is safe for concurrent use.
type App struct {
	id      int64
	opt     Options
	at      endpoints
	api     *gh.Client // authenticates as the App itself
	tokens  *tokens
	answers *answers

	mu    sync.Mutex
	gates map[int64]*gate
	self  *Self // cached: an App's identity does not change while it runs
}

// NewApp checks the configuration. It makes no request.
func NewApp(config Config) (*App, error) {
	at, err := endpointsOf(config.BaseURL)
	if err != nil {
		return nil, err
	}
	if config.ID <= 0 {
		return nil, errors.New("the GitHub App ID is missing: see the App's settings page")
	}
	key, err := parseKey(config.PrivateKey)
	if err != nil {
		return nil, err
	}
	a := &App{
		id: config.ID, opt: config.filled(), at: at, answers: newAnswers(rememberedBytes), gates: map[int64]*gate{},
	}
	a.tokens = &tokens{app: a, byKey: map[tokenKey]*installationToken{}}
	wire := &meter{next: a.opt.Transport, opt: a.opt}
	signature := signed{ghinstallation.NewAppsTransportFromPrivateKey(wire, config.ID, key)}
	a.api = connect(at, a.chain("app", newGate(), signature))
	return a, nil
}

func parseKey(text []byte) (*rsa.PrivateKey, error) {
	const mend = "download a new one from the App's settings page"
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, errors.New("the App's private key is not in PEM form: " + mend)
	}
	if key, err := x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
		return key, nil
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("the App's private key cannot be read: %s", mend) //nolint:errorlint // says nothing of the key
	}
	private, ok := key.(*rsa.PrivateKey)
	if !ok {
		return nil, errors.New("the App's private key is not an RSA key: " + mend)
	}
	return private, nil
}

func (a *App) chain(subject string, g *gate, next http.RoundTripper) http.RoundTripper {
	return &cached{answers: a.answers, subject: subject, next: &patient{next: next, opt: a.opt, gate: g}}
}

// gateOf returns the gate that all clients of an installation share, since they share its rate limits.
func (a *App) gateOf(installation int64) *gate {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.gates[installation] == nil {
		a.gates[installation] = newGate()
	}
	return a.gates[installation]
}

func (a *App) speaker(token *installationToken) *gh.Client {
	wire := &meter{next: a.opt.Transport, opt: a.opt, installation: token.key.installation}
	subject := fmt.Sprintf("%d/%d/%s", token.key.installation, token.key.repository, token.key.permissions)
	chain := a.chain(subject, a.gateOf(token.key.installation), &bearer{next: wire, source: token})
	return connect(a.at, chain)
}

// Installation returns a client for one repository, with a token limited to the permissions. The repository is
// identified by its number, which survives renames.
func (a *App) Installation(ctx context.Context, installation, repository int64, permissions Permissions) (*Client, error) {
	doing := fmt.Sprintf("open repository %d of installation %d", repository, installation)
	if repository == 0 || len(permissions) == 0 {
		return nil, &Error{Kind: ErrRefused, Doing: doing, Said: "a token is made for one repository and some permissions"}
	}
	self, err := a.Identity(ctx)
	if err != nil {
		return nil, err
	}
	key := tokenKey{installation: installation, repository: repository, permissions: permissions.String()}
	token := a.tokens.get(key, permissions)
	if _, err := token.token(ctx); err != nil {
		return nil, a.opt.explain(ctx, doing, "", err)
	}
	owner, name, ok := token.name()
	if !ok {
		return nil, &Error{Kind: ErrGone, Doing: doing, Said: "the token names no repository"}
	}
	return &Client{
		opt: a.opt, at: a.at, api: a.speaker(token), source: token, owner: owner, name: name,
		login: self.Login, appID: a.id, largest: largestCommit,
	}, nil
}

// Forget drops the cached tokens of a repository so the next client uses its new name and permissions. Call it when a
// webhook reports a change or the repository was not found.
func (a *App) Forget(repository int64) { a.tokens.forget(repository) }

// Reopen allows the next request of an installation despite a rate limit, at most once a minute. It serves users who
// ask for a retry because they may know that the limit is over.
func (a *App) Reopen(installation int64) { a.gateOf(installation).open(a.opt.Now()) }

// Self is GitHub's view of the App.
type Self struct {
	Slug        string
	Login       string // author of its commits and comments: "slug[bot]"
	URL         string // public page, with the install button
	Permissions Permissions
	Events      []string

	skew string
}

// Self looks up the App.
func (a *App) Self(ctx context.Context) (Self, error) {
	app, resp, err := a.api.Apps.Get(ctx, "")
	if err != nil {
		return Self{}, a.opt.explain(ctx, fmt.Sprintf("look up GitHub App %d", a.id), "", err)
	}
	return Self{
		Slug: app.GetSlug(), Login: app.GetSlug() + botSuffix, URL: app.GetHTMLURL(), Permissions: permissionsOf(app.GetPermissions()), Events: app.Events,
		skew: a.opt.skew(resp.Response),
	}, nil
}

// Identity returns the cached result of Self.
func (a *App) Identity(ctx context.Context) (Self, error) {
	a.mu.Lock()
	known := a.self
	a.mu.Unlock()
	if known != nil {
		return *known, nil
	}
	self, err := a.Self(ctx)
	if err != nil {
		return Self{}, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.self = &self
	return self, nil
}

// Installation is an account's installation of the App.
type Installation struct {
	ID          int64
	Account     string
	Suspended   bool
	Permissions Permissions // granted permissions, which may be fewer than the App requests today
	Events      []string
	URL         string // settings page, where the owner accepts requested permissions
}

func installationOf(i *gh.Installation) Installation {
	return Installation{
		ID: i.GetID(), Account: i.GetAccount().GetLogin(), Suspended: i.SuspendedAt != nil,
		Permissions: permissionsOf(i.GetPermissions()), Events: i.Events, URL: i.GetHTMLURL(),
	}
}

// Installations lists the App's installations.
func (a *App) Installations(ctx context.Context) ([]Installation, error) {
	var out []Installation
	err := paged(func(page gh.ListOptions) (*gh.Response, error) {
		found, resp, err := a.api.Apps.ListInstallations(ctx, &page)
		for _, i := range found {
			out = append(out, installationOf(i))
		}
		return resp, err
	})
	return out, a.opt.explain(ctx, "list installations", "", err)
}

// Repositories lists the repositories that an installation grants access to.
func (a *App) Repositories(ctx context.Context, installation int64) ([]Repository, error) {
	permissions := Permissions{"metadata": "read"}
	key := tokenKey{installation: installation, permissions: permissions.String()}
	api := a.speaker(a.tokens.get(key, permissions))
	var out []Repository
	err := paged(func(page gh.ListOptions) (*gh.Response, error) {
		found, resp, err := api.Apps.ListRepos(ctx, &page)
		if err == nil {
			for _, r := range found.Repositories {
				out = append(out, repositoryOf(r))
			}
		}
		return resp, err
	})
	return out, a.opt.explain(ctx, fmt.Sprintf("list the repositories of installation %d", installation), "metadata=read", err)
}

const perPage = 100

func paged(ask func(gh.ListOptions) (*gh.Response, error)) error {
	for page := (gh.ListOptions{PerPage: perPage}); ; {
		resp, err := ask(page)
		if err != nil || resp.NextPage == 0 {
			return err
		}
		page.Page = resp.NextPage
	}
}
