package bot

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
	"github.com/causaldocs/causal/webhooks"
)

type kind struct {
	event    reasoning.Draft
	answers  bool // the named event is an objection that it answers
	names    int  // the minimum number of named events
	wordless bool // needs no text
	asks     workspace.Question
}

var sayable = map[string]kind{
	"propose":    {event: reasoning.Draft{Type: ledger.Proposition}},
	"contradict": {event: reasoning.Draft{Type: ledger.Contradiction}, names: 1},
	"challenge":  {event: reasoning.Draft{Type: ledger.Contradiction, Effect: ledger.Challenges}, names: 1},
	"refine":     {event: reasoning.Draft{Type: ledger.Refinement}, names: 1},
	"answer":     {event: reasoning.Draft{Type: ledger.Refinement}, names: 1, answers: true},
	"synthesize": {event: reasoning.Draft{Type: ledger.Synthesis}, names: 2},
	"supersede":  {event: reasoning.Draft{Type: ledger.Synthesis, Supersedes: true}, names: 2},
	"park":       {event: reasoning.Draft{Type: ledger.Park}, names: 1, wordless: true},
	"resume":     {event: reasoning.Draft{Type: ledger.Resume}, names: 1, wordless: true},
	"withdraw":   {event: reasoning.Draft{Type: ledger.Withdraw}, names: 1, wordless: true},
	"confirm":    {event: reasoning.Draft{Type: ledger.Confirm}, names: 1, wordless: true},
	"why":        {asks: workspace.AsksWhy, names: 1},
	"decisions":  {asks: workspace.AsksDecisions},
}

type saying struct {
	workspace.Saying

	wrong string
}

// sayingOf parses a command about decisions. It returns false for other commands: "resume" without arguments resumes
// reviews, and "why" with a finding explains it. nth counts the sayings of the comment.
func sayingOf(prior state, said github.Said, c command, nth int) (saying, bool) {
	k, ok := sayable[c.verb]
	_, finding := prior.finding(c.about)
	switch {
	case !ok, c.verb == "resume" && c.said == "", c.verb == "why" && (c.said == "" || finding || isFindingName(c.about)):
		return saying{}, false
	case k.asks != "":
		return saying{Saying: workspace.Saying{Asks: k.asks, About: c.said}}, true
	}
	d, wrong := draftOf(c.verb, k, c.said)
	d.Actor, d.Source = said.Author, sourceOf(said.URL, nth)
	return saying{workspace.Saying{Draft: d, At: said.At.UTC().Format(time.RFC3339)}, wrong}, true
}

func isFindingName(word string) bool {
	digits := strings.TrimLeft(word, "fF")
	return len(digits) == len(word)-1 && strings.Trim(digits, "0123456789") == ""
}

// sourceOf returns the URL of a comment, with the number of the saying, so each is recorded once.
func sourceOf(address string, nth int) string {
	if nth == 0 {
		return address
	}
	u, err := url.Parse(address)
	if err != nil {
		return fmt.Sprintf("%s (%d)", address, nth+1)
	}
	u.RawQuery = fmt.Sprintf("command=%d", nth+1)
	return u.String()
}

// draftOf parses the events that a command names and its text. An event is named by id, quotation or URL; a single one
// also by words up to a colon. "answering" and "considering" name further events.
func draftOf(verb string, k kind, said string) (d reasoning.Draft, wrong string) {
	d = k.event
	s := &reader{said}
	into := &d.Targets
	if k.answers {
		into = &d.Resolves
	}
	if k.names == 0 && !s.joins(&d, &into) {
		d.Text = said
		return d, lacking(verb, k, d)
	}
	for name, ok := s.event(); ok; name, ok = s.event() {
		*into = append(*into, name)
		if !s.joins(&d, &into) {
			break
		}
	}
	if named := len(d.Targets) + len(d.Resolves) + len(d.Considers); named == 0 && k.names == 1 {
		if words, text, divided := cutColon(s.rest); divided || k.wordless {
			*into, s.rest = []string{words}, text
		}
	}
	d.Text = s.text()
	return d, lacking(verb, k, d)
}

func lacking(verb string, k kind, d reasoning.Draft) string {
	named := len(d.Targets) + len(d.Resolves)
	empty := slices.ContainsFunc(slices.Concat(d.Targets, d.Resolves), func(name string) bool { return name == "" })
	if named >= k.names && !empty && (d.Text != "" || k.wordless) {
		return ""
	}
	i := slices.IndexFunc(verbs, func(v verbHelp) bool { return v.verb == verb && v.args != "" })
	return "Write `" + webhooks.Word + " " + verb + " " + verbs[i].args + "`, with an id or a quotation in double quotes in place of EVENT."
}

type reader struct{ rest string }

var quotes = map[string]string{`"`: `"`, "“": "”", "„": "“"}

func (s *reader) event() (string, bool) {
	s.rest = strings.TrimSpace(s.rest)
	for opens, closes := range quotes {
		inner, quoted := strings.CutPrefix(s.rest, opens)
		if at := strings.Index(inner, closes); quoted && at > 0 {
			s.rest = inner[at+len(closes):]
			return `"` + inner[:at] + `"`, true
		}
	}
	word := s.rest[:len(s.rest)-len(strings.TrimLeftFunc(s.rest, func(r rune) bool { return r > ' ' }))]
	name := strings.TrimRight(word, ":,")
	digits := len(name) >= leastDigits && strings.Trim(name, "0123456789abcdef") == ""
	if !digits && !strings.HasPrefix(name, "https://") && !strings.HasPrefix(name, "http://") {
		return "", false
	}
	s.rest = s.rest[len(name):]
	return name, true
}

// leastDigits is the minimum length of an id, to exclude words such as "added".
const leastDigits = 8

// joins reads a conjunction before another event, and sets into to its list.
func (s *reader) joins(d *reasoning.Draft, into **[]string) bool {
	rest := strings.TrimSpace(s.rest)
	for _, j := range []struct {
		word string
		into *[]string
	}{{"and ", *into}, {",", *into}, {"answering ", &d.Resolves}, {"considering ", &d.Considers}} {
		if len(rest) < len(j.word) || !strings.EqualFold(rest[:len(j.word)], j.word) {
			continue
		}
		ahead := &reader{rest[len(j.word):]}
		if _, follows := ahead.event(); follows {
			s.rest, *into = rest[len(j.word):], j.into
			return true
		}
	}
	return false
}

func (s *reader) text() string {
	text := strings.TrimSpace(s.rest)
	if after, ok := strings.CutPrefix(text, ":"); ok {
		return strings.TrimSpace(after)
	}
	const because = "because "
	if len(text) > len(because) && strings.EqualFold(text[:len(because)], because) {
		return strings.TrimSpace(text[len(because):])
	}
	return text
}

func cutColon(text string) (before, after string, found bool) {
	for at := range len(text) {
		if text[at] == ':' && (at+1 == len(text) || text[at+1] == ' ' || text[at+1] == '\n' || text[at+1] == '\t') {
			return strings.TrimSpace(text[:at]), strings.TrimSpace(text[at+1:]), true
		}
	}
	return strings.TrimSpace(text), "", false
}
