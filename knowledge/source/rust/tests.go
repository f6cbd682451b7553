package rust

import (
	"path"
	"slices"
	"strings"
)

// testNames lists the functions that the file's test attributes mark, wherever they stand.
func (o *outline) testNames() []string {
	var out []string
	for i := 0; i+1 < len(o.toks); i++ {
		if o.toks[i].class != punct || !o.is(i, "#") || !o.is(i+1, "[") {
			continue
		}
		a := attribute{start: i + 2, end: int(o.toks[i+1].mate)}
		if !testAttributes[o.lastSegment(a)] {
			continue
		}
		if name := o.functionName(a.end + 1); name != "" {
			out = append(out, name)
		}
		i = a.end
	}
	return sortedSet(out)
}

// functionName is the name of the function behind the attributes that may go on at i.
func (o *outline) functionName(i int) string {
	i = o.behindAttributes(i)
	i, _ = o.visibility(i)
	i, kind := o.qualifiers(i)
	if kind != "fn" {
		return ""
	}
	return toValid(o.name(i + 1))
}

// inTestFolder reports whether the build tool's conventions make the file a test.
func inTestFolder(name string) bool {
	for _, dir := range strings.Split(path.Dir(name), "/") {
		if dir == "tests" || dir == "benches" {
			return true
		}
	}
	return false
}

// namedAsTest reports whether a file is by its name the test module of its neighbour.
func namedAsTest(name string) bool {
	base := strings.TrimSuffix(path.Base(name), ".rs")
	return base == "tests" || base == "test" || strings.HasSuffix(base, "_tests") || strings.HasSuffix(base, "_test")
}

// isEntry reports whether a file's place makes its main function a program.
func isEntry(name string) bool {
	dir := path.Dir(name)
	return path.Base(name) == "main.rs" || dir == "src/bin" || strings.HasSuffix(dir, "/src/bin") ||
		slices.Contains(strings.Split(dir, "/"), "examples")
}
