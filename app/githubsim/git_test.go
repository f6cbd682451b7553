package githubsim_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/causaldocs/causal/app/githubsim"
)

// gitAs runs git as a client that has a token, or none.
func gitAs(t *testing.T, token, dir string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_TERMINAL_PROMPT=0", "GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=ann@example.com",
		"GIT_COMMITTER_NAME=Ann", "GIT_COMMITTER_EMAIL=ann@example.com",
	)
	if token != "" {
		r := &strings.Builder{}
		r.WriteString("Authorization: Basic " + basic("x-access-token", token))
		cmd.Env = append(cmd.Env, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=http.extraHeader", "GIT_CONFIG_VALUE_0="+r.String())
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func mustGit(t *testing.T, token, dir string, args ...string) string {
	t.Helper()
	out, err := gitAs(t, token, dir, args...)
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return out
}

// token mints one of the installation.
func (h *hub) token(permissions *github.InstallationPermissions) string {
	h.t.Helper()
	options := &github.InstallationTokenOptions{RepositoryIDs: []int64{h.repo.ID()}, Permissions: permissions}
	token := must[*github.InstallationToken](h.t)(h.app().Apps.CreateInstallationToken(context.Background(), h.installation, options))
	return token.GetToken()
}

func TestGitClones(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{})
	defer h.clean()
	dir := filepath.Join(t.TempDir(), "clone")
	mustGit(t, h.token(&github.InstallationPermissions{Contents: new("read")}), t.TempDir(), "clone", "--quiet", h.repo.CloneURL(), dir)
	if got, err := os.ReadFile(filepath.Join(dir, "README.md")); err != nil || string(got) != files["README.md"] {
		t.Fatalf("README.md: %q, %v", got, err)
	}
}

func TestGitFetchesWithoutBlobs(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{})
	defer h.clean()
	old := h.repo.Head("main")
	h.push("main", githubsim.Change{Write: map[string]string{"README.md": "changed\n"}, Message: "Change"})
	token := h.token(&github.InstallationPermissions{Contents: new("read")})
	dir := t.TempDir()
	mustGit(t, "", dir, "init", "--quiet", "--bare")
	mustGit(t, "", dir, "remote", "add", "origin", h.repo.CloneURL())
	mustGit(t, token, dir, "fetch", "--quiet", "--depth=1", "--filter=blob:none", "--no-tags", "origin", old)
	if objects := mustGit(t, "", dir, "cat-file", "--batch-check", "--batch-all-objects"); strings.Contains(objects, "blob") || !strings.Contains(objects, old) {
		t.Errorf("objects:\n%s", objects)
	}
	if heads := mustGit(t, token, dir, "ls-remote", "--heads", "origin"); !strings.Contains(heads, h.repo.Head("main")+"\trefs/heads/main") {
		t.Errorf("heads: %s", heads)
	}
}

func TestGitIsRefused(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{})
	defer h.clean()
	dir := t.TempDir()
	read := h.token(&github.InstallationPermissions{Contents: new("read")})
	mustGit(t, read, dir, "clone", "--quiet", h.repo.CloneURL(), "clone")
	clone := filepath.Join(dir, "clone")
	for _, trial := range []struct {
		name, token string
		args        []string
		prepare     func()
		says        string
	}{
		{"no token", "", []string{"ls-remote", h.repo.CloneURL()}, nil, "could not read Username"},
		{"bad token", "ghs_no", []string{"ls-remote", h.repo.CloneURL()}, nil, "could not read Username"},
		{"no repository", read, []string{"ls-remote", h.URL() + "/octo/none.git"}, nil, "not found"},
		{"no permission", h.token(&github.InstallationPermissions{Checks: new("read")}), []string{"ls-remote", h.repo.CloneURL()}, nil, "403"},
		{"push", h.token(&github.InstallationPermissions{Contents: new("write")}), []string{"push", h.repo.CloneURL(), "HEAD:main"}, nil, "not found"},
		{"expired token", read, []string{"ls-remote", h.repo.CloneURL()}, func() { h.clock.Add(61 * time.Minute) }, "could not read Username"},
	} {
		if trial.prepare != nil {
			trial.prepare()
		}
		if out, err := gitAs(t, trial.token, clone, trial.args...); err == nil || !strings.Contains(out, trial.says) {
			t.Errorf("%s: %v: %q, want %q", trial.name, err, out, trial.says)
		}
	}
}

func TestRepositoriesBegin(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{})
	defer h.clean()
	if err := h.repo.Tag("v1", h.repo.Head("main"), "octo"); err != nil {
		t.Fatal(err)
	}
	h.push("trunk", githubsim.Change{Write: map[string]string{"new/file": "new"}, Message: "Add"})
	if err := h.repo.SetDefaultBranch("trunk"); err != nil {
		t.Fatal(err)
	}
	fork, err := h.repo.Fork("mona")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "clone")
	mustGit(t, h.Token("mona"), t.TempDir(), "clone", "--quiet", fork.CloneURL(), dir)
	if got := mustGit(t, "", dir, "log", "--format=%D %s"); got != "HEAD -> trunk, origin/trunk, origin/HEAD Add\ntag: v1, origin/main Initial commit\n" {
		t.Errorf("the clone of the fork has %q", got)
	}
	mustGit(t, "", dir, "fsck", "--strict")
	if _, err := h.CreateRepository("octo/shop", githubsim.Empty()); err == nil {
		t.Error("a name was taken twice")
	}
	if _, err := h.CreateRepository("octo/empty", githubsim.Empty()); err != nil {
		t.Error(err)
	}
	if empty := must[*github.Repository](t)(h.user("octo").Repositories.Get(t.Context(), "octo", "empty")); empty.GetSize() != 0 {
		t.Errorf("size of the empty repository: %d", empty.GetSize())
	}
}
