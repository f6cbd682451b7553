package session

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/frame"
)

// Comparison is what a session that starts learns from an earlier one. Lists of files are sorted; frames are in call
// order.
type Comparison struct {
	SessionID  string // of the earlier session
	SamePrompt bool   // the same task, whatever the white space
	Changed    []string
	Added      []string
	Deleted    []string
	Fallen     []Fallen
	// Resumable are the ids of suspended frames worth taking up again. They are offered only when the task is the same.
	Resumable []string
}

// Fallen is a frame that was valid and rests on files that are no longer what it saw.
type Fallen struct {
	FrameID string
	Files   []string
}

// Compare compares a session that starts with an earlier one. The files of current must be all those in scope: one
// that is missing there counts as deleted.
//
// A frame falls when one of its pieces of evidence is about a file that changed, was added or was deleted, or about
// the listing of a directory that gained or lost an entry. It does not fall when the file is again what the frame saw,
// which is noticed where file evidence carries the hash of the FileRecord as its digest.
//
// A suspended frame is resumable when it does not fall and its invalidation condition does not hold. A frame without a
// conclusion has no condition that could hold. For a frame that was invalidated earlier, the files count that are not
// what it saw, whenever they changed: so it is offered again when they are back. Before it is resumed it must still
// pass frame.Tree.Revalidate.
//
// Of the words of a condition, files alone decide modified. The others are asked of known, which may be nil; then they
// count as true as soon as any file differs or the frame fell earlier, and numbers as beyond any limit: rather not
// offered than wrongly.
func Compare(earlier Record, current Artifacts, known condition.Facts) (Comparison, error) {
	c := Comparison{
		SessionID:  earlier.SessionID,
		SamePrompt: sameText(earlier.InitialPrompt, current.InitialPrompt),
	}
	c.compareFiles(earlier.Files, current.Files)
	c.findFallen(earlier.Tree, current.Files)
	if !c.SamePrompt {
		return c, nil
	}
	for _, f := range earlier.Tree.Suspended() {
		fell := slices.ContainsFunc(c.Fallen, func(x Fallen) bool { return x.FrameID == f.ID })
		if fell {
			continue
		}
		holds, err := conditionHolds(f, newChanges(&c, f, current.Files, known))
		if err != nil {
			return Comparison{}, fmt.Errorf("session %s: %w", earlier.SessionID, err)
		}
		if !holds {
			c.Resumable = append(c.Resumable, f.ID)
		}
	}
	return c, nil
}

// CompareAll compares a session that starts with several earlier ones, in their order: newest first, so that the
// first offer is the freshest. known gives for each earlier session what has changed since beside files; it may be
// nil, and return nil.
func CompareAll(earlier []Record, current Artifacts, known func(earlier Artifacts) condition.Facts) ([]Comparison, error) {
	comparisons := make([]Comparison, len(earlier))
	for i, r := range earlier {
		var facts condition.Facts
		if known != nil {
			facts = known(r.Artifacts)
		}
		var err error
		if comparisons[i], err = Compare(r, current, facts); err != nil {
			return nil, err
		}
	}
	return comparisons, nil
}

func sameText(a, b string) bool {
	return slices.Equal(strings.Fields(a), strings.Fields(b))
}

func (c *Comparison) compareFiles(before, now map[string]FileRecord) {
	for _, p := range slices.Sorted(maps.Keys(before)) {
		record, there := now[p]
		switch {
		case !there:
			c.Deleted = append(c.Deleted, p)
		case record.Hash != before[p].Hash:
			c.Changed = append(c.Changed, p)
		}
	}
	for _, p := range slices.Sorted(maps.Keys(now)) {
		if _, there := before[p]; !there {
			c.Added = append(c.Added, p)
		}
	}
}

func (c *Comparison) findFallen(tree *frame.Tree, now map[string]FileRecord) {
	files := map[string]map[string]bool{}
	note := func(frames []frame.Frame, file string, because func(frame.Frame) bool) {
		for _, f := range frames {
			if f.Validity != frame.Valid || !because(f) {
				continue
			}
			if files[f.ID] == nil {
				files[f.ID] = map[string]bool{}
			}
			files[f.ID][file] = true
		}
	}
	for _, p := range slices.Concat(c.Changed, c.Added, c.Deleted) {
		note(tree.FramesResting(p), p, func(f frame.Frame) bool { return !seenAs(f, p, now) })
	}
	for _, p := range slices.Concat(c.Added, c.Deleted) {
		note(tree.FramesListing(path.Dir(p)), p, func(frame.Frame) bool { return true })
	}
	for _, f := range tree.Frames() {
		if len(files[f.ID]) > 0 {
			c.Fallen = append(c.Fallen, Fallen{f.ID, slices.Sorted(maps.Keys(files[f.ID]))})
		}
	}
}

// seenAs reports whether all that a frame saw of a file is so now. It is false when the frame did not look at it.
func seenAs(f frame.Frame, file string, now map[string]FileRecord) bool {
	looked := false
	for _, e := range evidence(f) {
		if e.Name != file || e.Kind != frame.FileKind && e.Kind != frame.AbsentKind {
			continue
		}
		looked = true
		if !holds(e, now) {
			return false
		}
	}
	return looked
}

// holds re-checks evidence about one file. The digest of an absent file is empty on both sides.
func holds(e frame.Evidence, now map[string]FileRecord) bool {
	return now[e.Name].Hash == e.Digest
}

func evidence(f frame.Frame) []frame.Evidence {
	list := make([]frame.Evidence, 0, len(f.Evidence))
	for _, text := range f.Evidence {
		// A Tree holds only evidence that parses.
		if e, err := frame.ParseEvidence(text); err == nil {
			list = append(list, e)
		}
	}
	return list
}

func conditionHolds(f frame.Frame, facts condition.Facts) (bool, error) {
	if f.InvalidationCondition == "" {
		return false, nil
	}
	c, err := condition.Parse(f.InvalidationCondition)
	if err != nil {
		return false, fmt.Errorf("condition of frame %s: %w", f.ID, err)
	}
	return c.Evaluate(facts).Holds, nil
}
