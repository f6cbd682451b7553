package python

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

type seed struct {
	value spec.Typed
	from  string
}

type seeds struct{ texts, numbers []seed }

// longestSeed limits the bytes of a text, mostSeeds the seeds of one kind.
const (
	longestSeed = 80
	mostSeeds   = 24
)

var (
	inDoc   = lazyregexp.New("\"((?:[^\"\\\\\n]|\\\\.)*)\"|`+([^`\n]*)`+|'((?:[^'\\\\\n]|\\\\.)*)'")
	inWords = lazyregexp.New(`(?:^|[\s(=])(-?\d{1,15})\b`)
)

func (s *seeds) text(text, from string) {
	if len(text) > longestSeed || !utf8.ValidString(text) || len(s.texts) >= mostSeeds {
		return
	}
	s.texts = append(s.texts, seed{typed(text), from})
}

func (s *seeds) number(n int64, from string) {
	if len(s.numbers) < mostSeeds {
		s.numbers = append(s.numbers, seed{typed(n), from})
	}
}

func (m *module) seedsOf(f *function) *seeds {
	s := &seeds{}
	doc := f.Doc[:min(len(f.Doc), longestDoc)]
	for _, match := range inDoc.FindAllStringSubmatch(doc, -1) {
		inner := match[1] + match[2] + match[3]
		if v, ok := literal(tokens(inner), nil); ok && match[2] != "" {
			if quoted, isText := v.(string); isText {
				inner = quoted
			}
		}
		s.text(inner, testgen.FromDoc)
	}
	for _, match := range inWords.FindAllStringSubmatch(doc, -1) {
		if n, err := strconv.ParseInt(match[1], 10, 64); err == nil {
			s.number(n, testgen.FromDoc)
		}
	}
	s.literals(f.file, f.Symbol)
	for _, ref := range f.Body {
		if near := f.file.symbols[ref.Name]; near != nil && near != f.Symbol && near.Kind != source.Class {
			s.literals(f.file, near)
		}
	}
	return s
}

// literals adds the literals of code and the neighbours of integers, without docstrings.
func (s *seeds) literals(f *file, of *source.Symbol) {
	src := f.sourceOf(of)
	if len(src) > longestDoc {
		return
	}
	toks := tokens(src)
	for i, t := range toks {
		switch {
		case t.kind == tText && t.text != "" && !strings.Contains(t.text, "\n") && (i == 0 || toks[i-1].text != ":"):
			if !strings.ContainsAny(t.text, "%{") {
				s.text(t.text, testgen.FromLiteral)
			}
		case t.kind == tNumber:
			v, ok := numberOf(t.text, "")
			if n, isInt := v.(int64); ok && isInt && n < 1<<60 {
				for _, near := range []int64{n, n + 1, n - 1} {
					s.number(near, testgen.FromLiteral)
				}
			}
		}
	}
}

func (s *seeds) of(t *Type, depth int) []seed {
	if t == nil || depth > 3 {
		return nil
	}
	var out []seed
	edge := func(values ...spec.Value) {
		for _, v := range values {
			out = append(out, seed{typed(v), testgen.FromBoundary})
		}
	}
	for _, v := range t.Values {
		out = append(out, seed{typed(v), testgen.FromDoc})
	}
	switch t.Kind {
	case typeStr:
		out = s.strings()
	case typeInt:
		out = append(out, s.numbers...)
		edge(int64(0), int64(1), int64(-1), int64(2), int64(7), int64(100), int64(-100), int64(1234), int64(1000000))
	case typeFloat:
		out = append(out, s.numbers...)
		edge(0.0, 1.0, -1.0, 0.5, -2.25, 1e6, 1234.5678)
	case typeBool:
		edge(false, true)
	case typeBytes:
		for _, one := range s.strings() {
			if text := one.value.Value.(string); strings.Trim(text, asciiText) == "" {
				out = append(out, seed{spec.Typed{Type: typeBytes, Value: text}, one.from})
			}
		}
		edge(map[string]spec.Value{typeBytes: "\x00ÿ"})
	case typeNone:
		edge(nil)
	case kindAny:
		out = s.strings()[:min(4, len(s.strings()))]
		edge(nil, int64(1), 0.5, true, []spec.Value{int64(1), "a"})
	case kindUnion:
		for _, o := range t.Of {
			list := s.of(o, depth)
			out = append(out, list[:min(len(list), 12)]...)
		}
	case typeList, typeSet, typeFrozenset, typeTuple, typeTuple + "…", typeDict:
		out = s.containers(t, depth)
	}
	return sorted(out)
}

var asciiText = func() string {
	var b strings.Builder
	for c := byte(' '); c < 0x7f; c++ {
		b.WriteByte(c)
	}
	return b.String()
}()

func sorted(list []seed) []seed {
	return testgen.ByOrigin(list, origins, func(s seed) string { return s.from }, func(s seed) string { return s.value.String() })
}

func (s *seeds) strings() []seed {
	out := slices.Clone(s.texts)
	add := func(text string) {
		if text != "" && len(text) <= longestSeed {
			out = append(out, seed{typed(text), testgen.FromBoundary})
		}
	}
	for _, x := range s.texts[:min(len(s.texts), 4)] {
		text := x.value.Value.(string)
		if text == "" {
			continue
		}
		_, size := utf8.DecodeLastRuneInString(text)
		for _, odd := range []string{text[:len(text)-size], text + "x", " " + text, text + text, strings.ToUpper(text)} {
			add(odd)
		}
	}
	for _, text := range []string{"a", "hello world", "Hello, World!", "0", "42", "-1", "1.5", " padded  text ", "A b", "camelCase", "snake_case", "é", "a/b", "x=1"} {
		add(text)
	}
	return append(out, seed{typed(""), testgen.FromBoundary})
}

func (s *seeds) containers(t *Type, depth int) []seed {
	make := func(from string, of string, v ...spec.Value) seed {
		if of == typeSet || of == typeFrozenset {
			v = ordered(v)
		}
		if v == nil {
			v = []spec.Value{}
		}
		return seed{spec.Typed{Type: of, Value: v}, from}
	}
	element := func(i int) []seed {
		if i < len(t.Of) {
			return s.of(t.Of[i], depth+1)
		}
		return []seed{{typed(int64(1)), testgen.FromBoundary}, {typed(int64(2)), testgen.FromBoundary}, {typed(int64(3)), testgen.FromBoundary}}
	}
	kind := strings.TrimSuffix(t.Kind, "…")
	if t.Kind == typeTuple && len(t.Of) > 0 {
		var out []seed
		for i := range 4 {
			var all []spec.Value
			from := testgen.FromDoc
			for n := range t.Of {
				list := element(n)
				if len(list) == 0 {
					return nil
				}
				one := list[min(i, len(list)-1)]
				all = append(all, bare(one.value))
				from = origins[max(slices.Index(origins, from), slices.Index(origins, one.from))]
			}
			out = append(out, make(from, kind, all...))
		}
		return out
	}
	elems := element(0)
	if len(elems) == 0 {
		return nil
	}
	if kind == typeDict {
		return s.dicts(elems, element(1))
	}
	pick := func(n, from int) (out []spec.Value) {
		seen := map[string]bool{}
		for i := range min(n, len(elems)) {
			e := elems[(from+i)%len(elems)].value
			if (kind == typeSet || kind == typeFrozenset) && seen[e.String()] {
				continue
			}
			seen[e.String()] = true
			out = append(out, bare(e))
		}
		return out
	}
	first := elems[0].from
	out := []seed{make(first, kind, pick(3, 0)...), make(first, kind, pick(1, 0)...), make(testgen.FromBoundary, kind), make(first, kind, pick(4, 1)...)}
	if kind == typeList {
		repeated := pick(2, 0)
		out = append(out, make(first, kind, append(repeated, repeated...)...))
	}
	return out
}

func (s *seeds) dicts(keys, values []seed) []seed {
	if len(keys) == 0 || len(values) == 0 {
		return nil
	}
	build := func(n int) spec.Typed {
		var ks, vs []spec.Value
		for i := range min(n, len(keys)) {
			ks, vs = append(ks, bare(keys[i].value)), append(vs, bare(values[i%len(values)].value))
		}
		return typed(dictOf(ks, vs))
	}
	return []seed{{build(1), keys[0].from}, {build(3), keys[0].from}, {build(0), testgen.FromBoundary}}
}
