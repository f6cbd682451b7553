package github

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"slices"
	"strings"

	gh "github.com/google/go-github/v66/github"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// Publish creates a commit on a branch and returns its id. It fails with ErrHeadMoved and changes nothing unless the
// branch points to the expected head. GitHub signs the commit.
func (c *Client) Publish(ctx context.Context, commit Commit) (string, error) {
	commit.Branch = branchName(commit.Branch)
	if err := commit.check(); err != nil {
		return "", err
	}
	if commit.size() > c.largest {
		return c.publishObjects(ctx, commit)
	}
	var made string
	err := c.settle(ctx, func() (err error) {
		made, err = c.mutate(ctx, commit)
		return err
	}, func() (bool, error) {
		found, err := c.landed(ctx, commit)
		if found != "" {
			made = found
		}
		return found != "", err
	})
	// If answers keep getting lost and nothing lands, the commit is too large for a mutation.
	if errors.Is(err, errUnsupported) || errors.Is(err, ErrTooLarge) || isLost(err) {
		return c.publishObjects(ctx, commit)
	}
	return made, err
}

func (c *Client) landed(ctx context.Context, commit Commit) (string, error) {
	head, err := c.head(ctx, commit.Branch)
	if err != nil || head == commit.ExpectedHead {
		return "", err
	}
	same, err := c.isThe(ctx, commit, head)
	if err != nil {
		return "", err
	}
	if !same {
		return "", &Error{Kind: ErrHeadMoved, Doing: "publish to " + commit.Branch + " of " + c.FullName()}
	}
	return head, nil
}

// isThe reports whether a commit is the given one: the only commit on the same parent, with the same message and
// changes.
func (c *Client) isThe(ctx context.Context, commit Commit, id string) (bool, error) {
	diff, err := c.compare(ctx, commit.ExpectedHead, id)
	if err != nil {
		return false, err
	}
	same := diff.GetStatus() == "ahead" && diff.GetAheadBy() == 1 && len(diff.Commits) == 1 &&
		commit.sameMessage(diff.Commits[0].GetCommit().GetMessage()) && commit.sameFiles(diff.Files)
	if !same || commit.allIn(diff.Files) {
		return same, nil
	}
	return c.holds(ctx, commit, id)
}

// holds reports whether a commit has the files of the given commit. A comparison is not enough: it ends after 300 files
// and omits files whose content did not change. Files that a truncated tree listing omits count as right.
func (c *Client) holds(ctx context.Context, commit Commit, id string) (bool, error) {
	tree, _, err := c.api.Git.GetTree(ctx, c.owner, c.name, id, true)
	if err != nil {
		return false, c.explain(ctx, "list the files of "+id, "contents=read", err)
	}
	have := map[string]string{}
	for _, e := range tree.Entries {
		have[e.GetPath()] = e.GetSHA()
	}
	for _, name := range commit.paths() {
		content, written := commit.Write[name]
		is, there := have[name]
		switch {
		case there && (!written || is != blobID(content)), !there && written && !tree.GetTruncated():
			return false, nil
		}
	}
	return true, nil
}

func (c *Client) compare(ctx context.Context, base, head string) (*gh.CommitsComparison, error) {
	diff, _, err := c.api.Repositories.CompareCommits(ctx, c.owner, c.name, base, head, &gh.ListOptions{PerPage: perPage})
	return diff, c.explain(ctx, "compare commits", "contents=read", err)
}

const createCommit = `mutation($input: CreateCommitOnBranchInput!) { createCommitOnBranch(input: $input) { commit { oid } } }`

type fileAddition struct {
	Path     string `json:"path"`
	Contents string `json:"contents"`
}

type fileDeletion struct {
	Path string `json:"path"`
}

type commitInput struct {
	Branch struct {
		Repository string `json:"repositoryNameWithOwner"`
		Name       string `json:"branchName"`
	} `json:"branch"`
	Message struct {
		Headline string `json:"headline"`
		Body     string `json:"body,omitempty"`
	} `json:"message"`
	Files struct {
		Additions []fileAddition `json:"additions,omitempty"`
		Deletions []fileDeletion `json:"deletions,omitempty"`
	} `json:"fileChanges"`
	ExpectedHead string `json:"expectedHeadOid"`
}

func (c *Client) mutate(ctx context.Context, commit Commit) (string, error) {
	var input commitInput
	input.Branch.Repository, input.Branch.Name = c.FullName(), commit.Branch
	input.Message.Headline, input.Message.Body = commit.Headline, commit.body()
	input.ExpectedHead = commit.ExpectedHead
	for _, name := range commit.paths() {
		if content, ok := commit.Write[name]; ok {
			encoded := base64.StdEncoding.EncodeToString(content)
			input.Files.Additions = append(input.Files.Additions, fileAddition{Path: name, Contents: encoded})
		} else {
			input.Files.Deletions = append(input.Files.Deletions, fileDeletion{Path: name})
		}
	}
	var data struct {
		Created struct {
			Commit struct {
				OID string `json:"oid"`
			} `json:"commit"`
		} `json:"createCommitOnBranch"`
	}
	doing := "publish to " + commit.Branch + " of " + c.FullName()
	if err := c.graphQL(ctx, doing, "contents=write", createCommit, map[string]any{"input": input}, &data); err != nil {
		return "", err
	}
	if data.Created.Commit.OID == "" {
		return "", &Error{Kind: ErrUnavailable, Doing: doing, Said: "the answer names no commit", lost: true}
	}
	return data.Created.Commit.OID, nil
}

type queryError struct {
	Type       string `json:"type"`
	Message    string `json:"message"`
	Path       []any  `json:"path"`
	Extensions struct {
		Code string `json:"code"`
	} `json:"extensions"`
}

// graphQL sends a mutation. An answer without data and without a known error counts as lost.
func (c *Client) graphQL(ctx context.Context, doing, needs, query string, variables map[string]any, data any) error {
	failed, err := c.query(ctx, doing, needs, query, variables, data)
	if err != nil || len(failed) == 0 {
		return err
	}
	return explainQuery(doing, needs, failed)
}

func (c *Client) query(ctx context.Context, doing, needs, query string, variables map[string]any, data any) ([]queryError, error) {
	failed, err := sendQuery(ctx, c.api, c.at, query, variables, data)
	var refused *gh.ErrorResponse
	if errors.As(err, &refused) && slices.Contains([]int{http.StatusNotFound, http.StatusMethodNotAllowed}, refused.Response.StatusCode) {
		return nil, errUnsupported
	}
	return failed, c.opt.explain(ctx, doing, needs, err)
}

func sendQuery(ctx context.Context, api *gh.Client, at endpoints, query string, variables map[string]any, data any) ([]queryError, error) {
	req, err := api.NewRequest(http.MethodPost, at.graphql, map[string]any{"query": query, "variables": variables})
	if err != nil {
		return nil, err
	}
	answer := struct {
		Data   any          `json:"data"`
		Errors []queryError `json:"errors"`
	}{Data: data}
	_, err = api.Do(ctx, req, &answer)
	return answer.Errors, err
}

// queryRules map GraphQL errors to kinds by type, or by phrases that a file path is unlikely to contain.
var queryRules = []struct {
	types []string
	words *lazyregexp.Regexp
	kind  error
}{
	{nil, lazyregexp.New(`(?i)` + archived), ErrArchived},
	{[]string{"STALE_DATA"}, lazyregexp.New(`(?i)expected branch to point to`), ErrHeadMoved},
	{[]string{"undefinedField", "undefinedType"}, lazyregexp.New(`(?i)doesn't exist on type|isn't a defined input type`), errUnsupported},
	{nil, lazyregexp.New(`(?i)` + forbidding), ErrProtected},
	{[]string{"INTERNAL"}, lazyregexp.New(`(?i)something went wrong while|respond to your request in time|request timed out`), ErrUnavailable},
	{nil, lazyregexp.New(`(?i)too large`), ErrTooLarge},
	{[]string{"FORBIDDEN", "INSUFFICIENT_SCOPES"}, lazyregexp.New(`(?i)not accessible by|without .workflows. permission`), ErrForbidden},
	{[]string{"NOT_FOUND"}, lazyregexp.New(`(?i)could not resolve to|no (matching )?branch`), ErrGone},
	{nil, lazyregexp.New(`(?i)repository is empty`), ErrEmpty},
}

func kindOfQuery(failed []queryError) error {
	for _, r := range queryRules {
		for _, e := range failed {
			if slices.Contains(r.types, e.Type) || slices.Contains(r.types, e.Extensions.Code) || r.words.MatchString(e.Message) {
				return r.kind
			}
		}
	}
	return ErrRefused
}

func explainQuery(doing, needs string, failed []queryError) error {
	var said []string
	for _, e := range failed {
		said = append(said, e.Message)
	}
	out := &Error{Kind: kindOfQuery(failed), Doing: doing, Said: Redact(oneLine(strings.Join(said, "\n")))}
	switch {
	case errors.Is(out, errUnsupported):
		return errUnsupported
	case errors.Is(out, ErrUnavailable):
		out.lost = true
	case errors.Is(out, ErrForbidden):
		out.Needs = needs
		if strings.Contains(out.Said, "`workflows` permission") {
			out.Needs = "workflows=write"
		}
	}
	return out
}
