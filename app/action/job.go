package action

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/summary"
)

type job struct {
	world World

	mode    Mode
	asked   Mode // the workflow's mode if a merge queue commit replaces it by check; empty otherwise
	failOn  failOn
	reviews bool
	verify  bool   // run tests derived from specs
	sarif   string // file patterns, one per line
	token   string
	// lent is set for the token that GitHub gives every job.
	lent bool

	workspace string
	dir       string
	temp      string

	repository string
	web, api   string
	event      string
	ref        string
	actor      string

	pull *pull
	base string // the commit whose configuration applies; empty: the checked-out one

	outputs, summary string
}

type pull struct {
	Number int  `json:"number"`
	Base   side `json:"base"`
	Head   side `json:"head"`
}

type side struct {
	Ref  string `json:"ref"`
	SHA  string `json:"sha"`
	Repo *struct {
		FullName string `json:"full_name"`
	} `json:"repo"`
}

func (p *pull) fork() bool {
	return p.Head.Repo == nil || p.Base.Repo == nil || p.Head.Repo.FullName != p.Base.Repo.FullName
}

// own reports whether causal itself maintains the pull request: the rolling one of mode pr, or the one in which the App
// asks about principles.
func (p *pull) own() bool { return summary.Own(p.Head.Ref) && !p.fork() }

func readJob(world World) (*job, error) {
	get := world.Getenv
	j := &job{
		world: world, mode: Mode(cmp.Or(get("INPUT_MODE"), string(Check))), sarif: get("INPUT_SARIF"), workspace: get("GITHUB_WORKSPACE"),
		token: cmp.Or(get("INPUT_TOKEN"), get("GITHUB_TOKEN")), temp: cmp.Or(get("RUNNER_TEMP"), os.TempDir()),
		repository: get("GITHUB_REPOSITORY"), web: get("GITHUB_SERVER_URL"), api: get("GITHUB_API_URL"),
		event: get("GITHUB_EVENT_NAME"), ref: get("GITHUB_REF"), actor: get("GITHUB_ACTOR"),
		outputs: get("GITHUB_OUTPUT"), summary: get("GITHUB_STEP_SUMMARY"),
	}
	j.lent = j.token == get("GITHUB_TOKEN")
	j.dir = cmp.Or(get("INPUT_WORKING_DIRECTORY"), ".")
	if !filepath.IsAbs(j.dir) {
		j.dir = filepath.Join(j.workspace, j.dir)
	}
	if get("GITHUB_EVENT_PATH") == "" || j.repository == "" {
		return nil, fmt.Errorf("%w: this is for jobs of GitHub Actions, whose environment has GITHUB_EVENT_PATH and GITHUB_REPOSITORY; elsewhere run `causal check` or `causal update`", ErrUsage)
	}
	if err := j.readEvent(get("GITHUB_EVENT_PATH")); err != nil {
		return nil, err
	}
	return j, j.choose(cmp.Or(get("INPUT_FAIL_ON"), failOnStale), cmp.Or(get("INPUT_REVIEW"), "true"), cmp.Or(get("INPUT_TESTGEN"), testgenOff))
}

func (j *job) choose(failOn, review, testgen string) (err error) {
	if j.verify = testgen == testgenVerify; !j.verify && testgen != testgenOff {
		return fmt.Errorf("%w: unknown testgen %q: use %s or %s", ErrUsage, testgen, testgenOff, testgenVerify)
	}
	if j.failOn, err = readFailOn(failOn); err != nil {
		return fmt.Errorf("%w: %w", ErrUsage, err)
	}
	asked, err := strconv.ParseBool(review)
	if err != nil {
		return fmt.Errorf("%w: review %q is neither true nor false", ErrUsage, review)
	}
	j.reviews = asked && j.pull != nil
	if j.queued() && modes[j.mode] != nil && j.mode != Check {
		j.asked, j.mode, j.verify = j.mode, Check, false
	}
	return j.possible()
}

func (j *job) readEvent(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read the event: %w", err)
	}
	var event struct {
		Pull  *pull `json:"pull_request"`
		Group struct {
			Base string `json:"base_sha"`
		} `json:"merge_group"`
	}
	if err := json.Unmarshal(data, &event); err != nil {
		return fmt.Errorf("read the event: %w", err)
	}
	j.base = event.Group.Base
	if event.Pull != nil {
		j.pull, j.base = event.Pull, event.Pull.Base.SHA
	}
	return nil
}

// possible rejects unsupported combinations of inputs.
func (j *job) possible() error {
	var problem string
	switch {
	case modes[j.mode] == nil:
		problem = fmt.Sprintf("unknown mode %q: use check, commit, pr or comment", j.mode)
	case j.verify && j.mode == Check:
		problem = "testgen: verify needs mode commit, pr or comment: mode check runs no test and writes nothing"
	case j.event == "pull_request_target":
		problem = "on pull_request_target, a job with untrusted files has write access and secrets: run it on pull_request"
	case j.mode == Comment && j.pull == nil:
		problem = fmt.Sprintf("mode comment is for pull requests, and this is a %s: run it on pull_request, or choose the mode by `github.event_name`", j.event)
	case j.mode == Propose && j.pull != nil:
		problem = "mode pr follows a branch, and this is a pull request: run it on push, or choose the mode by `github.event_name`"
	case j.publishes() && j.pull == nil && !strings.HasPrefix(j.ref, "refs/heads/"):
		problem = fmt.Sprintf("mode %s publishes to a branch, and %s is none: run it on pushes to branches", j.mode, cmp.Or(j.ref, "GITHUB_REF"))
	default:
		return nil
	}
	return fmt.Errorf("%w: %s", ErrUsage, problem)
}

// queued reports whether the job runs for a merge queue, whose branches take no commits.
func (j *job) queued() bool { return j.event == "merge_group" || github.IsQueued(j.ref) }

func (j *job) publishes() bool { return j.mode == Commit || j.mode == Propose }

// readOnly returns the reason why GitHub makes this job's token read-only, or "".
func (j *job) readOnly() string {
	switch {
	case j.pull == nil:
		return ""
	case j.pull.fork():
		return "the pull request is from a fork"
	case j.actor == "dependabot[bot]" && j.lent:
		return "the job runs for Dependabot"
	}
	return ""
}

func (j *job) branch(head string) (string, error) {
	if j.pull == nil {
		return strings.TrimPrefix(j.ref, "refs/heads/"), nil
	}
	if head != j.pull.Head.SHA {
		return "", fmt.Errorf("%w: mode %s publishes to %s, but its merge with %s is checked out: give actions/checkout `ref: ${{ github.event.pull_request.head.sha }}`",
			ErrUsage, j.mode, j.pull.Head.Ref, j.pull.Base.Ref)
	}
	return j.pull.Head.Ref, nil
}

func (j *job) page() string { return strings.TrimSuffix(j.web, "/") + "/" + j.repository }
