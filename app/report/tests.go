package report

import (
	"slices"

	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/testgen"
)

// Tests is the result for test specs.
type Tests struct {
	Session string `json:"session"`
	Specs   int    `json:"specs"`
	// Invalidated lists the specs that are invalidated after the run, BehaviourChanges the results that differ from the
	// recorded ones.
	Invalidated      []testgen.Fallen `json:"invalidated"`
	BehaviourChanges []testgen.Change `json:"behaviour_changes"`
	FilesWritten     []string         `json:"files_written"`
	FilesRemoved     []string         `json:"files_removed"`
}

// OfTests returns the report of a run over specs.
func OfTests(o *testgen.Outcome) *Tests {
	others := func(file string) bool { // files that the run had before
		_, _, spec := store.Layout{}.SpecOf(file)
		return !spec && !store.IsTest(file)
	}
	return &Tests{
		Session: o.Session, Specs: len(o.Specs), Invalidated: list(o.Invalidated), BehaviourChanges: list(o.BehaviourChanges),
		FilesWritten: slices.DeleteFunc(list(o.FilesWritten), others), FilesRemoved: slices.DeleteFunc(list(o.FilesRemoved), others),
	}
}

// Changed returns the changed results of a spec.
func (t *Tests) Changed(spec string) []testgen.Change {
	return slices.DeleteFunc(slices.Clone(t.BehaviourChanges), func(c testgen.Change) bool { return c.Spec != spec })
}

const (
	mendVerify = "causal testgen --verify"
	becauseRun = "behaviour" // a result differs from the recorded one
	driftSpec  = "spec"      // a spec or test file is out of date
)

// AddTests adds invalidated specs, out-of-date test files, and a problem that prevents the check. Test files follow
// from their specs, so they are reported only if all specs are valid.
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
