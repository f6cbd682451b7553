package change

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/knowledge/survey/surveytest"
)

func TestNamedIn(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, words, want string }{
		{"a := ParseAmount(x)", "ParseAmount Parse Amount x y", "ParseAmount x"},
		{"ParseAmounts xParseAmount ParseAmount2 _ParseAmount", "ParseAmount", ""},
		{"run --max-items=5 -v", "max-items --max-items -max-items max items v --v -v", "--max-items -v items max max-items v"},
		{"max-items-per-page", "max-items max-items-per-page", "max-items-per-page"},
		{`flag("most") 'few' "many more"`, `"most" "few" "many" "more"`, `"few" "most"`},
		{"see scripts/release.sh. Or lib/a.b.go", "release.sh a.b.go release sh", "a.b.go release release.sh sh"},
		{"größe", "größe gr", "größe"},
		{"end", "end", "end"},
	} {
		sought := map[string]bool{}
		for word := range strings.FieldsSeq(test.words) {
			sought[word] = true
		}
		if got := strings.Join(namedIn([]byte(test.text), sought), " "); got != test.want {
			t.Errorf("%q names %q, want %q", test.text, got, test.want)
		}
	}
}

func TestKindsOfFiles(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		path            string
		document, prose bool
	}{
		{"README.md", true, true},
		{"docs/guide.mdx", true, true},
		{"docs/guide.rst", false, true},
		{"CHANGELOG.md", false, true},
		{"CHANGES", false, true},
		{"UPGRADE_NOTES.md", false, true},
		{"www/versioned_docs/version-9.x/a.md", false, true},
		{"docs/1.2/a.md", false, true},
		{"docs/v2/a.md", true, true},
		{"blog/new.md", false, true},
		{"LICENSE-MIT.md", false, true},
		{"vendor/dep/README.md", false, true},
		{"testdata/a.md", false, true},
		{"main.go", false, false},
		{"vendor/dep/dep.go", false, false},
		{"requirements.txt", false, false},
		{"release.sh", false, false},
		{"Makefile", false, false},
	} {
		if IsDocument(test.path) != test.document || isProse(test.path) != test.prose {
			t.Errorf("%s: document %v, prose %v", test.path, IsDocument(test.path), isProse(test.path))
		}
	}
}

type memory map[string]string

func (m memory) All() map[string]string { return m }

// asker answers by a room, and counts what is read.
type asker struct {
	t    *testing.T
	room *Room
}

func (a asker) Read(f fact.Fact) (any, error) {
	if _, err := a.room.Digest(a.t.Context(), f); err != nil {
		return nil, err
	}
	return a.room.Value(a.t.Context(), f)
}

func TestNaming(t *testing.T) {
	t.Parallel()
	head := memory{
		"README.md": "Call `Parse` with --most.", "docs/a.md": "Parse", "CHANGELOG.md": "Gone", "a.go": "// Parse\nfunc Other()", "own/page.md": "Parse",
		"b.png": "Gone\x00", "run.sh": "shop --most 5",
	}
	r, err := NewRoom(t.Context(), Config{
		Base: nil, BaseTree: surveytest.Tree{Files: memory{}}, Head: surveytest.Tree{Files: head}, MaxBytes: 1 << 20,
		Ignored: func(p string) bool { return strings.HasPrefix(p, "own/") },
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		docs, err := DocumentsNaming(asker{t, r}, []string{"Parse", "--most", "Gone"})
		if got := fmt.Sprint(docs); err != nil || got != "[{README.md [--most Parse]} {docs/a.md [Parse]}]" {
			t.Errorf("documents: %s %v", got, err)
		}
		code, err := CodeNaming(asker{t, r}, []string{"Parse", "--most", "Gone"})
		if got := fmt.Sprint(code); err != nil || got != "[--most Parse]" {
			t.Errorf("code: %s %v", got, err)
		}
	}
	if none, err := CodeNaming(asker{t, r}, nil); err != nil || len(none) > 0 {
		t.Errorf("nothing is %v, %v", none, err)
	}
}

// endless is a tree of files that are as large as can be.
type endless struct{ surveytest.Tree }

func (e endless) Read(_ context.Context, list []survey.Entry, limit int64, fn func(survey.Entry, []byte, error) error) error {
	for _, entry := range list {
		if err := fn(entry, make([]byte, limit), survey.ErrTooLarge); err != nil {
			return err
		}
	}
	return nil
}

// TestTooMuchToRead: what cannot all be read names everything, so that nothing counts as gone.
func TestTooMuchToRead(t *testing.T) {
	t.Parallel()
	head := memory{}
	for i := range mostSearched/largestSearched + 1 {
		head[fmt.Sprint("data", i)] = ""
	}
	r, err := NewRoom(t.Context(), Config{BaseTree: surveytest.Tree{Files: memory{}}, Head: endless{surveytest.Tree{Files: head}}, Ignored: func(string) bool { return false }})
	if err != nil {
		t.Fatal(err)
	}
	words := []string{"a", "b"}
	if got, err := CodeNaming(asker{t, r}, words); err != nil || !slices.Equal(got, words) {
		t.Errorf("%v, %v", got, err)
	}
	delete(head, slices.Sorted(maps.Keys(head))[0])
	r, _ = NewRoom(t.Context(), Config{BaseTree: surveytest.Tree{Files: memory{}}, Head: endless{surveytest.Tree{Files: head}}, Ignored: func(string) bool { return false }})
	if got, err := CodeNaming(asker{t, r}, words); err != nil || len(got) > 0 {
		t.Errorf("%v, %v", got, err)
	}
}
