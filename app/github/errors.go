package github

import (
	"errors"
	"time"
)

// The kinds of an Error, for callers that have to tell them apart.
var (
	// ErrHeadMoved: the branch does not point to the expected commit any more. Begin again from its new head.
	ErrHeadMoved = errors.New("the branch has moved")
	// ErrProtected: rules of the repository forbid this change of a branch.
	ErrProtected = errors.New("the branch is protected")
	// ErrGone: the repository, branch or pull request does not exist, or may not be seen.
	ErrGone = errors.New("it does not exist any more, or may not be seen")
	// ErrForbidden: a permission is missing.
	ErrForbidden = errors.New("it is not allowed")
	// ErrArchived: the repository is read-only.
	ErrArchived = errors.New("the repository is archived")
	// ErrEmpty: the repository has no commit yet.
	ErrEmpty = errors.New("the repository is empty")
	// ErrTooLarge: GitHub does not take so much at once.
	ErrTooLarge = errors.New("it is too large for GitHub")
	// ErrForeign: somebody else has committed to a branch that is rewritten otherwise.
	ErrForeign = errors.New("the branch has commits of another author and is left unchanged")
	// ErrOutsideDiff: GitHub does not take a review, most likely because a line is not in the diff. Nothing of it was posted.
	ErrOutsideDiff = errors.New("GitHub does not take it beside these lines")
	// ErrInstallation: the App was removed from the account, or suspended there. Somebody may turn it on again.
	ErrInstallation = errors.New("the App is not installed there any more, or suspended")
	// ErrCredentials: GitHub does not accept the key or token.
	ErrCredentials = errors.New("GitHub does not accept the credentials")
	// ErrUnavailable: the network or GitHub failed. Try again later.
	ErrUnavailable = errors.New("GitHub cannot be reached")
	// ErrRefused: GitHub refused the request for a reason that has no kind of its own.
	ErrRefused = errors.New("GitHub refuses it")
)

// errUnsupported: this GitHub does not know the mutation. There is another way.
var errUnsupported = errors.New("this GitHub does not know the request")

// Error is a request that failed for good, or for now when its kind is ErrUnavailable.
type Error struct {
	Kind  error  // one of the variables above
	Doing string // what was tried: "publish to octo/shop main"
	Needs string // the permission that is missing, where it is known: "contents=write"
	Said  string // GitHub's own words, or those of the network

	// lost: the request may have been carried out although no answer came.
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

// Unwrap gives the kind.
func (e *Error) Unwrap() error { return e.Kind }

// RateLimited says that GitHub wants no requests for a while. It did not carry out the one that brought this answer.
type RateLimited struct { //nolint:errname // the word that callers know it by
	Until  time.Time
	Reason string
}

func (r RateLimited) Error() string {
	return "GitHub wants no requests until " + r.Until.UTC().Format(time.RFC3339) + " (" + r.Reason + ")"
}

// isLost reports whether it is unknown what became of a request.
func isLost(err error) bool {
	var failed *Error
	return errors.As(err, &failed) && failed.lost
}
