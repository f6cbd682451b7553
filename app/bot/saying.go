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

// kind is what a command says about decisions.
type kind struct {
	event      reasoning.Draft
	answers    bool // what it names is an objection that it answers
	names      int  // how many events it names at least
	wordless   bool // that it is said is enough
	everything bool // what it is about may be left out
	asks       workspace.Question
}

// sayable are the commands about decisions.
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
	"decisions":  {asks: workspace.AsksDecisions, everything: true},
}

// saying is what is said about decisions, or what is wrong with that.
type saying struct {
	workspace.Saying

	wrong string
}

// sayingOf is what a command says about decisions; false where it says nothing of them. Two verbs are about a review as well: a review is
// resumed where nothing else is named, and findings are asked about by their names. nth counts what the comment has said before.
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

// isFindingName reports whether a word is called like a finding of a review, whether or not there is one.
func isFindingName(word string) bool {
	digits := strings.TrimLeft(word, "fF")
	return len(digits) == len(word)-1 && strings.Trim(digits, "0123456789") == ""
}

// sourceOf is where a comment can be read, and which of the things it is that the comment says: by it, each is recorded once.
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

// draftOf reads what stands behind a verb: the events that it names, and what is said of them. An event is named by its id, in quotation marks
// or by its address; a single one also by words, up to a colon. "answering" and "considering" name further ones in that part.
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

// lacking says how a command is to be given that lacks something; empty where it lacks nothing.
func lacking(verb string, k kind, d reasoning.Draft) string {
	named := len(d.Targets) + len(d.Resolves)
	empty := slices.ContainsFunc(slices.Concat(d.Targets, d.Resolves), func(name string) bool { return name == "" })
	if named >= k.names && !empty && (d.Text != "" || k.wordless) {
		return ""
	}
	i := slices.IndexFunc(verbs, func(v verbHelp) bool { return v.verb == verb && v.args != "" })
	return "Write `" + webhooks.Word + " " + verb + " " + verbs[i].args + "`, with an id or a quotation in double quotes in place of EVENT."
}

// reader reads what stands behind a verb.
type reader struct{ rest string }

// quotes are what a quotation stands in.
var quotes = map[string]string{`"`: `"`, "“": "”", "„": "“"}

// event reads an event that is named so that it is known where that ends.
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

// leastDigits is how many digits of an id are one: words such as "added" are none.
const leastDigits = 8

// joins reads what joins another event, if one follows, and says what that is named for.
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

// text is what is said of the events that were read.
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

// cutColon divides a text at the first colon that ends a word.
func cutColon(text string) (before, after string, found bool) {
	for at := range len(text) {
		if text[at] == ':' && (at+1 == len(text) || text[at+1] == ' ' || text[at+1] == '\n' || text[at+1] == '\t') {
			return strings.TrimSpace(text[:at]), strings.TrimSpace(text[at+1:]), true
		}
	}
	return strings.TrimSpace(text), "", false
}
