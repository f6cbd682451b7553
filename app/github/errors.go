package github

import (
	"errors"
	"time"
)

// Kinds of an Error, for errors.Is.
var (
	// ErrHeadMoved reports that the branch does not point to the expected commit. Start again from its new head.
	ErrHeadMoved = errors.New("the branch has moved")
	// ErrProtected reports that branch protection or a ruleset forbids the change.
	ErrProtected = errors.New("the branch is protected")
	// ErrGone reports that the repository, branch or pull request does not exist or is not visible.
	ErrGone = errors.New("it does not exist any more, or may not be seen")
	// ErrForbidden reports a missing permission.
	ErrForbidden = errors.New("it is not allowed")
	// ErrArchived reports a read-only repository.
	ErrArchived = errors.New("the repository is archived")
	// ErrEmpty reports a repository without commits.
	ErrEmpty = errors.New("the repository is empty")
	// ErrTooLarge reports that GitHub does not accept so much at once.
	ErrTooLarge = errors.New("it is too large for GitHub")
	// ErrForeign reports commits of another author on a branch that would be rewritten.
	ErrForeign = errors.New("the branch has commits of another author and is left unchanged")
	// ErrOutsideDiff reports a refused review, most likely because a line is not in the diff. Nothing was posted.
	ErrOutsideDiff = errors.New("GitHub does not take it beside these lines")
	// ErrInstallation reports that the App was uninstalled or suspended. The account's owner may restore it.
	ErrInstallation = errors.New("the App is not installed there any more, or suspended")
	// ErrCredentials reports that GitHub does not accept the key or token.
	ErrCredentials = errors.New("GitHub does not accept the credentials")
	// ErrUnavailable reports a failure of the network or of GitHub. Try again later.
	ErrUnavailable = errors.New("GitHub cannot be reached")
	// ErrRefused reports a refusal for any other reason.
	ErrRefused = errors.New("GitHub refuses it")
)

// errUnsupported reports a mutation that this GitHub server does not have. Callers use a fallback.
var errUnsupported = errors.New("this GitHub does not know the request")

// Error is a failed request. Only ErrUnavailable is temporary.
type Error struct {
	Kind  error
	Doing string // the operation: "publish to octo/shop main"
	Needs string // the missing permission, if known: "contents=write"
	Said  string // the message of GitHub or the network

	// The request may have been carried out although its answer was lost.
	lost bool
}

func (e *Error) Error() string {
	text := e.Kind.Error()
	if e.Doing != "" {
		text = e.Doing + ": " + text
	}
	if e.Needs != "" {
		text += ": it needs the permission " + e.Needs
	}
	if e.Said != "" {
		text += " (" + e.Said + ")"
	}
	return text
}

// Unwrap returns the kind.
func (e *Error) Unwrap() error { return e.Kind }

// RateLimited reports that GitHub accepts no requests for a while. The request was not carried out.
type RateLimited struct { //nolint:errname // the word that callers know it by
	Until  time.Time
	Reason string
}

func (r RateLimited) Error() string {
	return "GitHub wants no requests until " + r.Until.UTC().Format(time.RFC3339) + " (" + r.Reason + ")"
}

func isLost(err error) bool {
	var failed *Error
	return errors.As(err, &failed) && failed.lost
}
