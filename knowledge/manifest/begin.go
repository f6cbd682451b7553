package manifest

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// Begin is where a run of a project begins, according to one of its files.
type Begin struct {
	// Path is a file, or the directory of a program, relative to the project's directory; empty if only the name of the
	// program is known.
	Path string
	Name string
}

// Begins lists where the shipped programs of a project begin: its start script, the command of its image, its commands.
func Begins(p Place) (out []Begin) {
	add := func(b Begin) {
		if b != (Begin{}) && !slices.Contains(out, b) {
			out = append(out, b)
		}
	}
	var node struct {
		Scripts map[string]string
		Bin     any
	}
	if json.Unmarshal(p.Read("package.json"), &node) == nil {
		add(Begin{Path: startedBy(p, resolved(node.Scripts, "start"))})
		for _, file := range programsOf(node.Bin) {
			add(Begin{Path: existing(p, file)})
		}
	}
	for _, command := range imageCommands(p) {
		if file := startedBy(p, command); file != "" {
			add(Begin{Path: file})
		} else {
			add(Begin{Name: path.Base(command[0])})
		}
	}
	for _, dir := range Read(p.Read("Cargo.toml")).Table("workspace").Texts("default-members") {
		add(Begin{Path: path.Clean(dir)})
	}
	scripts := Read(p.Read("pyproject.toml")).Table("project", "scripts")
	for _, name := range scripts.Keys() {
		add(Begin{Path: startedBy(p, []string{scripts.Text(name)}), Name: name})
	}
	return out
}

// programsOf returns the files of the "bin" entry of a package.json.
func programsOf(bin any) (out []string) {
	switch bin := bin.(type) {
	case string:
		out = append(out, bin)
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(bin)) {
			file, _ := bin[name].(string)
			out = append(out, file)
		}
	}
	return out
}

// mostScripts bounds the scripts that run another one.
const mostScripts = 5

// resolved returns the words of a script of a package.json, following scripts that only run another one.
func resolved(scripts map[string]string, name string) (words []string) {
	for range mostScripts {
		words = strings.Fields(scripts[name])
		if len(words) != 3 || words[1] != "run" {
			break
		}
		name = words[2]
	}
	return words
}

var imageCommand = lazyregexp.New(`(?mi)^[ \t]*(ENTRYPOINT|CMD)[ \t]+(\S[^\n]*)$`)

// imageCommands returns the words of the entry point and the command of the image that a Dockerfile builds.
func imageCommands(p Place) (out [][]string) {
	for _, file := range []string{"Dockerfile", "docker/Dockerfile", "docker/dockerfile"} {
		last := map[string][]string{} // the last one of a file counts
		for _, m := range imageCommand.FindAllStringSubmatch(string(p.Read(file)), -1) {
			var words []string
			if json.Unmarshal([]byte(m[2]), &words) != nil {
				words = strings.Fields(m[2])
			}
			last[strings.ToUpper(m[1])] = words
		}
		for _, words := range [][]string{last["ENTRYPOINT"], last["CMD"]} {
			if len(words) > 0 {
				out = append(out, words)
			}
		}
	}
	return out
}

// dotted matches a module in a command: "shop.server:app".
var dotted = lazyregexp.New(`^[A-Za-z_]\w*(?:\.\w+)*(?::\w+)?$`)

// startedBy returns the first file of the project that a command names, "" if there is none.
func startedBy(p Place, words []string) string {
	for _, word := range words {
		if file := existing(p, word); file != "" {
			return file
		}
		if !dotted.MatchString(word) {
			continue
		}
		module, _, _ := strings.Cut(word, ":")
		module = strings.ReplaceAll(module, ".", "/")
		for _, file := range []string{module + ".py", module + "/__main__.py", module + "/__init__.py", "src/" + module + ".py", "src/" + module + "/__main__.py", "src/" + module + "/__init__.py"} {
			if p.Has(file) {
				return file
			}
		}
	}
	return ""
}

var compiled = lazyregexp.New(`^(?:dist|build|out|lib)/(.+)\.[cm]?js$`)

// existing returns the file of the project that a path of a command stands for, also inside an image and for the result
// of a compiler; "" if there is none.
func existing(p Place, word string) string {
	word = strings.TrimPrefix(word, "./")
	if !strings.Contains(word, ".") || strings.HasPrefix(word, "-") || strings.Contains(word, "..") {
		return ""
	}
	for file := strings.TrimPrefix(word, "/"); ; {
		names := []string{file}
		if m := compiled.FindStringSubmatch(file); m != nil {
			names = append(names, "src/"+m[1]+".ts", m[1]+".ts", "src/"+m[1]+".js")
		}
		for _, name := range names {
			if path.Clean(name) == name && p.Has(name) {
				return name
			}
		}
		_, rest, more := strings.Cut(file, "/")
		if !more || word[0] != '/' {
			return ""
		}
		file = rest
	}
}
