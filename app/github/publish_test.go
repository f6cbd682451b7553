package github

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	gh "github.com/google/go-github/v66/github"
)

const (
	parent = "1111111111111111111111111111111111111111"
	child  = "2222222222222222222222222222222222222222"
	other  = "3333333333333333333333333333333333333333"

	postGraphQL = "POST /graphql"
	getHead     = "GET /repos/octo/shop/git/ref/heads/main"
	getCompare  = "GET /repos/octo/shop/compare/" + parent + "..." + child
)

func refTo(commit string) http.HandlerFunc {
	return says(200, object{"ref": "refs/heads/main", "object": object{"sha": commit, "type": "commit"}})
}

var (
	committed = says(200, object{"data": object{"createCommitOnBranch": object{"commit": object{"oid": child}}}})
	stale     = failing("STALE_DATA", `Expected branch to point to "`+parent+`" but it did not. Pull and try again.`)
)

func failing(kind, text string) http.HandlerFunc {
	return says(200, object{"data": object{"createCommitOnBranch": nil}, "errors": []object{{"type": kind, "message": text}}})
}

func sample() Commit {
	return Commit{
		Branch: "refs/heads/main", ExpectedHead: parent, Headline: "Update docs", Body: "Causal-Session: abc",
		Write: map[string][]byte{"docs/a.md": []byte("A\n"), "docs/b.md": []byte("B\n")}, Delete: []string{"docs/old.md"},
	}
}

// compared answers a comparison with the parent.
func compared(message, blob string, commits int) http.HandlerFunc {
	list := []object{{"sha": child, "commit": object{"message": message}}}
	return says(200, object{"status": "ahead", "ahead_by": commits, "commits": list, "files": []object{
		{"filename": "docs/a.md", "status": "modified", "sha": blob}, {"filename": "docs/b.md", "status": "added", "sha": blobID([]byte("B\n"))},
		{"filename": "docs/old.md", "status": "removed", "sha": other},
	}})
}

func TestLostAnswerIsLookedFor(t *testing.T) {
	ours, lost := compared("Update docs\n\nCausal-Session: abc", blobID([]byte("A\n")), 1), says(502, nil)
	for name, test := range map[string]struct {
		mutation []http.HandlerFunc
		head     []http.HandlerFunc
		compare  http.HandlerFunc
		made     string
		err      error
		mutated  int
	}{
		"answered":         {[]http.HandlerFunc{committed}, nil, nil, child, nil, 1},
		"landed":           {[]http.HandlerFunc{lost}, []http.HandlerFunc{refTo(child)}, ours, child, nil, 1},
		"landed, cut":      {[]http.HandlerFunc{cutShort}, []http.HandlerFunc{refTo(child)}, ours, child, nil, 1},
		"not landed":       {[]http.HandlerFunc{lost, committed}, []http.HandlerFunc{refTo(parent)}, nil, child, nil, 2},
		"landed late":      {[]http.HandlerFunc{lost, stale}, []http.HandlerFunc{refTo(parent), refTo(child)}, ours, child, nil, 2},
		"moved":            {[]http.HandlerFunc{stale}, nil, nil, "", ErrHeadMoved, 1},
		"of somebody else": {[]http.HandlerFunc{lost}, []http.HandlerFunc{refTo(child)}, compared("Fix", blobID([]byte("A\n")), 1), "", ErrHeadMoved, 1},
		"another content": {[]http.HandlerFunc{lost}, []http.HandlerFunc{refTo(child)},
			compared("Update docs\n\nCausal-Session: abc", blobID([]byte("Z\n")), 1), "", ErrHeadMoved, 1},
		"and one on top": {[]http.HandlerFunc{lost}, []http.HandlerFunc{refTo(child)},
			compared("Update docs\n\nCausal-Session: abc", blobID([]byte("A\n")), 2), "", ErrHeadMoved, 1},
		"branch deleted": {[]http.HandlerFunc{lost}, []http.HandlerFunc{says(404, message("Not Found"))}, nil, "", ErrGone, 1},
		"timed out inside": {[]http.HandlerFunc{failing("", "Something went wrong while executing your query."), committed},
			[]http.HandlerFunc{refTo(parent)}, nil, child, nil, 2},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.on(postGraphQL, test.mutation...)
			f.on(getHead, test.head...)
			f.on(getCompare, test.compare)
			c := f.client()
			made, err := c.Publish(t.Context(), sample())
			if made != test.made || !errors.Is(err, test.err) {
				t.Errorf("made %q, %s", made, problem(err, test.err))
			}
			if got := f.times(postGraphQL); got != test.mutated {
				t.Errorf("%d mutations, want %d", got, test.mutated)
			}
		})
	}
}

func TestMutation(t *testing.T) {
	f := newFake(t)
	f.on(postGraphQL, committed)
	if _, err := f.client().Publish(t.Context(), sample()); err != nil {
		t.Fatal(err)
	}
	want := `"variables":{"input":{"branch":{"repositoryNameWithOwner":"octo/shop","branchName":"main"},` +
		`"message":{"headline":"Update docs","body":"Causal-Session: abc"},"fileChanges":{"additions":[` +
		`{"path":"docs/a.md","contents":"QQo="},{"path":"docs/b.md","contents":"Qgo="}],` +
		`"deletions":[{"path":"docs/old.md"}]},"expectedHeadOid":"` + parent + `"}}`
	if !strings.Contains(f.last().body, want) {
		t.Errorf("sent %s\nwant %s", f.last().body, want)
	}
}

func TestRefusedMutations(t *testing.T) {
	for _, test := range []struct {
		kind, text string
		want       error
		says       string
	}{
		{"STALE_DATA", "Expected branch to point to x", ErrHeadMoved, ""},
		{"NOT_FOUND", "Could not resolve to a Repository with the name 'octo/shop'.", ErrGone, ""},
		{"", `No matching branch found`, ErrGone, ""},
		{"FORBIDDEN", "Resource not accessible by integration", ErrForbidden, "contents=write"},
		{"UNPROCESSABLE", "refusing to allow a GitHub App to create or update workflow `.github/workflows/a.yml` without `workflows` permission",
			ErrForbidden, "workflows=write"},
		{"UNPROCESSABLE", "Repository rule violations found\n\nChanges must be made through a pull request.", ErrProtected, "found; Changes must be made through"},
		{"FORBIDDEN", "Required status check \"test\" is expected.", ErrProtected, `"test"`},
		{"UNPROCESSABLE", "You're not authorized to push to this branch.", ErrProtected, ""},
		{"FORBIDDEN", "Repository was archived so is read-only.", ErrArchived, ""},
		{"UNPROCESSABLE", "A path was requested for deletion which does not exist as of commit oid", ErrRefused, "deletion"},
		{"UNPROCESSABLE", "There is no file internal/timeout/archived/forbidden.md", ErrRefused, "no file"},
		{"", "Repository is empty", ErrEmpty, ""},
	} {
		f := newFake(t)
		f.on(postGraphQL, failing(test.kind, test.text))
		_, err := f.client().Publish(t.Context(), sample())
		if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s %s: %s, with %q in one line", test.kind, test.text, problem(err, test.want), test.says)
		}
		if n := f.times(postGraphQL); n != 1 {
			t.Errorf("%s %s: sent %d times", test.kind, test.text, n)
		}
	}
	f := newFake(t)
	f.on(postGraphQL, failing("RATE_LIMITED", "API rate limit exceeded"))
	if _, err := f.client().Publish(t.Context(), sample()); !errors.As(err, new(RateLimited)) {
		t.Error(problem(err, RateLimited{}))
	}
}

func TestRefusedRequests(t *testing.T) {
	for _, test := range []struct {
		status int
		text   string
		want   error
	}{
		{401, "Bad credentials", ErrCredentials},
		{403, "Resource not accessible by integration", ErrForbidden},
		{403, "Repository was archived so is read-only.", ErrArchived},
		{403, "Cannot change this locked branch", ErrProtected},
		{404, "Not Found", ErrGone},
		{409, "Git Repository is empty.", ErrEmpty},
		{409, "Repository rule violations found", ErrProtected},
		{413, "Payload too big", ErrTooLarge},
		{422, "Update is not a fast forward", ErrHeadMoved},
		{422, "Reference already exists", ErrHeadMoved},
		{422, "Reference does not exist", ErrGone},
		{422, "Protected branch update failed for refs/heads/main.", ErrProtected},
		{422, "Sorry, your request timed out. It's likely that your input was too large to process.", ErrTooLarge},
		{422, "Validation Failed", ErrRefused},
		{451, "Repository access blocked", ErrGone},
	} {
		if got := kindOf(test.status, test.text); !errors.Is(got, test.want) {
			t.Errorf("%d %s: %v, want %v", test.status, test.text, got, test.want)
		}
	}
}

func TestForbiddenNamesThePermission(t *testing.T) {
	f := newFake(t)
	f.on(getRepository, says(403, message("Resource not accessible by integration"), "X-Accepted-GitHub-Permissions", "metadata=read; administration=read"))
	_, err := f.client().Repository(t.Context())
	want := "look up the repository in octo/shop: it is not allowed: it needs the permission metadata=read; administration=read " +
		"(Resource not accessible by integration)"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestCommitsThatCannotBe(t *testing.T) {
	for name, change := range map[string]func(*Commit){
		"no branch":    func(c *Commit) { c.Branch = "refs/heads/" },
		"no head":      func(c *Commit) { c.ExpectedHead = "main" },
		"two lines":    func(c *Commit) { c.Headline = "a\nb" },
		"nothing":      func(c *Commit) { c.Write, c.Delete = nil, nil },
		"outside":      func(c *Commit) { c.Delete = []string{"../x"} },
		"absolute":     func(c *Commit) { c.Delete = []string{"/etc/passwd"} },
		"git's own":    func(c *Commit) { c.Delete = []string{".GIT/config"} },
		"odd path":     func(c *Commit) { c.Delete = []string{"a//b"} },
		"both at once": func(c *Commit) { c.Delete = []string{"docs/a.md"} },
	} {
		commit := sample()
		change(&commit)
		if _, err := newFake(t).client().Publish(t.Context(), commit); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %s", name, problem(err, ErrRefused))
		}
	}
}

// A branch that was pushed to in between is not moved, with force neither.
func TestMovedBranchIsNotMoved(t *testing.T) {
	for _, force := range []bool{false, true} {
		f := newFake(t)
		f.on(getHead, refTo(other))
		if err := f.client().move(t.Context(), "main", parent, child, force); !errors.Is(err, ErrHeadMoved) {
			t.Error(problem(err, ErrHeadMoved))
		}
		f.on(getHead, refTo(parent), refTo(other))
		f.on("PATCH /repos/octo/shop/git/refs/heads/main", says(502, nil))
		if err := f.client().move(t.Context(), "main", parent, child, force); !errors.Is(err, ErrHeadMoved) {
			t.Error(problem(err, ErrHeadMoved))
		}
	}
}

func TestSameFiles(t *testing.T) {
	commit := sample()
	a, b := blobID([]byte("A\n")), blobID([]byte("B\n"))
	file := func(status, name, sha, previous string) *gh.CommitFile {
		return &gh.CommitFile{Status: &status, Filename: &name, SHA: &sha, PreviousFilename: &previous}
	}
	for name, test := range map[string]struct {
		files []*gh.CommitFile
		want  bool
	}{
		"all":              {[]*gh.CommitFile{file("added", "docs/a.md", a, ""), file("modified", "docs/b.md", b, ""), file("removed", "docs/old.md", other, "")}, true},
		"one was as it is": {[]*gh.CommitFile{file("added", "docs/a.md", a, "")}, true},
		"a rename":         {[]*gh.CommitFile{file("renamed", "docs/a.md", a, "docs/old.md")}, true},
		"another rename":   {[]*gh.CommitFile{file("renamed", "docs/a.md", a, "docs/kept.md")}, false},
		"another removal":  {[]*gh.CommitFile{file("removed", "docs/a.md", a, "")}, false},
		"another file":     {[]*gh.CommitFile{file("added", "docs/a.md", a, ""), file("added", "main.go", a, "")}, false},
		"another content":  {[]*gh.CommitFile{file("added", "docs/a.md", b, "")}, false},
		"nothing":          {nil, false},
	} {
		if got := commit.sameFiles(test.files); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestHolds checks that files that a comparison does not list are read from the tree.
func TestHolds(t *testing.T) {
	entry := func(path, content string) object {
		return object{"path": path, "type": "blob", "sha": blobID([]byte(content))}
	}
	a, b := entry("docs/a.md", "A\n"), entry("docs/b.md", "B\n")
	for name, test := range map[string]struct {
		tree      []object
		truncated bool
		want      bool
	}{
		"all":                  {[]object{a, b, entry("main.go", "")}, false, true},
		"one is missing":       {[]object{a}, false, false},
		"one is not listed":    {[]object{a}, true, true},
		"another content":      {[]object{a, entry("docs/b.md", "Z\n")}, true, false},
		"one was not deleted":  {[]object{a, b, entry("docs/old.md", "")}, false, false},
		"nothing can be known": {nil, true, true},
	} {
		f := newFake(t)
		f.on("GET /repos/octo/shop/git/trees/"+child, says(200, object{"sha": child, "tree": test.tree, "truncated": test.truncated}))
		if got, err := f.client().holds(t.Context(), sample(), child); got != test.want || err != nil {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func TestFilesAreTooLarge(t *testing.T) {
	commit := sample()
	commit.Write["docs/a.md"] = make([]byte, largestFile+1)
	if _, err := newFake(t).client().Publish(t.Context(), commit); !errors.Is(err, ErrTooLarge) {
		t.Error(problem(err, ErrTooLarge))
	}
}

func TestRefusalsAreToldInFull(t *testing.T) {
	for want, body := range map[string]object{
		"Validation Failed; head invalid": {"message": "Validation Failed", "errors": []object{{"resource": "PullRequest", "field": "head", "code": "invalid"}}},
		"Validation Failed; No commits between main and causal/docs": {
			"message": "Validation Failed", "errors": []object{{"resource": "PullRequest", "code": "custom", "message": "No commits between main and causal/docs"}},
		},
		"Invalid request; Only 65535 characters are allowed": {"message": "Invalid request.\n\nOnly 65535 characters are allowed"},
		"Unprocessable Entity":                               {},
	} {
		f := newFake(t)
		f.on(getRepository, says(422, body))
		_, err := f.client().Repository(t.Context())
		var failed *Error
		if !errors.As(err, &failed) || strings.ReplaceAll(failed.Said, ".;", ";") != want {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
