package render

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
)

// mostProvided bounds the types in service files: each is looked up in all modules whose path ends like its package.
const mostProvided = 4096

// provider is a Java type that a service file registers; names are fully qualified.
type provider struct{ service, name, file string }

// providersOf reads the service files, except those of tests.
func providersOf(f *facts) (out []provider) {
	for _, file := range ask(f, survey.FilesFor, survey.ServiceList) {
		if supportsTests(file) {
			continue
		}
		for line := range strings.Lines(string(f.blob(file))) {
			name, _, _ := strings.Cut(line, "#")
			if name = strings.TrimSpace(name); len(out) < mostProvided && isClassName(name) && isClassName(path.Base(file)) {
				out = append(out, provider{path.Base(file), name, file})
			}
		}
	}
	return out
}

// isClassName reports whether a text may be a fully qualified class name.
func isClassName(text string) bool {
	parts := strings.Split(text, ".")
	return len(parts) > 1 && !slices.ContainsFunc(parts, func(part string) bool {
		return part == "" || strings.ContainsAny(part, " \t/\\:;,<>()[]{}'\"`|")
	})
}

// classes finds the modules that declare classes.
type classes struct {
	*facts
	byBase map[string][]string // modules by the last path element
}

func newClasses(f *facts, modules []string) classes {
	c := classes{f, map[string][]string{}}
	for _, m := range modules {
		c.byBase[path.Base(m)] = append(c.byBase[path.Base(m)], m)
	}
	return c
}

// find returns the module that declares a class, and its name there. Among several it prefers the longest common path
// with the service file.
func (c classes) find(class, near string) (module, name string) {
	dot := strings.LastIndexByte(class, '.')
	dir := strings.ReplaceAll(class[:dot], ".", "/")
	name = strings.ReplaceAll(class[dot+1:], "$", ".")
	outer, _, _ := strings.Cut(name, ".")
	most := -1
	for _, m := range c.byBase[path.Base(dir)] {
		if m != dir && !strings.HasSuffix(m, "/"+dir) {
			continue
		}
		if n, there := inCommon(m, near), c.has(m, outer); there && n > most {
			module, most = m, n
		}
	}
	return module, name
}

func (c classes) has(module, class string) bool {
	for _, t := range source.AllTraits() {
		if t.Root == "" {
			continue
		}
		if ask(c.facts, survey.Exists, path.Join(module, class+t.PackageFiles[0])) {
			return true
		}
	}
	return false
}

func inCommon(a, b string) int {
	n := 0
	for {
		x, restA, moreA := strings.Cut(a, "/")
		y, restB, moreB := strings.Cut(b, "/")
		if x != y {
			return n
		}
		if n++; !moreA || !moreB {
			return n
		}
		a, b = restA, restB
	}
}

// provide adds the registrations of service files, except those that the module's own declarations already have.
func provide(all []extensions, c classes, providers []provider) []extensions {
	at, given := map[string]int{}, map[placedUse]bool{}
	for i, x := range all {
		at[x.module] = i
		for _, g := range x.Given {
			given[placedUse{x.module, g.Of, g.ID}] = true
		}
	}
	for _, p := range providers {
		module, name := c.find(p.name, p.file)
		if module == "" || supportsTests(module) || isExample(Summary{Path: module}) {
			continue
		}
		one := placedUse{module, c.service(p, module), name}
		if given[one] {
			continue
		}
		given[one] = true
		if _, there := at[module]; !there {
			at[module] = len(all)
			all = append(all, extensions{module: module})
		}
		all[at[module]].provides(one.of, name, p.file)
	}
	return all
}

// placedUse identifies a registration of a module.
type placedUse struct{ module, of, id string }

// service returns the registry ID of a provided interface.
func (c classes) service(p provider, module string) string {
	switch declares, name := c.find(p.service, p.file); declares {
	case "":
		dot := strings.LastIndexByte(p.service, '.')
		return outside + p.service[:dot] + "#" + p.service[dot+1:]
	case module:
		return name
	default:
		return canonical.Path(declares) + "#" + name
	}
}

func (x *extensions) provides(service, name, file string) {
	up := strings.Repeat("../", strings.Count(path.Join(x.module, "x"), "/"))
	g := registration{Of: service, ID: name, Shown: name, File: up + file}
	if i := slices.IndexFunc(x.Types, func(t implementer) bool { return t.Name == name }); i >= 0 {
		t := x.Types[i]
		g.Shown, g.Typed, g.In, g.Anchor = t.Shown, t.Typed, t.File, t.Anchor
	}
	x.Given = append(x.Given, g)
}
