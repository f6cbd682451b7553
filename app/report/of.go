package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/skills"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render"
	"github.com/causaldocs/causal/render/answers"
	"github.com/causaldocs/causal/render/decisions"
	"github.com/causaldocs/causal/review/principle"
	"github.com/causaldocs/causal/review/rules"
)

// Remedies and outcomes.
const (
	mendUpdate = "causal update"
	mendParse  = "make the file parse, then causal update"
	mendSkill  = "correct the skill, then causal update"
	updated    = "updated"
	stale      = "stale"
	removed    = "removed"
)

// moduleOf returns the module of a unit; empty if it has none or several.
func moduleOf(u engine.Unit) string {
	switch u.Kind {
	case render.ModuleKind:
		return u.Subject
	case render.PageKind:
		if module, ok := render.ModuleOfPage(u.Subject); ok {
			return module
		}
	}
	return ""
}

// Pages finds the pages of units.
type Pages struct {
	Layout store.Layout
	// Bundle returns the shared page of a small module; nil if there are none.
	Bundle func(module string) survey.Bundle
}

// of returns the page of a unit, or else the file that contains it; empty if it has neither.
func (p Pages) of(u engine.Unit) string {
	switch u.Kind {
	case rules.PageKind:
		return rules.Page(p.Layout)
	case rules.PrincipleKind:
		return principle.Path(u.Subject)
	case render.PageKind:
		return render.PathOfPage(p.Layout, u.Subject)
	case render.ModuleKind:
		return p.Module(u.Subject)
	case answers.PageKind:
		return answers.Page(p.Layout)
	case answers.Kind:
		return answers.File(u.Subject)
	case skills.Kind:
		return skills.PathOf(p.Layout, u.Subject)
	}
	return decisions.Pages(p.Layout)[u.Kind]
}

// Module returns the page of a module.
func (p Pages) Module(module string) string {
	if p.Bundle != nil {
		return render.PageAbout(p.Layout, module, p.Bundle(module))
	}
	return p.Layout.Page(module)
}

// isPage reports whether a unit is a page.
func isPage(u engine.Unit) bool {
	return u.Kind == render.PageKind || u.Kind == rules.PageKind || u.Kind == answers.PageKind || u.Kind == skills.Kind || decisions.Tells(u.Kind)
}

func subjects(units []engine.Unit, kind string) []string {
	out := []string{}
	for _, u := range units {
		if u.Kind == kind {
			out = append(out, u.Subject)
		}
	}
	return out
}

// OfUpdate returns the report of an update. If written is false, it was a dry run.
func OfUpdate(r *engine.Report, p Pages, filesRead int, written bool) *Update {
	outcome := updated
	if !written {
		outcome = stale
	}
	u := common(r, p, outcome)
	u.FilesRead, u.Dropped = filesRead, r.Dropped
	u.Rerun, u.Updated = subjects(r.Ran, render.ModuleKind), subjects(r.Updated, render.ModuleKind)
	for _, unit := range r.Updated {
		if isPage(unit) {
			u.PagesWritten = append(u.PagesWritten, p.of(unit))
		}
	}
	u.Unchanged = r.Units[render.ModuleKind] - len(u.Updated)
	return u
}

// common builds the part that does not depend on the kind of run.
func common(r *engine.Report, p Pages, outcome string) *Update {
	u := &Update{
		Session: r.Session, Base: r.Base, Head: r.Head, ChangedFiles: r.ChangedFiles, Invalidated: []Invalidated{}, Rerun: []string{}, Updated: []string{},
		Removed: []string{}, PagesWritten: []string{}, Stale: []string{}, Partial: []string{}, Suspended: list(r.Suspended), Resumable: list(r.Resumable),
		Compared: list(r.Compared), Blocked: []Blocked{}, Units: []Unit{},
	}
	for _, f := range r.Fell {
		u.fell(p, f.Unit, f.Reasons, outcome)
	}
	for _, x := range r.Removed {
		if x.Removal.Done && x.Unit.Kind == render.ModuleKind {
			u.Removed = append(u.Removed, x.Unit.Subject)
		}
		if x.Removal.Written {
			u.PagesWritten = append(u.PagesWritten, p.of(x.Unit))
		}
		u.fell(p, x.Unit, x.Reasons, removed)
	}
	slices.SortStableFunc(u.Invalidated, func(a, b Invalidated) int { return strings.Compare(a.Node, b.Node) })
	for unit, why := range r.Kept {
		if unit.Kind == skills.Kind {
			u.Blocked = append(u.Blocked, Blocked{Page: p.of(unit), Because: why, Mend: mendSkill})
			continue
		}
		u.Stale = append(u.Stale, unit.Subject)
	}
	slices.Sort(u.Stale)
	slices.SortFunc(u.Blocked, func(a, b Blocked) int { return strings.Compare(a.Page, b.Page) })
	for _, unit := range r.Partial {
		if r.Kept[unit] == "" && unit.Kind == render.ModuleKind {
			u.Partial = append(u.Partial, unit.Subject)
		}
	}
	for _, b := range r.Blocked {
		u.Blocked = append(u.Blocked, Blocked{Node: moduleOf(b.Unit), Page: p.of(b.Unit), Because: b.Because, Mend: b.Mend})
	}
	return u
}

func (u *Update) fell(p Pages, unit engine.Unit, reasons []engine.Reason, outcome string) {
	if unit.Kind != render.ModuleKind {
		u.Units = append(u.Units, Unit{unit.Kind, unit.Subject, outcome, reasons})
		return
	}
	for _, r := range reasons {
		u.Invalidated = append(u.Invalidated, Invalidated{unit.Subject, p.Module(unit.Subject), r.Because, r.File, r.Detail, r.Change, r.Commit})
	}
}

// list returns a list that JSON encodes as [] even if it is empty.
func list[T any](l []T) []T { return slices.AppendSeq([]T{}, slices.Values(l)) }

// OfCheck returns the report of a check.
func OfCheck(r *engine.Report, p Pages) *Check {
	c := &Check{Stale: []StaleNode{}, Units: []Unit{}}
	modules := map[string]bool{} // stale or removed modules; their pages are not reported separately
	for _, f := range r.Fell {
		modules[f.Unit.Subject] = modules[f.Unit.Subject] || f.Unit.Kind == render.ModuleKind
	}
	for _, f := range r.Fell {
		c.stale(p, f.Unit, f.Reasons, stale)
	}
	gone := map[string]bool{}
	for _, x := range r.Removed {
		if x.Unit.Kind == render.ModuleKind {
			modules[x.Unit.Subject], gone[x.Unit.Subject] = true, true
		}
		c.stale(p, x.Unit, x.Reasons, removed)
	}
	for _, unit := range slices.SortedFunc(maps.Keys(r.Kept), func(a, b engine.Unit) int { return strings.Compare(a.String(), b.String()) }) {
		why := r.Kept[unit]
		if unit.Kind == skills.Kind { // the failure matters more than the stale page
			c.Stale = slices.DeleteFunc(c.Stale, func(s StaleNode) bool { return s.Page == p.of(unit) })
			c.Stale = append(c.Stale, StaleNode{Page: p.of(unit), Because: "kept", Detail: why, Mend: mendSkill})
			continue
		}
		stale := false
		for i, s := range c.Stale {
			if s.Node == unit.Subject {
				stale, c.Stale[i].Mend = true, mendParse
			}
		}
		if !stale {
			c.Stale = append(c.Stale, StaleNode{Node: unit.Subject, Page: p.Module(unit.Subject), Because: "kept", Detail: why, Mend: mendParse})
		}
	}
	for _, b := range r.Blocked {
		c.Stale = append(c.Stale, StaleNode{Node: moduleOf(b.Unit), Page: p.of(b.Unit), Because: "page", Detail: b.Because, Mend: b.Mend})
	}
	slices.SortStableFunc(c.Stale, func(a, b StaleNode) int { return strings.Compare(a.Node, b.Node) })
	nodes := map[string]bool{}
	for _, s := range c.Stale {
		if s.Node != "" && !gone[s.Node] {
			nodes[s.Node] = true
		}
	}
	c.Stale = slices.DeleteFunc(c.Stale, func(s StaleNode) bool { return s.follows && modules[s.Node] })
	c.Fresh = max(0, r.Units[render.ModuleKind]-len(nodes))
	return c
}

func (c *Check) stale(p Pages, unit engine.Unit, reasons []engine.Reason, outcome string) {
	page := p.of(unit)
	if unit.Kind == render.ModuleKind {
		for _, r := range reasons {
			c.Stale = append(c.Stale, StaleNode{Node: unit.Subject, Page: page, Because: r.Because, Change: r.Change, File: r.File,
				Commit: r.Commit, Detail: r.String(), Mend: mendUpdate})
		}
		return
	}
	c.Units = append(c.Units, Unit{unit.Kind, unit.Subject, outcome, reasons})
	if w, ok := wrongs[unit.Kind]; ok {
		c.Stale = append(c.Stale, StaleNode{Node: moduleOf(unit), Page: page, Because: w.because, Detail: w.detail(reasons, outcome) + because(unit, reasons, outcome), Mend: mendUpdate, follows: unit.Kind == render.PageKind})
	}
}

// mostReasons bounds the reasons of a page.
const mostReasons = 3

// because returns the reasons why the page of a skill is out of date, or one about the repository, if the previous run is known: changed
// files outside of modules, or other skills.
func because(u engine.Unit, reasons []engine.Reason, outcome string) string {
	if u.Kind == render.PageKind {
		reasons = slices.DeleteFunc(slices.Clone(reasons), func(r engine.Reason) bool { return r.Change.Fact.Family != fact.Blobs })
	} else if u.Kind != skills.Kind {
		return ""
	}
	if outcome == removed || len(reasons) == 0 || reasons[0].Because == engine.BecauseNew || reasons[0].Because == engine.BecauseStored {
		return ""
	}
	var list []string
	for _, r := range reasons[:min(len(reasons), mostReasons)] {
		list = append(list, r.String())
	}
	if more := len(reasons) - mostReasons; more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	return ": " + strings.Join(list, "; ")
}

// wrongs describes stale units that depend on others, by kind.
var wrongs = map[string]wrong{
	render.PageKind:     {"page", "the page is no longer needed", "the page is missing", "the page is out of date"},
	rules.PageKind:      {"page", "there are no principles any more", "the page is missing", "the page is out of date"},
	decisions.Kind:      {"page", "there is no log any more", "the page is missing", "the page is out of date"},
	decisions.LogKind:   {"page", "the log has no events any more", "the page is missing", "the page is out of date"},
	answers.Kind:        {"answer", "", "the answer has no file", "the answer no longer holds, or holds again"},
	skills.Kind:         {"page", "no skill writes the page any more", "the page is missing", "the page is out of date"},
	answers.PageKind:    {"page", "no answer is kept any more", "the page is missing", "the page is out of date"},
	rules.PrincipleKind: {"principle", "", "the principle has no file", "the file is out of date"},
}

// wrong describes a stale unit, independent of whether the previous run is known.
type wrong struct{ because, gone, missing, differs string }

func (w wrong) detail(reasons []engine.Reason, outcome string) string {
	switch {
	case outcome == removed:
		return w.gone
	case len(reasons) > 0 && reasons[0].Because == engine.BecauseNew:
		return w.missing
	case len(reasons) > 0 && reasons[0].Because == engine.BecauseStored && reasons[0].Detail != engine.OutOfDate:
		return reasons[0].Detail
	}
	return w.differs
}
