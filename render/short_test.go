package render

import (
	"slices"
	"testing"
)

func TestShortPaths(t *testing.T) {
	t.Parallel()
	in := func(paths ...string) (out []Summary) {
		for _, p := range paths {
			out = append(out, Summary{Path: p, API: true, Deps: paths[:1]})
		}
		return out
	}
	for name, c := range map[string]struct{ paths, want []string }{
		"no source root": {[]string{"a/com/x", "b"}, []string{"a/com/x", "b"}},
		"two projects": {
			[]string{"api/src/main/java/com/x/cart", "app/src/main/java/com/x", "app/src/main/kotlin/com/x/job/late", "ui/src"},
			[]string{"api/cart", "app", "app/job/late", "ui/src"}},
		"one project":          {[]string{"src/main/java/com/x", "src/main/java/com/x/cart"}, []string{"src/main/java/com/x", "cart"}},
		"two of the same name": {[]string{"a/src/main/java/x/b", "a/src/main/kotlin/x/b", "a/src/main/java/x/c"}, []string{"a/src/main/java/x/b", "a/src/main/kotlin/x/b", "a/src/main/java/x/c"}},
	} {
		modules := in(c.paths...)
		var got []string
		for _, m := range shortPaths(modules).paths(modules) {
			got = append(got, m.Path)
			if m.Deps[0] != c.want[0] {
				t.Errorf("%s: the dependency of %s is %s", name, m.Path, m.Deps[0])
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
