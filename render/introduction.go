package render

import (
	"cmp"
	"encoding/json"
	"html"
	"path"
	"regexp"
	"strings"

	"github.com/causaldocs/causal/knowledge/manifest"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
)

// introduction is what a repository says of itself as a whole.
type introduction struct {
	readme survey.Readme
	// manifest reads one of the root by its name, and returns nil when there is none; nil itself where there are none at all.
	manifest func(name string) []byte
}

// of returns the repository's name and what it is, in its own words, with the file that these stand in: its README, or else a manifest,
// which comes first where the README begins with praise.
func (in introduction) of(c Config, g graph) (name, about, file string) {
	r := source.Readme("README", in.readme.Content)
	name = markdown.Plain(r.Package, "markdown")
	if c.Repository != "" {
		name = cmp.Or(name, path.Base(c.Repository))
	}
	if root, ok := g.Title("."); ok && root != unnamedRoot {
		name = cmp.Or(name, root)
	}
	if name == "" {
		name, _ = in.manifested(func(name, _ string) string { return name })
		name = cmp.Or(name, "Repository")
	}
	about = purpose(r.Doc, "markdown", "")
	if defining.MatchString(about) {
		return name, about, in.readme.Path
	}
	described, file := in.manifested(func(_, about string) string { return about })
	if described = purpose(described, "markdown", ""); described != "" {
		return name, described, file
	}
	if about != "" {
		file = in.readme.Path
	}
	return name, about, file
}

// defining matches a sentence that says what something is: "A library for amounts", "Shop is the fastest shop".
var defining = regexp.MustCompile(`^(?:An?|The|This)\s|\b(?:is|are)\s+(?:an?|the|one)\s`)

// manifested is what the first manifest says that says it, and which one that is.
func (in introduction) manifested(part func(name, about string) string) (text, file string) {
	if in.manifest == nil {
		return "", ""
	}
	for _, m := range namers {
		if content := in.manifest(m.file); content != nil {
			if text := strings.TrimSpace(part(m.read(strings.ReplaceAll(string(content), "\r\n", "\n")))); text != "" {
				return text, m.file
			}
		}
	}
	return "", ""
}

// namers read the name of a project, and what it is, from the manifests that have one.
var namers = []struct {
	file string
	read func(content string) (name, about string)
}{
	{"go.mod", func(content string) (name, about string) { return lastSegment(found(goModule, content)), "" }},
	{"Cargo.toml", func(content string) (name, about string) {
		p := manifest.Read([]byte(content)).Table("package")
		return p.Text("name"), p.Text("description")
	}},
	{"pyproject.toml", func(content string) (name, about string) {
		m := manifest.Read([]byte(content))
		project, poetry := m.Table("project"), m.Table("tool", "poetry")
		return cmp.Or(project.Text("name"), poetry.Text("name")), cmp.Or(project.Text("description"), poetry.Text("description"))
	}},
	{"pom.xml", func(content string) (name, about string) { return "", html.UnescapeString(found(pomAbout, content)) }},
	{"setup.cfg", func(content string) (name, about string) { return found(cfgName, content), "" }},
	{"package.json", func(content string) (name, about string) {
		var node struct{ Name, Description string }
		_ = json.Unmarshal([]byte(content), &node) // one that cannot be read has neither
		return lastSegment(node.Name), node.Description
	}},
}

var (
	goModule = regexp.MustCompile(`(?m)^module[ \t]+"?([^\s"]+)`)
	cfgName  = regexp.MustCompile(`(?m)^\[metadata\][^\n]*(?:\n|\n[^\[\n][^\n]*)*?\n[ \t]*name[ \t]*=[ \t]*(\S+)`)
	pomAbout = regexp.MustCompile(`<description>\s*([^<]+?)\s*</description>`)
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
