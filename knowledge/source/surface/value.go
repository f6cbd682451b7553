package surface

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

const (
	// mostParts bounds the parts of a concatenated text, with the sums of them.
	mostParts = 16
	// longestText bounds its length in bytes.
	longestText = 1024
	// mostRows bounds the rows of a list: every use of its variable repeats all of them.
	mostRows = 256
)

func (f *finder) constant(n *Node) *Node {
	if n != nil && n.Kind == Name {
		if v := f.vars[n.Text]; v != nil {
			return v.text
		}
		return f.globals[n.Text]
	}
	return nil
}

// follow returns the value of a constant, or else the node.
func (f *finder) follow(n *Node) *Node { return cmp.Or(f.constant(n), n) }

func (f *finder) text(n *Node) (string, bool) {
	if n = f.follow(n); n == nil || n.Kind != Text {
		return "", false
	}
	return n.Text, true
}

// literal returns the text of literals, and of constants if values are followed.
func (f *finder) literal(n *Node) (string, bool) {
	switch {
	case n == nil:
	case f.flow != nil:
		return f.flow.text(n)
	case n.Kind == Text:
		return n.Text, true
	case n.Kind == Sum:
		if text, whole := f.joined(n); whole {
			return text, true
		}
	}
	return "", false
}

// joined returns the text of a sum, with an ellipsis for each value in it; whole if there is none.
func (f *finder) joined(n *Node) (text string, whole bool) {
	var all strings.Builder
	whole = true
	for _, a := range n.Args {
		part, ok := f.literal(a)
		if !ok {
			part, whole = "…", false
		}
		all.WriteString(part)
	}
	return all.String(), whole
}

// pieces returns a text with an ellipsis for each value in it, or "".
func (f *finder) pieces(n *Node) string {
	if n == nil || n.Kind != Sum || !f.Commands.Paths {
		return ""
	}
	text, _ := f.joined(n)
	if strings.Trim(text, "… ") == "" {
		return ""
	}
	return text
}

func (f *finder) literals(list *Node) (out []string) {
	for _, a := range list.Args {
		if text, ok := f.literal(a); ok {
			out = append(out, text)
		}
	}
	return out
}

// parts returns the parts of a name: texts with a prefix, names of other files, and source.Unknown.
func (f *finder) parts(n *Node, left *int) (out []string) {
	*left--
	written := n
	text, ok := f.text(n)
	if f.flow != nil {
		text, ok = f.flow.text(n)
		n = f.flow.resolve(n)
	}
	name := f.elsewhere(written, n)
	switch {
	case *left < 0:
	case ok && !strings.Contains(text, "+"):
		f.Steps(len(text) / textOfStep)
		return []string{source.Text + text}
	case name != "":
		return []string{name}
	case n != nil && n.Kind == Sum:
		for _, a := range n.Args {
			out = append(out, f.parts(a, left)...)
		}
		return out
	}
	return []string{source.Unknown}
}

// elsewhere returns the name of a constant that another file may declare, or "". written is the value before it was resolved.
func (f *finder) elsewhere(written, n *Node) string {
	name := Dotted(n)
	switch {
	case name == "":
	case f.flow == nil:
		if !IsVariable(n.Text) || f.constant(n) != nil || f.vars[name] != nil {
			return ""
		} else if f.Routes.Functions {
			name = n.Text
		}
		return name
	case n.Kind == Name && len(name) > 1 && written.Kind == Name && !f.flow.here(name), n.Kind == Member && f.Imports[strings.TrimSuffix(name, "."+n.Text)]:
		return name
	}
	return ""
}

// spelled returns the name of a variable, with source.Unknown for computed parts; if it uses constants of other files,
// the parts are prefixed with source.Named.
func (f *finder) spelled(n *Node) string {
	left := mostParts
	parts := f.parts(n, &left)
	switch {
	case slices.ContainsFunc(parts, func(part string) bool { return !strings.HasPrefix(part, source.Text) && part != source.Unknown }):
		return source.Named + strings.Join(parts, "+")
	case len(parts) == 1:
		return strings.TrimPrefix(parts[0], source.Text)
	}
	return source.Joined(parts)
}

// path returns the path in a node, with placeholders for computed parts.
func (f *finder) path(n *Node) string {
	if n == nil {
		return ""
	}
	switch n.Kind {
	case Text:
		return n.Text
	case Sum:
		var b strings.Builder
		text := slices.ContainsFunc(n.Args, func(a *Node) bool { return a.Kind == Text })
		for _, a := range n.Args[:min(len(n.Args), mostParts)] {
			if b.Len() < longestText && (text || a.Kind != Number) { // without a text, it is arithmetic
				b.WriteString(f.path(a))
			}
		}
		f.Steps(b.Len() / textOfStep)
		return b.String()
	case Name, Member:
		text, ok := f.text(n)
		v, c := f.vars[n.Text], f.constant(n)
		switch {
		case ok && f.Routes.Plain && v == nil: // also the default of a conditionally set variable
			return text
		case f.Scoped && n.Kind == Name && v != nil && v.path != "":
			return v.path
		case f.Scoped && ok:
			return text
		case c == nil || !f.Routes.Named:
		case c.Kind == Sum && f.depth < deepest:
			f.depth++
			defer func() { f.depth-- }()
			return f.path(c)
		case c.Kind == Or: // an optional prefix
			if text, ok := f.text(c.Args[len(c.Args)-1]); ok {
				return text
			}
		}
		return source.Placeholder(Dotted(n))
	case Operator:
		if n.Text == "*" && f.Scoped && len(n.Args) == 1 { // of a flag
			return f.path(n.Args[0])
		}
		if before, after, ok := strings.Cut(n.Args[0].Text, "%s"); ok && n.Text == "%" && n.Args[0].Kind == Text && len(n.Args) == 2 && !strings.Contains(after, "%") {
			return before + f.path(n.Args[1]) + after
		}
	case Call:
		if f.Scoped && f.depth < deepest {
			f.depth++
			defer func() { f.depth-- }()
			return f.pathCall(n)
		}
		if f.Routes.Plain && len(n.Args) == 1 && n.Args[0].Kind == Text && strings.HasPrefix(n.Args[0].Text, "/") {
			return source.Placeholder(Dotted(n.X)) + n.Args[0].Text
		}
	}
	return source.Placeholder("")
}

// below joins a prefix and a path.
func (f *finder) below(prefix, rest string) string {
	switch {
	case len(prefix)+len(rest) > longestText:
		return prefix
	case f.Routes.Plain:
		return prefix + rest
	case prefix == "" || rest == "":
		return prefix + rest
	case rest == "/" && (!f.Scoped || len(prefix) > 1):
		return strings.TrimSuffix(prefix, "/")
	}
	return strings.TrimSuffix(prefix, "/") + "/" + strings.TrimPrefix(rest, "/")
}

// handler names a handler, including the calls that wrap it: auth(list).
func (f *finder) handler(n *Node, depth int) string {
	if n == nil || depth > mostNested {
		return ""
	}
	switch n.Kind {
	case Func:
		return source.Anonymous
	case Name:
		if f.Nothing[n.Text] && f.Scoped {
			return ""
		}
		if v := f.vars[n.Text]; v != nil && v.handler != "" {
			return v.handler
		}
		return n.Text
	case Member:
		if v := f.vars[n.X.Text]; n.X.Kind == Name && v != nil && v.typ != "" && !v.result && f.Scoped && !strings.Contains(v.typ, ".") {
			return v.typ + "." + n.Text // a method
		}
		if f.Routes.Named && f.Self[Dotted(n.X)] {
			return f.self(Dotted(n))
		}
		return Dotted(n)
	case List, Map:
		return Dotted(n.Type)
	case Call:
		if f.Routes.Passing[Dotted(n.X)] && len(n.Args) == 1 {
			return f.handler(n.Args[0], depth+1)
		}
		return f.wrapped(n, depth)
	}
	return ""
}

// rows returns the elements of a list, the pairs of a map, or those of a named constant; nil if unknown.
func (f *finder) rows(n *Node) []row {
	if n != nil && n.Kind == Call && n.X.Kind == Member && f.Env.Pairs[n.X.Text] {
		n = n.X.X
	} else if n != nil && n.Kind == Call && f.Env.Pairs[Dotted(n.X)] && len(n.Args) == 1 {
		n = n.Args[0]
	}
	n = f.follow(n)
	if n != nil && n.Kind == Member && f.Env.Types != nil && f.Mentions(".env") {
		return f.field(n.Text)
	}
	if n == nil || n.Kind != List && n.Kind != Map || len(n.Args) > mostRows {
		return nil
	}
	out := make([]row, 0, len(n.Args))
	for _, a := range n.Args {
		r := row{key: a}
		if a.Kind == Bind && len(a.Args) == 1 {
			r = row{a.Args[0], a.X}
		}
		if r.key.Kind != Text {
			return nil
		}
		out = append(out, r)
	}
	return out
}

// otherwise returns the default that a node represents: a literal, arithmetic as written, or source.Computed.
func (f *finder) otherwise(n *Node) (text, usage string) {
	if n == nil {
		return "", ""
	}
	switch n.Kind {
	case Text, Number:
		return n.Text, ""
	case Unknown:
		if n.Text == source.Required {
			return "", n.Text
		}
	case Name:
		if f.Nothing[n.Text] {
			return "", ""
		}
		if n.Text == "true" || n.Text == "True" || n.Text == "False" {
			return n.Text, ""
		}
	case List, Map:
		return "", ""
	case Operator:
		if comparisons[n.Text] {
			return "", "" // another condition
		}
	}
	if name, _ := f.variable(n); name != nil && name.Kind == Text && IsVariable(name.Text) {
		return "", source.ValueOf + name.Text
	}
	if f.nothing(n) {
		return "", ""
	}
	if arithmetic(n, 0) {
		return f.Written(n), ""
	}
	return "", source.Computed
}

var comparisons = Set("== === != !== < > <= >= in not ! is instanceof")

// nothing reports whether an expression is not a default: it is missing or another condition.
func (f *finder) nothing(n *Node) bool {
	for !f.Nothing[n.Text] {
		switch {
		case n.Kind == Member, n.Kind == Index, n.Kind == Call:
			n = n.X
		case n.Kind == Operator && len(n.Args) > 1:
			n = n.Args[0]
		default:
			return false
		}
	}
	return n.Kind != Text
}

// arithmetic reports whether a node computes with numbers only.
func arithmetic(n *Node, depth int) bool {
	switch {
	case n.Kind == Number:
		return true
	case n.Kind != Sum && n.Kind != Operator || len(n.Args) == 0 || depth > mostParts || !strings.Contains("+-*/**//…", n.Text) && n.Kind == Operator:
		return false
	}
	return !slices.ContainsFunc(n.Args, func(a *Node) bool { return !arithmetic(a, depth+1) })
}

const mostCodes = 64

func (f *finder) exits(n *Node) {
	callee, of := Dotted(n.X), ""
	if !f.Exits[f.Library(callee)] {
		lower := strings.ToLower(callee)
		if of = callee; callee == "" || !slices.ContainsFunc(f.ExitWords, func(w string) bool { return strings.Contains(lower, w) }) {
			return
		}
	}
	if len(n.Args) == 1 || f.Scoped && len(n.Args) > 0 {
		f.exit(n, n.Args[0], of)
	}
}

// exit records exit codes, which may be parameters of the function.
func (f *finder) exit(n, code *Node, of string) {
	if in := f.frame(); of == "" && f.Scoped && in.Text != "" && len(in.Args) > 0 && code.Is(in.Args[0].Text) && !strings.Contains(in.Text, ".") {
		f.once(source.Fact{Kind: source.Exit, ID: in.Text}, n)
		return
	}
	name := ""
	if c := f.constant(code); code.Kind == Name && c != nil && c.Kind == Number {
		name = code.Text
	}
	for _, code := range f.codes(code, f.frame(), 2) {
		f.once(source.Fact{Kind: source.Exit, Name: code, Of: of, Help: name}, n)
	}
}

// codes returns the possible exit codes of a node in a function: numbers, also through variables and functions of the
// file, constants of other files prefixed with source.Named, or source.Unknown.
func (f *finder) codes(n *Node, in *frame, deep int) (out []string) {
	if c := f.follow(n); c.Kind == Number {
		n = c
	}
	var body []*Node
	local := f.vars[n.Text] != nil
	found := func(x *Node) { out = append(out, f.codes(x, in, deep-1)...) }
	switch {
	case n.Kind == Number && strings.Trim(n.Text, "0123456789") == "":
		return []string{n.Text}
	case n.Kind == Operator && n.Text == "-" && n.Args[0].Kind == Number:
		return []string{"-" + n.Args[0].Text}
	case n.Kind == Name && f.varying[n.Text]:
		return []string{source.Unknown}
	case n.Kind == Name && !f.Nothing[n.Text] && deep > 0:
		body = in.Body
	case n.Kind == Call && n.X.Kind == Name && deep > 0:
		if called := f.functions[n.X.Text]; called != nil {
			body, in = called.Body, &frame{Node: called}
		}
	case n.Kind == Text || n.Kind == Name || (n.Kind == Operator || n.Kind == Sum) && n.Args[0].Kind == Text:
		return nil
	}
	if f.env.codes++; f.env.codes > mostCodes {
		return []string{source.Unknown}
	}
	if n.Kind == Call {
		f.results(body, found)
	}
	f.within(body, func(s *Node) {
		if n.Kind == Name && s.Kind == Bind && slices.ContainsFunc(s.Args, func(a *Node) bool { return a.Is(n.Text) }) {
			if local = true; s.X != nil && len(s.Args) == 1 {
				found(s.X)
			}
		}
	})
	switch {
	case out != nil:
		return out
	case f.Scoped && n.Kind == Name && !local && len(n.Text) > 1:
		return []string{source.Named + n.Text}
	}
	return []string{source.Unknown}
}

// within visits the statements of a body, and those inside of them.
func (f *finder) within(body []*Node, visit func(*Node)) {
	for _, s := range body {
		f.Step()
		visit(s)
		if s.Kind == If || s.Kind == For || s.Kind == Block {
			f.within(s.Body, visit)
			f.within(s.Else, visit)
		}
	}
}

// results visits what the code of a function returns.
func (f *finder) results(body []*Node, visit func(*Node)) {
	f.within(body, func(s *Node) {
		if s.Kind == Return && s.X != nil {
			visit(s.X)
		}
	})
}
