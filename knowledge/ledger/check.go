package ledger

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Past is what git knows of the files of the log: each that any commit has, with the newest commit that took it away, empty where
// none did.
type Past map[string]string

// Missing tells of the files of the log that were there once and are not any more, whatever became of them since.
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
