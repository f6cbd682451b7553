package skill

import (
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/state"
)

// shape lists the known keys of a value: of a map, or of each map in a list. Without keys, the shape is unknown.
type shape struct {
	list bool
	keys []string
}

// refers rejects a literal that refers to a key missing in the items of a list.
func (p *planner) refers(s *Step, f Field, value any, line int) {
	if f.Refers == nil || value == nil || !f.Type.Holds(value) {
		return
	}
	from, _ := s.Input[f.Over].(string)
	known := p.shapes[from]
	if known.keys == nil || !known.list {
		return
	}
	for _, path := range f.Refers(value) {
		if key, _, _ := strings.Cut(path, "."); !slices.Contains(known.keys, key) {
			p.wrong(line, "the input %q: the items of %s have no %q; they have %s", f.Name, from, key, strings.Join(known.keys, ", "))
		}
	}
}

// reaches rejects a reference to a missing key of a target's value.
func (p *planner) reaches(ref string, line int) {
	words := strings.Split(ref, ".")
	for i := len(words) - 1; i > 1; i-- {
		target := strings.Join(words[:i], ".")
		known, rest := p.shapes[target], words[i:]
		if known.keys == nil {
			continue
		}
		what := target
		if known.list {
			what, rest = "the items of "+target, rest[1:]
		}
		if len(rest) > 0 && !slices.Contains(known.keys, rest[0]) {
			p.wrong(line, "%s: there is no %q in %s, only %s", ref, rest[0], what, strings.Join(known.keys, ", "))
		}
		return
	}
}

func (p *planner) shapeOf(s *Step, spec Spec, key string, line int) shape {
	name, rest, deep := strings.Cut(key, ".")
	f, ok := field(spec.Output, name)
	if !ok || s.Else != nil {
		return shape{}
	}
	out := shape{f.Type == List, f.Keys}
	if from, _ := s.Input[f.Over].(string); f.Over != "" {
		out = p.shapes[from]
	}
	first, _, deeper := strings.Cut(rest, ".")
	_, notNumber := strconv.Atoi(first)
	switch {
	case !deep || out.keys == nil:
		return out
	case !out.list && !slices.Contains(out.keys, first):
		p.wrong(line, "%s: there is no %q in the output %s of %s, only %s", key, first, name, spec.ID, strings.Join(out.keys, ", "))
	case out.list && notNumber == nil && !deeper:
		return shape{false, out.keys}
	}
	return shape{}
}

func (p *planner) note(target string, now shape) {
	before, again := p.shapes[target], slices.ContainsFunc(p.order, func(other string) bool { return state.Overlaps(target, other) })
	for other := range p.shapes {
		if state.Overlaps(target, other) {
			delete(p.shapes, other)
		}
	}
	if again {
		if before.keys == nil || now.keys == nil || before.list != now.list {
			return
		}
		now.keys = slices.Concat(before.keys, now.keys)
		slices.Sort(now.keys)
		now.keys = slices.Compact(now.keys)
	}
	if now.keys != nil {
		p.shapes[target] = now
	}
}
