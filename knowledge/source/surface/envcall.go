package surface

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
)

// environment is what is known about the environment variables of the current function.
type environment struct {
	absent   map[*Node]absence // default of the variable that a call reads
	asking   map[string]bool   // parameters that are functions that read variables
	function string
	keys     []string          // first two parameters; empty if they cannot be the name of a variable
	fallback string            // parameter that is the default
	returned bool              // the function returns fallback
	bound    []*Node           // calls that bind a variable to a key
	auto     []*Node           // calls that derive variables from all keys
	replaced map[string]string // texts of keys and what variables have instead, by value that has the configuration
	fixed    map[string]bool   // keys that have a value whatever the variable has
}

// absence describes a missing variable: its default or failure.
type absence struct{ value, usage string }

// parameters prepares the parameters of a function that may name a variable and its default.
func (p *interpreter) parameters(n *Node) {
	e := &p.env
	for i, a := range n.Args {
		if i < 2 {
			e.keys = append(e.keys, "")
			if a.Type.Is(p.TextType) {
				e.keys[i] = a.Text
			}
		}
		if a.Type != nil && p.Asking[a.Type.Text] && mentionsEnvironment(a.Text) {
			e.asking[a.Text] = true
		}
	}
	if len(n.Args) < 2 || e.keys[0] == "" {
		return
	}
	e.fallback = n.Args[1].Text
	p.everywhere(func(c *Node) { e.returned = e.returned || c.Kind == Return && c.X.Is(e.fallback) }, n)
}

// asks returns the call that reads a variable, if the expression does nothing else.
func (p *interpreter) asks(n *Node) *Node {
	for left := longestName; n != nil && left > 0 && n.Kind == Call && len(n.Args) > 0; left-- {
		name := Dotted(n.X)
		switch {
		case p.env.asking[name], p.Readers[name]:
			return n
		case !p.Tidies[name]:
			return nil
		}
		n = n.Args[0]
	}
	return nil
}

func (p *interpreter) give(call, value *Node) {
	if _, known := p.env.absent[call]; call != nil && !known {
		p.env.absent[call] = p.absenceOf(value)
	}
}

func (p *interpreter) absenceOf(n *Node) absence {
	a := absence{value: p.defaultOf(n)}
	if a.value != "" {
		return a
	}
	switch n.Kind {
	case Call, Member, Index, Operator, Sum, Or:
		a.usage = source.Computed
	}
	return a
}

// binding reads the fallback of a variable from the statements around its reading.
func (p *interpreter) binding(list []*Node, i int) {
	n := list[i]
	call := p.asks(n.X)
	delete(p.env.absent, call)
	if call == nil || i+1 == len(list) || list[i+1].Kind != If {
		return
	}
	cond, rest := list[i+1], list[i+2:]
	absent, known := p.asked(cond.X, n.Args)
	if !known || len(cond.Body) == 0 {
		return
	}
	if absent && len(cond.Else) == 0 && p.fails(cond.Body[len(cond.Body)-1]) {
		if in := p.frame(); in.unsure == 0 && !in.left {
			p.env.absent[call] = absence{usage: source.Required}
		}
		return
	}
	target := p.Written(n.Args[0])
	to, value := p.set(cond.Body)
	if value == nil || absent && len(cond.Else) > 0 {
		return
	}
	other, instead := p.set(cond.Else)
	if instead == nil && len(cond.Else) == 0 && to == returning {
		other, instead = p.set(rest[:min(len(rest), 1)])
	}
	switch {
	case absent && to == target:
		p.give(call, value)
	case absent && to == returning && other == returning && instead != nil && p.Written(instead) == target:
		p.give(call, value)
	case absent || p.Written(value) != target:
	case other == to && instead != nil:
		p.give(call, instead)
	case to == returning || len(cond.Else) > 0:
	default:
		if i > 0 {
			other, instead = p.set(list[i-1 : i])
		}
		if other == to && instead != nil {
			p.give(call, instead)
		} else if h := p.locals[to]; h != nil && h.row != nil && h.value != nil {
			p.give(call, h.value)
		}
	}
}

// returning stands for the variable that a return statement sets.
const returning = "return"

// set returns what a block of one statement sets.
func (p *interpreter) set(body []*Node) (to string, value *Node) {
	if len(body) != 1 {
		return "", nil
	}
	switch n := body[0]; {
	case n.Kind == Return && n.X != nil:
		return returning, n.X
	case n.Kind == Bind && len(n.Args) == 1 && n.X != nil && n.Text != "+=":
		return p.Written(n.Args[0]), n.X
	case n.Kind == Block && n.Text == "{":
		return p.set(n.Body)
	}
	return "", nil
}

// asked reports whether a condition holds if the variable is absent, or if it is present; known is false for other
// conditions.
func (p *interpreter) asked(cond *Node, results []*Node) (absent, known bool) {
	value, found := p.Written(results[0]), ""
	if len(results) > 1 {
		found = p.Written(results[1])
	}
	switch {
	case cond.Kind == Name:
		return false, cond.Text == found
	case cond.Kind == Operator && cond.Text == "!":
		return true, p.Written(cond.Args[0]) == found
	case cond.Kind == Operator && (cond.Text == "==" || cond.Text == "!="):
		left, right := cond.Args[0], cond.Args[1]
		length := p.length(left)
		known = p.Written(left) == value && right.Kind == Text && right.Text == "" || length != nil && p.Written(length) == value && right.Kind == Number && right.Text == "0"
		return cond.Text == "==", known
	}
	return false, false
}

// fails reports whether a statement ends the program or returns a new error.
func (f *finder) fails(n *Node) bool {
	if n.Kind == Return {
		if len(n.Args) > 0 {
			n = n.Args[len(n.Args)-1]
		} else {
			n = n.X
		}
	}
	return n != nil && n.Kind == Call && f.Failing[Dotted(n.X)]
}

func (p *interpreter) reads(n *Node) {
	if p.First[Dotted(n.X)] && len(n.Args) > 1 {
		for _, a := range n.Args[:len(n.Args)-1] {
			p.give(p.asks(a), n.Args[len(n.Args)-1])
		}
	}
	if call := p.asks(n); call == n {
		p.direct(n)
	} else if len(n.Args) > 0 {
		p.through(n)
	}
	if !p.Copies[Dotted(n.X)] {
		for _, a := range n.Args {
			p.readsWhole(a)
		}
	}
	p.variables(n)
}

func (p *interpreter) readsWhole(n *Node) {
	if n != nil && n.Kind == Call && p.Whole[Dotted(n.X)] {
		p.tell(source.Fact{Kind: source.Reads, ID: source.Whole}, n)
	}
}

func (p *interpreter) readsAll(n *Node) {
	for _, name := range p.ReadBy[Dotted(n)] {
		p.tell(source.Fact{Kind: source.Env, Name: name, Help: "read by " + p.From}, n)
	}
}

// direct records a call that reads a variable, whose name may be a parameter of the function.
func (p *interpreter) direct(n *Node) {
	not, name := p.env.absent[n], n.Args[0]
	if at, ok := p.isKey(name); ok {
		p.tell(source.Fact{Kind: source.Reads, ID: p.env.function, Also: at, Value: p.second(), Default: not.value, Usage: not.usage}, n)
		return
	}
	if h := p.locals[name.Text]; name.Kind == Name && h != nil && h.far != "" {
		p.tell(source.Fact{Kind: source.Reads, ID: h.far}, n)
		return
	}
	p.row = nil
	fact := source.Fact{Kind: source.Env, Name: p.spelled(name), Default: not.value, Usage: not.usage}
	if row := p.row; row != nil && not == (absence{}) {
		fact.Default, fact.Help = p.described(row)
	}
	p.tell(fact, n)
}

// through records a call of a function that may read the variable named by its argument.
func (p *interpreter) through(n *Node) {
	made := p.made(n)
	if h := p.locals[n.X.Text]; n.X.Kind == Name && h != nil && !h.parameter {
		made = n.X.Text // a local function
	}
	if made == "" {
		return
	}
	about := mentionsEnvironment(made)
	for i, a := range n.Args[:min(len(n.Args), 2)] {
		if at, ok := p.isKey(a); ok {
			if about && i == 0 && made != p.env.function {
				p.tell(source.Fact{Kind: source.Reads, ID: p.env.function, Of: made, Also: at, Value: p.second()}, n)
				return
			}
			continue
		}
		if name := p.spelled(a); mayAsk(name, about, i) {
			fact := source.Fact{Kind: source.Env, Name: name, Of: made, Also: positions[i]}
			if len(n.Args) > i+1 {
				not := p.absenceOf(n.Args[i+1])
				fact.Default, fact.Usage = not.value, not.usage
			}
			p.tell(fact, n)
			return
		}
	}
}

// positions are argument positions as in facts; the first is empty.
var positions = [2]string{"", source.Second}

// mayAsk reports whether an argument may be the name of a variable that the function reads. about means that the
// function's name suggests the environment.
func mayAsk(name string, about bool, argument int) bool {
	if constant, ok := strings.CutPrefix(name, source.Named); ok {
		return about && argument == 0 || mentionsEnvironment(constant)
	}
	return name == source.Unknown && about && argument == 0 ||
		IsVariable(strings.Trim(name, "_*")) && (about && argument == 0 || strings.IndexByte(name, '_') > 0)
}

// isKey reports whether an expression is a parameter that may name a variable, and its position.
func (p *interpreter) isKey(n *Node) (position string, ok bool) {
	if h := p.locals[n.Text]; n.Kind != Name || h == nil || !h.parameter || h.value != nil {
		return "", false
	}
	i := slices.Index(p.env.keys, n.Text)
	return positions[max(i, 0)], i >= 0
}

// second marks the parameter after the name as the default.
func (p *interpreter) second() string {
	if p.env.returned {
		return source.Fallback
	}
	return ""
}

// fewestNames is the minimum number of variables in a table that accompanies a read of the whole environment.
const fewestNames = 3

// listed records the variables in the keys of a table, or in its elements if it has no keys; other tables are ignored.
func (p *interpreter) listed(table *Node, of string, fewest int) {
	if len(table.Args) < fewest || len(table.Args) > mostRows {
		return
	}
	var found []source.Fact
	underscore := false
	for _, a := range table.Args {
		name := a
		if a.Kind == Bind {
			name = a.Args[0]
		}
		text, ok := p.text(name)
		if !ok || !IsVariable(text) {
			return
		}
		fact := source.Fact{Kind: source.Env, Name: text, Of: of, Line: int(name.Line)}
		if a.Kind == Bind && isLiteral(a.X) && a.X.Type == nil {
			a.X.Type = table.Type.Args[len(table.Type.Args)-1]
		}
		fact.Default, fact.Help = p.described(a)
		underscore = underscore || strings.Contains(text, "_")
		found = append(found, fact)
	}
	if underscore {
		p.facts = append(p.facts, found...)
	}
}

// described returns the default and the help in the fields of a row.
func (p *interpreter) described(row *Node) (value, help string) {
	if row.Kind == Bind {
		row = row.X
	}
	if row = p.resolve(row); !isStruct(row) {
		return "", ""
	}
	var out [2]string
	for _, f := range p.structOf(row.Type) {
		p.Step()
		for i, names := range p.FieldNames {
			if cell := p.field(row, f.Text); cell != nil && names[strings.ToLower(f.Text)] {
				out[i] = p.defaultOf(cell)
			}
		}
	}
	return out[0], markdown.FirstSentence(out[1])
}

// mostNested bounds types in types, and calls around a handler.
const mostNested = 8

// tagOptions may follow a default in a tag: https://github.com/joeshaw/envdecode. Elsewhere the default ends the tag:
// https://github.com/sethvargo/go-envconfig.
var tagOptions = Set("required notEmpty strict")

// tagFields reads tags that fill fields from the environment.
func (p *interpreter) tagFields(fields []*Node, prefix string, depth int) {
	names := map[string]bool{}
	for i, f := range fields {
		t := tags(f)
		if f.Type.Kind == Class && depth < mostNested {
			p.tagFields(f.Type.Body, prefix+t.Get(p.TagPrefix), depth+1)
			continue
		}
		if _, ok := t.Lookup("cmd"); ok || t.Get("help") != "" || t.Get("long") != "" {
			continue // of a command-line library
		}
		name, fact := "", source.Fact{Kind: source.Env}
		for _, form := range p.TagForms {
			own, options, _ := strings.Cut(t.Get(form.Name), ",")
			if own == "" || name != "" && own != name {
				continue
			}
			name, fact.Default = own, cmp.Or(fact.Default, t.Get(form.Value))
			required := t.Get(form.Required) == "true"
			open := false // the default, which may have commas
			for text := range strings.SplitSeq(options, ",") {
				option := strings.TrimSpace(text)
				value, begins := strings.CutPrefix(option, "default=")
				open = (open || begins) && !tagOptions[option]
				switch {
				case begins:
					fact.Default = value
				case open:
					fact.Default += "," + text
				}
				required = required || option == "required" || option == "notEmpty"
			}
			if required {
				fact.Usage = source.Required
			}
		}
		if fact.Name = prefix + name; IsVariable(fact.Name) && name != "" {
			fact.Help = markdown.FirstSentence(p.docOf(i, fields, names))
			p.tell(fact, f)
		}
	}
}

// docOf returns the documentation of a field, unless that begins with the name of another one, or heads a group. It
// fills the names when it first needs them.
func (p *interpreter) docOf(at int, fields []*Node, names map[string]bool) string {
	n := fields[at]
	if len(n.Marks) == 0 {
		return ""
	}
	text := n.Marks[0].Text
	first, _, _ := strings.Cut(text, " ")
	if first == n.Text {
		return text
	}
	if len(names) == 0 {
		for _, f := range fields {
			names[f.Text] = true
		}
	}
	if names[first] || p.headsGroup(n, fields[at+1:]) {
		return ""
	}
	return text
}

// fewestHeaded is the minimum number of fields without comments below the first of a group.
const fewestHeaded = 2

// headsGroup reports whether the comment of a field is the title of a group: behind an empty line, above several fields
// without comments, no sentence, and without the field's name.
func (p *interpreter) headsGroup(n *Node, below []*Node) bool {
	doc := n.Marks[0]
	above := strings.TrimRight(p.Src[:doc.From], " \t")
	if doc.From > n.From || !strings.HasSuffix(strings.ReplaceAll(above[max(0, len(above)-3):], "\r", ""), "\n\n") ||
		strings.HasSuffix(doc.Text, ".") || strings.Contains(strings.ToLower(strings.ReplaceAll(doc.Text, " ", "")), strings.ToLower(n.Text)) {
		return false
	}
	for i, end := 0, n.To; i < len(below); i++ {
		if len(below[i].Marks) > 0 || below[i].From > end && strings.Count(p.Src[end:below[i].From], "\n") > 1 {
			return i >= fewestHeaded
		}
		end = below[i].To
	}
	return len(below) >= fewestHeaded
}
