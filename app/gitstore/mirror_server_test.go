package gitstore_test

import (
	"compress/gzip"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/gitstore"
)

// server is a remote: git's own upload-pack behind a token, with everything counted, and faults on demand.
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
	s := &server{fixture: newFixture(t), token: "ghs_secret"}
	s.configure("[uploadpack]\n\tallowFilter = true\n\tallowAnySHA1InWant = true\n")
	http := httptest.NewServer(http.HandlerFunc(s.handle))
	t.Cleanup(http.Close)
	s.url = http.URL + "/octo/shop.git"
	return s
}

func (s *server) handle(w http.ResponseWriter, r *http.Request) {
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
	s.uploadPack(&answer{ResponseWriter: w, s: s, cuts: strings.HasSuffix(r.URL.Path, "/git-upload-pack")}, r)
}

// uploadPack answers as git-http-backend does, with one process less.
func (s *server) uploadPack(w http.ResponseWriter, r *http.Request) {
	args := []string{"upload-pack", "--stateless-rpc", s.path(".git")}
	kind := "result"
	var body io.Reader = r.Body
	if strings.HasSuffix(r.URL.Path, "/info/refs") {
		args, kind = slices.Insert(args, 2, "--http-backend-info-refs"), "advertisement"
	} else if r.Header.Get("Content-Encoding") == "gzip" {
		unpacked, err := gzip.NewReader(body)
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		body = unpacked
	}
	w.Header().Set("Content-Type", "application/x-git-upload-pack-"+kind)
	cmd := exec.CommandContext(r.Context(), "git", args...)
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") && !strings.HasPrefix(v, "GIT_CONFIG_") }),
		"GIT_PROTOCOL="+r.Header.Get("Git-Protocol"))
	cmd.Stdin, cmd.WaitDelay = body, time.Second
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	defer func() { _ = cmd.Wait() }() // a client that goes away ends it
	_, _ = io.Copy(w, out)
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
