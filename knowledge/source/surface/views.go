package surface

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

var httpMethods = []string{"get", "post", "put", "patch", "delete", "head", "options", "trace"}

// verbsOf returns the HTTP methods of the handler class, if the call does not list them.
func (f *finder) verbsOf(handler *Node, call *Node) (out []string) {
	name, _, _ := strings.Cut(f.handler(handler, 0), "(")
	class := f.classes[name]
	if class == nil || Arg(call.Args, "methods", -1) != nil {
		return nil
	}
	for _, m := range class.Body {
		if m.Kind == Func && slices.Contains(httpMethods, m.Text) {
			out = append(out, strings.ToUpper(m.Text))
		}
	}
	return out
}

// actions lists the methods of view sets with the class that provides each; those with item apply to a single object.
var actions = []struct{ name, class, verb, item string }{
	{"list", "ListModelMixin", "GET", ""}, {"create", "CreateModelMixin", "POST", ""}, {"retrieve", "RetrieveModelMixin", "GET", "<pk>/"},
	{"update", "UpdateModelMixin", "PUT", "<pk>/"}, {"partial_update", "UpdateModelMixin", "PATCH", "<pk>/"}, {"destroy", "DestroyModelMixin", "DELETE", "<pk>/"},
}

// viewSet adds the routes of router.register("things", ThingViewSet): inherited, own and decorated ones.
func (f *finder) viewSet(on *router, n *Node) {
	if len(n.Args) < 2 {
		return
	}
	name := f.handler(n.Args[1], 0)
	if !on.made && !strings.HasSuffix(name, "ViewSet") || name == "" {
		return
	}
	path := strings.TrimSuffix("/"+strings.Trim(f.path(n.Args[0]), "/"), "/") + "/"
	tell := func(method, path string, at *Node) { f.tellRoute(on, method, path, []*Node{n.Args[1]}, at) }
	class := f.classes[name[strings.LastIndexByte(name, '.')+1:]]
	if class == nil { // of another file
		tell("", path, n)
		tell("", path+"<pk>/", n)
		return
	}
	bases := map[string]bool{}
	for _, b := range class.Args {
		bases[last(b)] = true
	}
	for _, a := range actions {
		own := slices.ContainsFunc(class.Body, func(m *Node) bool { return m.Kind == Func && m.Text == a.name })
		reads := bases["ReadOnlyModelViewSet"] && a.verb == "GET"
		if own || reads || bases["ModelViewSet"] || bases[a.class] {
			tell(a.verb, path+a.item, n)
		}
	}
	for _, m := range class.Body {
		for _, mark := range m.Marks {
			if m.Kind != Func || mark.Kind != Call || last(mark.X) != "action" {
				continue
			}
			at, to := path, m.Text
			if detail := Arg(mark.Args, "detail", -1); detail.Is("True") {
				at += "<pk>/"
			}
			if text, ok := f.text(Arg(mark.Args, "url_path", -1)); ok {
				to = text
			}
			handler := &Node{Kind: Member, Text: m.Text, X: n.Args[1]}
			for _, method := range f.methods(mark.Args) {
				f.tellRoute(on, method, at+to+"/", []*Node{handler}, mark)
			}
		}
	}
}

func (f *finder) included(n *Node) {
	if n == nil {
		return
	}
	if router := strings.TrimSuffix(Dotted(n), ".urls"); router != "" && last(n) == "urls" {
		f.tell(source.Fact{Kind: source.Mount, ID: router, Of: f.Routes.List, Name: "/"}, n)
	}
	if n.Kind == Sum {
		for _, a := range n.Args {
			f.included(a)
		}
	}
}
