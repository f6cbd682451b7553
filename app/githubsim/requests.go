package githubsim

import (
	"net/http"
	"slices"
)

// Request is one request that was made of the API or of git.
type Request struct {
	Operation  string // as the description calls it; "graphql/createCommitOnBranch", "git-upload-pack", "git-receive-pack"
	Method     string
	Path       string
	Status     int
	Repository string // full name, empty when it is about none
	Write      bool   // it asked for a change in a repository
}

// Requests lists all requests in the order they were answered in.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Writes lists the requests that asked for a change in a repository, granted or not. Those that a fault kept from being
// carried out are not among them.
func (s *Server) Writes(repo *Repository) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.requests), func(r Request) bool { return !r.Write || r.Repository != repo.fullName() })
}

// note keeps a request in mind.
func (s *Server) note(c *call, status int) {
	r := Request{Operation: c.op, Method: c.r.Method, Path: c.r.URL.Path, Status: status}
	if c.repo != nil {
		r.Repository = c.repo.fullName()
		r.Write = c.r.Method != http.MethodGet
	}
	s.requests = append(s.requests, r)
}
