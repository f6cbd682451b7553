package githubsim

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/cgi" //nolint:gosec // the attack was on Go before 1.6.3
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// backend is git's own server for smart HTTP.
var backend = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("git", "--exec-path").Output()
	if err != nil {
		return "", fmt.Errorf("find git http-backend: %w", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "git-http-backend"), nil
})

// gitCall is one request of git's smart protocol.
type gitCall struct {
	call
	service string
	rest    string // of the path, behind the repository
}

// serveGit lets git clone, fetch and push.
func (s *Server) serveGit(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	c, err := s.gitCall(r)
	fault := s.fault(c.op)
	s.mu.Unlock()
	if fault != nil {
		s.serve(w, r, fault, func() answer {
			kept := &recorder{answer: answer{header: http.Header{}}}
			s.transfer(kept, c, err)
			return kept.done()
		})
		return
	}
	s.transfer(w, c, err)
}

// transfer answers a request. A push has the server to itself, a fetch does not keep others waiting.
func (s *Server) transfer(w http.ResponseWriter, c *gitCall, err error) {
	if err == nil && c.service == "git-receive-pack" && c.r.Method == http.MethodPost {
		err = s.receive(w, c)
	} else if err == nil {
		err = s.upload(w, c)
	}
	if err != nil {
		s.refuseGit(w, c, err)
	}
}

func (s *Server) gitCall(r *http.Request) (*gitCall, error) {
	name, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), ".git/")
	c := &gitCall{call: call{s: s, r: r, who: anonymous}, rest: rest, service: rest}
	if rest == "info/refs" {
		c.service = r.URL.Query().Get("service")
	}
	c.op = c.service
	owner, short, _ := strings.Cut(name, "/")
	if err := c.identify(); err != nil {
		return c, err
	}
	if repo, ok := s.moved[lower(name)]; ok && c.who.sees(repo) {
		to := s.url + "/" + repo.fullName() + ".git/" + rest
		if r.URL.RawQuery != "" {
			to += "?" + r.URL.RawQuery
		}
		return c, &refusal{status: http.StatusMovedPermanently, message: "Moved Permanently", header: http.Header{"Location": {to}}}
	}
	c.repo = s.lookup(owner, short)
	return c, c.allow()
}

// allow reports whether a transfer may be made. Who did not say who they are is asked first.
func (c *gitCall) allow() error {
	need := "contents:read"
	if c.service == "git-receive-pack" {
		need = "contents:write"
	}
	open := c.repo != nil && !c.repo.private && need == "contents:read"
	switch {
	case !open && !c.who.known():
		return &refusal{status: http.StatusUnauthorized, message: "Authentication required.", header: http.Header{"Www-Authenticate": {`Basic realm="GitHub"`}}}
	case c.repo == nil || !c.who.sees(c.repo):
		return fail(http.StatusNotFound, "Repository not found.")
	case !open && !c.who.may(c.repo, need):
		return fail(http.StatusForbidden, "Write access to repository not granted.")
	case c.repo.archived && need == "contents:write":
		return fail(http.StatusForbidden, "This repository was archived so it is read-only.")
	}
	return nil
}

func (s *Server) refuseGit(w http.ResponseWriter, c *gitCall, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := c.refuse(err)
	a.header.Set("Content-Type", "text/plain; charset=utf-8")
	a.body = []byte(strings.TrimPrefix(err.Error(), fmt.Sprint(a.status)+" ") + "\n")
	s.note(&c.call, a.status)
	a.send(w)
}

// upload lets a client read.
func (s *Server) upload(w http.ResponseWriter, c *gitCall) error {
	s.mu.Lock()
	c.noteTransfer(false)
	s.mu.Unlock()
	return c.run(w, c.r)
}

// receive takes a push in and follows up on every reference that it moved.
func (s *Server) receive(w http.ResponseWriter, c *gitCall) error {
	pack, err := readPack(c.r)
	if err != nil {
		return fail(http.StatusBadRequest, "the request ended too early")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	before, err := c.repo.git.refs()
	if err != nil {
		return err
	}
	r := c.r.Clone(c.r.Context())
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(pack)), int64(len(pack))
	r.Header.Del("Content-Encoding")
	r.TransferEncoding = nil
	if err := c.run(w, r); err != nil {
		return err
	}
	after, err := c.repo.git.refs()
	if err != nil {
		return err
	}
	c.noteTransfer(string(pack) != flush)
	return c.followUp(before, after)
}

// flush is all that git sends to find out whether it may push, before it sends much.
const flush = "0000"

// readPack reads all that a client pushes, so that a slow one does not keep the server.
func readPack(r *http.Request) ([]byte, error) {
	if r.Header.Get("Content-Encoding") != "gzip" {
		return io.ReadAll(r.Body)
	}
	zip, err := gzip.NewReader(r.Body)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(zip)
}

func (c *gitCall) followUp(before, after map[string]string) error {
	all := map[string]string{}
	for _, refs := range []map[string]string{before, after} {
		for ref := range refs {
			all[ref] = zero
		}
	}
	for _, ref := range sorted(all) {
		was, is := before[ref], after[ref]
		if was == "" {
			was = zero
		}
		if is == "" {
			is = zero
		}
		if err := c.repo.moved(ref, was, is, c.who.login); err != nil {
			c.s.violate("push to %s: the simulator failed: %v", c.repo.fullName(), err)
		}
	}
	return nil
}

func (c *gitCall) noteTransfer(pushes bool) {
	r := Request{Operation: c.op, Method: c.r.Method, Path: c.r.URL.Path, Status: http.StatusOK, Repository: c.repo.fullName()}
	r.Write = pushes
	c.s.requests = append(c.s.requests, r)
}

// whole is a copy of a request whose length is known: git sends what is larger than http.postBuffer in chunks, and CGI has no
// such thing.
func whole(r *http.Request) (*http.Request, error) {
	out := r.Clone(r.Context())
	if len(r.TransferEncoding) == 0 {
		return out, nil
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	out.Body, out.ContentLength, out.TransferEncoding = io.NopCloser(bytes.NewReader(body)), int64(len(body)), nil
	return out, nil
}

// run hands a request to git.
func (c *gitCall) run(w http.ResponseWriter, r *http.Request) error {
	program, err := backend()
	if err != nil {
		return err
	}
	r, err = whole(r)
	if err != nil {
		return fail(http.StatusBadRequest, "the request ended too early")
	}
	r.URL.Path = "/" + filepath.Base(c.repo.git.dir) + "/" + c.rest
	r.Header.Del("Authorization") // no secret belongs into the environment of a process
	handler := &cgi.Handler{
		Path: program, Dir: c.s.dir, Stderr: io.Discard,
		Env: environment(
			"GIT_PROJECT_ROOT="+c.s.dir, "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER="+c.who.login, "GIT_PROTOCOL="+r.Header.Get("Git-Protocol"),
		),
	}
	handler.ServeHTTP(w, r)
	return nil
}
