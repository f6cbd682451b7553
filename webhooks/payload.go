package webhooks

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/causaldocs/causal/webhooks/queue"
)

// payload is what the door looks at of all payloads. Whatever else they hold, and however that changes, is not read: the
// official examples do not all fit the types of GitHub's client library.
type payload struct {
	Action            string       `json:"action"`
	Installation      installation `json:"installation"`
	Repository        repository   `json:"repository"`
	Repositories      []repository `json:"repositories"`       // of a new installation
	RepositoriesAdded []repository `json:"repositories_added"` // of a larger one
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

// mergeGroup is a group of pull requests that a merge queue tests and merges together.
type mergeGroup struct {
	HeadRef string `json:"head_ref"`
	HeadSHA string `json:"head_sha"`
}

// issue is an issue, or a pull request as one.
type issue struct {
	Number      int       `json:"number"`
	PullRequest *struct{} `json:"pull_request"`
}

// comment is what somebody says: its beginning tells whether the server is meant.
type comment struct {
	Body string `json:"body" most:"64"`
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

// told is the commit that a payload tells of, if there is one.
func (p payload) told() queue.Told {
	if p.PullRequest != nil && commitID().MatchString(p.PullRequest.Head.SHA) {
		at, _ := time.Parse(time.RFC3339, p.PullRequest.Updated) // without it the head alone is told of
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

// check is a check run or a check suite.
type check struct {
	HeadBranch   string        `json:"head_branch"`
	HeadSHA      string        `json:"head_sha"`
	ExternalID   string        `json:"external_id"`
	PullRequests []pullRequest `json:"pull_requests"`
	CheckSuite   struct {
		HeadBranch string `json:"head_branch"`
	} `json:"check_suite"`
}

// pullRequest is one, by its number and where its commits come from and go to.
type pullRequest struct {
	Number  int    `json:"number"`
	Base    side   `json:"base"`
	Head    side   `json:"head"`
	Updated string `json:"updated_at"`
}

// side is one of the two branches of a pull request.
type side struct {
	SHA  string `json:"sha"`
	Repo struct {
		ID int64 `json:"id"`
	} `json:"repo"`
}

// fork is the repository that a pull request comes from, unless it is the one that it goes to.
func (p pullRequest) fork(to int64) int64 {
	switch p.Head.Repo.ID {
	case to:
		return 0
	case 0:
		return queue.UnknownFork
	}
	return p.Head.Repo.ID
}

// changes says what an edit changed: what it did not change is nil.
type changes struct {
	Base          *struct{} `json:"base"`
	DefaultBranch *struct{} `json:"default_branch"`
}

// payloadFields are what the door looks at, for the sieve.
var payloadFields = fieldOf(reflect.TypeFor[payload]())

// parse reads what a sieve has kept of a payload. A field of another type than an event of the table has is no fault of an
// event that is not in it.
func parse(event string, kept []byte) (payload, error) {
	var p payload
	err := json.Unmarshal(kept, &p)
	var otherType *json.UnmarshalTypeError
	if errors.As(err, &otherType) && events[event] == nil {
		return p, nil
	}
	if err != nil {
		return payload{}, fmt.Errorf("read payload: %w", err)
	}
	return p, nil
}
