package render

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

// constantText returns the string literal in the declaration of a constant.
func constantText(d *source.Declared) (string, bool) {
	value := d.Value()
	if len(value) > 1 && value[0] == '\'' && value[len(value)-1] == '\'' && !strings.ContainsAny(value, `"\`) {
		value = `"` + value[1:len(value)-1] + `"`
	}
	text, err := strconv.Unquote(value)
	return text, err == nil
}

// shared matches texts of constants that other modules may use: a path of a route, or the name of a variable.
var shared = lazyregexp.New(`^(?:/[^ \n\\]+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)$`)

// texts returns the exported constants that hold a path or the name of a variable.
func (n behaviorNames) texts() []node.Behavior {
	var out []node.Behavior
	for i := range n.k.Declared {
		d := &n.k.Declared[i]
		if !d.Exported || d.Kind != source.Const {
			continue
		}
		if text, ok := constantText(d); ok && shared.MatchString(text) {
			out = append(out, node.Behavior{Kind: source.Holds, File: path.Base(d.Path), ID: d.Name, Default: text, Line: d.Line})
		}
	}
	return out
}

// filled substitutes the module's constants in a path. Constants of other modules become placeholders with their IDs.
func (n behaviorNames) filled(u *source.Unit, path string) string {
	return source.Fill(path, func(name string) string {
		id, known := n.thing(u, name)
		switch {
		case n.constants[id] != "":
			return n.constants[id]
		case known && strings.Contains(id, "#") && !strings.HasPrefix(id, outside):
			name = id
		}
		return source.Placeholder(name)
	})
}

// handler finds what handles a route, whose name in its file is written. In a call such as auth(list), the last function argument is the
// handler, and the functions around it wrap it.
func (n behaviorNames) handler(u *source.Unit, b *node.Behavior, written string) {
	c, _ := readCall(b.Value, 0)
	h, ok := n.handled(u, c)
	if !ok {
		h, _ = n.maker(u, c)
	}
	if b.Value = h.name; h.name == source.Anonymous || h.name == "" {
		b.Value, b.ID = "", unnamedHandler(u, b.Kind, written)
	}
	b.Also = strings.TrimPrefix(strings.Join(append([]string{b.Also}, h.wrappers...), ", "), ", ")
	if h.id == "" || strings.HasPrefix(h.id, outside) {
		return
	}
	b.ID = h.id
	d, ok := n.declaration(h.id)
	if ok {
		if method, serves := n.declaration(d.Server(source.TraitsOf(u.File.Language).Resolution)); serves {
			b.ID, d = method.Name, method
		}
	}
	if ok && d.Path != u.Path {
		b.In = path.Base(d.Path)
	}
}

// unnamedHandler returns the ID of the function literal that handles a route of a file, or "" if that is not one literal.
func unnamedHandler(u *source.Unit, k source.FactKind, route string) string {
	same, name := 0, source.UnnamedName(source.Answer, route)
	for _, f := range u.File.Facts {
		if f.Kind == source.Route && f.Name == route {
			same++
		}
	}
	if !slices.ContainsFunc(u.File.Unnamed, func(s source.Symbol) bool { return s.Name == name }) || k != source.Route || same > 1 || strings.Contains(name, "#") {
		return ""
	}
	return source.Prefix(u.Path, u.File.Scoped) + name
}

// handlerFound is a handler as code calls it, with its ID and its wrappers, outermost first.
type handlerFound struct {
	name, id string
	wrappers []string
}

// handled finds the handler in a call; false if it may not be a function.
func (n behaviorNames) handled(u *source.Unit, c call) (handlerFound, bool) {
	if d, ok := n.called(u, c); ok && !n.takesHandler(d) {
		c.args = nil
	}
	for i, a := range c.args {
		if h, ok := n.handled(u, a); ok && n.answers(h.id) {
			h.wrappers = append([]string{c.name}, h.wrappers...)
			for _, after := range c.args[i+1:] {
				h.wrappers = append(h.wrappers, after.name)
			}
			return h, true
		}
	}
	for i := len(c.args) - 1; i >= 0; i-- {
		if inner, ok := n.handled(u, c.args[i]); ok {
			inner.wrappers = append([]string{c.name}, inner.wrappers...)
			return inner, true
		}
	}
	name := strings.ReplaceAll(c.name, "::", ".")
	id, known := n.thing(u, name)
	d, declared := n.declaration(id)
	if !declared && !strings.Contains(id, "#") {
		id = name
		d, declared = n.declaration(id) // the name begins with another file of the module
	}
	if !declared && !strings.Contains(id, "#") {
		if id = ""; strings.Contains(name, ".") {
			id = n.methods[lastElement(name)] // the only method of that name
		}
		d, declared = n.declaration(id)
	}
	if h, ok := n.wrapped(u, d, c); declared && ok {
		return h, true
	}
	function := declared && d.Kind != source.Var && d.Kind != source.Const || !declared && known && strings.Contains(id, "#")
	return handlerFound{name: c.name, id: id}, !c.called && (function || c.name == source.Anonymous)
}

// wrapped returns the member of an unknown value that a call wraps: its parameter is a function, or has the type of the
// result.
func (n behaviorNames) wrapped(u *source.Unit, d *source.Declared, c call) (handlerFound, bool) {
	if len(c.args) == 0 || d == nil || d.Kind != source.Func && d.Kind != source.Method {
		return handlerFound{}, false
	}
	all := d.Headers()
	if len(all) != 1 {
		return handlerFound{}, false
	}
	given := givenTo(all[0])
	wraps := func(at int) bool { return n.handles(given[at].Type, all[0].Result) }
	at := -1 // literals are no arguments of a call, so that only both ends are certain
	switch {
	case len(given) == 0:
	case wraps(0):
		at = 0
	case wraps(len(given) - 1):
		at = len(c.args) - 1
	}
	if at < 0 {
		return handlerFound{}, false
	}
	h := handlerFound{wrappers: []string{c.name}}
	switch inner, exact := c.args[at], len(c.args) == len(given); {
	case inner.called:
		made, _ := n.maker(u, inner)
		h.name, h.id, h.wrappers = made.name, made.id, append(h.wrappers, made.wrappers...)
	case strings.Contains(inner.name, "."):
		h.name = inner.name
	case !exact && !source.NamesHandler(inner.name):
		return handlerFound{}, false
	}
	return h, true
}

// called returns the function of the module that a call calls, if its parameters have types.
func (n behaviorNames) called(u *source.Unit, c call) (*source.Declared, bool) {
	id, _ := n.thing(u, strings.ReplaceAll(c.name, "::", "."))
	d, ok := n.declaration(id)
	if !ok || !c.called || d.Kind != source.Func && d.Kind != source.Method {
		return nil, false
	}
	all := d.Headers()
	return d, len(all) == 1 && all[0].Result != "" && !slices.ContainsFunc(givenTo(all[0]), func(p source.Parameter) bool { return p.Type == "" })
}

// takesHandler reports whether a parameter of a function may be a handler.
func (n behaviorNames) takesHandler(d *source.Declared) bool {
	h := d.Headers()[0]
	return slices.ContainsFunc(givenTo(h), func(p source.Parameter) bool { return n.handles(p.Type, h.Result) })
}

// plainFunction matches the types of functions that only turn texts or numbers into others.
var plainFunction = lazyregexp.New(`^func\((?:string|bool|int|error|[ ,])*\)[ (]*(?:string|bool|int|error|[ ,])*\)?$`)

// handles reports whether the type of a parameter may be that of a handler: it is the type of the result, that of a
// function, or named so.
func (n behaviorNames) handles(typ, result string) bool {
	lower := strings.ToLower(lastElement(typ))
	return typ != "" && (typ == result || n.callable(typ) && !plainFunction.MatchString(typ) || strings.Contains(lower, "handle") && !strings.Contains(lower, "error"))
}

// callable reports whether a type is that of a function: written as one, or declared as one in the module.
func (n behaviorNames) callable(typ string) bool {
	d, ok := n.declaration(typ)
	return strings.Contains(typ, "(") || ok && d.Kind == source.Type && strings.Contains(d.Signature, "(")
}

// givenTo returns the parameters of a function without its receiver.
func givenTo(h source.Header) []source.Parameter {
	return slices.DeleteFunc(h.Params, func(p source.Parameter) bool { return p.Kind == source.Receiver })
}

// answers reports whether a declaration is a function of a request and a response that returns nothing: it wraps no other.
func (n behaviorNames) answers(id string) bool {
	d, ok := n.declaration(id)
	if !ok || d.Kind != source.Func && d.Kind != source.Method {
		return false
	}
	all := d.Headers()
	if len(all) != 1 || all[0].Result != "" {
		return false
	}
	given := givenTo(all[0])
	return len(given) == 2 && given[0].Type != ""
}

// maker returns the function that makes a handler: the innermost call or name of this repository that is no constant.
// For a local name such as a closure, its arguments are searched. If maker finds none, it returns the outermost and
// false.
func (n behaviorNames) maker(u *source.Unit, c call) (handlerFound, bool) {
	id, _ := n.thing(u, strings.ReplaceAll(c.name, "::", "."))
	h := handlerFound{name: c.name, id: id}
	if c.called {
		h.name += "()"
	}
	away := strings.HasPrefix(id, outside)
	d, declared := n.declaration(id)
	if declared && !away || strings.Contains(id, "#") && !away {
		if !declared && slices.ContainsFunc(c.args, func(a call) bool { return n.mayAnswer(u, a) }) {
			return handlerFound{}, false // the call may make a handler, or wrap one
		}
		return h, !declared || d.Kind != source.Const
	}
	for i := len(c.args) - 1; i >= 0; i-- {
		inner, ok := n.maker(u, c.args[i])
		if _, declared := n.declaration(inner.id); ok && (away || declared) {
			inner.wrappers = append([]string{c.name}, inner.wrappers...)
			return inner, true
		}
	}
	return h, !away
}

// mayAnswer reports whether an argument may be a handler: a call of a function of this repository, or a name for one.
func (n behaviorNames) mayAnswer(u *source.Unit, c call) bool {
	if made, ok := n.maker(u, c); c.called {
		return ok && made.id != ""
	}
	return source.NamesHandler(c.name)
}

// call is a name, or a call with those arguments that are names or calls.
type call struct {
	name   string
	called bool
	args   []call
}

const deepestCalls = 16

func readCall(text string, depth int) (c call, rest string) {
	end := strings.IndexAny(text, "(),")
	if end < 0 {
		return call{name: text}, ""
	}
	c.name, rest = text[:end], text[end:]
	if rest[0] != '(' || depth == deepestCalls {
		return c, rest
	}
	c.called = true
	for rest = rest[1:]; rest != "" && rest[0] != ')'; rest = strings.TrimPrefix(rest, ",") {
		var arg call
		if arg, rest = readCall(rest, depth+1); arg.name == "" {
			break
		}
		c.args = append(c.args, arg)
	}
	return c, strings.TrimPrefix(rest, ")")
}

// shownHandlers returns the anchors of the route and job handlers that have sections on the page of a module.
func shownHandlers(n *node.Node) map[string]string {
	var anchors, out map[string]string
	for _, b := range n.Behaviour {
		if b.Kind != source.Route && b.Kind != source.Job || b.ID == "" {
			continue
		}
		if anchors == nil {
			p := &page{outline: newOutline(n, undivided), entries: entries(n.PublicAPI), part: -1}
			anchors, out = p.plainAnchors(), map[string]string{}
		}
		if anchor := anchors[b.ID]; anchor != "" {
			out[b.ID] = anchor
		}
	}
	return out
}
