// Package report defines the JSON of update, check and review. Modules are identified by path, other units by kind
// and subject.
package report

import (
	"slices"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/session"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
)

// Invalidated is an invalidated conclusion about a module, with one reason.
type Invalidated struct {
	Node    string `json:"node"`
	Page    string `json:"page,omitempty"` // page of the module
	Because string `json:"because"`
	File    string `json:"file,omitempty"`
	Detail  string `json:"detail,omitempty"`
	// Change is the changed fact and Commit the last commit that changed the file, as in engine.Reason.
	Change fact.Change `json:"change,omitzero"`
	Commit string      `json:"commit,omitempty"`
}

// String describes the reason in one line.
func (i Invalidated) String() string {
	return engine.Reason{Because: i.Because, Change: i.Change, File: i.File, Detail: i.Detail}.String()
}

// Blocked is something that only the user can fix.
type Blocked struct {
	Node    string `json:"node,omitempty"`
	Page    string `json:"page,omitempty"`
	Because string `json:"because"`
	Mend    string `json:"mend"`
}

// Unit is an invalidated conclusion about something other than a module.
type Unit struct {
	Kind    string `json:"kind"`
	Subject string `json:"subject"`
	// Outcome is "updated" or "removed" after a run that writes, otherwise "stale".
	Outcome string          `json:"outcome"`
	Reasons []engine.Reason `json:"reasons,omitempty"`
}

// Update is the result of an update.
type Update struct {
	Session      string        `json:"session"`
	Base         string        `json:"base"` // commit of the previous run
	Head         string        `json:"head"` // documented commit
	ChangedFiles []string      `json:"changed_files"`
	Invalidated  []Invalidated `json:"invalidated"`
	Rerun        []string      `json:"rerun"`
	Updated      []string      `json:"updated"`
	Removed      []string      `json:"removed"`
	Unchanged    int           `json:"unchanged"`
	PagesWritten []string      `json:"pages_written"`
	Stale        []string      `json:"stale"`
	Partial      []string      `json:"partial"`
	// Suspended lists suspended frames as "<session>/<frame>"; Resumable lists those that are valid again.
	Suspended []string `json:"suspended"`
	Resumable []string `json:"resumable"`
	// Compared compares this run with the sessions of suspended frames.
	Compared []session.Comparison `json:"compared"`
	Blocked  []Blocked            `json:"blocked"`
	Units    []Unit               `json:"units"`
	// Tests is the result for test specs; nil without specs.
	Tests *Tests `json:"tests,omitempty"`
	// Coverage counts the files that a first run read and ignored; nil for later runs.
	Coverage *survey.Coverage `json:"coverage,omitempty"`
	Model    *Model           `json:"model"` // nil without a model
	// FilesRead counts the source files that were read.
	FilesRead int `json:"files_read"`
	// Differing lists the files that a dry run would write or remove.
	Differing []store.Difference `json:"-"`
	// Dropped are sentences of a model that pages omit.
	Dropped []engine.Dropped `json:"-"`
}

// Join adds a second run for the same commit, which updated what depends on the output of the first.
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

// StaleNode is a stale node or page, with its remedy.
type StaleNode struct {
	Node    string `json:"node"`
	Page    string `json:"page"`
	Because string `json:"because"`
	// Change is the changed fact and Commit the last commit that changed the file, as in engine.Reason.
	Change fact.Change `json:"change,omitzero"`
	File   string      `json:"file,omitempty"`
	Commit string      `json:"commit,omitempty"`
	Detail string      `json:"detail"`
	Mend   string      `json:"mend"`

	follows bool // a consequence of its module
}

// Check is the result of a run that writes nothing.
type Check struct {
	Fresh int         `json:"fresh"`
	Stale []StaleNode `json:"stale"`
	Units []Unit      `json:"units"`
	// Differing are the files that an update would write or remove.
	Differing []store.Difference `json:"-"`
}
