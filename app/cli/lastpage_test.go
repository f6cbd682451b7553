package cli_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/cli"
)

// staleBanner is the only text that an unreadable file adds to a page.
var staleBanner = regexp.MustCompile(`(?m)^> ⚠ \*\*Stale\*\* · .*\n\n`)

// documented is a Go function with so much documentation that a module of several has a page for each file.
func documented(name string) string {
	return "\n// " + name + " is one.\n//\n// " + strings.Repeat("It is so. ", 600) + "\nfunc " + name + "() int { return 1 }\n"
}

// TestLastReadablePages: pages of a file that does not parse keep their text to the byte, also the page of a part whose symbols are all
// in that file.
func TestLastReadablePages(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.writeAll(map[string]string{
		"go.mod":              "module example.com/library\n\ngo 1.24\n",
		"lib/a.go":            "// Package lib holds things.\n//\n// It has two files.\npackage lib\n" + documented("A0") + documented("A1") + documented("A2"),
		"lib/b.go":            "package lib\n" + documented("B0") + documented("B1") + documented("B2") + documented("B3"),
		"lib/lib_test.go":     "package lib_test\n\nimport \"example.com/library/lib\"\n\nfunc ExampleA0() {\n\tprintln(lib.A0())\n}\n",
		"cmd/library/main.go": "// Library prints a thing.\npackage main\n\nimport \"example.com/library/lib\"\n\nfunc main() { println(lib.A0() + lib.B0()) }\n",
	})
	r.commit("Begin")
	r.update()
	const page, part = "docs/causal/modules/lib.md", "docs/causal/modules/lib~b.md"
	note := "\n<!-- causal:keep note -->\nAsk the librarian.\n<!-- /causal:keep -->\n"
	r.write(part, strings.Replace(r.read(part), "\n## Public API", note+"\n## Public API", 1))
	r.update()
	before := r.files("docs")
	b := r.read("lib/b.go")
	for _, broken := range []string{"package lib\n\nfunc {\n" + b, "func {\n"} {
		r.write("lib/b.go", broken)
		r.update()
		for _, name := range []string{page, part, "docs/causal/modules/lib~a.md"} {
			if now := r.read(name); len(staleBanner.FindAllString(now, -1)) != 1 || staleBanner.ReplaceAllString(now, "") != before[name] {
				t.Errorf("%s is\n%s\nwant a banner and\n%s", name, now, before[name])
			}
		}
		stored := r.files("docs")
		r.update()
		if diff := difference(stored, r.files("docs")); diff != "" {
			t.Errorf("a second update changes:\n%s", diff)
		}
		r.causal(cli.ExitFindings, "check")
	}
	if got, want := slices.Sorted(maps.Keys(r.files("docs"))), slices.Sorted(maps.Keys(before)); !slices.Equal(got, want) {
		t.Errorf("the pages are %q, want %q", got, want)
	}
	r.write(part, "<<<<<<< ours\n"+r.read(part)+"=======\n>>>>>>> theirs\n")
	r.update()
	r.write("lib/b.go", b)
	r.update()
	if diff := difference(before, r.files("docs")); diff != "" {
		t.Errorf("after the file was mended (-before +after):\n%s", diff)
	}
}
