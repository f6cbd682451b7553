package review

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/grounding"
	"github.com/causaldocs/causal/knowledge/prompt"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review/change"
)

// Limits of a prompt about a change, in bytes unless noted otherwise.
const (
	mostDiff      = 96 << 10
	mostDiffFile  = 32 << 10
	mostRelated   = 24 << 10
	mostKnown     = 8 << 10 // earlier findings and principles
	mostFindings  = 10      // earlier findings
	mostSymbols   = 40      // changed symbols whose callers are looked up
	mostUses      = 6       // per symbol
	mostDocuments = 10
	mostTests     = 30 // files to search
	aroundUse     = 1  // lines before and after a place
)

// Shown is the part of a change that a model sees.
type Shown struct {
	grounding.Shown
	files   map[string]*change.File // by path; a model may quote their new versions
	visible map[string]map[int]bool // lines of the new version in the diff, by path
	all     strings.Builder
	names   []string // known names of the repository
	left    []string // changed files that are not shown, with the reason
}

type shower struct {
	*Shown
	reader survey.Reader
	hidden func(path string) bool
}

// Show collects the material for a model: the diff, code and documents that use the changed symbols, earlier findings
// in the same files, and the principles in force. It omits hidden files.
func (g *Given) Show(r survey.Reader, hidden func(path string) bool) (*Shown, error) {
	s := &shower{&Shown{files: map[string]*change.File{}, visible: map[string]map[int]bool{}}, r, hidden}
	var files []*change.File
	for f, err := range change.All(r) {
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	slices.SortStableFunc(files, func(a, b *change.File) int { return cmp.Compare(rank(a), rank(b)) })
	for _, f := range files {
		s.file(f)
	}
	if len(s.files) == 0 {
		return s.Shown, nil
	}
	if err := s.related(); err != nil {
		return nil, err
	}
	s.known(g)
	if len(s.left) > 0 {
		s.section("Changed files that are not shown", prompt.Data("list", cut(s.left, mostKnown)))
	}
	return s.Shown, nil
}

// rank orders code before documents, and both before third-party code.
func rank(f *change.File) int {
	switch {
	case source.Foreign(f.Path):
		return 2
	case change.IsDocument(f.Path):
		return 1
	}
	return 0
}

// Empty reports whether no part of the change may be shown to a model.
func (s *Shown) Empty() bool { return len(s.files) == 0 }

func (s *shower) section(title, text string) {
	if text != "" {
		fmt.Fprintf(&s.all, "%s:\n%s\n", title, text)
	}
}

func (s *shower) file(f *change.File) {
	why := ""
	switch {
	case s.hidden(f.Path) || f.Was != "" && s.hidden(f.Was):
		return // not even the name of a hidden file is shown
	case f.Unread != "":
		why = f.Unread
	case source.Foreign(f.Path):
		why = "is not the project's own"
	case s.all.Len() >= mostDiff:
		why = "the change is too large"
	}
	if why != "" {
		s.left = append(s.left, f.Path+" "+why)
		return
	}
	title := "Diff of " + f.Path
	switch {
	case f.Gone:
		title += " (removed)"
	case f.Was == "":
		title += " (new)"
	case f.Was != f.Path:
		title += " (renamed from " + f.Was + ")"
	}
	s.files[f.Path] = f
	if f.Gone {
		s.all.WriteString(prompt.Data(title, fmt.Sprintf("%d lines", len(change.Split(f.Before)))))
		return
	}
	s.all.WriteString(prompt.Data(title, s.diff(f, min(mostDiffFile, mostDiff-s.all.Len()))))
}

// diff returns as many whole lines of a file's diff as fit: the sign, the line number in its version, a tab and the
// text.
func (s *shower) diff(f *change.File, most int) string {
	before, after := change.Split(f.Before), change.Split(f.After)
	s.visible[f.Path] = map[int]bool{}
	var out strings.Builder
	show := func(sign string, number int, line string) bool {
		text := fmt.Sprintf("%s%d\t%s\n", sign, number, strings.ToValidUTF8(line, "\ufffd"))
		if out.Len()+len(text) > most {
			out.WriteString("… cut here\n")
			return false
		}
		out.WriteString(text)
		if sign != "-" {
			s.visible[f.Path][number] = true
			s.AddLines(f.Path, number, []string{line})
		}
		return true
	}
	for _, h := range f.Lines.Hunks() {
		out.WriteString("@@\n")
		for was, now := h.First, h.NowFirst; was < h.End || now < h.NowEnd; {
			var more bool
			if same, ok := f.Lines.Was(now); now < h.NowEnd && ok && same == was {
				more = show(" ", now, after[now-1])
				was, now = was+1, now+1
			} else if _, stays := f.Lines.Now(was); was < h.End && !stays {
				more = show("-", was, before[was-1])
				was++
			} else {
				more = show("+", now, after[now-1])
				now++
			}
			if !more {
				return out.String()
			}
		}
	}
	return out.String()
}

type changedSymbol struct{ module, name string }

func (s *shower) symbols() (out []changedSymbol, err error) {
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		f := s.files[name]
		edits := f.Lines.Edits()
		touched := func(version survey.Reader, file string, differs func(d source.Declared) bool) error {
			module, err := survey.Find(version, path.Dir(file))
			if module == nil {
				return err
			}
			for _, d := range module.Declared {
				one := changedSymbol{path.Dir(file), d.Name}
				if d.Path == file && differs(d) && !slices.Contains(out, one) && len(out) < mostSymbols {
					out = append(out, one)
				}
			}
			return nil
		}
		if !f.Gone {
			err = touched(s.reader, f.Path, func(d source.Declared) bool {
				return slices.ContainsFunc(edits, func(e change.Edit) bool { return e.NowFirst <= d.End && max(e.NowEnd, e.NowFirst+1) > d.Line })
			})
		}
		if err == nil && f.Was != "" {
			err = touched(change.Before(s.reader), f.Was, func(d source.Declared) bool {
				return slices.ContainsFunc(edits, func(e change.Edit) bool { return e.First <= d.Line && e.End > d.Line })
			})
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s *shower) related() error {
	symbols, err := s.symbols()
	if err != nil {
		return err
	}
	places := map[string]map[int]bool{}
	byModule := map[string][]string{} // words by module
	for _, symbol := range symbols {
		s.names = append(s.names, symbol.name, path.Base(symbol.module)+"."+symbol.name)
		if word := symbol.name[strings.LastIndexAny(symbol.name, ".:")+1:]; len(word) > 3 {
			byModule[symbol.module] = append(byModule[symbol.module], word)
		}
		callers, err := survey.CallersOf(s.reader, symbol.module, symbol.name)
		if err != nil {
			return err
		}
		shown := 0
		for _, c := range callers {
			if shown < mostUses && c.Certain && !c.Outside && s.use(places, c.Path, c.Line) {
				shown++
			}
		}
	}
	s.AddNames(s.names...)
	if err := s.tests(places, byModule); err != nil {
		return err
	}
	documents, err := change.DocumentsNaming(s.reader, slices.Concat(slices.Collect(maps.Values(byModule))...))
	if err != nil {
		return err
	}
	for _, doc := range documents[:min(len(documents), mostDocuments)] {
		if err := s.naming(places, doc.Path, doc.Words); err != nil {
			return err
		}
	}
	return s.places(places)
}

func (s *shower) use(places map[string]map[int]bool, file string, line int) bool {
	if s.hidden(file) || source.Foreign(file) || s.visible[file][line] || line < 1 {
		return false
	}
	if places[file] == nil {
		places[file] = map[int]bool{}
	}
	places[file][line] = true
	return true
}

func (s *shower) tests(places map[string]map[int]bool, byModule map[string][]string) error {
	files := 0
	for _, module := range slices.Sorted(maps.Keys(byModule)) {
		importers, err := survey.ImportersOf(s.reader, module)
		if err != nil {
			return err
		}
		for _, m := range slices.Concat([]string{module}, importers.Tests, importers.Code) {
			in, err := survey.Find(s.reader, m)
			if err != nil {
				return err
			}
			if in == nil {
				continue
			}
			for _, u := range in.Units() {
				if !u.File.Test || files >= mostTests {
					continue
				}
				files++
				if err := s.naming(places, u.Path, byModule[module]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (s *shower) naming(places map[string]map[int]bool, file string, words []string) error {
	if s.hidden(file) {
		return nil
	}
	content, err := survey.Blob(s.reader, file)
	if err != nil {
		return err
	}
	shown := 0
	for i, line := range change.Split(content) {
		names := slices.ContainsFunc(words, func(word string) bool { return grounding.HasWord(line, word) })
		if names && shown < mostUses && s.use(places, file, i+1) {
			shown++
		}
	}
	return nil
}

func (s *shower) places(places map[string]map[int]bool) error {
	var all strings.Builder
	for _, file := range slices.Sorted(maps.Keys(places)) {
		content, err := survey.Blob(s.reader, file)
		if err != nil {
			return err
		}
		lines, around := change.Split(content), map[int]bool{}
		for n := range places[file] {
			for near := max(n-aroundUse, 1); near <= min(n+aroundUse, len(lines)); near++ {
				around[near] = true
			}
		}
		var text strings.Builder
		for _, n := range slices.Sorted(maps.Keys(around)) {
			text.WriteString(prompt.Numbered(n, lines[n-1:n]))
		}
		block := prompt.Data(file, strings.ToValidUTF8(text.String(), "\ufffd"))
		if text.Len() == 0 || all.Len()+len(block) > mostRelated {
			continue
		}
		for n := range around {
			s.AddLines(file, n, lines[n-1:n])
		}
		all.WriteString(block)
	}
	s.section("Code, tests and documents that use the changed symbols", all.String())
	return nil
}

func (s *shower) known(g *Given) {
	var paths, before, rules []string
	for name, f := range s.files {
		paths = append(paths, name, f.Was)
	}
	for _, e := range g.Memory.Earlier(paths, mostFindings) {
		what := fmt.Sprintf("%s in %s: %s %s was flagged", e.Path, e.Key, e.Rule, e.Symbol)
		if e.FixedBy != "" {
			what += " and fixed"
		}
		before = append(before, what+": "+e.Message)
	}
	for _, p := range g.force.All() {
		rules = append(rules, p.Slug+": "+p.Rule+" "+p.Why)
	}
	if len(before) > 0 {
		s.section("Findings of earlier reviews of these files", prompt.Data("findings", cut(before, mostKnown)))
	}
	if len(rules) > 0 {
		s.section("Principles of this repository", prompt.Data("principles", cut(rules, mostKnown)))
	}
}

func cut(lines []string, most int) string {
	var b strings.Builder
	for _, line := range lines {
		if b.Len()+len(line) >= most {
			b.WriteString("…\n")
			break
		}
		b.WriteString(line + "\n")
	}
	return strings.ToValidUTF8(b.String(), "\ufffd")
}
