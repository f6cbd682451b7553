package render

import (
	"cmp"
	"encoding/json"
	"path"
	"regexp"
	"strings"

	"github.com/causaldocs/causal/knowledge/manifest"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
)

// introduction is what a repository says of itself as a whole.
type introduction struct {
	readme []byte
	// manifest reads one of the root by its name, and returns nil when there is none; nil itself where there are none at all.
	manifest func(name string) []byte
}

// of returns the repository's name and what it is, in its own words.
func (in introduction) of(c Config, g graph) (name, about string) {
	r := source.Readme("README", in.readme)
	name = markdown.Plain(r.Package, "markdown")
	if c.Repository != "" {
		name = cmp.Or(name, path.Base(c.Repository))
	}
	if root, ok := g.Title("."); ok && root != unnamedRoot {
		name = cmp.Or(name, root)
	}
	if name == "" {
		name = cmp.Or(in.manifestName(), "Repository")
	}
	return name, purpose(r.Doc, "markdown", "")
}

// manifestName is the name that the first manifest gives that has one.
func (in introduction) manifestName() string {
	if in.manifest == nil {
		return ""
	}
	for _, m := range namers {
		if content := in.manifest(m.file); content != nil {
			if name := strings.TrimSpace(m.name(strings.ReplaceAll(string(content), "\r\n", "\n"))); name != "" {
				return name
			}
		}
	}
	return ""
}

// namers read the name of a project from the manifests that have one.
var namers = []struct {
	file string
	name func(content string) string
}{
	{"go.mod", func(content string) string { return lastSegment(found(goModule, content)) }},
	{"Cargo.toml", func(content string) string { return manifest.Read([]byte(content)).Table("package").Text("name") }},
	{"pyproject.toml", func(content string) string {
		project := manifest.Read([]byte(content))
		return cmp.Or(project.Table("project").Text("name"), project.Table("tool", "poetry").Text("name"))
	}},
	{"setup.cfg", func(content string) string { return found(cfgName, content) }},
	{"package.json", func(content string) string {
		var node struct{ Name string }
		_ = json.Unmarshal([]byte(content), &node) // one that cannot be read has no name
		return lastSegment(node.Name)
	}},
}

var (
	goModule = regexp.MustCompile(`(?m)^module[ \t]+"?([^\s"]+)`)
	cfgName  = regexp.MustCompile(`(?m)^\[metadata\][^\n]*(?:\n|\n[^\[\n][^\n]*)*?\n[ \t]*name[ \t]*=[ \t]*(\S+)`)
	major    = regexp.MustCompile(`/v[0-9]+$`)
)

func found(r *regexp.Regexp, content string) string {
	if m := r.FindStringSubmatch(content); m != nil {
		return m[1]
	}
	return ""
}

// lastSegment leaves an organisation's name and a major version off.
func lastSegment(name string) string {
	name = major.ReplaceAllString(name, "")
	return name[strings.LastIndexByte(name, '/')+1:]
}
