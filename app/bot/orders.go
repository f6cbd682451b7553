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
	"github.com/causaldocs/causal/app/sandbox"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/review/principle"
	"github.com/causaldocs/causal/webhooks"
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
	says       []workspace.Saying          // what is said about decisions
	taken      int                         // commands
	left       bool                        // there are more than one run takes
}

// question is a command that is answered by a comment.
type question struct {
	comment string // that is answered
	verb    string
	id      string // of the finding that it is about
	answer  string // what is wrong with the command; empty when it can be answered
	said    int    // the number of the saying that it is, from 1; 0 for none
	about   string // what is asked about the repository; empty for other commands
}

const (
	mostOrders    = 20  // of one run, and of one comment
	longestReason = 500 // bytes of why a finding is dismissed
)

// verbHelp is a command, with what follows it.
type verbHelp struct{ verb, args, does string }

// verbs are the commands.
var verbs = []verbHelp{
	{"ask", "QUESTION", "answer a question about the repository, with sources"},
	{"review", "", "review the pull request again"},
	{"dismiss", "F1 reason", "dismiss a finding until its code changes"},
	{"explain", "F1", "show the evidence of a finding, and its condition"},
	{"why", "F1", "the same as explain"},
	{"demote", "SLUG", "stop applying a principle, for good"},
	{"decline", "SLUG", "reject a proposed principle, for good"},
	{"pause", "", "stop reviews of this pull request until `resume`"},
	{"resume", "", "continue reviews of this pull request"},
	{"propose", "TEXT", "record a proposal or decision"},
	{"contradict", "EVENT: TEXT", "record an objection that supersedes a position"},
	{"challenge", "EVENT: TEXT", "record an objection; the position is contested but stays current"},
	{"refine", "EVENT: TEXT", "record a new version of a position"},
	{"answer", "EVENT: TEXT", "record the answer to an objection; it replaces the contested position"},
	{"synthesize", "EVENT and EVENT: TEXT", "record the common ground of several positions"},
	{"supersede", "EVENT and EVENT: TEXT", "the same as synthesize, and replace the positions"},
	{"park", "EVENT: WHY", "put a position aside"},
	{"resume", "EVENT: WHY", "reopen a parked position"},
	{"withdraw", "EVENT: WHY", "withdraw an event"},
	{"confirm", "EVENT: WHY", "confirm a position"},
	{"why", "EVENT", "show the history of an event"},
	{"decisions", "ABOUT", "show the current decisions, all or about a topic"},
	{"help", "", "this list"},
}

// command is one of a comment. said is all that stands behind its verb, of those that take words also in the lines below.
type command struct{ verb, about, rest, said string }

// commandsIn are the commands of a comment: the lines that it begins with, a command each, with what is said in the lines right below one
// that takes words. What comes behind any other line is not looked at: it may be an example in a fence or a quote, or what Markdown does
// not show.
func commandsIn(body string) []command {
	var out []command
	wordy := false // the line before was of a command that takes words
	for line := range strings.Lines(strings.TrimSpace(body)) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			wordy = false
			continue
		}
		if fields[0] != webhooks.Word || !strings.HasPrefix(line, webhooks.Word) { // an indented line is code
			if !wordy || !prose(line) {
				break
			}
			last := &out[len(out)-1]
			last.said += "\n" + strings.TrimSpace(line)
			continue
		}
		if len(out) == mostOrders {
			break
		}
		var c command
		if len(fields) > 1 {
			c.verb = strings.ToLower(fields[1])
			_, c.said, _ = strings.Cut(line, fields[1])
			c.said = strings.TrimSpace(c.said)
		}
		if len(fields) > 2 {
			c.about, c.rest = fields[2], strings.Join(fields[3:], " ")
		}
		_, wordy = sayable[c.verb]
		wordy = wordy || c.verb == asking
		out = append(out, c)
	}
	return out
}

// prose reports whether a line goes on with a text, in the eyes of Markdown: it opens no fence, no quote and no HTML.
func prose(line string) bool {
	text := strings.TrimLeft(line, " ")
	for _, opens := range []string{"```", "~~~", ">", "<", "\t"} {
		if strings.HasPrefix(text, opens) {
			return false
		}
	}
	return len(line)-len(text) < 4
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
	return o, nil
}

func (o *orders) hear(ctx context.Context, c Client, prior state, comments []github.Said, where string, read *int64, may map[string]bool) error {
	since := *read
	for _, said := range comments {
		commands := commandsIn(said.Body)
		if said.ID <= since || len(commands) == 0 {
			continue
		}
		allowed, known := may[said.Author]
		if !known {
			var err error
			if allowed, err = c.MayWrite(ctx, said.Author); err != nil {
				return err
			}
			may[said.Author] = allowed
		}
		if o.left = o.left || allowed && o.taken > 0 && o.taken+len(commands) > mostOrders; o.left {
			return nil // the next run begins here
		}
		*read = max(*read, said.ID)
		if !allowed {
			continue
		}
		o.taken += len(commands)
		asked := len(o.questions)
		name := fmt.Sprintf("%s%d", where, said.ID)
		first := len(o.says)
		for _, one := range commands {
			o.take(prior, said, name, one, first)
		}
		if len(o.questions) == asked && read == &o.newest && len(o.heard) < mostOrders {
			o.heard = append(o.heard, said.ID)
		}
	}
	return nil
}

// take takes one command; first is how many sayings there were before the comment.
func (o *orders) take(prior state, said github.Said, comment string, c command, first int) {
	ask := func(q question) {
		q.comment, q.verb = comment, c.verb
		o.questions = append(o.questions, q)
	}
	if saying, ok := sayingOf(prior, said, c, len(o.says)-first); ok {
		q := question{answer: saying.wrong}
		if q.answer == "" {
			o.says = append(o.says, saying.Saying)
			q.said = len(o.says)
		}
		ask(q)
		return
	}
	switch c.verb {
	case "review":
	case "pause":
		o.pauses, o.resumes = true, false
	case "resume":
		o.pauses, o.resumes = false, true
	case "help":
		ask(question{})
	case asking:
		ask(questionOf(c.said))
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
	if !a.comments() {
		return nil
	}
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
	case q.said > 0, q.about != "", q.verb == "demote", q.verb == "decline":
		return q.answer
	case q.answer != "":
		return q.answer + "\n\n" + help()
	}
	return r.Explain(q.id)
}

func help() string {
	lines := []string{"Users with write access can give these commands, each in a separate comment:", ""}
	for _, v := range verbs {
		lines = append(lines, "- `"+strings.TrimSpace(webhooks.Word+" "+v.verb+" "+v.args)+"`: "+v.does)
	}
	return strings.Join(lines, "\n")
}
