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

// receive takes a push in and follows up on every reference that it moved.
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

// flush ends a part of git's protocol. It is all that git sends to find out whether it may push, before it sends much.
const flush = "0000"

// readInput reads all that a client sends, so that a slow one does not keep the server.
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

// run answers a request as git does. What a server can do and which references there are is answered here, where the
// client speaks version 2 of the protocol; the rest by git itself.
func (c *gitCall) run(w http.ResponseWriter, input []byte) error {
	asksFirst := c.rest == "info/refs"
	kind := map[bool]string{true: "advertisement", false: "result"}[asksFirst]
	w.Header().Set("Content-Type", "application/x-"+c.service+"-"+kind)
	w.Header().Set("Cache-Control", "no-cache")
	protocol := c.r.Header.Get("Git-Protocol")
	if c.service == "git-upload-pack" && strings.Contains(protocol, "version=2") {
		if asksFirst {
			_, _ = io.WriteString(w, capabilities()) // the client may be gone
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
	_ = cmd.Run() // the answer has begun: either the client is gone, or git has told it what is wrong
	return nil
}
