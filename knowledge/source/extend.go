package source

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Implementation records that a type of a module implements or extends another type.
type Implementation struct {
	Type string // the name in the module
	Of   Use
}

// mostCompared limits the steps of finding implementations in one module: types may have to be compared with every
// interface, and may embed each other in long chains.
const mostCompared = 1 << 20

// Implemented lists the certain implementations of interfaces and base types by a module's types. offered reports
// whether the module can name a type of another module. In languages with declared implementations, indirect bases
// count too.
func (k Kinship) Implemented(module string, others []string, offered func(Use) bool) []Implementation {
	left := mostCompared
	k.left = &left
	own, _ := k.Shapes(module)
	x := implementing{Kinship: k, found: map[Implementation]bool{}, visible: func(of Use) bool { return of.Module == module || offered(of) }}
	var byMethods []string
	for _, name := range slices.Sorted(maps.Keys(own)) {
		switch s := own[name]; {
		case s.Alias || s.Point || !s.Declared:
		case s.Named:
			x.named(Use{module, name})
		default:
			byMethods = append(byMethods, name)
		}
	}
	if len(byMethods) > 0 {
		x.ask(module, others)
	}
	for _, name := range byMethods {
		x.compare(Use{module, name})
	}
	return slices.SortedFunc(maps.Keys(x.found), func(a, b Implementation) int {
		return cmp.Or(strings.Compare(a.Type, b.Type), strings.Compare(a.Of.Module, b.Of.Module), strings.Compare(a.Of.Name, b.Of.Name))
	})
}

type implementing struct {
	Kinship

	found   map[Implementation]bool
	visible func(Use) bool
	// asked indexes interfaces by their rarest method, which limits the comparisons per type.
	asked map[string][]asked
}

type asked struct {
	of      Use
	methods methodSet
}

func (x *implementing) named(use Use) {
	seen := map[Use]bool{use: true}
	for queue := []Use{use}; len(queue) > 0 && x.steps(1); queue = queue[1:] {
		s, _ := x.shape(queue[0])
		for _, b := range s.Bases {
			b = x.meant(b)
			if seen[b] || !x.steps(1) {
				continue
			}
			seen[b] = true
			queue = append(queue, b)
			if base, _ := x.shape(b); base.Point && x.visible(b) {
				x.found[Implementation{use.Name, b}] = true
			}
		}
	}
}

// ask collects the interfaces that types may implement by their methods. It skips interfaces of other modules with
// unexported methods.
func (x *implementing) ask(module string, others []string) {
	var all []asked
	frequent := map[string]int{}
	for _, m := range append([]string{module}, others...) {
		shapes, _ := x.Shapes(m)
		if !x.steps(len(shapes)) {
			return
		}
		for _, name := range slices.Sorted(maps.Keys(shapes)) {
			use := Use{m, name}
			if !shapes[name].Interface || !x.visible(use) || !x.steps(1) {
				continue
			}
			methods := x.methods(use)
			if methods.open || len(methods.shapes) == 0 || m != module && sealed(methods) {
				continue
			}
			all = append(all, asked{use, methods})
			for method := range methods.shapes {
				frequent[method]++
			}
		}
	}
	x.asked = map[string][]asked{}
	for _, a := range all {
		rarest := slices.MinFunc(slices.Collect(maps.Keys(a.methods.shapes)), func(a, b string) int {
			return cmp.Or(frequent[a]-frequent[b], strings.Compare(a, b))
		})
		x.asked[rarest] = append(x.asked[rarest], a)
	}
}

// sealed reports whether a method can only be declared in its module.
func sealed(methods methodSet) bool {
	for name := range methods.shapes {
		if strings.Contains(name, "#") {
			return true
		}
	}
	return false
}

func (x *implementing) compare(use Use) {
	has := x.methods(use)
	for _, method := range slices.Sorted(maps.Keys(has.shapes)) {
		for _, a := range x.asked[method] {
			if !x.steps(len(a.methods.shapes)) {
				return
			}
			if certain, ok := has.satisfies(a.methods); ok && certain {
				x.found[Implementation{use.Name, a.of}] = true
			}
		}
	}
}

// Extendable reports whether a type is meant to be implemented or extended.
func Extendable(language string, s *Symbol) bool {
	switch s.Kind {
	case Interface, Trait:
		return true
	case Class:
	default:
		return false
	}
	abstract := TraitsOf(language).Abstract
	return abstract != nil && slices.ContainsFunc(basesOf(s), func(b string) bool { return slices.Contains(abstract, last(b)) }) ||
		slices.ContainsFunc(s.Headers(), func(h Header) bool {
			return h.Is("abstract") || slices.ContainsFunc(h.Params, func(p Parameter) bool { return slices.Contains(abstract, p.Name+"="+last(p.Default)) })
		})
}

// Abstract reports whether a member is a pure virtual method, which makes its class abstract.
func Abstract(member *Symbol) bool {
	return member.Kind == Method && slices.ContainsFunc(member.Headers(), func(h Header) bool { return h.Is("virtual") && h.Value == "0" })
}
