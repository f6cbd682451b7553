package manifest

import (
	"cmp"
	"encoding/json"
	"html"
	"path"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// Describing are the manifests that say what a project is called, or what it is, by their base names: whoever wants to be told once asks
// them in this order.
var Describing = []string{"go.mod", "Cargo.toml", "pyproject.toml", "pom.xml", "setup.cfg", "package.json"}

// Describe returns what a manifest calls its project, without the organisation and the major version, and what it says that it is;
// empty where it says nothing.
func Describe(file string, content []byte) (name, about string) {
	read, ok := describers[path.Base(file)]
	if !ok {
		return "", ""
	}
	name, about = read(strings.ReplaceAll(string(content), "\r\n", "\n"))
	return strings.TrimSpace(name), strings.TrimSpace(about)
}

var describers = map[string]func(content string) (name, about string){
	"go.mod": func(content string) (name, about string) { return lastSegment(found(goModule, content)), "" },
	"Cargo.toml": func(content string) (name, about string) {
		p := Read([]byte(content)).Table("package")
		return p.Text("name"), p.Text("description")
	},
	"pyproject.toml": func(content string) (name, about string) {
		m := Read([]byte(content))
		project, poetry := m.Table("project"), m.Table("tool", "poetry")
		return cmp.Or(project.Text("name"), poetry.Text("name")), cmp.Or(project.Text("description"), poetry.Text("description"))
	},
	"pom.xml": func(content string) (name, about string) { return "", html.UnescapeString(found(pomAbout, content)) },
	"setup.cfg": func(content string) (name, about string) {
		return found(cfgName, content), found(cfgAbout, content)
	},
	"package.json": func(content string) (name, about string) {
		var node struct{ Name, Description string }
		_ = json.Unmarshal([]byte(content), &node) // one that cannot be read has neither
		return lastSegment(node.Name), node.Description
	},
}

var (
	goModule = lazyregexp.New(`(?m)^module[ \t]+"?([^\s"]+)`)
	cfgName  = lazyregexp.New(cfgMetadata + `name[ \t]*=[ \t]*(\S+)`)
	cfgAbout = lazyregexp.New(cfgMetadata + `description[ \t]*=[ \t]*(\S[^\n]*)`)
	pomAbout = lazyregexp.New(`<description>\s*([^<]+?)\s*</description>`)
	major    = lazyregexp.New(`/v[0-9]+$`)
)

// cfgMetadata leads to the lines of the section of setup.cfg that tells of the project.
const cfgMetadata = `(?m)^\[metadata\][^\n]*(?:\n|\n[^\[\n][^\n]*)*?\n[ \t]*`

func found(r *lazyregexp.Regexp, content string) string {
	if m := r.FindStringSubmatch(content); m != nil {
		return m[1]
	}
	return ""
}

func lastSegment(name string) string {
	name = major.ReplaceAllString(name, "")
	return name[strings.LastIndexByte(name, '/')+1:]
}
