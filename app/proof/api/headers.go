package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// compilers are the compiler of this system, then those of other systems, for which headers declare other names.
var compilers = []string{"gcc", "x86_64-w64-mingw32-gcc"}

// gccPrototypes lists the functions of public headers that compile here. Declarations for other systems, or with macros that the user
// defines, are not judged.
func gccPrototypes(ctx context.Context, dir string) (account, error) {
	symbols, err := shown(dir)
	if err != nil {
		return account{}, err
	}
	files, err := headersOf(dir)
	if err != nil {
		return account{}, err
	}
	out, elsewhere, compiled, told := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]telling{}
	var imports, before []string // before are the headers that others need
	for _, s := range symbols {
		imports = append(imports, s.Import)
	}
	slices.Sort(imports)
	imports = slices.Compact(imports)
	for i := 0; i < len(imports); i++ {
		file, again := headerFile(files, imports[i]), slices.Contains(imports[:i], imports[i])
		var options []string
		if again {
			options = before
		}
		found := prototypes(ctx, compilers[0], dir, file, options...)
		if found == nil && !again {
			imports = append(imports, imports[i]) // retry after the headers that compile alone
			continue
		}
		if compiled[imports[i]] = found != nil; found == nil {
			fmt.Fprintf(os.Stderr, "%s does not compile here\n", imports[i])
			continue
		}
		if !again {
			before = append(before, "-include", file)
		}
		unit, err := clangUnit(ctx, dir, file, options...)
		if err != nil {
			return account{}, err
		}
		said, err := unit.docs(file)
		if err != nil {
			return account{}, err
		}
		for _, name := range slices.Concat(unit.types(), macros(ctx, dir, file)) {
			out[name] = true
		}
		for name, signature := range found {
			out[name], told[name] = true, telling{signature: signature, doc: said[name]}
		}
		if err := inOtherWays(ctx, dir, file, elsewhere); err != nil {
			return account{}, err
		}
	}
	return account{public: out, tells: func(s *symbol) bool {
		return compiled[s.Import] && (out[s.As[0]] || !elsewhere[s.As[0]]) && s.As[0][0] != '_'
	}, told: told, alike: headAlike}, nil
}

// headersOf lists the headers below a directory, those near to it first.
func headersOf(dir string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() && strings.HasPrefix(e.Name(), ".") && name != dir {
			return filepath.SkipDir
		}
		if err == nil && strings.HasPrefix(filepath.Ext(name), ".h") {
			out = append(out, name)
		}
		return err
	})
	slices.SortStableFunc(out, func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") })
	return out, err
}

// headerFile finds the file of an import. If the installed path does not exist, it tries shorter suffixes.
func headerFile(files []string, imported string) string {
	for at := imported; at != ""; _, at, _ = strings.Cut(at, "/") {
		for _, f := range files {
			if strings.HasSuffix(f, "/"+at) {
				return f
			}
		}
	}
	return ""
}

// inOtherWays adds the declarations for other systems, and those with each macro that the header tests.
func inOtherWays(ctx context.Context, dir, file string, out map[string]bool) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	asked := map[string]bool{}
	for _, line := range conditionLine.FindAllString(string(text), -1) {
		for _, m := range macroAsked.FindAllStringSubmatch(line, -1) {
			asked[m[1]] = asked[m[1]] || !ownMacro.MatchString(m[1])
		}
	}
	for _, m := range definition.FindAllStringSubmatch(string(text), -1) {
		out[m[1]] = !guards(string(text), m[1])
	}
	for _, m := range typedefLine.FindAllStringSubmatch(string(text), -1) { // where the system has none
		out[m[1]] = true
	}
	for _, compiler := range compilers {
		declare(out, prototypes(ctx, compiler, dir, file))
		for macro, ask := range asked {
			if ask {
				declare(out, prototypes(ctx, compiler, dir, file, "-D"+macro))
				if unit, err := clangUnit(ctx, dir, file, "-D"+macro); err == nil {
					for _, name := range unit.types() {
						out[name] = true
					}
				}
			}
		}
	}
	return nil
}

func declare(out map[string]bool, found map[string]string) {
	for name := range found {
		out[name] = true
	}
}

var (
	conditionLine = regexp.MustCompile(`(?m)^\s*#\s*(?:if|ifdef|elif)\b.*$`)
	macroAsked    = regexp.MustCompile(`(?:ifdef|defined)[\s(]*(\w+)`)
	// ownMacro matches macros that a library defines for its own build or tests.
	ownMacro    = regexp.MustCompile(`_(?:IMPL|IMPLEMENTATION|INLINE_ALL|PRIVATE_API|TESTS?)$`)
	definition  = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)`)
	typedefLine = regexp.MustCompile(`(?m)^[ \t]*typedef[^;{(]*?(\w+)[ \t]*;`)
	lineMarker  = regexp.MustCompile(`^# \d+ "([^"]*)"`)
	// printed matches a function name.
	printed = regexp.MustCompile(`(\w+) \([^*]`)
)

// macros are the names that one header defines itself, without its guard.
func macros(ctx context.Context, dir, file string) []string {
	text, err := exec.CommandContext(ctx, compilers[0], append(included(dir)[:8], "-E", "-dD", file)...).Output() //nolint:gosec // the directory is the user's argument
	if err != nil {
		return nil
	}
	header, _ := os.ReadFile(file) //nolint:errcheck // the compiler has read it
	var out []string
	here := false
	for line := range strings.Lines(string(text)) {
		if at := lineMarker.FindStringSubmatch(line); at != nil {
			here = filepath.Clean(at[1]) == filepath.Clean(file)
		}
		if m := definition.FindStringSubmatch(line); m != nil && here && m[1][0] != '_' && !guards(string(header), m[1]) {
			out = append(out, m[1])
		}
	}
	return out
}

// guards reports whether a macro keeps a header from being read twice.
func guards(header, macro string) bool {
	at := definition.FindStringIndex(header)
	return at != nil && regexp.MustCompile(`^\s*#\s*(?:ifndef\s+|if\s+!\s*defined[\s(]*)`+macro+`\b`).MatchString(header[:at[1]][strings.LastIndex("\n"+header[:at[0]], "\n#"):])
}

// prototypes are the functions that one header declares itself, each as the compiler has it. Nil when it does not compile here.
func prototypes(ctx context.Context, compiler, dir, file string, options ...string) map[string]string {
	told, err := os.CreateTemp("", "causal-api")
	if err != nil {
		return nil
	}
	defer func() { _ = os.Remove(told.Name()) }()
	args := append(append(options, included(dir)...), "-aux-info", told.Name(), file)
	if exec.CommandContext(ctx, compiler, args...).Run() != nil { //nolint:gosec // the directory is the user's argument
		return nil
	}
	text, err := os.ReadFile(told.Name())
	if err != nil {
		return nil
	}
	out := map[string]string{}
	for line := range strings.Lines(string(text)) {
		place, rest, _ := strings.Cut(strings.TrimPrefix(line, "/* "), ":")
		_, declared, _ := strings.Cut(rest, "*/ ")
		if name := printed.FindStringSubmatch(declared); name != nil && filepath.Clean(place) == filepath.Clean(file) {
			out[name[1]], _, _ = strings.Cut(declared, ";")
		}
	}
	return out
}

// included are the options with which a compiler only reads a header.
func included(dir string) []string {
	return []string{"-x", "c", "-w", "-I", dir, "-I", filepath.Join(dir, "include"), "-I", filepath.Join(dir, "src"), "-fsyntax-only"}
}
