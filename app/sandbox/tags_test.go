package sandbox

import (
	"context"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/githubsim"
	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/skills"
	"github.com/causaldocs/causal/app/workspace"
)

// tagged is a remote with the skills that come with the program, and a function that came after the tag v1.
func tagged(t *testing.T) *remote {
	t.Helper()
	files := maps.Clone(shop)
	for _, s := range skills.Shipped() {
		files[s.Name] = string(s.Data)
	}
	r := newRemote(t, files)
	if err := r.repo.Tag("v1", r.task.Commit, "octo"); err != nil {
		t.Fatal(err)
	}
	head, err := r.repo.Push("main", githubsim.Change{
		Write: map[string]string{"money/more.go": "package money\n\n// Double doubles an amount.\nfunc Double(a Amount) Amount { return 2 * a }\n"}, Message: "Double it",
	})
	if err != nil {
		t.Fatal(err)
	}
	r.task.Commit, r.task.Rules = head, head
	return r
}

// TestTagsReachAChild, which has no network: it writes the changelog since the newest tag.
func TestTagsReachAChild(t *testing.T) {
	t.Parallel()
	r := tagged(t)
	if _, err := obedient(t).Run(t.Context(), r.task, r.mirror); err != nil {
		t.Fatal(err)
	}
	files, err := workspace.Mirrored{Dir: r.task.Dir, Branch: "main"}.Scratch()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = files.Close() }()
	page, err := files.Read("docs/causal/changelog.md")
	if err != nil || !strings.Contains(string(page), "since `v1`") || !strings.Contains(string(page), "`money.Double`") || strings.Contains(string(page), "Amount`") {
		t.Errorf("%v\n%s", err, page)
	}
}

// untold is an Origin that cannot list its tags.
type untold struct {
	*gitstore.Mirror

	err error
}

func (u untold) Tag(context.Context, string, string) (gitstore.Tag, error) {
	return gitstore.Tag{}, u.err
}

// TestTagsThatCannotBeRead: an unavailable remote ends the run, and the page gets no warning.
func TestTagsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	r := tagged(t)
	if _, err := Here(t.Context(), r.task, untold{r.mirror, gitstore.ErrUnavailable}); !errors.Is(err, gitstore.ErrUnavailable) {
		t.Errorf("%v, want that the remote is not available", err)
	}
	if _, err := Here(t.Context(), r.task, untold{r.mirror, gitstore.ErrTooLarge}); err != nil {
		t.Errorf("too many tags: %v", err)
	}
}
