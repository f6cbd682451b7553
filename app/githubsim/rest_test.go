package githubsim_test

import (
	"encoding/base64"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-github/v66/github"

	"github.com/causaldocs/causal/app/githubsim"
)

func must[T any](t *testing.T) func(v T, r *github.Response, err error) T {
	t.Helper()
	return func(v T, _ *github.Response, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func TestRepositoryIsReadThroughTheAPI(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{})
	defer h.clean()
	first := h.repo.Head("main")
	second := h.push("main", githubsim.Change{
		Write: map[string]string{"cart/cart.go": "package cart\n\nfunc Add() { Price() }\n", "new.txt": "new\n"}, Delete: []string{"README.md"}, Message: "Change\n\nand say why",
	})
	c, ctx := h.bot(), t.Context()

	repo := must[*github.Repository](t)(c.Repositories.Get(ctx, "octo", "shop"))
	if repo.GetDefaultBranch() != "main" || repo.GetFullName() != "octo/shop" || !repo.GetPermissions()["push"] {
		t.Errorf("repository: %v", repo)
	}
	branch := must[*github.Branch](t)(c.Repositories.GetBranch(ctx, "octo", "shop", "main", 1))
	if branch.GetCommit().GetSHA() != second || branch.GetProtected() {
		t.Errorf("branch: %v", branch)
	}
	comparison := must[*github.CommitsComparison](t)(c.Repositories.CompareCommits(ctx, "octo", "shop", first, "main", nil))
	if comparison.GetAheadBy() != 1 || comparison.GetStatus() != "ahead" || len(comparison.Files) != 3 ||
		comparison.Commits[0].GetCommit().GetMessage() != "Change\n\nand say why" || comparison.Files[1].GetAdditions()+comparison.Files[2].GetAdditions() != 2 {
		t.Errorf("comparison: %v", comparison)
	}
	tree := must[*github.Tree](t)(c.Git.GetTree(ctx, "octo", "shop", second, true))
	if len(tree.Entries) != 6 {
		t.Errorf("tree: %v", tree)
	}
	if commits := must[[]*github.RepositoryCommit](t)(c.Repositories.ListCommits(ctx, "octo", "shop", nil)); len(commits) != 2 {
		t.Errorf("commits: %v", commits)
	}
	if limits := must[*github.RateLimits](t)(c.RateLimit.Get(ctx)); limits.GetCore().Limit != 5000 {
		t.Errorf("limits: %v", limits)
	}
}

func TestCommitIsMadeOfItsParts(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{})
	defer h.clean()
	c, ctx := h.bot(), t.Context()
	blob := must[*github.Blob](t)(c.Git.CreateBlob(ctx, "octo", "shop", &github.Blob{
		Content: new(base64.StdEncoding.EncodeToString([]byte("\x00binary"))), Encoding: new("base64"),
	}))
	head := h.repo.Head("main")
	tree := must[*github.Tree](t)(c.Git.CreateTree(ctx, "octo", "shop", head, []*github.TreeEntry{
		{Path: new("a/b.bin"), Mode: new("100644"), Type: new("blob"), SHA: blob.SHA},
		{Path: new("c.txt"), Mode: new("100755"), Type: new("blob"), Content: new("text")},
		{Path: new("README.md"), Mode: new("100644"), Type: new("blob")},
	}))
	commit := must[*github.Commit](t)(c.Git.CreateCommit(ctx, "octo", "shop", &github.Commit{
		Message: new("By parts"), Tree: tree, Parents: []*github.Commit{{SHA: new(head)}},
	}, nil))
	if !commit.GetVerification().GetVerified() || !strings.Contains(commit.GetAuthor().GetEmail(), "causal[bot]") {
		t.Errorf("commit: %v", commit)
	}
	ref := &github.Reference{Ref: new("refs/heads/main"), Object: &github.GitObject{SHA: commit.SHA}}
	must[*github.Reference](t)(c.Git.UpdateRef(ctx, "octo", "shop", ref, false))
	if got, _ := h.repo.Read("main", "a/b.bin"); got != "\x00binary" {
		t.Errorf("a/b.bin: %q", got)
	}
	if _, there := h.repo.Read("main", "README.md"); there {
		t.Error("README.md was to be deleted")
	}
	side := &github.Reference{Ref: new("refs/heads/causal/docs"), Object: &github.GitObject{SHA: new(head)}}
	must[*github.Reference](t)(c.Git.CreateRef(ctx, "octo", "shop", side))
	if got := must[*github.Reference](t)(c.Git.GetRef(ctx, "octo", "shop", "heads/causal/docs")); got.GetObject().GetSHA() != head {
		t.Errorf("ref: %v", got)
	}
	if _, _, err := c.Git.UpdateRef(ctx, "octo", "shop", &github.Reference{Ref: new("refs/heads/main"), Object: &github.GitObject{SHA: new(head)}}, false); status(err) != http.StatusUnprocessableEntity {
		t.Errorf("going back without force: %v", err)
	}
	if _, err := c.Git.DeleteRef(ctx, "octo", "shop", "heads/causal/docs"); err != nil || h.repo.Head("causal/docs") != "" {
		t.Errorf("delete: %v", err)
	}
	if got := must[*github.Commit](t)(c.Git.GetCommit(ctx, "octo", "shop", commit.GetSHA())); got.GetTree().GetSHA() != tree.GetSHA() {
		t.Errorf("commit: %v", got)
	}
}

// status is that of an error of the API.
func status(err error) int {
	var e *github.ErrorResponse
	if errors.As(err, &e) {
		return e.Response.StatusCode
	}
	var limited *github.RateLimitError
	if errors.As(err, &limited) {
		return limited.Response.StatusCode
	}
	var abuse *github.AbuseRateLimitError
	if errors.As(err, &abuse) {
		return abuse.Response.StatusCode
	}
	return 0
}
