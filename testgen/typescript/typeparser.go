package typescript

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source/ecma"
	"github.com/causaldocs/causal/testgen/spec"
)

// typeParser parses a type. Without a resolver it only finds the end of the type.
type typeParser struct {
	t     []ecma.Token
	i     int
	names *resolver
	depth int // of aliases
}

func (p *typeParser) at(i int) ecma.Token {
	if i < 0 || i >= len(p.t) {
		return ecma.Token{Kind: ecma.Punct, Match: -1}
	}
	return p.t[i]
}

func (p *typeParser) is(text string) bool { return isToken(p.at(p.i), text) }

func (p *typeParser) past() {
	if m := p.at(p.i).Match; m > p.i {
		p.i = m
	}
	p.i++
}

// parse parses a type. Nesting over 40 levels is opaque.
func (p *typeParser) parse(depth int) *Type {
	if depth > 40 {
		p.past()
		return opaque("…")
	}
	if p.is("asserts") && p.at(p.i+1).Kind == ecma.Word {
		p.i++
	}
	var list []*Type
	for {
		if p.is("|") {
			p.i++
			continue
		}
		list = append(list, p.intersection(depth+1))
		if !p.is("|") {
			break
		}
	}
	t := union(list)
	switch {
	case p.is("is"):
		p.i++
		p.parse(depth + 1)
		return &Type{Text: "boolean", Kind: Boolean}
	case p.is("extends"):
		p.i++
		p.parse(depth + 1)
		for p.is("?") || p.is(":") {
			p.i++
			p.parse(depth + 1)
		}
		return opaque("conditional type")
	}
	return t
}

func (p *typeParser) intersection(depth int) *Type {
	t := p.postfix(depth)
	for p.is("&") {
		p.i++
		other := p.postfix(depth)
		if t.Kind == Object && other.Kind == Object {
			t = &Type{Text: t.Text + " & " + other.Text, Kind: Object, Fields: joinFields(t.Fields, other.Fields), Foreign: t.Foreign || other.Foreign}
		} else {
			t = opaque(t.Text + " & " + other.Text)
		}
	}
	return t
}

func joinFields(a, b []Field) []Field {
	out := append([]Field{}, b...)
	for _, f := range a {
		found := false
		for _, o := range b {
			found = found || o.Name == f.Name
		}
		if !found {
			out = append(out, f)
		}
	}
	return out
}

func (p *typeParser) postfix(depth int) *Type {
	switch {
	case p.is("readonly"):
		p.i++
		return p.postfix(depth)
	case p.is("keyof") || p.is("unique") || p.is("infer"):
		word := p.at(p.i).Text
		p.i++
		return opaque(word + " " + p.postfix(depth).Text)
	}
	t := p.primary(depth)
	for p.is("[") && p.at(p.i).Line == p.at(p.i-1).Line {
		if isToken(p.at(p.i+1), "]") {
			t = arrayOf(t)
		} else {
			t = opaque(t.Text + "[…]")
		}
		p.past()
	}
	return t
}

func arrayOf(t *Type) *Type {
	text := t.Text
	if strings.ContainsAny(text, " ") {
		text = "(" + text + ")"
	}
	return &Type{Text: text + "[]", Kind: Array, Elem: t, Foreign: t.Foreign}
}

func (p *typeParser) primary(depth int) *Type {
	t := p.at(p.i)
	switch {
	case depth > 40:
		p.past()
		return opaque("…")
	case isToken(t, "new") || isToken(t, "abstract"):
		p.i++
		p.primary(depth + 1)
		return opaque("constructor")
	case isToken(t, "("):
		return p.parenthesis(depth)
	case isToken(t, "<"): // a generic function
		p.i = (&reader{t: p.t}).angles(p.i)
		p.primary(depth + 1)
		return &Type{Text: "function", Kind: Callable, Foreign: true}
	case isToken(t, "["):
		return p.tuple(depth)
	case isToken(t, "{"):
		return p.object(depth)
	case t.Kind == ecma.String || t.Kind == ecma.Number || isToken(t, "-"), t.Kind == ecma.Template:
		v, next, ok := literal(p.t, p.i)
		if p.i = max(next, p.i+1); ok {
			return literalType(v)
		}
		return opaque(t.Text)
	case isToken(t, "true") || isToken(t, "false"):
		p.i++
		return literalType(t.Text == "true")
	case isToken(t, "typeof"), isToken(t, "import"):
		p.i++
		for p.at(p.i).Kind == ecma.Word || p.is(".") || p.is("(") {
			p.past()
		}
		return opaque(t.Text)
	case t.Kind == ecma.Word:
		return p.name(depth)
	case t.Kind == ecma.Part:
		p.past()
		return opaque("template")
	}
	if !isToken(t, ")") && !isToken(t, "]") && !isToken(t, "}") && !isToken(t, ";") && !isToken(t, ",") && !isToken(t, "=") && !isToken(t, "=>") {
		p.i++
	}
	return opaque(t.Text)
}

func literalType(v spec.Value) *Type {
	return &Type{Text: flatCode(v), Kind: Literal, Value: v}
}

func (p *typeParser) parenthesis(depth int) *Type {
	open := p.i
	end := p.at(open).Match
	if end > open && isToken(p.at(end+1), "=>") {
		p.i = end + 2
		p.parse(depth + 1)
		return &Type{Text: "function", Kind: Callable, Foreign: true}
	}
	p.i++
	t := p.parse(depth + 1)
	p.i = max(end, open) + 1
	return t
}

func (p *typeParser) tuple(depth int) *Type {
	open := p.i
	end := max(p.at(open).Match, open)
	t := &Type{Kind: Tuple}
	odd := false
	var texts []string
	for p.i++; p.i < end; {
		if isToken(p.at(p.i+1), ":") {
			p.i += 2 // a label
		}
		if p.is("...") || isToken(p.at(p.i+1), "?") {
			odd = true
		}
		at := p.i
		e := p.parse(depth + 1)
		t.Elems, texts, t.Foreign = append(t.Elems, e), append(texts, e.Text), t.Foreign || e.Foreign
		if !p.is(",") {
			odd = odd || p.i > at && p.i < end
			break
		}
		p.i++
	}
	p.i = end + 1
	if odd {
		return opaque("tuple")
	}
	t.Text = "[" + strings.Join(texts, ", ") + "]"
	return t
}

func (p *typeParser) object(depth int) *Type {
	open := p.i
	end := max(p.at(open).Match, open)
	p.i++
	fields, elem, ok := p.properties(end, depth)
	p.i = end + 1
	if !ok {
		return opaque("object")
	}
	return objectOf(fields, elem)
}

func objectOf(fields []Field, elem *Type) *Type {
	if elem != nil {
		return &Type{Text: "Record<string, " + elem.Text + ">", Kind: Dictionary, Elem: elem, Foreign: elem.Foreign}
	}
	t := &Type{Kind: Object, Fields: fields}
	texts := []string{}
	for _, f := range fields {
		name := f.Name
		if f.Optional {
			name += "?"
		}
		texts, t.Foreign = append(texts, name+": "+f.Type.Text), t.Foreign || f.Type.Foreign
	}
	if t.Text = "{ " + strings.Join(texts, "; ") + " }"; len(texts) == 0 {
		t.Text = "{}"
	}
	return t
}

// properties parses the properties up to a token. elem is the type of an index signature. ok is false for other
// members.
func (p *typeParser) properties(end, depth int) (fields []Field, elem *Type, ok bool) {
	for p.i < end {
		if p.is(";") || p.is(",") {
			p.i++
			continue
		}
		if p.is("readonly") && p.at(p.i+1).Kind != ecma.Punct {
			p.i++
		}
		if p.is("[") { // an index signature or a mapped type
			inside := p.at(p.i + 2)
			p.past()
			if !isToken(inside, ":") || !p.is(":") {
				return nil, nil, false
			}
			p.i++
			elem = p.parse(depth + 1)
			continue
		}
		name := p.at(p.i).Text
		if p.at(p.i).Kind == ecma.String {
			name, _ = textOf(p.at(p.i))
		} else if p.at(p.i).Kind != ecma.Word {
			return nil, nil, false
		}
		f := Field{Name: name}
		if p.i++; p.is("?") {
			f.Optional = true
			p.i++
		}
		if p.is("(") || p.is("<") { // a method
			if p.is("<") {
				p.i = (&reader{t: p.t}).angles(p.i)
			}
			p.past()
			f.Type = &Type{Text: "function", Kind: Callable, Foreign: true}
			if p.is(":") {
				p.i++
				p.parse(depth + 1)
			}
			fields = append(fields, f)
			continue
		}
		if !p.is(":") {
			return nil, nil, false
		}
		p.i++
		f.Type = p.parse(depth + 1)
		fields = append(fields, f)
		if len(fields) > 100 {
			return nil, nil, false
		}
	}
	if elem != nil && len(fields) > 0 {
		return nil, nil, false
	}
	return fields, elem, true
}

func (p *typeParser) name(depth int) *Type {
	name := p.at(p.i).Text
	for p.i++; p.is(".") && p.at(p.i+1).Kind == ecma.Word; p.i += 2 {
		name += "." + p.at(p.i+1).Text
	}
	var args []*Type
	if p.is("<") {
		for p.i++; p.i < len(p.t) && !p.is(">"); p.i++ {
			if args = append(args, p.parse(depth+1)); !p.is(",") {
				break
			}
		}
		if p.is(">") {
			p.i++
		}
	}
	return p.named(name, args)
}

func (p *typeParser) named(name string, args []*Type) *Type {
	if len(args) == 1 {
		switch a := args[0]; name {
		case "Array", "ReadonlyArray":
			return arrayOf(a)
		case "Promise", "PromiseLike":
			t := *a
			t.Text, t.Async = "Promise<"+a.Text+">", true
			return &t
		case "Readonly", "NonNullable", "Required":
			return a
		case "Partial":
			if a.Kind == Object {
				t := &Type{Text: "Partial<" + a.Text + ">", Kind: Object, Foreign: a.Foreign}
				for _, f := range a.Fields {
					t.Fields = append(t.Fields, Field{f.Name, true, f.Type})
				}
				return t
			}
		case "Uint8Array":
			return &Type{Text: "Uint8Array", Kind: Bytes}
		}
	}
	if name == "Record" && len(args) == 2 && args[0].Kind == Text {
		return objectOf(nil, args[1])
	}
	if kind, ok := predeclared[name]; ok && len(args) == 0 {
		return &Type{Text: name, Kind: kind}
	}
	if p.names != nil && len(args) == 0 {
		return p.names.resolve(name, p.depth+1)
	}
	return opaque(name)
}
