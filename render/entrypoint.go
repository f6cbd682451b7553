package render

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/manifest"
	"github.com/causaldocs/causal/knowledge/markdown"
)

// packageEntry is an entry point of an installed package.
type packageEntry struct {
	group, name, target string // target as "package.module:attribute"
	file                string // the manifest
}

// entryPointsOf returns the entry points in the manifests at the root, sorted.
func entryPointsOf(f *facts) (out []packageEntry) {
	for _, file := range manifest.WithEntryPoints {
		manifest.EntryPoints(file, f.blob(file), func(group, name, target string) {
			target, _, _ = strings.Cut(target, "[") // extras
			if target = strings.TrimSpace(target); name != "" && target != "" && !manifest.CommandGroups[group] {
				out = append(out, packageEntry{group, name, target, file})
			}
		})
	}
	slices.SortStableFunc(out, func(a, b packageEntry) int {
		return slices.Compare([]string{a.group, a.name, a.target}, []string{b.group, b.name, b.target})
	})
	return slices.CompactFunc(out, func(a, b packageEntry) bool { return a.group == b.group && a.name == b.name && a.target == b.target })
}

func (p *operatorPage) entryPoints(modules []string, all []packageEntry) []string {
	var out []string
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].group == all[0].group {
			n++
		}
		var rows [][]string
		for _, e := range all[:n] {
			what := markdown.Code(e.target)
			if m := moduleOfTarget(modules, e.target); m != "" {
				what = markdown.Link(what, p.pageLink(m))
			}
			in := markdown.Link(markdown.Code(e.file), p.to(e.file))
			rows = append(rows, []string{markdown.Code(e.name), what, in})
		}
		out = append(out, "### "+markdown.Code(all[0].group)+"\n\nEntry points of this group: other programs find them in the environment that has the package installed.\n\n"+
			bounded(registryBytes, "", []string{"Name", "What", "In"}, rows))
		all = all[n:]
	}
	return out
}

// moduleOfTarget returns the module that documents an entry point: a package, or the module with the file; "" if there
// is none.
func moduleOfTarget(modules []string, target string) string {
	dotted, _, _ := strings.Cut(target, ":")
	for at := strings.ReplaceAll(strings.TrimSpace(dotted), ".", "/"); at != "." && at != ""; at = path.Dir(at) {
		best := ""
		for _, m := range modules {
			if (m == at || strings.HasSuffix(m, "/"+at)) && (best == "" || len(m) < len(best)) {
				best = m
			}
		}
		if best != "" {
			return best
		}
	}
	return ""
}
