package manifest

import (
	"cmp"
	"encoding/json"
	"html"
	"path"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// Describing lists the manifests with a project's name or description, by base name and in order of precedence.
var Describing = []string{"go.mod", "Cargo.toml", "pyproject.toml", "pom.xml", "setup.cfg", "setup.py", "package.json", "settings.gradle", "settings.gradle.kts"}

// Describe returns the project name in a manifest, without organisation and major version, and the description; empty
// if missing.
func Describe(file string, content []byte) (name, about string) {
	read, ok := describers[path.Base(file)]
	if !ok {
		return "", ""
	}
	if name, about = read(strings.ReplaceAll(string(content), "\r\n", "\n")); unfilled.MatchString(about) {
		about = ""
	}
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
	"pom.xml":             func(content string) (name, about string) { return "", html.UnescapeString(found(pomAbout, content)) },
	"settings.gradle":     gradleSettings,
	"settings.gradle.kts": gradleSettings,
	"setup.cfg": func(content string) (name, about string) {
		return found(cfgName, content), found(cfgAbout, content)
	},
	"setup.py": func(content string) (name, about string) {
		return found(setupName, content), found(setupAbout, content)
	},
	"package.json": func(content string) (name, about string) {
		var node struct{ Name, Description string }
		_ = json.Unmarshal([]byte(content), &node) // an unreadable one has neither
		return lastSegment(node.Name), node.Description
	},
}

func gradleSettings(content string) (name, about string) { return found(gradleName, content), "" }

var (
	gradleName = lazyregexp.New(`rootProject\.name\s*=\s*["']([\w.-]+)["']`)
	goModule   = lazyregexp.New(`(?m)^module[ \t]+"?([^\s"]+)`)
	cfgName    = lazyregexp.New(cfgMetadata + `name[ \t]*=[ \t]*(\S+)`)
	cfgAbout   = lazyregexp.New(cfgMetadata + `description[ \t]*=[ \t]*(\S[^\n]*)`)
	setupName  = lazyregexp.New(`(?s)\bsetup\(.{0,1000}?[\s(,]name\s*=\s*["']([\w.-]+)["']`)
	setupAbout = lazyregexp.New(`(?s)\bsetup\(.{0,1000}?[\s(,]description\s*=\s*["']([^"'\n]+)["']\s*[,)]`)
	pomAbout   = lazyregexp.New(`<description>\s*([^<]+?)\s*</description>`)
	// unfilled matches the description that a tool writes into a new manifest.
	unfilled = lazyregexp.New(`(?i)^(?:add (?:your|a) (?:short )?description|(?:a |your )?(?:short |project )?description(?: (?:here|of the project))?\.?$|todo\b|demo project for)`)

	major = lazyregexp.New(`/v[0-9]+$`)
)

// cfgMetadata matches up to a line of the metadata section of setup.cfg.
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
