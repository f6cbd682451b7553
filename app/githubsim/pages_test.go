package githubsim_test

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-github/v66/github"

	"github.com/causaldocs/causal/app/githubsim"
)

func TestPagesShowWhatIsThere(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{})
	defer h.clean()
	head := h.push("feature/x", githubsim.Change{Write: map[string]string{"docs/new.md": "# New\n\n[home](../README.md)\n"}, Message: "Write a page"})
	number := h.pull("feature/x", "A <b>page</b>")
	h.repo.AddComment(number, "<!-- marker -->\n**bold** <script>alert(1)</script>\n\n<details><summary>more</summary>\n\n- a <img src=x onerror=alert(1)>\n\n</details>\n", "eve")
	run := must[*github.CheckRun](t)(h.bot().Checks.CreateCheckRun(t.Context(), "octo", "shop", github.CreateCheckRunOptions{
		Name: "causal", HeadSHA: head, Conclusion: new("neutral"), Output: &github.CheckRunOutput{Title: new("1 page"), Summary: new("It *fell*.")},
	}))
	for _, trial := range []struct {
		path   string
		status int
		has    []string
	}{
		{"/", 200, []string{`href="/octo/shop"`}},
		{"/octo/shop", 200, []string{"main", "feature/x", "#1 A &lt;b&gt;page", "README.md", "Initial commit"}},
		{"/octo/shop/tree/feature/x", 200, []string{"docs/new.md", "Write a page"}},
		{"/octo/shop/blob/" + head + "/docs/new.md", 200, []string{"# New"}},
		{"/octo/shop/blob/main/cart/cart.go", 200, []string{"func Add() {}"}},
		{"/octo/shop/commit/" + head, 200, []string{"Write a page", "docs/new.md", "# New"}},
		{fmt.Sprintf("/octo/shop/pull/%d", number), 200, []string{"**bold**", "&lt;details&gt;&lt;summary&gt;more", "causal", "docs/new.md"}},
		{fmt.Sprintf("/octo/shop/runs/%d", run.GetID()), 200, []string{"1 page", "*fell*", "neutral"}},
		{"/apps/causal/installations/new", 200, []string{"octo/shop"}},
		{"/octo/none", 404, nil},
		{"/octo/shop/pull/9", 404, nil},
		{"/octo/shop/blob/main/none", 404, nil},
		{"/octo/shop/commit/none", 404, nil},
		{"/octo/shop/runs/1", 404, nil},
	} {
		status, text := h.browse(trial.path)
		if status != trial.status {
			t.Errorf("%s: %d", trial.path, status)
		}
		for _, want := range trial.has {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not have %q:\n%s", trial.path, want, text)
			}
		}
		if strings.Contains(text, "<script>") || strings.Contains(text, "<b>") || strings.Contains(text, "<img") || strings.Contains(text, "marker") {
			t.Errorf("%s lets HTML through:\n%s", trial.path, text)
		}
	}
}

// browse asks for a page and returns it.
func (h *hub) browse(path string) (int, string) {
	h.t.Helper()
	r, err := http.NewRequestWithContext(h.t.Context(), http.MethodGet, h.URL()+path, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

func TestPersonInstallsEverywhere(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{})
	defer h.clean()
	for _, name := range []string{"octo/other", "acme/third"} {
		if _, err := h.CreateRepository(name, githubsim.Empty()); err != nil {
			t.Fatal(err)
		}
	}
	in := h.listen()
	in.take()
	response, err := http.PostForm(h.URL()+"/apps/causal/installations/new", url.Values{})
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if _, names := h.next(in); response.StatusCode != http.StatusOK || strings.Join(names, " ") != "installation.created installation_repositories.added" {
		t.Errorf("%d, events %v", response.StatusCode, names)
	}
}
