package stale

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review/change"
)

// Kind says what a Name is of.
type Kind string

// The kinds of names.
const (
	Symbol   Kind = "symbol"
	Flag     Kind = "flag"
	Variable Kind = "environment variable"
	Path     Kind = "file"
)

// Name is something that the change removed, or gave another name.
type Name struct {
	Kind   Kind
	Text   string // a symbol's own name, a flag without hyphens before it, a variable, a path
	Module string // that had it
	Symbol string // its name in that module; empty of all but symbols
	Path   string // the file that had it
	Now    string // what it is called now, where that is certain
	Member bool   // it belongs to a type, and is selected from its values
	// Qualifiers are what a document may put before the name of a symbol, in lower case.
	Qualifiers []string
}

// mostNames is how many names are looked for. A change that removes more replaces a part of the project, and is not read in the
// places that name it.
const mostNames = 4000

// Removed lists the names that the change removed or replaced, that some document may name, and that are nowhere in the code any
// more, sorted by text. A name that any other file has as a word, in whatever language or comment, lives on.
func Removed(r survey.Reader) ([]Name, error) {
	names, err := candidates(r)
	if err != nil || len(names) == 0 {
		return nil, err
	}
	named, err := change.DocumentsNaming(r, words(names, Name.documented))
	if err != nil {
		return nil, err
	}
	told := map[string]bool{}
	for _, n := range named {
		for _, word := range n.Words {
			told[word] = true
		}
	}
	names = slices.DeleteFunc(names, func(n Name) bool {
		return !slices.ContainsFunc(n.documented(), func(word string) bool { return told[word] })
	})
	living, err := change.CodeNaming(r, words(names, Name.coded))
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(names, func(n Name) bool {
		return slices.ContainsFunc(n.coded(), func(word string) bool { return slices.Contains(living, word) })
	}), nil
}

// Documents lists the documents that may name one of the names, by path.
func Documents(r survey.Reader, names []Name) ([]string, error) {
	named, err := change.DocumentsNaming(r, words(names, Name.documented))
	if err != nil {
		return nil, err
	}
	var out []string
	for _, n := range named {
		out = append(out, n.Path)
	}
	return out, nil
}

// documented are the words of which one stands in a document that names n.
func (n Name) documented() []string {
	switch n.Kind {
	case Flag:
		return []string{n.Text, "-" + n.Text, "--" + n.Text}
	case Path:
		return []string{path.Base(n.Text)}
	}
	return []string{n.Text}
}

// coded are the words of which one stands in code as long as n lives on. A path lives on where the file is there.
func (n Name) coded() []string {
	switch {
	case n.Kind == Path:
		return nil
	case n.Kind == Flag && !strings.Contains(n.Text, "-"): // a word that code has for many things
		return []string{"-" + n.Text, "--" + n.Text, `"` + n.Text + `"`, `"-` + n.Text + `"`, `"--` + n.Text + `"`}
	}
	if n.Kind == Variable {
		return append(composed(n.Text), n.Text)
	}
	return []string{n.Text}
}

// composed are the parts of a variable's name that programs put a prefix before: "TEMP_DIR" of SHOP_TEMP_DIR. What is one word in
// lower case is a word of much else.
func composed(name string) []string {
	var out []string
	for at := range len(name) {
		if name[at] != '_' || at+1 == len(name) {
			continue
		}
		rest := name[at+1:]
		out = append(out, `"`+rest+`"`)
		if strings.Contains(rest, "_") {
			out = append(out, `"`+strings.ToLower(rest)+`"`, `"`+strings.ToLower(strings.ReplaceAll(rest, "_", "-"))+`"`)
		}
	}
	return out
}

func words(names []Name, of func(Name) []string) []string {
	var out []string
	for _, n := range names {
		out = append(out, of(n)...)
	}
	return out
}

// candidates lists what the changed files had and have no more, the first of each kind and text.
func candidates(r survey.Reader) ([]Name, error) {
	files, err := change.Files(r)
	if err != nil {
		return nil, err
	}
	var was []Name
	is := map[[2]string]bool{} // by kind and text
	for _, file := range files {
		f, err := change.FileOf(r, file)
		if err != nil {
			return nil, err
		}
		v, err := read(r, f)
		if err != nil {
			return nil, err
		}
		if f.Was != "" && (f.Was != f.Path || f.Gone) {
			n := Name{Kind: Path, Text: f.Was, Path: f.Was}
			if !f.Gone {
				n.Now = f.Path
			}
			was = append(was, n)
		}
		was = append(was, v.formerly()...)
		for _, n := range named(v.after, f.Path) {
			is[n.key()] = true
		}
	}
	was = slices.DeleteFunc(was, func(n Name) bool { return is[n.key()] || len(n.Text) < shortest })
	slices.SortStableFunc(was, func(a, b Name) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Text, b.Text)) })
	out := was[:0]
	for _, n := range was {
		if len(out) > 0 && out[len(out)-1].key() == n.key() {
			first := &out[len(out)-1]
			first.Qualifiers = append(first.Qualifiers, n.Qualifiers...)
			continue
		}
		out = append(out, n)
	}
	return out[:min(len(out), mostNames)], nil
}

// shortest is how many letters a name has at least that is looked for: shorter ones are options and variables of everything.
const shortest = 3

func (n Name) key() [2]string { return [2]string{string(n.Kind), n.Text} }

// formerly lists what the old version of the file declares, with the names that it has in the new one.
func (v versions) formerly() []Name {
	renamed, names := v.renamed(), named(v.before, v.Was)
	for i := range names {
		if s := names[i].Symbol; s != "" {
			names[i].Now = last(renamed[s])
		}
	}
	return names
}

// facts are the kinds of what a user of a program meets that documents name in code.
var facts = map[source.FactKind]Kind{source.Flag: Flag, source.Env: Variable}

// everybodys are flags and variables that programs share with others, which do not go when one of them has them no more.
var everybodys = []string{
	"HOME", "PATH", "PWD", "USER", "SHELL", "TERM", "LANG", "TMPDIR", "TMP", "TEMP", "EDITOR", "VISUAL", "PAGER", "DISPLAY", "HOSTNAME", "NO_COLOR", "COLUMNS", "LINES",
	"APPDATA", "LOCALAPPDATA", "USERPROFILE", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE",
	"CI", "GITHUB_TOKEN", "GITHUB_ACTIONS", "GITHUB_REF", "GITHUB_SHA", "GOPATH", "GOROOT", "GOBIN", "GOOS", "GOARCH", "GOFLAGS", "CGO_ENABLED", "CARGO_HOME", "RUST_LOG",
	"RUST_BACKTRACE", "CARGO_MANIFEST_DIR", "OUT_DIR", "JAVA_HOME", "PYTHONPATH", "VIRTUAL_ENV", "NODE_ENV", "NODE_PATH", "NODE_OPTIONS", "CC", "CXX", "CFLAGS", "LDFLAGS",
	"--help", "-help", "--version", "-version",
}

// named lists what one version of a file declares for others. Tests declare nothing for readers.
func named(u *source.Unit, file string) []Name {
	if u == nil || u.File.Test || u.File.Problem != "" {
		return nil
	}
	var names []Name
	module, qualifiers := path.Dir(file), qualifiersOf(u, file)
	for i := range u.File.Symbols {
		s := &u.File.Symbols[i]
		if !s.Exported {
			continue
		}
		n := Name{Kind: Symbol, Text: last(s.Name), Module: module, Symbol: inModule(u, s.Name), Path: file, Member: owner(s.Name) != ""}
		if n.Qualifiers = append(slices.Clip(qualifiers), strings.ToLower(last(owner(s.Name)))); isName(n.Text) {
			names = append(names, n)
		}
		if s.Kind != source.Struct && s.Kind != source.Interface {
			continue
		}
		for _, h := range s.Headers() {
			for _, m := range h.Members { // they have no symbols
				of := append(slices.Clip(qualifiers), strings.ToLower(n.Text))
				names = append(names, Name{Kind: Symbol, Text: m.Name, Module: module, Symbol: n.Symbol + "." + m.Name, Path: file, Member: true, Qualifiers: of})
			}
		}
	}
	for _, f := range u.File.Facts {
		computed := f.Kind == source.Env && (strings.ContainsAny(f.Name, source.Unknown+source.Named) || strings.HasPrefix(f.Of, source.Unknown)) // the file alone does not show the names
		if kind := facts[f.Kind]; kind != "" && !computed && !slices.Contains(everybodys, f.Name) {
			names = append(names, Name{Kind: kind, Text: strings.TrimLeft(f.Name, "-"), Module: module, Path: file})
		}
	}
	return names
}

// qualifiersOf lists what may stand before the names of a file's symbols: its package, and what is on its path.
func qualifiersOf(u *source.Unit, file string) []string {
	stem, _, _ := strings.Cut(path.Base(file), ".")
	var out []string
	for q := range strings.SplitSeq(path.Dir(file)+"/"+stem+"/"+u.File.Package, "/") {
		if q != "" && q != "." {
			out = append(out, strings.ToLower(q))
		}
	}
	return out
}

// isName reports whether a symbol is called by letters, digits and underscores, as words of code are looked for.
func isName(name string) bool {
	for i := range len(name) {
		if !isWord(name[i]) {
			return false
		}
	}
	return name != ""
}
