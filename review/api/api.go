// Package api finds what a change breaks for those who use a module: exported names that are gone, and those that can no longer
// be used as before. It tells of what is certain, and is silent otherwise.
//
// Go is compared by its types, which are made from the source of both versions alone. Of other languages the signatures are compared
// that a survey knows.
package api

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review/change"
	"github.com/causaldocs/causal/review/finding"
)

// Rule is the rule of the findings of this package.
const Rule = "api-break"

var vocabulary = condition.NewVocabulary(survey.Words...)

// place is a line of a file; none when the line is 0.
type place struct {
	path string
	line int
}

// breakage is one thing that the users of a module can no longer rely on.
type breakage struct {
	symbol   string // as it is told: "Quote.Price"
	declared string // the declaration that it is or belongs to, as the survey calls it: "Quote"; empty with all
	member   string // of a declaration, which the survey does not know by itself: "Price"
	kind     string // of change: "parameter removed"
	text     string // what is wrong, after the symbol
	was, now place
	// all are the declarations that are gone together.
	all []string
	// everyone is set where all who implement the declaration, or name it, are hit, and not only those who select the member.
	everyone bool
	// implementers is set where only those who implement or extend the declaration are hit.
	implementers bool
	// unplaced is set where those who name the declaration may be as right as before.
	unplaced bool
	// breaks reports whether a use of the function no longer works; nil if no use does.
	breaks func(use) bool
	// inner is set of what is not meant for others: it matters only where something of this repository is hit.
	inner bool
	// early is set where nothing is promised yet.
	early bool
}

// manyMethods is what an interface asks for at least that nobody implements by hand: what stands in for it embeds it, or is written by a
// program, and has what is added to it by itself.
const manyMethods = 20

// version is a module in one of the two versions.
type version struct {
	reader   survey.Reader
	module   *survey.Module // nil when there is none
	declared map[string]*source.Declared
	texts    map[string][]string // files by lines, once they are asked for
	answers  map[string]bool     // by question
}

func read(r survey.Reader, module string) (version, error) {
	m, err := survey.Read(r, module)
	if errors.Is(err, survey.ErrNoModule) {
		return version{reader: r, texts: map[string][]string{}, answers: map[string]bool{}}, nil
	}
	if err != nil {
		return version{}, err
	}
	v := version{
		reader: r, module: m, declared: make(map[string]*source.Declared, len(m.Declared)), texts: map[string][]string{}, answers: map[string]bool{},
	}
	for i := range m.Declared {
		v.declared[m.Declared[i].Name] = &m.Declared[i]
	}
	return v, nil
}

// pair is a module in both versions.
type pair struct {
	name     string
	was, now version
	parsed   *Parsed
	skipped  []finding.Skipped
	lines    map[string]*callLines // of files that differ, once they are asked for
}

// comparers compare what the sources of one language export. A language that is not there is not compared.
var comparers = map[string]func(p *pair) ([]breakage, error){
	"go":         (*pair).golang,
	"python":     (*pair).python,
	"typescript": (*pair).typescript,
	"javascript": (*pair).javascript,
	"java":       (*pair).java,
	"rust":       (*pair).rust,
	"c":          (*pair).clang,
	"c++":        (*pair).cplusplus,
}

// Breaks finds the incompatible changes of what a module exports, each with the places of other modules that it hits. Skipped are the
// files that should have been compared and could not. What it parses is kept for other modules of the run.
func Breaks(r survey.Reader, module string, parsed *Parsed) ([]finding.Finding, []finding.Skipped, error) {
	if aside(module) {
		return nil, nil, nil
	}
	p := &pair{name: module, parsed: parsed}
	var err error
	if p.was, err = read(change.Before(r), module); err != nil || p.was.module == nil {
		return nil, nil, err // what is new breaks nothing
	}
	if p.now, err = read(r, module); err != nil {
		return nil, nil, err
	}
	var out []finding.Finding
	for _, language := range p.languages() {
		broken, err := comparers[language](p)
		if err != nil {
			return nil, nil, err
		}
		t := teller{pair: p, reader: r, was: map[string]version{}, now: map[string]version{}}
		told, err := t.tell(broken)
		if err != nil {
			return nil, nil, err
		}
		out = append(out, told...)
	}
	slices.SortFunc(out, func(a, b finding.Finding) int { return cmp.Or(finding.Compare(a, b), cmp.Compare(a.Symbol, b.Symbol)) })
	return out, p.skipped, nil
}

// languages are those with a file that differs, and that can be compared.
func (p *pair) languages() []string {
	blobs := map[string]string{}
	if p.now.module != nil {
		for _, u := range p.now.module.Module.Units {
			blobs[u.Path] = u.Hash
		}
	}
	var out []string
	for _, u := range p.was.module.Module.Units {
		l := u.File.Language
		if underscored(p.name) && l != "python" { // a Python package may re-export names of a private directory
			continue
		}
		if comparers[l] != nil && !u.File.Test && blobs[u.Path] != u.Hash {
			out = append(out, l)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// asides are directories whose code is not there to be imported by others.
var asides = map[string]bool{
	"test": true, "tests": true, "testdata": true, "example": true, "examples": true, "docs": true, "doc": true, "benchmarks": true,
	"scripts": true, "vendor": true, "vendored": true, "third_party": true, "third-party": true, "thirdparty": true, "3rdparty": true, "bundled": true,
	"node_modules": true, "fixtures": true, "__tests__": true, "e2e": true, "website": true, "demo": true, "demos": true, "playground": true,
}

// aside reports whether a module lies where nobody imports from.
func aside(module string) bool {
	return slices.ContainsFunc(strings.Split(module, "/"), func(dir string) bool {
		return asides[dir] || len(dir) > 1 && dir[0] == '.'
	})
}

// underscored reports whether a module or a directory above it is private by its name.
func underscored(module string) bool {
	return slices.ContainsFunc(strings.Split(module, "/"), func(dir string) bool { return strings.HasPrefix(dir, "_") && dir != "__init__" })
}

// unread reports whether a source of one language cannot be read in a version. Then nothing is known of what it declares.
func (p *pair) unread(v version, language string) bool {
	if v.module == nil {
		return false
	}
	for _, u := range v.module.Module.Units {
		if u.File.Language != language || u.File.Test {
			continue
		}
		if why := cmp.Or(u.Opaque, u.File.Problem); why != "" {
			if v.reader != p.now.reader {
				why = "its old version: " + why
			}
			p.skip(u.Path, why)
			return true
		}
	}
	return false
}

func (p *pair) skip(name, why string) {
	p.skipped = append(p.skipped, finding.Skipped{Path: name, Reason: "its exports were not compared: " + why})
}

// once answers a question one time: many breakages are of one file, and of one type.
func (v version) once(question string, answer func() bool) bool {
	said, known := v.answers[question]
	if !known {
		said = answer()
		v.answers[question] = said
	}
	return said
}

// at is where a declaration stands in a version.
func (v version) at(d *source.Declared) place { return place{d.Path, d.Line} }

// files are the sources of one language in a version, without tests.
func (v version) files(language string) []source.Unit {
	var out []source.Unit
	if v.module == nil {
		return nil
	}
	for _, u := range v.module.Module.Units {
		if u.File.Language == language && !u.File.Test {
			out = append(out, u)
		}
	}
	return out
}

// file finds a source of a version by its path.
func (v version) file(name string) (source.Unit, bool) {
	if v.module == nil {
		return source.Unit{}, false
	}
	i, found := slices.BinarySearchFunc(v.module.Module.Units, name, func(u source.Unit, name string) int { return strings.Compare(u.Path, name) })
	if !found {
		return source.Unit{}, false
	}
	return v.module.Module.Units[i], true
}

// stem is a file's name without directory and endings.
func stem(name string) string {
	s, _, _ := strings.Cut(path.Base(name), ".")
	return s
}
