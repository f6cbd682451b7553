// Package bot is what the server does when something happened on GitHub: it brings a branch's nodes and pages up to date
// and publishes them, and tells a pull request what it makes stale.
//
// A job says which branch or pull request, never what happened: the newest head is looked up, the commit is fetched into a
// mirror, and the engine runs over it as it runs on a work tree. What it wrote is published on exactly the commit that it
// was made for; when the branch moved meanwhile, everything begins again from the new head.
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

// Client is what the bot needs of GitHub for one repository. *github.Client is one.
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

// Permissions are what the bot needs of a repository, each for a reason that docs/self-hosting.md gives.
var Permissions = github.Permissions{"checks": "write", "contents": "write", "metadata": "read", "pull_requests": "write"}

// Heard are the events that commands and conversations come by. Without them pull requests are reviewed all the same.
var Heard = []string{"issue_comment", "pull_request_review_comment", "pull_request_review_thread"}

// Config is what a Bot works with.
type Config struct {
	// Open reaches a repository through an installation, with these permissions and no more.
	Open func(ctx context.Context, installation, repository int64, permissions github.Permissions) (Client, error)
	// Lacks tells what of some events and permissions an installation has not accepted yet.
	Lacks func(ctx context.Context, installation int64, want github.Setup) (github.Lack, error)
	// Forget drops what is remembered of a repository's name.
	Forget func(repository int64)
	// Run has a task done in a process of its own.
	Run func(ctx context.Context, t sandbox.Task, origin sandbox.Origin) (*sandbox.Result, error)
	// Reopen lets the next request of an installation through although GitHub wants none yet.
	Reopen func(installation int64)
	// Dir holds what is kept of repositories between runs. It may be deleted at any time when no server runs.
	Dir string
	// Secret signs what is kept in comments.
	Secret []byte
	// Model returns the model that may be asked about a repository, whose data is in dir; nil for none. done counts the used tokens. A nil
	// Model means none for all repositories.
	Model func(ctx context.Context, repo github.Repository, dir string) (m *model.Run, done func())
	// Signer signs checkpoints of a repository's log.
	Signer func(repository int64) (*ledger.Signer, error)
	// Commits counts the commits that the bot made in a lane since a moment.
	Commits func(ctx context.Context, lane string, since time.Time) (int, error)
	// Last is the head that the last run of a lane has left; empty when nobody knows.
	Last func(ctx context.Context, lane string) (string, error)
	// Ask queues another subject; cause says why.
	Ask func(ctx context.Context, cause string, s queue.Subject) error
	// RunsURL is the page of a repository's runs, empty when there is none. It is in comments and checks, which must say the
	// same when a run is repeated, and so is not that of one run.
	RunsURL func(s queue.Subject) string
	Now     func() time.Time
	// Sleep waits between two looks, or until the context ends.
	Sleep  func(ctx context.Context, d time.Duration) error
	Logger *slog.Logger
}

// Bot handles jobs.
type Bot struct{ config Config }

// New returns a Bot.
func New(config Config) *Bot { return &Bot{config} }

// Conclusions of a run.
const (
	Updated   = publish.Updated  // nodes and pages were published
	Proposed  = publish.Proposed // they are in a pull request
	Fresh     = publish.Fresh    // nothing was to be done
	Stale     = publish.Stale    // something would have to be done, and the mode is not to
	Told      = "told"           // a pull request was told what it makes stale
	SetAside  = "set aside"      // a pull request was closed without a merge
	Completed = "completed"      // a pull request was merged
	Skipped   = "skipped"        // there is nothing to do here
	Refused   = "refused"        // somebody has to do something first
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

// inSession makes log lines say which session they belong to.
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

// Detail is what is kept of a run for whoever looks at it later.
type Detail struct {
	webhooks.Work                      // how many nodes; the lists may be cut
	Cause         string               `json:"cause,omitempty"` // the commit that was described, in words
	Commit        string               `json:"commit,omitempty"`
	Pull          string               `json:"pull,omitempty"` // address of the pull request that was proposed
	Reasons       []report.Invalidated `json:"reasons"`
	Reran         []string             `json:"reran"`
	Changed       []string             `json:"changed"` // those that concluded something else
	Removed       []string             `json:"removed"`
	Pages         []string             `json:"pages"`
	Blocked       []report.Blocked     `json:"blocked"`
	Unchanged     int                  `json:"unchanged"`
	FilesRead     int                  `json:"files_read"`
	Fetched       int64                `json:"fetched"` // bytes
	Frames        string               `json:"frames,omitempty"`
	// Left is how many reasons and pages there are that are not kept.
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

// skip is a run that has nothing to do.
func skip(why string) (queue.Outcome, error) {
	return queue.Outcome{Conclusion: Skipped, Title: why}, nil
}
