package api

import (
	"cmp"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/manifest"
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

// early matches versions before 1.0 and prereleases, except placeholders such as 0.0.0.
var early = lazyregexp.New(`^v?0\.([1-9]|\d+\.[1-9])|^v?\d+\.\d+\.\d+-(alpha|beta|rc|next|canary|dev|pre)`)

func nearest(r survey.Reader, dir, base string) (name string, text []byte, err error) {
	for at := dir; ; at = path.Dir(at) {
		name = path.Join(at, base)
		if text, err = survey.Blob(r, name); err != nil || text != nil || at == "." {
			return name, text, err
		}
	}
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

// unsettled reports whether a Python project's version or classifiers mark it as unstable.
func unsettled(r survey.Reader, dir string) (bool, error) {
	for _, base := range []string{"pyproject.toml", "setup.cfg", "setup.py"} {
		_, text, err := nearest(r, dir, base)
		if err != nil {
			return false, err
		}
		if status.Match(text) {
			return true, nil
		}
		if base == "pyproject.toml" && text != nil {
			m := manifest.Read(text)
			for _, t := range []manifest.Table{m.Table("project"), m.Table("tool", "poetry")} {
				if early.MatchString(t.Text("version")) {
					return true, nil
				}
			}
		}
	}
	return false, nil
}

var status = lazyregexp.New(`Development Status :: [1-4] - `)

func crateVersion(r survey.Reader, dir string) (string, error) {
	for {
		name, text, err := nearest(r, dir, "Cargo.toml")
		if err != nil || text == nil {
			return "", err
		}
		m := manifest.Read(text)
		version := cmp.Or(m.Table("package").Text("version"), m.Table("workspace", "package").Text("version"))
		if dir = path.Dir(name); version != "" || dir == "." {
			return version, nil
		}
		dir = path.Dir(dir)
	}
}
