package bot

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/sandbox"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/webhooks"
)

// orders are the commands that were given to the server in a pull request since the last run.
type orders struct {
	newest     int64 // the last comment with a command that was read
	pauses     bool
	resumes    bool
	dismissals []sandbox.Dismissal
	questions  []question
}

// question is a command that is answered by a comment.
type question struct {
	comment int64
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
	{"pause", "", "no reviews of this pull request until `resume`"},
	{"resume", "", "review it again"},
	{"help", "", "this list"},
}

// command is one line of a comment.
type command struct{ verb, about, rest string }

// commandsIn are the commands of a comment: its lines that begin with the word, where the first one does.
func commandsIn(body string) []command {
	var out []command
	for line := range strings.Lines(strings.TrimSpace(body)) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] != webhooks.Word {
			if len(out) == 0 {
				return nil
			}
			continue
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

// read takes the commands of comments that are newer than those of the last run, of people who may write to the repository. Whoever
// may not is not answered: that would be a write for each of a stranger's comments.
func (b *Bot) ordersIn(ctx context.Context, c Client, prior state, comments []github.Said) (orders, error) {
	o := orders{newest: prior.Read}
	may := map[string]bool{}
	for _, said := range comments {
		if said.ID <= prior.Read {
			continue
		}
		commands := commandsIn(said.Body)
		if len(commands) == 0 {
			continue
		}
		o.newest = max(o.newest, said.ID)
		allowed, known := may[said.Author]
		if !known {
			var err error
			if allowed, err = c.MayWrite(ctx, said.Author); err != nil {
				return o, err
			}
			may[said.Author] = allowed
		}
		if !allowed {
			continue
		}
		for _, one := range commands {
			o.take(prior, said, one)
		}
	}
	o.questions = o.questions[:min(len(o.questions), mostOrders)]
	return o, nil
}

func (o *orders) take(prior state, said github.Said, c command) {
	ask := func(q question) {
		q.comment, q.verb = said.ID, c.verb
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
			o.dismissals = append(o.dismissals, sandbox.Dismissal{ID: id, Reason: c.rest[:min(len(c.rest), longestReason)], Actor: said.Author})
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
func replyMarker(comment int64) string { return fmt.Sprintf("causal:reply %d", comment) }

// reply answers the questions of a run, each comment's in one comment.
func (b *Bot) reply(ctx context.Context, c Client, a *analysis, r *summary.Review, list []question) error {
	answers := map[int64][]string{}
	var order []int64
	for _, q := range list {
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
	case q.answer != "":
		return q.answer + "\n\n" + help()
	}
	return r.Explain(q.id)
}

func help() string {
	lines := []string{"Who may write to this repository can say, in a comment of its own:", ""}
	for _, v := range verbs {
		lines = append(lines, "- `"+strings.TrimSpace(webhooks.Word+" "+v.verb+" "+v.args)+"`: "+v.does)
	}
	return strings.Join(lines, "\n")
}
