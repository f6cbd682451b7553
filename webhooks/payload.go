package webhooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/causaldocs/causal/webhooks/queue"
)

// payload is the part of GitHub's payloads that the server reads. GitHub's client library does not fit all official
// examples.
type payload struct {
	Action            string       `json:"action"`
	Installation      installation `json:"installation"`
	Repository        repository   `json:"repository"`
	Repositories      []repository `json:"repositories"`       // in event installation
	RepositoriesAdded []repository `json:"repositories_added"` // in event installation_repositories
	Sender            account      `json:"sender"`
	Ref               string       `json:"ref"`
	After             string       `json:"after"`
	Created           bool         `json:"created"`
	Deleted           bool         `json:"deleted"`
	Forced            bool         `json:"forced"`
	Commits           []commit     `json:"commits"`
	Number            int          `json:"number"`
	PullRequest       *pullRequest `json:"pull_request"`
	CheckRun          check        `json:"check_run"`
	CheckSuite        check        `json:"check_suite"`
	Changes           changes      `json:"changes"`
	MergeGroup        mergeGroup   `json:"merge_group"`
	Issue             *issue       `json:"issue"`
	Comment           comment      `json:"comment"`
}

type mergeGroup struct {
	HeadRef string `json:"head_ref"`
	HeadSHA string `json:"head_sha"`
}

// issue is an issue or a pull request.
type issue struct {
	Number      int       `json:"number"`
	PullRequest *struct{} `json:"pull_request"`
}

type comment struct {
	Body string `json:"body"`
}

type installation struct {
	ID int64 `json:"id"`
}

type account struct {
	Login string `json:"login"`
}

type repository struct {
	ID            int64  `json:"id"`
	FullName      string `json:"full_name"`
	DefaultBranch string `json:"default_branch"`
	Archived      bool   `json:"archived"`
}

type commit struct {
	ID       string   `json:"id"`
	Added    []string `json:"added"`
	Removed  []string `json:"removed"`
	Modified []string `json:"modified"`
}

func (p payload) told() queue.Told {
	if p.PullRequest != nil && commitID().MatchString(p.PullRequest.Head.SHA) {
		at, _ := time.Parse(time.RFC3339, p.PullRequest.Updated) // the head is useful without the time
		return queue.Told{Head: p.PullRequest.Head.SHA, At: at}
	}
	if commitID().MatchString(p.MergeGroup.HeadSHA) {
		return queue.Told{Head: p.MergeGroup.HeadSHA}
	}
	if commitID().MatchString(p.After) {
		return queue.Told{Head: p.After}
	}
	return queue.Told{}
}

type check struct {
	HeadBranch   string        `json:"head_branch"`
	HeadSHA      string        `json:"head_sha"`
	ExternalID   string        `json:"external_id"`
	PullRequests []pullRequest `json:"pull_requests"`
	CheckSuite   struct {
		HeadBranch string `json:"head_branch"`
	} `json:"check_suite"`
}

type pullRequest struct {
	Number  int    `json:"number"`
	Base    side   `json:"base"`
	Head    side   `json:"head"`
	Updated string `json:"updated_at"`
}

type side struct {
	SHA  string `json:"sha"`
	Repo struct {
		ID int64 `json:"id"`
	} `json:"repo"`
}

// fork returns the repository of the head, or 0 if it is not a fork.
func (p pullRequest) fork(to int64) int64 {
	switch p.Head.Repo.ID {
	case to:
		return 0
	case 0:
		return queue.UnknownFork
	}
	return p.Head.Repo.ID
}

// changes lists the fields that an edit changed; others are nil.
type changes struct {
	Base          *struct{} `json:"base"`
	DefaultBranch *struct{} `json:"default_branch"`
}

// parse decodes a payload. Unexpected field types are an error only for events that the server handles.
func parse(event string, body []byte) (payload, error) {
	var p payload
	if !bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) {
		return p, errors.New("read payload: it is no object")
	}
	err := json.Unmarshal(body, &p)
	var otherType *json.UnmarshalTypeError
	if errors.As(err, &otherType) && events[event] == nil {
		return p, nil
	}
	if err != nil {
		return payload{}, fmt.Errorf("read payload: %w", err)
	}
	return p, nil
}
