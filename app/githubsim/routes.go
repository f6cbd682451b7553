package githubsim

import (
	"maps"
	"net/http"
	"slices"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// routes are the addresses outside the API that the App's set-up and login lead to.
var routes = []struct {
	method string
	path   *lazyregexp.Regexp
	serve  func(s *Server, w http.ResponseWriter, r *http.Request, found []string)
}{
	{http.MethodPost, lazyregexp.New(`^/(?:organizations/([^/]+)/)?settings/apps/new$`), (*Server).registerApp},
	{http.MethodGet, lazyregexp.New(`^/login/oauth/authorize$`), (*Server).authorize},
	{http.MethodPost, lazyregexp.New(`^/login/oauth/access_token$`), (*Server).exchange},
}

func (s *Server) servePage(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, route := range routes {
		if found := route.path.FindStringSubmatch(r.URL.Path); found != nil && route.method == r.Method {
			route.serve(s, w, r, found)
			return
		}
	}
	http.NotFound(w, r)
}
