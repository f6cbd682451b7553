package render

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/survey"
)

// configured names the tools of a module that has only configuration files: "vite.config.ts".
func configured(k *survey.Module) string {
	var names []string
	for _, u := range k.Module.Units {
		if u.Opaque != "" {
			continue
		}
		base := path.Base(u.Path)
		if !strings.HasSuffix(strings.TrimSuffix(base, path.Ext(base)), ".config") {
			return ""
		}
		tool, _, _ := strings.Cut(base, ".")
		names = append(names, canonical.Path(tool))
	}
	return list(slices.Compact(names))
}

// forTools reports whether a file is named after the tool that it configures.
func forTools(file string) bool {
	_, rest, _ := strings.Cut(path.Base(file), ".")
	return strings.Contains("."+rest, ".config.")
}
