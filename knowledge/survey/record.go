package survey

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// Module is what the source of one module says. Nobody changes it.
type Module struct {
	Module   source.Module
	Readme   *source.Unit // set when the module documents itself nowhere else
	Declared []source.Declared
	Table    source.Table
	Uses     []Use
	External []string // imports that lead outside of the repository, as written
}

// Use is a name of another module that a module rests on, with the digest that it has.
type Use struct {
	Module    string
	Name      string // "*" for all; empty for an import by effect only
	Interface source.Digest
}

// record is what the index remembers of a module, enough to plan without its files.
type record struct {
	Files    []fileRecord  `json:"f"` // sorted by path
	Table    source.Table  `json:"t"`
	Uses     []source.Use  `json:"u,omitempty"`
	External []string      `json:"x,omitempty"`
	Imports  source.Digest `json:"i"` // of everything that its files import
	Leads    source.Digest `json:"l"` // of the files and directories that its imports lead to
}

type fileRecord struct {
	Path        string        `json:"p"`
	Hash        string        `json:"h"`
	Fingerprint source.Digest `json:"c"`
	Names       source.Digest `json:"n"` // as of its NamesDigest
	Shapes      source.Digest `json:"y"` // as of its ShapesDigest
	Test        bool          `json:"s,omitempty"`
	Opaque      string        `json:"o,omitempty"` // why it was not read
}

// file finds a file of the module.
func (r *record) file(name string) (fileRecord, bool) {
	if r == nil {
		return fileRecord{}, false
	}
	i, found := slices.BinarySearchFunc(r.Files, name, func(f fileRecord, name string) int { return strings.Compare(f.Path, name) })
	if !found {
		return fileRecord{}, false
	}
	return r.Files[i], true
}

func names(files []fileRecord) []string {
	out := make([]string, len(files))
	for i, f := range files {
		out[i] = f.Path
	}
	return out
}

// summary is what every run needs of every module: its place in the whole.
type summary struct {
	Name     string   `json:"n,omitempty"` // that its code gives the root, whose path says nothing
	Language string   `json:"l"`
	State    string   `json:"s"` // digest of its sources, to the byte
	Deps     []string `json:"u,omitempty"`
	TestDeps []string `json:"v,omitempty"`
	Words    []string `json:"w,omitempty"` // of its imports, by which files that come or go can concern it

	Bytes    int           `json:"b,omitempty"` // about how many it takes to say what callers may want to know
	Parts    []source.Part `json:"p,omitempty"` // where these are too many for one page
	Category string        `json:"c,omitempty"` // what its authors say that it belongs to
	Plain    bool          `json:"o,omitempty"` // it is one file, which declares something and does nothing by itself
}

func fileRecords(k *Module) []fileRecord {
	var out []fileRecord
	for _, u := range k.Units() {
		out = append(out, fileRecord{Path: u.Path, Hash: u.Hash, Fingerprint: u.File.Content, Names: u.File.NamesDigest(), Shapes: u.File.ShapesDigest(), Test: u.File.Test, Opaque: u.Opaque})
	}
	slices.SortFunc(out, func(a, b fileRecord) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// Units are all files that are read to know the module.
func (k *Module) Units() []source.Unit {
	if k.Readme == nil {
		return k.Module.Units
	}
	return append(slices.Clip(k.Module.Units), *k.Readme)
}

// Broken returns the first file that does not parse, with the problem.
func (k *Module) Broken() (source.Unit, bool) {
	for _, u := range k.Module.Units {
		if u.File.Problem != "" {
			return u, true
		}
	}
	return source.Unit{}, false
}

// Name is what the module's code calls itself; empty where its files do not agree to say.
func (k *Module) Name() string {
	for _, u := range k.Module.Units {
		if p := u.File.Package; p != "" && !u.File.Test && p != "main" && !strings.Contains(p, ".") {
			return p
		}
	}
	return ""
}

// importsDigest covers everything that decides where a module's imports lead, but for the repository's files.
func importsDigest(m source.Module) source.Digest {
	h := source.NewHasher()
	for _, u := range m.Units {
		h.Add(u.Path)
		for _, imp := range u.File.Imports {
			h.Add(imp.Path)
			h.Add(imp.As)
			for _, is := range []bool{imp.All, imp.Reexport, imp.System} {
				h.Add(strconv.FormatBool(is))
			}
			for _, n := range imp.Names {
				h.Add(n.Name + " " + n.As)
			}
		}
		for _, s := range u.File.Symbols {
			if s.Kind == source.Reexport {
				h.Add("passes on " + s.Name)
				h.Add(strings.Join(s.Refs, " "))
			}
		}
	}
	return h.Sum()
}

func compareUses(a, b Use) int {
	return cmp.Or(cmp.Compare(a.Module, b.Module), cmp.Compare(a.Name, b.Name))
}
