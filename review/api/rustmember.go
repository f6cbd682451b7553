package api

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// ownerIn finds the public type or trait of a member, whose file may contain only the implementation.
func (c *rustCrate) ownerIn(file, local string) (rustItem, bool) {
	if _, ok := c.public[rustItem{file, local}]; ok {
		return rustItem{file, local}, true
	}
	if f := c.files[file]; f != nil && f.symbols[local] != nil {
		return rustItem{}, false // the owner is not public
	}
	var found []rustItem
	for _, item := range c.names[local] {
		if s := c.symbol(item); s.Kind != source.Reexport && s.Kind != source.Namespace {
			found = append(found, item)
		}
	}
	if len(found) != 1 {
		return rustItem{}, false
	}
	_, ok := c.public[found[0]]
	return found[0], ok
}

func (c *rustComparer) memberOf(d *source.Declared, local string) {
	owner, ok := c.old.ownerIn(d.Path, local)
	if !ok {
		return
	}
	was := c.old.symbol(owner)
	to, found := c.new.find(c.old.public[owner], was.Kind)
	if !found {
		return // its removed type is reported itself
	}
	is := c.new.symbol(to)
	if is.Name[strings.LastIndexByte(is.Name, '.')+1:] != local[strings.LastIndexByte(local, '.')+1:] || is.Guard != "" {
		return
	}
	var now *source.Declared
	for _, item := range c.new.names[d.Symbol.Name] {
		s := c.new.symbol(item)
		if same := item.file == d.Path; now == nil || same || s.Interface == d.Interface && now.Path != d.Path {
			now = c.declaredAs(item, s)
		}
	}
	if is.Kind != was.Kind {
		return // an alias has the methods of its target
	}
	switch {
	case now == nil:
		if !c.expanded(d) && !c.implementsMore(local) && (was.Kind != source.Trait || was.Signature == is.Signature) {
			c.add(c.lost(d))
		}
	case now.Guard != "":
	case !now.Exported:
		c.tell(d, now, "visibility narrowed", hiddenText)
	case now.Kind == source.Method && d.Kind == source.Method && now.Interface != d.Interface:
		c.function(d, now, local)
	}
}

func (c *rustComparer) implementsMore(local string) bool {
	for name := range c.new.names {
		if strings.HasPrefix(name, local+".<") && len(c.old.names[name]) == 0 {
			return true
		}
	}
	return false
}

func (c *rustComparer) required() {
	for _, d := range c.exportedTraits() {
		item := rustItem{d.Path, d.Symbol.Name}
		paths := c.old.public[item]
		if len(paths) == 0 || c.sealed(d) {
			continue
		}
		next, found := c.new.find(paths, d.Kind)
		if !found || next.file != d.Path || next.name != d.Symbol.Name {
			continue
		}
		f := c.new.files[next.file]
		now := c.declaredAs(next, c.new.symbol(next))
		if now.Kind != source.Trait || c.sealed(now) {
			continue
		}
		for _, s := range f.members[next.name+"."] {
			name := s.Name[len(next.name)+1:]
			before := c.old.files[d.Path].symbols[s.Name]
			if strings.HasPrefix(name, "<") || s.Guard != "" || !f.asks(s) || unlisted(s) || before != nil && c.old.files[d.Path].asks(before) {
				continue
			}
			b := c.changedAt(d, now, s.Line, "method added", "has no default: types that implement "+last(d)+" must have it now")
			if before != nil {
				b.kind = "default removed"
			}
			b.symbol, b.member, b.implementers = d.Name+"."+name, name, true
			c.add(b)
		}
	}
}

func (c *rustComparer) exportedTraits() []*source.Declared {
	return slices.DeleteFunc(c.exported("rust"), func(d *source.Declared) bool { return d.Kind != source.Trait })
}

// sealed reports whether a trait's bounds or hidden members may prevent implementations outside of the crate.
func (c *rustComparer) sealed(d *source.Declared) bool {
	h, _ := header(d)
	bounds := strings.ToLower(strings.Join(h.Bases, " "))
	if strings.Contains(bounds, "seal") || strings.Contains(bounds, "priv") {
		return true
	}
	for word := range wordsIn(slices.Values(h.Bases)) {
		for _, item := range c.old.names[word] {
			if _, ok := c.old.public[item]; !ok && c.isTrait(c.old.symbol(item)) {
				return true
			}
		}
	}
	f := c.old.files[d.Path]
	return slices.ContainsFunc(f.members[d.Symbol.Name+"."], func(s *source.Symbol) bool {
		return strings.HasPrefix(s.Name[len(d.Symbol.Name)+1:], "__") || unlisted(s)
	})
}

// asks reports whether a trait's member has no default, judging by its text.
func (f *rustFile) asks(s *source.Symbol) bool {
	if s.End > len(f.lines) || s.Line < 1 {
		return false
	}
	text := strings.Join(f.lines[s.Line-1:s.End], "\n")
	switch s.Kind {
	case source.Method:
		_, rest, found := strings.Cut(text, "fn "+s.Name[strings.LastIndexByte(s.Name, '.')+1:])
		if outer := f.symbols[s.Name[:strings.LastIndexByte(s.Name, '.')]]; found && outer != nil && outer.Line == s.Line { // the trait is on one line
			body, end := strings.IndexByte(rest, '{'), strings.IndexByte(rest, ';')
			return end >= 0 && (body < 0 || end < body) && !strings.ContainsAny(rest[:end], "[<")
		}
		return strings.HasSuffix(strings.TrimSpace(text), ";") && !strings.Contains(text, "{")
	case source.Const, source.Type:
		return !strings.Contains(text, "=")
	}
	return false
}
