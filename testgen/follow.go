package testgen

// mostDeep limits the names that are followed from one function.
const mostDeep = 2000

// Follow follows names transitively. see returns the reason why a name makes results unpredictable, or the names that it
// reaches; there is false for a name without a body. Follow returns the first reason, or the names with a body.
func Follow(r Repository, first []Name, see func(n Name, reach Reach, there bool) (reason string, others []Name, err error)) (reason string, all []Name, err error) {
	seen := map[Name]bool{}
	for todo := append([]Name{}, first...); len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		key := Name{Dir: n.Dir, Name: n.Name}
		if seen[key] {
			continue
		}
		if seen[key] = true; len(seen) > mostDeep {
			return "reaches too much to be followed", nil, nil
		}
		reach, there, err := r.Reach(n.Dir, n.Name)
		if err != nil {
			return "", nil, err
		}
		reason, others, err := see(key, reach, there)
		if err != nil || reason != "" {
			return reason, nil, err
		}
		if there {
			all = append(all, key)
		}
		todo = append(todo, others...)
	}
	return "", all, nil
}
