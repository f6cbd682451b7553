package render

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

// registration is an entry that a module adds to a registry at program start.
type registration struct {
	Of    string `json:"of"` // the registry's ID in the node
	Name  string `json:"name,omitempty"`
	ID    string `json:"id,omitempty"` // the registered thing's ID in the node
	Shown string `json:"shown,omitempty"`
	// Typed, In and Anchor are Typed, File and Anchor of a point.
	Typed  bool   `json:"typed,omitempty"`
	In     string `json:"in,omitempty"`
	Anchor string `json:"anchor,omitempty"`
	File   string `json:"file"`
	At     string `json:"at,omitempty"`
	Line   int    `json:"line,omitempty"`
	Guard  string `json:"guard,omitempty"` // build constraint
}

// verbs are the prefixes of registering functions.
var verbs = []string{"Register", "MustRegister", "register", "Add", "add"}

// mayRegister reports whether a function may be a registry by its name.
func mayRegister(e *entry) bool {
	return e.Kind == source.Func && slices.ContainsFunc(verbs, func(verb string) bool {
		name := lastElement(e.Name)
		return strings.HasPrefix(name, verb)
	})
}

// registry is a function or value with which modules register.
type registry struct {
	module, name string
	away         bool // outside the repository
	about        *point
	given        []placed
	others       int // how many other modules register with it
}

type placed struct {
	registration

	module string
}

// registriesOf groups registrations by registry: those with the most other modules first, external registries last.
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

// rankOf sorts true after false.
func rankOf(so bool) int {
	if so {
		return 1
	}
	return 0
}

// testSupport matches modules for tests by name.
var testSupport = lazyregexp.New(`(?i)(^|/)(test|mock|fake|stub)[^/]*$|(test|tests|testing|testutils?|mocks?|fakes?)$`)

// forTests reports whether a module supports tests; its entries come last.
func forTests(module string) bool { return testSupport.MatchString(module) }

func (r *registry) shown() string {
	switch {
	case r.away:
		return typedAway(r.module, r.name)
	case r.about != nil:
		return r.about.Shown
	}
	return shortRegistry(r.name)
}

func (r *registry) link(p *operatorPage) string {
	switch {
	case r.away:
		return markdown.Code(r.shown())
	case r.about != nil:
		return p.symbolLink(r.module, r.about.sign)
	}
	return p.symbolLink(r.module, sign{Name: r.name, Shown: shortRegistry(r.name), Typed: strings.Contains(r.name, ".")})
}

// shortRegistry drops the file from the name of a registry.
func shortRegistry(name string) string {
	if parts := strings.Split(name, "."); len(parts) > 2 {
		return strings.Join(parts[len(parts)-2:], ".")
	}
	return name
}

// registryBytes bounds the registrations of one registry.
const registryBytes = 16 << 10

func (p *operatorPage) registries(list []*registry) []string {
	var out []string
	for _, r := range list {
		text := "### " + r.link(p) + paragraph
		switch {
		case r.away:
			text += "Of " + markdown.Code(r.module) + ", which is not of this repository." + paragraph
		case r.about != nil && r.about.About != "":
			text += r.about.About + paragraph
		}
		var rows [][]string
		for _, x := range r.given {
			rows = append(rows, p.registered(x))
		}
		out = append(out, text+bounded(registryBytes, moreOnPages, []string{"Name", "What", "In"}, rows))
	}
	return out
}

func (p *operatorPage) registered(x placed) []string {
	what := ""
	if x.ID != "" {
		what = p.thingLink(x)
	}
	place := element{node.Behavior{File: x.File, At: x.At, Line: x.Line}, x.module}
	where := p.placeLink(place)
	return []string{markdown.Code(x.Name), what, where + onlyWith(x.Guard)}
}

func onlyWith(guard string) string {
	if guard == "" {
		return ""
	}
	return " (only with " + markdown.Code(guard) + ")"
}

func (p *operatorPage) thingLink(x placed) string {
	module, name, away := whose(x.module, x.ID)
	switch {
	case away:
		return markdown.Code(typedAway(module, name))
	case module != x.module:
		return p.symbolLink(module, sign{Name: name, Shown: name})
	}
	return p.symbolLink(module, x.sign())
}

// brought lists the modules that are imported for side effects, such as registrations.
func (p *operatorPage) brought(all []extensions) string {
	starts := map[string]bool{}
	for _, x := range all {
		starts[x.module] = len(x.Given)+len(x.Brings) > 0
	}
	text := ""
	for _, x := range all {
		var names []string
		for _, m := range x.Brings {
			if starts[m] {
				names = append(names, p.moduleCode(m))
			}
		}
		if len(names) > 0 {
			text += "- " + p.moduleCode(x.module) + " brings in " + list(first(names, mostImplementers)) + "\n"
		}
	}
	if text == "" {
		return ""
	}
	return "## Imported for registration\n\n" + text + "\n"
}
