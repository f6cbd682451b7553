package ecma

import (
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/causaldocs/causal/knowledge/source"
)

// configNames lists compiler configuration files in order of precedence.
var configNames = []string{
	"tsconfig.json", "jsconfig.json", "tsconfig.app.json", "tsconfig.build.json", "tsconfig.lib.json",
	"tsconfig.base.json", "tsconfig.common.json", "tsconfig.shared.json", "tsconfig.paths.json",
}

// pathRule is an entry of "paths": an exact name, or a prefix and a suffix around a star.
type pathRule struct {
	prefix, suffix string
	star           bool
	targets        []string // relative to the repository root, with a star as in the pattern
}

type config struct {
	base  string // directory for non-relative names, "" if not set
	rules []pathRule
}

type rawConfig struct {
	Extends         json.RawMessage `json:"extends"`
	CompilerOptions struct {
		BaseURL *string             `json:"baseUrl"`
		Paths   map[string][]string `json:"paths"`
	} `json:"compilerOptions"`
}

func readConfigs(p source.Project) map[string]config {
	configs := map[string]config{}
	for _, name := range configNames {
		for _, file := range p.Manifests(name) {
			dir := path.Dir(file)
			if old, ok := configs[dir]; ok && (old.base != "" || len(old.rules) > 0) {
				continue
			}
			c := readConfig(p, file, 0)
			if base := path.Base(file); base == "tsconfig.json" || base == "jsconfig.json" || c.base != "" || len(c.rules) > 0 {
				configs[dir] = c
			}
		}
	}
	return configs
}

// generatedPaths maps directories that frameworks generate to the paths that their configuration would define; they
// are never committed.
var generatedPaths = map[string]map[string][]string{
	".svelte-kit": {"$lib": {"src/lib"}, "$lib/*": {"src/lib/*"}},
	".nuxt":       {"~/*": {"*"}, "@/*": {"*"}, "~~/*": {"*"}},
}

// deepestExtends bounds a chain of "extends", which may be cyclic.
const deepestExtends = 8

func readConfig(p source.Project, file string, depth int) (c config) {
	var raw rawConfig
	text, ok := p.Read(file)
	if !ok || depth > deepestExtends {
		return config{}
	}
	plain, err := hujson.Standardize(text) // it may have comments and trailing commas
	if err != nil || json.Unmarshal(plain, &raw) != nil {
		return config{}
	}
	dir := path.Dir(file)
	for _, parent := range extended(raw.Extends) {
		if !strings.HasPrefix(parent, ".") {
			continue
		}
		parent = path.Join(dir, parent)
		if path.Ext(parent) != ".json" {
			parent += ".json"
		}
		inherited := readConfig(p, parent, depth+1)
		if paths := generatedPaths[path.Base(path.Dir(parent))]; paths != nil && inherited.rules == nil {
			inherited.rules = pathRules(paths, dir)
		}
		c.base = cmp.Or(inherited.base, c.base)
		if inherited.rules != nil {
			c.rules = inherited.rules
		}
	}
	if raw.CompilerOptions.BaseURL != nil {
		c.base = path.Join(dir, *raw.CompilerOptions.BaseURL)
	}
	if raw.CompilerOptions.Paths != nil {
		c.rules = pathRules(raw.CompilerOptions.Paths, cmp.Or(c.base, dir))
	}
	return c
}

func extended(raw json.RawMessage) (several []string) {
	var one string
	if json.Unmarshal(raw, &one) == nil && one != "" {
		return []string{one}
	}
	if json.Unmarshal(raw, &several) != nil {
		return nil
	}
	return several
}

// pathRules sorts patterns in matching order: exact names, then the longest prefix and suffix.
func pathRules(paths map[string][]string, from string) []pathRule {
	rules := []pathRule{}
	for pattern, targets := range paths {
		r := pathRule{}
		r.prefix, r.suffix, r.star = strings.Cut(pattern, "*")
		for _, t := range targets {
			r.targets = append(r.targets, path.Join(from, t))
		}
		rules = append(rules, r)
	}
	slices.SortFunc(rules, func(a, b pathRule) int {
		return cmp.Or(b2i(a.star)-b2i(b.star), len(b.prefix)-len(a.prefix), len(b.suffix)-len(a.suffix), strings.Compare(a.prefix, b.prefix), strings.Compare(a.suffix, b.suffix))
	})
	return rules
}

func (r pathRule) match(name string) (star string, ok bool) {
	if !r.star {
		return "", name == r.prefix
	}
	rest, begins := strings.CutPrefix(name, r.prefix)
	star, ends := strings.CutSuffix(rest, r.suffix)
	return star, begins && ends
}
