package survey

import (
	"context"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// Publication is the set of symbols of one file that callers reach.
type Publication struct {
	// Ruled is set when entry points decide it: all names not in Names are internal.
	Ruled bool           `json:"r,omitempty"`
	Names source.Reached `json:"n,omitempty"` // by name in the module
}

// publications maps the base names of a module's files. Files without information are omitted.
type publications map[string]Publication

// Digest returns the digest of the publication, or "" if it is empty.
func (p Publication) Digest() string {
	if !p.Ruled && len(p.Names) == 0 {
		return ""
	}
	h := source.NewHasher()
	for _, name := range slices.Sorted(maps.Keys(p.Names)) {
		h.Add(name)
		h.Add(p.Names[name].Import)
		h.Add(strings.Join(p.Names[name].As, " "))
	}
	return string(h.Sum())
}

// publisher determines the names that callers reach.
type publisher struct {
	*Survey
	entries        []source.Entry // files that callers import
	entriesChanged bool
	published      map[string]publications // modules computed in this run
}

// publish recomputes the names that callers reach if they may have changed: entry files were added, removed or
// modified, or a module exports other names. It records the differences. Names pass from entries through any number
// of modules, so it follows all of them, using tables only.
func (pub *publisher) publish(ctx context.Context, anew bool) error {
	var before []source.Entry
	if !pub.full {
		pub.Index.Get(wholes, keyEntries, &before)
	}
	pub.entries = before
	if anew {
		var err error
		if pub.entries, err = pub.findEntries(ctx); err != nil {
			return err
		}
	}
	pub.entriesChanged = pub.full || !slices.Equal(before, pub.entries)
	if !pub.entriesChanged && (len(pub.entries) == 0 || !pub.republishes()) {
		return nil
	}
	now := pub.arrange(source.Linker{Table: pub.table}.Published(pub.entries))
	pub.published = map[string]publications{}
	for _, m := range slices.Concat(slices.Collect(maps.Keys(pub.modules)), slices.Collect(maps.Keys(pub.update.visits))) {
		if pub.full || !maps.EqualFunc(pub.publishedBefore(m), now[m], samePublication) {
			pub.published[m] = now[m]
		}
	}
	return ctx.Err()
}

// findEntries lists the files that callers import. It looks at files to find the languages, because a language may
// have no module.
func (pub *publisher) findEntries(ctx context.Context) ([]source.Entry, error) {
	if !slices.ContainsFunc(pub.files(), pub.hasEntries) {
		return nil, nil
	}
	wanted := map[string]bool{}
	for _, l := range pub.Languages {
		wanted[l.Name()] = source.HasEntries(l.Name())
	}
	if err := pub.prepare(ctx, wanted); err != nil {
		return nil, err
	}
	var out []source.Entry
	for _, l := range pub.Languages {
		if p, ok := pub.resolvers[l.Name()].(source.Publisher); ok {
			out = append(out, p.Published()...)
		}
	}
	slices.SortFunc(out, source.CompareEntries)
	return slices.Compact(out), nil // two languages may share a kind of manifest
}

func (pub *publisher) hasEntries(file string) bool {
	return source.HasEntries(pub.classes.Classify(file).Language) && pub.isSource(file)
}

func (pub *publisher) republishes() bool {
	for _, v := range pub.update.visits {
		if v.table != nil && v.table.public {
			return true
		}
	}
	return false
}

// arrange groups the results by module, and adds files in the scope of an entry that the entry does not reach.
func (pub *publisher) arrange(found map[source.Place]source.Reached) map[string]publications {
	roots := map[string]map[string]bool{} // by language
	for _, e := range pub.entries {
		language := source.Kin(pub.classes.Classify(path.Join(e.Dir, e.File)).Language)
		if roots[language] == nil {
			roots[language] = map[string]bool{}
		}
		roots[language][e.Root] = true
	}
	out := map[string]publications{}
	for _, file := range pub.files() {
		m, base := moduleOf(file), path.Base(file)
		language := source.Kin(pub.classes.Classify(file).Language)
		if roots[language] == nil || pub.modules[m] == nil || !pub.isSource(file) {
			continue
		}
		p := Publication{Ruled: below(m, roots[language]), Names: found[source.Place{Dir: m, File: base}]}
		if !p.Ruled && len(p.Names) == 0 {
			continue
		}
		if out[m] == nil {
			out[m] = publications{}
		}
		out[m][base] = p
	}
	return out
}

func below(dir string, roots map[string]bool) bool {
	for ; ; dir = path.Dir(dir) {
		if roots[dir] {
			return true
		}
		if dir == "." {
			return false
		}
	}
}

func (pub *publisher) publishedBefore(m string) (out publications) {
	if !pub.full {
		pub.Index.Get(publicized, m, &out)
	}
	return out
}

func samePublication(a, b Publication) bool { return a.Digest() == b.Digest() }

func (pub *publisher) publications(m string) publications {
	if found, ok := pub.published[m]; ok {
		return found
	}
	return pub.publishedBefore(m)
}

func (pub *publisher) publishedOf(file string) Publication {
	m := moduleOf(file)
	if pub.modules[m] == nil {
		return Publication{}
	}
	return pub.publications(m)[path.Base(file)]
}

func (pub *publisher) save() (err error) {
	if pub.entriesChanged {
		err = pub.Batch.Put(wholes, keyEntries, pub.entries)
	}
	for m, p := range pub.published {
		if len(p) == 0 {
			err = errors.Join(err, pub.Batch.Put(publicized, m, nil))
		} else {
			err = errors.Join(err, pub.Batch.Put(publicized, m, p))
		}
	}
	return err
}
