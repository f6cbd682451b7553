package bot

import (
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/report"
)

const (
	// most is how many entries of a list a Detail keeps: a first run has thousands.
	most = 200
	// longest is how many bytes of each text it keeps, so that all of it is less than a page of a database takes well.
	longest = 500
	// longestTitle is how many bytes the title of a run has at most: it stands in a row of a table.
	longestTitle = 255
)

// names are the first of a list, each as much as fits a line.
func names(list []string) []string {
	out := make([]string, 0, min(len(list), most))
	for _, name := range list[:min(len(list), most)] {
		out = append(out, plain.Line(name, longest))
	}
	return out
}

// reasons are the first reasons. What was before and after a change is with the frames.
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

// left is how many steps of a run are not kept.
func left(r *report.Update) int {
	return max(len(r.Invalidated)-most, 0) + max(len(r.PagesWritten)-most, 0)
}
