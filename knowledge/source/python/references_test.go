package python

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/sourcetest"
)

// named is what CPython says that declarations use: the names by symbol, those of the file under "".
type named struct {
	Path, Error string
	Names       map[string][]string
}

// shares counts references, of which some are open; certain are the names of the others, each once for a symbol.
type shares struct{ files, skipped, references, open, certain, wrong, missing int }

// TestNamesAgainstCPython compares the certain references of every declaration with CPython's symbol tables, for a sample of the installed
// modules and the files in testdata/names.
func TestNamesAgainstCPython(t *testing.T) {
	t.Parallel()
	own, err := filepath.Glob(filepath.Join("testdata", "names", "*.py"))
	if err != nil || len(own) == 0 {
		t.Fatal(own, err)
	}
	var sum, strict shares
	for _, want := range ask[named](t, "names.py", own) {
		if want.Error != "" {
			t.Errorf("%s: %s", want.Path, want.Error)
		}
		strict.compare(t, want, t.Errorf)
	}
	for _, want := range ask[named](t, "names.py", corpus(t, 40)) {
		if want.Error != "" {
			sum.skipped++
			continue
		}
		sum.compare(t, want, t.Logf)
	}
	t.Logf("%+v, in testdata %+v", sum, strict)
	if sum.wrong*1000 > sum.certain*5 || sum.missing*1000 > sum.certain*5 {
		t.Errorf("of %d certain references %d are wrong and %d missing", sum.certain, sum.wrong, sum.missing)
	}
}

func (s *shares) compare(t *testing.T, want named, report func(string, ...any)) {
	t.Helper()
	src, err := os.ReadFile(want.Path)
	if err != nil {
		t.Fatal(err)
	}
	s.files++
	f := Language{}.Extract(context.Background(), filepath.ToSlash(want.Path), src)
	sourcetest.CheckFile(t, f)
	checkBodies(t, string(src), f)
	bodies := map[string][]source.Reference{"": f.Body}
	for _, sym := range f.Symbols {
		bodies[sym.Name] = sym.Body
	}
	for owner := range want.Names {
		if _, ok := bodies[owner]; !ok {
			report("%s: %s is no symbol", want.Path, owner)
		}
	}
	fields := map[string]bool{} // their types
	for _, sym := range f.Symbols {
		for _, h := range sym.Headers() {
			fields[strings.Trim(h.Result, `'"`)] = sym.Kind == source.Field || fields[h.Result]
		}
	}
	for owner, body := range bodies {
		s.compareBody(want, owner, body, fields, report)
	}
}

// compareBody ignores predeclared names, which CPython does not distinguish, and members of field types, which it does not know.
func (s *shares) compareBody(want named, owner string, body []source.Reference, fields map[string]bool, report func(string, ...any)) {
	var have []string
	for _, r := range body {
		s.references++
		if r.Open {
			s.open++
		} else {
			have = append(have, r.Name)
		}
	}
	have = slices.Compact(have)
	s.certain += len(have)
	for _, n := range have {
		if !slices.Contains(want.Names[owner], n) && !fields[n[:max(strings.LastIndexByte(n, '.'), 0)]] {
			s.wrong++
			report("%s: %q uses %s, and CPython does not say so", want.Path, owner, n)
		}
	}
	for _, n := range want.Names[owner] {
		if !slices.Contains(have, n) && !isPredeclared(n) {
			s.missing++
			report("%s: %q uses %s, and that is not seen", want.Path, owner, n)
		}
	}
}

func isPredeclared(dotted string) bool {
	first, _, _ := strings.Cut(dotted, ".")
	return predeclared[first]
}

// checkBodies checks the invariants of references.
func checkBodies(t testing.TB, src string, f source.File) {
	t.Helper()
	lines := 1 + len(src) // a line has at least its end
	check := func(owner string, refs []source.Reference) {
		for i, r := range refs {
			if r.Name == "" || r.Line < 1 || r.Line > lines || r.Open && strings.Contains(r.Name, ".") {
				t.Errorf("%q: %+v", owner, r)
			}
			if i > 0 && compareReferences(refs[i-1], r) >= 0 {
				t.Errorf("%q: not sorted and unique: %+v, %+v", owner, refs[i-1], r)
			}
		}
	}
	check("", f.Body)
	for _, s := range f.Symbols {
		check(s.Name, s.Body)
	}
}

func compareReferences(a, b source.Reference) int {
	open := func(r source.Reference) int {
		if r.Open {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Kind, b.Kind), open(a)-open(b))
}
