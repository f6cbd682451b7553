package ask

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/causaldocs/causal/app/answer"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/lexical"
	"github.com/causaldocs/causal/render/answers"
)

// mostQuoted is how many quotations an answer from the index has, and longestQuoted how many bytes one has.
const (
	mostQuoted    = 3
	longestQuoted = 400
)

// search answers by quotations from nodes, pages, principles and the log. outdated: there is a stored answer that no longer holds.
func (a *Asker) search(ctx context.Context, question string, l *line, outdated bool) (*Answer, error) {
	if outdated {
		a.Note("an earlier answer no longer holds: something that it rests on changed; without a model it cannot be asked again")
	}
	hits, err := a.quote(ctx, question)
	if err != nil {
		return nil, err
	}
	if err := a.write(l.session); err != nil {
		return nil, err
	}
	out := &Answer{
		Question: question, Sentences: []Sentence{}, Open: []string{}, From: report.FromIndex, Evidence: []string{}, Suspended: []Suspended{},
		Frames: []Told{},
	}
	f, _ := l.session.tree.Frame(l.frame)
	out.Frames = append(out.Frames, Told{f.ID, f.ParentID, 0, f.Query, string(f.Status), false})
	for _, h := range hits {
		quoted := plain.Cut(strings.Join(strings.Fields(h.Text), " "), longestQuoted)
		if h.Kind != "event" {
			quoted = h.Target + ": " + quoted
		}
		out.Sentences = append(out.Sentences, Sentence{quoted, []Cite{placeOf(h)}})
		out.Evidence = append(out.Evidence, h.Kind+": "+h.Target)
	}
	return out, nil
}

// usersOf matches a question about what uses a module.
var usersOf = lazyregexp.New(`(?i)^\s*(?:who|what|which (?:modules?|packages?|parts?|code)) (?:uses?|imports?|needs?|depends? on) (?:the )?([^\s?]+?)(?: module| package)?\s*\?*\s*$`)

// quote finds the quotations. The entry page describes the whole project, and how to run it.
func (a *Asker) quote(ctx context.Context, question string) ([]answer.Hit, error) {
	if aboutAll(question) {
		if h, ok := answer.Description(a.Workspace, a.Knowledge); ok {
			return []answer.Hit{h}, nil
		}
	}
	if m := usersOf.FindStringSubmatch(question); m != nil {
		if h, ok := answer.Users(ctx, a.Workspace, a.Knowledge, m[1]); ok {
			return []answer.Hit{h}, nil
		}
	}
	if hits := answer.Commands(a.Workspace, a.Knowledge, howTo(question)); len(hits) > 0 {
		return hits[:min(len(hits), mostQuoted)], nil
	}
	if kind := listed(question); kind != "" {
		if hits := answer.Listed(a.Workspace, a.Knowledge, kind); len(hits) > 0 {
			return hits[:min(len(hits), mostQuoted)], nil
		}
	}
	words := content(question, answer.Title(a.Workspace, a.Knowledge))
	if hits, err := answer.InRoot(ctx, a.Knowledge, lexical.Terms(words), mostQuoted); err != nil || len(hits) > 0 {
		return hits, err
	}
	if name := named(question); name != "" {
		if hits, err := answer.Named(ctx, a.Workspace, a.Knowledge, a.Ledger, name, mostQuoted); err != nil || len(hits) > 0 {
			return hits, err
		}
	}
	first, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(question)), " ")
	return answer.Quote(ctx, a.Workspace, a.Knowledge, a.Ledger, answer.Wanted{Words: words, Named: about(question), Doing: first == "how" || whether[first]}, mostQuoted)
}

// placeOf is the place of a hit.
func placeOf(h answer.Hit) Cite {
	switch {
	case h.Kind == "event":
		return Cite{Event: h.Target}
	case h.At != "":
		return citeOf(answers.ParseCite(h.At))
	}
	return Cite{Node: h.Target}
}

// The words that need no term of their own: a question word is compared apart, and an auxiliary, an article or a pronoun does not change
// the question. All other words count, also negations and prepositions: "What uses a?" and "What is used by a?" differ.
var (
	questionWords = lazy.Set("who whom whose what which when where why how")
	ignoredWords  = lazy.Set("a an the am is are was were be been being do does did i me my we us our you your they them their it its this that these those there here of to s please")
)

var negations = strings.NewReplacer("’", "'", "can't", "can not", "cannot", "can not", "won't", "will not", "n't", " not") //nolint:gocritic // "can't" comes before "n't"

// asked are the question words of a question and its other terms, both in their order.
func asked(question string) (words, terms []string) {
	list := strings.FieldsFunc(negations.Replace(strings.ToLower(question)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r)
	})
	for i, w := range list {
		switch {
		case questionWords[w]:
			words = append(words, w)
		case w == "do" && i == len(list)-1: // the verb of "What does it do?"
			terms = append(terms, w)
		case ignoredWords[w]:
		default:
			of := lexical.Terms(w)
			if len(of) == 0 {
				of = []string{w}
			}
			terms = append(terms, of...)
		}
	}
	return words, terms
}

// mostUnordered is how many terms a question with "how" or "why" may have to mean the same in another order.
const mostUnordered = 2

// key identifies a question: two with the same question words and the same terms in the same order are one.
func key(question string) string {
	words, terms := asked(question)
	if len(terms) == 0 {
		return fact.Digest(strings.ToLower(question))
	}
	if len(words) == 1 && (words[0] == "how" || words[0] == "why") && len(terms) <= mostUnordered {
		slices.Sort(terms)
	}
	return fact.Digest(slices.Concat(words, []string{""}, terms)...)
}

// wholes are the terms for the whole project in questions about it.
var wholes = lazy.Set("project repositori repo codebas")

// aboutAll reports whether a question asks for the purpose of the project.
func aboutAll(question string) bool {
	words, terms := asked(question)
	terms = slices.DeleteFunc(terms, func(t string) bool { return t == "about" || t == "for" || t == "do" })
	return len(words) == 1 && words[0] == "what" && len(terms) == 1 && wholes[terms[0]]
}

// howTo returns the terms of a question of the form "how do I …", without those for the whole project.
func howTo(question string) []string {
	words, terms := asked(question)
	if len(words) != 1 || words[0] != "how" {
		return nil
	}
	return slices.DeleteFunc(terms, func(t string) bool { return wholes[t] })
}

// whether are the first words of questions for a yes or no.
var whether = lazy.Set("does do is are can could has have did will would")

// having are the terms of words that a question needs but an answer does not.
var having = lazy.Value[map[string]bool]{Make: func() map[string]bool {
	out := map[string]bool{}
	for _, term := range lexical.Terms("support need require use work provide include exist contain offer allow handle implement come run available possible way " +
		"put take make get give want something anything thing inside my own kind code list let happen another other set package module class function method symbol") {
		out[term] = true
	}
	return out
}}

// placed are the verbs of a question for a place.
var placed = lazyregexp.New(`(?i)\b(?:stored|defined|kept|located|declared|implemented|found)\b`)

// content returns the words that an answer must have. The name of the project counts only if there is no other.
func content(question, project string) string {
	if first, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(question)), " "); first == "where" || first == "which" {
		question = placed.ReplaceAllString(question, "")
	}
	all := slices.DeleteFunc(strings.Fields(question), func(w string) bool {
		terms := lexical.Terms(w)
		return len(terms) == 0 || !slices.ContainsFunc(terms, func(t string) bool { return !having.Get()[t] && !wholes[t] })
	})
	name := lexical.Terms(project)
	rest := slices.DeleteFunc(slices.Clone(all), func(w string) bool { return slices.Contains(name, lexical.Terms(w)[0]) })
	if len(rest) == 0 {
		rest = all
	}
	return strings.Join(rest, " ")
}

// The forms of questions for a list and for one name.
var (
	listing = []*lazyregexp.Regexp{
		lazyregexp.New(`(?i)^\s*(?:what|which) (.+?) (?:are there|exist|are (?:available|supported|defined|registered|listed|read)|(?:does|do) (?:it|they|the \w+) \w+|can i (?:use|set))\s*[?.!]*\s*$`),
		lazyregexp.New(`(?i)^\s*(?:list|show)(?: me)?(?: all)?(?: of)?(?: the)? (.+?)\s*[?.!]*\s*$`),
	}
	naming = lazyregexp.New(`(?i)^\s*(?:where (?:is|are)|what (?:is|are|does|do)|(?:which|what) (?:` + kinds + `) (?:represents?|is|has|holds?|does|implements?)) (?:(?:an?|the) )?(.+?)` +
		`(?: (?:` + kinds + `|clause|object|code|do|defined|implemented|located|declared|mean|for|used for))*\s*[?.!]*\s*$`)
)

const kinds = "class|type|function|method|module|package|interface|struct"

// listed returns the kind of things that a question asks to list, empty for other questions.
func listed(question string) string {
	for _, form := range listing {
		if m := form.FindStringSubmatch(question); m != nil {
			return m[1]
		}
	}
	return ""
}

// mostNamed is how many words a name has at most.
const mostNamed = 3

// named returns the name that a question is about, empty if it is not about one.
func named(question string) string {
	name := listed(question)
	if m := naming.FindStringSubmatch(question); m != nil {
		name = m[1]
	}
	if len(strings.Fields(name)) > mostNamed {
		return ""
	}
	return strings.Trim(name, "`\"'")
}

// The forms of questions that name their subject: "Where are attachments stored?" and "How do I start the server?".
var (
	passive = lazyregexp.New(`(?i)^\s*(?:where|how|when|why) (?:is|are|was|were) (.+?) (?:\w+ed|built|chosen|done|found|given|held|hidden|kept|made|put|read|run|sent|set|shown|written)` +
		`(?:\s*[?.!]*\s*$| (?:` + prepositions + `) )`)
	doing = lazyregexp.New(`(?i)^\s*how (?:do|does|did|can|could|should|would|must) (?:i|we|you|one) \w+ (.+?)(?:\s*[?.!]*\s*$| (?:` + prepositions + `)(?: |[?.!]*\s*$))`)
)

const prepositions = "after|and|as|at|before|by|down|for|from|if|in|into|of|off|on|or|out|over|through|to|under|up|using|via|when|while|with|without"

// about returns the terms of the noun that a question is about, which a text has to name to be an answer; none if the form of the
// question does not show the noun.
func about(question string) []string {
	for _, form := range []*lazyregexp.Regexp{passive, doing} {
		if m := form.FindStringSubmatch(question); m != nil {
			words := strings.Fields(m[1])
			return slices.DeleteFunc(lexical.Terms(words[len(words)-1]), func(t string) bool { return wholes[t] || having.Get()[t] })
		}
	}
	return nil
}

// sameWords reports whether two questions differ in case, blanks and the last punctuation at most.
func sameWords(a, b string) bool {
	trim := func(s string) string { return strings.TrimRight(strings.Join(strings.Fields(s), " "), " ?!.") }
	return strings.EqualFold(trim(a), trim(b))
}

// terms are the terms of a question, each once, sorted.
func terms(question string) []string {
	out := slices.Compact(slices.Sorted(slices.Values(lexical.Terms(question))))
	if len(out) == 0 {
		return []string{strings.ToLower(question)}
	}
	return out
}
