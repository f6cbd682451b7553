package webhooks

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/causaldocs/causal/webhooks/queue"
)

// DefaultBranch is the ref of a subject if the payload does not name the default branch. The handler resolves it and
// asks for the branch by name, to keep a single lane.
const DefaultBranch = "HEAD"

// CommitPrefix is the prefix of a ref if only a commit is known. GitHub does not name the pull request of a check on a
// fork's commit; the handler looks it up and asks for it.
const CommitPrefix = "commit:"

type want struct {
	subjects []queue.Subject
	outcome  string
	restores bool   // the installation returned or has more permissions
	mends    string // key of a branch whose rules may have changed
}

func nothing(outcome string) want { return want{outcome: outcome} }

const ignored = "ignored"

// NotAllowed is the outcome of events of repositories that the server does not work for.
const NotAllowed = "not allowed"

// events maps an event and its action to a handler; "*" is any other action. Unlisted events are ignored, so new ones
// and excess permissions are harmless. Events in known.go gives the reasons.
var events = map[string]map[string]func(d *Door, p payload) want{
	"push":                        {"*": (*Door).push},
	"ping":                        {"*": outcome("pong")},
	"create":                      {"*": outcome("a push follows")},
	"delete":                      {"*": outcome("there is nothing left to document")},
	"pull_request":                pullRequests("opened", "reopened", "synchronize", "closed", "ready_for_review", "converted_to_draft", "labeled", "unlabeled"),
	"issue_comment":               {"created": commanded},
	"pull_request_review_comment": {"created": spokenTo},
	"pull_request_review_thread":  {"resolved": settled, "unresolved": settled},
	"merge_group":                 {"checks_requested": queued, "destroyed": outcome("the merge group is over")},
	"check_run":                   {"rerequested": rechecked, "requested_action": rechecked},
	"check_suite":                 {"rerequested": rechecked},
	"installation": {
		"created":                  installed,
		"new_permissions_accepted": installed,
		"unsuspend":                installed,
		"deleted":                  outcome("uninstalled"),
		"suspend":                  outcome("suspended"),
	},
	"installation_repositories": {"added": installed, "removed": outcome("uninstalled")},
	"repository": {
		"edited":      defaultBranchChanged,
		"renamed":     defaultBranch,
		"transferred": defaultBranch,
		"unarchived":  defaultBranch,
		"archived":    outcome("archived"),
		"deleted":     outcome("there is nothing left to document"),
	},
}

func outcome(why string) func(*Door, payload) want {
	return func(*Door, payload) want { return nothing(why) }
}

// wants decides what an event needs. It drops subjects that the payload does not fully name.
func (d *Door) wants(event string, p payload) want {
	actions := events[event]
	decide := actions[p.Action]
	if decide == nil {
		decide = actions["*"]
	}
	if p.Repository.ID != 0 && !d.allowed(subject(p, p.Repository)) {
		return nothing(NotAllowed)
	}
	if decide == nil {
		return nothing(ignored)
	}
	w := decide(d, p)
	var valid []queue.Subject
	for _, s := range w.subjects {
		if s.Repository > 0 && s.Owner != "" && s.Name != "" && (s.Ref != "" || s.Pull > 0) {
			valid = append(valid, s)
		}
	}
	named := len(w.subjects)
	if named > 0 && len(valid) == 0 {
		return nothing("the payload names no repository")
	}
	w.subjects = slices.DeleteFunc(valid, func(s queue.Subject) bool { return !d.allowed(s) })
	if named > 0 && len(w.subjects) == 0 {
		return nothing(NotAllowed)
	}
	return w
}

func (d *Door) allowed(s queue.Subject) bool { return d.config.Allowed(s.Owner, s.Name) }

func subject(p payload, r repository) queue.Subject {
	owner, name, _ := strings.Cut(r.FullName, "/")
	return queue.Subject{Installation: p.Installation.ID, Repository: r.ID, Owner: owner, Name: name}
}

func branch(p payload, ref string) want {
	s := subject(p, p.Repository)
	s.Ref = ref
	return want{subjects: []queue.Subject{s}}
}

func (d *Door) push(p payload) want {
	name, isBranch := strings.CutPrefix(p.Ref, "refs/heads/")
	w := branch(p, p.Ref)
	switch {
	case !isBranch || name == "":
		return nothing("no branch was pushed")
	case p.Deleted:
		return nothing("the branch was deleted")
	case p.Repository.Archived:
		return nothing("archived")
	case p.Repository.DefaultBranch != "" && name != p.Repository.DefaultBranch:
		w = nothing("not the default branch")
	case d.own(p):
		return nothing("own")
	}
	rules := func(path string) bool { return path == d.config.Rules }
	if touched, all := p.pushed(); !all || slices.ContainsFunc(touched, rules) {
		s := subject(p, p.Repository)
		s.Ref = p.Ref
		w.mends = s.Key()
	}
	return w
}

const (
	mostCommits = 2048 // GitHub's limit in a payload
	mostPaths   = 300  // GitHub may truncate longer lists of changed files
)

// own reports whether a push certainly contains only the App's own writes: the App pushed it, its files are all listed,
// and only the App writes them.
func (d *Door) own(p payload) bool {
	bot := d.config.Bot()
	if bot == "" || p.Sender.Login != bot {
		return false
	}
	paths, all := p.pushed()
	return all && !slices.ContainsFunc(paths, func(path string) bool { return !d.config.Own(path) })
}

// pushed returns the paths that a push changed. all reports whether the list is certainly complete.
func (p payload) pushed() (paths []string, all bool) {
	n := len(p.Commits)
	all = !p.Created && !p.Forced && n > 0 && n < mostCommits && p.Commits[n-1].ID == p.After
	for _, c := range p.Commits {
		files := slices.Concat(c.Added, c.Removed, c.Modified)
		if len(files) == 0 {
			all = false // a commit without files, such as a merge, may bring in others
		}
		paths = append(paths, files...)
	}
	return paths, all && len(paths) < mostPaths
}

func pullRequests(actions ...string) map[string]func(*Door, payload) want {
	table := map[string]func(*Door, payload) want{"edited": rebased}
	for _, action := range actions {
		table[action] = pull
	}
	return table
}

func pull(_ *Door, p payload) want {
	var fork int64
	if p.PullRequest != nil {
		fork = p.PullRequest.fork(p.Repository.ID)
	}
	number := p.Number
	if number == 0 && p.PullRequest != nil { // only the event pull_request has the number at the top level
		number = p.PullRequest.Number
	}
	return want{subjects: []queue.Subject{pullSubject(p, number, fork)}}
}

func rebased(d *Door, p payload) want {
	if p.Changes.Base == nil {
		return nothing(ignored)
	}
	return pull(d, p)
}

func queued(_ *Door, p payload) want { return branch(p, p.MergeGroup.HeadRef) }

// Word begins a command in a comment.
const Word = "/causal"

func (c comment) isCommand() bool {
	rest, found := strings.CutPrefix(strings.TrimLeft(c.Body, " \t"), Word)
	return found && (rest == "" || rest[0] == ' ' || rest[0] == '\t')
}

func commanded(_ *Door, p payload) want {
	if p.Issue == nil || p.Issue.PullRequest == nil || !p.Comment.isCommand() {
		return nothing(ignored)
	}
	// The payload does not name the fork; the lane knows it.
	return want{subjects: []queue.Subject{pullSubject(p, p.Issue.Number, 0)}}
}

func spokenTo(d *Door, p payload) want {
	if !p.Comment.isCommand() {
		return nothing(ignored)
	}
	return pull(d, p)
}

func settled(d *Door, p payload) want {
	if bot := d.config.Bot(); bot != "" && p.Sender.Login == bot {
		return nothing("own")
	}
	return pull(d, p)
}

// rechecked repeats a check for the subject in its external ID, else for the pull requests of this repository, else for
// its branch and any fork's pull request with the commit as head.
func rechecked(_ *Door, p payload) want {
	c, head := p.CheckRun, p.CheckRun.CheckSuite.HeadBranch
	if c.HeadSHA == "" && c.PullRequests == nil && head == "" {
		c, head = p.CheckSuite, p.CheckSuite.HeadBranch
	}
	lane, _ := strings.CutPrefix(c.ExternalID, strconv.FormatInt(p.Repository.ID, 10)+":") // the key of a subject
	if n, err := strconv.Atoi(strings.TrimPrefix(lane, "pull/")); err == nil && n > 0 {
		fork := queue.UnknownFork // GitHub lists the pull requests of a check except those from forks
		for _, pr := range c.PullRequests {
			if pr.Number == n {
				fork = pr.fork(p.Repository.ID)
			}
		}
		return want{subjects: []queue.Subject{pullSubject(p, n, fork)}}
	}
	if strings.HasPrefix(lane, "refs/heads/") {
		return branch(p, lane)
	}
	var w want
	for _, pr := range c.PullRequests {
		if pr.Base.Repo.ID == p.Repository.ID && pr.Number > 0 {
			w.subjects = append(w.subjects, pullSubject(p, pr.Number, pr.fork(p.Repository.ID)))
		}
	}
	if len(w.subjects) > 0 {
		return w
	}
	if head != "" {
		w = branch(p, "refs/heads/"+head)
		w.subjects[0].Side = p.Repository.DefaultBranch != "" && head != p.Repository.DefaultBranch
	}
	if commitID().MatchString(c.HeadSHA) {
		w.subjects = append(w.subjects, branch(p, CommitPrefix+c.HeadSHA).subjects...)
	}
	if len(w.subjects) == 0 {
		return nothing("the check is of no branch and no pull request")
	}
	return w
}

var commitID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`) })

func pullSubject(p payload, number int, fork int64) queue.Subject {
	s := subject(p, p.Repository)
	s.Pull, s.Fork = number, fork
	return s
}

// mostRepositories limits the repositories that one delivery queues, which it does in one transaction.
const mostRepositories = 600

// installed updates the default branch of each added repository.
func installed(_ *Door, p payload) want {
	var w want
	all := slices.Concat(p.Repositories, p.RepositoriesAdded)
	for _, r := range all[:min(len(all), mostRepositories)] {
		s := subject(p, r)
		s.Ref = DefaultBranch
		w.subjects = append(w.subjects, s)
	}
	if len(w.subjects) == 0 {
		w = nothing("no repository came in")
	}
	w.restores = true
	return w
}

func defaultBranch(_ *Door, p payload) want {
	if p.Repository.DefaultBranch == "" {
		return branch(p, DefaultBranch)
	}
	return branch(p, "refs/heads/"+p.Repository.DefaultBranch)
}

func defaultBranchChanged(d *Door, p payload) want {
	if p.Changes.DefaultBranch == nil {
		return nothing(ignored)
	}
	return defaultBranch(d, p)
}
