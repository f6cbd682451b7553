package githubsim

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"slices"
	"strings"
)

type gitCall struct {
	call
	service string
	rest    string // path after the repository
}

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

// transfer answers a request. A push holds the server's lock; a fetch does not block other requests.
func (s *Server) transfer(w http.ResponseWriter, c *gitCall, err error) {
	var input []byte
	if err == nil {
		input, err = readInput(c.r)
	}
	switch {
	case err != nil:
	case c.service == "git-receive-pack" && c.r.Method == http.MethodPost:
		err = s.receive(w, c, input)
	default:
		s.mu.Lock()
		c.noteTransfer(false)
		s.mu.Unlock()
		err = c.run(w, input)
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

// allow checks the caller's permission. Anonymous callers get a 401 so git asks for credentials.
func (c *gitCall) allow() error {
	need := "contents:read"
	if c.service == "git-receive-pack" {
		need = "contents:write"
	}
	open := c.repo != nil && !c.repo.private && need == "contents:read"
	switch {
	case !open && !c.who.known():
		return &refusal{status: http.StatusUnauthorized, message: "Authentication required.", header: http.Header{"Www-Authenticate": {`Basic realm="GitHub"`}}}
	case c.repo == nil || !c.who.sees(c.repo) || c.service != "git-upload-pack" && c.service != "git-receive-pack":
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

// receive accepts a push, then updates pull requests and delivers webhooks for each changed reference.
func (s *Server) receive(w http.ResponseWriter, c *gitCall, pack []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, err := c.repo.git.branchesAndTags()
	if err != nil {
		return err
	}
	if err := c.run(w, pack); err != nil {
		return err
	}
	after, err := c.repo.git.branchesAndTags()
	if err != nil {
		return err
	}
	c.noteTransfer(string(pack) != flush)
	return c.followUp(before, after)
}

// flush is git's flush packet. Git sends it alone to check for push access before a large push.
const flush = "0000"

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

// run executes a git service. For protocol version 2, capabilities and ls-refs are answered here, everything else by
// git.
func (c *gitCall) run(w http.ResponseWriter, input []byte) error {
	asksFirst := c.rest == "info/refs"
	kind := map[bool]string{true: "advertisement", false: "result"}[asksFirst]
	w.Header().Set("Content-Type", "application/x-"+c.service+"-"+kind)
	w.Header().Set("Cache-Control", "no-cache")
	protocol := c.r.Header.Get("Git-Protocol")
	if c.service == "git-upload-pack" && strings.Contains(protocol, "version=2") {
		if asksFirst {
			_, _ = io.WriteString(w, capabilities())
			return nil
		}
		if command, arguments := readCommand(input); command == "ls-refs" {
			text, err := c.repo.git.advertise(arguments)
			if err == nil {
				_, _ = io.WriteString(w, text) //nolint:gosec // a git client reads it, not a browser
			}
			return err
		}
	}
	args := []string{strings.TrimPrefix(c.service, "git-"), "--stateless-rpc", c.repo.git.dir}
	if asksFirst {
		args = slices.Insert(args, 2, "--advertise-refs")
		_, _ = io.WriteString(w, packet("# service="+c.service+"\n")+flush)
	}
	cmd := exec.CommandContext(c.r.Context(), "git", args...) //nolint:gosec // the service is one of two
	cmd.Env, cmd.Stdin, cmd.Stdout = environment("GIT_PROTOCOL="+protocol), bytes.NewReader(input), w
	_ = cmd.Run() // the answer has started: git has reported the error, or the client is gone
	return nil
}
