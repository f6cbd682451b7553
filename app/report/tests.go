package report

import (
	"slices"

	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/testgen"
)

// Tests is what became of the test specs of a repository that has some.
type Tests struct {
	Session string `json:"session"`
	Specs   int    `json:"specs"`
	// Invalidated are the specs that are so when the run ends, and BehaviourChanges the results that are others than recorded.
	Invalidated      []testgen.Fallen `json:"invalidated"`
	BehaviourChanges []testgen.Change `json:"behaviour_changes"`
	FilesWritten     []string         `json:"files_written"`
	FilesRemoved     []string         `json:"files_removed"`
}

// OfTests is what there is to tell of a run over specs.
func OfTests(o *testgen.Outcome) *Tests {
	others := func(file string) bool { // the run may have begun with more than that
		_, _, spec := store.Layout{}.SpecOf(file)
		return !spec && !store.IsTest(file)
	}
	return &Tests{
		Session: o.Session, Specs: len(o.Specs), Invalidated: list(o.Invalidated), BehaviourChanges: list(o.BehaviourChanges),
		FilesWritten: slices.DeleteFunc(list(o.FilesWritten), others), FilesRemoved: slices.DeleteFunc(list(o.FilesRemoved), others),
	}
}

// Changed returns the results of a spec that are others than recorded.
func (t *Tests) Changed(spec string) []testgen.Change {
	return slices.DeleteFunc(slices.Clone(t.BehaviourChanges), func(c testgen.Change) bool { return c.Spec != spec })
}

const (
	mendVerify = "causal testgen --verify"
	becauseRun = "behaviour" // a result is another than the one that was recorded
	driftSpec  = "spec"      // a spec, or a file with tests, is another than it would be
)

// AddTests adds what does not hold of specs and their tests, or what a person has to mend before anybody knows. What a run with nothing executed mends is told of specs first: their tests
// follow from them.
func (c *Check) AddTests(t *Tests, problem *Blocked) {
	if problem != nil {
		c.Stale = append(c.Stale, StaleNode{Page: problem.Page, Because: driftSpec, Detail: problem.Because, Mend: problem.Mend})
	}
	if t == nil {
		return
	}
	told := map[string]bool{}
	for _, one := range t.BehaviourChanges {
		told[one.Spec] = true
		c.Stale = append(c.Stale, StaleNode{
			Page: one.Spec, Because: becauseRun, Detail: one.String(), Mend: "causal testgen --accept " + one.Spec + "#" + one.Case + ", or fix the code",
		})
	}
	for _, f := range t.Invalidated {
		if !told[f.Spec] {
			told[f.Spec] = true
			c.Stale = append(c.Stale, StaleNode{Page: f.Spec, Because: f.Because, File: f.File, Detail: f.String(), Mend: mendVerify})
		}
	}
	if len(told) > 0 {
		return
	}
	for _, name := range t.FilesWritten {
		c.Stale = append(c.Stale, StaleNode{Page: name, Because: driftSpec, Detail: "it does not match its spec and its target", Mend: mendUpdate})
	}
	for _, name := range t.FilesRemoved {
		c.Stale = append(c.Stale, StaleNode{Page: name, Because: driftSpec, Detail: "its target was removed", Mend: mendUpdate})
	}
}
