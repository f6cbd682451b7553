package web

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/knowledge/buildinfo"
)

//go:embed templates
var templates embed.FS

// pages has the template of each page, with the layout and the shared parts. They are parsed on first use, so other
// commands start faster.
var pages = sync.OnceValue(func() map[string]*template.Template {
	base := template.New("layout.html").Funcs(functions)
	base = template.Must(base.ParseFS(templates, "templates/layout.html", "templates/part_*.html"))
	names, err := fs.Glob(templates, "templates/*.html")
	if err != nil {
		panic("web: " + err.Error())
	}
	all := map[string]*template.Template{}
	for _, name := range names {
		page := strings.TrimSuffix(path.Base(name), ".html")
		if page == "layout" || strings.HasPrefix(page, "part_") {
			continue
		}
		all[page] = template.Must(template.Must(base.Clone()).ParseFS(templates, name))
	}
	return all
})

type view struct {
	Template string
	Title    string
	Notice   string // the outcome of the last action
	Content  any

	Path     string    // of the request, for the navigation
	Now      time.Time // of the request
	LoggedIn bool
	Build    buildinfo.Info
}

func (p *Pages) show(w http.ResponseWriter, r *http.Request, status int, v view) {
	v.Path, v.Now, v.LoggedIn, v.Build = r.URL.Path, p.now(), p.loggedIn(r), p.build
	if err := render(w, status, v); err != nil {
		p.log.ErrorContext(r.Context(), "status page", "path", r.URL.Path, "error", err)
	}
}

func render(w http.ResponseWriter, status int, v view) error {
	var out bytes.Buffer
	if err := pages()[v.Template].Execute(&out, v); err != nil {
		http.Error(w, "The server could not render this page. The reason is in its log.", http.StatusInternalServerError)
		return fmt.Errorf("render %s: %w", v.Template, err)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, err := w.Write(plain.Markup(out.Bytes()))
	return err
}
