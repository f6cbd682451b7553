// Package api finds incompatible changes of a module's exports. It reports only certain breakages.
//
// It compares Go by types, built from both versions' source alone, and other languages by signatures.
package api

import (
	"cmp"
	"iter"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review/change"
	"github.com/causaldocs/causal/review/finding"
)

// Rule is the rule of this package's findings.
const Rule = "api-break"

var vocabulary = condition.NewVocabulary(survey.Words...)

type place struct {
	path string
	line int
}

// breakage is one incompatible change of an export.
type breakage struct {
	symbol   string // for the message: "Quote.Price"
	declared string // the declaration, or the one around it, as the survey names it: "Quote"; empty if all is set
	member   string // a member that the survey does not list separately: "Price"
	kind     string // of change: "parameter removed"
	text     string // of the message, after the symbol
	was, now place
	// all lists the declarations that were removed together.
	all []string
	// structural is set if types implement the declaration by having its methods. Those that no longer do are affected.
	structural bool
	// implementers is set if the breakage affects only code that implements or extends the declaration.
	implementers bool
	// unplaced is set if code that names the declaration may still be valid.
	unplaced bool
	// breaks reports whether a use of the function no longer works. It is nil if every use works.
	breaks func(use) bool
	// proof reports whether a use certainly fails, for code whose users are all known. It is nil if every use fails.
	proof func(use) bool
	// inner is set for code that is not meant for other repositories. It is reported only if this repository uses it.
	inner bool
	// early is set if the API promises no compatibility, as before 1.0.
	early bool
}

// manyMethods is the size from which an interface counts as never implemented by hand: implementations embed it or
// are generated, and gain new methods automatically.
const manyMethods = 20

// version is a module in the old or the new version of the repository.
type version struct {
	reader   survey.Reader
	module   *survey.Module // nil if the module does not exist
	declared map[string]*source.Declared
	texts    map[string][]string        // lines by path, loaded on demand
	answers  map[string]bool            // by question
	words    map[string]map[string]bool // of texts, by key
}

func read(r survey.Reader, module string) (version, error) {
	m, err := survey.Find(r, module)
	v := version{
		reader: r, module: m, declared: map[string]*source.Declared{}, texts: map[string][]string{}, answers: map[string]bool{}, words: map[string]map[string]bool{},
	}
	if m == nil {
		return v, err
	}
	for i := range m.Declared {
		v.declared[m.Declared[i].Name] = &m.Declared[i]
	}
	return v, nil
}

type pair struct {
	name     string
	was, now version
	parsed   *Parsed
	skipped  []finding.Skipped
	lines    map[string]*callLines // of changed files, computed on demand
}

// Breaks finds the incompatible changes of a module's exports, each with the places of other modules that it affects.
// It also returns the files that it could not compare. It reuses and extends parsed for the run's other modules.
func Breaks(r survey.Reader, module string, parsed *Parsed) ([]finding.Finding, []finding.Skipped, error) {
	if aside(module) {
		return nil, nil, nil
	}
	p := &pair{name: module, parsed: parsed}
	var err error
	if p.was, err = read(change.Before(r), module); err != nil || p.was.module == nil {
		return nil, nil, err // a new module breaks nothing
	}
	if p.now, err = read(r, module); err != nil {
		return nil, nil, err
	}
	var out []finding.Finding
	for _, language := range p.languages() {
		if !compared[language].checks && (p.unread(p.was, language) || p.unread(p.now, language)) {
			continue
		}
		broken, err := compared[language].compare(p, language)
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
		if underscored(p.name) && !compared[l].underscored {
			continue
		}
		if compared[l].compare != nil && !u.File.Test && blobs[u.Path] != u.Hash {
			out = append(out, l)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// asides are directories whose code other code does not import.
var asides = lazy.Set(`test tests testdata example examples docs doc benchmarks scripts vendor vendored third_party third-party
	thirdparty 3rdparty bundled node_modules fixtures __tests__ e2e website demo demos playground`)

func aside(module string) bool {
	return slices.ContainsFunc(strings.Split(module, "/"), func(dir string) bool {
		return asides[dir] || len(dir) > 1 && dir[0] == '.'
	})
}

func underscored(module string) bool {
	return slices.ContainsFunc(strings.Split(module, "/"), func(dir string) bool { return strings.HasPrefix(dir, "_") && !source.IsHead(dir) })
}

// unread reports whether a source of one language is unreadable in a version. Its declarations are then unknown.
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

// once caches answers: many breakages are in the same file or type.
func (v version) once(question string, answer func() bool) bool {
	said, known := v.answers[question]
	if !known {
		said = answer()
		v.answers[question] = said
	}
	return said
}

// wordsOf caches the words of a text, for which many names are looked up.
func (v version) wordsOf(key string, lines iter.Seq[string]) map[string]bool {
	words, known := v.words[key]
	if !known {
		words = wordsIn(lines)
		v.words[key] = words
	}
	return words
}

func wordsIn(texts iter.Seq[string]) map[string]bool {
	words := map[string]bool{}
	for text := range texts {
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r < unicode.MaxASCII && !change.IsWord(byte(r)) }) {
			words[word] = true
		}
	}
	return words
}

func (v version) at(d *source.Declared) place { return place{d.Path, d.Line} }

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

func stem(name string) string {
	s, _, _ := strings.Cut(path.Base(name), ".")
	return s
}
