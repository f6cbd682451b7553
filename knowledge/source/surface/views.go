package surface

import (
	"cmp"
	"maps"
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
		f.Step()
		if m.Kind == Func && slices.Contains(httpMethods, m.Text) {
			out = append(out, strings.ToUpper(m.Text))
		}
	}
	return out
}

// actions lists the methods of view sets with the class that provides each; those with item apply to a single object.
var actions = []struct {
	name, class, verb string
	item              bool
}{
	{"list", "ListModelMixin", "GET", false}, {"create", "CreateModelMixin", "POST", false}, {"retrieve", "RetrieveModelMixin", "GET", true},
	{"update", "UpdateModelMixin", "PUT", true}, {"partial_update", "UpdateModelMixin", "PATCH", true}, {"destroy", "DestroyModelMixin", "DELETE", true},
}

// viewSet adds the routes of router.register("things", ThingViewSet): inherited, own and decorated ones. Those of a class of
// another file are below its mount.
func (f *finder) viewSet(on *router, n *Node) {
	if len(n.Args) < 2 {
		return
	}
	name := f.handler(n.Args[1], 0)
	if !on.made && !strings.HasSuffix(name, "ViewSet") || name == "" {
		return
	}
	path := strings.TrimSuffix("/"+strings.Trim(f.path(n.Args[0]), "/"), "/") + "/"
	if class := f.classes[name[strings.LastIndexByte(name, '.')+1:]]; class != nil {
		f.views(class, func(method, rest, function string, at *Node) {
			handler := n.Args[1]
			if function != "" {
				handler = &Node{Kind: Member, Text: function, X: handler}
			}
			f.tellRoute(on, method, path+rest, []*Node{handler}, at)
		}, n)
		return
	}
	f.mounts(name, &router{id: on.id, prefix: path}, n)
	from := len(f.facts)
	f.tellRoute(on, "", path, n.Args[1:2], n)
	f.tellRoute(on, "", path+"<pk>/", n.Args[1:2], n)
	for i := range f.facts[from:] {
		f.facts[from+i].Usage = source.Fallback
	}
}

// viewClass adds the routes of a view set that another file registers.
func (f *finder) viewClass(n *Node) {
	if !f.Routes.Calls[".register"].Views || len(n.Args) == 0 || !strings.HasSuffix(last(n.Args[len(n.Args)-1]), "ViewSet") || f.registers {
		return
	}
	f.bases(n, map[string]bool{}, func(base *Node) {
		if Dotted(base) != "" {
			f.tell(source.Fact{Kind: source.Mount, ID: Dotted(base), Of: n.Text, Usage: source.Inherited}, n)
		}
	})
	f.views(n, func(method, rest, function string, at *Node) {
		handler := strings.TrimSuffix(n.Text+"."+function, ".")
		f.tell(source.Fact{Kind: source.Route, Of: n.Text, Name: strings.TrimSpace(method + " /" + rest), Value: handler, Usage: source.Handed}, at)
	}, n)
}

// mostBases bounds the classes that a view set extends.
const mostBases = 16

// bases adds the base classes of a class, also those of classes of the file, and reports whether others, which are unknown, may
// have actions.
func (f *finder) bases(class *Node, out map[string]bool, unknown func(base *Node)) (certain bool) {
	certain = true
	for _, b := range class.Args {
		name := last(b)
		known := strings.HasSuffix(Dotted(b), "viewsets."+name) || strings.HasSuffix(Dotted(b), "mixins."+name) || knownSets[name]
		own := f.classes[name]
		if out[name] || len(out) > mostBases {
			continue
		}
		if out[name] = true; own != nil {
			certain = f.bases(own, out, unknown) && certain
		} else if !known && strings.HasSuffix(name, "ViewSet") {
			certain = false
			unknown(b)
		}
	}
	return certain
}

var knownSets = Set("ViewSet GenericViewSet ModelViewSet ReadOnlyModelViewSet")

func (f *finder) views(class *Node, tell func(method, path, function string, at *Node), at *Node) {
	bases := map[string]bool{}
	certain, body := f.bases(class, bases, func(*Node) {}), class.Body
	for _, name := range slices.Sorted(maps.Keys(bases)) {
		if own := f.classes[name]; own != nil && own != class {
			body = slices.Concat(body, own.Body)
		}
	}
	f.Steps((len(actions) + 3) * len(body)) // each is searched in all of it
	class = &Node{Body: body}
	item := "<" + cmp.Or(f.attribute(class, "lookup_url_kwarg"), f.attribute(class, "lookup_field"), "pk") + ">/"
	if !certain {
		tell("", "", "", at)
		tell("", item, "", at)
	}
	for _, a := range actions {
		own := method(class, a.name) != nil
		reads := bases["ReadOnlyModelViewSet"] && a.verb == "GET"
		rest := ""
		if a.item {
			rest = item
		}
		if certain && (own || reads || bases["ModelViewSet"] || bases[a.class]) {
			tell(a.verb, rest, "", at)
		}
	}
	for _, m := range class.Body {
		for _, mark := range m.Marks {
			if m.Kind != Func || mark.Kind != Call || last(mark.X) != "action" {
				continue
			}
			rest, to := "", m.Text
			if detail := Arg(mark.Args, "detail", -1); detail.Is("True") {
				rest = item
			}
			if text, ok := f.text(Arg(mark.Args, "url_path", -1)); ok {
				to = text
			}
			for _, method := range f.methods(mark.Args) {
				tell(method, rest+to+"/", m.Text, mark)
			}
		}
	}
}

// attribute returns the text of a class's attribute.
func (f *finder) attribute(class *Node, name string) string {
	for _, b := range class.Body {
		if b.Kind == Bind && len(b.Args) == 1 && b.Args[0].Is(name) {
			text, _ := f.text(b.X)
			return text
		}
	}
	return ""
}

// paired adds the routes of a list of paths with their handlers: [(r"/x", List), url(r"/x/(.+)", Show)].
func (f *finder) paired(list *Node) {
	if f.Routes.Pairs == nil || !slices.ContainsFunc(f.Routes.Paired, f.Mentions) {
		return
	}
	for _, pair := range list.Args {
		if f.Step(); pair.Kind != List && !(pair.Kind == Call && f.Routes.Pairs[last(pair.X)]) || len(pair.Args) < 2 {
			continue
		}
		handler := last(pair.Args[1])
		if first := strings.TrimPrefix(handler, "_"); first == "" || first[0] < 'A' || first[0] > 'Z' {
			continue // no class
		}
		route, path := *pair, *pair.Args[0]
		path.Text = strings.TrimSuffix(strings.TrimPrefix(path.Text, "^"), "$")
		route.Args = []*Node{&path, pair.Args[1]}
		f.register(RouteRule{}, &router{made: true}, &route, nil, pair)
	}
}

func (f *finder) included(n *Node) {
	if n == nil {
		return
	}
	if router := strings.TrimSuffix(Dotted(n), ".urls"); router != "" && last(n) == "urls" {
		f.tell(source.Fact{Kind: source.Mount, ID: router, Of: cmp.Or(f.routing.list, f.Routes.List), Name: f.routing.inside + "/"}, n)
	}
	if n.Kind == Operator && n.Text == "*" || n.Kind == Sum || n.Kind == List && f.depth < deepest {
		f.depth++
		for _, a := range n.Args {
			f.included(a)
		}
		f.depth--
	}
}
