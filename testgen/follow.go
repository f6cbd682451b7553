package testgen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/testgen/spec"
)

// mostDeep limits the names that are followed from one function.
const mostDeep = 2000

// Follow follows a symbol of a directory transitively. see returns why a name makes results unpredictable, or the names
// that it reaches. It gets the module of the name, nil if no language has it, and false for a name without a body. Follow
// returns the first reason, or the names with a body that the symbol reaches.
func Follow(r Repository, dir, symbol string, see func(m Module, n Name, reach Reach, there bool) (reason string, others []Name)) (reason string, all []Name, err error) {
	start, seen := Name{Dir: dir, Name: symbol}, map[Name]bool{}
	for todo := []Name{start}; len(todo) > 0; {
		n := Name{Dir: todo[len(todo)-1].Dir, Name: todo[len(todo)-1].Name}
		todo = todo[:len(todo)-1]
		if seen[n] {
			continue
		}
		if seen[n] = true; len(seen) > mostDeep {
			return "reaches too much to be followed", nil, nil
		}
		reach, there, err := r.Reach(n.Dir, n.Name)
		if err != nil {
			return "", nil, err
		}
		if n == start && !there {
			return "its body was not found", nil, nil
		}
		m, err := r.Open(n.Dir)
		if err != nil {
			return "", nil, err
		}
		reason, others := see(m, n, reach, there)
		if reason != "" {
			return reason, nil, nil
		}
		if there && n != start {
			all = append(all, n)
		}
		todo = append(todo, others...)
	}
	return "", SortNames(all), nil
}

// SortNames sorts names of other modules, and drops those that come twice.
func SortNames(names []Name) []Name {
	slices.SortFunc(names, func(a, b Name) int { return cmp.Or(strings.Compare(a.Dir, b.Dir), strings.Compare(a.Name, b.Name)) })
	return slices.Compact(names)
}

// Skipped returns why the test of an invalidated spec is skipped.
func Skipped(s *spec.Spec, symbol string) string {
	why := "values were recorded before " + symbol + " changed"
	if f := s.Fell; f != nil {
		why = fmt.Sprintf("invalidated in session %s, because %s became true through %s", f.Session, f.Because, f.File)
	}
	return "causal: " + OneLine(why, 400) + "; run causal testgen --verify"
}
