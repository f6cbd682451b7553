package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

// TestMountsOfInterfaces: a mount of an interface's method counts for each type with the method, unless several mounts do.
func TestMountsOfInterfaces(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		types, mounts int
		want          string
	}{
		{1, 1, "/p0 T0.Routes()"},
		{2, 1, "/p0 T0.Routes(), /p0 T1.Routes()"},
		{1, 2, "/p0 T0.Routes(), /p1 T0.Routes()"},
		{2, 2, ""},
		{600, 600, ""},
	} {
		var b strings.Builder
		b.WriteString("package web\n\nimport (\"net/http\"; \"github.com/go-chi/chi/v5\")\n\ntype API interface { Routes(r chi.Router) }\n")
		for i := range c.types {
			fmt.Fprintf(&b, "type T%d struct{}\nfunc (t T%d) Routes(r chi.Router) { r.Get(\"/t%d\", h) }\n", i, i, i)
		}
		b.WriteString("func h(w http.ResponseWriter, r *http.Request) {}\nfunc Serve(a API) {\n\tr := chi.NewRouter()\n")
		for i := range c.mounts {
			fmt.Fprintf(&b, "\tr.Route(\"/p%d\", a.Routes)\n", i)
		}
		b.WriteString("\thttp.ListenAndServe(\":1\", r)\n}\n")
		r := newRepo(t, map[string]string{"go.mod": "module example.com/shop\n", "web/web.go": b.String()})
		var got []string
		for _, m := range behaviorOf(r.known["web"], r.implements("web")) {
			if m.Kind == source.Mount && strings.HasPrefix(m.ID, "T") {
				got = append(got, m.Name+" "+m.ID)
			}
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%d types, %d mounts: got %d: %.200s, want %s", c.types, c.mounts, len(got), strings.Join(got, ", "), c.want)
		}
	}
}
