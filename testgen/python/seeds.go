package python

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

type seed = testgen.Seed

type seeds struct{ testgen.Seeds }

// longestSeed limits the bytes of a text, mostSeeds the seeds of one kind.
const (
	longestSeed = 80
	mostSeeds   = 24
)

var (
	inDoc   = lazyregexp.New("\"((?:[^\"\\\\\n]|\\\\.)*)\"|`+([^`\n]*)`+|'((?:[^'\\\\\n]|\\\\.)*)'")
	inWords = lazyregexp.New(`(?:^|[\s(=])(-?\d{1,15})\b`)
)

func (m *module) seedsOf(f *function) *seeds {
	s := &seeds{testgen.Seeds{Longest: longestSeed, Most: mostSeeds}}
	doc := f.Doc[:min(len(f.Doc), longestDoc)]
	for _, match := range inDoc.FindAllStringSubmatch(doc, -1) {
		inner := match[1] + match[2] + match[3]
		if v, ok := literal(tokens(inner), nil); ok && match[2] != "" {
			if quoted, isText := v.(string); isText {
				inner = quoted
			}
		}
		s.Text(inner, testgen.FromDoc, "")
	}
	for _, match := range inWords.FindAllStringSubmatch(doc, -1) {
		if n, err := strconv.ParseInt(match[1], 10, 64); err == nil {
			s.Number(n, testgen.FromDoc, "")
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
				s.Text(t.text, testgen.FromLiteral, "")
			}
		case t.kind == tNumber:
			v, ok := numberOf(t.text, "")
			if n, isInt := v.(int64); ok && isInt && n < 1<<60 {
				for _, near := range []int64{n, n + 1, n - 1} {
					s.Number(near, testgen.FromLiteral, "")
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
	edge := func(values ...spec.Value) { out = append(out, testgen.Edges(values...)...) }
	for _, v := range t.Values {
		out = append(out, seed{Value: v, From: testgen.FromDoc})
	}
	switch t.Kind {
	case typeStr:
		out = s.strings()
	case typeInt:
		out = append(out, s.Numbers...)
		edge(int64(0), int64(1), int64(-1), int64(2), int64(7), int64(100), int64(-100), int64(1234), int64(1000000))
	case typeFloat:
		out = append(out, s.Numbers...)
		edge(0.0, 1.0, -1.0, 0.5, -2.25, 1e6, 1234.5678)
	case typeBool:
		edge(false, true)
	case typeBytes:
		for _, one := range s.strings() {
			if text := one.Value.(string); strings.Trim(text, asciiText) == "" {
				out = append(out, seed{Value: map[string]spec.Value{typeBytes: text}, From: one.From})
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
	return testgen.ByOrigin(out, origins)
}

var asciiText = func() string {
	var b strings.Builder
	for c := byte(' '); c < 0x7f; c++ {
		b.WriteByte(c)
	}
	return b.String()
}()

func (s *seeds) strings() []seed {
	return s.Strings(4, func(text string) []string {
		_, last := utf8.DecodeLastRuneInString(text)
		return []string{text[:len(text)-last], text + "x", " " + text, text + text, strings.ToUpper(text)}
	}, "a", "hello world", "Hello, World!", "0", "42", "-1", "1.5", " padded  text ", "A b", "camelCase", "snake_case", "é", "a/b", "x=1", "")
}

func (s *seeds) containers(t *Type, depth int) []seed {
	make := func(from string, of string, v ...spec.Value) seed {
		if of == typeSet || of == typeFrozenset {
			v = ordered(v)
		}
		if v == nil {
			v = []spec.Value{}
		}
		return seed{Value: bare(spec.Typed{Type: of, Value: v}), From: from}
	}
	element := func(i int) []seed {
		if i < len(t.Of) {
			return s.of(t.Of[i], depth+1)
		}
		return testgen.Edges(int64(1), int64(2), int64(3))
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
				all = append(all, one.Value)
				from = testgen.Least(origins, from, one.From)
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
			e := elems[(from+i)%len(elems)].Value
			text := typed(e).String()
			if (kind == typeSet || kind == typeFrozenset) && seen[text] {
				continue
			}
			seen[text] = true
			out = append(out, e)
		}
		return out
	}
	first := elems[0].From
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
	build := func(n int, from string) seed {
		var ks, vs []spec.Value
		for i := range min(n, len(keys)) {
			ks, vs = append(ks, keys[i].Value), append(vs, values[i%len(values)].Value)
		}
		return seed{Value: dictOf(ks, vs), From: from}
	}
	return []seed{build(1, keys[0].From), build(3, keys[0].From), build(0, testgen.FromBoundary)}
}
