package bot

import (
	"context"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/publish"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/webhooks/queue"
)

// traits are what a pull request may be ignored for. One that is not open any more is looked at for what was said of it, and causal's
// own is no matter of rules for people's.
func traits(p github.Pull) *config.Traits {
	if p.State != "open" || own(p) {
		return nil
	}
	return &config.Traits{Draft: p.Draft, Labels: p.Labels, Author: p.Author}
}

// rules say why a pull request is ignored.
var rules = map[config.Rule]string{
	config.ByDraft:  "it is a draft",
	config.ByLabel:  "of a label",
	config.ByPath:   "of the files that it changes",
	config.ByAuthor: "of its author",
}

// leaveOut says in a check run why a pull request is not analysed. A comment from before stays as it is.
func (b *Bot) leaveOut(ctx context.Context, c Client, j queue.Job, p github.Pull, by config.Rule, what string) (queue.Outcome, error) {
	title, text := "not analysed, because "+rules[by], "`bot.ignore."+string(by)+"` in `.causal/config.yml` of "+summary.Code(p.Base)+" leaves it out"
	if what != "" {
		text += ": " + summary.Code(what)
	}
	if _, err := c.Check(ctx, b.check(j, p.HeadSHA, "neutral", title, text+".")); err != nil {
		return queue.Outcome{}, err
	}
	return queue.Outcome{Conclusion: Skipped, Title: title, Head: p.HeadSHA}, nil
}

// comments reports whether the pull request may be commented on.
func (a *analysis) comments() bool {
	return !a.pull.Fork && !own(a.pull) && a.Bot.Comments && !a.Bot.DryRun
}

// rehearsal begins what a check run says where nothing else is written.
func (a *analysis) rehearsal() string {
	if a.Bot.DryRun {
		return "This is a dry run: causal writes only this check run.\n\n"
	}
	return ""
}

// mode is how an update is published.
func (w *workshop) mode() config.Mode {
	if w.Bot.DryRun {
		return config.ModeCheck
	}
	return w.Bot.Mode
}

// intended say for each mode what a dry run leaves undone.
var intended = map[config.Mode]string{
	config.ModeCommit:      "would be committed to the branch, or proposed where it is protected",
	config.ModePullRequest: "would be proposed in a pull request",
	config.ModeCheck:       "is stale; the mode is to report only",
}

// rehearsed is what a check run says of what a dry run would have published.
func rehearsed(mode config.Mode, made publish.Outcome) notice {
	var files []string
	for _, name := range made.Files {
		files = append(files, "- "+summary.Code(name))
	}
	return notice{
		conclusion: Stale, verdict: "neutral", title: "dry run: " + made.Title,
		more: "This is a dry run: causal writes only this check run. The following " + intended[mode] + ".\n\n" + summary.List(files),
	}
}
