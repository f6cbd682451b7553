package api

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/review/change"
)

type use struct {
	called    bool
	arguments []string
	assigned  int // variables that get the results; 0 if unknown
	more      int // lines of a call after the first
}

// longestCall limits the lines of a call that are parsed. Real calls have up to twenty.
const longestCall = 200

// hit returns the first line of a caller with a use that breaks, or 0.
func (t *teller) hit(c source.Referred, b *breakage, breaks func(use) bool) (int, error) {
	return t.firstUse(c, b, func(_ int, u use) bool { return breaks(u) })
}

// unadapted returns the line if the change left the use there as it was, else the next such line of the caller, or 0.
func (t *teller) unadapted(c source.Referred, b *breakage, f *change.File, line int) (int, error) {
	edited := f.Lines.Added(line, line)
	next, err := t.firstUse(c, b, func(n int, u use) bool {
		added := f.Lines.Added(n, n+u.more)
		edited = edited || n == line && added
		return n > line && !added
	})
	if edited || err != nil {
		return next, err
	}
	return line, nil
}

// firstUse returns the first line of a caller with a use that fits, or 0.
func (t *teller) firstUse(c source.Referred, b *breakage, fits func(line int, u use) bool) (int, error) {
	v, err := t.after(c.Module)
	if err != nil {
		return 0, err
	}
	u, ok := v.file(c.Path)
	lines, err := v.source(c.Path)
	if !ok || err != nil {
		return 0, err
	}
	names := spellings(u.File, b.called())
	inside := v.rangeOf(c)
	for n := range lines {
		if !inside(n + 1) {
			continue
		}
		for _, name := range names {
			for _, one := range usesIn(lines[n:min(n+longestCall, len(lines))], name, u.File.Language) {
				if fits(n+1, one) {
					return n + 1, nil
				}
			}
		}
	}
	return 0, nil
}

// called returns the name that call sites use. For a constructor it is the name of the class.
func (b *breakage) called() string {
	if b.member != "" {
		return b.member
	}
	name := withoutConstructor(b.declared)
	return name[strings.LastIndexByte(name, '.')+1:]
}

// withoutConstructor returns the class of a constructor, or another name itself.
func withoutConstructor(name string) string {
	if at := strings.LastIndexByte(name, '.'); at >= 0 && source.IsConstructor(name[at+1:]) {
		return name[:at]
	}
	return name
}

func spellings(f source.File, name string) []string {
	out := []string{name}
	for _, i := range f.Imports {
		for _, n := range i.Names {
			if n.Name == name && n.As != "" && !slices.Contains(out, n.As) {
				out = append(out, n.As)
			}
		}
	}
	return out
}

// rangeOf returns a filter for the lines of the referring declaration, or for lines outside of all declarations.
func (v version) rangeOf(c source.Referred) func(line int) bool {
	within := func(d *source.Declared, line int) bool { return d.Path == c.Path && d.Line <= line && line <= d.End }
	if d := v.declared[c.Name]; d != nil && d.Path == c.Path {
		return func(line int) bool { return within(d, line) }
	}
	return func(line int) bool {
		return !slices.ContainsFunc(v.module.Declared, func(d source.Declared) bool { return within(&d, line) })
	}
}

// usesIn returns the uses of a name that begin on the first line. It omits calls that cannot be parsed.
func usesIn(lines []string, name, language string) (uses []use) {
	first := lines[0]
	if text := strings.TrimSpace(first); strings.HasPrefix(text, "#") || strings.HasPrefix(text, "//") || strings.HasPrefix(text, "*") {
		return nil
	}
	anyWord(first, name, func(before, after string) bool {
		if strings.HasSuffix(strings.TrimSpace(before), "def") || strings.HasSuffix(strings.TrimSpace(before), "function") {
			return false
		}
		rest := uncommented(after+"\n"+strings.Join(lines[1:], "\n"), language)
		if open := strings.TrimLeft(rest, " \t"); open != "" && open[0] == compared[language].generic {
			if end := (scanner{"x" + open, true}).skip(1); end > 1 { // type arguments
				rest = open[end-1:]
			}
		}
		rest = strings.TrimLeft(rest, " \t")
		if !strings.HasPrefix(rest, "(") {
			uses = append(uses, use{})
			return false
		}
		if end := (scanner{rest, false}).skip(0); end > 0 {
			if _, list, _, ok := (scanner{rest[:end], false}).list(); ok {
				if n := len(list); n > 0 && list[n-1] == "" { // a trailing comma
					list = list[:n-1]
				}
				uses = append(uses, use{true, list, assignedIn(before), strings.Count(rest[:end], "\n")})
			}
		}
		return false
	})
	return uses
}

var assignment = lazyregexp.New(`^\s*(?:(?:if|switch) )?([\w.]+(?:, [\w.]+)*) :?= [\w.]*$`)

// assignedIn counts the variables that a line assigns the results of a call to.
func assignedIn(before string) int {
	m := assignment.FindStringSubmatch(before)
	if m == nil {
		return 0
	}
	return strings.Count(m[1], ",") + 1
}

func uncommented(text, language string) string {
	indented := source.TraitsOf(language).Indented
	var b strings.Builder
	for i := 0; i < len(text); {
		switch rest := text[i:]; {
		case rest[0] == '"' || rest[0] == '\'' || rest[0] == '`':
			end := scanner{text: text}.quoted(i)
			if end < 0 {
				end = len(text)
			}
			b.WriteString(text[i:end])
			i = end
		case indented && rest[0] == '#', !indented && strings.HasPrefix(rest, "//"):
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			i += n
		case !indented && strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest, "*/")
			if n < 0 {
				n = len(rest) - 2
			}
			i += n + 2
		default:
			b.WriteByte(rest[0])
			i++
		}
	}
	return b.String()
}

// pythonBreaks reports whether a use of a Python function was valid and no longer is.
func pythonBreaks(was, now source.Header) func(use) bool {
	return func(u use) bool {
		before, ok := bind(was, u)
		after, still := bind(now, u)
		if !ok || still && slices.Equal(before, after) {
			return false
		}
		return !still || slices.ContainsFunc(before, func(name string) bool { // a positional argument is now bound to another parameter
			return !slices.Contains(after, name) && slices.ContainsFunc(now.Params, func(p source.Parameter) bool { return p.Name == name })
		}) || len(before) == len(after) && slices.Equal(slices.Sorted(slices.Values(before)), slices.Sorted(slices.Values(after)))
	}
}

var named = lazyregexp.New(`^([A-Za-z_]\w*)\s*=([^=]|$)`)

// bind returns the parameters that a Python call's arguments bind to. ok is false if that fails or is unknown
// (*args).
func bind(s source.Header, u use) (names []string, ok bool) {
	if !u.called {
		return nil, false
	}
	left := slices.Clone(s.Params)
	takes := func(kind source.ParameterKind) bool {
		return slices.ContainsFunc(left, func(p source.Parameter) bool { return p.Kind == kind })
	}
	take := func(fits func(source.Parameter) bool) bool {
		i := slices.IndexFunc(left, fits)
		if i >= 0 {
			names = append(names, left[i].Name)
			left = slices.Delete(left, i, i+1)
		}
		return i >= 0
	}
	for _, a := range u.arguments {
		m := named.FindStringSubmatch(a)
		switch {
		case strings.HasPrefix(a, "*"):
			return nil, false
		case m == nil && !take(func(p source.Parameter) bool { return p.Kind == source.Plain || p.Kind == source.Positional }) && !takes(source.Variadic),
			m != nil && !take(func(p source.Parameter) bool {
				return p.Name == m[1] && (p.Kind == source.Plain || p.Kind == source.KeywordOnly)
			}) && !takes(source.Keywords):
			return nil, false
		}
	}
	return names, !slices.ContainsFunc(left, func(p source.Parameter) bool {
		return !p.Optional && p.Kind != source.Variadic && p.Kind != source.Keywords
	})
}

// ecmaBreaks reports whether a call of a TypeScript function was valid and no longer is: the number of arguments does
// not fit, or an argument certainly has a type that is no longer accepted.
func ecmaBreaks(was, now source.Header) func(use) bool {
	return func(u use) bool {
		if !u.called || slices.ContainsFunc(u.arguments, func(a string) bool { return strings.HasPrefix(a, "...") }) || !counts(was, u) {
			return false
		}
		if !counts(now, u) {
			return true
		}
		for i, a := range u.arguments[:min(len(u.arguments), len(was.Params), len(now.Params))] {
			old, new := was.Params[i], now.Params[i]
			if old.Kind == source.Variadic || new.Kind == source.Variadic || !narrower(new.Type, old.Type) {
				continue
			}
			taken := strings.Split(new.Type, " | ")
			apart := !slices.ContainsFunc(strings.Split(old.Type, " | "), func(t string) bool { return slices.Contains(taken, t) })
			if typ := literalType(a); apart || typ != "" && !slices.Contains(taken, typ) {
				return true
			}
		}
		return false
	}
}

func counts(s source.Header, u use) bool {
	least, most := 0, 0
	for i, p := range s.Params {
		if p.Kind == source.Variadic {
			most = len(u.arguments)
			continue
		}
		most = max(most, i+1)
		if !p.Optional {
			least = i + 1
		}
	}
	return least <= len(u.arguments) && len(u.arguments) <= most
}

func literalType(text string) string {
	switch {
	case text == "true" || text == "false":
		return "boolean"
	case text == "null" || text == "undefined":
		return text
	case !literal.MatchString(text):
		return ""
	case text[0] == '"' || text[0] == '\'':
		return "string"
	}
	return "number"
}
