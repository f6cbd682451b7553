package stale

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/review/change"
)

// alike is the minimum similarity of a declaration and its renamed version. Short declarations are all similar, so
// they must also be at the same place.
const alike = 0.6

// renamed maps old to new names of renamed declarations in the module. A pair is certain if no other declaration of
// either version fits too.
func (v versions) renamed() map[string]string {
	if v.before == nil || v.after == nil || v.Before == nil || v.After == nil {
		return nil
	}
	removed, added := differing(&v.before.File, &v.after.File), differing(&v.after.File, &v.before.File)
	if len(removed) == 0 || len(added) == 0 || len(removed)*len(added) > mostPairs {
		return nil
	}
	old, now := change.Split(v.Before), change.Split(v.After)
	fits, taken := map[*source.Symbol][]*source.Symbol{}, map[*source.Symbol]int{}
	for _, s := range removed {
		for _, t := range added {
			if s.Kind == t.Kind && len(owner(s.Name)) > 0 == (len(owner(t.Name)) > 0) && v.same(s, t, old, now) {
				fits[s] = append(fits[s], t)
				taken[t]++
			}
		}
	}
	out := map[string]string{}
	for s, list := range fits {
		if len(list) == 1 && taken[list[0]] == 1 {
			out[inModule(v.before, s.Name)] = inModule(v.after, list[0].Name)
		}
	}
	return out
}

// mostPairs limits the comparison of removed with new declarations. A file with more of them was rewritten.
const mostPairs = 900

func differing(f, other *source.File) []*source.Symbol {
	there := map[string]bool{}
	for i := range other.Symbols {
		there[other.Symbols[i].Name] = true
	}
	var out []*source.Symbol
	for i := range f.Symbols {
		if s := &f.Symbols[i]; !there[s.Name] {
			out = append(out, s)
		}
	}
	return out
}

// same reports whether a new declaration is an old one with another name: most of its lines are equal except for the
// name, or it is at the same place and shares some lines.
func (v versions) same(s, t *source.Symbol, old, now []string) bool {
	was, is := linesOf(old, s.Line, s.End), linesOf(now, t.Line, t.End)
	if len(was) == 0 || len(is) == 0 || last(s.Name) == last(t.Name) && owner(s.Name) == "" {
		return false
	}
	if small, large := min(len(was), len(is)), max(len(was), len(is)); 2*small < large && !v.holdsPlace(s, t) {
		return false
	}
	count := map[string]int{}
	for _, line := range was {
		count[replaceWord(strings.TrimSpace(line), last(s.Name), last(t.Name))]++
	}
	common := 0
	for _, line := range is {
		if line = strings.TrimSpace(line); count[line] > 0 {
			count[line]--
			common++
		}
	}
	share := float64(2*common) / float64(len(was)+len(is))
	return share >= alike && (len(was) > 2 || share == 1) || v.before != nil && v.holdsPlace(s, t) && share > 0
}

// holdsPlace reports whether the lines directly before and after a declaration are unchanged.
func (v versions) holdsPlace(s, t *source.Symbol) bool {
	before, ok := v.Lines.Now(s.Line - 1)
	after, behind := v.Lines.Now(s.End + 1)
	return ok && behind && before == t.Line-1 && after == t.End+1
}

func linesOf(lines []string, first, last int) []string {
	return lines[min(max(first-1, 0), len(lines)):min(max(last, 0), len(lines))]
}
