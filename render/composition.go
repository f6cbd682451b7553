package render

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/node"
)

const fewNames = 3

// composition describes an undocumented module by what its code plainly does; empty if it only declares types and
// functions, which the page lists. It contains no numbers, which would change with every symbol.
func composition(k *survey.Module, implements []source.Implementation) string {
	var parts []string
	switch kind := kindOf(k); {
	case kind == kindTests, mostlyTests(k):
		if names := testSubjects(k); len(names) > 0 {
			parts = []string{"tests of " + someNames(names)}
		}
	case isProduct(Summary{Path: k.Module.Path, Kind: kind}):
		if parts = statements(k, behaviorOf(k, implements)); len(parts) == 0 {
			parts = mostImplement(k, implements)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return upper(strings.Join(parts, "; ")) + "."
}

// stated are the elements that a purpose names. A registry must belong to the repository.
var stated = []struct {
	noun, of string
	holds    func(b node.Behavior) bool
}{
	{"command", "", func(b node.Behavior) bool { return b.Kind == source.Command }},
	{"job", "", func(b node.Behavior) bool { return b.Kind == source.Job }},
	{"table", "", func(b node.Behavior) bool { return b.Kind == source.Data && b.Value == "SQL" }},
	{"model", "", func(b node.Behavior) bool { return b.Kind == source.Data && b.Value != "SQL" }},
	{"registration", "of ", func(b node.Behavior) bool {
		_, _, away := whose("", b.Of)
		return b.Kind == source.Register && !away
	}},
}

// statements names the elements that are in most files of a module.
func statements(k *survey.Module, facts []node.Behavior) []string {
	read := filesWithCode(k)
	parts := commonRoute(k.Module.Path, facts, read)
	for _, s := range stated {
		files := map[string]bool{}
		var names []string
		for _, b := range facts {
			if !s.holds(b) || b.Name == "" || b.Name == source.Unknown || b.Usage == source.Hidden || b.Usage != "" && b.Kind == source.Data {
				continue
			}
			if files[b.File] = true; b.Kind == source.Command && bare(b.Name) == bare(dirName(k.Module.Path)) {
				continue // the program itself
			}
			if !slices.Contains(names, b.Name) {
				names = append(names, b.Name)
			}
		}
		if len(names) == 0 || 2*len(files) <= read || s.of != "" && restates(strings.Join(names, " "), k.Module.Path) {
			continue
		}
		noun := s.noun
		if len(names) > 1 {
			noun += "s"
		}
		if len(names) > fewNames && s.of != "" { // registered names
			names = families(names)
		}
		parts = append(parts, noun+" "+s.of+someNames(names))
	}
	return parts
}

// filesWithCode counts the files of a module that declare something, without tests.
func filesWithCode(k *survey.Module) (n int) {
	for _, u := range k.Module.Units {
		if u.Opaque == "" && !u.File.Test && len(u.File.Symbols)+len(u.File.Facts) > 0 {
			n++
		}
	}
	return n
}

func someNames(names []string) string {
	return list(first(names, fewNames))
}

// commonRoute names the only route of a module, or the common path of its routes, if most of its files have routes. An
// ellipsis stands for an unknown mount path.
func commonRoute(module string, facts []node.Behavior, read int) []string {
	routes, files := routesOf([]surface{{module: module, Elements: facts}}), map[string]bool{}
	var common []string
	unknown := ""
	for i, e := range routes {
		_, route, _ := strings.Cut(e.Name, "/")
		segments := strings.Split(strings.TrimSuffix(route, "/"), "/")
		if i == 0 {
			common = segments
		}
		n := 0
		for n < min(len(common), len(segments)) && common[n] == segments[n] && !strings.ContainsAny(common[n], ":{<*$?[(") {
			n++
		}
		common, files[e.File] = common[:n], true
		if e.Of != "" {
			unknown = "…"
		}
	}
	switch text := strings.Join(common, "/"); {
	case text == "" || 2*len(files) <= read || restates(strings.TrimPrefix(text, "api/"), module):
		return nil
	case len(routes) == 1:
		return []string{"route " + strings.Replace(routes[0].Name, "/", unknown+"/", 1)}
	default:
		return []string{"routes below " + unknown + "/" + text}
	}
}

// mostlyTests reports whether a module below a test directory has more tests than other files.
func mostlyTests(k *survey.Module) bool {
	tests := 0
	for _, u := range k.Module.Units {
		if u.File.Test {
			tests++
		}
	}
	return 2*tests > len(k.Module.Units) && underTests.MatchString(k.Module.Path)
}

// mostImplement names the type that at least half of a module's types, in more than half of its files, implement or extend.
func mostImplement(k *survey.Module, implements []source.Implementation) []string {
	types, by, files := map[string]*source.Declared{}, map[source.Use][]string{}, map[source.Use]map[string]bool{}
	for i := range k.Declared {
		if d := &k.Declared[i]; holdsMembers[d.Kind] && !strings.Contains(d.Symbol.Name, ".") && !isDouble.MatchString(d.Symbol.Name) {
			types[d.Name] = d
		}
	}
	var best source.Use
	for _, i := range implements {
		if d := types[i.Type]; d != nil && !slices.Contains(by[i.Of], d.Symbol.Name) {
			if files[i.Of] == nil {
				files[i.Of] = map[string]bool{}
			}
			files[i.Of][d.Path] = true
			by[i.Of] = append(by[i.Of], d.Symbol.Name)
		}
		if len(by[i.Of]) > len(by[best]) {
			best = i.Of
		}
	}
	if len(by[best]) < leastImplementers || 2*len(by[best]) < len(types) || 2*len(files[best]) <= filesWithCode(k) {
		return nil
	}
	of := lastElement(best.Name)
	if best.Module != k.Module.Path && best.Module != "." {
		of += " of " + canonical.Path(dirName(best.Module))
	}
	return []string{"implementations of " + of + ": " + someNames(by[best])}
}
