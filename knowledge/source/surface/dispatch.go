package surface

import (
	"slices"
	"strings"
)

// dispatched adds the routes of a condition about the method and the path of a request, whose branch calls the handler:
// if r.Method == http.MethodGet && r.URL.Path == "/x" { return s.show(w, r) }.
func (p *interpreter) dispatched(n *Node) {
	fn := p.declared()
	if fn == nil || p.Routes.Request == "" || n.X.Kind != Operator || n.X.Text != "and" || len(n.Body) == 0 {
		return
	}
	call := n.Body[0]
	if call.Kind == Return {
		call = call.X
	}
	given := map[string]bool{} // request and response
	request := ""
	for _, a := range fn.Args {
		switch typ := Dotted(pointed(a.Type)); typ {
		case p.Routes.Request:
			given[a.Text], request = true, a.Text
		case p.Routes.Response:
			given[a.Text] = true
		}
	}
	if request == "" || call == nil || call.Kind != Call || last(call.X) == p.Routes.Serve || !slices.ContainsFunc(call.Args, func(a *Node) bool { return given[a.Text] }) {
		return
	}
	var methods, paths []string
	for _, c := range n.X.Args {
		all := []*Node{c}
		if c.Kind == Or {
			all = c.Args
		}
		for _, one := range all {
			method, path := p.compared(one, request)
			if method != "" {
				methods = append(methods, method)
			} else if path != "" {
				paths = append(paths, path)
			}
		}
	}
	for _, method := range methods {
		for _, path := range paths {
			p.tellRoute(&router{made: true}, method, path, []*Node{call.X}, n.X)
		}
	}
}

// compared returns the method or the path that a condition demands of a request.
func (p *interpreter) compared(n *Node, request string) (method, path string) {
	switch {
	case n.Kind == Operator && n.Text == "==" && len(n.Args) == 2:
		for i, a := range n.Args {
			other := n.Args[1-i]
			switch Dotted(a) {
			case request + ".Method":
				return p.verb(other), ""
			case request + ".URL.Path":
				if text, _ := p.finder.text(other); strings.HasPrefix(text, "/") {
					return "", text
				}
			}
		}
	case n.Kind == Call && n.X.Kind == Member && n.X.Text == "MatchString" && len(n.Args) == 1 && Dotted(n.Args[0]) == request+".URL.Path":
		if c := p.constant(n.X.X); c != nil && c.Kind == Call && len(c.Args) == 1 {
			text, _ := p.text(c.Args[0])
			if text = strings.TrimPrefix(text, "^"); strings.HasPrefix(text, "/") {
				return "", strings.TrimSuffix(text, "$")
			}
		}
	}
	return "", ""
}
