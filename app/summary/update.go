package summary

import (
	"strings"

	"github.com/causaldocs/causal/app/report"
)

// Title counts what a run writes; files is the number of files.
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

// Message is the body of a commit on top of head: reasons and session.
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

// ReadMessage parses a commit message by Message into the documented commit and the reasons; both are empty for other
// commits.
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

// Rolling is the branch of the pull request that proposes docs if causal may not commit to the branch itself.
const Rolling = "causal/docs"

// Proposal is the text of that pull request. because is GitHub's reason for refusing a commit. Reasons for page
// changes are in the commit: in the text they would need an edit for each push.
func Proposal(branch, because string) string {
	body := "This pull request follows " + Code(branch) + ": causal rewrites it when that branch changes, and closes it when the docs are up to date. " +
		"Its commit says why each page changes."
	if because != "" {
		body = "The docs are proposed here because GitHub refused a commit: " + Code(because) + "\n\n" + body
	}
	return body
}
