package gitstore_test

import (
	"slices"
	"testing"

	"github.com/causaldocs/causal/app/gitstore"
)

func TestTags(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ids := history(f)
	repo := open(t, gitstore.CLI, f.dir)
	if got, err := repo.Tags(t.Context()); err != nil || len(got) > 0 {
		t.Errorf("without tags: %v, %v", got, err)
	}
	f.git("tag", "v1.2.0", ids["root"])
	f.git("tag", "--annotate", "--message", "a release", "pkg/v2.0", ids["side"])
	f.git("pack-refs", "--all")
	f.git("tag", "v1.10.0", ids["side"])
	if got, err := repo.Tags(t.Context()); err != nil || !slices.Equal(got, []string{"pkg/v2.0", "v1.10.0", "v1.2.0"}) {
		t.Errorf("%v, %v", got, err)
	}
	each(t, f.dir, func(t *testing.T, repo *gitstore.Repo) {
		if c, err := repo.Resolve(t.Context(), "refs/tags/pkg/v2.0"); err != nil || c.ID != ids["side"] {
			t.Errorf("an annotated tag leads to %v, %v", c, err)
		}
	})
}
