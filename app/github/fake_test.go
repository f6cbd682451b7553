package github

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// start is when all tests begin.
var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// clock is a time that passes only by sleeping.
type clock struct {
	mu    sync.Mutex
	now   time.Time
	slept []time.Duration
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func (c *clock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	c.slept = append(c.slept, d)
	return ctx.Err()
}

// fake is a server for answers that the simulated GitHub does not give.
type fake struct {
	t      *testing.T
	server *httptest.Server
	clock  *clock

	mu      sync.Mutex
	answers map[string][]http.HandlerFunc // by "METHOD path"; the last one stays
	seen    []seen
}

type seen struct {
	what, body string
	header     http.Header
}

func newFake(t *testing.T) *fake {
	t.Helper()
	f := &fake{t: t, clock: &clock{now: start}, answers: map[string][]http.HandlerFunc{}}
	f.server = httptest.NewServer(f)
	t.Cleanup(f.server.Close)
	return f
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	what := r.Method + " " + strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/api"), "/v3")
	f.mu.Lock()
	f.seen = append(f.seen, seen{what, string(body), r.Header.Clone()})
	queue := f.answers[what]
	if len(queue) > 1 {
		f.answers[what] = queue[1:]
	}
	f.mu.Unlock()
	w.Header().Set("Date", f.clock.Now().Format(http.TimeFormat))
	if len(queue) == 0 {
		f.t.Errorf("unexpected request %s", what)
		http.NotFound(w, r)
		return
	}
	queue[0](w, r)
}

func (f *fake) on(what string, answers ...http.HandlerFunc) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answers[what] = answers
}

// times counts the requests of a kind.
func (f *fake) times(what string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for _, s := range f.seen {
		if s.what == what {
			n++
		}
	}
	return n
}

func (f *fake) last() seen {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.seen[len(f.seen)-1]
}

func (f *fake) options() Options {
	return Options{
		BaseURL: f.server.URL, Now: f.clock.Now, Sleep: f.clock.Sleep, Transport: f.server.Client().Transport,
	}
}

// client is one with a fixed token.
func (f *fake) client() *Client {
	f.t.Helper()
	c, err := NewTokenClient(TokenConfig{Token: "ghs_secretsecret", Repository: "octo/shop", Options: f.options()})
	if err != nil {
		f.t.Fatal(err)
	}
	return c
}

func (f *fake) app() *App {
	f.t.Helper()
	a, err := NewApp(Config{ID: 7, PrivateKey: testKey(), Options: f.options()})
	if err != nil {
		f.t.Fatal(err)
	}
	return a
}

var testKey = sync.OnceValue(func() []byte {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
})

// says answers with a status and a JSON value; headers alternate names and values.
func says(status int, value any, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for pair := range slices.Chunk(headers, 2) {
			w.Header().Set(pair[0], pair[1])
		}
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(value)
	}
}

type object = map[string]any

func message(text string) object { return object{"message": text} }

// cutShort begins an answer and ends the connection.
func cutShort(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "1000")
	fmt.Fprint(w, `{"full`)
	w.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

// problem is a message for a test that wants another kind of error.
func problem(err error, want error) string {
	return fmt.Sprintf("error %v (%T), want %v", err, err, want)
}
