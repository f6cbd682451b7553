package review

import (
	"fmt"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/review/change"
)

// Bounds of what a model sees of one file.
const (
	mostShown      = 32 << 10 // bytes of what changed in it
	mostRemembered = 8 << 10  // bytes of what was found in it before, and of the principles
	mostEarlier    = 10       // findings of those
	around         = 3        // lines before and after what changed
)

// showFile is the context slice of a file: what changed in it, what was found when it was reviewed last, and what the repository has
// learnt to ask for.
func showFile(in engine.Input, core engine.CoreContext) (map[string]any, error) {
	slice := map[string]any{"file": canonical.Path(in.Unit.Subject), "changed": core.Changed(in.Unit.Subject)}
	f, err := change.FileOf(in.Reader, in.Unit.Subject)
	if f == nil || err != nil {
		return slice, err
	}
	given, err := remembered(in.Reader)
	if err != nil {
		return nil, err
	}
	slice["diff"] = shown(diff(f), mostShown)
	var before, rules []string
	for _, e := range given.Memory.Earlier([]string{f.Path, f.Was}, mostEarlier) {
		what := fmt.Sprintf("%s: %s %s was flagged", e.Key, e.Rule, e.Symbol)
		if e.FixedBy != "" {
			what += ", and fixed by " + e.FixedBy
		}
		before = append(before, what+": "+e.Message)
	}
	for _, p := range given.force.All() {
		rules = append(rules, p.Slug+": "+p.Rule+" "+p.Why)
	}
	for name, lines := range map[string][]string{"last_time": before, "principles": rules} {
		if len(lines) > 0 {
			slice[name] = shown(lines, mostRemembered)
		}
	}
	return slice, nil
}

// diff is what changed in a file, each line behind its number, with some around it.
func diff(f *change.File) []string {
	before, after := change.Split(f.Before), change.Split(f.After)
	var out []string
	show := func(mark string, lines []string, from, end int) {
		for n := from; n < end; n++ {
			out = append(out, fmt.Sprintf("%s%d: %s", mark, n, lines[n-1]))
		}
	}
	edits, next := f.Lines.Edits(), 1
	for i, e := range edits {
		show(" ", after, max(next, e.NowFirst-around), e.NowFirst)
		show("-", before, e.First, e.End)
		show("+", after, e.NowFirst, e.NowEnd)
		end := len(after) + 1
		if i+1 < len(edits) {
			end = edits[i+1].NowFirst
		}
		next = min(end, e.NowEnd+around)
		show(" ", after, e.NowEnd, next)
	}
	return out
}

// shown is the beginning of some lines, in whole ones, as text.
func shown(lines []string, most int) string {
	var b strings.Builder
	for _, line := range lines {
		if b.Len()+len(line) >= most {
			b.WriteString("…\n")
			break
		}
		b.WriteString(line + "\n")
	}
	return strings.ToValidUTF8(b.String(), "\ufffd")
}
