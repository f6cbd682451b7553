package summary

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/report"
)

// What commits of causal say.
const (
	Headline       = "Update docs"
	SessionTrailer = "Causal-Session"
)

// mostReasons is how many reasons a commit gives.
const mostReasons = 20

// Reasons are why nodes were derived again, a line each, for the body of a commit.
func Reasons(r *report.Update) string {
	var lines []string
	for _, i := range r.Invalidated {
		line := "- " + i.Node + ": " + i.String()
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	if len(lines) > mostReasons {
		lines = append(lines[:mostReasons], fmt.Sprintf("- and %d more", len(lines)-mostReasons))
	}
	if len(lines) == 0 {
		return "What was brought up to date before."
	}
	return strings.Join(lines, "\n")
}
