package githubsim_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-github/v66/github"

	"github.com/causaldocs/causal/app/githubsim"
)

// told are the events of conversations.
var told = append(slices.Clone(quiet), "issue_comment", "pull_request_review", "pull_request_review_comment", "pull_request_review_thread")

// numbered is a file of lines that say their number.
func numbered(n int) string {
	var out strings.Builder
	for i := range n {
		fmt.Fprintln(&out, "line", i+1)
	}
	return out.String()
}

// reviewed is a hub with a pull request that changes line 10 of a file of 40 and puts two below line 30.
func reviewed(t *testing.T, events []string) (*hub, int) {
	t.Helper()
	h := start(t, githubsim.Options{App: &githubsim.App{Events: events}})
	h.push("main", githubsim.Change{Message: "Begin", Write: map[string]string{"long.txt": numbered(40), "gone.txt": "gone\n"}})
	text := strings.Replace(strings.Replace(numbered(40), "line 10\n", "line ten\n", 1), "line 30\n", "line 30\nline a\nline b\n", 1)
	h.push("fix", githubsim.Change{Message: "Fix", Write: map[string]string{"long.txt": text}, Delete: []string{"gone.txt"}})
	return h, h.pull("fix", "Fix")
}

// review posts a review of remarks.
func (h *hub) review(number int, commit string, remarks ...*github.DraftReviewComment) (*github.PullRequestReview, error) {
	h.t.Helper()
	made, _, err := h.bot().PullRequests.CreateReview(h.t.Context(), "octo", "shop", number, &github.PullRequestReviewRequest{
		CommitID: new(commit), Event: new("COMMENT"), Body: new("Look"), Comments: remarks,
	})
	return made, err
}

func at(path, side string, start, line int) *github.DraftReviewComment {
	out := &github.DraftReviewComment{Path: new(path), Side: new(side), Line: new(line), Body: new("Hm")}
	if start != 0 {
		out.StartLine, out.StartSide = new(start), new(side)
	}
	return out
}

// GitHub takes a review whole or not at all, and only remarks on lines that the diff shows.
func TestReviewIsPlacedInTheDiff(t *testing.T) {
	t.Parallel()
	h, number := reviewed(t, quiet)
	defer h.clean()
	head := h.repo.Head("fix")
	for _, trial := range []struct {
		name   string
		remark *github.DraftReviewComment
		says   string // empty: it is taken
	}{
		{"a changed line", at("long.txt", "RIGHT", 0, 10), ""},
		{"what it was", at("long.txt", "LEFT", 0, 10), ""},
		{"three lines above", at("long.txt", "RIGHT", 0, 7), ""},
		{"four lines above", at("long.txt", "RIGHT", 0, 6), "must be part of the diff"},
		{"three lines below", at("long.txt", "RIGHT", 0, 35), ""},
		{"four lines below", at("long.txt", "RIGHT", 0, 36), "must be part of the diff"},
		{"several lines", at("long.txt", "RIGHT", 30, 32), ""},
		{"from one hunk to another", at("long.txt", "RIGHT", 10, 31), "same hunk"},
		{"backwards", at("long.txt", "RIGHT", 32, 31), "must be part of the diff"},
		{"a deleted file", at("gone.txt", "LEFT", 0, 1), ""},
		{"a deleted file's other side", at("gone.txt", "RIGHT", 0, 1), "must be part of the diff"},
		{"another file", at("README.md", "RIGHT", 0, 1), "path is invalid"},
	} {
		before := len(h.repo.Threads(number))
		made, err := h.review(number, head, at("long.txt", "RIGHT", 0, 31), trial.remark)
		threads := h.repo.Threads(number)[before:]
		if trial.says == "" {
			if err != nil || len(threads) != 2 || threads[1].Line != trial.remark.GetLine() || threads[1].Outdated || made.GetState() != "COMMENTED" {
				t.Errorf("%s: %v, %+v", trial.name, err, threads)
			}
			continue
		}
		refused := (*github.ErrorResponse)(nil)
		if !errors.As(err, &refused) || refused.Response.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(err.Error(), trial.says) || len(threads) != 0 {
			t.Errorf("%s: %v, %d threads", trial.name, err, len(threads))
		}
	}
	for name, commit := range map[string]string{"of the base": h.repo.Head("main"), "of nothing": strings.Repeat("1", 40)} {
		if _, err := h.review(number, commit, at("long.txt", "RIGHT", 0, 10)); err == nil || !strings.Contains(err.Error(), "commitOID is not part of the pull request") {
			t.Errorf("a commit %s: %v", name, err)
		}
	}
}

// A thread goes where its line goes, and is outdated while that is changed or out of the diff.
func TestThreadsFollowPushes(t *testing.T) {
	t.Parallel()
	h, number := reviewed(t, quiet)
	defer h.clean()
	first := h.repo.Head("fix")
	if _, err := h.review(number, first, at("long.txt", "RIGHT", 31, 32), at("long.txt", "LEFT", 0, 10)); err != nil {
		t.Fatal(err)
	}
	original, _ := h.repo.Read("fix", "long.txt")
	type want struct {
		start, line int
		outdated    bool
	}
	for _, step := range []struct {
		name string
		text string
		want [2]want
	}{
		{"lines above", "top\ntop\n" + original, [2]want{{33, 34, false}, {0, 10, false}}},
		{"its line changed", strings.Replace(original, "line b", "line c", 1), [2]want{{0, 0, true}, {0, 10, false}}},
		{"brought back", original, [2]want{{31, 32, false}, {0, 10, false}}},
		{"line 10 as it was", strings.Replace(original, "line ten", "line 10", 1), [2]want{{31, 32, false}, {0, 0, true}}},
		{"nothing left of the file's changes", numbered(40), [2]want{{0, 0, true}, {0, 0, true}}},
	} {
		h.push("fix", githubsim.Change{Message: step.name, Write: map[string]string{"long.txt": step.text}})
		for i, thread := range h.repo.Threads(number) {
			if got := (want{thread.StartLine, thread.Line, thread.Outdated}); got != step.want[i] {
				t.Errorf("%s: thread %d at %+v, want %+v", step.name, i, got, step.want[i])
			}
		}
	}
	remarks, _, err := h.bot().PullRequests.ListComments(t.Context(), "octo", "shop", number, nil)
	if err != nil || len(remarks) != 2 || remarks[0].Line != nil || remarks[0].GetOriginalLine() != 32 || remarks[0].GetCommitID() != first {
		t.Errorf("outdated: %v, %v", remarks, err)
	}
	// A force push without the commented commit is followed all the same.
	if _, err := h.repo.ForcePush("fix", h.repo.Head("main"), githubsim.Change{Message: "Anew", Write: map[string]string{"long.txt": "top\n" + original}}); err != nil {
		t.Fatal(err)
	}
	threads := h.repo.Threads(number)
	if threads[0].Line != 33 || threads[0].OriginalLine != 32 || threads[0].Outdated {
		t.Errorf("after a force push: %+v", threads[0])
	}
	if _, err := h.review(number, first, at("long.txt", "RIGHT", 0, 31)); err == nil || !strings.Contains(err.Error(), "commitOID") {
		t.Errorf("a commit that was pushed away: %v", err)
	}
}

// What was remarked is read by review and in pages.
func TestRemarksAreListed(t *testing.T) {
	t.Parallel()
	h, number := reviewed(t, quiet)
	defer h.clean()
	made, err := h.review(number, h.repo.Head("fix"), at("long.txt", "RIGHT", 0, 31))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := h.repo.Remark(number, githubsim.Place{Path: "long.txt"}, "All of it", "mona")
	if err != nil {
		t.Fatal(err)
	}
	reply, err := h.repo.Reply(whole, "Yes", "causal[bot]")
	if err != nil {
		t.Fatal(err)
	}
	pulls, ctx := h.bot().PullRequests, t.Context()
	page, resp, err := pulls.ListComments(ctx, "octo", "shop", number, &github.PullRequestListCommentsOptions{ListOptions: github.ListOptions{PerPage: 2}})
	if err != nil || len(page) != 2 || resp.NextPage != 2 {
		t.Fatalf("a page: %v, %v", page, err)
	}
	if line := page[0]; line.GetLine() != 31 || !strings.HasSuffix(line.GetDiffHunk(), "\n+line a") || line.GetPosition() == 0 || line.GetPullRequestReviewID() != made.GetID() {
		t.Errorf("a remark on a line: %v", line)
	}
	if file := page[1]; file.GetSubjectType() != "file" || file.Line != nil {
		t.Errorf("a remark on a file: %v", file)
	}
	rest, _, err := pulls.ListComments(ctx, "octo", "shop", number, &github.PullRequestListCommentsOptions{ListOptions: github.ListOptions{PerPage: 2, Page: 2}})
	if err != nil || len(rest) != 1 || rest[0].GetID() != reply || rest[0].GetInReplyTo() != page[1].GetID() {
		t.Fatalf("the reply: %v, %v", rest, err)
	}
	if of, _, err := pulls.ListReviewComments(ctx, "octo", "shop", number, rest[0].GetPullRequestReviewID(), nil); err != nil || len(of) != 1 || of[0].GetID() != reply {
		t.Errorf("of a review: %v, %v", of, err)
	}
	for _, id := range []int64{reply, page[1].GetID()} {
		if err := h.repo.DeleteComment(id, "mona"); err != nil {
			t.Fatal(err)
		}
	}
	reviews, _, err := pulls.ListReviews(ctx, "octo", "shop", number, nil)
	if err != nil || len(reviews) != 1 || len(h.repo.Threads(number)) != 1 {
		t.Errorf("%d reviews and %+v after the deletion, %v", len(reviews), h.repo.Threads(number), err)
	}
}

// What people do in a conversation is delivered, in the form that GitHub describes.
func TestConversationsAreToldOf(t *testing.T) {
	t.Parallel()
	h, number := reviewed(t, told)
	defer h.clean()
	in := h.listen()
	in.take()
	thread, err := h.repo.Remark(number, githubsim.Place{Path: "long.txt", Line: 31}, "Why?", "mona")
	if err != nil {
		t.Fatal(err)
	}
	file, err := h.repo.Remark(number, githubsim.Place{Path: "long.txt"}, "Too long", "mona")
	if err != nil {
		t.Fatal(err)
	}
	reply, err := h.repo.Reply(thread, "Because", "hubot")
	if err != nil {
		t.Fatal(err)
	}
	said := h.repo.AddComment(number, "/causal dismiss", "mona")
	for _, err := range []error{
		h.repo.EditComment(reply, "Because.", "hubot"), h.repo.ResolveThread(thread, "mona"), h.repo.ResolveThread(thread, "hubot"),
		h.repo.UnresolveThread(thread, "hubot"), h.repo.EditComment(said, "/causal review", "mona"), h.repo.DeleteComment(said, "mona"),
		h.repo.EditComment(firstOf(h, number, file), "Long", "mona"), h.repo.DeleteComment(reply, "hubot"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	events, names := h.next(in)
	const review, remark, conversation = "pull_request_review", "pull_request_review_comment", "pull_request_review_thread"
	want := []string{
		review + ".submitted", remark + ".created", review + ".submitted", remark + ".created", review + ".submitted", remark + ".created",
		"issue_comment.created", remark + ".edited", conversation + ".resolved", conversation + ".unresolved", "issue_comment.edited",
		"issue_comment.deleted", remark + ".edited", remark + ".deleted",
	}
	if !slices.Equal(names, want) {
		t.Fatalf("events %v", names)
	}
	resolved := events[8].(*github.PullRequestReviewThreadEvent)
	if resolved.GetSender().GetLogin() != "mona" || resolved.GetThread().GetNodeID() != thread || len(resolved.Thread.Comments) != 2 {
		t.Errorf("resolved: %v", resolved)
	}
	if edited := events[10].(*github.IssueCommentEvent); edited.GetChanges().GetBody().GetFrom() != "/causal dismiss" || !edited.GetIssue().IsPullRequest() || edited.GetIssue().GetNumber() != number {
		t.Errorf("edited: %v", edited)
	}
	if answered := events[5].(*github.PullRequestReviewCommentEvent); answered.GetComment().GetInReplyTo() == 0 || answered.GetComment().GetUser().GetLogin() != "hubot" {
		t.Errorf("reply: %v", answered)
	}
}

func firstOf(h *hub, number int, id string) int64 {
	for _, t := range h.repo.Threads(number) {
		if t.ID == id {
			return t.Comments[0].ID
		}
	}
	return 0
}

// An App is told of what it subscribes to and may read; what it asks for anew counts once the owner accepts.
func TestEventsTakePermissions(t *testing.T) {
	t.Parallel()
	h, number := reviewed(t, quiet)
	defer h.clean()
	in := h.listen()
	in.take()
	say := func() []string {
		h.repo.AddComment(number, "Hello", "mona")
		_, names := h.next(in)
		return names
	}
	if names := say(); len(names) != 0 {
		t.Errorf("without a subscription: %v", names)
	}
	permissions := h.App().Permissions
	h.Ask(permissions, told)
	if names := say(); !slices.Equal(names, []string{"issue_comment.created"}) {
		t.Errorf("with one that takes no new permission: %v", names)
	}
	delete(permissions, "issues")
	delete(permissions, "pull_requests")
	h.Ask(permissions, told)
	if names := say(); len(names) != 0 {
		t.Errorf("without a permission: %v", names)
	}
	permissions["pull_requests"] = "write"
	h.Ask(permissions, told)
	if names := say(); len(names) != 0 {
		t.Errorf("before the owner has accepted: %v", names)
	}
	h.Accept("octo")
	if names := say(); !slices.Equal(names, []string{"installation.new_permissions_accepted", "issue_comment.created"}) {
		t.Errorf("once the owner has accepted: %v", names)
	}
	found, _, err := h.app().Apps.GetInstallation(t.Context(), h.installation)
	if err != nil || found.GetPermissions().GetPullRequests() != "write" || found.GetPermissions().Issues != nil || !slices.Contains(found.Events, "issue_comment") {
		t.Errorf("installation %v, %v", found, err)
	}
}

func TestReactionsAndAccess(t *testing.T) {
	t.Parallel()
	h, number := reviewed(t, quiet)
	defer h.clean()
	ctx := t.Context()
	said := h.repo.AddComment(number, "/causal review", "mona")
	for _, status := range []int{http.StatusCreated, http.StatusOK} {
		if _, resp, err := h.bot().Reactions.CreateIssueCommentReaction(ctx, "octo", "shop", said, "eyes"); err != nil || resp.StatusCode != status {
			t.Errorf("%v, %v, want %d", resp, err, status)
		}
	}
	list, _, err := h.bot().Reactions.ListIssueCommentReactions(ctx, "octo", "shop", said, nil)
	if err != nil || len(list) != 1 || list[0].GetUser().GetLogin() != "causal[bot]" || !slices.Equal(h.repo.Reactions(said), []string{"causal[bot] eyes"}) {
		t.Errorf("reactions %v, %v", list, err)
	}
	if comments, _, err := h.bot().Issues.ListComments(ctx, "octo", "shop", number, nil); err != nil || len(comments) != 1 || comments[0].GetReactions().GetEyes() != 1 {
		t.Errorf("comments %v, %v", comments, err)
	}
	h.repo.Invite("writer", true)
	h.repo.Invite("reader", false)
	for _, private := range []bool{true, false} {
		h.repo.SetPrivate(private)
		for login, want := range map[string]string{"octo": "admin", "writer": "write", "reader": "read", "mona": map[bool]string{true: "none", false: "read"}[private]} {
			if level, _, err := h.bot().Repositories.GetPermissionLevel(ctx, "octo", "shop", login); err != nil || level.GetPermission() != want {
				t.Errorf("private %t: %s has %v, %v", private, login, level, err)
			}
		}
	}
	if _, resp, err := h.bot().Repositories.GetPermissionLevel(ctx, "octo", "shop", "nobody"); err == nil || resp.StatusCode != http.StatusNotFound {
		t.Errorf("nobody: %v", err)
	}
}
