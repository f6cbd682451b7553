package bot

import (
	"context"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/publish"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/webhooks/queue"
)

// traits returns the properties for the ignore rules. Closed pull requests and causal's own are never ignored.
func traits(p github.Pull) *config.Traits {
	if p.State != "open" || own(p) {
		return nil
	}
	return &config.Traits{Draft: p.Draft, Labels: p.Labels, Author: p.Author}
}

var rules = map[config.Rule]string{
	config.ByDraft:  "it is a draft",
	config.ByLabel:  "of a label",
	config.ByPath:   "of the files that it changes",
	config.ByAuthor: "of its author",
}

// leaveOut reports in a check run why a pull request is ignored. An existing comment stays.
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

func (a *analysis) comments() bool {
	return !a.pull.Fork && !own(a.pull) && a.Bot.Comments && !a.Bot.DryRun
}

func (a *analysis) rehearsal() string {
	if a.Bot.DryRun {
		return "This is a dry run: causal writes only this check run.\n\n"
	}
	return ""
}

func (w *workshop) mode() config.Mode {
	if w.Bot.DryRun {
		return config.ModeCheck
	}
	return w.Bot.Mode
}

var intended = map[config.Mode]string{
	config.ModeCommit:      "would be committed to the branch, or proposed where it is protected",
	config.ModePullRequest: "would be proposed in a pull request",
	config.ModeCheck:       "is stale; the mode is to report only",
}

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
