package workspace

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review"
	"github.com/causaldocs/causal/review/sarif"
)

// place resolves results whose paths are not relative to the root: absolute paths of another machine or container, and
// paths relative to a package directory. It drops results that match no file, with a note for each tool. A tool without
// any placed result counts as not run, because its earlier findings must not become fixed.
func (r *reviewing) place(ctx context.Context, trees ...survey.Tree) (notes []string, err error) {
	if len(r.Outside)+len(r.Given.Faults) == 0 {
		return nil, nil
	}
	there := map[string]bool{}
	for _, tree := range trees {
		state, err := tree.State(ctx, func() survey.State { return survey.State{} })
		if err != nil {
			return nil, fmt.Errorf("place the linter findings: %w", err)
		}
		entries, err := tree.Entries(ctx, state)
		if err != nil {
			return nil, fmt.Errorf("place the linter findings: %w", err)
		}
		for _, e := range entries {
			there[e.Path] = true
		}
	}
	astray := slices.Clone(r.Outside)
	placed, lost := map[string]int{}, map[string][]sarif.Result{}
	for _, name := range slices.Sorted(maps.Keys(r.Given.Faults)) {
		list := r.Given.Faults[name]
		if !there[name] {
			for _, one := range list {
				if one.Dropped == "" {
					astray = append(astray, one)
				} else { // suppressed, or not a failure
					r.Nowhere = append(r.Nowhere, review.Dropped{Rule: one.Rule, Path: name, Line: one.Line, Reason: one.Dropped})
				}
			}
			delete(r.Given.Faults, name)
			continue
		}
		for _, one := range list {
			placed[toolOf(one)]++
		}
	}
	if len(astray) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(astray, func(a, b sarif.Result) int {
		return cmp.Or(strings.Compare(spelled(a), spelled(b)), cmp.Compare(a.Line, b.Line), strings.Compare(a.Rule, b.Rule))
	})
	var given []string
	for _, one := range astray {
		given = append(given, spelled(one))
	}
	files := newPlacer(there, given)
	for _, one := range astray {
		name, why := files.find(spelled(one))
		if why != "" {
			lost[toolOf(one)] = append(lost[toolOf(one)], one)
			r.Nowhere = append(r.Nowhere, review.Dropped{Rule: one.Rule, Path: one.Path, Line: one.Line, Reason: cmp.Or(one.Dropped, why+fmt.Sprintf(": %q", spelled(one)))})
			continue
		}
		placed[toolOf(one)]++
		if one.Path == "" {
			one.Dropped = ""
		}
		one.Path, one.Outside = name, ""
		r.Given.Faults[name] = append(r.Given.Faults[name], one)
	}
	for _, tool := range slices.Sorted(maps.Keys(lost)) {
		first := lost[tool][0]
		notes = append(notes, fmt.Sprintf("warning: %s of %s cannot be placed in a file of this repository, such as %q",
			summary.Count(len(lost[tool]), "result"), tool, spelled(first)))
		r.unplaced += len(lost[tool])
		if placed[tool] == 0 {
			r.Ran[tool] = false
		}
	}
	return notes, nil
}

func spelled(r sarif.Result) string { return cmp.Or(r.Outside, r.Path) }

func toolOf(r sarif.Result) string {
	tool, _, _ := strings.Cut(r.Rule, "/")
	return tool
}

type placer struct {
	there   map[string]bool
	ends    map[string]string // files by path suffix; "" if several files share it
	longest int               // bytes of a path
	votes   map[string]int    // by directory: how many paths it explains as the root of the repository
}

func newPlacer(there map[string]bool, given []string) *placer {
	p := &placer{there: there, ends: map[string]string{}, votes: map[string]int{}}
	for file := range there {
		p.longest = max(p.longest, len(file))
		for end := range endsOf(file) {
			if other, known := p.ends[end]; known && other != file {
				p.ends[end] = ""
			} else {
				p.ends[end] = file
			}
		}
	}
	slices.Sort(given)
	for _, name := range slices.Compact(given) {
		for end := range p.rooted(name) {
			p.votes[strings.TrimSuffix(name, end)]++
		}
	}
	return p
}

func endsOf(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for more := true; more && yield(name); {
			_, name, more = strings.Cut(name, "/")
		}
	}
}

// rooted yields the suffixes of an absolute path that are files of the repository. The prefix may be its root on
// another machine.
func (p *placer) rooted(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if !absolute(name) {
			return
		}
		for end := range endsOf(name) {
			if len(end) <= p.longest && p.there[end] && len(end) < len(name)-1 && !yield(end) {
				return
			}
		}
	}
}

func absolute(name string) bool {
	return strings.HasPrefix(name, "/") || len(name) > 1 && name[1] == ':'
}

func (p *placer) find(given string) (file, why string) {
	most, tied := 0, 0
	for end := range p.rooted(given) {
		switch n := p.votes[strings.TrimSuffix(given, end)]; {
		case n > most:
			most, tied, file = n, 1, end
		case n == most:
			tied++
		}
	}
	switch {
	case tied > 1:
		return "", severalFiles
	case tied == 1:
		return file, ""
	}
	whole := !absolute(given)
	given = strings.TrimPrefix(given, "/")
	for end := range endsOf(given) {
		if whole && end != given || !whole && !strings.Contains(end, "/") {
			break // a base name does not identify a file of another machine
		}
		if file, known := p.ends[end]; known && file == "" {
			return "", severalFiles
		} else if known {
			return file, ""
		}
	}
	return "", noFile
}

const (
	noFile       = "in no file of the repository"
	severalFiles = "in one of several files of the repository"
)
