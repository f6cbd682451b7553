package action

import (
	"cmp"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/store"
)

func checkParts(r Result, layout store.Layout) []string {
	if len(r.Stale) == 0 {
		return []string{heading(r)}
	}
	var list []string
	for _, s := range r.Check.Stale {
		list = append(list, "- "+summary.Code(cmp.Or(s.Node, s.Page))+": "+summary.Code(s.Detail)+". To mend it: "+summary.Code(s.Mend))
	}
	parts := []string{heading(r), summary.List(list), "Run `causal update`, and commit what it writes with the change."}
	if diff := summary.PageDiff(summary.Pages(layout, r.Check.Differing)); diff != "" {
		parts = append(parts, diff)
	}
	return parts
}

// staleNote is placed on the file that makes something stale, or else on the page, if it exists.
func staleNote(w *workspace.Workspace, s report.StaleNode) github.Annotation {
	beside := s.File
	if beside == "" && s.Page != "" {
		if _, err := w.Files.Read(s.Page); err == nil {
			beside = s.Page
		}
	}
	return github.Annotation{
		Path: beside, Line: 1, Level: "warning", Title: "Docs are stale",
		Message: cmp.Or(s.Node, s.Page) + ": " + s.Detail + "\nTo mend it: " + s.Mend,
	}
}

func blockedNotes(report *report.Update) []github.Annotation {
	var out []github.Annotation
	for _, b := range report.Blocked {
		out = append(out, github.Annotation{
			Path: b.Page, Line: 1, Level: "warning", Title: "Docs cannot be updated",
			Message: cmp.Or(b.Page, b.Node) + ": " + b.Because + "\nTo mend it: " + b.Mend,
		})
	}
	return out
}

func publishParts(r Result) []string {
	parts := []string{heading(r)}
	switch {
	case r.Pull != "":
		parts = append(parts, "Proposed in "+r.Pull+".")
	case r.Commit != "":
		parts = append(parts, "Committed as "+r.Commit+".")
	}
	if len(r.Report.Blocked) > 0 {
		parts = append(parts, summary.BlockedTitle(r.Report)+":", summary.Blocked(r.Report))
	}
	if why := summary.Why(r.Report); why != "" && len(r.Changed) > 0 {
		parts = append(parts, summary.Fold("Why each node was re-evaluated", why))
	}
	if len(r.Changed) > 0 {
		var list []string
		for _, name := range r.Changed {
			list = append(list, "- "+summary.Code(name))
		}
		parts = append(parts, summary.Fold(summary.Count(len(r.Changed), "file")+" written or removed", summary.List(list)))
	}
	return parts
}
