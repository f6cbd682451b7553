package render

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

// outline is shared by the page of a module and the pages of its parts. It is computed once and then immutable: pages
// may be written concurrently.
type outline struct {
	node  *node.Node
	index *source.PartIndex
	// By file base name: languages that differ from the module's. By symbol: shown, its examples.
	languages map[string]string
	shown     map[string][]node.Example
	// manual holds the documents that describe symbols without documentation in the code.
	manual map[string]node.Described

	subjects func() subjects
	shares   func() []share
	// extensions returns the extension points of the module, registered the names under which its declarations are
	// registered.
	extensions func() extensions
	registered func() map[string][]string

	mu   sync.Mutex
	uses uses // of the page that asked last
}

// newOutline returns the outline of a module; parts is nil for an undivided one.
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

type share struct {
	entries []*entry
	members map[*entry][]*entry // of divided types
}

// share distributes the public symbols to the parts.
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
		shares[i].entries = nil // only the first page documents the type itself
		if e := types[p.Type]; e != nil {
			shares[i].entries = []*entry{e}
		}
	}
	return shares
}

// entriesOf returns copies of the entries of a part, which a page may change.
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

// subjects are the headings under which a module's symbols are listed.
type subjects struct {
	rank  map[string]int           // sort order: files that stand for the directory are first
	files map[string][]node.Source // of each
	about map[string]string        // the description of its first file that has one
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

// subjectIn returns the subject of a file: a header and its implementation share one.
func subjectIn(n *node.Node, file string) string {
	if source.TraitsOf(n.Language).Headers != nil {
		return strings.TrimSuffix(file, path.Ext(file))
	}
	return file
}

// uses holds the names of a module that other modules use, and those in READMEs.
type uses struct {
	names, shown []string
	rank         map[string]int // of used names
	quoted       map[string]bool
}

// usesOf indexes names, once for all pages of a module.
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
