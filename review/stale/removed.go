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

// Kind is the kind of a Name.
type Kind string

// The kinds of names.
const (
	Symbol   Kind = "symbol"
	Flag     Kind = "flag"
	Variable Kind = "environment variable"
	Path     Kind = "file"
)

// Name is a removed or renamed name.
type Name struct {
	Kind   Kind
	Text   string // a symbol's unqualified name, a flag without hyphens, a variable, or a path
	Module string // the module that had it
	Symbol string // its name in that module; only for symbols
	Path   string // the file that had it
	Now    string // its new name, if certain
	Member bool   // it is a member of a type
	// Qualifiers may precede the name of a symbol in a document, in lower case.
	Qualifiers []string
}

// mostNames limits the names to search. A change that removes more replaces a part of the project.
const mostNames = 4000

// Removed lists the removed and renamed names that a document contains and no code does any more, sorted by kind and
// text. A name that occurs as a word in any other file, even in a comment, is still in use.
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

// Documents lists the documents that may contain one of the names, by path.
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

func (n Name) documented() []string {
	switch n.Kind {
	case Flag:
		return []string{n.Text, "-" + n.Text, "--" + n.Text}
	case Path:
		return []string{path.Base(n.Text)}
	}
	return []string{n.Text}
}

// coded lists the words whose presence in code shows that n is still in use. A path is in use if its file exists.
func (n Name) coded() []string {
	switch {
	case n.Kind == Path:
		return nil
	case n.Kind == Flag && !strings.Contains(n.Text, "-"): // a single word has many uses in code
		return []string{"-" + n.Text, "--" + n.Text, `"` + n.Text + `"`, `"-` + n.Text + `"`, `"--` + n.Text + `"`}
	}
	if n.Kind == Variable {
		return append(composed(n.Text), n.Text, strings.ToLower(n.Text))
	}
	return []string{n.Text}
}

// composed lists suffixes of a variable's name to which programs may add a prefix, such as "TEMP_DIR" for
// SHOP_TEMP_DIR. Single words are omitted in lower case, because they are too common.
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

// candidates lists the names that the changed files no longer have, once for each kind and text.
func candidates(r survey.Reader) ([]Name, error) {
	var was []Name
	is := map[[2]string]bool{} // by kind and text
	for f, err := range change.All(r) {
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

// shortest is the minimum length of a name. Shorter ones are too common.
const shortest = 3

func (n Name) key() [2]string { return [2]string{string(n.Kind), n.Text} }

func (v versions) formerly() []Name {
	renamed, names := v.renamed(), named(v.before, v.Was)
	for i := range names {
		if s := names[i].Symbol; s != "" {
			names[i].Now = last(renamed[s])
		}
	}
	return names
}

var facts = map[source.FactKind]Kind{source.Flag: Flag, source.Env: Variable}

// everybodys lists flags and variables that many programs share, so other programs still have them.
var everybodys = []string{
	"HOME", "PATH", "PWD", "USER", "SHELL", "TERM", "LANG", "TMPDIR", "TMP", "TEMP", "EDITOR", "VISUAL", "PAGER", "DISPLAY", "HOSTNAME", "NO_COLOR", "COLUMNS", "LINES",
	"APPDATA", "LOCALAPPDATA", "USERPROFILE", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE",
	"CI", "GITHUB_TOKEN", "GITHUB_ACTIONS", "GITHUB_REF", "GITHUB_SHA", "GOPATH", "GOROOT", "GOBIN", "GOOS", "GOARCH", "GOFLAGS", "CGO_ENABLED", "CARGO_HOME", "RUST_LOG",
	"RUST_BACKTRACE", "CARGO_MANIFEST_DIR", "OUT_DIR", "JAVA_HOME", "PYTHONPATH", "VIRTUAL_ENV", "NODE_ENV", "NODE_PATH", "NODE_OPTIONS", "CC", "CXX", "CFLAGS", "LDFLAGS",
	"--help", "-help", "--version", "-version",
}

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
			for _, m := range h.Members { // fields and interface methods are not separate symbols
				of := append(slices.Clip(qualifiers), strings.ToLower(n.Text))
				names = append(names, Name{Kind: Symbol, Text: m.Name, Module: module, Symbol: n.Symbol + "." + m.Name, Path: file, Member: true, Qualifiers: of})
			}
		}
	}
	for _, f := range u.File.Facts {
		computed := f.Kind == source.Env && (strings.ContainsAny(f.Name, source.Unknown+source.Named) || strings.HasPrefix(f.Of, source.Unknown)) // the file alone does not determine the names
		if kind := facts[f.Kind]; kind != "" && !computed && !slices.Contains(everybodys, f.Name) {
			names = append(names, Name{Kind: kind, Text: strings.TrimLeft(f.Name, "-"), Module: module, Path: file})
		}
	}
	return names
}

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

// isName reports whether a symbol's name is a single word.
func isName(name string) bool {
	for i := range len(name) {
		if !change.IsWord(name[i]) {
			return false
		}
	}
	return name != ""
}
