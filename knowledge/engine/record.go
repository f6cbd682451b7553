package engine

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/node"
	"github.com/causaldocs/causal/knowledge/source"
)

// Known is what the core knows of one module from its source, without the node: the input of a plugin.
type Known struct {
	Module   source.Module
	Readme   *source.Unit // set when the module documents itself nowhere else
	Declared []source.Declared
	Table    source.Table
	Uses     []node.Use
	External []string // imports that lead outside of the repository, as written
}

// record is what the index remembers of a module, enough to plan without its files and its node.
type record struct {
	Files    []fileRecord  `json:"f"`
	Table    source.Table  `json:"t"`
	Uses     []source.Use  `json:"u,omitempty"`
	External []string      `json:"x,omitempty"`
	Imports  source.Digest `json:"i"` // of everything that its files import
	Node     *nodeRecord   `json:"n,omitempty"`
	Doc      bool          `json:"d,omitempty"` // it documents itself
}

type fileRecord struct {
	Path        string        `json:"p"`
	Hash        string        `json:"h"`
	Fingerprint source.Digest `json:"c"`
	Problem     string        `json:"e,omitempty"`
}

// nodeRecord is what counts of a node for the question whether it still holds.
type nodeRecord struct {
	Sources   []node.Source `json:"s"`
	Uses      []node.Use    `json:"u,omitempty"`
	Condition string        `json:"c"`
	Generator string        `json:"g"`
	Stale     string        `json:"x,omitempty"`
	Frame     string        `json:"f,omitempty"`
	Problem   string        `json:"e,omitempty"` // why the file is no node that can be trusted
}

// summary is what every run needs of every module: its place in the whole.
type summary struct {
	Title    string   `json:"t"`
	Language string   `json:"l"`
	Kind     string   `json:"k,omitempty"`
	Purpose  string   `json:"p,omitempty"`
	Derived  bool     `json:"d,omitempty"`
	Deps     []string `json:"u,omitempty"`
	TestDeps []string `json:"v,omitempty"`
	Words    []string `json:"w,omitempty"` // of its imports, by which files that come or go can concern it
	Stale    []Reason `json:"s,omitempty"` // why the node does not hold
	Kept     string   `json:"x,omitempty"` // why an old text is shown
	Partial  []string `json:"e,omitempty"` // files that were read in part
	Frame    string   `json:"f,omitempty"`
}

func fileRecords(k *Known) []fileRecord {
	var out []fileRecord
	for _, u := range k.units() {
		out = append(out, fileRecord{Path: u.Path, Hash: u.Hash, Fingerprint: u.File.Content, Problem: u.File.Problem})
	}
	return out
}

// units are all files that the node is derived from.
func (k *Known) units() []source.Unit {
	if k.Readme == nil {
		return k.Module.Units
	}
	return append(slices.Clip(k.Module.Units), *k.Readme)
}

// Broken returns the first file that does not parse, with the problem.
func (k *Known) Broken() (source.Unit, bool) {
	for _, u := range k.Module.Units {
		if u.File.Problem != "" {
			return u, true
		}
	}
	return source.Unit{}, false
}

// importsDigest covers everything that decides where a module's imports lead, but for the repository's files.
func importsDigest(m source.Module) source.Digest {
	h := source.NewHasher()
	for _, u := range m.Units {
		h.Add(u.Path)
		for _, imp := range u.File.Imports {
			h.Add(imp.Path)
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

// segments are the words of an import path by which a file that comes or goes can be found to concern it.
func segments(imp string) []string {
	return strings.FieldsFunc(imp, func(r rune) bool { return r == '/' || r == '.' || r == ':' || r == '@' })
}

// concerned are the segments of imports that may lead elsewhere once a file is there, or no more.
func concerned(file string) []string {
	stem, _, _ := strings.Cut(path.Base(file), ".")
	out := append([]string{stem}, strings.Split(path.Dir(file), "/")...)
	return slices.DeleteFunc(out, func(s string) bool { return s == "." })
}

func compareUses(a, b node.Use) int {
	return cmp.Or(cmp.Compare(a.Module, b.Module), cmp.Compare(a.Name, b.Name))
}
