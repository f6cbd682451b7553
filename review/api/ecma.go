package api

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

// ecma compares the exports of JavaScript and TypeScript. Every call of JavaScript is valid, whatever its arguments.
func (p *pair) ecma(language string) ([]breakage, error) {
	if p.now.module == nil || p.unread(p.was, language) || p.unread(p.now, language) {
		return nil, nil
	}
	broken, gone, err := p.goneFiles(language)
	if err != nil {
		return nil, err
	}
	c := &ecmaComparer{comparer{p, broken}}
	for _, d := range p.exported(language) {
		now := p.now.declared[d.Name]
		switch {
		case gone[d.Path]:
		case now != nil && !now.Exported && ambient.MatchString(now.Path): // a type declaration file exports all its declarations
		case d.Kind == source.Field && language == "typescript":
			c.field(d, now)
		case now == nil || !now.Exported:
			if !p.ecmaStays(d) {
				c.add(p.lost(d))
			}
		case now.Kind != d.Kind || language == "javascript" || !strings.HasSuffix(now.Path, ".ts") && !strings.HasSuffix(now.Path, ".tsx"):
		default:
			c.typ(d, now)
			was, ok := ecmaSignature(d)
			is, still := ecmaSignature(now)
			if ok && still {
				kind, why := ecmaCalls(was, is)
				breaks := ecmaBreaks(was, is)
				if kind == "result retyped" {
					breaks = nil
				}
				c.recalled(d, now, kind, why, breaks)
			}
		}
	}
	if language == "typescript" {
		c.added()
	}
	return p.published(c.broken)
}

type ecmaComparer struct{ comparer }

var ambient = lazyregexp.New(`\.d\.[cm]?ts$`)

// ecmaStays reports whether a lost name may still exist: its file re-exports all of another, or its class inherits
// it.
func (p *pair) ecmaStays(d *source.Declared) bool {
	if d.Kind == source.Field || d.Name == "default" || strings.HasSuffix(d.Name, ".default") || strings.HasSuffix(d.Name, ".constructor") {
		return true
	}
	if owner := ownerOf(d); owner != "" {
		now := p.now.declared[owner]
		return now == nil || !now.Exported || now.Kind != source.Class || derived(now) // its removed class is reported itself
	}
	prefix := strings.TrimSuffix(d.Name, d.Symbol.Name)
	return slices.ContainsFunc(p.now.module.Module.Units, func(u source.Unit) bool {
		return source.Prefix(u.Path, u.File.Scoped) == prefix && slices.ContainsFunc(u.File.Imports, func(i source.Import) bool { return i.Reexport || i.All })
	})
}

// ecmaSignature parses the signature of a function or method, but not of a variable that holds a function.
func ecmaSignature(d *source.Declared) (source.Header, bool) {
	h, ok := header(d)
	h.Params = slices.DeleteFunc(h.Params, func(p source.Parameter) bool { return p.Kind == source.Receiver })
	return h, ok && h.Value == "" && (d.Kind == source.Func || d.Kind == source.Method)
}

func ecmaCalls(was, now source.Header) (kind, why string) {
	old, new := was.Params, now.Params
	rest := slices.ContainsFunc(new, func(p source.Parameter) bool { return p.Kind == source.Variadic })
	if len(old) > len(new) && !rest {
		return "parameter removed", "does not take " + firstNew(new, old, old[len(new)]).Name + " any more: calls that give it fail"
	}
	for i, p := range new {
		switch {
		case p.Kind == source.Variadic || i < len(old) && old[i].Kind == source.Variadic:
			return "", ""
		case i >= len(old) && !p.Optional:
			return "parameter added", "requires " + firstNew(old, new, p).Name + " now: calls without it fail"
		case i < len(old) && old[i].Optional && !p.Optional:
			return "parameter made required", "requires " + p.Name + " now: calls without it fail"
		case i < len(old) && narrower(p.Type, old[i].Type):
			return "parameter retyped", "takes " + p.Type + " for " + p.Name + " now, and not " + old[i].Type + ": calls that give that fail"
		}
	}
	if narrower(was.Result, now.Result) {
		return "result retyped", "returns " + now.Result + " now, and not " + was.Result + ": code that expects the old result fails"
	}
	return "", ""
}

// firstNew returns the first parameter whose name is not in the earlier list, or otherwise if all names are.
func firstNew(earlier, list []source.Parameter, otherwise source.Parameter) source.Parameter {
	for _, p := range list {
		if !slices.ContainsFunc(earlier, func(q source.Parameter) bool { return q.Name == p.Name }) {
			return p
		}
	}
	return otherwise
}

// primitives are types that share no values with each other.
var primitives = lazy.Set(`string number boolean bigint symbol null undefined`)

// narrower reports whether a type certainly excludes values of another one. It compares only primitive types.
func narrower(typ, than string) bool {
	some, other := strings.Split(typ, " | "), strings.Split(than, " | ")
	for _, t := range slices.Concat(some, other) {
		if !primitives[t] {
			return false
		}
	}
	return slices.ContainsFunc(other, func(t string) bool { return !slices.Contains(some, t) })
}
