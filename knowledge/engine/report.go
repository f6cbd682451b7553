package engine

import (
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/session"
	"github.com/causaldocs/causal/knowledge/store"
)

// Invalidated is a conclusion that does not hold any more, and why.
type Invalidated struct {
	Node    string `json:"node"`
	Because string `json:"because"`
	File    string `json:"file,omitempty"`
	Detail  string `json:"detail,omitempty"`
	// Change is the fact behind it, and Commit what changed the file last, as in Reason.
	Change fact.Change `json:"change,omitzero"`
	Commit string      `json:"commit,omitempty"`
}

// String says why the node fell, in one line.
func (i Invalidated) String() string {
	return Reason{Because: i.Because, File: i.File, Detail: i.Detail}.String()
}

// Blocked is something that no run can mend: a person has to.
type Blocked struct {
	Node    string `json:"node,omitempty"`
	Page    string `json:"page,omitempty"`
	Because string `json:"because"`
	Mend    string `json:"mend"`
}

// Report is what a run found and did. Modules are named by their path.
type Report struct {
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
	// FilesRead is how many source files were read.
	FilesRead int `json:"files_read"`
}

// StaleNode is a node or page that does not hold, and how to mend it.
type StaleNode struct {
	Node    string `json:"node"`
	Page    string `json:"page"`
	Because string `json:"because"`
	File    string `json:"file,omitempty"`
	Detail  string `json:"detail"`
	Mend    string `json:"mend"`
}

// CheckReport is what Check found.
type CheckReport struct {
	Fresh int         `json:"fresh"`
	Stale []StaleNode `json:"stale"`
}

// report begins a report with what was found before anything is done.
func (e *Engine) report() *Report {
	w := e.world
	r := &Report{
		Base: w.earlier.Commit, ChangedFiles: []string{}, Invalidated: []Invalidated{}, Rerun: []string{}, Updated: []string{}, Removed: []string{},
		PagesWritten: []string{}, Stale: []string{}, Partial: []string{}, Suspended: []string{}, Resumable: []string{}, Compared: []session.Comparison{}, Blocked: []Blocked{},
	}
	changed := map[string]bool{}
	for _, c := range w.changes {
		changed[c.Path] = true
	}
	for _, m := range slices.Sorted(maps.Keys(w.summaries)) {
		for _, reason := range w.summaries[m].Stale {
			r.Invalidated = append(r.Invalidated, Invalidated{m, reason.Because, reason.File, reason.Detail, reason.Change, reason.Commit})
			if strings.HasPrefix(reason.Because, "modified(") {
				changed[reason.File] = true
			}
		}
		if len(w.summaries[m].Stale) > 0 {
			r.Rerun = append(r.Rerun, m)
		}
	}
	r.ChangedFiles = append(r.ChangedFiles, slices.Sorted(maps.Keys(changed))...)
	for m, reason := range w.absences(e.gone()) {
		if _, err := w.readOwn(w.layout.Node(m)); err == nil {
			r.Invalidated = append(r.Invalidated, Invalidated{m, reason.Because, reason.File, reason.Detail, reason.Change, reason.Commit})
		}
	}
	slices.SortStableFunc(r.Invalidated, func(a, b Invalidated) int { return strings.Compare(a.Node, b.Node) })
	return r
}

// absences tells of modules that have no source any more whether it is gone or left out by the configuration.
func (w *world) absences(modules []string) map[string]Reason {
	out := map[string]Reason{}
	for _, m := range modules {
		out[m] = Reason{Because: "removed", Detail: "its source is gone"}
	}
	if len(out) == 0 {
		return out
	}
	for _, p := range w.files() {
		if _, absent := out[moduleOf(p)]; absent && w.excluded(p) && w.classes.Classify(p).Language != "" {
			out[moduleOf(p)] = Reason{Because: "excluded", Detail: "its source is excluded by " + store.Config}
		}
	}
	return out
}

// state fills in what holds after the run.
func (e *Engine) state(report *Report) {
	for _, m := range slices.Sorted(maps.Keys(e.world.summaries)) {
		s := e.world.summaries[m]
		switch {
		case s.Kept != "":
			report.Stale = append(report.Stale, m)
		case len(s.Partial) > 0:
			report.Partial = append(report.Partial, m)
		}
	}
	report.Unchanged = len(e.world.summaries) - len(report.Updated)
}

// orEmpty makes a list that is printed as an empty one, not as none.
func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
