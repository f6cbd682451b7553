package survey

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

const (
	// mostCallers limits how many other modules are searched for calls, for examples and tests each.
	mostCallers   = 6
	mostCallFiles = 40
	mostCallBytes = 1 << 20
	mostUses      = 4096
)

// calls finds the shortest calls in the project's own examples, then in tests, for symbols that have no other
// example.
func (x *exhibition) calls(ctx context.Context) error {
	missing := map[string]bool{}
	for i := range x.wanted {
		if _, ok := x.found[i]; !ok && x.known.Declared[i].Kind != source.Interface && x.known.Declared[i].Kind != source.Trait {
			missing[lastOf(x.known.Declared[i].Name)] = true
		}
	}
	if len(missing) == 0 {
		return nil
	}
	importers := x.survey.importer()[x.known.Module.Path]
	examples := slices.DeleteFunc(slices.Concat(importers.Code, importers.Tests), func(m string) bool { return !source.IsExampleDir(m) })
	tests := slices.DeleteFunc(slices.Clone(importers.Tests), func(m string) bool { return source.IsExampleDir(m) || m == x.known.Module.Path })
	own := []string{x.known.Module.Path}
	if err := x.callsIn(ctx, x.nearest(examples), func(u *source.Unit) bool { return true }, missing); err != nil {
		return err
	}
	if source.TraitsOf(x.known.Module.Language()).Examples { // other tests show none
		return nil
	}
	isTest := func(u *source.Unit) bool { return u.File.Test }
	if slices.ContainsFunc(x.known.Module.Units, func(u source.Unit) bool { return u.File.Test }) {
		return x.callsIn(ctx, own, isTest, missing)
	}
	return x.callsIn(ctx, x.nearest(tests), isTest, missing)
}

func (x *exhibition) nearest(modules []string) []string {
	slices.Sort(modules)
	modules = slices.Compact(modules)
	common := func(m string) int {
		n := 0
		for n < len(m) && n < len(x.known.Module.Path) && m[n] == x.known.Module.Path[n] {
			n++
		}
		return n
	}
	slices.SortStableFunc(modules, func(a, b string) int { return common(b) - common(a) })
	return modules[:min(len(modules), mostCallers)]
}

func (x *exhibition) callsIn(ctx context.Context, modules []string, look func(u *source.Unit) bool, missing map[string]bool) error {
	s := x.survey
	best := map[int]call{}
	files, room := mostCallFiles, mostCallBytes
	for _, m := range modules {
		known := s.known[m]
		k, err := s.know(ctx, m)
		if err == nil {
			err = s.resolve(ctx, []string{m})
		}
		if err != nil {
			return err
		}
		for i := range k.Module.Units {
			u := &k.Module.Units[i]
			if u.Opaque != "" || files == 0 || room < 0 || source.Kin(u.File.Language) != source.Kin(x.known.Module.Language()) || !look(u) || !x.outlook().Looks(u) {
				continue
			}
			content, err := s.content(ctx, u.Path, u.Hash)
			if err != nil {
				return err
			}
			files--
			room -= len(content)
			if mentionsOne(content, missing) {
				x.callsOf(ctx, u, string(content), best)
			}
		}
		if known == nil {
			delete(s.known, m) // nothing else uses it
		}
	}
	for i, c := range best {
		x.found[i] = c.Example
	}
	return ctx.Err()
}

func mentionsOne(text []byte, wanted map[string]bool) bool {
	for i := 0; i < len(text); {
		if !isWord(text[i]) {
			i++
			continue
		}
		start := i
		for i < len(text) && isWord(text[i]) {
			i++
		}
		if i < len(text) && strings.IndexByte("({:<!", text[i]) >= 0 && wanted[string(text[start:i])] {
			return true
		}
	}
	return false
}

// call is an example with its rank: fewer names to look up are better, then shorter code.
type call struct {
	Example
	unknown int
}

func (c call) compare(other call) int {
	return cmp.Or(c.cost()-other.cost(), strings.Compare(c.Path, other.Path), c.Line-other.Line)
}

// lookedUp is the cost, in bytes of code, of a name that a reader has to look up.
const lookedUp = 20

func (c call) cost() int { return c.unknown*lookedUp + len(c.Code) }

// callsOf finds the calls in one file. It reads the file again because bodies of tests are not remembered.
func (x *exhibition) callsOf(ctx context.Context, u *source.Unit, content string, best map[int]call) {
	l := x.survey.reader(u.File.Language)
	if l == nil {
		return
	}
	content = strings.ReplaceAll(content, "\r\n", "\n")
	f, err := source.Extract(ctx, l, path.Join("examples", "calls"+path.Ext(u.Path)), []byte(content))
	if err != nil {
		return // cannot determine its calls
	}
	f = naming(f)
	var statements *source.Statements
	type use struct{ declared, line int }
	looked := map[use]bool{}
	for _, seen := range x.outlook().Names(&source.Unit{Path: u.Path, File: f}) {
		_, wanted := x.wanted[seen.Declared]
		if _, has := x.found[seen.Declared]; !wanted || has {
			continue
		}
		if statements == nil {
			statements = source.NewStatements(content, u.File.Language)
		}
		for _, line := range append([]int{seen.Line}, statements.Again(seen.Name, seen.Line, seen.End)...) {
			if at := (use{seen.Declared, line}); !looked[at] && len(looked) < mostUses {
				looked[at] = true
				x.callAt(statements, seen, line, u, best)
			}
		}
	}
}

func (x *exhibition) callAt(statements *source.Statements, seen source.Seen, line int, u *source.Unit, best map[int]call) {
	code, from, to, ok := statements.At(line)
	if !ok || !x.shows(seen.Declared, seen.Reference, code) || !tells(code, lastOf(seen.Name)) {
		return
	}
	c := call{Example{x.known.Declared[seen.Declared].Name, u.File.Language, u.Path, code, from, to}, unknownIn(code)}
	if was, ok := best[seen.Declared]; c.unknown <= mostUnknown && (!ok || c.compare(was) < 0) {
		best[seen.Declared] = c
	}
}

const mostUnknown = 3

// literals matches strings and numbers; values matches names that stand for a value, with their context.
var (
	literals = lazyregexp.New(`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|` + "`[^`]*`" + `|\b\d[\w.]*`)
	values   = lazyregexp.New(`(?:\.|::)?\s*[\pL_$][\pL\d_$]*\s*[(:=!{.\[<]?`)
)

// tells reports whether a statement says more than the signature: it has arguments, and at least one literal.
func tells(code, name string) bool {
	at := strings.Index(code, name)
	return at >= 0 && !strings.HasPrefix(code[at+len(name):], "()") && literals.MatchString(code[at+len(name):])
}

var knownWords = lazy.Set(`true false True False nil None null undefined self this new let const var await not in is and or lambda
	assert mut int char err final auto void static as`)

func unknownIn(code string) int {
	seen := map[string]bool{}
	for _, word := range values.FindAllString(literals.ReplaceAllString(code, "0"), -1) {
		if name := strings.TrimSpace(word); name[0] != '.' && name[0] != ':' && (isWord(name[len(name)-1]) || name[len(name)-1] == '$') && !knownWords[name] {
			seen[name] = true
		}
	}
	return len(seen)
}
