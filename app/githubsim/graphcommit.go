package githubsim

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
)

type commitInput struct {
	Branch struct {
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
		"createCommitOnBranch": resolver(g.createCommitOnBranch), "updateRefs": resolver(g.updateRefs),
		"resolveReviewThread": resolver(g.resolveReviewThread), "unresolveReviewThread": resolver(g.unresolveReviewThread),
		"addPullRequestReviewThreadReply": resolver(g.addReply), "updatePullRequestReviewComment": resolver(g.updateComment),
	}
}

// acknowledged is the payload of the mutations whose result nobody reads.
var acknowledged = fields{"clientMutationId": nil}

// input decodes a mutation's input strictly: GitHub refuses unknown fields.
func (g *graphCall) input(args object, kind string, into any) {
	strict := json.NewDecoder(bytes.NewReader(encode(args["input"])))
	strict.DisallowUnknownFields()
	if err := strict.Decode(into); err != nil {
		g.invalid(kind, err.Error())
	}
}

func (g *graphCall) invalid(kind, why string) {
	g.s.violate("GraphQL: invalid %s: %s", kind, why)
	panic(&graphError{kind: "INVALID", message: fmt.Sprintf("Variable $input of type %s! was provided invalid value (%s)", kind, why)})
}

// createCommitOnBranch writes one verified commit if the branch is at the expected head.
func (g *graphCall) createCommitOnBranch(args object) any {
	var in commitInput
	const kind = "CreateCommitOnBranchInput"
	g.input(args, kind, &in)
	if in.Head == nil || in.Message.Headline == nil {
		g.invalid(kind, "expectedHeadOid and headline are not to be null")
	}
	g.target(&in)
	change := g.changes(in)
	who := g.s.signature(g.who.login)
	id := g.repo.git.record(*in.Head, change, who, g.s.ownSignature())
	g.repo.verified[id] = true
	g.repo.point("refs/heads/"+in.Branch.Name, id, g.who.login)
	return fields{"commit": fields{"oid": id}}
}

// target finds the repository and checks that its branch takes the commit. Branches by node id are not supported.
func (g *graphCall) target(in *commitInput) {
	repo := g.find(in.Branch.Repository)
	g.writes(repo, "contents:write")
	in.Branch.Name = strings.TrimPrefix(in.Branch.Name, "refs/heads/")
	head := repo.Head(in.Branch.Name)
	kind := "BRANCH_PROTECTION_RULE_VIOLATION"
	if repo.protected[in.Branch.Name] == "ruleset" {
		kind = "UNPROCESSABLE"
	}
	switch {
	case head == "":
		panic(&graphError{kind: "NOT_FOUND", message: fmt.Sprintf("Branch '%s' not found", in.Branch.Name)})
	case head != *in.Head:
		panic(&graphError{kind: "STALE_DATA", message: fmt.Sprintf("Expected branch to point to %q but it did not.  Pull and try again.", *in.Head)})
	case repo.protection(in.Branch.Name) != "":
		panic(&graphError{kind: kind, message: repo.protection(in.Branch.Name)})
	}
}

func (g *graphCall) changes(in commitInput) Change {
	c := Change{Write: map[string]string{}, Message: *in.Message.Headline}
	if in.Message.Body != "" {
		c.Message += "\n\n" + in.Message.Body
	}
	for _, addition := range in.Changes.Additions {
		content, err := base64.StdEncoding.DecodeString(addition.Contents)
		if err != nil {
			panic(&graphError{kind: "UNPROCESSABLE", message: fmt.Sprintf("The contents of %q are not valid Base64", addition.Path)})
		}
		if !sane(addition.Path) {
			panic(&graphError{kind: "UNPROCESSABLE", message: fmt.Sprintf("A path was requested that is invalid: %q", addition.Path)})
		}
		c.Write[addition.Path] = string(content)
	}
	for _, deletion := range in.Changes.Deletions {
		if _, there := g.repo.git.at(*in.Head, deletion.Path); !there {
			panic(&graphError{
				kind: "NOT_FOUND", message: fmt.Sprintf("A path was requested for deletion which does not exist as of commit oid `%s`", *in.Head),
			})
		}
		c.Delete = append(c.Delete, deletion.Path)
	}
	return c
}

func sane(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part == "." || part == ".." || strings.EqualFold(part, ".git") {
			return false
		}
	}
	return true
}
