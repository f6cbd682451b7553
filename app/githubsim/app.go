package githubsim

import (
	"cmp"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// App is the registration of a GitHub App.
type App struct {
	ID           int64
	Slug, Name   string
	Owner        string          // login
	Key          *rsa.PrivateKey // default: one key shared by the process
	Secret       string          // webhook secret
	WebhookURL   string          // empty: no deliveries
	HomePage     string
	Permissions  map[string]string // default: the permissions that causal needs
	Events       []string          // default: the events that causal needs
	ClientID     string
	ClientSecret string
	Callbacks    []string // allowed OAuth redirect URLs; nil: any
	created      time.Time
}

// ownKey is shared by all Apps of the process because generating a key is slow.
var ownKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

func (a *App) complete(id int64) error {
	a.ID, a.Slug, a.Owner = cmp.Or(a.ID, id), cmp.Or(a.Slug, "causal"), cmp.Or(a.Owner, "octo")
	a.Name = cmp.Or(a.Name, a.Slug)
	a.HomePage = cmp.Or(a.HomePage, "https://example.com")
	a.Secret = cmp.Or(a.Secret, "simulated-webhook-secret")
	if a.ClientID == "" {
		a.ClientID, a.ClientSecret = fmt.Sprintf("Iv1.%016x", a.ID), fmt.Sprintf("%040x", a.ID)
	}
	if a.Permissions == nil {
		a.Permissions = map[string]string{
			"metadata": "read", "contents": "write", "pull_requests": "write", "checks": "write", "issues": "write", "merge_queues": "read",
		}
	}
	if a.Events == nil {
		a.Events = []string{"push", "pull_request", "check_run", "check_suite", "merge_group", "repository", "create", "delete",
			"issue_comment", "pull_request_review_comment", "pull_request_review_thread"}
	}
	var err error
	if a.Key == nil {
		a.Key, err = ownKey()
	}
	return err
}

// Bot returns the login that the App writes with.
func (a *App) Bot() string { return a.Slug + "[bot]" }

// PEM returns the private key in the format that GitHub hands out.
func (a *App) PEM() string {
	block := &pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(a.Key)}
	return string(pem.EncodeToMemory(block))
}

type installation struct {
	id          int64
	app         *App
	account     *account
	permissions map[string]string
	events      []string
	created     time.Time
	repos       []*Repository
}

func (i *installation) has(repo *Repository) bool { return slices.Contains(i.repos, repo) }

// Install installs the App on repositories of one owner and returns the installation's id. GitHub sends "installation"
// the first time and "installation_repositories" afterwards.
func (s *Server) Install(repos ...*Repository) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(repos) == 0 || s.app == nil {
		return 0, errors.New("install: there must be an App and a repository")
	}
	owner := s.account(repos[0].owner)
	for _, repo := range repos {
		if repo.owner != owner.login {
			return 0, fmt.Errorf("install on %s: %s belongs to another", owner.login, repo.fullName())
		}
	}
	return s.install(owner, repos).id, nil
}

func (s *Server) install(owner *account, repos []*Repository) *installation {
	in := s.installationOf(owner)
	known := in != nil
	if !known {
		in = &installation{id: s.id(), app: s.app, account: owner, permissions: maps.Clone(s.app.Permissions), events: s.app.Events, created: s.time()}
		s.installations = append(s.installations, in)
	}
	for _, repo := range repos {
		if !in.has(repo) {
			in.repos = append(in.repos, repo)
		}
	}
	if known {
		s.tellInstallationRepositories(in, "added", repos)
	} else {
		s.tellInstallation(in, "created")
	}
	return in
}

// Uninstall removes the App from a repository. Removing the last repository deletes the installation.
func (s *Server) Uninstall(repo *Repository) {
	s.mu.Lock()
	defer s.mu.Unlock()
	in := s.installationFor(repo)
	if in == nil {
		return
	}
	if len(in.repos) == 1 {
		s.tellInstallation(in, "deleted")
		s.installations = slices.DeleteFunc(s.installations, func(i *installation) bool { return i == in })
		return
	}
	in.repos = slices.DeleteFunc(in.repos, func(r *Repository) bool { return r == repo })
	s.tellInstallationRepositories(in, "removed", []*Repository{repo})
}

// Permit changes one permission of an owner's installation. An empty level removes it.
func (s *Server) Permit(owner, permission, level string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	in := s.installationOf(s.account(owner))
	if in == nil {
		return
	}
	if level == "" {
		delete(in.permissions, permission)
		return
	}
	in.permissions[permission] = level
}

// SetWebhook sets the App's webhook URL and sends a ping to it.
func (s *Server) SetWebhook(url string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.app == nil {
		return
	}
	s.app.WebhookURL = url
	s.tellPing()
}

func (s *Server) installationOf(a *account) *installation {
	return first(s.installations, func(in *installation) bool { return in.account == a })
}

func (s *Server) installationFor(repo *Repository) *installation {
	return first(s.installations, func(in *installation) bool { return in.has(repo) })
}

type account struct {
	id      int64
	login   string
	kind    string // User, Organization or Bot
	created time.Time
}

func (s *Server) account(login string) *account {
	if a, ok := s.accounts[lower(login)]; ok {
		return a
	}
	a := &account{id: s.id(), login: login, kind: "User", created: s.time()}
	if isBot(login) {
		a.kind = "Bot"
	}
	s.accounts[lower(login)] = a
	return a
}
