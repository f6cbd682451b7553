package render

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

// registration is what a module gives to a registry while the program starts.
type registration struct {
	Of    string `json:"of"`             // the registry, as in a node
	Name  string `json:"name,omitempty"` // under which it is registered
	ID    string `json:"id,omitempty"`   // what is registered, as in a node
	Shown string `json:"shown,omitempty"`
	// Typed, In and Anchor are Typed, File and Anchor of a point.
	Typed  bool   `json:"typed,omitempty"`
	In     string `json:"in,omitempty"`
	Anchor string `json:"anchor,omitempty"`
	File   string `json:"file"`
	At     string `json:"at,omitempty"`
	Line   int    `json:"line,omitempty"`
	Guard  string `json:"guard,omitempty"` // the build constraint under which alone it is done
}

// verbs are what the names of functions begin with that others may register with.
var verbs = []string{"Register", "MustRegister", "register", "Add", "add"}

// mayRegister reports whether a function may be a registry by its name.
func mayRegister(e *entry) bool {
	return e.Kind == source.Func && slices.ContainsFunc(verbs, func(verb string) bool {
		name := lastElement(e.Name)
		return strings.HasPrefix(name, verb)
	})
}

// registry is what modules register with, with all that they do.
type registry struct {
	module, name string
	away         bool // it is no function of the repository
	about        *point
	given        []placed
	others       int // how many other modules register with it
}

// placed is a registration with the module that makes it.
type placed struct {
	registration

	module string
}

// registriesOf brings registries together with what is registered, those first with which most other modules register, and
// then those that are not of the repository.
func registriesOf(all []extensions) []*registry {
	byUse := map[source.Use]*registry{}
	var out []*registry
	for _, x := range all {
		for _, g := range x.Given {
			module, name, away := whose(x.module, g.Of)
			key := source.Use{Module: module, Name: name}
			if away {
				key.Module = outside + module
			}
			r := byUse[key]
			if r == nil {
				r = &registry{module: module, name: name, away: away}
				byUse[key] = r
				out = append(out, r)
			}
			if n := len(r.given); x.module != module && (n == 0 || r.given[n-1].module != x.module) {
				r.others++
			}
			r.given = append(r.given, placed{g, x.module})
		}
	}
	for _, x := range all {
		for _, p := range slices.Concat(x.Points, x.Registries) {
			if r := byUse[source.Use{Module: x.module, Name: p.Name}]; r != nil {
				r.about = &p
			}
		}
	}
	sortRegistries(out)
	return out
}

func sortRegistries(list []*registry) {
	slices.SortStableFunc(list, func(a, b *registry) int {
		return cmp.Or(rankOf(a.away)-rankOf(b.away), b.others-a.others, strings.Compare(a.shown(), b.shown()), strings.Compare(a.module, b.module))
	})
	for _, r := range list {
		slices.SortStableFunc(r.given, func(a, b placed) int {
			return cmp.Or(strings.Compare(a.Name, b.Name), rankOf(forTests(a.module))-rankOf(forTests(b.module)), strings.Compare(a.Shown, b.Shown))
		})
	}
}

// rankOf puts what is so behind what is not.
func rankOf(so bool) int {
	if so {
		return 1
	}
	return 0
}

// testSupport matches modules that are there for tests by their name.
var testSupport = lazyregexp.New(`(?i)(^|/)(test|mock|fake|stub)[^/]*$|(test|tests|testing|testutils?|mocks?|fakes?)$`)

// forTests reports whether a module is there to test others with: what it has comes behind the others.
func forTests(module string) bool { return testSupport.MatchString(module) }

// shown is what the registry is called.
func (r *registry) shown() string {
	switch {
	case r.away:
		return typedAway(r.module, r.name)
	case r.about != nil:
		return r.about.Shown
	}
	return shortRegistry(r.name)
}

// link names a registry, and leads to what is said of it.
func (r *registry) link(p *operatorPage, g graph) string {
	switch {
	case r.away:
		return markdown.Code(r.shown())
	case r.about != nil:
		return p.symbolLink(g, r.module, r.about.sign())
	}
	return p.symbolLink(g, r.module, sign{name: r.name, shown: shortRegistry(r.name), typed: strings.Contains(r.name, ".")})
}

// shortRegistry is a registry by the variable or the type that has it: what stands before that is its file.
func shortRegistry(name string) string {
	if parts := strings.Split(name, "."); len(parts) > 2 {
		return strings.Join(parts[len(parts)-2:], ".")
	}
	return name
}

// registryBytes is the room for what is registered with one registry.
const registryBytes = 16 << 10

// registries are the sections of the registries.
func (p *operatorPage) registries(g graph, list []*registry) []string {
	var out []string
	for _, r := range list {
		text := "### " + r.link(p, g) + paragraph
		switch {
		case r.away:
			text += "Of " + markdown.Code(r.module) + ", which is not of this repository." + paragraph
		case r.about != nil && r.about.About != "":
			text += r.about.About + paragraph
		}
		var rows [][]string
		for _, x := range r.given {
			rows = append(rows, p.registered(g, x))
		}
		lines := table([]string{"Name", "What", "In"}, rows)
		shown, more := few(lines[1:], registryBytes)
		text += lines[0] + strings.Join(shown, "") + "\n"
		if more > 0 {
			text += "More are listed on the module pages.\n\n"
		}
		out = append(out, text)
	}
	return out
}

// registered are the cells of a registration: the name, what has it, and where that is said.
func (p *operatorPage) registered(g graph, x placed) []string {
	name, what := "", ""
	if x.Name != "" {
		name = markdown.Cell(markdown.Code(x.Name))
	}
	if x.ID != "" {
		what = markdown.Cell(p.thingLink(g, x))
	}
	place := element{node.Behavior{File: x.File, At: x.At, Line: x.Line}, x.module}
	where := markdown.Link(markdown.Code(canonical.Path(place.file())), p.place(place))
	return []string{name, what, markdown.Cell(where + onlyWith(x.Guard))}
}

// onlyWith says under which build constraint alone something is done.
func onlyWith(guard string) string {
	if guard == "" {
		return ""
	}
	return " (only with " + markdown.Code(guard) + ")"
}

// thingLink names what is registered.
func (p *operatorPage) thingLink(g graph, x placed) string {
	module, name, away := whose(x.module, x.ID)
	switch {
	case away:
		return markdown.Code(typedAway(module, name))
	case module != x.module:
		return p.symbolLink(g, module, sign{name: name, shown: name})
	}
	return p.symbolLink(g, module, x.sign())
}

// brought says which modules import others for nothing but what these do when the program starts, among which they register.
func (p *operatorPage) brought(g graph, all []extensions) string {
	starts := map[string]bool{}
	for _, x := range all {
		starts[x.module] = len(x.Given)+len(x.Brings) > 0
	}
	text := ""
	for _, x := range all {
		var names []string
		for _, m := range x.Brings {
			if starts[m] {
				names = append(names, p.moduleLink(g, m))
			}
		}
		if len(names) > mostImplementers {
			names = append(names[:mostImplementers], "others")
		}
		if len(names) > 0 {
			text += "- " + p.moduleLink(g, x.module) + " brings in " + list(names) + "\n"
		}
	}
	if text == "" {
		return ""
	}
	return "## Imported for registration\n\n" + text + "\n"
}

func (p *operatorPage) moduleLink(g graph, module string) string {
	return markdown.Link(markdown.Code(label(g, module)), p.config.pageLink(p.path, g, module))
}
