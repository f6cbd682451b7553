package githubsim

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

const apiPath = "/api/v3"

// routes routes requests, except those of git: its paths have a suffix in the middle.
func (s *Server) routes() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("/api/graphql", s.serveGraphQL)
	for id, op := range operations {
		method, path, _ := strings.Cut(op.route, " ")
		mux.HandleFunc(method+" "+apiPath+path, func(w http.ResponseWriter, r *http.Request) { s.operate(w, r, id, nil) })
	}
	mux.HandleFunc(apiPath+"/repositories/{id}", s.byNumber)
	mux.HandleFunc(apiPath+"/repositories/{id}/", s.byNumber)
	mux.HandleFunc(apiPath+"/", func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.violate("%s %s: not in GitHub's description", r.Method, r.URL.Path)
		s.mu.Unlock()
		s.operate(w, r, "", errNotFound)
	})
	for pattern, serve := range map[string]http.HandlerFunc{ // where the App's set-up and login lead to
		"POST /settings/apps/new": s.registerApp, "POST /organizations/{owner}/settings/apps/new": s.registerApp,
		"GET /login/oauth/authorize": s.authorize, "POST /login/oauth/access_token": s.exchange,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			s.mu.Lock()
			defer s.mu.Unlock()
			serve(w, r)
		})
	}
	return mux
}

// byNumber serves /repositories/ID, GitHub's redirect target for former names, as /repos/OWNER/NAME.
func (s *Server) byNumber(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	i := slices.IndexFunc(s.repositories, func(repo *Repository) bool { return strconv.FormatInt(repo.id, 10) == r.PathValue("id") })
	name := ""
	if i >= 0 {
		name = s.repositories[i].fullName()
	}
	s.mu.Unlock()
	if i < 0 {
		s.operate(w, r, "", errNotFound)
		return
	}
	named := r.Clone(r.Context())
	named.URL.Path = strings.Replace(r.URL.Path, "/repositories/"+r.PathValue("id"), "/repos/"+name, 1)
	named.URL.RawPath = strings.Replace(r.URL.RawPath, "/repositories/"+r.PathValue("id"), "/repos/"+name, 1)
	s.mux.ServeHTTP(w, named)
}
