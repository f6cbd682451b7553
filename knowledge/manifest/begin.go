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
	// Command is set if installing the project installs the program as a command.
	Command bool
}

// Begins lists where the shipped programs of a project begin: its start script, the command of its image, its commands.
func Begins(p Place) (out []Begin) {
	seen := map[Begin]bool{}
	add := func(b Begin) {
		if (b.Path != "" || b.Name != "") && !seen[b] && len(out) < mostBegins {
			seen[b], out = true, append(out, b)
		}
	}
	var node struct {
		Scripts map[string]string
		Bin     any
	}
	if json.Unmarshal(p.Read("package.json"), &node) == nil {
		for _, script := range []string{"start", "serve", "server", "dev"} {
			if file := startedBy(p, resolved(node.Scripts, script)); file != "" {
				add(Begin{Path: file})
				break
			}
		}
		for _, file := range programsOf(node.Bin) {
			add(Begin{Path: existing(p, file), Command: true})
		}
	}
	for _, command := range imageCommands(p) {
		if name := scriptOf(command); node.Scripts[name] != "" {
			add(Begin{Path: startedBy(p, resolved(node.Scripts, name))})
		} else if file := startedBy(p, command); file != "" {
			add(Begin{Path: file})
		} else if !runtimes[path.Base(command[0])] && path.Ext(command[0]) == "" && !strings.HasPrefix(command[0], "-") {
			add(Begin{Name: programName(command[0])})
		}
	}
	for _, dir := range Read(p.Read("Cargo.toml")).Table("workspace").Texts("default-members") {
		add(Begin{Path: path.Clean(dir)})
		for _, bin := range Read(p.Read(path.Join(dir, "Cargo.toml"))).Tables("bin") {
			if file := bin.Text("path"); file != "" {
				add(Begin{Path: existing(p, path.Join(dir, file))})
			}
		}
	}
	project := Read(p.Read("pyproject.toml"))
	for _, scripts := range []Table{project.Table("project", "scripts"), project.Table("tool", "poetry", "scripts")} {
		for _, name := range scripts.Keys() {
			add(Begin{Path: startedBy(p, []string{scripts.Text(name)}), Name: name, Command: true})
		}
	}
	return out
}

const (
	// mostBegins bounds the places where programs begin, mostWords the words of a command, longestWord a word in bytes.
	mostBegins, mostWords, longestWord = 64, 64, 200
	// mostLines bounds the lines of a script that are read.
	mostLines = 200
	// mostAbove bounds the leading directories of a path in an image.
	mostAbove = 8
)

// programsOf returns the files of the "bin" entry of a package.json.
func programsOf(bin any) (out []string) {
	switch bin := bin.(type) {
	case string:
		out = append(out, bin)
	case map[string]any:
		names := slices.Sorted(maps.Keys(bin))
		for _, name := range names[:min(len(names), mostBegins)] {
			file, _ := bin[name].(string)
			out = append(out, file)
		}
	}
	return out
}

// runtimes run a program that has another name.
var runtimes = map[string]bool{
	"node": true, "npm": true, "npx": true, "yarn": true, "pnpm": true, "bun": true, "deno": true, "java": true,
	"python": true, "python3": true, "uv": true, "poetry": true, "sh": true, "bash": true,
}

// scriptOf returns the script of a package.json that a command runs: "npm start", "yarn run serve".
func scriptOf(command []string) string {
	if len(command) < 2 || command[0] != "npm" && command[0] != "yarn" && command[0] != "pnpm" && command[0] != "bun" {
		return ""
	}
	if command[1] == "run" && len(command) > 2 {
		return command[2]
	}
	return command[1]
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
		text := strings.ReplaceAll(string(p.Read(file)), "\\\n", " ")
		for _, m := range imageCommand.FindAllStringSubmatch(text, -1) {
			var words []string
			if json.Unmarshal([]byte(m[2]), &words) != nil {
				words = strings.Fields(m[2])
			}
			last[strings.ToUpper(m[1])] = unwrapped(words)
		}
		for _, words := range [][]string{last["ENTRYPOINT"], last["CMD"]} {
			if len(words) > 0 {
				out = append(out, words)
			}
		}
	}
	return out
}

func programName(word string) string {
	if len(word) > longestWord {
		return ""
	}
	return path.Base(word)
}

// wrappers start the program that follows them.
var wrappers = map[string]bool{"tini": true, "dumb-init": true, "exec": true, "su-exec": true, "gosu": true, "env": true, "sudo": true}

// unwrapped returns a command without the programs that only start another one, and their flags.
func unwrapped(words []string) []string {
	for len(words) > 1 && wrappers[path.Base(words[0])] {
		words = words[1:]
		for len(words) > 1 && strings.HasPrefix(words[0], "-") {
			words = words[1:]
		}
	}
	return words
}

// configured matches the program in a configuration of a process manager.
var configured = lazyregexp.New(`"?\bscript"?\s*:\s*"?([\w./-]+)`)

// dotted matches a module in a command: "shop.server:app".
var dotted = lazyregexp.New(`^[A-Za-z_]\w*(?:\.\w+)*(?::\w+)?$`)

// startedBy returns the first file of the project that a command names, "" if there is none.
func startedBy(p Place, words []string) string {
	for i, word := range words[:min(len(words), mostWords)] {
		if i > 0 && path.Base(words[i-1]) == "node" { // which finds a file without its ending
			for _, ending := range []string{".js", "/index.js"} {
				if file := existing(p, strings.TrimSuffix(word, "/")+ending); file != "" {
					return file
				}
			}
		}
		switch file := existing(p, word); path.Ext(file) {
		case "":
		case ".sh": // it may run the words behind it
			if started := startedIn(p, file); started != "" {
				return started
			}
			continue
		case ".json", ".yml", ".yaml": // a configuration that names the program
			if m := configured.FindStringSubmatch(string(p.Read(file))); m != nil {
				return existing(p, m[1])
			}
			continue
		default:
			return file
		}
		if len(word) > longestWord || !dotted.MatchString(word) {
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

// ofScripts are the endings of files in a shell script that are no program: other scripts, and configurations.
var ofScripts = []string{".sh", ".json", ".yml", ".yaml"}

// startedIn returns the file of the project that a shell script starts last, "" if there is none.
func startedIn(p Place, script string) string {
	lines, left := strings.Split(string(p.Read(script)), "\n"), mostWords
	for _, line := range slices.Backward(lines[max(len(lines)-mostLines, 0):]) {
		words := slices.DeleteFunc(unwrapped(strings.Fields(line)), func(w string) bool { return slices.Contains(ofScripts, path.Ext(w)) })
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		words = words[:min(len(words), left)]
		if file := startedBy(p, words); file != "" {
			return file
		}
		if left -= len(words); left == 0 {
			break
		}
	}
	return ""
}

var compiled = lazyregexp.New(`^(?:dist|build|out|lib)/(.+)\.[cm]?js$`)

// existing returns the file of the project that a path of a command stands for, also inside an image and for the result
// of a compiler; "" if there is none.
func existing(p Place, word string) string {
	word = strings.TrimPrefix(word, "./")
	if len(word) > longestWord || !strings.Contains(word, ".") || strings.HasPrefix(word, "-") || strings.Contains(word, "..") {
		return ""
	}
	file := strings.TrimPrefix(word, "/")
	for range mostAbove {
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
			break
		}
		file = rest
	}
	return ""
}
