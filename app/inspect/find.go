package inspect

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/lexical"
)

// longestPattern is how many bytes a pattern or a query may have.
const longestPattern = 500

// grep is the tool grep. Line numbers are not in the digest: text above a match may change.
func (f *Files) grep(ctx context.Context, c Call) (*Output, error) {
	glob, err := pathGlob(c.Glob)
	if err != nil {
		return &Output{Text: err.Error()}, nil
	}
	if len(c.About) > longestPattern {
		return &Output{Text: fmt.Sprintf("the pattern has more than %d bytes", longestPattern)}, nil
	}
	pattern, err := regexp.Compile(c.About)
	if err != nil {
		return &Output{Text: err.Error()}, nil
	}
	out, w, total := &Output{}, writer{}, 0
	var parts []string
	whole, err := f.scan(ctx, glob.Match, func(file string, text []byte) error {
		for i, line := range linesOf(text) {
			if !pattern.MatchString(line) {
				continue
			}
			if total++; total > mostMatches || !w.room() {
				continue
			}
			out.Places = append(out.Places, Place{file, i + 1, []string{line}})
			parts = append(parts, file, line)
			w.line("%s:%d\t%s", file, i+1, cut(line))
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	if total == 0 {
		w.line("no line matches")
	}
	if more := total - len(out.Places); more > 0 {
		w.line("(%d more lines match)", more)
	}
	w.limit(whole)
	out.Text, out.Digest = w.String(), fact.Digest(append(parts, fmt.Sprint(total))...)
	return out, nil
}

func (w *writer) limit(whole bool) {
	if !whole {
		w.line("(only the first %d MB of the repository were read)", mostScanned>>20)
	}
}

// eventKey begins the keys of events in the index. No path does.
const eventKey = "event\x00"

// indexed makes the index of a run.
func (f *Files) indexed(ctx context.Context) (*lexical.Index, []ledger.Event, error) {
	var events []ledger.Event
	if f.Events != nil {
		var err error
		if events, err = f.Events(); err != nil {
			return nil, nil, err
		}
	}
	if f.index != nil {
		return f.index, events, nil
	}
	x := lexical.New()
	whole, err := f.scan(ctx, func(string) bool { return true }, func(file string, text []byte) error {
		x.Add(file, file+" "+lexical.SplitNames(string(text)))
		return ctx.Err()
	})
	if err != nil {
		return nil, nil, err
	}
	for i := range events {
		if events[i].Type.Tells() {
			x.Add(eventKey+string(events[i].ID), events[i].Text)
		}
	}
	f.index, f.cut = x, !whole
	return x, events, nil
}

// search is the tool search: the files that fit a query best, each with its lines that do, and events. Neither scores nor the order are
// in the digest: both depend on the rest of the repository.
func (f *Files) search(ctx context.Context, c Call) (*Output, error) {
	if len(c.About) > longestPattern {
		return &Output{Text: fmt.Sprintf("the query has more than %d bytes", longestPattern)}, nil
	}
	index, events, err := f.indexed(ctx)
	if err != nil {
		return nil, err
	}
	terms := slices.Compact(slices.Sorted(slices.Values(lexical.Terms(lexical.SplitNames(c.About)))))
	out, w := &Output{}, writer{}
	var parts []string
	files := 0
	for _, m := range index.Search(lexical.SplitNames(c.About), 4*mostFound) {
		if id, ok := strings.CutPrefix(m.Key, eventKey); ok {
			at := slices.IndexFunc(events, func(e ledger.Event) bool { return string(e.ID) == id })
			if at >= 0 && len(out.Events) < eventsFound {
				out.Events = append(out.Events, &events[at])
				parts = append(parts, m.Key)
				w.line("event %s\t%s", events[at].ID.Short(), cut(strings.Join(strings.Fields(events[at].Text), " ")))
			}
			continue
		}
		if files++; files > mostFound || !w.room() {
			continue
		}
		part, err := f.matching(ctx, m.Key, terms, out, &w)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		w.line("nothing has a word of %q", c.About)
	}
	w.limit(!f.cut)
	slices.Sort(parts)
	out.Text, out.Digest = w.String(), fact.Digest(append(parts, "end")...)
	return out, nil
}

// matching shows the lines of a file that have most of the terms.
func (f *Files) matching(ctx context.Context, file string, terms []string, out *Output, w *writer) (part string, err error) {
	e, _ := f.find(file)
	lines, _, err := f.content(ctx, e)
	if err != nil {
		return "", err
	}
	type hit struct{ at, has int }
	var hits []hit
	for i, line := range lines {
		if n := has(line, terms); n > 0 {
			hits = append(hits, hit{i, n})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return b.has - a.has })
	hits = hits[:min(len(hits), linesFound)]
	slices.SortFunc(hits, func(a, b hit) int { return a.at - b.at })
	words := []string{file}
	if len(hits) == 0 { // its name fits
		w.line("%s", file)
	}
	for _, h := range hits {
		out.Places = append(out.Places, Place{file, h.at + 1, []string{lines[h.at]}})
		words = append(words, lines[h.at])
		w.line("%s:%d\t%s", file, h.at+1, cut(lines[h.at]))
	}
	return fact.Digest(words...), nil
}

// has counts the terms that a line has.
func has(line string, terms []string) (n int) {
	lower := strings.ToLower(line)
	if !slices.ContainsFunc(terms, func(t string) bool { return strings.Contains(lower, t[:max(1, len(t)-1)]) }) {
		return 0
	}
	in := lexical.Terms(lexical.SplitNames(line))
	for _, t := range terms {
		if slices.Contains(in, t) {
			n++
		}
	}
	return n
}
