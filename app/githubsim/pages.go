package githubsim

import (
	_ "embed"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

//go:embed pages.html
var pagesText string

// pages are the HTML pages that URLs in answers and comments lead to.
var pages = sync.OnceValue(func() *template.Template { return template.Must(template.New("pages").Parse(pagesText)) })

type page struct {
	Title, Repo, Head string
	Names, Files      []string
	Branches          []pageBranch
	Pulls             []Pull
	Pull              Pull
	Commits           []pageCommit
	Comments          []pageComment
	Changes           []pageChange
	Checks            []CheckRun
	Check             CheckRun
	Author, Text      string
	Verified          bool
	HTML              template.HTML
}

type (
	pageBranch  struct{ Name, ID string }
	pageCommit  struct{ ID, Headline, Author string }
	pageComment struct {
		Author string
		HTML   template.HTML
	}
	pageChange struct {
		Path, Status, Patch string
		Added, Removed      int
	}
)

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// routes are tried in order; the first match wins.
var routes = []struct {
	method string
	path   *lazyregexp.Regexp
	show   func(s *Server, w http.ResponseWriter, r *http.Request, found []string)
}{
	{http.MethodGet, lazyregexp.New(`^/$`), (*Server).showHome},
	{http.MethodPost, lazyregexp.New(`^/(?:organizations/([^/]+)/)?settings/apps/new$`), (*Server).registerApp},
	{http.MethodGet, lazyregexp.New(`^/login/oauth/authorize$`), (*Server).authorize},
	{http.MethodPost, lazyregexp.New(`^/login/oauth/access_token$`), (*Server).exchange},
	{http.MethodGet, lazyregexp.New(`^/apps/([^/]+)(?:/installations/new)?$`), (*Server).showApp},
	{http.MethodPost, lazyregexp.New(`^/apps/([^/]+)(?:/installations/new)?$`), (*Server).installOnAll},
	{http.MethodGet, lazyregexp.New(`^/([^/]+)/([^/]+)()$`), withRepository(showRepository)},
	{http.MethodGet, lazyregexp.New(`^/([^/]+)/([^/]+)/tree/(.+)$`), withRepository(showRepository)},
	{http.MethodGet, lazyregexp.New(`^/([^/]+)/([^/]+)/blob/(.+)$`), withRepository(showFile)},
	{http.MethodGet, lazyregexp.New(`^/([^/]+)/([^/]+)/commit/(.+)$`), withRepository(showCommit)},
	{http.MethodGet, lazyregexp.New(`^/([^/]+)/([^/]+)/pull/([0-9]+)$`), withRepository(showPull)},
	{http.MethodGet, lazyregexp.New(`^/([^/]+)/([^/]+)/runs/([0-9]+)$`), withRepository(showCheck)},
}

func (s *Server) servePage(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, route := range routes {
		if found := route.path.FindStringSubmatch(r.URL.Path); found != nil && route.method == r.Method {
			route.show(s, w, r, found)
			return
		}
	}
	http.NotFound(w, r)
}

func show(w http.ResponseWriter, name string, p page) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'")
	_ = pages().ExecuteTemplate(w, name, p)
}

func (s *Server) names() []string {
	var out []string
	for _, repo := range s.repositories {
		out = append(out, repo.fullName())
	}
	return out
}

func (s *Server) showHome(w http.ResponseWriter, _ *http.Request, _ []string) {
	show(w, "home", page{Title: "Repositories", Names: s.names()})
}

func (s *Server) showApp(w http.ResponseWriter, r *http.Request, found []string) {
	if s.app == nil || s.app.Slug != found[1] {
		http.NotFound(w, r)
		return
	}
	show(w, "install", page{Title: "Install " + s.app.Name, Names: s.names()})
}

// installOnAll installs the App on all repositories.
func (s *Server) installOnAll(w http.ResponseWriter, r *http.Request, found []string) {
	if s.app == nil || s.app.Slug != found[1] {
		http.NotFound(w, r)
		return
	}
	owners := map[string][]*Repository{}
	for _, repo := range s.repositories {
		if s.installationFor(repo) == nil {
			owners[repo.owner] = append(owners[repo.owner], repo)
		}
	}
	for _, owner := range sorted(owners) {
		s.install(s.account(owner), owners[owner])
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func withRepository(do func(r *Repository, what string) (string, page, bool)) func(*Server, http.ResponseWriter, *http.Request, []string) {
	return func(s *Server, w http.ResponseWriter, r *http.Request, found []string) {
		repo := s.lookup(found[1], found[2])
		if moved := s.moved[lower(found[1]+"/"+found[2])]; repo == nil && moved != nil {
			http.Redirect(w, r, "/"+moved.fullName(), http.StatusMovedPermanently)
			return
		}
		if repo == nil {
			http.NotFound(w, r)
			return
		}
		name, p, there := do(repo, found[3])
		if !there {
			http.NotFound(w, r)
			return
		}
		p.Repo = repo.fullName()
		show(w, name, p)
	}
}

func showRepository(r *Repository, revision string) (string, page, bool) {
	p := page{Title: r.fullName(), Pulls: r.viewPulls()}
	names, refs, err := r.branches()
	if err != nil {
		return "", p, false
	}
	for _, name := range names {
		p.Branches = append(p.Branches, pageBranch{name, refs["refs/heads/"+name]})
	}
	if p.Head = r.revision(revision); p.Head == "" {
		return "repository", p, revision == ""
	}
	if p.Files, err = r.Files(p.Head); err != nil {
		return "", p, false
	}
	commits, err := r.git.history(p.Head)
	for _, c := range commits[:min(len(commits), 20)] {
		headline, _, _ := strings.Cut(c.message, "\n")
		p.Commits = append(p.Commits, pageCommit{c.id, headline, c.author.Name})
	}
	return "repository", p, err == nil
}

// showFile takes the first path segment as the revision, so branch names with slashes are not supported.
func showFile(r *Repository, what string) (string, page, bool) {
	revision, name, _ := strings.Cut(what, "/")
	content, there := r.Read(revision, name)
	p := page{Title: name, Text: content}
	if strings.HasSuffix(name, ".md") {
		p.HTML = rendered(content)
	}
	return "file", p, there
}

func showCommit(r *Repository, id string) (string, page, bool) {
	if id = r.revision(id); id == "" {
		return "", page{}, false
	}
	c, err := r.git.commit(id)
	if err != nil {
		return "", page{}, false
	}
	from := emptyTree
	if len(c.parents) > 0 {
		from = c.parents[0]
	}
	p := page{Title: "Commit " + id[:7], Author: c.author.Name, Text: c.message, Verified: r.verified[id]}
	p.Changes, err = r.showChanges(from, id)
	return "commit", p, err == nil
}

func (r *Repository) showChanges(from, to string) ([]pageChange, error) {
	changes, err := r.git.diff(from, to)
	var out []pageChange
	for _, c := range changes {
		out = append(out, pageChange{c.path, c.status, c.patch, c.additions, c.removed})
	}
	return out, err
}

func showPull(r *Repository, what string) (string, page, bool) {
	number, err := strconv.Atoi(what)
	if err != nil || r.pull(int64(number)) == nil {
		return "", page{}, false
	}
	pull := r.viewPulls()[number-1]
	p := page{Title: pull.Title + " #" + what, Pull: pull, HTML: rendered(pull.Body), Checks: r.checksOf(pull.HeadID)}
	for _, c := range r.commentsOn(number) {
		p.Comments = append(p.Comments, pageComment{c.Author, rendered(c.Body)})
	}
	from := r.git.mergeBase(pull.BaseID, pull.HeadID)
	p.Changes, err = r.showChanges(from, pull.HeadID)
	return "pull", p, err == nil && from != ""
}

func showCheck(r *Repository, what string) (string, page, bool) {
	for _, run := range r.runs {
		if strconv.FormatInt(run.ID, 10) == what {
			return "check", page{Title: run.Name, Check: *run, HTML: rendered(run.Summary + "\n\n" + run.Text)}, true
		}
	}
	return "", page{}, false
}
