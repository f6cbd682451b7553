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

	"github.com/causaldocs/causal/knowledge/source"
)

// compilers are those that are asked: a header says other things to one for another system. The first is that of this one.
var compilers = []string{"gcc", "x86_64-w64-mingw32-gcc"}

// gccPrototypes lists the functions of the headers that are to be included, as far as they compile here. What a header declares for
// another system, or when somebody defines what it asks for, is neither missed nor wrong.
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
	for _, s := range symbols {
		if _, asked := compiled[s.Import]; asked {
			continue
		}
		file := headerFile(files, s.Import)
		found := prototypes(ctx, compilers[0], dir, file)
		if compiled[s.Import] = found != nil; found == nil {
			fmt.Fprintf(os.Stderr, "%s does not compile alone here\n", s.Import)
			continue
		}
		said, err := clangDocs(ctx, dir, file)
		if err != nil {
			return account{}, err
		}
		for name, signature := range found {
			out[name], told[name] = true, telling{signature, said[name]}
		}
		if err := inOtherWays(ctx, dir, file, elsewhere); err != nil {
			return account{}, err
		}
	}
	return account{public: out, tells: func(s *symbol) bool {
		return s.Kind == source.Func && compiled[s.Import] && (out[s.As[0]] || !elsewhere[s.As[0]])
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

// headerFile is the file that an import means, or the end of it where it is installed below a directory that is not there.
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

// inOtherWays adds what a header declares for other systems, and with each of the macros that it asks for.
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
	for _, compiler := range compilers {
		declare(out, prototypes(ctx, compiler, dir, file))
		for macro, ask := range asked {
			if ask {
				declare(out, prototypes(ctx, compiler, dir, file, "-D"+macro))
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
	// ownMacro matches what a library defines when it is built or tested itself.
	ownMacro = regexp.MustCompile(`_(?:IMPL|IMPLEMENTATION|INLINE_ALL|PRIVATE_API|TESTS?)$`)
	// printed matches the name of a function, whatever it returns.
	printed = regexp.MustCompile(`(\w+) \([^*]`)
)

// prototypes are the functions that one header declares itself, each as the compiler has it. Nil when it does not compile here.
func prototypes(ctx context.Context, compiler, dir, file string, options ...string) map[string]string {
	told, err := os.CreateTemp("", "causal-api")
	if err != nil {
		return nil
	}
	defer func() { _ = os.Remove(told.Name()) }()
	args := append(append(options, included(dir)...), "-aux-info", told.Name(), file)
	if exec.CommandContext(ctx, compiler, args...).Run() != nil { //nolint:gosec // somebody named the directory
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
	return []string{"-x", "c", "-w", "-I", dir, "-I", filepath.Join(dir, "include"), "-fsyntax-only"}
}
