package api

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

type cComparer struct {
	comparer

	language string
	current  map[string]*source.Declared // declarations of the new headers, by name
	words    map[string]bool             // words of the new headers; nil until needed
}

// cfamily compares headers. Implicit conversions of C++ keep most changes of a type compatible with some calls.
func (p *pair) cfamily(language string) ([]breakage, error) {
	c := &cComparer{comparer: comparer{pair: p}, language: language, current: map[string]*source.Declared{}}
	for _, l := range []string{"c", "c++"} {
		for _, u := range p.now.headers(l) {
			if u.Opaque != "" || u.File.Problem != "" {
				p.unread(p.now, l)
				return nil, nil
			}
			for _, s := range u.File.Symbols {
				if at := c.current[s.Name]; at == nil || at.Guard != "" {
					c.current[s.Name] = &source.Declared{Symbol: &s, Name: s.Name, Path: u.Path}
				}
			}
		}
	}
	for _, u := range p.was.headers(language) {
		if u.Opaque != "" || u.File.Problem != "" || u.File.Generated {
			continue
		}
		if still, ok := p.now.file(u.Path); ok && still.Hash == u.Hash {
			continue
		}
		if err := c.header(u); err != nil {
			return nil, err
		}
	}
	return c.broken, nil
}

func (c *cComparer) header(u source.Unit) error {
	published, err := c.was.published(u.Path)
	if err != nil {
		return err
	}
	owners := map[string]*source.Declared{}
	same, first := map[string]*source.Declared{}, len(c.broken)
	if still, ok := c.now.file(u.Path); ok {
		for _, s := range still.File.Symbols {
			same[s.Name] = &source.Declared{Symbol: &s, Name: s.Name, Path: u.Path}
		}
	}
	for i := range u.File.Symbols {
		s := u.File.Symbols[i]
		d := &source.Declared{Symbol: &s, Name: s.Name, Path: u.Path}
		owners[s.Name] = d
		if !s.Exported || s.Guard != "" || inwardName(s.Name) {
			continue
		}
		now := cmp.Or(same[s.Name], c.current[s.Name])
		if now != nil && (now.Interface == s.Interface || now.Guard != "") {
			continue
		}
		if err := c.compare(d, now, owners[ownerOf(d)]); err != nil {
			return err
		}
	}
	if err := c.virtual(u, owners); err != nil {
		return err
	}
	for i := range c.broken[first:] {
		c.broken[first+i].inner = !published
	}
	return nil
}

// inwardName reports whether a name, or a namespace around it, marks the declaration as private. Two underscores in a
// row are reserved in C++ and mark private names of C libraries by convention.
func inwardName(name string) bool {
	parts := strings.Split(name, ".")
	return slices.ContainsFunc(parts, func(part string) bool {
		return part == "" || part[0] == '_' || strings.HasSuffix(part, "_") || strings.Contains(part, "__") || inward.MatchString(part)
	})
}

func (c *cComparer) compare(d, now, owner *source.Declared) error {
	switch name := last(d); {
	case strings.HasPrefix(name, "operator") || strings.HasPrefix(name, "~"):
		return nil // another function may replace it
	case (d.Kind == source.Func || d.Kind == source.Type && strings.Contains(d.Signature, name+"(")) && capitals.MatchString(name):
		return nil // a macro around a declaration
	case d.Kind == source.Macro && (strings.Contains(d.Signature, "\n") || c.language == "c++" && d.Doc == ""):
		return nil // differs by compiler or has no doc comment: for use by the headers alone
	case owner != nil && owner.Kind != source.Namespace:
		is := c.current[owner.Name]
		if is == nil || derived(is) || name == last(owner) {
			return nil // the removed record is reported itself; a base class may have the member
		}
		owner = is
	default:
		owner = nil
	}
	if now == nil {
		return c.lostName(d, owner)
	}
	switch {
	case d.Kind != now.Kind:
	case d.Kind == source.Func || d.Kind == source.Method:
		c.function(d, now)
	case d.Kind == source.Struct || d.Kind == source.Class || d.Kind == source.Union:
		return c.record(d, now)
	case d.Kind == source.Enum:
		return c.enum(d, now)
	case d.Kind == source.Const && revalued(last(d), d.Value(), now.Value()):
		c.tell(d, now, "constant's value changed", "is "+now.Value()+" now, and not "+d.Value()+": compiled code keeps the old value")
	}
	return nil
}

func derived(d *source.Declared) bool {
	return slices.ContainsFunc(d.Headers(), func(h source.Header) bool { return len(h.Bases) > 0 })
}

func (c *cComparer) lostName(d, owner *source.Declared) error {
	there, err := c.still(last(d), owner)
	if err == nil && !there {
		c.add(c.lost(d))
	}
	return err
}

// still reports whether a name may still exist: as a word of any header, or of the record that contained it.
func (c *cComparer) still(name string, owner *source.Declared) (bool, error) {
	if owner != nil {
		lines, err := c.now.source(owner.Path)
		if err != nil || owner.End > len(lines) {
			return true, err
		}
		return c.now.wordsOf("record "+owner.Name, slices.Values(lines[owner.Line-1:owner.End]))[name], nil
	}
	if c.words == nil {
		var err error
		if c.words, err = c.headerWords(); err != nil {
			return true, err
		}
	}
	return c.words[name], nil
}

func (c *cComparer) recordOf(name string) bool {
	isRecord := func(d *source.Declared) bool { return d != nil && (d.Kind == source.Struct || d.Kind == source.Union) }
	name = strings.ReplaceAll(name, "::", ".")
	return isRecord(c.was.declared[name]) && isRecord(c.current[name])
}

func (c *cComparer) function(d, now *source.Declared) {
	was, ok := readFunctions(d)
	is, still := readFunctions(now)
	was = slices.DeleteFunc(was, func(f cFunction) bool { return f.deleted })
	is = slices.DeleteFunc(is, func(f cFunction) bool { return f.deleted })
	if !ok || !still || len(is) == 0 || len(was) == 0 {
		return
	}
	if c.language == "c" && len(was) == 1 && len(is) == 1 {
		kind, why := c.calls(was[0], is[0])
		c.recalled(d, now, kind, why, nil)
		return
	}
	if slices.ContainsFunc(is, func(f cFunction) bool { return f.template }) {
		return
	}
	for _, f := range was {
		if f.template {
			continue
		}
		for n := f.least; n <= len(f.parameters); n++ {
			if !slices.ContainsFunc(is, func(g cFunction) bool { return g.takes(n) }) {
				b := c.changedAt(d, now, 0, "parameters changed", "takes no "+arguments(n)+" any more: calls that give that many no longer compile")
				b.unplaced = len(was) > 1 || f.least < len(f.parameters)
				c.add(b)
				return
			}
		}
		if f.constant && !slices.ContainsFunc(is, func(g cFunction) bool { return g.constant || g.static }) {
			c.may(d, now, "const removed", "is not const any more: calls on constant objects no longer compile")
			return
		}
	}
}

func arguments(n int) string {
	switch text := counted(n); n {
	case 0:
		return "call without arguments"
	case 1:
		return "single argument"
	default:
		return strings.Replace(text, "parameters", "arguments", 1)
	}
}

func (c *cComparer) calls(was, now cFunction) (kind, why string) {
	old, new := was.parameters, now.parameters
	switch {
	case was.untold || now.untold:
		return "", ""
	case len(old) > len(new) && !now.more, len(old) < len(new):
		return recounted(len(old), len(new))
	case was.more && !now.more:
		return "variadic removed", "takes no further arguments any more: calls that give them no longer compile"
	case len(old) > len(new):
		return "", ""
	}
	for i := range old {
		if old[i].differs(new[i], c.recordOf) {
			return "parameter retyped", "takes " + new[i].text + " now, and not " + old[i].text + ": calls that give that are wrong"
		}
	}
	if was.result.base == "void" && was.result.depth == 0 {
		return "", ""
	}
	if was.result.differs(now.result, c.recordOf) {
		return "result retyped", "returns " + now.result.text + " now, and not " + was.result.text + ": code that expects the old result is wrong"
	}
	return "", ""
}

func (c *cComparer) enum(d, now *source.Declared) error {
	for _, name := range lostEntries(d, now) {
		there, err := c.still(name, nil)
		if err != nil {
			return err
		}
		if !there && !inwardName(name) {
			c.member(d, now, name, "enumerator removed", goneText)
		}
	}
	return nil
}
