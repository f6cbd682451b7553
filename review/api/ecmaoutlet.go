package api

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/survey"
)

type outlet struct {
	dir     string // directory of the manifest
	private bool   // the package is not published
	early   bool   // an unstable version
	main    string // main files, as the manifest names them
	// entries lists the importable files by subpath, relative to dir. It is nil if every file can be imported.
	entries map[string][]string
}

// npm reads the nearest package.json. It returns the zero outlet without one.
func npm(r survey.Reader, dir string) (outlet, error) {
	name, text, err := nearest(r, dir, "package.json")
	if err != nil || text == nil {
		return outlet{}, err
	}
	var m struct {
		Private bool            `json:"private"`
		Version string          `json:"version"`
		Main    string          `json:"main"`
		Types   string          `json:"types"`
		Typings string          `json:"typings"`
		Exports json.RawMessage `json:"exports"`
	}
	if json.Unmarshal(text, &m) != nil {
		return outlet{}, nil
	}
	return outlet{
		dir: path.Dir(name), private: m.Private, early: early.MatchString(m.Version), main: m.Main + "\n" + m.Types + m.Typings,
		entries: entriesOf(m.Exports),
	}, nil
}

// entriesOf reads the importable entries from "exports". It returns nil if they are unrestricted or cannot be read.
func entriesOf(exports json.RawMessage) map[string][]string {
	var byKey map[string]json.RawMessage
	if len(exports) == 0 {
		return nil
	}
	entries := map[string][]string{}
	keys := func() []string { return slices.Sorted(maps.Keys(byKey)) }
	if json.Unmarshal(exports, &byKey) != nil || len(byKey) > 0 && !strings.HasPrefix(keys()[0], ".") {
		entries["."] = targets(exports, 0)
		return entries
	}
	for key, value := range byKey {
		to := targets(value, 0)
		if len(to) > 0 && strings.Contains(key, "*") {
			return nil
		}
		if !strings.HasSuffix(key, ".json") {
			entries[key] = to
		}
	}
	return entries
}

// deepestExports limits the nesting of conditions. Real manifests have three levels.
const deepestExports = 8

func targets(value json.RawMessage, depth int) []string {
	var name string
	if json.Unmarshal(value, &name) == nil {
		if name == "" {
			return nil
		}
		return []string{name}
	}
	var list []json.RawMessage
	var conditions map[string]json.RawMessage
	if json.Unmarshal(value, &list) != nil && json.Unmarshal(value, &conditions) == nil {
		for _, key := range slices.Sorted(maps.Keys(conditions)) {
			list = append(list, conditions[key])
		}
	}
	var out []string
	for _, one := range list {
		if depth < deepestExports {
			out = append(out, targets(one, depth+1)...)
		}
	}
	return out
}
