package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/publish"
	"github.com/causaldocs/causal/app/sandbox"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/review/principle"
	"github.com/causaldocs/causal/webhooks"
	"github.com/causaldocs/causal/webhooks/queue"
)

// orders are the commands that were given to the server in a pull request since the last run.
type orders struct {
	newest     int64   // the last comment with a command that was read
	beside     int64   // the last one of those beside lines
	heard      []int64 // comments whose commands are carried out without an answer
	pauses     bool
	resumes    bool
	dismissals []sandbox.Dismissal
	questions  []question
	ends       map[string]principle.Status // principles that are to be over, by slug
}

// question is a command that is answered by a comment.
type question struct {
	comment string // that is answered
	verb    string
	id      string // of the finding that it is about
	answer  string // what is wrong with the command; empty when it can be answered
}

const (
	mostOrders    = 20  // of one run, and of one comment
	longestReason = 500 // bytes of why a finding is dismissed
)

// verbs are the commands, with what follows each.
var verbs = []struct{ verb, args, does string }{
	{"review", "", "review the pull request again"},
	{"dismiss", "F1 reason", "a finding is not told again, unless its code changes"},
	{"explain", "F1", "what a finding rests on, and what would make it wrong"},
	{"why", "F1", "the same"},
	{"demote", "SLUG", "a principle is not applied any more, and never made again"},
	{"decline", "SLUG", "the same, of one that was never wanted"},
	{"pause", "", "no reviews of this pull request until `resume`"},
	{"resume", "", "review it again"},
	{"help", "", "this list"},
}

// command is one line of a comment.
type command struct{ verb, about, rest string }

// commandsIn are the commands of a comment: the lines that it begins with, a command each. What comes behind any other line is not
// looked at: it may be an example in a fence or a quote, or what Markdown does not show.
func commandsIn(body string) []command {
	var out []command
	for line := range strings.Lines(strings.TrimSpace(body)) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		if fields[0] != webhooks.Word || !strings.HasPrefix(line, webhooks.Word) { // an indented line is code
			break
		}
		var c command
		if len(fields) > 1 {
			c.verb = strings.ToLower(fields[1])
		}
		if len(fields) > 2 {
			c.about, c.rest = fields[2], strings.Join(fields[3:], " ")
		}
		if out = append(out, c); len(out) == mostOrders {
			break
		}
	}
	return out
}

// ordersIn takes the commands of comments that are newer than those of the last run, of people who may write to the repository. Whoever
// may not is not answered: that would be a write for each of a stranger's comments.
func (b *Bot) ordersIn(ctx context.Context, c Client, number int, prior state, comments []github.Said) (orders, error) {
	o := orders{newest: prior.Read, beside: prior.Beside}
	may := map[string]bool{}
	if err := o.hear(ctx, c, prior, comments, "", &o.newest, may); err != nil {
		return o, err
	}
	if len(prior.Named) > 0 { // there may be conversations
		beside, err := c.SaidBeside(ctx, number, prior.Beside)
		if err != nil {
			return o, err
		}
		if err := o.hear(ctx, c, prior, beside, "beside ", &o.beside, may); err != nil {
			return o, err
		}
	}
	o.questions = o.questions[:min(len(o.questions), mostOrders)]
	return o, nil
}

func (o *orders) hear(ctx context.Context, c Client, prior state, comments []github.Said, where string, read *int64, may map[string]bool) error {
	since := *read
	for _, said := range comments {
		commands := commandsIn(said.Body)
		if said.ID <= since || len(commands) == 0 {
			continue
		}
		*read = max(*read, said.ID)
		allowed, known := may[said.Author]
		if !known {
			var err error
			if allowed, err = c.MayWrite(ctx, said.Author); err != nil {
				return err
			}
			may[said.Author] = allowed
		}
		if !allowed {
			continue
		}
		asked := len(o.questions)
		name := fmt.Sprintf("%s%d", where, said.ID)
		for _, one := range commands {
			o.take(prior, said, name, one)
		}
		if len(o.questions) == asked && read == &o.newest && len(o.heard) < mostOrders {
			o.heard = append(o.heard, said.ID)
		}
	}
	return nil
}

func (o *orders) take(prior state, said github.Said, comment string, c command) {
	ask := func(q question) {
		q.comment, q.verb = comment, c.verb
		o.questions = append(o.questions, q)
	}
	switch c.verb {
	case "review":
	case "pause":
		o.pauses, o.resumes = true, false
	case "resume":
		o.pauses, o.resumes = false, true
	case "help":
		ask(question{})
	case "demote", "decline":
		if o.ends == nil {
			o.ends = map[string]principle.Status{}
		}
		o.ends[c.about] = map[string]principle.Status{"demote": principle.Demoted, "decline": principle.Declined}[c.verb]
		ask(question{id: c.about})
	case "dismiss", "explain", "why":
		id, found := prior.finding(c.about)
		switch {
		case !found:
			ask(question{answer: "There is no finding " + summary.Code(cmp.Or(c.about, "without a name")) + " here."})
		case c.verb != "dismiss":
			ask(question{id: id})
		case c.rest == "":
			ask(question{answer: "Say why: `" + webhooks.Word + " dismiss " + c.about + " reason`."})
		default:
			o.dismissals = append(o.dismissals, sandbox.Dismissal{ID: id, Reason: plain.Cut(c.rest, longestReason), Actor: said.Author})
		}
	default:
		ask(question{answer: "There is no command " + summary.Code(cmp.Or(c.verb, "without a name")) + "."})
	}
}

// finding is the id of a finding by its short name, or by its id.
func (s state) finding(name string) (string, bool) {
	if slices.Contains(s.Named, name) {
		return name, true
	}
	digits, ok := strings.CutPrefix(strings.ToUpper(name), "F")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 1 || n > len(s.Named) {
		return "", false
	}
	return s.Named[n-1], true
}

// replyMarker names the answer to a comment, so that it is given once.
func replyMarker(comment string) string { return "causal:reply " + comment }

// reply answers the questions of a run, each comment's in one comment, and shows below the other comments that they were heard.
func (b *Bot) reply(ctx context.Context, c Client, a *analysis, r *summary.Review, o orders) error {
	for _, comment := range o.heard {
		if err := c.Acknowledge(ctx, comment); err != nil && !errors.Is(err, github.ErrGone) {
			return err
		}
	}
	answers := map[string][]string{}
	var order []string
	for _, q := range o.questions {
		if answers[q.comment] == nil {
			order = append(order, q.comment)
		}
		answers[q.comment] = append(answers[q.comment], answer(r, q))
	}
	for _, comment := range order {
		if _, err := c.Comment(ctx, a.pull.Number, replyMarker(comment), strings.Join(answers[comment], "\n\n")); err != nil {
			return err
		}
	}
	return nil
}

func answer(r *summary.Review, q question) string {
	switch {
	case q.verb == "help":
		return help()
	case q.verb == "demote", q.verb == "decline":
		return q.answer
	case q.answer != "":
		return q.answer + "\n\n" + help()
	}
	return r.Explain(q.id)
}

// endPrinciples has the default branch say that principles are over, and answers who asked for it.
func (b *Bot) endPrinciples(ctx context.Context, c Client, j queue.Job, repo github.Repository, number int, o *orders) error {
	if len(o.ends) == 0 {
		return nil
	}
	made, err := b.land(ctx, c, j, repo, sandbox.Task{End: o.ends, Pull: &sandbox.Pull{Number: number}})
	if err != nil {
		return err
	}
	for i, q := range o.questions {
		if q.verb != "demote" && q.verb != "decline" {
			continue
		}
		slug := summary.Code(cmp.Or(q.id, "without a name"))
		var said string
		switch {
		case !slices.Contains(made.ended, q.id):
			said = "There is no principle " + slug + " in `" + principle.Dir + "`."
		case made.Conclusion == publish.Stale:
			said = "Nothing is committed here: write `status: " + string(o.ends[q.id]) + "` into " + summary.Code(principle.Path(q.id)) + "."
		case made.Conclusion == publish.Proposed:
			said = slug + " is " + string(o.ends[q.id]) + " when " + made.Pull.URL + " is merged."
		default:
			said = slug + " is " + string(o.ends[q.id]) + "."
		}
		o.questions[i].answer = said
	}
	return nil
}

func help() string {
	lines := []string{"Who may write to this repository can say, in a comment of its own:", ""}
	for _, v := range verbs {
		lines = append(lines, "- `"+strings.TrimSpace(webhooks.Word+" "+v.verb+" "+v.args)+"`: "+v.does)
	}
	return strings.Join(lines, "\n")
}
