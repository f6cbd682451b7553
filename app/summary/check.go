package summary

import (
	"fmt"
	"strings"

	"github.com/causaldocs/causal/app/report"
)

// Checked counts what is out of date and what is fresh.
func Checked(r *report.Check) string {
	modules, files := map[string]bool{}, map[string]bool{}
	for _, s := range r.Stale {
		if s.Node != "" {
			modules[s.Node] = true
		} else {
			files[s.Page] = true
		}
	}
	var stale []string
	if n := len(modules); n > 0 {
		stale = append(stale, Count(n, "module"))
	}
	if n := len(files); n > 0 {
		stale = append(stale, Count(n, "file"))
	}
	switch {
	case len(stale) > 0:
		return fmt.Sprintf("%s stale, %s fresh", strings.Join(stale, " and "), Count(r.Fresh, "module"))
	case r.Fresh == 0:
		return "the repository has no source code yet; all pages are fresh"
	case r.Fresh == 1:
		return "1 module is fresh"
	}
	return fmt.Sprintf("all %d modules are fresh", r.Fresh)
}
