package source

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// Unit is one source file of a module.
type Unit struct {
	Path string // relative to the repository's root
	Hash string // the content's git blob ID
	File File
	// Opaque is the reason for not reading the file: no extractor, too large, binary.
	Opaque string
}

// Module is the source of one directory, described by one knowledge node.
type Module struct {
	Path  string // "." for the root
	Units []Unit // sorted by Path
}

// Declared is a Symbol in its module.
type Declared struct {
	*Symbol // shared with the file unless several files declare the name; read-only
	// Name is the name in the module: "file.name" in languages with a namespace per file.
	Name string
	Path string // relative to the repository's root
	// Deep is the digest of everything that a dependent can see through this name: its own interface and that of the
	// declarations that it reaches.
	Deep      Digest
	elsewhere bool // until declarations of one name are merged
}

// Language returns the main language of the module's non-test files, or of its tests if only these are readable. Ties
// are resolved by name.
func (m Module) Language() string {
	count := map[string]int{}
	tests := m.Tests()
	for _, u := range m.Units {
		weight := 1000
		if u.File.Test && !tests {
			weight = 1
		}
		if u.Opaque != "" {
			weight /= 10
		}
		count[u.File.Language] += weight
	}
	best := ""
	for l, n := range count {
		if best == "" || n > count[best] || n == count[best] && l < best {
			best = l
		}
	}
	return best
}

// Doc returns the module's documentation and its file. In languages with a namespace per file, only the directory's
// file counts, or the only file.
func (m Module) Doc() (text, file string) {
	best := ""
	files := map[string]bool{} // a header and its implementation count once
	for _, u := range m.Units {
		if u.File.Test {
			continue
		}
		files[oneFile(u)] = true
		if u.File.Doc == "" || Licence(u.File.Doc) || IsToolFile(path.Base(u.Path)) {
			continue
		}
		if rank := docRank(u); best == "" || rank < best {
			best, text, file = rank, u.File.Doc, u.Path
		}
	}
	if best >= "3" && len(files) > 1 {
		return "", ""
	}
	return text, file
}

var licence = lazyregexp.New(`(?i)^[\s=*#/-]*(©|\(c\)\s|copyright\s+(\(c\)|©|[0-9]{4}|the\b|by\b)|licen[cs]ed under\b|@licen[cs]e\b|spdx-licen[cs]e-identifier\b)`)

// Licence reports whether a comment is a license or copyright notice.
func Licence(doc string) bool { return licence.MatchString(doc) }

// docRank sorts files by how likely their documentation describes the whole module.
func docRank(u Unit) string {
	stem := strings.TrimSuffix(path.Base(u.Path), path.Ext(u.Path))
	switch {
	case u.File.Scoped && Prefix(u.Path, true) != "", u.File.Generated:
		return "3" + u.Path
	case stem == "doc" || stem == "package-info" || u.File.Scoped:
		return "0" + u.Path
	case stem == u.File.Package, inHeaders(u) && stem == path.Base(path.Dir(u.Path)):
		return "1" + u.Path
	case inHeaders(u):
		return "3" + u.Path // it describes the file
	}
	return "2" + u.Path
}

func inHeaders(u Unit) bool { return TraitsOf(u.File.Language).Headers != nil }

func oneFile(u Unit) string {
	if inHeaders(u) {
		return strings.TrimSuffix(u.Path, path.Ext(u.Path))
	}
	return u.Path
}

// Tests reports whether all readable files of the module are tests. Scripts and data files do not count.
func (m Module) Tests() bool {
	tests := false
	for _, u := range m.Units {
		if !u.File.Test && u.Opaque == "" {
			return false
		}
		tests = tests || u.File.Test
	}
	return tests
}

// Prefix returns the prefix of a file's names, or "" if they belong to the directory. The result is valid UTF-8.
func Prefix(name string, scoped bool) string {
	stem := path.Base(name)
	if first, rest, _ := strings.Cut(stem, "."); rest != "" && '0' <= rest[0] && rest[0] <= '9' { // v1.2-name.js
		stem = strings.ReplaceAll(strings.TrimSuffix(stem, path.Ext(stem)), ".", "-")
	} else {
		stem = first
	}
	if !scoped || stem == "main" || heads[stem] {
		return ""
	}
	return strings.ToValidUTF8(stem, "\uFFFD") + "."
}

// Declarations lists the module's declarations outside tests, sorted by name, with deep digests. Declarations of one
// name in several files (platform variants, header and implementation) are merged.
func (m Module) Declarations() []Declared {
	type place struct {
		name       string
		unit, next int
	}
	count := 0
	for i := range m.Units {
		count += len(m.Units[i].File.Symbols)
	}
	places := make([]place, 0, count)
	elsewhere := map[int]bool{} // the first of several declarations is one of the usual platform
	var made []Symbol
	for i := range m.Units {
		u := &m.Units[i]
		if u.File.Test {
			continue
		}
		prefix := Prefix(u.Path, u.File.Scoped)
		elsewhere[i] = u.elsewhere()
		for j := range u.File.Symbols {
			if s := &u.File.Symbols[j]; s.Each == nil {
				places = append(places, place{prefix + s.Name, i, j})
			} else {
				for _, one := range m.membersOf(u, *s) {
					made = append(made, one)
					places = append(places, place{prefix + one.Name, i, -len(made)})
				}
			}
		}
	}
	slices.SortFunc(places, func(a, b place) int {
		if a.name != b.name {
			return cmp.Compare(a.name, b.name)
		}
		switch {
		case elsewhere[a.unit] && !elsewhere[b.unit]:
			return 1
		case elsewhere[b.unit] && !elsewhere[a.unit]:
			return -1
		}
		return cmp.Or(cmp.Compare(a.unit, b.unit), cmp.Compare(a.next, b.next))
	})
	all := make([]Declared, len(places))
	for i, p := range places {
		u := &m.Units[p.unit]
		all[i] = Declared{Name: p.name, Path: u.Path, elsewhere: elsewhere[p.unit]}
		if p.next < 0 {
			all[i].Symbol = &made[-p.next-1]
		} else {
			all[i].Symbol = &u.File.Symbols[p.next]
		}
	}
	all = mergeDeclared(all)
	m.documentFiles(all)
	m.deepen(all)
	return all
}

// elsewhere reports whether the usual platform does not build a file.
func (u *Unit) elsewhere() bool {
	excluded := TraitsOf(u.File.Language).Elsewhere
	return u.File.Guard != "" && excluded != nil && excluded(u.File.Guard)
}

// documentFiles adds a file's documentation to the declaration of its module (`pub mod twoway;`).
func (m Module) documentFiles(all []Declared) {
	docs := map[string]string{}
	for i := range m.Units {
		u := &m.Units[i]
		if stem, ok := strings.CutSuffix(Prefix(u.Path, u.File.Scoped), "."); ok && !u.File.Test && !Licence(u.File.Doc) {
			docs[stem] = u.File.Doc
		}
	}
	for i := range all {
		if d := &all[i]; d.Kind == Namespace && docs[d.Name] != "" {
			s := *d.Symbol
			s.Doc = strings.TrimSpace(s.Doc + "\n\n" + docs[d.Name])
			d.Symbol = &s
		}
	}
}

func mergeDeclared(sorted []Declared) []Declared {
	out := sorted[:0]
	for i := 0; i < len(sorted); {
		j := i + 1
		for j < len(sorted) && sorted[j].Name == sorted[i].Name {
			j++
		}
		if j == i+1 {
			out = append(out, sorted[i])
		} else {
			out = append(out, mergeOne(declaring(sorted[i:j])))
		}
		out[len(out)-1].elsewhere = false
		i = j
	}
	return out
}

// declaring drops re-exports if a file declares the name: __init__.py and main.py both represent their directory, and
// one may re-export the other's names.
func declaring(same []Declared) []Declared {
	own := slices.DeleteFunc(slices.Clone(same), func(d Declared) bool { return d.Kind == Reexport })
	if len(own) == 0 {
		return same
	}
	return own
}

// mergeOne merges declarations of one name. Documentation in a header is for callers and takes precedence over that
// at the implementation.
func mergeOne(same []Declared) Declared {
	d := same[0]
	for _, other := range same[1:] {
		switch toCallers := inHeader(other) && !inHeader(d); {
		case other.elsewhere && !d.elsewhere:
		case inHeader(d) && !inHeader(other) && toAuthors.MatchString(other.Doc):
		case other.Doc != "" && (d.Doc == "" || toCallers), toCallers && toAuthors.MatchString(d.Doc):
			d = other
		}
	}
	first, more := *d.Symbol, []Symbol(nil)
	for _, other := range same {
		if other.Path == d.Path && other.Line == d.Line {
			continue
		}
		same := *other.Symbol
		unique := TraitsOfFile(d.Path).Unique && TraitsOfFile(other.Path).Unique
		if inHeader(d) != inHeader(other) && unique && d.Kind == Func && other.Kind == Func { // the difference is a macro or a parameter's name
			same.Signature, same.Doc = first.Signature, ""
		}
		more = append(more, same)
	}
	merged := merge(first, more)
	merged.Line, merged.End = first.Line, first.End
	d.Symbol = &merged
	return d
}

var toAuthors = lazyregexp.New(`(?i)^(for )?(internal|private)\b`)

func inHeader(d Declared) bool { return IsHeader(d.Path) }

// InterfaceOf digests all exported declarations.
func InterfaceOf(declared []Declared) Digest {
	h := NewHasher()
	for i := range declared {
		if d := &declared[i]; d.Exported {
			h.Add(d.Name)
			h.Add(string(d.Deep))
		}
	}
	return h.Sum()
}
