package cfamily

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// installed is a file or directory that a build file installs.
type installed struct {
	path string // relative to the repository's root
	tree bool
	// pattern matches the file names in the directory, if not one file or the whole tree.
	pattern string
	// at is the target directory below the system's include directory.
	at string
}

// cmakeWord matches comments, parentheses, and quoted or unquoted words.
var cmakeWord = lazyregexp.New(`#[^\n]*|[()]|"[^"]*"|[^\s()"#]+`)

// cmake lists the headers that a CMakeLists.txt installs: install(FILES …), install(DIRECTORY …), a FILE_SET, and
// PUBLIC_HEADER. It expands literal variables.
func cmake(dir, text string) []installed {
	vars, kept := map[string][]string{}, 0
	var out []installed
	words := slices.DeleteFunc(cmakeWord.FindAllString(text, -1), func(w string) bool { return w[0] == '#' })
	for i := 0; i+1 < len(words); i++ {
		if words[i+1] != "(" {
			continue
		}
		var args []string
		command := strings.ToLower(words[i])
		for i += 2; i < len(words) && words[i] != ")" && words[i] != "("; i++ {
			args = append(args, strings.Split(strings.Trim(words[i], `"`), ";")...)
		}
		if i < len(words) && words[i] == "(" {
			i--
		}
		if len(args) == 0 {
			continue
		}
		if command == "set" && kept < mostInstalled {
			value := expand(args[1:], vars)
			if end := slices.Index(value, "CACHE"); end >= 0 {
				value = value[:end]
			}
			vars[args[0]], kept = value, kept+len(value)+1
			continue
		}
		if len(out) < mostInstalled && (command == "install" || command == "target_sources" || command == "set_target_properties") {
			out = append(out, installs(command == "install", expand(args, vars), dir)...)
		}
	}
	return out
}

// cmakeVariable matches the use of a variable within a word. A longer value than longestWord is not put into a word.
var cmakeVariable = lazyregexp.New(`\$\{\w+\}`)

const longestWord = 256

// mostInstalled limits the expanded words of one command and the headers of one build file, because lists and
// directories multiply.
const mostInstalled = 1 << 14

func expand(args []string, vars map[string][]string) []string {
	var out []string
	for _, a := range args {
		if len(out) > mostInstalled {
			break
		}
		if name, ok := strings.CutPrefix(a, "${"); ok && strings.HasSuffix(name, "}") && vars[name[:len(name)-1]] != nil {
			out = append(out, vars[name[:len(name)-1]]...)
		} else {
			out = append(out, cmakeVariable.ReplaceAllStringFunc(a, func(use string) string {
				if value, ok := vars[use[2:len(use)-1]]; ok && len(value) <= 1 && len(strings.Join(value, "")) < longestWord {
					return strings.Join(value, "")
				}
				return use
			}))
		}
	}
	return out
}

func installs(install bool, args []string, dir string) []installed {
	mode, tree, at := "", false, ""
	if install {
		mode, tree = args[0], args[0] == "DIRECTORY"
	}
	var files []string
	for _, a := range args {
		switch {
		case a == "FILES" || a == "DIRECTORY" || a == "DESTINATION" || a == "PUBLIC_HEADER" || a == "FILE_SET" || a == "BASE_DIRS" || a == "TYPE":
			mode = a
		case mode == "DESTINATION":
			at, mode = destination(a), ""
		case mode == "DIRECTORY" || (mode == "FILES" || mode == "PUBLIC_HEADER") && header(a) && path.Ext(a) != "":
			files = append(files, a)
		}
	}
	var out []installed
	for _, f := range files {
		f = strings.TrimPrefix(strings.TrimPrefix(f, "${CMAKE_CURRENT_SOURCE_DIR}/"), "${PROJECT_SOURCE_DIR}/")
		if strings.ContainsAny(f, "$<>") {
			continue
		}
		where := at
		if tree && !strings.HasSuffix(f, "/") {
			where = path.Join(at, path.Base(f))
		}
		out = append(out, installed{path: path.Join(dir, f), tree: tree, at: where})
	}
	return out
}

// destination returns the directory below the include directory: "hiredis" for ${CMAKE_INSTALL_INCLUDEDIR}/hiredis.
func destination(to string) string {
	for _, root := range []string{"${CMAKE_INSTALL_INCLUDEDIR}", "${CMAKE_INSTALL_FULL_INCLUDEDIR}", "include"} {
		if at, ok := strings.CutPrefix(to, root); ok {
			return strings.Trim(path.Clean("/"+cmakeVariable.ReplaceAllString(at, "")), "/")
		}
	}
	return ""
}

var (
	mesonHeaders = lazyregexp.New(`install_headers\s*\(([^()]*)`)
	mesonText    = lazyregexp.New(`(subdir\s*:\s*)?'([^']*)'`)
)

func meson(dir, text string) []installed {
	var out []installed
	for _, call := range mesonHeaders.FindAllStringSubmatch(text, -1) {
		at, first := "", len(out)
		for _, m := range mesonText.FindAllStringSubmatch(call[1], -1) {
			if m[1] != "" {
				at = m[2]
			} else {
				out = append(out, installed{path: path.Join(dir, m[2])})
			}
		}
		for i := first; i < len(out); i++ {
			out[i].at = at
		}
	}
	return out
}
