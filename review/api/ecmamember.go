package api

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

func isEcmaType(k source.Kind) bool {
	return k == source.Class || k == source.Interface || k == source.Type
}

// wholeType reports whether a type has only the members that it declares itself: no bases, index signatures or parts
// of other types.
func wholeType(d *source.Declared) bool {
	h, ok := header(d)
	if !ok || len(h.Bases) > 0 || h.Partial {
		return false
	}
	if d.Kind == source.Class {
		return true
	}
	return strings.HasPrefix(h.Value, "{") && (scanner{h.Value, true}).skip(0) == len(h.Value) && !strings.Contains(h.Value, "\n  [")
}

// field compares a property of a TypeScript class, interface or object type.
func (c *ecmaComparer) field(d, now *source.Declared) {
	was, before := c.was.declared[ownerOf(d)], last(d)
	is := c.now.declared[ownerOf(d)]
	old, ok := header(d)
	if was == nil || is == nil || !was.Exported || !is.Exported || was.Kind != is.Kind || !isEcmaType(was.Kind) || strings.HasPrefix(before, "_") {
		return
	}
	switch {
	case now == nil && (!wholeType(is) || ok && (old.Result == "never" || old.Result == "undefined")):
	case now == nil:
		b := c.lost(d)
		b.unplaced = true
		c.add(b)
	case !now.Exported:
		c.may(d, now, "visibility narrowed", hiddenText)
	case was.Kind != source.Class && now.Kind == source.Field && optional(d) && !optional(now) && c.given(was):
		c.may(d, now, "property made required", "is required now: code that passes a "+last(was)+" without it fails")
	}
}

func optional(d *source.Declared) bool {
	name, _, _ := strings.Cut(d.Signature, ":")
	return strings.HasSuffix(strings.TrimSpace(name), "?")
}

// given reports whether callers pass values of a type to a function, and not only get them.
func (p *pair) given(typ *source.Declared) bool {
	return p.was.once("given "+typ.Name, func() bool {
		return slices.ContainsFunc(p.was.module.Declared, func(d source.Declared) bool {
			owner := p.was.declared[ownerOf(&d)]
			if !d.Exported || d.Kind != source.Func && (d.Kind != source.Method || owner == nil || owner.Kind != source.Class) {
				return false
			}
			return slices.ContainsFunc(d.Headers(), func(h source.Header) bool {
				return slices.ContainsFunc(h.Params, func(q source.Parameter) bool { return q.Type == last(typ) })
			})
		})
	})
}

// added finds members that a type requires now: properties of types that callers pass, and abstract members.
func (c *ecmaComparer) added() {
	for i := range c.now.module.Declared {
		d := &c.now.module.Declared[i]
		if u, ok := c.now.file(d.Path); !ok || u.File.Language != "typescript" || u.File.Test || u.File.Generated {
			continue
		}
		was, is := c.was.declared[ownerOf(d)], c.now.declared[ownerOf(d)]
		if c.was.declared[d.Name] != nil || !d.Exported || was == nil || is == nil || !was.Exported || was.Kind != is.Kind || !isEcmaType(was.Kind) ||
			was.Path != d.Path || d.Guard != "" {
			continue
		}
		b := c.changedAt(was, d, 0, "property added", "is required: code that passes a "+last(was)+" without it fails")
		switch h, ok := header(d); {
		case was.Kind == source.Class && wholeType(was) && ok && h.Is("abstract"):
			b.kind, b.text, b.implementers = "method added", "is abstract: classes that extend "+last(was)+" must declare it now", true
		case was.Kind == source.Class || d.Kind != source.Field || !wholeType(was) || !wholeType(is) || optional(d) || strings.Contains(h.Result, "undefined") || !c.given(was):
			continue
		}
		b.symbol, b.member, b.unplaced = was.Name+"."+last(d), last(d), true
		c.add(b)
	}
}

// typ compares classes, enums and unions of literals.
func (c *ecmaComparer) typ(d, now *source.Declared) {
	for _, gone := range lostEntries(d, now) {
		c.member(d, now, gone, "enum member removed", goneText)
	}
	was, ok := header(d)
	is, still := header(now)
	if !ok || !still {
		return
	}
	if d.Kind == source.Class && !was.Is("abstract") && is.Is("abstract") {
		c.may(d, now, "abstract added", "is abstract now: code that creates one with new fails")
	}
	current := literals(is.Value)
	if d.Kind != source.Type || current == nil {
		return
	}
	for _, l := range literals(was.Value) {
		if !slices.Contains(current, l) {
			c.may(d, now, "union member removed", "is no longer "+l+": code that passes or compares it fails")
		}
	}
}

// literals returns the members of a union of string literals, or nil for other types.
func literals(value string) (out []string) {
	for part := range strings.SplitSeq(strings.TrimPrefix(value, "| "), "|") {
		part = strings.ReplaceAll(strings.TrimSpace(part), "'", "\"")
		if len(part) < 2 || part[0] != '"' || strings.IndexByte(part[1:], '"') != len(part)-2 {
			return nil
		}
		out = append(out, part)
	}
	return out
}
