package ecma

import "github.com/causaldocs/causal/knowledge/source"

// fieldTypes records the types of a class's fields, as far as it shows one for certain: the type of a declaration, or
// the class of the only object that is assigned.
func (x *extractor) fieldTypes(open int, class string) {
	assigned := map[string]string{}
	record := func(e member) {
		if e.name == "" || e.kind != source.Field {
			return
		}
		name := class + "." + e.name
		switch t := x.annotation(span{From: e.key, To: e.head}); {
		case t.To == t.From+1:
			if typ := x.word(t.From); typ != "" {
				x.fields[name] = typ
			}
		case t.Empty() && !e.value.Empty() && !x.isNothing(e.value.From):
			x.assignField(assigned, name, e.value.From)
		}
	}
	x.members(open, func(e member) {
		record(e)
		x.properties(e, record)
	})
	x.assignedFields(open, class, assigned)
}

// assignedFields records the types of fields without a declared type by their initial values and other assignments.
func (x *extractor) assignedFields(open int, class string, assigned map[string]string) {
	for i := open + 1; i < int(x.t[open].match)-3; i++ {
		switch {
		case x.t[i].has(fClass) && int(x.t[i].match) > i: // another class's
			i = int(x.t[i].match)
		case x.t[i].isKeyword(kThis) && x.t[i+1].isPunct('.') && x.t[i+3].isPunct('=') && !x.isNothing(i+4):
			x.assignField(assigned, class+"."+x.text(i+2), i+4)
		}
	}
	for name, typ := range assigned {
		if x.fields[name] == "" && typ != "" {
			x.fields[name] = typ
		}
	}
}

// assignField notes that the value at i is assigned to a field.
func (x *extractor) assignField(assigned map[string]string, field string, i int) {
	typ := x.made(i)
	if was, again := assigned[field]; again && was != typ {
		typ = ""
	}
	assigned[field] = typ
}

func (x *extractor) isNothing(i int) bool { return x.textIs(i, "null") || x.textIs(i, "undefined") }

// made returns the name of the class of which a new object is made at i, or "".
func (x *extractor) made(i int) string {
	if x.at(i).isKeyword(kNew) && x.at(i+2).isPunct('(') {
		return x.word(i + 1)
	}
	return ""
}

func (x *extractor) word(i int) string {
	if x.at(i).kind != tIdent {
		return ""
	}
	return x.text(i)
}

// fieldType returns the path of the type of a field, if the file declares or imports that type, or 0.
func (b *binder) fieldType(field int32) int32 {
	if len(b.x.fields) == 0 {
		return 0
	}
	typ := b.x.fields[string(b.spelled(field))]
	_, known := b.x.index[typ]
	if !known && typ != "" {
		_, known = b.x.boundTo(typ)
	}
	if !known {
		return 0
	}
	return b.literal(typ)
}
