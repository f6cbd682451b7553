package testgen

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/causaldocs/causal/testgen/spec"
)

// Seed is a value to try, its origin and an explanation for readers.
type Seed struct {
	Value spec.Value
	From  string
	Why   string
}

// Edges returns values at the edge.
func Edges(values ...spec.Value) (out []Seed) {
	for _, v := range values {
		out = append(out, Seed{Value: v, From: FromBoundary})
	}
	return out
}

// Seeds are the texts and numbers that are known for a function.
type Seeds struct {
	Texts, Numbers []Seed
	Longest        int // bytes of a text
	Most           int // of each kind
}

// Text adds a text.
func (s *Seeds) Text(text, from, why string) {
	if len(text) <= s.Longest && utf8.ValidString(text) {
		s.add(&s.Texts, Seed{text, from, why})
	}
}

// Strings returns the known texts, likely mistakes in the first of them, and usual texts.
func (s *Seeds) Strings(most int, mistakes func(text string) []string, usual ...spec.Value) []Seed {
	out := slices.Clone(s.Texts)
	for _, x := range s.Texts[:min(len(s.Texts), most)] {
		text := x.Value.(string)
		if text == "" {
			continue
		}
		for _, odd := range mistakes(text) {
			if odd != "" && len(odd) <= s.Longest {
				out = append(out, Edges(odd)...)
			}
		}
	}
	return append(out, Edges(usual...)...)
}

// Number adds a number.
func (s *Seeds) Number(n spec.Value, from, why string) { s.add(&s.Numbers, Seed{n, from, why}) }

func (s *Seeds) add(list *[]Seed, one Seed) {
	if len(*list) < s.Most && !slices.ContainsFunc(*list, func(o Seed) bool { return o.text() == one.text() }) {
		*list = append(*list, one)
	}
}

func (s Seed) text() string { return spec.Typed{Value: s.Value}.String() }

// ByOrigin orders seeds by origin and drops those with the value of an earlier one.
func ByOrigin(list []Seed, origins []string) []Seed {
	slices.SortStableFunc(list, func(a, b Seed) int { return slices.Index(origins, a.From) - slices.Index(origins, b.From) })
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(s Seed) bool {
		text := s.text()
		twice := seen[text]
		seen[text] = true
		return twice
	})
}

// Lists returns lists of some elements. none are those without any.
func Lists(elems []Seed, none ...Seed) []Seed {
	if len(elems) == 0 {
		return nil
	}
	pick := func(n, from int) Seed {
		list := make([]spec.Value, n)
		for i := range list {
			list[i] = elems[(from+i)%len(elems)].Value
		}
		return Seed{list, elems[0].From, fmt.Sprintf("%d of them", n)}
	}
	first, last := elems[0], elems[len(elems)-1]
	one := pick(1, 0)
	one.Why = "one of them"
	out := append([]Seed{pick(min(3, len(elems)), 0), one, {[]spec.Value{}, FromBoundary, "none of them"}}, none...)
	return append(out, Seed{[]spec.Value{last.Value, first.Value, first.Value}, first.From, "one of them twice"}, pick(min(5, len(elems)), 1))
}

// Least returns the less informative of two origins.
func Least(origins []string, a, b string) string {
	return origins[max(slices.Index(origins, a), slices.Index(origins, b), 0)]
}

// Pool collects calls to try.
type Pool struct {
	Calls   []Candidate
	Most    int
	Longest int // bytes of the arguments of a call

	seen map[string]bool
}

// Add adds a call, unless there is one with the same arguments.
func (p *Pool) Add(c Candidate) {
	text := spec.KeyOf(c.Args)
	if len(p.Calls) >= p.Most || len(text) > p.Longest || p.seen[text] {
		return
	}
	if p.seen == nil {
		p.seen = map[string]bool{}
	}
	p.seen[text] = true
	p.Calls = append(p.Calls, c)
}
