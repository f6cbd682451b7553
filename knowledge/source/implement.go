package source

import (
	"cmp"
	"slices"
	"strings"
)

// Implementer is a type that implements an interface or extends a type.
type Implementer struct {
	Use
	// Certain is false if part of the type or interface is outside the repository or depends on type arguments.
	Certain bool
}

// Kinship finds implementations in the shapes of modules.
type Kinship struct {
	// Shapes returns the shapes of a module; false if the module does not exist.
	Shapes func(module string) (Shapes, bool)
	// left is the remaining step budget; nil means unlimited.
	left *int
}

func (k Kinship) steps(n int) bool {
	if k.left == nil {
		return true
	}
	*k.left -= n
	return *k.left >= 0
}

// Implementers lists the types of modules that implement or extend a type, sorted. In languages with declared
// implementations, indirect subtypes count too.
func (k Kinship) Implementers(of Use, modules []string) []Implementer {
	of = k.meant(of)
	wanted, _ := k.shape(of)
	var methods methodSet
	if wanted.Interface {
		if methods = k.methods(of); len(methods.shapes) == 0 {
			return nil // every type implements it
		}
	}
	var out []Implementer
	for _, m := range modules {
		shapes, _ := k.Shapes(m)
		for name, s := range shapes {
			use := Use{m, name}
			switch {
			case s.Alias || s.Interface || use == of || wanted.Interface && s.lacks(methods):
			case wanted.Interface && !s.Named:
				if certain, ok := k.implements(use, methods); ok {
					out = append(out, Implementer{use, certain})
				}
			case s.Named && k.extends(use, of):
				out = append(out, Implementer{use, true})
			}
		}
	}
	slices.SortFunc(out, func(a, b Implementer) int {
		return cmp.Or(strings.Compare(a.Module, b.Module), strings.Compare(a.Name, b.Name))
	})
	return out
}

func (k Kinship) shape(of Use) (Shape, bool) {
	if strings.HasPrefix(of.Module, outside) {
		return Shape{}, false
	}
	shapes, _ := k.Shapes(of.Module)
	s, ok := shapes[of.Name]
	return s, ok
}

func (k Kinship) meant(of Use) Use {
	for seen := map[Use]bool{}; !seen[of] && k.steps(1); {
		seen[of] = true
		s, _ := k.shape(of)
		if !s.Alias || len(s.Bases) != 1 {
			break
		}
		of = s.Bases[0]
	}
	return of
}

func (k Kinship) extends(use, of Use) bool {
	seen := map[Use]bool{use: true}
	for queue := []Use{use}; len(queue) > 0; queue = queue[1:] {
		s, _ := k.shape(queue[0])
		for _, b := range s.Bases {
			if b = k.meant(b); b == of {
				return true
			}
			if !seen[b] {
				seen[b] = true
				queue = append(queue, b)
			}
		}
	}
	return false
}

type methodSet struct {
	shapes map[string]string
	// open is set if the type has unknown methods.
	open bool
}

// methods collects a type's methods, nearest first. A method that two bases at equal depth provide is ambiguous and
// does not count.
func (k Kinship) methods(of Use) methodSet {
	set := methodSet{shapes: map[string]string{}}
	root, _ := k.shape(of)
	seen := map[Use]bool{of: true}
	for level := []Use{of}; len(level) > 0 && k.steps(0); {
		found, twice := map[string]string{}, map[string]bool{}
		var next []Use
		for _, use := range level {
			s, ok := k.shape(use)
			set.open = set.open || !ok || !k.steps(1+len(s.Methods))
			for _, m := range s.Methods {
				_, known := found[m.Name]
				twice[m.Name] = known && !root.Interface
				found[m.Name] = k.canonical(m.Shape)
			}
			for _, b := range s.Bases {
				if b = k.meant(b); !seen[b] {
					seen[b] = true
					next = append(next, b)
				}
			}
		}
		for name, shape := range found {
			if _, nearer := set.shapes[name]; !nearer {
				set.shapes[name] = shape
				if twice[name] {
					set.shapes[name] = ambiguous
				}
			}
		}
		level = next
	}
	return set
}

const ambiguous = "!"

// canonical replaces aliases in a method's shape with their targets.
func (k Kinship) canonical(shape string) string {
	if !strings.Contains(shape, "$") {
		return shape
	}
	parts := strings.Split(shape, "$")
	for i, p := range parts[1:] {
		end := strings.IndexAny(p, " ,)[]{}")
		if end < 0 {
			end = len(p)
		}
		module, name, _ := strings.Cut(p[:end], "#")
		parts[i+1] = strings.TrimPrefix(k.meant(Use{module, name}).String(), "$") + p[end:]
	}
	return strings.Join(parts, "$")
}

func (s *Shape) lacks(wanted methodSet) bool {
	if len(s.Bases) > 0 {
		return false
	}
	for name := range wanted.shapes {
		if _, ok := slices.BinarySearchFunc(s.Methods, name, func(m Member, name string) int { return strings.Compare(m.Name, name) }); !ok {
			return true
		}
	}
	return false
}

func (k Kinship) implements(use Use, wanted methodSet) (certain, ok bool) {
	return k.methods(use).satisfies(wanted)
}

func (has methodSet) satisfies(wanted methodSet) (certain, ok bool) {
	certain = !wanted.open
	found := 0
	for name, shape := range wanted.shapes {
		own, ok := has.shapes[name]
		switch {
		case !ok && has.open:
			certain = false
			continue
		case !ok:
			return false, false
		case strings.Contains(own, "?") || strings.Contains(shape, "?"):
			certain = false
		case own != shape:
			return false, false
		}
		found++
	}
	return certain, found > 0
}
