package typescript

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source/ecma"
)

func (r *reader) class(d *decl, isDefault bool) {
	d.kind = aClass
	if r.i++; r.at(r.i).Kind == ecma.Word && !r.is(r.i, "extends") && !r.is(r.i, "implements") {
		d.name = r.at(r.i).Text
	} else if isDefault {
		d.name = "default"
	}
	for r.i < len(r.t) && !r.is(r.i, "{") {
		if r.is(r.i, "(") || r.is(r.i, "[") {
			r.i = r.past(r.i)
			continue
		}
		r.i++
	}
	d.body = span{r.i + 1, r.past(r.i) - 1}
	r.i = r.past(r.i)
	end := r.i
	for i := d.body.from; i < d.body.to; {
		i = r.member(d, i)
	}
	r.i = end
}

// member reads one member of a class and returns the index of the next one.
func (r *reader) member(class *decl, i int) int {
	start, static, hidden := i, false, false
	m := &decl{from: i, kind: aFunction, doc: r.at(i).Doc, file: r.f}
	for ; i < class.body.to; i++ {
		if next := r.at(i + 1); next.Text == "(" || next.Text == "=" || next.Text == "<" || next.Text == ":" || next.Text == ";" || next.Text == "?" {
			break // a member named like a modifier
		}
		switch r.at(i).Text {
		case "static":
			static = true
		case "private", "protected", "get", "set", "abstract", "accessor":
			hidden = true
		case "async":
			m.async = true
		case "*":
			m.special = "is a generator"
		case "public", "override", "readonly", "declare":
		default:
			goto named
		}
	}
named:
	name := r.at(i)
	r.i = i + 1
	if static && !hidden && name.Kind == ecma.Word && !strings.HasPrefix(name.Text, "#") && (r.is(r.i, "(") || r.is(r.i, "<")) {
		m.name = class.name + "." + name.Text
		m.sigs = r.signature()
		if m.to = min(r.i, len(r.t)); len(m.sigs) == 1 {
			r.add(m)
		}
		return max(r.i, start+1)
	}
	for i = r.past(i); i < class.body.to; i = r.past(i) { // skip a member that is no static method
		if r.is(i, ";") {
			return i + 1
		}
		if r.is(i, "{") && !r.is(i-1, "=") && !r.is(i-1, ":") && !r.is(i-1, "=>") {
			return r.past(i)
		}
		if r.startsLine(i) {
			return i
		}
	}
	return class.body.to
}

func (r *reader) iface(d *decl) {
	d.kind, d.name = aInterface, r.at(r.i+1).Text
	if r.i += 2; r.is(r.i, "<") {
		d.generics = true
		r.i = r.angles(r.i)
	}
	if r.is(r.i, "extends") {
		d.extends.from = r.i + 1
		for r.i < len(r.t) && !r.is(r.i, "{") {
			r.i++
		}
		d.extends.to = r.i
	}
	d.body = span{r.i + 1, r.past(r.i) - 1}
	r.i = r.past(r.i)
}

func (r *reader) alias(d *decl) {
	d.kind, d.name = aType, r.at(r.i+1).Text
	if r.i += 2; r.is(r.i, "<") {
		d.generics = true
		r.i = r.angles(r.i)
	}
	if r.is(r.i, "=") {
		p := typeParser{t: r.t, i: r.i + 1}
		p.parse(0)
		d.body = span{r.i + 1, p.i}
		r.i = max(p.i, r.i+1)
	}
	if r.is(r.i, ";") {
		r.i++
	}
}

func (r *reader) enum(d *decl) {
	d.kind = anEnum
	if r.is(r.i, "const") {
		r.i++
	}
	d.name = r.at(r.i + 1).Text
	r.i += 2
	d.body = span{r.i + 1, r.past(r.i) - 1}
	r.i = r.past(r.i)
}

func (r *reader) importStatement() {
	r.i++
	typeOnly := r.is(r.i, "type") && !r.is(r.i+1, "from") && !r.is(r.i+1, ",")
	if typeOnly {
		r.i++
	}
	bound := map[string]imported{}
	for ; r.i < len(r.t) && r.at(r.i).Kind != ecma.String; r.i++ {
		t := r.at(r.i)
		switch {
		case t.Text == ";" || t.Text == "(" || t.Text == ".":
			r.skip() // import() and import.meta
			return
		case t.Text == "{":
			r.specifiers(r.i, func(name, local string, isType bool) {
				bound[local] = imported{name: name, typeOnly: typeOnly || isType}
			})
			r.i = r.past(r.i) - 1
		case t.Text == "*" && r.is(r.i+1, "as"):
			bound[r.at(r.i+2).Text] = imported{name: "*", typeOnly: typeOnly}
			r.i += 2
		case t.Kind == ecma.Word && t.Text != "from" || t.Text == "from" && r.is(r.i+1, "from"):
			bound[t.Text] = imported{name: "default", typeOnly: typeOnly}
		}
	}
	at, _ := textOf(r.at(r.i))
	r.f.from = append(r.f.from, at)
	for local, one := range bound {
		one.path = at
		r.f.imports[local] = one
	}
	if r.i++; r.is(r.i, ";") {
		r.i++
	}
}

func (r *reader) specifiers(open int, tell func(name, local string, isType bool)) {
	end := r.past(open) - 1
	for i := open + 1; i < end; i++ {
		isType := r.is(i, "type") && r.at(i+1).Kind == ecma.Word && !r.is(i+1, "as")
		if isType {
			i++
		}
		name := r.at(i).Text
		local := name
		if r.is(i+1, "as") {
			local = r.at(i + 2).Text
			i += 2
		}
		tell(name, local, isType)
		if i++; !r.is(i, ",") {
			return
		}
	}
}

// exportList reads `export {a, b as c}`. Re-exported names are declared elsewhere and ignored.
func (r *reader) exportList() {
	open := r.i
	r.i = r.past(r.i)
	if r.is(r.i, "from") || r.is(open, "*") {
		for r.i < len(r.t) && r.at(r.i).Kind != ecma.String {
			r.i++
		}
		at, _ := textOf(r.at(r.i))
		r.f.from = append(r.f.from, at)
		r.i++
	} else {
		r.specifiers(open, func(name, as string, isType bool) {
			if !isType {
				r.exports[name] = as
			}
		})
	}
	if r.is(r.i, ";") {
		r.i++
	}
}
