package githubsim

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
)

type commitInput struct {
	Mutation string `json:"clientMutationId"`
	Branch   struct {
		ID         string `json:"id"`
		Repository string `json:"repositoryNameWithOwner"`
		Name       string `json:"branchName"`
	} `json:"branch"`
	Message struct {
		Headline *string `json:"headline"`
		Body     string  `json:"body"`
	} `json:"message"`
	Head    *string `json:"expectedHeadOid"`
	Changes struct {
		Additions []struct {
			Path     string `json:"path"`
			Contents string `json:"contents"`
		} `json:"additions"`
		Deletions []struct {
			Path string `json:"path"`
		} `json:"deletions"`
	} `json:"fileChanges"`
}

func (g *graphCall) mutations() fields {
	return fields{
		"__typename": "Mutation", "createCommitOnBranch": resolver(g.createCommitOnBranch), "updateRefs": resolver(g.updateRefs),
		"resolveReviewThread": resolver(g.resolveReviewThread), "unresolveReviewThread": resolver(g.unresolveReviewThread),
		"addPullRequestReviewThreadReply": resolver(g.addReply), "updatePullRequestReviewComment": resolver(g.updateComment),
	}
}

// input decodes a mutation's input strictly: GitHub refuses unknown fields.
func (g *graphCall) input(args object, kind string, into any) error {
	strict := json.NewDecoder(bytes.NewReader(encode(args["input"])))
	strict.DisallowUnknownFields()
	if err := strict.Decode(into); err != nil {
		return g.invalid(kind, err.Error())
	}
	return nil
}

func (g *graphCall) invalid(kind, why string) error {
	g.s.violate("GraphQL: invalid %s: %s", kind, why)
	return &graphError{kind: "INVALID", message: fmt.Sprintf("Variable $input of type %s! was provided invalid value (%s)", kind, why)}
}

// createCommitOnBranch writes one verified commit if the branch is at the expected head.
func (g *graphCall) createCommitOnBranch(args object) (any, error) {
	var in commitInput
	const kind = "CreateCommitOnBranchInput"
	if err := g.input(args, kind, &in); err != nil {
		return nil, err
	}
	if in.Head == nil || in.Message.Headline == nil {
		return nil, g.invalid(kind, "expectedHeadOid and headline are not to be null")
	}
	if err := g.target(&in); err != nil {
		return nil, err
	}
	change, err := g.changes(in)
	if err != nil {
		return nil, err
	}
	who := g.s.signature(g.who.login)
	id, err := g.repo.git.record(*in.Head, change, who, g.s.ownSignature())
	if err != nil {
		return nil, err
	}
	g.repo.verified[id] = true
	if err := g.repo.point("refs/heads/"+in.Branch.Name, id, g.who.login); err != nil {
		return nil, err
	}
	commit, err := g.commit(g.repo, id)
	if err != nil {
		return nil, err
	}
	return fields{
		"__typename": "CreateCommitOnBranchPayload", "clientMutationId": orNil(in.Mutation), "commit": commit, "ref": g.ref(g.repo, "refs/heads/"+in.Branch.Name),
	}, nil
}

func (g *graphCall) target(in *commitInput) error {
	if in.Branch.ID != "" {
		g.byNode(in)
	}
	repo, err := g.find(in.Branch.Repository)
	if err != nil {
		return err
	}
	g.repo = repo
	in.Branch.Name = strings.TrimPrefix(in.Branch.Name, "refs/heads/")
	head := repo.Head(in.Branch.Name)
	protection := repo.protected[in.Branch.Name]
	switch {
	case !g.who.may(repo, "contents:write"):
		return &graphError{kind: "FORBIDDEN", message: "Resource not accessible by integration"}
	case repo.archived:
		return &graphError{kind: "FORBIDDEN", message: "Repository was archived so is read-only."}
	case head == "":
		return &graphError{kind: "NOT_FOUND", message: fmt.Sprintf("Branch '%s' not found", in.Branch.Name)}
	case head != *in.Head:
		return &graphError{kind: "STALE_DATA", message: fmt.Sprintf("Expected branch to point to %q but it did not.  Pull and try again.", *in.Head)}
	case protection == "ruleset":
		return &graphError{kind: "UNPROCESSABLE", message: "Repository rule violations found\n\nChanges must be made through a pull request.\n\n"}
	case protection != "":
		return &graphError{kind: "BRANCH_PROTECTION_RULE_VIOLATION", message: "Changes must be made through a pull request."}
	}
	return nil
}

func (g *graphCall) byNode(in *commitInput) {
	for _, repo := range g.s.repositories {
		names, _, err := repo.branches()
		if err != nil {
			continue
		}
		for _, name := range names {
			if node("Ref", fmt.Sprint(repo.id, "refs/heads/"+name)) == in.Branch.ID {
				in.Branch.Repository, in.Branch.Name = repo.fullName(), name
			}
		}
	}
}

func (g *graphCall) changes(in commitInput) (Change, error) {
	c := Change{Write: map[string]string{}, Message: *in.Message.Headline}
	if in.Message.Body != "" {
		c.Message += "\n\n" + in.Message.Body
	}
	for _, addition := range in.Changes.Additions {
		content, err := base64.StdEncoding.DecodeString(addition.Contents)
		if err != nil {
			return c, &graphError{kind: "UNPROCESSABLE", message: fmt.Sprintf("The contents of %q are not valid Base64", addition.Path)}
		}
		if !sane(addition.Path) {
			return c, &graphError{kind: "UNPROCESSABLE", message: fmt.Sprintf("A path was requested that is invalid: %q", addition.Path)}
		}
		c.Write[addition.Path] = string(content)
	}
	for _, deletion := range in.Changes.Deletions {
		if _, there := g.repo.git.at(*in.Head, deletion.Path); !there {
			return c, &graphError{
				kind: "NOT_FOUND", message: fmt.Sprintf("A path was requested for deletion which does not exist as of commit oid `%s`", *in.Head),
			}
		}
		c.Delete = append(c.Delete, deletion.Path)
	}
	return c, nil
}

func sane(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part == "." || part == ".." || strings.EqualFold(part, ".git") {
			return false
		}
	}
	return true
}
