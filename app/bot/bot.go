// Package bot handles jobs for a branch or pull request: it updates and publishes nodes and pages, and reports to a
// pull request what it makes stale.
//
// A job names only its subject. The bot looks up the newest head, fetches the commit into a mirror and runs the engine
// over it. It publishes only on that commit; if the branch has moved, it starts again from the new head.
package bot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/model"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/publish"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/sandbox"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/webhooks"
	"github.com/causaldocs/causal/webhooks/logctx"
	"github.com/causaldocs/causal/webhooks/queue"
)

// Client is the part of the GitHub API that the bot uses for one repository. *github.Client implements it.
type Client interface {
	publish.GitHub
	Repository(ctx context.Context) (github.Repository, error)
	Pull(ctx context.Context, number int) (github.Pull, error)
	Pulls(ctx context.Context) ([]github.Pull, error)
	Latest(ctx context.Context, state, base, branch string) (github.Pull, bool, error)
	Check(ctx context.Context, run github.CheckRun) (int64, error)
	Checked(ctx context.Context, head, name, externalID string) (bool, error)
	Ancestors(ctx context.Context, commit string) ([]github.Ancestor, error)
	CameByPull(ctx context.Context, commit string) (bool, error)
	Comment(ctx context.Context, number int, marker, body string) (github.Comment, error)
	Sticky(ctx context.Context, number int, marker string) (github.Comment, bool, error)
	Conversation(ctx context.Context, number int, marker string) (sticky github.Comment, found bool, said []github.Said, err error)
	SaidBeside(ctx context.Context, number int, since int64) ([]github.Said, error)
	Acknowledge(ctx context.Context, comment int64) error
	Threads(ctx context.Context, number int) ([]github.Thread, error)
	Review(ctx context.Context, number int, head, body string, remarks []github.Remark) error
	SettleThreads(ctx context.Context, list []github.Settling) error
	MayWrite(ctx context.Context, login string) (bool, error)
	Token(ctx context.Context) (string, error)
}

// Permissions are the repository permissions that the bot needs. docs/self-hosting.md explains each.
var Permissions = github.Permissions{"checks": "write", "contents": "write", "metadata": "read", "pull_requests": "write"}

// Heard lists the events for commands and conversations. Without them, pull requests are still reviewed.
var Heard = []string{"issue_comment", "pull_request_review_comment", "pull_request_review_thread"}

// Config configures a Bot.
type Config struct {
	// Open returns a client for a repository, limited to the permissions.
	Open func(ctx context.Context, installation, repository int64, permissions github.Permissions) (Client, error)
	// Lacks returns the events and permissions that an installation has not accepted.
	Lacks func(ctx context.Context, installation int64, want github.Setup) (github.Lack, error)
	// Forget drops the cached name of a repository.
	Forget func(repository int64)
	// Run runs a task in a child process.
	Run func(ctx context.Context, t sandbox.Task, origin sandbox.Origin) (*sandbox.Result, error)
	// Reopen allows the next request of an installation despite a rate limit.
	Reopen func(installation int64)
	// Dir is the cache of repositories. It may be deleted when no server runs.
	Dir string
	// Secret signs the state in comments.
	Secret []byte
	// Model returns the model for a repository whose data is in dir, nil for none. done counts the used tokens. Without
	// Model, no repository has one.
	Model  func(ctx context.Context, repo github.Repository, dir string) (m *model.Run, done func())
	Signer func(repository int64) (*ledger.Signer, error)
	// Commits counts the bot's commits in a lane since a time.
	Commits func(ctx context.Context, lane string, since time.Time) (int, error)
	// Last returns the head at the end of a lane's last run, empty if unknown.
	Last func(ctx context.Context, lane string) (string, error)
	// Ask queues another subject with a cause.
	Ask func(ctx context.Context, cause string, s queue.Subject) error
	// RunsURL returns the page of a repository's runs, or "". It is in comments and checks, which must not change when
	// a run is repeated, so it does not name one run.
	RunsURL func(s queue.Subject) string
	Now     func() time.Time
	Sleep   func(ctx context.Context, d time.Duration) error
	Logger  *slog.Logger
}

// Bot handles jobs.
type Bot struct{ config Config }

// New returns a Bot with a configuration.
func New(config Config) *Bot { return &Bot{config} }

// The conclusions of a run.
const (
	Updated   = publish.Updated  // nodes and pages were published
	Proposed  = publish.Proposed // they are in a pull request
	Fresh     = publish.Fresh    // everything was up to date
	Stale     = publish.Stale    // updates are needed, but the mode does not allow them
	Told      = "told"           // a pull request got a report
	SetAside  = "set aside"      // a pull request was closed without a merge
	Completed = "completed"      // a pull request was merged
	Skipped   = "skipped"        // nothing to do
	Refused   = "refused"        // the user must fix something
)

// Handle implements queue.Handler.
func (b *Bot) Handle(ctx context.Context, j queue.Job) (queue.Outcome, error) {
	if wanted(j) {
		b.config.Reopen(j.Installation)
	}
	out, err := b.work(ctx, j)
	if outdated(err) {
		b.config.Forget(j.Repository)
		out, err = b.work(ctx, j)
	}
	if err != nil {
		out, err = settle(err, b.config.Now())
	}
	if j.Dies(err) && !errors.Is(ctx.Err(), context.Canceled) {
		var failed error
		if out.Head, failed = b.tellFailure(ctx, j, err); failed != nil {
			b.config.Logger.WarnContext(ctx, "could not report a failure", "error", failed)
		}
	}
	ctx, out.Title = inSession(ctx, out.Session), plain.Line(out.Title, longestTitle)
	if err != nil {
		b.config.Logger.WarnContext(ctx, "run failed", "attempt", j.Attempt, "error", err)
	} else {
		b.config.Logger.InfoContext(ctx, "run ended", "conclusion", out.Conclusion, "title", out.Title)
	}
	return out, err
}

func inSession(ctx context.Context, id string) context.Context {
	return logctx.With(ctx, slog.String("session", id))
}

func (b *Bot) work(ctx context.Context, j queue.Job) (queue.Outcome, error) {
	client, err := b.config.Open(ctx, j.Installation, j.Repository, Permissions)
	switch {
	case err != nil:
		return queue.Outcome{}, err
	case j.Pull != 0:
		return b.pull(ctx, client, j)
	}
	return b.branch(ctx, client, j)
}

// Detail is the stored report of a run.
type Detail struct {
	webhooks.Work                      // counts of nodes; the lists may be cut
	Cause         string               `json:"cause,omitempty"` // the subject of the described commit
	Commit        string               `json:"commit,omitempty"`
	Pull          string               `json:"pull,omitempty"` // URL of the proposed pull request
	Reasons       []report.Invalidated `json:"reasons"`
	Reran         []string             `json:"reran"`
	Changed       []string             `json:"changed"` // nodes with a new conclusion
	Removed       []string             `json:"removed"`
	Pages         []string             `json:"pages"`
	Blocked       []report.Blocked     `json:"blocked"`
	Unchanged     int                  `json:"unchanged"`
	FilesRead     int                  `json:"files_read"`
	Fetched       int64                `json:"fetched"` // bytes
	Frames        string               `json:"frames,omitempty"`
	// Left counts the reasons and pages that were cut.
	Left int `json:"left,omitempty"`
}

func detailOf(w *workshop) Detail {
	r := w.Report
	fallen := map[string]bool{}
	for _, i := range r.Invalidated {
		fallen[i.Node] = true
	}
	return Detail{
		Work:    webhooks.Work{Invalidated: len(fallen), Rerun: len(r.Rerun), Updated: len(r.Updated)},
		Reasons: reasons(r.Invalidated), Reran: names(r.Rerun), Changed: names(r.Updated), Removed: names(r.Removed),
		Pages: names(r.PagesWritten), Blocked: blocked(r.Blocked), Unchanged: r.Unchanged, FilesRead: r.FilesRead, Left: left(r),
		Fetched: w.mirror.BytesFetched(), Cause: plain.Line(w.Cause, longest), Frames: w.Frames,
	}
}

func outcome(conclusion, title, head, session string, d Detail) (queue.Outcome, error) {
	data, err := json.Marshal(d)
	if err != nil {
		return queue.Outcome{}, fmt.Errorf("keep the run: %w", err)
	}
	return queue.Outcome{Conclusion: conclusion, Title: title, Head: head, Session: session, Detail: data}, nil
}

func skip(why string) (queue.Outcome, error) {
	return queue.Outcome{Conclusion: Skipped, Title: why}, nil
}
