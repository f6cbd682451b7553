package githubsim_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-github/v66/github"

	"github.com/causaldocs/causal/app/githubsim"
)

func TestPullRequestLives(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{})
	defer h.clean()
	in := h.listen()
	in.take()
	first := h.push("feature", githubsim.Change{Write: map[string]string{"cart/cart.go": "package cart\n"}, Message: "Feature", Login: "ann"})
	number := h.pull("feature", "A feature")
	second := h.push("feature", githubsim.Change{Delete: []string{"README.md"}, Message: "More", Login: "ann"})
	for _, do := range []func() error{
		func() error { return h.repo.ClosePull(number, "ann") },
		func() error { return h.repo.ReopenPull(number, "ann") },
		func() error { _, err := h.repo.MergePull(number, "octo"); return err },
	} {
		if err := do(); err != nil {
			t.Fatal(err)
		}
	}
	events, names := h.next(in)
	want := "push create pull_request.opened push pull_request.synchronize pull_request.closed pull_request.reopened push pull_request.closed"
	if got := strings.Join(names, " "); got != want {
		t.Fatalf("events\n%s, want\n%s", got, want)
	}
	opened, changed, merged := events[2].(*github.PullRequestEvent), events[4].(*github.PullRequestEvent), events[8].(*github.PullRequestEvent)
	if opened.GetPullRequest().GetHead().GetSHA() != first || opened.GetInstallation().GetID() != h.installation {
		t.Errorf("opened: %v", opened)
	}
	if changed.GetBefore() != first || changed.GetAfter() != second || changed.GetPullRequest().GetChangedFiles() != 2 {
		t.Errorf("changed: %v", changed)
	}
	if !merged.GetPullRequest().GetMerged() || merged.GetPullRequest().GetMergeCommitSHA() != h.repo.Head("main") {
		t.Errorf("merged: %v", merged)
	}
	if events[5].(*github.PullRequestEvent).GetPullRequest().GetMerged() {
		t.Error("closed is not merged")
	}
}

func TestPullRequestsThroughTheAPI(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{})
	defer h.clean()
	h.push("causal/docs", githubsim.Change{Write: map[string]string{"docs/x.md": "x\n"}, Message: "Docs"})
	h.push("release", githubsim.Change{Message: "Release"})
	c, ctx := h.bot(), t.Context()
	ask := &github.NewPullRequest{Title: new("Docs"), Head: new("causal/docs"), Base: new("main"), Body: new("why")}
	pr := must[*github.PullRequest](t)(c.PullRequests.Create(ctx, "octo", "shop", ask))
	if pr.GetUser().GetLogin() != "causal[bot]" || !pr.GetMergeable() || pr.GetCommits() != 1 {
		t.Errorf("pull request: %v", pr)
	}
	if _, _, err := c.PullRequests.Create(ctx, "octo", "shop", ask); status(err) != http.StatusUnprocessableEntity || !strings.Contains(err.Error(), "already exists") {
		t.Errorf("a second pull request: %v", err)
	}
	same := &github.NewPullRequest{Title: new("Same"), Head: new("main"), Base: new("main")}
	if _, _, err := c.PullRequests.Create(ctx, "octo", "shop", same); !strings.Contains(err.Error(), "No commits between") {
		t.Errorf("a pull request without commits: %v", err)
	}
	found := must[[]*github.PullRequest](t)(c.PullRequests.List(ctx, "octo", "shop", &github.PullRequestListOptions{Head: "octo:causal/docs"}))
	none := must[[]*github.PullRequest](t)(c.PullRequests.List(ctx, "octo", "shop", &github.PullRequestListOptions{Head: "octo:other"}))
	if len(found) != 1 || len(none) != 0 {
		t.Errorf("found %v and %v", found, none)
	}
	if files := must[[]*github.CommitFile](t)(c.PullRequests.ListFiles(ctx, "octo", "shop", 1, nil)); len(files) != 1 || files[0].GetPatch() != "@@ -0,0 +1 @@\n+x" {
		t.Errorf("files: %v", files)
	}
	if pulls := must[[]*github.PullRequest](t)(c.PullRequests.ListPullRequestsWithCommit(ctx, "octo", "shop", h.repo.Head("causal/docs"), nil)); len(pulls) != 1 {
		t.Errorf("pull requests of the commit: %v", pulls)
	}
	edited := must[*github.PullRequest](t)(c.PullRequests.Edit(ctx, "octo", "shop", 1, &github.PullRequest{Title: new("New")}))
	if edited.GetTitle() != "New" {
		t.Errorf("edited: %v", edited)
	}
	must[*github.PullRequest](t)(c.PullRequests.Edit(ctx, "octo", "shop", 1, &github.PullRequest{State: new("closed")}))
	if got := must[*github.PullRequest](t)(c.PullRequests.Get(ctx, "octo", "shop", 1)); got.GetState() != "closed" || got.GetBody() != "why" {
		t.Errorf("pull request: %v", got)
	}
	if pulls := h.repo.Pulls(); len(pulls) != 1 || pulls[0].Author != "causal[bot]" || pulls[0].Merged {
		t.Errorf("pulls: %v", pulls)
	}
}

func TestMergeIsTriedBeforehand(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{})
	defer h.clean()
	h.push("clean", githubsim.Change{Write: map[string]string{"new.txt": "x"}, Message: "Clean"})
	h.push("clash", githubsim.Change{Write: map[string]string{"README.md": "theirs\n"}, Message: "Clash"})
	h.push("main", githubsim.Change{Write: map[string]string{"README.md": "ours\n"}, Message: "Ours"})
	clean, clash := h.pull("clean", "Clean"), h.pull("clash", "Clash")
	pr := must[*github.PullRequest](t)(h.bot().PullRequests.Get(t.Context(), "octo", "shop", clean))
	if text, there := h.repo.Read("refs/pull/1/merge", "new.txt"); !pr.GetMergeable() || !there || text != "x" {
		t.Errorf("mergeable: %v, %q", pr.GetMergeable(), text)
	}
	if text, _ := h.repo.Read(pr.GetMergeCommitSHA(), "README.md"); text != "ours\n" {
		t.Errorf("the trial merge has %q", text)
	}
	pr = must[*github.PullRequest](t)(h.bot().PullRequests.Get(t.Context(), "octo", "shop", clash))
	if pr.GetMergeable() || pr.GetMergeableState() != "dirty" || pr.GetMergeCommitSHA() != "" {
		t.Errorf("conflict: %v %s %s", pr.GetMergeable(), pr.GetMergeableState(), pr.GetMergeCommitSHA())
	}
	if _, err := h.repo.MergePull(clash, "octo"); err == nil {
		t.Error("a conflict was merged")
	}
	h.push("clash", githubsim.Change{Write: map[string]string{"README.md": "# Shop\n"}, Message: "Give in"})
	if _, err := h.repo.MergePull(clash, "octo"); err != nil {
		t.Error(err)
	}
}

func TestPullRequestComesFromAFork(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{})
	defer h.clean()
	fork, err := h.repo.Fork("eve")
	if err != nil {
		t.Fatal(err)
	}
	head, err := fork.Push("main", githubsim.Change{Write: map[string]string{"evil.txt": "x"}, Message: "Theirs"})
	if err != nil {
		t.Fatal(err)
	}
	number := h.pull("eve:main", "From a fork")
	pr := must[*github.PullRequest](t)(h.bot().PullRequests.Get(t.Context(), "octo", "shop", number))
	if !pr.GetHead().GetRepo().GetFork() || pr.GetHead().GetSHA() != head || pr.GetHead().GetUser().GetLogin() != "eve" {
		t.Errorf("head: %v", pr.GetHead())
	}
	token := h.token(nil)
	if out := mustGit(t, token, t.TempDir(), "ls-remote", h.repo.CloneURL(), "refs/pull/*"); !strings.Contains(out, head+"\trefs/pull/1/head") {
		t.Errorf("the head is not in the repository: %s", out)
	}
	if _, err := fork.Push("main", githubsim.Change{Message: "Again"}); err != nil {
		t.Fatal(err)
	}
	if pulls := h.repo.Pulls(); pulls[0].HeadID == head || !pulls[0].FromFork {
		t.Errorf("pulls: %v", pulls)
	}
	if err := fork.DeleteBranch("main", "eve"); err != nil {
		t.Fatal(err)
	}
	if pulls := h.repo.Pulls(); pulls[0].State != "closed" {
		t.Errorf("a pull request without a branch: %v", pulls)
	}
}

func TestComments(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{})
	defer h.clean()
	h.push("feature", githubsim.Change{Write: map[string]string{"new.go": "package x\n"}, Message: "Feature"})
	number := h.pull("feature", "A feature")
	c, ctx := h.bot(), t.Context()
	comment := must[*github.IssueComment](t)(c.Issues.CreateComment(ctx, "octo", "shop", number, &github.IssueComment{Body: new("one")}))
	h.repo.AddComment(number, "two", "ann")
	must[*github.IssueComment](t)(c.Issues.EditComment(ctx, "octo", "shop", comment.GetID(), &github.IssueComment{Body: new("changed")}))
	all := must[[]*github.IssueComment](t)(c.Issues.ListComments(ctx, "octo", "shop", number, nil))
	if len(all) != 2 || all[0].GetBody() != "changed" || all[0].GetUser().GetLogin() != "causal[bot]" || all[1].GetUser().GetLogin() != "ann" {
		t.Errorf("comments: %v", all)
	}
	long := &github.IssueComment{Body: new(strings.Repeat("x", 65537))}
	if _, _, err := c.Issues.CreateComment(ctx, "octo", "shop", number, long); status(err) != http.StatusUnprocessableEntity {
		t.Errorf("a comment that is too long: %v", err)
	}
	if _, err := c.Issues.DeleteComment(ctx, "octo", "shop", comment.GetID()); err != nil {
		t.Error(err)
	}
	if left := h.repo.Comments(number); len(left) != 1 || left[0].Body != "two" {
		t.Errorf("comments: %v", left)
	}
}

func TestChecks(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{App: &githubsim.App{}})
	defer h.clean()
	in := h.listen()
	in.take()
	head := h.repo.Head("main")
	c, ctx := h.bot(), t.Context()
	run := must[*github.CheckRun](t)(c.Checks.CreateCheckRun(ctx, "octo", "shop", github.CreateCheckRunOptions{
		Name: "causal", HeadSHA: head, Status: new("in_progress"), ExternalID: new("s1"),
	}))
	annotations := make([]*github.CheckRunAnnotation, 50)
	for i := range annotations {
		annotations[i] = &github.CheckRunAnnotation{
			Path: new("README.md"), StartLine: new(1), EndLine: new(1), AnnotationLevel: new("warning"), Message: new("stale"),
		}
	}
	output := &github.CheckRunOutput{Title: new("2 pages"), Summary: new("..."), Annotations: annotations}
	for range 2 {
		must[*github.CheckRun](t)(c.Checks.UpdateCheckRun(ctx, "octo", "shop", run.GetID(), github.UpdateCheckRunOptions{
			Name: "causal", Conclusion: new("neutral"), Output: output,
		}))
	}
	found := must[*github.ListCheckRunsResults](t)(c.Checks.ListCheckRunsForRef(ctx, "octo", "shop", "main", &github.ListCheckRunsOptions{CheckName: new("causal")}))
	if found.GetTotal() != 1 || found.CheckRuns[0].GetStatus() != "completed" || found.CheckRuns[0].GetOutput().GetAnnotationsCount() != 100 {
		t.Errorf("checks: %v", found)
	}
	if all := must[[]*github.CheckRunAnnotation](t)(c.Checks.ListCheckRunAnnotations(ctx, "octo", "shop", run.GetID(), &github.ListOptions{PerPage: 60})); len(all) != 60 {
		t.Errorf("%d annotations", len(all))
	}
	if got := found.CheckRuns[0]; got.GetApp().GetSlug() != "causal" || got.GetExternalID() != "s1" {
		t.Errorf("check: %v", got)
	}
	if _, names := h.next(in); strings.Join(names, " ") != "check_run.created check_run.completed check_suite.completed" {
		t.Errorf("events: %v", names)
	}
	next := h.push("main", githubsim.Change{Message: "Next"})
	if events, names := h.next(in); strings.Join(names, " ") != "check_suite.requested push" || events[0].(*github.CheckSuiteEvent).GetCheckSuite().GetHeadSHA() != next {
		t.Errorf("events of a push: %v", names)
	}
	if runs := h.repo.CheckRuns(head); len(runs) != 1 || runs[0].Updates != 2 || runs[0].Conclusion != "neutral" || len(runs[0].Annotations) != 100 {
		t.Errorf("runs: %v", runs)
	}
	if _, _, err := h.user("ann").Checks.CreateCheckRun(ctx, "octo", "shop", github.CreateCheckRunOptions{Name: "x", HeadSHA: head}); status(err) != http.StatusForbidden {
		t.Errorf("a person makes a check: %v", err)
	}
}

func TestDraftsAndLabels(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{})
	defer h.clean()
	h.push("feature", githubsim.Change{Write: map[string]string{"a.go": "package a\n"}, Message: "Feature", Login: "ann"})
	number := h.pull("feature", "A feature")
	in := h.listen()
	in.take()
	for _, err := range []error{
		h.repo.DraftPull(number, true, "ann"), h.repo.LabelPull(number, "wip", true, "ann"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	pr := must[*github.PullRequest](t)(h.bot().PullRequests.Get(t.Context(), "octo", "shop", number))
	if !pr.GetDraft() || len(pr.Labels) != 1 || pr.Labels[0].GetName() != "wip" {
		t.Errorf("%v", pr)
	}
	for _, err := range []error{h.repo.DraftPull(number, false, "ann"), h.repo.LabelPull(number, "wip", false, "ann")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	_, names := h.next(in)
	want := "pull_request.converted_to_draft pull_request.labeled pull_request.ready_for_review pull_request.unlabeled"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("events\n%s, want\n%s", got, want)
	}
}
