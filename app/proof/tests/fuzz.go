package main

import (
	"context"
	"fmt"
	"go/format"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Names of what fuzzing needs in a package.
const (
	harnessFile   = "zz_proof_fuzz_test.go"
	harnessPrefix = "FuzzProof_"
)

// harnesses writes a fuzz target for each function of a package that takes nothing but text, bytes and numbers: what can be written
// without knowing the package. It returns the names of the functions; the code is nil where there are none.
func harnesses(pkg *types.Package, without []string) (code []byte, names []string, err error) {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s_test\n\nimport (\n\"testing\"\n\ntarget %q\n)\n", pkg.Name(), pkg.Path())
	for _, name := range pkg.Scope().Names() {
		f, ok := pkg.Scope().Lookup(name).(*types.Func)
		if !ok || !f.Exported() || slices.Contains(without, name) {
			continue
		}
		params := fuzzable(f.Signature())
		if params == nil {
			continue
		}
		var zeros, declared, passed []string
		for i, p := range params {
			a := fmt.Sprintf("a%d", i)
			zeros, declared, passed = append(zeros, zero(p)), append(declared, a+" "+p), append(passed, a)
		}
		fmt.Fprintf(&b, "\nfunc %s%s(f *testing.F) {\nf.Add(%s)\nf.Fuzz(func(t *testing.T, %s) {\ntarget.%s(%s)\n})\n}\n",
			harnessPrefix, name, strings.Join(zeros, ", "), strings.Join(declared, ", "), name, strings.Join(passed, ", "))
		names = append(names, name)
	}
	if len(names) == 0 {
		return nil, nil, nil
	}
	code, err = format.Source([]byte(b.String()))
	return code, names, err
}

// fuzzable lists the types of the parameters of a function, as the testing package takes them; nil when it takes another one, or none.
func fuzzable(s *types.Signature) (out []string) {
	if s.TypeParams() != nil || s.Variadic() {
		return nil
	}
	for p := range s.Params().Variables() {
		switch t := types.Unalias(p.Type()).(type) {
		case *types.Basic:
			if t.Info()&(types.IsBoolean|types.IsInteger|types.IsFloat|types.IsString) == 0 || t.Kind() == types.Uintptr {
				return nil
			}
			out = append(out, t.Name())
		case *types.Slice:
			if e, ok := types.Unalias(t.Elem()).(*types.Basic); !ok || e.Kind() != types.Uint8 {
				return nil
			}
			out = append(out, "[]byte")
		default:
			return nil
		}
	}
	return out
}

// zero is the zero value of a type that can be fuzzed, with that type.
func zero(t string) string {
	switch t {
	case "string", "[]byte":
		return t + `("")`
	case "bool":
		return "false"
	}
	return t + "(0)"
}

// crashed is what the testing package says of an input that makes a target fail: one that was found, or the one that it began with. On a
// busy machine a target that found nothing may fail as well, for ending late.
var crashed = regexp.MustCompile(`Failing input written|failure while testing seed corpus entry`)

// fuzzed is what came of fuzzing a library.
type fuzzed struct {
	harnesses int
	crashed   []string // those that crash as the library is: they can show nothing more
}

// fuzz fuzzes the functions of a library for so long, all together, and leaves what it found of interest where the tests of each package
// look for it. It returns the harnesses that do not crash without a mutant.
func (s *subject) fuzz(ctx context.Context, budget time.Duration) (files map[string][]byte, sum fuzzed, err error) {
	files = map[string][]byte{}
	of := map[*unit][]string{}
	for _, u := range s.units {
		code, names, err := harnesses(u.types, nil)
		if err != nil {
			return nil, sum, err
		}
		if code != nil {
			files[path.Join(u.dir, harnessFile)], of[u] = code, names
			sum.harnesses += len(names)
		}
	}
	over, err := s.lay(files)
	if err != nil || sum.harnesses == 0 {
		return files, sum, err
	}
	each := budget / time.Duration(sum.harnesses)
	for _, u := range s.units {
		if of[u] == nil {
			continue
		}
		crashing, err := s.fuzzUnit(ctx, u, s.of(u, over), of[u], each)
		if err != nil {
			return nil, sum, err
		}
		for _, name := range crashing {
			sum.crashed = append(sum.crashed, path.Base(u.path)+"."+name)
		}
		code, _, err := harnesses(u.types, crashing)
		if err != nil {
			return nil, sum, err
		}
		if files[path.Join(u.dir, harnessFile)] = code; code == nil {
			delete(files, path.Join(u.dir, harnessFile))
		}
	}
	return files, sum, nil
}

// fuzzUnit fuzzes the functions of a package, each for so long, and lists those that crash.
func (s *subject) fuzzUnit(ctx context.Context, u *unit, over layer, names []string, each time.Duration) (crashing []string, err error) {
	binary := filepath.Join(s.dir, "fuzz.test")
	if err := s.mustBuild(ctx, u, over, binary, "-fuzz=."); err != nil {
		return nil, err
	}
	seeds, found := s.at(path.Join(u.dir, "testdata", "fuzz")), filepath.Join(s.dir, "corpus", filepath.FromSlash(u.dir))
	for _, name := range names {
		target := harnessPrefix + name
		said, ok, err := s.test(ctx, u, confined, binary, each+time.Minute, "-test.run=^$", "-test.fuzz=^"+target+"$", "-test.fuzztime="+each.String(),
			"-test.fuzzcachedir="+found, "-test.parallel=2")
		if err != nil {
			return nil, err
		}
		if !ok && crashed.MatchString(said) {
			crashing = append(crashing, name)
			if err := os.RemoveAll(filepath.Join(seeds, target)); err != nil {
				return nil, err
			}
			continue
		}
		if _, err := os.Stat(filepath.Join(found, target)); err != nil {
			continue // nothing of interest beside what it began with
		}
		if err := os.CopyFS(filepath.Join(seeds, target), os.DirFS(filepath.Join(found, target))); err != nil {
			return nil, err
		}
	}
	return crashing, nil
}
