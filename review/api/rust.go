package api

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

type rustComparer struct {
	comparer

	old, new *rustCrate
}

// rust compares the public paths of a library crate, wherever their items are declared.
func (p *pair) rust(language string) ([]breakage, error) {
	if !p.differs() {
		return nil, nil
	}
	root, err := p.was.root(p.name)
	if err != nil || root == "" {
		return nil, err
	}
	if still, err := p.now.root(p.name); err != nil || still != root {
		return nil, err
	}
	c := &rustComparer{comparer: comparer{pair: p}}
	if c.old, err = p.was.crate(root); err != nil {
		return nil, err
	}
	if c.new, err = p.now.crate(root); err != nil || c.new.unsound || c.old.unsound || c.new.library != c.old.library {
		return nil, err
	}
	for _, d := range p.exported(language) {
		c.compare(d)
	}
	c.required()
	for i := range c.broken {
		c.broken[i].early = early.MatchString(c.new.release)
	}
	return c.broken, nil
}

// differs reports whether an exported declaration of the module changed. Otherwise the crate need not be read.
func (p *pair) differs() bool {
	return slices.ContainsFunc(p.exported("rust"), func(d *source.Declared) bool {
		now := p.now.declared[d.Name]
		return now == nil || now.Interface != d.Interface || now.Path != d.Path || now.Exported != d.Exported
	}) || p.now.module != nil && len(p.now.module.Declared) != len(p.was.module.Declared)
}

func (c *rustComparer) compare(d *source.Declared) {
	paths := c.old.public[rustItem{d.Path, d.Symbol.Name}]
	owner := ownerOf(d)
	local := strings.TrimSuffix(d.Symbol.Name, "."+last(d))
	of := c.old.files[d.Path]
	switch {
	case strings.HasPrefix(last(d), "__") || strings.HasPrefix(last(d), "<") || of == nil || unlisted(d.Symbol):
	case d.Kind == source.Macro:
		c.macro(d)
	case d.Kind == source.Method || owner != "" && c.isTrait(of.symbols[local]):
		c.memberOf(d, local)
	case len(paths) == 0:
	case d.Kind == source.Reexport:
		c.passedOn(d, paths)
	default:
		c.item(d, paths)
	}
}

func (c *rustComparer) isTrait(s *source.Symbol) bool { return s != nil && s.Kind == source.Trait }

// lookup finds an item of the old version by its public paths in the new one. sure is false if it may still exist.
func (c *rustComparer) lookup(paths []string, kind source.Kind) (item rustItem, found, sure bool) {
	item, found = c.new.find(paths, kind)
	files := c.new.filesOf(outer(paths[0]))
	return item, found, len(files) > 0 && !slices.ContainsFunc(files, func(file string) bool { return c.new.open[file] })
}

func (c *rustComparer) item(d *source.Declared, paths []string) {
	next, found, sure := c.lookup(paths, d.Kind)
	if !found {
		if sure && !c.declared(rustItem{d.Path, d.Symbol.Name}) && !c.expanded(d) {
			c.add(c.away(d))
		}
		return
	}
	s := c.new.symbol(next)
	if s.Kind != d.Kind || s.Guard != "" || s.Interface == d.Interface {
		return
	}
	now := c.declaredAs(next, s)
	if gone := c.underived(d, now); gone != "" {
		c.tell(d, now, "trait removed", "does not implement "+gone+" any more: code that needs it fails")
	}
	switch d.Kind {
	case source.Func:
		c.function(d, now, "")
	case source.Struct, source.Union:
		c.fields(d, now)
	case source.Enum:
		c.variants(d, now)
	case source.Const:
		was, ok := header(d)
		is, still := header(now)
		if from, to := rustScalar(was.Result), rustScalar(is.Result); ok && still && from != "" && to != "" && from != to {
			c.tell(d, now, "constant retyped", "is "+is.Result+" now, and not "+was.Result+": code that expects the old type fails")
		} else if revalued(last(d), d.Value(), now.Value()) {
			c.tell(d, now, "constant's value changed", "is "+now.Value()+" now, and not "+d.Value()+": values that were stored or sent before have another meaning")
		}
	}
}

// rustScalar returns a type that no alias can stand for, or "".
func rustScalar(typ string) string {
	typ = strings.ReplaceAll(typ, "'static ", "")
	if rustScalars[typ] {
		return typ
	}
	return ""
}

var rustScalars = lazy.Set("u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 bool char &str &[u8]")

// rustDerived matches the traits of the standard library in a list of derived traits.
var rustDerived = lazyregexp.New(`\b(Clone|Copy|Debug|Default|PartialEq|Eq|PartialOrd|Ord|Hash)\b`)

// underived returns a trait that a type no longer derives, implements or names in an attribute.
func (c *rustComparer) underived(d, now *source.Declared) string {
	was, ok := header(d)
	if !ok {
		return ""
	}
	lines, notes := c.new.files[now.Path].lines, ""
	for n := min(now.Line, len(lines)) - 1; n > 0 && strings.TrimSpace(lines[n-1]) != "" && strings.TrimSpace(lines[n-1]) != "}"; n-- { // also conditional ones
		notes += lines[n-1] + "\n"
	}
	for _, note := range was.Notes {
		if !strings.HasPrefix(note, "#[derive(") {
			continue
		}
		for _, trait := range rustDerived.FindAllString(note, -1) {
			if !hasWord(notes, trait) && !c.implements(last(d), trait) {
				return trait
			}
		}
	}
	return ""
}

// implements reports whether a line of the crate may implement a trait for a type.
func (c *rustComparer) implements(typ, trait string) bool {
	wordsWith := func(mark string) map[string]bool {
		return c.now.wordsOf(mark, func(yield func(string) bool) {
			for _, f := range c.new.files {
				for _, line := range f.lines {
					if strings.Contains(line, mark) && !yield(line) {
						return
					}
				}
			}
		})
	}
	return wordsWith(" for ")[trait] || wordsWith("!")[typ] // a macro may implement it
}

func (c *rustComparer) declaredAs(item rustItem, s *source.Symbol) *source.Declared {
	return &source.Declared{Symbol: s, Name: source.Prefix(item.file, true) + s.Name, Path: item.file}
}

// declared reports whether the new version of an item's file still exports it.
func (c *rustComparer) declared(item rustItem) bool {
	f := c.new.files[item.file]
	return f != nil && f.symbols[item.name] != nil && f.symbols[item.name].Exported
}

func (c *rustComparer) away(d *source.Declared) breakage {
	if f := c.new.files[d.Path]; f != nil {
		if s := f.symbols[d.Symbol.Name]; s != nil && s.Kind == d.Kind {
			return c.changedAt(d, c.declaredAs(rustItem{d.Path, s.Name}, s), 0, "visibility narrowed", hiddenText)
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
		if s := c.new.symbol(item); s.Exported && (s.Kind == source.Macro || s.Kind == source.Reexport) {
			return
		}
	}
	if _, found, sure := c.lookup([]string{c.old.library + "::" + last(d)}, d.Kind); !found && sure && !c.expanded(d) {
		c.add(c.lost(d))
	}
}

// passedOn compares a re-export of a public module. Its removed target is reported itself.
func (c *rustComparer) passedOn(d *source.Declared, paths []string) {
	if !slices.Contains(c.old.filesOf(outer(paths[0])), d.Path) || slices.ContainsFunc(c.old.at[paths[0]], func(item rustItem) bool {
		return c.old.symbol(item).Kind != source.Reexport && !c.declared(item)
	}) {
		return
	}
	if _, found, sure := c.lookup(paths, d.Kind); !found && sure {
		c.add(c.lost(d))
	}
}
