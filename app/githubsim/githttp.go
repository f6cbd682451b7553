package githubsim

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"slices"
	"strings"
)

// uploadPack is the service that fetches read from. The simulator accepts no pushes: tests call Repository.Push.
const uploadPack = "git-upload-pack"

type gitCall struct {
	call
	service string
	rest    string // path after the repository
}

func (s *Server) serveGit(w http.ResponseWriter, r *http.Request) {
	input, err := readInput(r)
	s.mu.Lock()
	c, refused := s.gitCall(r)
	if err = cmp.Or(err, refused); err == nil {
		s.note(&c.call, http.StatusOK)
	}
	s.mu.Unlock()
	if err != nil {
		s.refuseGit(w, c, err)
		return
	}
	c.run(w, input) // without the lock, so that a fetch does not block other requests
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
	c.repo = s.lookup(owner, short)
	return c, c.allow()
}

// allow checks the caller's permission. Anonymous callers get a 401 so git asks for credentials.
func (c *gitCall) allow() error {
	open := c.repo != nil && !c.repo.private
	switch {
	case !open && !c.who.known():
		return &refusal{status: http.StatusUnauthorized, message: "Authentication required.", header: http.Header{"Www-Authenticate": {`Basic realm="GitHub"`}}}
	case c.repo == nil || !c.who.sees(c.repo) || c.service != uploadPack:
		return fail(http.StatusNotFound, "Repository not found.")
	case !open && !c.who.may(c.repo, "contents:read"):
		return fail(http.StatusForbidden, "Access to repository not granted.")
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

// readInput reads the whole request body first so a slow client does not hold the lock.
func readInput(r *http.Request) ([]byte, error) {
	var body io.Reader = r.Body
	if r.Header.Get("Content-Encoding") == "gzip" {
		unzipped, err := gzip.NewReader(r.Body)
		if err != nil {
			return nil, fail(http.StatusBadRequest, "the request is not compressed as it says")
		}
		body = unzipped
	}
	input, err := io.ReadAll(body)
	if err != nil {
		return nil, fail(http.StatusBadRequest, "the request ended too early")
	}
	return input, nil
}

// run executes a git service. Errors after the answer has started are git's to report.
func (c *gitCall) run(w http.ResponseWriter, input []byte) {
	asksFirst := c.rest == "info/refs"
	kind := map[bool]string{true: "advertisement", false: "result"}[asksFirst]
	w.Header().Set("Content-Type", "application/x-"+c.service+"-"+kind)
	w.Header().Set("Cache-Control", "no-cache")
	args := []string{strings.TrimPrefix(c.service, "git-"), "--stateless-rpc", c.repo.git.dir}
	if asksFirst {
		args = slices.Insert(args, 2, "--advertise-refs")
		_, _ = io.WriteString(w, "001e# service=git-upload-pack\n0000")
	}
	cmd := exec.CommandContext(c.r.Context(), "git", args...) //nolint:gosec // the service is uploadPack
	cmd.Env, cmd.Stdin, cmd.Stdout = environment("GIT_PROTOCOL="+c.r.Header.Get("Git-Protocol")), bytes.NewReader(input), w
	_ = cmd.Run()
}
