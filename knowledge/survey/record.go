package survey

import (
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// Module is the parsed source of one module. It is immutable.
type Module struct {
	Module   source.Module
	Readme   *source.Unit // set if the module has no other documentation
	Declared []source.Declared
	Table    source.Table
	Uses     []source.Use
	External []string // imports from outside of the repository, as written
}

// record is the part of a module that the index remembers, enough to plan without reading files.
type record struct {
	Files    []fileRecord  `json:"f"` // sorted by path
	Table    source.Table  `json:"t"`
	Uses     []source.Use  `json:"u,omitempty"`
	External []string      `json:"x,omitempty"`
	Imports  source.Digest `json:"i"` // of all imports of its files
	Leads    source.Digest `json:"l"` // of the files and directories that its imports lead to
}

type fileRecord struct {
	Path        string        `json:"p"`
	Hash        string        `json:"h"`
	Fingerprint source.Digest `json:"c"`
	Names       source.Digest `json:"n"` // NamesDigest
	Shapes      source.Digest `json:"y"` // ShapesDigest
	Test        bool          `json:"s,omitempty"`
	Opaque      string        `json:"o,omitempty"` // why it was not read
}

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

type summary struct {
	Name     string   `json:"n,omitempty"` // declared name of the root, which has no path
	Language string   `json:"l"`
	State    string   `json:"s"` // digest of its sources, to the byte
	Deps     []string `json:"u,omitempty"`
	TestDeps []string `json:"v,omitempty"`
	Words    []string `json:"w,omitempty"` // of its imports; added and removed files are matched against them

	Bytes    int           `json:"b,omitempty"` // approximate size of its documentation
	Parts    []source.Part `json:"p,omitempty"` // set if the documentation is too long for one page
	Category string        `json:"c,omitempty"` // declared category
	Plain    bool          `json:"o,omitempty"` // one file that declares something and has no effects
}

func fileRecords(k *Module) []fileRecord {
	var out []fileRecord
	for _, u := range k.Units() {
		out = append(out, fileRecord{Path: u.Path, Hash: u.Hash, Fingerprint: u.File.Content, Names: u.File.NamesDigest(), Shapes: u.File.ShapesDigest(), Test: u.File.Test, Opaque: u.Opaque})
	}
	slices.SortFunc(out, func(a, b fileRecord) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// Units returns all files that belong to the module, including the README.
func (k *Module) Units() []source.Unit {
	if k.Readme == nil {
		return k.Module.Units
	}
	return append(slices.Clip(k.Module.Units), *k.Readme)
}

// Broken returns the first file that does not parse.
func (k *Module) Broken() (source.Unit, bool) {
	for _, u := range k.Module.Units {
		if u.File.Problem != "" {
			return u, true
		}
	}
	return source.Unit{}, false
}

// Name returns the package name that the code declares, or "" if its files disagree.
func (k *Module) Name() string {
	for _, u := range k.Module.Units {
		if p := u.File.Package; p != "" && !u.File.Test && p != "main" && !strings.Contains(p, ".") {
			return p
		}
	}
	return ""
}

// importsDigest covers all inputs of a module's import resolution except the repository's files.
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
