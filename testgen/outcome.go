package testgen

import (
	"cmp"
	"slices"

	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/testgen/spec"
)

// Outcome is the machine-readable report of a run.
type Outcome struct {
	Session          string           `json:"session"`
	Specs            []Told           `json:"specs"`
	Invalidated      []Fallen         `json:"invalidated"`
	BehaviourChanges []Change         `json:"behaviour_changes"`
	Quarantined      []KeptOut        `json:"quarantined"`
	NotGeneratable   []NotGeneratable `json:"not_generatable"`
	FilesWritten     []string         `json:"files_written"`
	FilesRemoved     []string         `json:"files_removed"`
	Unchanged        int              `json:"unchanged"`
	Verified         *Verified        `json:"verified,omitempty"`
}

// Told is a spec in the report.
type Told struct {
	Spec      string      `json:"spec"`
	Module    string      `json:"module"`
	Symbol    string      `json:"symbol"`
	Status    spec.Status `json:"status"`
	Rationale string      `json:"rationale"`
	Cases     int         `json:"cases"`
	Kept      int         `json:"kept"`
	Files     []string    `json:"files"`
}

// Fallen is a spec that was found invalidated.
type Fallen struct {
	Spec    string `json:"spec"`
	Because string `json:"because"`
	File    string `json:"file"`
}

// String returns it as one line.
func (f Fallen) String() string { return f.Because + " through " + f.File }

// KeptOut is a quarantined case, or a quarantined spec if Case is empty.
type KeptOut struct {
	Spec   string `json:"spec"`
	Case   string `json:"case"`
	Reason string `json:"reason"`
}

// NotGeneratable is a function that cannot be tested.
type NotGeneratable struct {
	Module string `json:"module"`
	Symbol string `json:"symbol"`
	Reason string `json:"reason"`
}

// Verified sums up a verification.
type Verified struct {
	Candidates int      `json:"candidates"`
	Kept       int      `json:"kept"`
	Coverage   Coverage `json:"coverage"`
}

// Coverage is the percentage of statements covered in the targets' modules.
type Coverage struct {
	Before float64 `json:"before"`
	After  float64 `json:"after"`
}

// Tell adds a spec to the report. files are its existing test files.
func (o *Outcome) Tell(subject string, s *spec.Spec, files []string) {
	file := specFile(subject)
	module, symbol := pair(subject)
	o.Specs = append(o.Specs, Told{file, module, symbol, s.Status, s.Rationale, len(s.Cases), s.Kept(), files})
	o.BehaviourChanges = append(o.BehaviourChanges, Changes(file, s)...)
	if s.Status == spec.Quarantined && s.Fell != nil {
		o.Quarantined = append(o.Quarantined, KeptOut{file, "", s.Fell.Because})
	}
	for i := range s.Cases {
		if c := &s.Cases[i]; c.Quarantined != "" {
			o.Quarantined = append(o.Quarantined, KeptOut{file, c.ID, c.Quarantined})
		}
	}
}

// Fell adds an invalidated spec.
func (o *Outcome) Fell(subject string, f *spec.Fell) {
	o.Invalidated = append(o.Invalidated, Fallen{specFile(subject), f.Because, f.File})
}

// Finish sorts the report and replaces nil lists with empty ones.
func (o *Outcome) Finish() {
	sortBy(&o.Specs, func(a Told) string { return a.Spec })
	sortBy(&o.Invalidated, func(a Fallen) string { return a.Spec })
	o.Invalidated = slices.CompactFunc(o.Invalidated, func(a, b Fallen) bool { return a.Spec == b.Spec })
	sortBy(&o.BehaviourChanges, func(a Change) string { return a.Spec + "\x00" + a.Case })
	sortBy(&o.Quarantined, func(a KeptOut) string { return a.Spec + "\x00" + a.Case })
	sortBy(&o.NotGeneratable, func(a NotGeneratable) string { return a.Module + "\x00" + a.Symbol })
	for _, list := range []*[]string{&o.FilesWritten, &o.FilesRemoved} {
		slices.Sort(*list)
		if *list = slices.Compact(*list); *list == nil {
			*list = []string{}
		}
	}
}

func sortBy[T any](list *[]T, key func(T) string) {
	slices.SortStableFunc(*list, func(a, b T) int { return cmp.Compare(key(a), key(b)) })
	if *list == nil {
		*list = []T{}
	}
}

// Left reports whether something remains to be done, by a person or, after a dry run, by a real one.
func (o *Outcome) Left(looked bool) bool {
	return len(o.BehaviourChanges) > 0 || slices.ContainsFunc(o.Specs, func(t Told) bool { return t.Status == spec.Invalidated }) ||
		looked && len(o.FilesWritten)+len(o.FilesRemoved) > 0
}

// Shelf is a Files that caches parsed specs.
type Shelf interface {
	Spec(file string) (*spec.Spec, error)
}

// Subjects reads all specs of files, by subject, through a Shelf if files is one. It stops at the first error.
func Subjects(files Files) (map[string]*spec.Spec, error) {
	names, err := files.Below(store.Layout{}.SpecsDir())
	if err != nil {
		return nil, err
	}
	read := func(name string) (*spec.Spec, error) { return ReadSpec(files, name) }
	if shelf, ok := files.(Shelf); ok {
		read = shelf.Spec
	}
	out := map[string]*spec.Spec{}
	for _, name := range names {
		subject, ok := subjectOf(name)
		if !ok {
			continue
		}
		if out[subject], err = read(name); err != nil {
			return nil, err
		}
	}
	return out, nil
}
