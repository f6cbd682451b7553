package survey

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// Publication is what callers reach of one file.
type Publication struct {
	// Ruled is set where entries decide it: whatever is not among Names is for the code around it alone.
	Ruled bool           `json:"r,omitempty"`
	Names source.Reached `json:"n,omitempty"` // by their names in the module
}

// publications are those of a module, by the base names of its files. Files of which there is nothing to say are left out.
type publications map[string]Publication

// Digest is what a node holds of it; empty when there is nothing to say.
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

// publish finds out what callers reach, where that may be otherwise than what is remembered: files that entries are found by
// came, went or changed, or a module exports other names. What is otherwise is noted. Names lead from entries through any number
// of modules, so all of them are followed, by tables alone.
func (s *Survey) publish(ctx context.Context, anew bool) error {
	var before []source.Entry
	if !s.full {
		s.Index.Get(wholes, keyEntries, &before)
	}
	s.entries = before
	if anew {
		var err error
		if s.entries, err = s.findEntries(ctx); err != nil {
			return err
		}
	}
	s.entriesChanged = s.full || !slices.Equal(before, s.entries)
	if !s.entriesChanged && (len(s.entries) == 0 || !s.republishes()) {
		return nil
	}
	now := s.arrange(source.Linker{Table: s.table}.Published(s.entries))
	s.published = map[string]publications{}
	for _, m := range slices.Concat(slices.Collect(maps.Keys(s.modules)), slices.Collect(maps.Keys(s.visits))) {
		if s.full || !maps.EqualFunc(s.publishedBefore(m), now[m], samePublication) {
			s.published[m] = now[m]
		}
	}
	return ctx.Err()
}

// findEntries lists the files that callers import. Which languages there are is for the files to say: one may be in no module.
func (s *Survey) findEntries(ctx context.Context) ([]source.Entry, error) {
	if !slices.ContainsFunc(s.files(), s.hasEntries) {
		return nil, nil
	}
	wanted := map[string]bool{}
	for _, l := range s.Languages {
		wanted[l.Name()] = source.HasEntries(l.Name())
	}
	if err := s.prepare(ctx, wanted); err != nil {
		return nil, err
	}
	var out []source.Entry
	for _, l := range s.Languages {
		if p, ok := s.resolvers[l.Name()].(source.Publisher); ok {
			out = append(out, p.Published()...)
		}
	}
	slices.SortFunc(out, source.CompareEntries)
	return slices.Compact(out), nil // two languages may have one kind of manifest
}

// hasEntries reports whether a file is source that callers reach as entries say.
func (s *Survey) hasEntries(file string) bool {
	return source.HasEntries(s.classes.Classify(file).Language) && s.isSource(file)
}

// republishes reports whether a module exports other names, or leads elsewhere.
func (s *Survey) republishes() bool {
	for _, v := range s.visits {
		if v.table != nil && v.table.public {
			return true
		}
	}
	return false
}

// arrange sorts by module what was found, and adds the files that an entry speaks for although it does not lead to them.
func (s *Survey) arrange(found map[source.Place]source.Reached) map[string]publications {
	roots := map[string]map[string]bool{} // by language
	for _, e := range s.entries {
		language := source.Kin(s.classes.Classify(path.Join(e.Dir, e.File)).Language)
		if roots[language] == nil {
			roots[language] = map[string]bool{}
		}
		roots[language][e.Root] = true
	}
	out := map[string]publications{}
	for _, file := range s.files() {
		m, base := moduleOf(file), path.Base(file)
		language := source.Kin(s.classes.Classify(file).Language)
		if roots[language] == nil || s.modules[m] == nil || !s.isSource(file) {
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

// below reports whether a directory is one of the roots, or below one.
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

// publishedBefore is what the last run remembered of what callers reach of a module.
func (s *Survey) publishedBefore(m string) (out publications) {
	if !s.full {
		s.Index.Get(publicized, m, &out)
	}
	return out
}

func samePublication(a, b Publication) bool { return a.Digest() == b.Digest() }

// publications are what callers reach of a module.
func (s *Survey) publications(m string) publications {
	if found, ok := s.published[m]; ok {
		return found
	}
	return s.publishedBefore(m)
}

// publishedOf is what callers reach of a file.
func (s *Survey) publishedOf(file string) Publication {
	m := moduleOf(file)
	if s.modules[m] == nil {
		return Publication{}
	}
	return s.publications(m)[path.Base(file)]
}
