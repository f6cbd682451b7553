package testgen

import "strings"

// Partner is a name that the inverse of a function may have.
type Partner struct {
	Name  string
	Reads bool // the function reads what the inverse writes
}

// Partners returns the names that the inverse of a function may have. pairs are parts of names, that of the writer first.
func Partners(name string, pairs [][2]string) (out []Partner) {
	for _, pair := range pairs {
		for i, part := range pair {
			other := pair[1-i]
			if rest, ok := strings.CutPrefix(name, part); ok {
				out = append(out, Partner{other + rest, i == 1})
			}
			for _, form := range []func(string) string{strings.Clone, capital} {
				if rest, ok := strings.CutSuffix(name, form(part)); ok && rest != "" {
					out = append(out, Partner{rest + form(other), i == 1})
				}
			}
		}
	}
	return out
}

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
