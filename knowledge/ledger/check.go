package ledger

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Past maps each log file that was ever committed to the newest commit that removed it, or "".
type Past map[string]string

// Missing reports the committed log files that no longer exist.
func (p Past) Missing(there []string) []Problem {
	names := make(map[string]bool, len(there))
	for _, name := range there {
		names[name] = true
	}
	var out []Problem
	for name, gone := range p {
		switch {
		case !IsFile(name) || names[name]:
		case gone == "":
			out = append(out, Problem{Kind: Missing, File: name, Detail: "it is committed, and not in the work tree"})
		default:
			out = append(out, Problem{Kind: Missing, File: name, Commit: gone, Detail: fmt.Sprintf("commit %.10s took it away", gone)})
		}
	}
	slices.SortFunc(out, func(a, b Problem) int { return strings.Compare(a.File, b.File) })
	return out
}

// Sort orders problems by file and event.
func Sort(problems []Problem) {
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.File, b.File), strings.Compare(string(a.Event), string(b.Event)))
	})
}
