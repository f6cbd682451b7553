package stale

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/review/change"
)

// alike is how much of two declarations is the same, at least, when one is the other with another name. Those with little in them
// are all alike, so they have to stand at one place.
const alike = 0.6

// renamed returns what declarations of the file were called, as in their module, that have another name now. One is certain when no
// other of the old version, and none of the new one, fits as well.
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

// mostPairs is how many declarations that are gone are compared with how many new ones: where more differ, the file is another.
const mostPairs = 900

// differing lists what one version of a file declares and the other does not.
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

// same reports whether a declaration of the new version is one of the old version under another name: it stands where that stood,
// between the same lines or in the same lines in part, and most of its own lines are the same but for the name.
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

// holdsPlace reports whether the line before a declaration, with its comment, is the same in both versions, and so is that behind it.
func (v versions) holdsPlace(s, t *source.Symbol) bool {
	before, ok := v.Lines.Now(s.Line - 1)
	after, behind := v.Lines.Now(s.End + 1)
	return ok && behind && before == t.Line-1 && after == t.End+1
}

// linesOf are the lines from first to last, from 1.
func linesOf(lines []string, first, last int) []string {
	return lines[min(max(first-1, 0), len(lines)):min(max(last, 0), len(lines))]
}
