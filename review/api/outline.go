package api

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review/change"
)

// comparer collects the breakages of one language.
type comparer struct {
	*pair

	broken []breakage
}

func (c *comparer) add(b breakage) { c.broken = append(c.broken, b) }

func (c *comparer) tell(was, now *source.Declared, kind, text string) {
	c.add(c.changedAt(was, now, 0, kind, text))
}

// may adds a breakage of code that looks like valid code.
func (c *comparer) may(was, now *source.Declared, kind, text string) {
	b := c.changedAt(was, now, 0, kind, text)
	b.unplaced = true
	c.add(b)
}

func (c *comparer) member(was, now *source.Declared, member, kind, text string) {
	b := c.changedAt(was, now, 0, kind, text)
	b.symbol, b.member = was.Name+"."+member, member
	c.add(b)
}

// recalled adds a breakage of calls, unless kind is "".
func (c *comparer) recalled(was, now *source.Declared, kind, text string, breaks func(use) bool) {
	if kind != "" {
		b := c.changedAt(was, now, 0, kind, text)
		b.breaks = breaks
		c.add(b)
	}
}

func (p *pair) changedAt(was, now *source.Declared, line int, kind, text string) breakage {
	b := breakage{symbol: was.Name, declared: was.Name, kind: kind, text: text, was: p.was.at(was), now: p.now.at(now), inner: p.inner(was)}
	if line > 0 {
		b.now.line = line
	}
	return b
}

func last(d *source.Declared) string {
	return d.Symbol.Name[strings.LastIndexByte(d.Symbol.Name, '.')+1:]
}

func (v version) source(name string) ([]string, error) {
	if lines, ok := v.texts[name]; ok {
		return lines, nil
	}
	text, err := survey.Blob(v.reader, name)
	if err != nil {
		return nil, err
	}
	v.texts[name] = change.Split(text)
	return v.texts[name], nil
}

// nameLine returns the line with the declaration's name, after any attributes.
func (v version) nameLine(d *source.Declared) (int, error) {
	lines, err := v.source(d.Path)
	if err != nil {
		return 0, err
	}
	name := last(d)
	for n := d.Line; n <= min(d.End, len(lines)); n++ {
		if hasWord(lines[n-1], name) && !strings.HasPrefix(strings.TrimSpace(lines[n-1]), "@") {
			return n, nil
		}
	}
	return d.Line, nil
}

// removedLine returns an old line of a name's declarations that the new version lacks, or else the first line.
func (p *pair) removedLine(d *source.Declared) (int, error) {
	return p.differingLine(p.was, d, func(l *callLines) map[string]int { return l.removed })
}

// writtenLine returns a new line of a name's declarations that the old version lacks, or else the first line.
func (p *pair) writtenLine(d *source.Declared) (int, error) {
	return p.differingLine(p.now, d, func(l *callLines) map[string]int { return l.written })
}

func (p *pair) differingLine(in version, d *source.Declared, of func(*callLines) map[string]int) (int, error) {
	first, err := in.nameLine(d)
	if err != nil {
		return 0, err
	}
	lines, err := p.linesOf(d.Path)
	if err != nil || lines == nil || !has(of(lines), last(d)) {
		return first, err
	}
	return of(lines)[last(d)], nil
}

// callLines maps each name before a parenthesis to its first line among the removed and the added lines.
type callLines struct{ removed, written map[string]int }

func (p *pair) linesOf(file string) (*callLines, error) {
	if l, ok := p.lines[file]; ok {
		return l, nil
	}
	f, err := change.FileOf(p.now.reader, file)
	if err != nil {
		return nil, err
	}
	var l *callLines
	if f != nil && f.Was == file {
		l = &callLines{called(change.Split(f.Before), f.Lines.Now), called(change.Split(f.After), f.Lines.Was)}
	}
	if p.lines == nil {
		p.lines = map[string]*callLines{}
	}
	p.lines[file] = l
	return l, nil
}

var comments = []string{"//", "*", "/*"}

// beforeBracket matches a name before a parenthesis, with what makes it a call.
var beforeBracket = lazyregexp.New(`(\b(?:new|return)\s+|\.\s*)?([A-Za-z_$][A-Za-z0-9_$]*)\s*\(`)

// called returns the first line of each name before a parenthesis, among lines that the other version lacks. Clear calls do not count.
func called(lines []string, other func(line int) (int, bool)) map[string]int {
	out := map[string]int{}
	for n, line := range lines {
		text := strings.TrimSpace(line)
		if _, stays := other(n + 1); stays || slices.ContainsFunc(comments, func(c string) bool { return strings.HasPrefix(text, c) }) {
			continue
		}
		for _, m := range beforeBracket.FindAllStringSubmatch(text, -1) {
			if m[1] == "" && !has(out, m[2]) {
				out[m[2]] = n + 1
			}
		}
	}
	return out
}

// literal matches comparable values of constants: a number, a string or a boolean.
var literal = lazyregexp.New(`^(?:-?[0-9][0-9a-zA-Z_.]*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|true|false)$`)

// Version numbers are meant to change.
var versionName = lazyregexp.New(`(?i)version|serialVersionUID|revision|release|(^|_)(major|minor|patch|date)(_|$)`)

// revalued reports whether the literal value of a constant changed. Messages of several words do not count.
func revalued(name, was, now string) bool {
	if versionName.MatchString(name) || strings.ContainsAny(was+now, " \\") || !literal.MatchString(was) || !literal.MatchString(now) {
		return false
	}
	return plainValue(was) != plainValue(now)
}

func plainValue(s string) string {
	number := strings.TrimRight(strings.ReplaceAll(s, "_", ""), "uUlLfFdD")
	if n, err := strconv.ParseInt(number, 0, 64); err == nil {
		return strconv.FormatInt(n, 10)
	}
	if n, err := strconv.ParseFloat(number, 64); err == nil {
		return strconv.FormatFloat(n, 'g', -1, 64)
	}
	return s
}

// isOpen reports whether a type may leave a required member to the types that extend it.
func isOpen(d *source.Declared) bool {
	h, _ := header(d)
	return d.Kind == source.Interface || d.Kind == source.Trait || h.Is("abstract")
}

// mostBases limits the chain of base types that is searched.
const mostBases = 16

// lacks reports whether neither a type nor its bases have a required member. A base that is not found may have it.
func (t *teller) lacks(module string, d *source.Declared, b *breakage, kin []source.Implementer, depth int) (bool, error) {
	lines, err := t.pair.now.source(d.Path)
	if err != nil || depth > mostBases || slices.ContainsFunc(lines, func(line string) bool { return hasWord(line, b.member) }) {
		return false, err
	}
	h, _ := header(d)
	for _, base := range h.Bases {
		base = withoutArguments(base)
		base = base[strings.LastIndexAny(base, ".:")+1:]
		if _, known := javaBare[base]; known || base == b.declared[strings.LastIndexByte(b.declared, '.')+1:] {
			continue
		}
		from, known, err := t.baseOf(module, base, kin)
		if err != nil || known == nil {
			return false, err
		}
		if lacks, err := t.lacks(from, known, b, kin, depth+1); err != nil || !lacks {
			return false, err
		}
	}
	return true, nil
}

// baseOf finds a base by its name: in the module of the type, or else among the types that implement the same one.
func (t *teller) baseOf(module, name string, kin []source.Implementer) (string, *source.Declared, error) {
	d, err := t.declaration(module, name)
	for _, k := range kin {
		if err != nil || d != nil {
			break
		}
		if k.Name[strings.LastIndexByte(k.Name, '.')+1:] == name {
			module = k.Module
			d, err = t.declaration(k.Module, k.Name)
		}
	}
	return module, d, err
}

// header returns the only declaration of a name. It returns false if there are several or none could be read.
func header(d *source.Declared) (source.Header, bool) {
	list := d.Headers()
	if len(list) > 1 { // ignore forward declarations
		list = slices.DeleteFunc(list, func(h source.Header) bool { return len(h.Members) == 0 && !h.Partial && h.Value == "" })
	}
	if len(list) != 1 {
		return source.Header{}, false
	}
	return list[0], true
}

func memberNames(h source.Header) (out []string) {
	for _, m := range h.Members {
		out = append(out, m.Name)
	}
	return out
}

func membersOf(h source.Header) map[string]source.Parameter {
	out := map[string]source.Parameter{}
	for _, m := range h.Members {
		out[m.Name] = m
	}
	return out
}

// missing lists the members of a header that another one lacks.
func missing(h, from source.Header) []string {
	there := membersOf(from)
	return slices.DeleteFunc(memberNames(h), func(name string) bool { _, ok := there[name]; return ok })
}

func lostEntries(was, now *source.Declared) []string {
	if was.Kind != source.Enum || now.Kind != source.Enum {
		return nil
	}
	old, _ := header(was)
	is, _ := header(now)
	return missing(old, is)
}

func has(at map[string]int, name string) bool {
	_, ok := at[name]
	return ok
}

// early matches versions before 1.0 and prereleases, except placeholders such as 0.0.0.
var early = lazyregexp.New(`^v?0\.([1-9]|\d+\.[1-9])|^v?\d+\.\d+\.\d+-(alpha|beta|rc|next|canary|dev|pre)`)

func nearest(r survey.Reader, dir, base string) (name string, text []byte, err error) {
	for at := dir; ; at = path.Dir(at) {
		name = path.Join(at, base)
		if text, err = survey.Blob(r, name); err != nil || text != nil || at == "." {
			return name, text, err
		}
	}
}
