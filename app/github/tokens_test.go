package github

import (
	"context"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const askToken = "POST /app/installations/3/access_tokens"

var reading = Permissions{"contents": "read", "metadata": "read"}

// mints answers with tokens that end after an hour, numbered, for the repository octo/shop.
func (f *fake) mints() http.HandlerFunc {
	var n atomic.Int64 // tokens of several repositories are made at once
	return func(w http.ResponseWriter, r *http.Request) {
		says(201, object{
			"token": fmt.Sprintf("ghs_%d", n.Add(1)), "expires_at": f.clock.Now().Add(time.Hour),
			"repositories": []object{{"id": 5, "name": "shop", "full_name": "octo/shop"}},
		})(w, r)
	}
}

func newInstallation(t *testing.T) (*fake, *App) {
	f := newFake(t)
	f.on(askToken, f.mints())
	f.on("GET /app", says(200, object{"id": 7, "slug": "causal"}))
	f.on(getRepository, says(200, shop))
	return f, f.app()
}

func TestTokensAreScopedAndKept(t *testing.T) {
	f, a := newInstallation(t)
	ctx := t.Context()
	open := func(repository int64, permissions Permissions) *Client {
		t.Helper()
		c, err := a.Installation(ctx, 3, repository, permissions)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := open(5, reading)
	if c.FullName() != "octo/shop" || c.login != "causal[bot]" || !strings.HasSuffix(c.GitURL(), "/octo/shop.git") {
		t.Errorf("client of %s as %s from %s", c.FullName(), c.login, c.GitURL())
	}
	want := `{"repository_ids":[5],"permissions":{"contents":"read","metadata":"read"}}`
	if got := strings.TrimSpace(f.last().body); got != want {
		t.Errorf("asked for %s, want %s", got, want)
	}
	steps := []struct {
		what        string
		pass        time.Duration
		repository  int64
		permissions Permissions
		tokens      int
	}{
		{"the same again", 0, 5, reading, 1},
		{"more permissions", 0, 5, Permissions{"contents": "write"}, 2},
		{"another repository", 0, 6, reading, 3},
		{"just before the last minute", 58*time.Minute + 59*time.Second, 5, reading, 3},
		{"a minute before its end", time.Second, 5, reading, 4},
	}
	for _, step := range steps {
		f.clock.pass(step.pass)
		open(step.repository, step.permissions)
		if got := f.times(askToken); got != step.tokens {
			t.Errorf("%s: %d tokens made, want %d", step.what, got, step.tokens)
		}
	}
}

func TestEndedTokensAreForgotten(t *testing.T) {
	f, a := newInstallation(t)
	for repository := range int64(50) {
		if _, err := a.Installation(t.Context(), 3, repository+1, reading); err != nil {
			t.Fatal(err)
		}
		f.clock.pass(20 * time.Minute)
	}
	if n := len(a.tokens.byKey); n > 4 {
		t.Errorf("%d tokens are kept, most of which have ended", n)
	}
}

func TestRefusedTokenIsReplacedOnce(t *testing.T) {
	f, a := newInstallation(t)
	c, err := a.Installation(t.Context(), 3, 5, reading)
	if err != nil {
		t.Fatal(err)
	}
	bad := says(401, message("Bad credentials"))
	f.on(getRepository, bad, says(200, shop))
	if _, err := c.Repository(t.Context()); err != nil {
		t.Errorf("with a token that was revoked: %v", err)
	}
	if got := f.last().header.Get("Authorization"); got != "Bearer ghs_2" {
		t.Errorf("the second attempt had %q", got)
	}
	f.on(getRepository, bad)
	if _, err := c.Repository(t.Context()); !errors.Is(err, ErrCredentials) {
		t.Error(problem(err, ErrCredentials))
	}
	if got := f.times(askToken); got != 3 {
		t.Errorf("%d tokens made, want one for each refusal and the first", got)
	}
}

func TestTokenThatCannotBeHad(t *testing.T) {
	for name, test := range map[string]struct {
		answer http.HandlerFunc
		kind   error
		says   string
	}{
		"installation gone": {says(404, message("Not Found")), ErrInstallation, "Not Found"},
		"suspended":         {says(403, message("This installation has been suspended")), ErrInstallation, "suspended"},
		"not granted": {says(422, message("The permissions requested are not granted to this installation.")),
			ErrForbidden, "contents=read metadata=read"},
		"repository gone": {says(422, message("There is at least one repository that does not exist or is not accessible "+
			"to the parent installation.")), ErrGone, ""},
		"clock": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Date", start.Add(-10*time.Minute).Format(http.TimeFormat))
			says(401, message("'Expiration time' claim ('exp') is too far in the future"))(w, r)
		}, ErrCredentials, "the clock of this machine is 10m0s ahead of GitHub's"},
		"slow clock": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Date", start.Add(10*time.Minute).Format(http.TimeFormat))
			says(401, message("'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued"))(w, r)
		}, ErrCredentials, "10m0s behind GitHub's"},
		"wrong key": {says(401, message("A JSON web token could not be decoded")), ErrCredentials, "could not be decoded"},
		"no token":  {says(201, object{}), ErrRefused, "no token"},
		"502":       {says(502, nil), ErrUnavailable, "502"},
	} {
		t.Run(name, func(t *testing.T) {
			f, a := newInstallation(t)
			f.on(askToken, test.answer)
			_, err := a.Installation(t.Context(), 3, 5, reading)
			if !errors.Is(err, test.kind) || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s, with %q in one line", problem(err, test.kind), test.says)
			}
		})
	}
}

func TestUnknownPermissionIsAnError(t *testing.T) {
	f, a := newInstallation(t)
	_, err := a.Installation(t.Context(), 3, 5, Permissions{"content": "read"})
	if !errors.Is(err, ErrRefused) || f.times(askToken) != 0 {
		t.Error(problem(err, ErrRefused))
	}
}

func TestAppIsUsedByManyAtOnce(t *testing.T) {
	f, a := newInstallation(t)
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			c, err := a.Installation(t.Context(), 3, int64(5+i%2), reading)
			if err == nil {
				_, err = c.Repository(t.Context())
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if got := f.times(askToken); got != 2 {
		t.Errorf("%d tokens made for two repositories", got)
	}
}

func TestWaitingForATokenEnds(t *testing.T) {
	_, a := newInstallation(t)
	token := a.tokens.get(tokenKey{installation: 3, repository: 5}, reading)
	token.turn <- struct{}{} // another goroutine is requesting a token
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := token.token(ctx); !errors.Is(err, context.Canceled) {
		t.Error(problem(err, context.Canceled))
	}
}

func TestNewApp(t *testing.T) {
	for name, config := range map[string]Config{
		"no ID":       {PrivateKey: testKey()},
		"no key":      {ID: 7},
		"another PEM": {ID: 7, PrivateKey: []byte("-----BEGIN X-----\nAAAA\n-----END X-----\n")},
		"bad address": {ID: 7, PrivateKey: testKey(), Options: Options{BaseURL: "ghe"}},
	} {
		if _, err := NewApp(config); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestKeyForms(t *testing.T) {
	block, _ := pem.Decode(testKey())
	key, err := x509.ParsePKCS1PrivateKey(block.Bytes)
	must(t, err)
	newer, err := x509.MarshalPKCS8PrivateKey(key)
	must(t, err)
	_, curve, err := ed25519.GenerateKey(nil)
	must(t, err)
	other, err := x509.MarshalPKCS8PrivateKey(curve)
	must(t, err)
	for name, test := range map[string]struct {
		der []byte
		ok  bool
	}{"PKCS #8": {newer, true}, "another kind of key": {other, false}} {
		_, err := parseKey(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: test.der}))
		if (err == nil) != test.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNewTokenClient(t *testing.T) {
	for name, config := range map[string]TokenConfig{
		"no token":         {Repository: "octo/shop"},
		"no repository":    {Token: "t"},
		"half a name":      {Token: "t", Repository: "octo/"},
		"more than a name": {Token: "t", Repository: "octo/shop/x"},
		"bad address":      {Token: "t", Repository: "octo/shop", Options: Options{BaseURL: "ghe"}},
	} {
		if _, err := NewTokenClient(config); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	c, err := NewTokenClient(TokenConfig{Token: "t", Repository: "octo/shop"})
	must(t, err)
	if token, err := c.Token(t.Context()); err != nil || token != "t" || c.GitURL() != "https://github.com/octo/shop.git" {
		t.Errorf("token %q for %s, %v", token, c.GitURL(), err)
	}
}

func TestRevokedWorkflowTokenIsRefused(t *testing.T) {
	f := newFake(t)
	f.on(getRepository, says(401, message("Bad credentials")))
	if _, err := f.client().Repository(t.Context()); !errors.Is(err, ErrCredentials) || f.times(getRepository) != 1 {
		t.Errorf("%s, asked %d times", problem(err, ErrCredentials), f.times(getRepository))
	}
}
