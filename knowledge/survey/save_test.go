package survey

import (
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/fact"
)

// TestASurveyIsRemembered checks that a reopened survey has the same facts and reads no files.
func TestASurveyIsRemembered(t *testing.T) {
	t.Parallel()
	b := &bench{index: t.TempDir(), tree: readTree()}
	first := b.fresh(t)
	b.settle(t)
	b.tree.read = nil
	s := b.survey(t)
	if !reflect.DeepEqual(s.Modules(), first.Modules()) || !slices.Equal(s.Dependants("a"), first.Dependants("a")) {
		t.Errorf("modules %q", s.Modules())
	}
	for f := range allFacts(first) {
		if got, want := digest(t, s, f), digest(t, first, f); got != want {
			t.Errorf("%s is %q, want %q", f, got, want)
		}
	}
	b.tree.read = slices.DeleteFunc(b.tree.read, func(p string) bool { // resolvers are rebuilt, and quotes of READMEs are not cached
		return p == "go.mod" || path.Base(p) == "README.md"
	})
	if len(b.tree.read) > 0 || s.FilesRead() > 0 {
		t.Errorf("read %q", b.tree.read)
	}
}

// TestWhatCannotBeRead: of a file that is too large, binary, or cannot be read at all, it is known that it is there.
func TestWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.tree.files["a/large.go"] = "package a\n" + strings.Repeat("// large\n", 1000)
	b.tree.files["a/binary.go"], b.tree.files["a/locked.go"] = "package a\x00", "package a\n\nfunc Locked() {}\n"
	b.tree.files["large.bin"] = strings.Repeat("x", 5<<10)
	b.tree.unreadable["a/locked.go"] = true
	for range 2 {
		b.run(t, true, func(t *testing.T, s *Survey) {
			k, err := Read(&recorder{t: t, survey: s}, "a")
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for _, u := range k.Units() {
				got[u.Path] = u.Opaque
			}
			want := map[string]string{"a/a.go": "", "a/binary.go": "binary", "a/large.go": "larger than 4096 bytes", "a/locked.go": "cannot be read"}
			if !maps.Equal(got, want) {
				t.Errorf("%q", got)
			}
			for _, file := range []string{"large.bin", "a/locked.go"} {
				r := &recorder{t: t, survey: s}
				if blob, err := Blob(r, file); err != nil || blob != nil || r.read[0].Digest == "" {
					t.Errorf("%s: %q, %v, read %q", file, blob, err, r.read)
				}
			}
		})
	}
	b.tree.unreadable["a/locked.go"] = false
	b.tree.files["a/a.go"] += "\nfunc More() {}\n"
	b.run(t, true, func(t *testing.T, s *Survey) {
		if digest(t, s, fact.Of(fact.Symbols, "a", "Locked")) == "" {
			t.Error("a file that could not be read once is not read again")
		}
	})
}

// TestTheBestReadme checks which of several READMEs is used.
func TestTheBestReadme(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	const markdown, rst, text, plain = "c/README.md", "c/README.rst", "c/readme.txt", "c/README"
	for _, c := range []struct{ add, remove, want string }{
		{plain, "", plain}, {text, "", text}, {markdown, "", markdown}, {rst, "", markdown}, {"", markdown, rst}, {"c/readme.md", rst, "c/readme.md"},
		{"", "c/readme.md", text}, {"", text, plain}, {"", plain, ""},
	} {
		delete(b.tree.files, c.remove)
		if c.add != "" {
			b.tree.files[c.add] = "# " + c.add
		}
		b.run(t, true, func(t *testing.T, s *Survey) {
			readme, err := ReadmeOf(&recorder{t: t, survey: s}, "c")
			if err != nil || readme.Path != c.want || readme.Path != "" && string(readme.Content) != "# "+c.want {
				t.Errorf("%+v: %q, %v", c, readme, err)
			}
			k, err := Read(&recorder{t: t, survey: s}, "c")
			if err != nil {
				t.Fatal(err)
			}
			if (k.Readme == nil) != (c.want == "") || k.Readme != nil && k.Readme.Path != c.want {
				t.Errorf("%+v: the module is introduced by %+v", c, k.Readme)
			}
		})
	}
}

func TestIntroducers(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.tree.files["sub/go.mod"], b.tree.files["sub/README.md"], b.tree.files["package.json"] = "module y\n", "# Sub\n", "{}"
	for _, want := range []string{"", "README.md"} {
		if want != "" {
			b.tree.files[want] = "# Shop\n"
		}
		for range 2 {
			b.run(t, true, func(t *testing.T, s *Survey) {
				readme, manifests := s.Introducers()
				if readme != want || !slices.Equal(manifests, []string{"go.mod", "package.json"}) {
					t.Errorf("%q, %q", readme, manifests)
				}
			})
		}
	}
}

func TestLeftOut(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.tree.files["skip/s.go"], b.tree.files["skip/text/t.md"] = "package s\n", "text"
	for range 2 {
		b.run(t, true, func(t *testing.T, s *Survey) {
			for module, want := range map[string]bool{"skip": true, "skip/text": false, "a": false, "none": false} {
				if s.LeftOut(module) != want {
					t.Errorf("%s is left out: %v", module, !want)
				}
			}
			if digest(t, s, fact.New(fact.Listings, "skip")) != "" || digest(t, s, PathFact("skip/s.go")) != "file" {
				t.Error("what is left out is a module, or not there")
			}
		})
	}
}

// TestWhereItComesFrom checks the commit, whether it has the current content, and the last author.
func TestWhereItComesFrom(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, c := range []struct {
		commit, edit string
		permanent    bool
		clean        []string
	}{
		{"", "a/a.go", false, nil}, {"one", "", false, []string{"a/a.go", "b/b.go"}}, {"public", "", true, []string{"a/a.go", "b/b.go"}},
		{"", "a/a.go", true, []string{"b/b.go"}}, {"", "own/page.md", true, []string{"b/b.go"}},
	} {
		if c.commit != "" {
			b.tree.record(c.commit)
		}
		if c.edit != "" {
			b.tree.files[c.edit] += "\n// edited\n"
		}
		for range 2 {
			b.run(t, true, func(t *testing.T, s *Survey) {
				when, permanent, err := s.Origin(t.Context())
				if err != nil || !when.Equal(b.tree.commit.When) || permanent != c.permanent {
					t.Errorf("%+v: %v, %v, %v", c, when, permanent, err)
				}
				for _, file := range []string{"a/a.go", "b/b.go", "own/page.md"} {
					last, err := s.LastChange(t.Context(), file)
					if clean := slices.Contains(c.clean, file); err != nil || (last == "changed "+file) != clean || file != "own/page.md" && s.Clean(file) != clean {
						t.Errorf("%+v: %s was changed by %q, %v; clean %v", c, file, last, err, s.Clean(file))
					}
				}
			})
		}
	}
}
