// Package report is what a run tells people and programs: the JSON of update and check. Modules are named by their path;
// everything else that causal knows something about is named by kind and subject.
package report

import (
	"slices"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/session"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
)

// Invalidated is what was concluded about a module and does not hold any more, and why.
type Invalidated struct {
	Node    string `json:"node"`
	Page    string `json:"page,omitempty"` // that tells of it
	Because string `json:"because"`
	File    string `json:"file,omitempty"`
	Detail  string `json:"detail,omitempty"`
	// Change is the fact behind it, and Commit what changed the file last, as in engine.Reason.
	Change fact.Change `json:"change,omitzero"`
	Commit string      `json:"commit,omitempty"`
}

// String says why the node fell, in one line.
func (i Invalidated) String() string {
	return engine.Reason{Because: i.Because, Change: i.Change, File: i.File, Detail: i.Detail}.String()
}

// Blocked is something that no run can mend: a person has to.
type Blocked struct {
	Node    string `json:"node,omitempty"`
	Page    string `json:"page,omitempty"`
	Because string `json:"because"`
	Mend    string `json:"mend"`
}

// Unit is something other than a module of which the conclusion did not hold.
type Unit struct {
	Kind    string `json:"kind"`
	Subject string `json:"subject"`
	// Outcome is what became of it: "updated" or "removed" by a run that writes, "stale" of one that does not.
	Outcome string          `json:"outcome"`
	Reasons []engine.Reason `json:"reasons,omitempty"`
}

// Update is what a run found and did.
type Update struct {
	Session      string        `json:"session"`
	Base         string        `json:"base"` // commit of the last run that is remembered
	Head         string        `json:"head"` // commit that is described
	ChangedFiles []string      `json:"changed_files"`
	Invalidated  []Invalidated `json:"invalidated"`
	Rerun        []string      `json:"rerun"`
	Updated      []string      `json:"updated"`
	Removed      []string      `json:"removed"`
	Unchanged    int           `json:"unchanged"`
	PagesWritten []string      `json:"pages_written"`
	Stale        []string      `json:"stale"`
	Partial      []string      `json:"partial"`
	// Suspended are the frames that were set aside, "<session>/<frame>"; Resumable those of them whose reasons to fall
	// do not hold now.
	Suspended []string `json:"suspended"`
	Resumable []string `json:"resumable"`
	// Compared is what this run has to do with the sessions that set something aside.
	Compared []session.Comparison `json:"compared"`
	Blocked  []Blocked            `json:"blocked"`
	Units    []Unit               `json:"units"`
	// Tests is what became of test specs; nil where there are none.
	Tests *Tests `json:"tests,omitempty"`
	// Coverage counts the files that a first run read and left out; nil for a later run.
	Coverage *survey.Coverage `json:"coverage,omitempty"`
	Model    *Model           `json:"model"` // nil where none is set
	// FilesRead is how many source files were read.
	FilesRead int `json:"files_read"`
	// Differing are the files that a run would write or remove that writes nothing.
	Differing []store.Difference `json:"-"`
	// Dropped are the sentences of a model that the pages leave out.
	Dropped []engine.Dropped `json:"-"`
}

// Join adds what a further run did in the same commit, which brought up to date what rests on what the first has written.
func (u *Update) Join(more *Update) {
	if more.Session != "" {
		u.Session = more.Session
	}
	u.PagesWritten = append(u.PagesWritten, more.PagesWritten...)
	for _, unit := range more.Units {
		same := func(before Unit) bool { return before.Kind == unit.Kind && before.Subject == unit.Subject }
		if i := slices.IndexFunc(u.Units, same); i >= 0 {
			u.Units[i].Reasons = slices.Concat(u.Units[i].Reasons, unit.Reasons)
			continue
		}
		u.Units = append(u.Units, unit)
	}
	slices.Sort(u.PagesWritten)
	u.PagesWritten = slices.Compact(u.PagesWritten)
	u.FilesRead += more.FilesRead
}

// StaleNode is a node or page that does not hold, and how to mend it.
type StaleNode struct {
	Node    string `json:"node"`
	Page    string `json:"page"`
	Because string `json:"because"`
	// Change is the fact behind it, and Commit what changed the file last, as in engine.Reason.
	Change fact.Change `json:"change,omitzero"`
	File   string      `json:"file,omitempty"`
	Commit string      `json:"commit,omitempty"`
	Detail string      `json:"detail"`
	Mend   string      `json:"mend"`

	follows bool // from its module
}

// Check is what a run that writes nothing found.
type Check struct {
	Fresh int         `json:"fresh"`
	Stale []StaleNode `json:"stale"`
	Units []Unit      `json:"units"`
	// Differing are the files that an update would write or remove.
	Differing []store.Difference `json:"-"`
}
