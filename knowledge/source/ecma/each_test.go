package ecma

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

// TestMembersFromLists: a function that is called for each name of a list gives an object a member for each, where the list is known.
func TestMembersFromLists(t *testing.T) {
	t.Parallel()
	const app = "var app = exports = module.exports = {};\n"
	each := func(list string) string {
		return list + ".forEach(function (method) {\n  app[method] = function (path) { return path; };\n});\n"
	}
	for _, c := range []struct{ name, src, want string }{
		{"written out", app + each("['get', 'post']"), ""},
		{"a name for it", app + "const verbs = ['get', 'post'];\n" + each("verbs"), "app.get app.post"},
		{"an arrow", app + "const verbs = ['get'];\nverbs.forEach((m) => {\n  app[m] = (path) => path;\n});\n", "app.get"},
		{"what is there already", app + "app.get = function () {};\nconst verbs = ['get'];\n" + each("verbs"), "app.get"},
		{"another name", app + "const verbs = ['get'];\nverbs.forEach((m) => {\n  app[other] = (path) => path;\n});\n", ""},
		{"no function", app + "const verbs = ['get'];\nverbs.forEach((m) => {\n  app[m] = 1;\n});\n", ""},
		{"what no member is called", app + "const verbs = ['get', 'm-search'];\n" + each("verbs"), ""},
		{"a list that is computed", app + "const verbs = list();\n" + each("verbs"), ""},
		{"another file's", "var verbs = require('./utils').verbs;\n" + app + each("verbs"), "app.[name]"},
		{"a package's", "var verbs = require('verbs').verbs;\n" + app + each("verbs"), ""},
	} {
		f := javaScript(t, c.src)
		var got []string
		for _, s := range f.Symbols {
			if strings.HasPrefix(s.Name, "app.") {
				got = append(got, s.Name)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	for _, src := range []string{
		app + "const { METHODS } = require('node:http');\nconst verbs = METHODS.map((m) => m.toLowerCase());\n" + each("verbs"),
		app + "const http = require('http');\nconst verbs = http.METHODS.map(function (m) { return m.toLowerCase() });\n" + each("verbs"),
	} {
		f := javaScript(t, src)
		if !slices.ContainsFunc(f.Symbols, func(s source.Symbol) bool { return s.Name == "app.get" && s.Signature == "app.get = function (path)" }) || len(f.Symbols) < len(httpMethods) {
			t.Errorf("%d symbols of\n%s", len(f.Symbols), src)
		}
	}
}

// TestListsOfOtherFiles reads names from another file of the directory.
func TestListsOfOtherFiles(t *testing.T) {
	t.Parallel()
	unit := func(name, src string) source.Unit { return source.Unit{Path: name, File: javaScript(t, src)} }
	m := source.Module{Path: "lib", Units: []source.Unit{
		unit("lib/application.js", "var verbs = require('./utils').verbs;\nvar app = exports = module.exports = {};\nverbs.forEach(function (v) {\n  app[v] = function (path) {};\n});\n"),
		unit("lib/utils.js", "exports.verbs = ['get', 'put'];\n"),
	}}
	var got []string
	for _, d := range m.Declarations() {
		if strings.Contains(d.Name, "app.") {
			got = append(got, d.Name+" "+d.Symbol.Name)
		}
	}
	if want := []string{"application.app.get app.get", "application.app.put app.put"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func javaScript(t *testing.T, src string) source.File {
	t.Helper()
	f, err := source.Extract(context.Background(), languageOf("a.js"), "lib/a.js", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return f
}
