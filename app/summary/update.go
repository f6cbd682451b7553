package summary

import (
	"strings"

	"github.com/causaldocs/causal/app/report"
)

// Title says in one line what a run did with what is to be written; files is how many files that are.
func Title(r *report.Update, files int, verb string) string {
	pages, modules := len(r.PagesWritten), len(r.Updated)+len(r.Removed)
	switch {
	case pages > 0:
		return Count(pages, "page") + " " + verb
	case modules > 0:
		return Count(modules, "node") + " " + verb + "; no page changes"
	}
	return Count(files, "file") + " " + verb
}

// Message is the body of a commit on top of head: why, and which session.
func Message(r *report.Update, head string) string {
	session := r.Session
	if session == "" {
		session = "none"
	}
	return Reasons(r) + "\n\n" + sessionTrailer + session + headTrailer + head
}

const (
	sessionTrailer = SessionTrailer + ": "
	headTrailer    = "\nCausal-Head: "
)

// ReadMessage is what the whole message of a commit with a Message says: the commit that it describes and the reasons.
// Both are empty for any other commit.
func ReadMessage(message string) (head, reasons string) {
	subject, body, found := strings.Cut(message, "\n\n")
	found = found && (subject == Headline || strings.HasPrefix(subject, Headline+" ") && !strings.Contains(subject, "\n")) // with bot.commit_suffix
	reasons, trailers, signed := strings.Cut(body, "\n\n"+sessionTrailer)
	_, head, named := strings.Cut(trailers, headTrailer)
	if !found || !signed || !named {
		return "", ""
	}
	return strings.TrimSpace(head), reasons
}

// Rolling is the branch of the one pull request that proposes what may not be committed.
const Rolling = "causal/docs"

// Proposal is the text of that pull request. because are GitHub's words when it was to be a commit and GitHub refused it.
// The reasons are in the commit: a text that changes with every push would be one more write.
func Proposal(branch, because string) string {
	body := "This pull request follows " + Code(branch) + ": causal rewrites it when that branch changes, and closes it when the docs are up to date. " +
		"Its commit says why each page changes."
	if because != "" {
		body = "The docs are proposed here because GitHub refused a commit: " + Code(because) + "\n\n" + body
	}
	return body
}
