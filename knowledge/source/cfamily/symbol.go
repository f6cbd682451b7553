package cfamily

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

// maxValue limits the bytes of a constant's or macro's value in a signature.
const maxValue = 80

type builder struct {
	*outline
	docs   *docs
	hasher *source.Hasher
	names  []string
	line   file // the current macro's directive, as a file
	uses   *uses
	guards *guards
}

func (b *builder) symbols() []source.Symbol {
	list := make([]source.Symbol, len(b.found))
	b.line.src = b.src
	b.uses, b.guards = newUses(b.outline), newGuards(b.outline)
	for i := range b.found {
		e := &b.found[i]
		list[i] = b.symbol(e)
		switch {
		case e.macro > 0:
			list[i].Body, list[i].Guard = b.uses.ofMacro(e), b.guards.ofMacro(e)
		case i > 0 && b.found[i-1].start == e.start && b.found[i-1].end == e.end && !e.function:
			list[i].Body, list[i].Guard = list[i-1].Body, list[i-1].Guard
		default:
			list[i].Body, list[i].Guard = b.uses.ofEntry(e), b.guards.of(b.tokens[e.start].branch)
			list[i].Nests = source.NestsOf(list[i].Body, b.uses.forks)
		}
		list[i].Exported = e.exported && !b.guards.built[b.guards.branchOf(e)]
	}
	b.join(list)
	if pool(list) {
		list = source.MergeSymbols(list)
	}
	slices.SortStableFunc(list, func(a, b source.Symbol) int { return cmp.Compare(a.Line, b.Line) })
	return list
}

// pool moves the references of symbols with equal names to the first one, because merging pairwise is quadratic. It
// reports whether there are such symbols.
func pool(list []source.Symbol) bool {
	first := make(map[string]int, len(list))
	var more []int
	guards := map[int][]string{}
	for i := range list {
		j, ok := first[list[i].Name]
		if !ok {
			first[list[i].Name] = i
			continue
		}
		more = append(more, j)
		list[j].Refs = append(list[j].Refs, list[i].Refs...)
		list[i].Refs = nil
		list[j].Body = append(list[j].Body, list[i].Body...)
		guards[j] = append(guards[j], list[i].Guard)
	}
	slices.Sort(more)
	for _, j := range slices.Compact(more) {
		slices.Sort(list[j].Refs)
		list[j].Refs = slices.Compact(list[j].Refs)
		list[j].Body = source.SortReferences(list[j].Body)
		list[j].Guard = eitherGuard(append(guards[j], list[j].Guard))
	}
	return len(more) > 0
}

func (b *builder) symbol(e *entry) source.Symbol {
	if e.macro > 0 {
		return b.macroSymbol(e)
	}
	first, last := b.tokens[e.start], b.tokens[e.end-1]
	s := source.Symbol{Name: valid(e.name), Kind: e.kind, Exported: e.exported, Line: int(first.line), End: b.lastLine(e),
		Signature: b.signature(e)}
	if n, ok := b.docs.below[int32(e.end+1)]; ok && e.kind == source.Func {
		s.Doc = b.docs.text(n, n)
	} else {
		s.Doc = b.docs.before(int32(e.start), b.directivesBefore(int32(e.start)), first.line)
	}
	s.Type = b.parts(e, s.Signature)
	if s.Doc == "" {
		end := e.end
		if b.is(end, ';') || b.is(end, ',') {
			last = b.tokens[end]
			end++
		}
		s.Doc = b.docs.behind(int32(end), last.line)
	}
	s.Doc = ownText(s.Doc, &s)
	refs := refs{outline: b.outline, names: b.names[:0]}
	b.hasher.Reset()
	b.conditions(first.branch)
	b.hasher.Add(string(e.around))
	for _, list := range [...][]span{e.shown, e.visible, {e.value}} {
		for _, part := range list {
			b.digest(part)
			if e.kind != source.Enum {
				refs.add(part)
			}
		}
	}
	for _, f := range e.fields {
		if e.kind == source.Enum {
			refs.add(span{From: f.at.From + 1, To: f.at.To})
			continue
		}
		b.hasher.Add(f.access)
		b.digest(f.at)
		refs.add(f.at)
	}
	s.Interface = b.hasher.Sum()
	s.Refs, b.names = refs.sorted(e.name), refs.names
	b.hasher.Reset()
	b.hasher.Add(s.Doc)
	b.digest(span{From: e.start, To: e.end})
	s.Content = b.hasher.Sum()
	s.Deprecated = deprecated(s.Doc, s.Signature)
	return s
}

func (b *builder) lastLine(e *entry) int {
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

func (b *builder) digest(s span) {
	if !s.Empty() {
		b.hasher.AddBytes(b.canonical(s))
	}
}

func (f *file) canonical(s span) []byte {
	from, last := f.tokens[s.From].canon, f.tokens[s.To-1].canon
	length, width := binary.Uvarint(f.canon[last:])
	return f.canon[from : int(last)+width+int(length)]
}

// maxConditions limits the enclosing conditionals in a digest.
const maxConditions = 32

// conditions adds the enclosing conditionals, which decide whether a declaration exists.
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

// signature renders an entry: attributes and template headers first, one member per line.
func (b *builder) signature(e *entry) string {
	shown := e.shown
	var head strings.Builder
	for len(shown) > 0 && b.is(shown[0].From, '[') && b.is(shown[0].From+1, '[') {
		end := b.after(shown[0].From)
		head.WriteString(b.render(span{From: shown[0].From, To: end}) + "\n")
		shown = slices.Concat([]span{{From: end, To: shown[0].To}}, shown[1:])
	}
	if len(shown) > 0 && b.word(shown[0].From, kwExtern) && !(shown[0].From+1 < len(b.tokens) && b.tokens[shown[0].From+1].kind == text) {
		shown = slices.Concat([]span{{From: shown[0].From + 1, To: shown[0].To}}, shown[1:])
	}
	head.WriteString(b.render(shown...))
	if !e.value.Empty() {
		if value := b.render(e.value); len(value) <= maxValue {
			head.WriteString(" " + value)
		}
	}
	if e.brace > 0 {
		b.members(&head, e)
	}
	return strings.TrimSpace(head.String())
}

func (b *builder) members(out *strings.Builder, e *entry) {
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
	if tail := b.after(e.brace); b.word(e.shown[0].From, kwTypedef) && tail < e.end {
		out.WriteString(" " + b.render(span{From: tail, To: e.end}))
	}
}

func (b *builder) render(spans ...span) string {
	angles := map[int]bool(nil)
	for _, s := range spans {
		for i := s.From; i < s.To && angles == nil; i++ {
			if b.is(i, '<') {
				angles = b.angles(s.From, s.To)
			}
		}
	}
	return render(b.file, angles, false, spans...)
}

// join unifies a function's declaration and definition, which may differ in parameter names, defaults and specifiers.
// Both get the longer signature and its interface.
func (b *builder) join(list []source.Symbol) {
	type id struct{ name, key string }
	seen := map[id]int{}
	for i := range list {
		e := &b.found[i]
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
		other.Signature, other.Type, other.Interface = full.Signature, full.Type, full.Interface
		if e.kind == source.Method && x.Kind == source.Func {
			x.Kind = source.Method
		}
		if e.definition && !e.qualified {
			x.Line, x.End = y.Line, y.End
		}
	}
}

var (
	deprecatedAttribute = lazyregexp.New(`\bdeprecated(?:__)?\s*(?:\(\s*"((?:[^"\\]|\\.)*)"\s*\))?`)
	deprecatedCommand   = lazyregexp.New(`[@\\]deprecated\b[ \t]*([^\n]*(?:\n[^\n@\\]+)*)`)
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
