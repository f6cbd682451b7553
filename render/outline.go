package render

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

// outline is what the page of a module and the pages of its parts have in common. It is computed once for all of them, and never
// changed afterwards: pages may be written at the same time.
type outline struct {
	node  *node.Node
	index *source.PartIndex
	// languages are those of files by base name, where they differ from the module's; shown are the examples by symbol.
	languages map[string]string
	shown     map[string][]node.Example
	// manual are the documents that describe symbols which have no documentation in the code, by symbol.
	manual map[string]node.Described

	subjects func() subjects
	shares   func() []share
	// extensions is what the module declares for others to extend, registered under which names its declarations are registered.
	extensions func() extensions
	registered func() map[string][]string

	mu   sync.Mutex
	uses uses // of the page that asked last
}

// newOutline returns the outline of a module that is divided into parts, or into none.
func newOutline(n *node.Node, parts *source.PartIndex) *outline {
	o := &outline{
		node: n, index: parts, languages: languagesOf(n), shown: examplesOf(n), manual: describedBy(n),
		subjects:   sync.OnceValue(func() subjects { return subjectsOf(n) }),
		extensions: sync.OnceValue(func() extensions { return extensionsIn(n) }),
		registered: sync.OnceValue(func() map[string][]string { return registeredBy(n) }),
	}
	o.shares = sync.OnceValue(o.share)
	return o
}

// share is what one part tells of.
type share struct {
	entries []*entry
	members map[*entry][]*entry // of the types that are divided themselves
}

// share divides what callers reach among the parts.
func (o *outline) share() []share {
	list, _ := apart(entries(o.node.PublicAPI))
	shares := make([]share, len(o.index.Parts))
	types := map[string]*entry{}
	for _, e := range list {
		if i := o.index.Of(e.File, e.Name); i >= 0 {
			shares[i].entries = append(shares[i].entries, e)
		}
		if len(o.index.OfType(e.Name)) == 0 {
			continue
		}
		if types[e.Name] == nil {
			types[e.Name] = e
		}
		for _, m := range e.members {
			if i := o.index.Of(e.File, m.Name); i >= 0 && o.index.Parts[i].Type == e.Name {
				if shares[i].members == nil {
					shares[i].members = map[*entry][]*entry{}
				}
				shares[i].members[e] = append(shares[i].members[e], m)
			}
		}
	}
	for i, p := range o.index.Parts {
		if p.From == "" || p.Type == "" {
			continue
		}
		shares[i].entries = nil // the type itself is on the first of its pages
		if e := types[p.Type]; e != nil {
			shares[i].entries = []*entry{e}
		}
	}
	return shares
}

// entriesOf returns the entries of a part, for one page to change.
func (o *outline) entriesOf(part int) []*entry {
	s := o.shares()[part]
	out := copied(s.entries)
	for i, e := range s.entries {
		if e.Name == o.index.Parts[part].Type {
			out[i].here = copied(s.members[e])
		} else {
			out[i].members = copied(e.members)
		}
	}
	return out
}

func copied(list []*entry) []*entry {
	all, out := make([]entry, len(list)), make([]*entry, len(list))
	for i, e := range list {
		all[i] = *e
		out[i] = &all[i]
	}
	return out
}

// subjects are what a module's symbols are listed under.
type subjects struct {
	rank  map[string]int           // the place of each: those that speak for the directory come first
	files map[string][]node.Source // of each
	about map[string]string        // what the first file of each that says something of itself says
}

func subjectsOf(n *node.Node) subjects {
	var first, rest []string
	out := subjects{map[string]int{}, map[string][]node.Source{}, map[string]string{}}
	for _, s := range n.Sources {
		base := path.Base(s.Path)
		if key := source.Subject(base); s.About != "" && out.about[key] == "" {
			out.about[key] = s.About
		}
		if s.Role == "test" || s.Role == roleListed {
			continue
		}
		key := subjectIn(n, base)
		switch {
		case out.files[key] != nil:
		case source.Prefix(base, true) == "":
			first = append(first, key)
		default:
			rest = append(rest, key)
		}
		out.files[key] = append(out.files[key], s)
	}
	for i, key := range append(first, rest...) {
		out.rank[key] = i
	}
	return out
}

// subjectIn is what the symbols of one file are listed under: in C and C++ a header and its implementation are one.
func subjectIn(n *node.Node, file string) string {
	if n.Language == "c" || n.Language == "c++" {
		return strings.TrimSuffix(file, path.Ext(file))
	}
	return file
}

// uses are the names of a module that other modules use, and that READMEs show.
type uses struct {
	names, shown []string
	rank         map[string]int // of the first
	quoted       map[string]bool
}

// usesOf indexes names. All pages of a module ask for the same.
func (o *outline) usesOf(names, shown []string) uses {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.uses.rank != nil && slices.Equal(o.uses.names, names) && slices.Equal(o.uses.shown, shown) {
		return o.uses
	}
	o.uses = uses{names, shown, make(map[string]int, len(names)), make(map[string]bool, len(shown))}
	for i, name := range names {
		o.uses.rank[name] = i + 1
	}
	for _, name := range shown {
		o.uses.quoted[name] = true
	}
	return o.uses
}
