package cfamily

import (
	"cmp"
	"encoding/binary"
	"regexp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// maxValue is the longest value of a constant or macro that a signature shows, in bytes.
const maxValue = 80

// builder turns entries into symbols.
type builder struct {
	*outline
	docs   *docs
	hasher *source.Hasher
}

func (b *builder) symbols() []source.Symbol {
	list := make([]source.Symbol, 0, len(b.found))
	for _, e := range b.found {
		list = append(list, b.symbol(e))
	}
	b.join(list)
	pool(list)
	list = source.MergeSymbols(list)
	slices.SortStableFunc(list, func(x, y source.Symbol) int { return cmp.Compare(x.Line, y.Line) })
	return list
}

// pool gives the references of all symbols of a name to the first: merging them one by one takes time that grows
// with the square of their number.
func pool(list []source.Symbol) {
	first := make(map[string]int, len(list))
	var more []int
	for i := range list {
		j, ok := first[list[i].Name]
		if !ok {
			first[list[i].Name] = i
			continue
		}
		more = append(more, j)
		list[j].Refs = append(list[j].Refs, list[i].Refs...)
		list[i].Refs = nil
	}
	slices.Sort(more)
	for _, j := range slices.Compact(more) {
		slices.Sort(list[j].Refs)
		list[j].Refs = slices.Compact(list[j].Refs)
	}
}

func (b *builder) symbol(e entry) source.Symbol {
	if e.macro > 0 {
		return b.macroSymbol(e)
	}
	first, last := b.tokens[e.start], b.tokens[e.end-1]
	s := source.Symbol{Name: valid(e.name), Kind: e.kind, Exported: e.exported, Line: int(first.line), End: b.lastLine(e),
		Signature: b.signature(e)}
	s.Doc = b.docs.before(int32(e.start), b.directivesBefore(int32(e.start)), first.line)
	if s.Doc == "" {
		end := e.end
		if b.is(end, ';') || b.is(end, ',') {
			last = b.tokens[end]
			end++
		}
		s.Doc = b.docs.behind(int32(end), last.line)
	}
	refs := refs{outline: b.outline}
	b.hasher.Reset()
	b.conditions(first.branch)
	b.hasher.Add(string(e.around))
	for _, list := range [][]span{e.shown, e.visible, {e.value}} {
		for _, part := range list {
			b.digest(part)
			if e.kind != source.Enum {
				refs.add(part)
			}
		}
	}
	for _, f := range e.fields {
		if e.kind == source.Enum {
			refs.add(span{f.at.from + 1, f.at.to})
			continue
		}
		b.hasher.Add(f.access)
		b.digest(f.at)
		refs.add(f.at)
	}
	s.Interface = b.hasher.Sum()
	s.Refs = refs.sorted(e.name)
	b.hasher.Reset()
	b.hasher.Add(s.Doc)
	b.digest(span{e.start, e.end})
	s.Content = b.hasher.Sum()
	s.Deprecated = deprecated(s.Doc, s.Signature)
	return s
}

// lastLine is the line on which the entry ends, its semicolon included.
func (b *builder) lastLine(e entry) int {
	last := b.tokens[e.end-1]
	if b.is(e.end, ';') {
		last = b.tokens[e.end]
	}
	return int(last.line)
}

func (b *builder) directivesBefore(at int32) int32 {
	n, _ := slices.BinarySearchFunc(b.directives, at+1, func(d directive, at int32) int { return cmp.Compare(d.at, at) })
	return int32(n)
}

// digest adds the canonical bytes of a stretch of tokens.
func (b *builder) digest(s span) {
	if s.to > s.from {
		b.hasher.AddBytes(b.canonical(s))
	}
}

// canonical are the canonical bytes of a stretch of tokens, with the directives inside of it.
func (f *file) canonical(s span) []byte {
	from, last := f.tokens[s.from].canon, f.tokens[s.to-1].canon
	length, width := binary.Uvarint(f.canon[last:])
	return f.canon[from : int(last)+width+int(length)]
}

// maxConditions bounds how many conditionals around a declaration count.
const maxConditions = 32

// conditions adds the conditionals that a declaration stands in: they decide whether it exists.
func (b *builder) conditions(branch int32) {
	for n := 0; branch > 0 && n < maxConditions; n++ {
		c := b.branches[branch]
		if !c.guard && !c.cplusplus {
			b.hasher.AddBytes(b.canon[c.from:c.to])
			if c.negated {
				b.hasher.Add("else")
			}
		}
		branch = c.parent
	}
}

// signature renders an entry: attributes and template headers first, members one a line.
func (b *builder) signature(e entry) string {
	shown := e.shown
	var head strings.Builder
	for len(shown) > 0 && b.is(shown[0].from, '[') && b.is(shown[0].from+1, '[') {
		end := b.after(shown[0].from)
		head.WriteString(b.render(span{shown[0].from, end}) + "\n")
		shown = slices.Concat([]span{{end, shown[0].to}}, shown[1:])
	}
	if len(shown) > 0 && b.word(shown[0].from, kwExtern) && !(shown[0].from+1 < len(b.tokens) && b.tokens[shown[0].from+1].kind == text) {
		shown = slices.Concat([]span{{shown[0].from + 1, shown[0].to}}, shown[1:])
	}
	head.WriteString(b.render(shown...))
	if e.value.to > e.value.from {
		if value := b.render(e.value); len(value) <= maxValue {
			head.WriteString(" " + value)
		}
	}
	if e.brace > 0 {
		b.members(&head, e)
	}
	return strings.TrimSpace(head.String())
}

func (b *builder) members(out *strings.Builder, e entry) {
	if len(e.fields) > 0 {
		out.WriteString(" {\n")
		label := ""
		for _, f := range e.fields {
			if f.silent {
				continue
			}
			if e.kind == source.Class && f.access != label {
				label = f.access
				out.WriteString(label + ":\n")
			}
			end := ";\n"
			if e.kind == source.Enum {
				end = ",\n"
			}
			out.WriteString("    " + b.render(f.at) + end)
		}
		out.WriteString("}")
	}
	if tail := b.after(e.brace); b.word(e.shown[0].from, kwTypedef) && tail < e.end {
		out.WriteString(" " + b.render(span{tail, e.end}))
	}
}

func (b *builder) render(spans ...span) string {
	angles := map[int]bool(nil)
	for _, s := range spans {
		for i := s.from; i < s.to; i++ {
			if b.is(i, '<') && angles == nil {
				angles = b.angles(s.from, s.to)
			}
		}
	}
	return render(b.file, angles, false, spans)
}

// join makes one of a function's declaration and its definition, which may differ in the names of parameters, in
// default values and in specifiers. Both get the fuller signature, and the interface that goes with it.
func (b *builder) join(list []source.Symbol) {
	type id struct{ name, key string }
	seen := map[id]int{}
	for i := range list {
		e := b.found[i]
		if !e.function {
			continue
		}
		k := id{e.name, e.key}
		j, ok := seen[k]
		if !ok {
			seen[k] = i
			continue
		}
		if b.found[j].definition && e.definition {
			continue
		}
		x, y := &list[j], &list[i]
		full, other := x, y
		if b.found[j].qualified == e.qualified && len(y.Signature) > len(x.Signature) || b.found[j].qualified && !e.qualified {
			full, other = y, x
		}
		other.Signature, other.Interface = full.Signature, full.Interface
		if e.kind == source.Method && x.Kind == source.Func {
			x.Kind = source.Method
		}
		if e.definition && !e.qualified {
			x.Line, x.End = y.Line, y.End
		}
	}
}

var (
	deprecatedAttribute = regexp.MustCompile(`\bdeprecated(?:__)?\s*(?:\(\s*"((?:[^"\\]|\\.)*)"\s*\))?`)
	deprecatedCommand   = regexp.MustCompile(`[@\\]deprecated\b[ \t]*([^\n]*(?:\n[^\n@\\]+)*)`)
)

func deprecated(doc, signature string) string {
	if strings.Contains(doc, "deprecated") {
		if m := deprecatedCommand.FindStringSubmatch(doc); m != nil {
			return cmp.Or(strings.Join(strings.Fields(m[1]), " "), "deprecated")
		}
	}
	if strings.Contains(signature, "deprecated") && (strings.Contains(signature, "[[") ||
		strings.Contains(signature, "__attribute__") || strings.Contains(signature, "__declspec")) {
		if m := deprecatedAttribute.FindStringSubmatch(signature); m != nil {
			return cmp.Or(m[1], "deprecated")
		}
	}
	return ""
}

// refs collects the names that an interface mentions.
type refs struct {
	*outline
	names []string
}

func (r *refs) add(s span) {
	value := false
	for i := s.from; i < s.to; i++ {
		switch {
		case r.is(i, '='):
			value = true
		case r.is(i, ','), r.is(i, ';'):
			value = false
		case r.name(i):
			start := i
			name := r.spell(i)
			for i+2 < s.to && r.is(i+1, opScope) && r.name(i+2) {
				i += 2
				name += "." + r.spell(i)
			}
			if start == i && !value && r.declared(i, s) {
				continue
			}
			r.names = append(r.names, valid(name))
		}
	}
}

// declared tells whether the name at i is that of a parameter or member and not of a type.
func (r *refs) declared(i int, s span) bool {
	last := i+1 >= s.to
	if i == s.from || !r.typeBefore(i) && !(last && (r.is(i-1, '}') || r.is(i-1, ')'))) {
		return false
	}
	if last {
		return true
	}
	t := r.tokens[i+1]
	return t.kind == punctuation && strings.IndexByte(",)=[;:", t.id) >= 0
}

func (r *refs) sorted(self string) []string {
	slices.Sort(r.names)
	list := slices.Compact(r.names)
	last := self[strings.LastIndexByte(self, '.')+1:]
	return slices.DeleteFunc(list, func(n string) bool { return n == self || n == last })
}
