package githubsim

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

type principal struct {
	login        string
	app          *App          // set: authenticated as the App by a JWT
	installation *installation // set: authenticated as an installation
	by           *App          // owner of the checks and comments written; nil for a user
	everything   bool          // a personal access token: all permissions
	user         bool          // a user token issued by the App's OAuth flow
	repos        []*Repository // nil: all repositories of the installation
	permissions  map[string]string
	expires      time.Time // zero: never
	selected     bool
}

var anonymous = &principal{}

func (p *principal) known() bool { return p.login != "" || p.app != nil }

// bucket returns the name of the principal's rate limit, as GitHub's messages spell it.
func (p *principal) bucket() string {
	switch {
	case p.installation != nil:
		return fmt.Sprintf("installation ID %d", p.installation.id)
	case p.app != nil:
		return fmt.Sprintf("app ID %d", p.app.ID)
	case p.login != "":
		return "user " + p.login
	}
	return "127.0.0.1"
}

func (p *principal) sees(repo *Repository) bool { return !repo.private || p.reaches(repo) }

func (p *principal) reaches(repo *Repository) bool {
	switch {
	case p.everything:
		return true
	case p.repos != nil:
		return slices.Contains(p.repos, repo)
	}
	return p.installation != nil && p.installation.has(repo)
}

func (p *principal) may(repo *Repository, needed string) bool {
	name, level, _ := strings.Cut(needed, ":")
	if level == "read" && !repo.private && p.known() {
		return true
	}
	if !p.reaches(repo) {
		return false
	}
	if p.everything {
		return true
	}
	has := p.permissions[name]
	if name == "metadata" && has == "" {
		has = "read"
	}
	return has == level || level == "read" && has == "write" || has == "admin"
}

// Token creates a personal access token with all permissions.
func (s *Server) Token(login string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.account(login)
	return s.issue("ghp_", &principal{login: login, everything: true})
}

// ActionsToken creates a workflow token: for one repository, as github-actions[bot].
func (s *Server) ActionsToken(repo *Repository, permissions map[string]string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.issue("ghs_", &principal{
		login: s.actions.Bot(), by: s.actions, repos: []*Repository{repo}, permissions: maps.Clone(permissions), expires: s.time().Add(24 * time.Hour),
	})
}

// issue creates a token for a principal. Tokens are longer than 40 characters, like those of today's Apps, to catch
// clients that assume 40.
func (s *Server) issue(prefix string, p *principal) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %s", prefix, s.id(), s.url))
	token := prefix + hex.EncodeToString(sum[:]) + hex.EncodeToString(sum[:16])
	s.tokens[token] = p
	return token
}

func (s *Server) identify(r *http.Request) (*principal, error) {
	header := r.Header.Get("Authorization")
	if header == "" {
		return anonymous, nil
	}
	scheme, token, _ := strings.Cut(header, " ")
	if strings.EqualFold(scheme, "basic") {
		_, token, _ = r.BasicAuth()
	}
	if strings.Count(token, ".") == 2 {
		return s.appBySignature(token)
	}
	p, ok := s.tokens[token]
	if !ok || !p.expires.IsZero() && !s.time().Before(p.expires) {
		return nil, fail(http.StatusUnauthorized, "Bad credentials")
	}
	if p.installation != nil && !slices.Contains(s.installations, p.installation) {
		return nil, fail(http.StatusUnauthorized, "Bad credentials")
	}
	return p, nil
}

type claims struct {
	Issued  json.Number     `json:"iat"`
	Expires json.Number     `json:"exp"`
	Issuer  json.RawMessage `json:"iss"`
}

func (s *Server) appBySignature(token string) (*principal, error) {
	parts := strings.Split(token, ".")
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return nil, fail(http.StatusUnauthorized, "A JSON web token could not be decoded")
	}
	var c claims
	if err := json.Unmarshal(payload, &c); err != nil {
		return nil, fail(http.StatusUnauthorized, "A JSON web token could not be decoded")
	}
	issuer := strings.Trim(string(c.Issuer), `"`)
	if s.app == nil || issuer != strconv.FormatInt(s.app.ID, 10) && issuer != s.app.ClientID {
		return nil, fail(http.StatusNotFound, "Integration not found")
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if err != nil || rsa.VerifyPKCS1v15(&s.app.Key.PublicKey, crypto.SHA256, sum[:], signature) != nil {
		return nil, fail(http.StatusUnauthorized, "A JSON web token could not be decoded")
	}
	if err := c.check(s.time()); err != nil {
		return nil, err
	}
	return &principal{app: s.app}, nil
}

func (c claims) check(now time.Time) error {
	issued, err := c.Issued.Float64()
	if err != nil || time.Unix(int64(issued), 0).After(now.Add(30*time.Second)) {
		return fail(http.StatusUnauthorized, "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued")
	}
	expires, err := c.Expires.Float64()
	if err != nil || !time.Unix(int64(expires), 0).After(now) {
		return fail(http.StatusUnauthorized, "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires")
	}
	if time.Unix(int64(expires), 0).After(now.Add(10*time.Minute + 30*time.Second)) {
		return fail(http.StatusUnauthorized, "'Expiration time' claim ('exp') is too far in the future")
	}
	return nil
}
