package golang

import (
	"cmp"
	"go/ast"
	"maps"
	"net/textproto"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

const (
	handles  = "handles"  // takes an http.ResponseWriter and an *http.Request
	returned = "returned" // returns a handler
	wraps    = "wraps"    // returns a middleware
)

// The synthetic parameter and result of a handler in specs.
var (
	request  = &Type{Text: "*http.Request", Kind: Request}
	response = &Type{Text: "response", Kind: Response}
)

// answers detects a handler. Its request becomes the last parameter, replacing those passed over HTTP, and its response
// the result.
func (p *Plan) answers() {
	switch {
	case len(p.Results) == 0 && !p.Fails && len(p.Params) == 2 && p.Params[0].Type.is("net/http", "ResponseWriter") && p.Params[1].Type.Kind == Pointer && p.Params[1].Type.Elem.is("net/http", "Request"):
		p.HTTP, p.Params, p.After = handles, nil, false
	case len(p.Results) == 1 && !p.Fails && p.Results[0].Kind == Handler:
		p.HTTP = returned
	case len(p.Results) == 1 && !p.Fails && p.Results[0].Kind == Middleware:
		p.HTTP = wraps
	default:
		return
	}
	p.Params, p.Results = append(p.Params, Param{"req", request}), []*Type{response}
}

func (t *Type) is(path, name string) bool { return t != nil && t.Path == path && t.Name == name }

type asked struct {
	names, headers, paths, methods []string
	body, form                     bool
}

func (a *asked) note(list *[]string, text string) {
	if text != "" && len(text) <= longestSeed && len(*list) < 6 && !slices.Contains(*list, text) {
		*list = append(*list, text)
	}
}

var (
	route   = lazyregexp.New(`^(?:(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) )?(/[\w./{}$*:-]*)$`)
	holes   = lazyregexp.New(`\{[^}]*\}|\*|:\w+`)
	methods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
)

func (a *asked) look(body ast.Node) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			a.call(n)
		case *ast.SelectorExpr:
			if m, ok := strings.CutPrefix(n.Sel.Name, "Method"); ok && slices.Contains(methods, strings.ToUpper(m)) {
				a.note(&a.methods, strings.ToUpper(m))
			}
			a.body = a.body || n.Sel.Name == "Body"
		case *ast.BasicLit:
			text, _ := strconv.Unquote(n.Value)
			if slices.Contains(methods, text) {
				a.note(&a.methods, text)
			}
			if m := route.FindStringSubmatch(text); m != nil {
				a.note(&a.methods, m[1])
				a.note(&a.paths, holes.ReplaceAllStringFunc(m[2], func(hole string) string { return map[bool]string{true: "", false: "1"}[hole == "{$}"] }))
			}
		}
		return true
	})
}

func (a *asked) call(call *ast.CallExpr) {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) != 1 {
		return
	}
	lit, ok := call.Args[0].(*ast.BasicLit)
	if !ok {
		return
	}
	name, err := strconv.Unquote(lit.Value)
	if err != nil {
		return
	}
	of := ownerOf(f)
	switch {
	case f.Sel.Name == "PostFormValue", of == "PostForm":
		a.form = true
		a.note(&a.names, name)
	case f.Sel.Name == "FormValue", (f.Sel.Name == "Get" || f.Sel.Name == "Has") && (of == "Query" || of == "Form"):
		a.note(&a.names, name)
	case f.Sel.Name == "Get" && of == "Header":
		a.note(&a.headers, name)
	}
}

const mostRequests = 64

var (
	inQuery = lazyregexp.New(`[?&]([\w-]+)=([^\s,&"'` + "`" + `)]+)`)
	inRoute = lazyregexp.New(`\b(GET|HEAD|POST|PUT|PATCH|DELETE) (/[^\s,"'` + "`" + `)]*)`)
)

// requests returns requests to try on a handler: documented ones, and those for the parameters, headers and methods
// that the code reads.
func (s *seeds) requests() []seed {
	f := s.function
	a := &asked{}
	a.look(f.decl.Body)
	for _, near := range s.pkg.near(f) {
		a.look(near.decl.Body)
	}
	for _, t := range s.Texts {
		if text := t.Value.(string); strings.HasPrefix(text, "/") && validTarget(text) {
			a.note(&a.paths, text)
		}
	}
	if len(a.paths) == 0 {
		a.paths = []string{"/", "/a/", "/a//b", "/a.json"}
	}
	r := &requests{root: a.paths[0], said: map[string]string{}}
	r.documented(f.decl.Doc.Text())
	for _, path := range a.paths {
		r.add("GET", path, "", nil, testgen.FromBoundary, "nothing but the path")
	}
	for _, method := range a.methods {
		r.add(method, r.root, "", nil, testgen.FromLiteral, "the code knows "+method)
	}
	for _, name := range append(slices.Sorted(maps.Keys(r.said)), a.names...) {
		for _, v := range s.valuesFor(r.said[name]) {
			r.valued(name, v, a.form)
		}
	}
	for _, name := range a.headers {
		r.headed(name)
	}
	if a.body {
		for _, v := range s.bodies() {
			r.add("POST", r.root, v.Value.(string), nil, v.From, "body: "+v.Why)
		}
	}
	r.add("GET", strings.TrimSuffix(r.root, "/")+"/missing", "", nil, testgen.FromBoundary, "a path that nothing names")
	r.add("DELETE", r.root, "", nil, testgen.FromBoundary, "a method that nothing names")
	return r.list
}

type requests struct {
	list []seed
	root string // the default path
	said map[string]string
}

func (r *requests) add(method, target, body string, header map[string]spec.Value, from, why string) {
	m := map[string]spec.Value{"method": method, "target": target}
	if body != "" {
		m["body"] = body
	}
	if header != nil {
		m["header"] = header
	}
	if len(r.list) < mostRequests && len(target) <= longestSeed && validTarget(target) {
		r.list = append(r.list, seed{Value: m, From: from, Why: why})
	}
}

func (r *requests) documented(doc string) {
	for _, m := range inRoute.FindAllStringSubmatch(doc, -1) {
		r.add(m[1], holes.ReplaceAllString(strings.TrimRight(m[2], "."), "1"), "", nil, testgen.FromDoc, whyDoc)
	}
	for _, m := range inQuery.FindAllStringSubmatch(doc, -1) {
		value := strings.TrimRight(m[2], ".;:")
		r.said[m[1]] = value
		r.add("GET", r.root+"?"+m[1]+"="+url.QueryEscape(value), "", nil, testgen.FromDoc, "the documentation names ?"+m[1]+"="+value)
	}
}

// usualHeaders are plausible values of common headers. None asks for compression, whose output differs between Go
// versions.
var usualHeaders = map[string]string{
	"Content-Type": "application/json", "X-Forwarded-For": "203.0.113.7", "X-Real-Ip": "203.0.113.7", "True-Client-Ip": "203.0.113.7", "Origin": "https://example.com",
	"Authorization": "Basic dXNlcjpwYXNz", "Accept": "application/json", "Content-Encoding": "identity", "Accept-Encoding": "identity", "X-Forwarded-Proto": "https",
}

func (r *requests) headed(name string) {
	value := cmp.Or(usualHeaders[textproto.CanonicalMIMEHeaderKey(name)], "x")
	r.add("GET", r.root, "", map[string]spec.Value{name: value}, testgen.FromLiteral, "the code looks at the header "+name)
}

func (r *requests) valued(name string, v seed, form bool) {
	pair := name + "=" + url.QueryEscape(v.Value.(string))
	if form {
		r.add("POST", r.root, pair, map[string]spec.Value{"Content-Type": "application/x-www-form-urlencoded"}, v.From, name+": "+v.Why)
		return
	}
	r.add("GET", r.root+"?"+pair, "", nil, v.From, name+": "+v.Why)
}

func (s *seeds) valuesFor(said string) (out []seed) {
	if said != "" {
		out = append(out, variants(said)[:min(6, len(variants(said)))]...)
	}
	out = append(out, s.Texts[:min(len(s.Texts), 12)]...)
	return append(out, edge("x", "a letter"), edge("1", "a digit"), edge("", "no text at all"), edge("a b&c", "a text that has to be escaped"))
}

func (s *seeds) bodies() (out []seed) {
	for _, t := range s.Texts {
		if text := t.Value.(string); strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
			out = append(out, t)
		}
	}
	return append(out, edge("{}", "an empty object of JSON"), edge("x", "a letter"), edge(`{"name":"x"`, "JSON that does not end"))
}

const nextHandler = `http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	io.WriteString(w, r.Method+" "+r.URL.Path)
})`

func (w *values) requestCode(v spec.Value) (string, bool) {
	m, ok := v.(map[string]spec.Value)
	if !ok {
		return "", false
	}
	method, isText := m["method"].(string)
	target, hasTarget := m["target"].(string)
	if !isText || !hasTarget || !slices.Contains(methods, method) || !validTarget(target) {
		return "", false
	}
	w.imports["httptest"] = "net/http/httptest"
	header, _ := m["header"].(map[string]spec.Value)
	body := "nil"
	if text, ok := textOf(m["body"]); ok {
		w.imports["strings"] = "strings"
		body = "strings.NewReader(" + quote(text) + ")"
	}
	code := "httptest.NewRequest(" + strconv.Quote(method) + ", " + strconv.Quote(target) + ", " + body + ")"
	for _, name := range slices.Sorted(maps.Keys(header)) {
		text, ok := header[name].(string)
		if !ok {
			return "", false
		}
		w.headed = true
		code = headedName + "(" + code + ", " + strconv.Quote(name) + ", " + strconv.Quote(text) + ")"
	}
	return code, true
}

// validTarget reports whether httptest.NewRequest accepts a target; it panics on others.
func validTarget(target string) bool {
	_, err := url.ParseRequestURI(target)
	return err == nil && strings.HasPrefix(target, "/") && !strings.ContainsAny(target, " \t\r\n")
}

const (
	headedName = "withHeader"
	headedCode = `	withHeader := func(r *http.Request, name, value string) *http.Request {
		r.Header.Set(name, value)
		return r
	}
`
)

func responseCode(v spec.Value) (string, bool) {
	m, ok := v.(map[string]spec.Value)
	status, isNumber := m["status"].(int64)
	if !ok || !isNumber || status < 100 || status > 999 {
		return "", false
	}
	parts := []string{"status: " + strconv.FormatInt(status, 10)}
	known := 1
	for _, field := range []struct{ key, name string }{{"type", "contentType"}, {"location", "location"}, {"header", "header"}, {"body", "body"}} {
		if m[field.key] == nil {
			continue
		}
		text, ok := textOf(m[field.key])
		if !ok {
			return "", false
		}
		known++
		parts = append(parts, field.name+": "+quote(text))
	}
	return "response{" + strings.Join(parts, ", ") + "}", known == len(m)
}

// responseType is the type of a response; headerCode writes all other headers, in sorted order, if any case compares them.
const (
	responseType = `	type response struct {
		status int
		contentType, location, %sbody string
	}
`
	headerCode = `			var header strings.Builder
			if err := rec.Header().WriteSubset(&header, map[string]bool{"Content-Type": true, "Location": true, "Date": true}); err != nil {
				t.Fatal(err)
			}
`
)

func headers(rows []row) bool {
	return slices.ContainsFunc(rows, func(r row) bool {
		m, _ := r.Want.Values[0].Value.(map[string]spec.Value)
		return m["header"] != nil
	})
}

func (g *generator) answer(p *Plan, inputs []string) string {
	g.values.imports["httptest"] = "net/http/httptest"
	req := inputs[len(inputs)-1]
	switch p.HTTP {
	case handles:
		return g.invoke(p, append(inputs[:len(inputs)-1:len(inputs)-1], "rec", req))
	case wraps:
		g.values.imports["io"], g.values.imports["http"] = "io", "net/http"
		return g.invoke(p, inputs[:len(inputs)-1]) + "(" + nextHandler + ").ServeHTTP(rec, " + req + ")"
	}
	return g.invoke(p, inputs[:len(inputs)-1]) + ".ServeHTTP(rec, " + req + ")"
}
