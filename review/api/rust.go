package api

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

type rustComparer struct {
	*pair

	old, new *rustCrate
	broken   []breakage
}

// rust compares the public paths of a library crate, wherever their items are declared.
func (p *pair) rust() ([]breakage, error) {
	if p.unread(p.was, "rust") || p.unread(p.now, "rust") || !p.differs() {
		return nil, nil
	}
	root, err := p.was.root(p.name)
	if err != nil || root == "" {
		return nil, err
	}
	if still, err := p.now.root(p.name); err != nil || still != root {
		return nil, err
	}
	c := &rustComparer{pair: p}
	if c.old, err = p.was.crate(root); err != nil {
		return nil, err
	}
	if c.new, err = p.now.crate(root); err != nil || c.new.unsound || c.old.unsound {
		return nil, err
	}
	for _, d := range p.exported("rust") {
		c.compare(d)
	}
	c.required()
	if c.new.unsound || len(c.broken) == 0 {
		return nil, nil
	}
	version, err := crateVersion(p.now.reader, root)
	for i := range c.broken {
		c.broken[i].early = early.MatchString(version)
	}
	return c.broken, err
}

// differs reports whether an exported declaration of the module changed. Otherwise the crate need not be read.
func (p *pair) differs() bool {
	return slices.ContainsFunc(p.exported("rust"), func(d *source.Declared) bool {
		now := p.now.declared[d.Name]
		return now == nil || now.Interface != d.Interface || now.Path != d.Path || now.Exported != d.Exported
	}) || p.now.module != nil && len(p.now.module.Declared) != len(p.was.module.Declared)
}

func (c *rustComparer) compare(d *source.Declared) {
	item := rustItem{d.Path, d.Symbol.Name}
	owner := ownerOf(d)
	local := strings.TrimSuffix(d.Symbol.Name, "."+last(d))
	of := c.old.files[d.Path]
	switch {
	case strings.HasPrefix(last(d), "__") || strings.HasPrefix(last(d), "<") || of == nil || of.hidden(d.Line):
	case d.Kind == source.Macro:
		c.macro(d)
	case d.Kind == source.Method || owner != "" && c.isTrait(of.symbols[local]):
		c.member(d, local)
	case d.Kind == source.Reexport:
		c.passedOn(d, item)
	default:
		if full, ok := c.old.public[item]; ok {
			c.item(d, full)
		}
	}
}

func (c *rustComparer) isTrait(s *source.Symbol) bool { return s != nil && s.Kind == source.Trait }

// lookup resolves a path in the new version. sure is false if a path that was not found may still exist.
func (c *rustComparer) lookup(full string) (item rustItem, found, sure bool) {
	segments := strings.Split(full, "::")[1:]
	at := namespace{path.Join(c.new.dir, "lib.rs"), ""}
	for i, name := range segments {
		f := c.new.files[at.file]
		if f == nil {
			return rustItem{}, false, false
		}
		next, inner, ok := c.new.find(at, name, nil)
		final := i == len(segments)-1
		switch {
		case !ok:
			// The module is missing and reported itself, or it re-exports unknown names.
			return rustItem{}, false, final && !c.new.open(at)
		case final:
			s := c.new.files[next.file].symbols[next.name]
			return next, true, s == nil || s.Exported
		case inner == (namespace{}):
			return rustItem{}, false, false
		}
		at = inner
	}
	return rustItem{}, false, false
}

func (c *rustComparer) item(d *source.Declared, full string) {
	next, found, sure := c.lookup(full)
	if !found {
		if sure && !c.declared(rustItem{d.Path, d.Symbol.Name}) && !c.expanded(d) {
			c.broken = append(c.broken, c.away(d))
		}
		return
	}
	s := c.new.files[next.file].symbols[next.name]
	segments := strings.Split(full, "::")
	if !c.reachable(segments[1:]) {
		if s != nil && s.Kind == d.Kind && !s.Exported && c.reachable(segments[1:len(segments)-1]) {
			now := c.declaredAs(next, s)
			c.broken = append(c.broken, c.changedAt(d, now, 0, "visibility narrowed", "is no longer public: code that uses it fails"))
		}
		return
	}
	if s == nil || s.Kind != d.Kind || s.Guard != "" || s.Interface == d.Interface {
		return
	}
	now := c.declaredAs(next, s)
	switch d.Kind {
	case source.Func:
		c.function(d, now, "")
	case source.Struct, source.Union:
		c.fields(d, now)
	case source.Enum:
		c.variants(d, now)
	case source.Const:
		if revalued(last(d), d.Value(), now.Value()) {
			c.tell(d, now, "constant's value changed", "is "+now.Value()+" now, and not "+d.Value()+": values that were stored or sent before have another meaning")
		}
	}
}

func (c *rustComparer) reachable(segments []string) bool {
	at := namespace{path.Join(c.new.dir, "lib.rs"), ""}
	for _, name := range segments {
		if !c.new.within(at)[name] {
			return false
		}
		_, at, _ = c.new.find(at, name, nil)
	}
	return true
}

func (c *rustComparer) declaredAs(item rustItem, s *source.Symbol) *source.Declared {
	return &source.Declared{Symbol: s, Name: source.Prefix(item.file, true) + s.Name, Path: item.file}
}

func (c *rustComparer) tell(was, now *source.Declared, kind, text string) {
	c.broken = append(c.broken, c.changedAt(was, now, 0, kind, text))
}

// declared reports whether the new version of an item's file still exports it.
func (c *rustComparer) declared(item rustItem) bool {
	f := c.new.files[item.file]
	return f != nil && f.symbols[item.name] != nil && f.symbols[item.name].Exported
}

func (c *rustComparer) away(d *source.Declared) breakage {
	if f := c.new.files[d.Path]; f != nil {
		if s := f.symbols[d.Symbol.Name]; s != nil && s.Kind == d.Kind {
			return c.changedAt(d, c.declaredAs(rustItem{d.Path, s.Name}, s), 0, "visibility narrowed", "is no longer public: code that uses it fails")
		}
	}
	return c.lost(d)
}

// expanded reports whether a macro may declare the item now: the crate declares its name as often as before.
func (c *rustComparer) expanded(d *source.Declared) bool {
	if f := c.new.files[d.Path]; f != nil && f.symbols[d.Symbol.Name] != nil {
		return false
	}
	return c.new.declaredOften(last(d)) >= c.old.declaredOften(last(d))
}

var declaring = lazyregexp.New(`\b(?:fn|struct|enum|trait|type|const|static|union|mod|macro_rules!|as)\s+(?:mut\s+)?([A-Za-z_][A-Za-z0-9_]*)|\b([A-Za-z_][A-Za-z0-9_]*) =>`)

// declaredOften counts the lines of a crate that declare a name or pass it to a macro.
func (c *rustCrate) declaredOften(name string) int {
	if c.counts == nil {
		c.counts = map[string]int{}
		for _, f := range c.files {
			for _, line := range f.lines {
				for _, m := range declaring.FindAllStringSubmatch(line, -1) {
					c.counts[m[1]+m[2]]++
				}
			}
		}
	}
	return c.counts[name]
}

func (c *rustComparer) macro(d *source.Declared) {
	for _, item := range c.new.names[d.Symbol.Name] {
		if s := c.new.files[item.file].symbols[item.name]; s.Exported && (s.Kind == source.Macro || s.Kind == source.Reexport) {
			return
		}
	}
	if _, found, sure := c.lookup("crate::" + last(d)); !found && sure && !c.expanded(d) {
		c.broken = append(c.broken, c.lost(d))
	}
}

func (c *rustComparer) passedOn(d *source.Declared, item rustItem) {
	full, ok := c.modulePath(item)
	prefix := item.name[:strings.LastIndexByte(item.name, '.')+1]
	if to, _, known := c.old.find(namespace{item.file, prefix}, last(d), nil); !ok || known && to != item && to.file != "" && !c.declared(to) {
		return // the removed target is reported itself
	}
	if _, found, sure := c.lookup(full + "::" + last(d)); !found && sure {
		c.broken = append(c.broken, c.lost(d))
	}
}

// modulePath returns the public path of the module of an item in the old version, if there is one.
func (c *rustComparer) modulePath(item rustItem) (string, bool) {
	prefix := item.name[:strings.LastIndexByte(item.name, '.')+1]
	full, ok := c.old.paths[namespace{item.file, prefix}]
	return full, ok
}
