package surface

import (
	"math"
	"strconv"
	"strings"
)

func isLiteral(n *Node) bool { return n != nil && (n.Kind == List || n.Kind == Map) }

// isTable reports whether a value is a literal list or map, not a struct.
func isTable(n *Node) bool {
	return isLiteral(n) && n.Type != nil && n.Type.Kind == Operator && n.Type.Text != "*"
}

// tableType returns the type of a literal list or map, also of a named type of the file; nil for others.
func (p *interpreter) tableType(n *Node) *Node {
	if isTable(n) {
		return n.Type
	}
	if isLiteral(n) && n.Type != nil && p.classes[n.Type.Text] != nil {
		if typ := p.classes[n.Type.Text].Type; typ != nil && typ.Kind == Operator && typ.Text != "*" {
			return typ
		}
	}
	return nil
}

func isStruct(n *Node) bool { return isLiteral(n) && !isTable(n) }

// here reports whether the file or the current function declares a name.
func (p *interpreter) here(name string) bool { return p.locals[name] != nil || p.file[name] != nil }

// resolve returns the value of an expression as far as the file shows it; nil if a variable's value is uncertain.
func (p *interpreter) resolve(n *Node) *Node {
	left := longestName
	return p.resolved(n, &left)
}

func (p *interpreter) resolved(n *Node, left *int) *Node {
	for ; n != nil && *left > 0; *left-- {
		switch n.Kind {
		case Name:
			if h := p.locals[n.Text]; h != nil {
				if h.row != nil {
					p.row = h.row
				}
				return h.value
			}
			b := p.file[n.Text]
			switch {
			case b == nil:
				return n
			case b.X == nil:
				return nil
			case b.Text == "const":
				n = b.X
				continue
			case isLiteral(b.X):
				return b.X
			case b.X.Kind == Call && b.X.X.Kind == Name && p.makers[b.X.X.Text] != nil:
				return p.makers[b.X.X.Text]
			}
			return nil
		case Member:
			owner := n.X
			if owner.Kind != Name && owner.Kind != Member && owner.Kind != Index {
				return n
			}
			if owner = p.resolved(owner, left); !isStruct(owner) {
				if p.here(Dotted(n.X)) || owner == nil {
					return nil
				}
				return n
			}
			if n = p.field(owner, n.Text); n == nil || n.To-n.From > longestCell {
				return nil
			}
			continue
		case Index:
			if l := p.loop; l != nil && len(l.Args) > 0 && n.X.Kind == Name && n.X.Text == l.X.Text && n.Args[0].Is(l.Args[0].Text) && p.locals[l.Args[0].Text] != nil {
				p.row = p.locals[l.Args[0].Text].row
				if n = p.row; n != nil && n.Kind == Bind {
					n = n.X
				}
				continue
			}
		case Operator:
			if n.Text == "&" {
				n = n.Args[0]
				continue
			}
		}
		return n
	}
	return nil
}

// certain returns the value that a variable keeps: a text, a literal, a name.
func (p *interpreter) certain(n *Node) *Node {
	v := p.resolve(n)
	if v == nil || v.Kind != Sum && v.Kind != Call {
		return v
	}
	if text, ok := p.text(v); ok {
		return &Node{Kind: Text, Text: text, Line: v.Line, From: v.From, To: v.To}
	}
	return v
}

// field returns the value of a field of a literal: also the zero value, if the file declares the type.
func (p *interpreter) field(literal *Node, name string) *Node {
	known := p.cells[literal]
	if known == nil {
		known = map[string]*Node{}
		p.cells[literal] = known
		for i, f := range p.structOf(literal.Type) {
			p.Steps(stepsOfColumn)
			known[f.Text] = nil
			if literal.Kind == List && i < len(literal.Args) {
				known[f.Text] = literal.Args[i]
			} else if zero, ok := p.Zeros[Dotted(f.Type)]; ok {
				known[f.Text] = zero
			}
		}
		for _, a := range literal.Args {
			if a.Kind == Bind && a.Key != "" {
				known[a.Key] = a.X
			}
		}
	}
	return known[name]
}

func (p *interpreter) structOf(typ *Node) []*Node {
	switch typ = plain(typ); {
	case typ == nil:
	case typ.Kind == Class:
		return typ.Body
	case typ.Kind == Name && p.classes[typ.Text] != nil:
		return p.classes[typ.Text].Body
	}
	return nil
}

// text returns the text of a literal, of a sum with constants, or of a call that only removes indentation.
func (p *interpreter) text(n *Node) (string, bool) {
	written := n
	n = p.resolve(n)
	switch {
	case n == nil:
	case n.Kind == Text:
		return n.Text, n == written || len(n.Text) <= longestText
	case n.Kind == Sum && n == written:
		return p.sum(n)
	case n.Kind == Sum: // of a constant, which other constants may use
		known, ok := p.sums[n]
		if !ok {
			p.sums[n] = nil // self-referential
			if text, ok := p.sum(n); ok {
				known = &text
			}
			p.sums[n] = known
		}
		if known != nil {
			return *known, len(*known) <= longestText
		}
	case n.Kind == Call && len(n.Args) == 1 && n.X.Is(p.TextType):
		return p.text(n.Args[0])
	case n.Kind == Call && len(n.Args) == 1 && p.Dedents[Dotted(n.X)] != nil:
		text, ok := p.text(n.Args[0])
		return p.Dedents[Dotted(n.X)](text), ok
	}
	return "", false
}

// sum returns the text of a concatenation. One with constants must be short, because each may be used often.
func (p *interpreter) sum(n *Node) (string, bool) {
	var b strings.Builder
	shared := 0
	for _, a := range n.Args {
		text, ok := p.text(a)
		if a.Kind != Text {
			shared += len(text)
		}
		if !ok || shared > longestText {
			return "", false
		}
		b.WriteString(text)
	}
	return b.String(), true
}

// defaultOf returns a default as users write it; empty for a zero or computed one.
func (p *interpreter) defaultOf(n *Node) string {
	if text, ok := p.text(n); ok {
		return text
	}
	switch n = p.resolve(n); {
	case n == nil:
	case n.Is("true"):
		return n.Text
	case n.Kind == List && isTable(n) && len(n.Args) > 0:
		if all := p.literals(n); len(all) == len(n.Args) {
			return "[" + strings.Join(all, ",") + "]"
		}
	}
	left := mostAddends
	value, unit, ok := p.amount(n, &left)
	switch whole := int64(value); {
	case !ok || value == 0:
		return ""
	case unit:
		return p.Quantity(whole)
	case float64(whole) == value:
		return strconv.FormatInt(whole, 10)
	}
	return strconv.FormatFloat(value, 'g', -1, 64)
}

// amount computes with numbers and units.
func (p *interpreter) amount(n *Node, left *int) (value float64, unit, ok bool) {
	if n = p.resolve(n); n == nil || *left == 0 {
		return 0, false, false
	}
	*left--
	switch size := p.Units[Dotted(n)]; {
	case size > 0:
		return float64(size), true, true
	case n.Kind == Number:
		if whole, err := strconv.ParseInt(n.Text, 0, 64); err == nil {
			return float64(whole), false, true
		}
		value, err := strconv.ParseFloat(n.Text, 64)
		return value, false, err == nil
	case n.Kind == Call && len(n.Args) == 1 && p.Routes.Passing[Dotted(n.X)]:
		return p.amount(n.Args[0], left)
	case n.Kind == Operator && n.Text == "-" && len(n.Args) == 1:
		value, unit, ok = p.amount(n.Args[0], left)
		return -value, unit, ok
	case n.Kind != Operator && n.Kind != Sum || len(n.Args) < 2:
		return 0, false, false
	}
	value, unit, ok = p.amount(n.Args[0], left)
	for _, a := range n.Args[1:] {
		by, isUnit, is := p.amount(a, left)
		unit, ok = unit || isUnit, ok && is
		switch n.Text {
		case "+":
			value += by
		case "-":
			value -= by
		case "*":
			value *= by
		case "<<":
			value *= math.Exp2(by)
		default:
			ok = false
		}
	}
	return value, unit, ok
}

// fallback returns the default of a flag, or its name if another file declares it.
func (p *interpreter) defaultFrom(n *Node) (value, elsewhere string) {
	if n == nil {
		return "", ""
	}
	if value = p.defaultOf(n); value != "" {
		return value, ""
	}
	first := n
	for first.Kind == Member {
		first = first.X
	}
	name := Dotted(n)
	switch {
	case first.Kind != Name || name == "" || p.here(first.Text) || name == "false" || p.Nothing[name] || strings.Count(name, ".") > 2:
		return "", ""
	case strings.Count(name, ".") == 2 && !p.Imports[first.Text]:
		return "", ""
	}
	return "", name
}

// mostAddends bounds the operands of a number.
const mostAddends = 8

// typeID returns the name of a type that the module or an imported package declares.
func (p *interpreter) typeID(typ *Node) string {
	switch typ = pointed(typ); {
	case typ == nil:
	case typ.Kind == Name:
		return typ.Text
	case typ.Kind == Member && typ.X.Kind == Name && p.Imports[typ.X.Text] && p.Packages[typ.X.Text] == "":
		return Dotted(typ)
	}
	return ""
}

// typeOf returns the type of a value as far as the file shows it.
func (p *interpreter) typeOf(n *Node) string {
	switch {
	case n.Kind == Name && p.locals[n.Text] != nil:
		return p.locals[n.Text].typ
	case n.Kind == Name:
		return p.types[n.Text]
	case n.Kind == Member:
		return p.fieldType(n)
	case n.Kind == Call && p.results[Dotted(n.X)] != "":
		return p.results[Dotted(n.X)]
	case n.Kind == Operator && n.Text == "&":
		return p.typeOf(n.Args[0])
	case isLiteral(n):
		return p.typeID(n.Type)
	case n.Kind == Call && n.X.Is("new") && len(n.Args) == 1:
		return p.typeID(n.Args[0])
	}
	return ""
}

// made returns the ID of what a call returns, or "".
func (p *interpreter) made(n *Node) string {
	switch {
	case n.X.Kind == Name && p.locals[n.X.Text] == nil && !p.Predeclared[n.X.Text]:
		return n.X.Text
	case n.X.Kind == Member:
		return p.member(n.X)
	}
	return ""
}

// member returns the ID of a member of a package, or of a value of known type.
func (p *interpreter) member(n *Node) string {
	owner := n.X
	switch owner.Kind {
	case Member:
		if typ := p.fieldType(owner); typ != "" {
			return typ + "." + n.Text
		}
	case Name:
		h := p.locals[owner.Text]
		switch {
		case h != nil && h.typ == "", h == nil && p.Packages[owner.Text] != "":
			return ""
		case h != nil:
			return h.typ + "." + n.Text
		case p.types[owner.Text] != "":
			return p.types[owner.Text] + "." + n.Text
		}
		return owner.Text + "." + n.Text // of a package, or of a variable from another file
	}
	return ""
}

func (p *interpreter) fieldType(n *Node) string {
	if n.X.Kind != Name {
		return ""
	}
	typ := p.types[n.X.Text]
	if h := p.locals[n.X.Text]; h != nil {
		typ = h.typ
	}
	return p.typeID(p.finder.fieldType(typ + "." + n.Text))
}
