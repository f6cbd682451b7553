package bot

import (
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/report"
)

const (
	// most limits each list of a Detail: a first run has thousands of entries.
	most = 200
	// longest limits each text in bytes, so a Detail fits a database page.
	longest = 500
	// longestTitle limits a run's title in bytes, for a table row.
	longestTitle = 255
)

func names(list []string) []string {
	out := make([]string, 0, min(len(list), most))
	for _, name := range list[:min(len(list), most)] {
		out = append(out, plain.Line(name, longest))
	}
	return out
}

func reasons(list []report.Invalidated) []report.Invalidated {
	out := make([]report.Invalidated, 0, min(len(list), most))
	for _, i := range list[:min(len(list), most)] {
		out = append(out, report.Invalidated{
			Node: plain.Line(i.Node, longest), Because: plain.Line(i.Because, longest), File: plain.Line(i.File, longest),
			Detail: plain.Line(i.Detail, longest), Commit: i.Commit,
		})
	}
	return out
}

func blocked(list []report.Blocked) []report.Blocked {
	out := make([]report.Blocked, 0, min(len(list), most))
	for _, b := range list[:min(len(list), most)] {
		out = append(out, report.Blocked{
			Node: plain.Line(b.Node, longest), Page: plain.Line(b.Page, longest), Because: plain.Line(b.Because, longest), Mend: plain.Line(b.Mend, longest),
		})
	}
	return out
}

func left(r *report.Update) int {
	return max(len(r.Invalidated)-most, 0) + max(len(r.PagesWritten)-most, 0)
}
