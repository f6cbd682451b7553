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

// orders are the commands in a pull request since the last run.
type orders struct {
	newest     int64   // the last comment read with a command
	beside     int64   // the last review comment read with a command
	heard      []int64 // comments with commands that need no reply
	pauses     bool
	resumes    bool
	dismissals []sandbox.Dismissal
	questions  []question
	ends       map[string]principle.Status // principles to demote or decline, by slug
	says       []workspace.Saying          // statements about decisions
	taken      int                         // commands
	left       bool                        // more commands wait for the next run
}

type question struct {
	comment string // the comment to reply to
	verb    string
	id      string // finding id
	answer  string // the error in the command; empty for a valid one
	said    int    // the number of its saying, from 1; 0 for none
	about   string // the question about the repository; empty for other commands
}

const (
	mostOrders    = 20  // of one run, and of one comment
	longestReason = 500 // bytes
)

type verbHelp struct{ verb, args, does string }

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

type command struct{ verb, about, rest, said string }

// commandsIn parses the commands at the start of a comment, one per line, with the text lines below those that take
// text. It ignores everything after any other line, such as quotes and code fences.
func commandsIn(body string) []command {
	var out []command
	wordy := false // the line above is a command that takes text
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

// prose reports whether a line is plain text in Markdown: no fence, quote, HTML or code.
func prose(line string) bool {
	text := strings.TrimLeft(line, " ")
	for _, opens := range []string{"```", "~~~", ">", "<", "\t"} {
		if strings.HasPrefix(text, opens) {
			return false
		}
	}
	return len(line)-len(text) < 4
}

// ordersIn parses new commands of users with write access. Others get no reply, because each of their comments would
// cost a write.
func (b *Bot) ordersIn(ctx context.Context, c Client, number int, prior state, comments []github.Said) (orders, error) {
	o := orders{newest: prior.Read, beside: prior.Beside}
	may := map[string]bool{}
	if err := o.hear(ctx, c, prior, comments, "", &o.newest, may); err != nil {
		return o, err
	}
	if len(prior.Named) > 0 { // there may be review conversations
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
			return nil // the next run starts here
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

// take adds one command. first is the number of sayings before this comment.
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

func replyMarker(comment string) string { return "causal:reply " + comment }

// reply posts one reply for each comment with questions, and acknowledges the other comments.
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
