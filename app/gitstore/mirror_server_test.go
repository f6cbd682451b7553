package gitstore_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/causaldocs/causal/app/gitstore"
)

// server is a remote: git's own http-backend behind a token, with everything counted, and faults on demand.
type server struct {
	*fixture
	url      string
	requests atomic.Int64
	sent     atomic.Int64 // bytes of answers
	received atomic.Int64 // bytes of requests
	status   atomic.Int64 // answered instead, when set
	cutAfter atomic.Int64 // answers to git-upload-pack end after so many bytes, when set

	onRequest atomic.Pointer[func()]

	mu    sync.Mutex
	token string
	seen  []string // URLs and headers that git sent
}

// serve makes a repository and serves it.
func serve(t testing.TB) *server {
	t.Helper()
	out, err := exec.Command("git", "--exec-path").Output()
	if err != nil {
		t.Fatal(err)
	}
	backend := filepath.Join(strings.TrimSpace(string(out)), "git-http-backend")
	if _, err := exec.LookPath(backend); err != nil {
		t.Skip("git-http-backend is not installed")
	}
	s := &server{fixture: newFixture(t), token: "ghs_secret"}
	s.git("config", "uploadpack.allowFilter", "true")
	s.git("config", "uploadpack.allowAnySHA1InWant", "true")
	handler := &cgi.Handler{
		Path: backend, Root: "/octo/shop.git", InheritEnv: []string{"PATH", "HOME", "GIT_CONFIG_GLOBAL"},
		Env: []string{"GIT_PROJECT_ROOT=" + s.path(".git"), "GIT_HTTP_EXPORT_ALL=1"}, Stderr: io.Discard,
	}
	http := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.handle(w, r, handler) }))
	t.Cleanup(http.Close)
	s.url = http.URL + "/octo/shop.git"
	return s
}

func (s *server) handle(w http.ResponseWriter, r *http.Request, git http.Handler) {
	s.requests.Add(1)
	if hook := s.onRequest.Load(); hook != nil {
		(*hook)()
	}
	s.mu.Lock()
	token := s.token
	s.seen = append(s.seen, r.URL.String(), r.Header.Get("Authorization"))
	s.mu.Unlock()
	if code := s.status.Load(); code != 0 {
		w.Header().Set("Location", s.url+"/elsewhere")
		w.WriteHeader(int(code))
		return
	}
	want := "Basic " + base64.StdEncoding.EncodeToString([]byte("x-access-token:"+token))
	if r.Header.Get("Authorization") != want {
		w.Header().Set("WWW-Authenticate", `Basic realm="git"`)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	r.Body = &meter{ReadCloser: r.Body, n: &s.received}
	git.ServeHTTP(&answer{ResponseWriter: w, s: s, cuts: strings.HasSuffix(r.URL.Path, "/git-upload-pack")}, r)
}

type meter struct {
	io.ReadCloser
	n *atomic.Int64
}

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.ReadCloser.Read(p)
	m.n.Add(int64(n))
	return n, err
}

type answer struct {
	http.ResponseWriter
	s       *server
	cuts    bool
	written int64
}

func (a *answer) Write(p []byte) (int, error) {
	a.written += int64(len(p))
	a.s.sent.Add(int64(len(p)))
	if limit := a.s.cutAfter.Load(); limit > 0 && a.cuts && a.written > limit {
		panic(http.ErrAbortHandler)
	}
	return a.ResponseWriter.Write(p)
}

// auth gives out the token that the server takes.
func (s *server) auth(context.Context) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.token, nil
}

// mirror opens a mirror of the server's repository in a directory.
func (s *server) mirror(t testing.TB, dir string) *gitstore.Mirror {
	t.Helper()
	m, err := gitstore.OpenMirror(t.Context(), dir, s.url, s.auth)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

func (s *server) fresh(t testing.TB) *gitstore.Mirror {
	t.Helper()
	return s.mirror(t, filepath.Join(t.TempDir(), "octo", "shop"))
}

// during counts the requests of what fn does.
func (s *server) during(fn func()) int64 {
	before := s.requests.Load()
	fn()
	return s.requests.Load() - before
}

// project writes n small files in directories of 50.
func (s *server) project(n int) {
	for i := range n {
		s.write(fmt.Sprintf("pkg%03d/file%04d.go", i/50, i), fmt.Sprintf("package pkg%03d\n\nconst Value%d = %d\n", i/50, i, i))
	}
}
