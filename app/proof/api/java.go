package main

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// javap lists the public and protected classes and members that javac compiles from the sources, limited to exported packages. CLASSPATH
// holds the dependencies. Packages named internal count neither as public nor as wrong.
func javap(ctx context.Context, dir string) (account, error) {
	place, err := os.MkdirTemp("", "causal-api")
	if err != nil {
		return account{}, err
	}
	defer func() { _ = os.RemoveAll(place) }()
	main, err := mainSources(dir)
	if err != nil {
		return account{}, err
	}
	files, err := below(filepath.Join(main, "java"), ".java")
	if err != nil {
		return account{}, err
	}
	templates, _ := below(filepath.Join(main, "java-templates"), ".java") // templates compile before the build fills them in
	all := slices.Concat(files, templates)
	exported := exportedBy(main)
	public, err := classesOf(ctx, place, all, exported)
	if err != nil {
		return account{}, err
	}
	told, err := javaTold(ctx, place, all)
	if err != nil {
		return account{}, err
	}
	maps.DeleteFunc(public, func(name string, _ bool) bool { // javap shows a public class in one that callers cannot name
		return exported == nil && strings.Contains(name, ".internal.") || !told[name].class && !told[name[:strings.LastIndexByte(name, '.')]].class
	})
	for name, t := range told {
		if t.inherited && public[name[:strings.LastIndexByte(name, '.')]] {
			public[name] = true
		}
	}
	maps.DeleteFunc(told, func(name string, _ telling) bool { return !public[name] && !isConstructor(name) })
	compiled := map[string]bool{}
	for _, f := range files {
		compiled[filepath.Base(f)] = true
	}
	sources := strings.TrimPrefix(strings.TrimPrefix(filepath.Join(main, "java"), filepath.Clean(dir)), "/")
	return account{public: public, tells: func(s *symbol) bool {
		return !isConstructor(s.As[0]) && strings.HasPrefix(s.dir, sources) && compiled[s.File]
	}, told: told, alike: equal(javaSignature)}, nil
}

// classesOf compiles files and lists the members that javap prints.
func classesOf(ctx context.Context, place string, files []string, exported map[string]bool) (map[string]bool, error) {
	args := append([]string{"-proc:none", "-nowarn", "-encoding", "UTF-8", "-d", place}, files...)
	if text, err := exec.CommandContext(ctx, "javac", args...).CombinedOutput(); err != nil { //nolint:gosec // the directory is the user's argument
		return nil, fmt.Errorf("javac: %w: %.2000s", err, text)
	}
	classes, err := below(place, ".class")
	if err != nil {
		return nil, err
	}
	classes = slices.DeleteFunc(classes, func(file string) bool {
		in, err := filepath.Rel(place, filepath.Dir(file))
		return err != nil || exported != nil && !exported[strings.ReplaceAll(in, "/", ".")]
	})
	text, err := exec.CommandContext(ctx, "javap", append([]string{"-protected"}, classes...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("javap: %w", err)
	}
	return classMembers(string(text)), nil
}

// mainSources finds the sources of a project, or of its main subproject.
func mainSources(dir string) (string, error) {
	var err error
	parts, _ := filepath.Glob(filepath.Join(dir, "*", "src", "main", "java"))
	for i := range parts {
		parts[i], _ = filepath.Rel(dir, strings.TrimSuffix(parts[i], "/src/main/java"))
	}
	for _, part := range append([]string{".", filepath.Base(dir), filepath.Base(dir) + "-api", "core"}, parts...) {
		main := filepath.Join(dir, part, "src", "main")
		if _, err = os.Stat(filepath.Join(main, "java")); err == nil {
			return main, nil
		}
	}
	return "", err
}

var exports = regexp.MustCompile(`(?m)^\s*exports\s+([\w.]+)\s*;`)

// exportedBy are the packages that a module exports; nil where nothing says so.
func exportedBy(main string) map[string]bool {
	for _, place := range []string{"java", "java9"} {
		text, err := os.ReadFile(filepath.Join(main, place, "module-info.java"))
		if err != nil {
			continue
		}
		out := map[string]bool{}
		for _, m := range exports.FindAllStringSubmatch(string(text), -1) {
			out[m[1]] = true
		}
		return out
	}
	return nil
}

// isConstructor reports whether a name ends with its class name twice. Implicit constructors look the same.
func isConstructor(name string) bool {
	class, member := path.Dir(strings.ReplaceAll(name, ".", "/")), name[strings.LastIndexByte(name, '.')+1:]
	return path.Base(class) == member
}

func below(dir, ending string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ending) && !strings.HasSuffix(name, "module-info"+ending) {
			out = append(out, name)
		}
		return err
	})
	return out, err
}

var (
	classHead  = regexp.MustCompile(`^(?:public|protected) (?:[a-z-]+ )*(?:class|interface|@interface) ([\w.$]+)`)
	ofEnum     = regexp.MustCompile(` (values\(\)|valueOf\(java.lang.String\))|public static final [\w.$]+ [A-Z]\w*;`)
	memberName = regexp.MustCompile(`([\w.$]+)(?:\(|;| =)`)
)

// classMembers parses the output of javap. It ignores members of unnameable classes and synthetic members. Enumeration constants are part
// of the declaration.
func classMembers(text string) map[string]bool {
	out := map[string]bool{}
	class, enum := "", false
	for line := range strings.Lines(text) {
		switch m := classHead.FindStringSubmatch(line); {
		case m != nil:
			enum = strings.Contains(line, " extends java.lang.Enum<")
			class = strings.ReplaceAll(m[1], "$", ".")
			out[class] = true
		case !strings.HasPrefix(line, "  "):
			class = ""
		case class != "":
			name := memberName.FindStringSubmatch(line)
			if name == nil || strings.Contains(name[1], "$") || strings.Contains(name[1], ".") || enum && ofEnum.MatchString(line) {
				continue
			}
			out[class+"."+name[1]] = true
		}
	}
	return out
}
