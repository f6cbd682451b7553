package source

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// Unit is one source file of a module: what it is called, which content it has, and what was read from it.
type Unit struct {
	Path string // relative to the repository's root
	Hash string // git's blob id of the content
	File File
	// Opaque says why nothing was read from the file: no extractor for its language, too large, binary.
	Opaque string
}

// Module is the source of one directory, the unit that a knowledge node describes.
type Module struct {
	Path  string // directory, "." for the root
	Units []Unit // sorted by Path
}

// Declared is a Symbol in its module: where it stands and what everything that it reaches adds up to.
type Declared struct {
	*Symbol // that of the file, unless several files declare the name; it is not to be changed
	// Name is the name inside the module: in languages whose files are namespaces, "file.name".
	Name string
	Path string // the file, relative to the repository's root
	// Deep is the digest of what a dependant can see through this name: its own interface and that of the module's
	// declarations that it reaches.
	Deep Digest
}

// Language is the language of most files of the module that are not tests, unless only its tests can be read; of
// equals, the first by name.
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

// Doc is the module's own documentation and the file that carries it. Where each file is a namespace, only the file
// that stands for the directory speaks for it, or the only file there is.
func (m Module) Doc() (text, file string) {
	best := ""
	files := map[string]bool{} // a header and its implementation are one
	for _, u := range m.Units {
		if u.File.Test {
			continue
		}
		files[oneFile(u)] = true
		if u.File.Doc == "" || Licence(u.File.Doc) {
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

// Licence reports whether a comment is about who may use the code and not about what it does.
func Licence(doc string) bool { return licence.MatchString(doc) }

// docRank orders the files that carry documentation by how likely they speak for the whole module.
func docRank(u Unit) string {
	stem := strings.TrimSuffix(path.Base(u.Path), path.Ext(u.Path))
	switch {
	case u.File.Scoped && Prefix(u.Path, true) != "":
		return "3" + u.Path
	case stem == "doc" || stem == "package-info" || u.File.Scoped:
		return "0" + u.Path
	case stem == u.File.Package, inHeaders[u.File.Language] && stem == path.Base(path.Dir(u.Path)):
		return "1" + u.Path
	case inHeaders[u.File.Language]:
		return "3" + u.Path // it speaks of the file
	}
	return "2" + u.Path
}

// inHeaders are the languages in which two files declare and implement the same.
var inHeaders = map[string]bool{"c": true, "c++": true}

// oneFile is a file as it counts among those of its module.
func oneFile(u Unit) string {
	if inHeaders[u.File.Language] {
		return strings.TrimSuffix(u.Path, path.Ext(u.Path))
	}
	return u.Path
}

// Tests is true for a module that holds tests and nothing else that can be read: a script or a data file beside them
// serves them.
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

// heads are the file names whose symbols belong to the directory itself, in languages whose files are namespaces.
var heads = map[string]bool{"__init__": true, "index": true, "mod": true, "lib": true, "main": true}

// Prefix is what a file puts before the names it declares, "" when they belong to the directory. Names are text, whatever
// the file is called.
func Prefix(name string, scoped bool) string {
	stem := path.Base(name)
	stem, _, _ = strings.Cut(stem, ".")
	if !scoped || heads[stem] {
		return ""
	}
	return strings.ToValidUTF8(stem, "\uFFFD") + "."
}

// Declarations lists everything that the module declares outside its tests, sorted by name, with deep digests.
// Declarations of one name in several files (by platform, header and implementation) are one.
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
	var made []Symbol // of names from lists; their places count down
	for i := range m.Units {
		u := &m.Units[i]
		if u.File.Test {
			continue
		}
		prefix := Prefix(u.Path, u.File.Scoped)
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
		return cmp.Or(cmp.Compare(a.unit, b.unit), cmp.Compare(a.next, b.next))
	})
	all := make([]Declared, len(places))
	for i, p := range places {
		u := &m.Units[p.unit]
		all[i] = Declared{Name: p.name, Path: u.Path}
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

// documentFiles gives to what stands for a file of the module (`pub mod twoway;`) what the file says of itself.
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

// mergeDeclared joins neighbours of one name. A declaration with documentation gives the place that readers are sent
// to.
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
		i = j
	}
	return out
}

// declaring are those of one name that declare it: files that speak for their directory both, __init__.py and main.py, may pass on what
// the other declares.
func declaring(same []Declared) []Declared {
	own := slices.DeleteFunc(slices.Clone(same), func(d Declared) bool { return d.Kind == Reexport })
	if len(own) == 0 {
		return same
	}
	return own
}

// mergeOne joins declarations of one name. What a header says of it is said to callers, what stands at its body to who reads that.
func mergeOne(same []Declared) Declared {
	d := same[0]
	for _, other := range same[1:] {
		switch toCallers := inHeader(other) && !inHeader(d); {
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
		if inHeader(d) && path.Ext(other.Path) == ".c" && other.Kind == Func { // C has no overloads: a macro in front of one makes no other
			same.Signature, same.Doc = first.Signature, ""
		}
		more = append(more, same)
	}
	merged := merge(first, more)
	merged.Line, merged.End = first.Line, first.End
	d.Symbol = &merged
	return d
}

// toAuthors matches comments that say that they are not for callers.
var toAuthors = lazyregexp.New(`(?i)^(for )?(internal|private)\b`)

// inHeader reports whether it is a header of C or C++ that declares it.
func inHeader(d Declared) bool { return strings.HasPrefix(path.Ext(d.Path), ".h") }

// InterfaceOf digests all that is exported: what a dependant sees that uses everything.
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
