package githubsim

import (
	"net/http"
	"slices"
)

// Request is a logged API or git request.
type Request struct {
	Operation  string // operationId, "graphql/createCommitOnBranch", "git-upload-pack"
	Method     string
	Path       string
	Status     int
	Repository string // full name; empty: none
	Write      bool
}

// Requests lists all requests in the order of their answers.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Writes lists the requests that asked for a change in a repository, granted or not. It excludes requests that a fault
// stopped.
func (s *Server) Writes(repo *Repository) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return only(s.requests, func(r Request) bool { return r.Write && r.Repository == repo.fullName() })
}

func (s *Server) note(c *call, status int) {
	r := Request{Operation: c.op, Method: c.r.Method, Path: c.r.URL.Path, Status: status}
	if c.repo != nil {
		r.Repository = c.repo.fullName()
		r.Write = c.r.Method != http.MethodGet && c.op != uploadPack
	}
	s.requests = append(s.requests, r)
}
