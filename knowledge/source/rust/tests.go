package rust

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

func (o *outline) testNames() []string {
	var out []string
	for i := 0; i+1 < len(o.toks); i++ {
		if o.toks[i].class != punct || !o.is(i, "#") || !o.is(i+1, "[") {
			continue
		}
		behind := o.attributes(len(o.toks), i)
		if o.isTest(i, behind) {
			at, _ := o.visibility(behind)
			if at, kind := o.qualifiers(at); kind == "fn" && o.class(at+1) == word {
				out = append(out, o.validName(at+1))
			}
		}
		i = behind - 1
	}
	return source.Unique(out)
}

// inTestFolder reports whether Cargo's conventions make the file a test.
func inTestFolder(name string) bool {
	return source.InFolder(path.Dir(name), "tests", "benches")
}

// namedAsTest reports whether the file name is that of a test module.
func namedAsTest(name string) bool {
	base := strings.TrimSuffix(path.Base(name), ".rs")
	return base == "tests" || base == "test" || strings.HasSuffix(base, "_tests") || strings.HasSuffix(base, "_test")
}

// onlyTests reports whether a file with tests contains nothing else of use. A file named like tests is one unless it
// exports items and has a separate test module. Any other file is one if its tests are bare and nothing else in it is
// usable by others.
func (o *outline) onlyTests(name string) bool {
	if namedAsTest(name) {
		return o.bareTests || !slices.ContainsFunc(o.items, func(it *item) bool { return it.exported })
	}
	if !o.bareTests {
		return false
	}
	declared := map[string]bool{}
	for _, it := range o.items {
		declared[it.name] = true
	}
	for _, it := range o.items {
		owner, _, _ := strings.Cut(it.name, ".<")
		switch {
		case it.rest > it.first, it.name == "main", it.kind == source.Namespace, it.kind == source.Macro:
			return false
		case it.form == merged && !declared[owner]:
			return false
		}
	}
	return !slices.ContainsFunc(o.impls, func(s *scope) bool { return !declared[s.name()] })
}

func isEntry(name string) bool {
	return path.Base(name) == "main.rs" || programIn(name) != ""
}

// programIn returns the name of the program whose only file has this path.
func programIn(file string) string {
	dir, name := path.Dir(file), strings.TrimSuffix(path.Base(file), ".rs")
	if name == "main" || dir != "src/bin" && !strings.HasSuffix(dir, "/src/bin") && !slices.Contains(strings.Split(dir, "/"), "examples") {
		return ""
	}
	return name
}
