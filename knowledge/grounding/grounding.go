// Package grounding checks the sentences of a language model against its input: each sentence cites places in the input, and each code
// name in it occurs in a cited place, or is a name of the repository that the model was shown. Other sentences are dropped with a reason.
package grounding

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/prompt"
)

// Claim is a sentence as a model wrote it.
type Claim struct {
	Text  string   `json:"text"`
	Cites []string `json:"cites"`
}

// Sentence is a valid Claim.
type Sentence struct {
	Text  string `json:"text"`
	Cites []Cite `json:"cites"`
}

// Cite is a source of a sentence: lines of a file, or anything else with a name (Ref), such as an event.
type Cite struct {
	File string `json:"file,omitempty"`
	From int    `json:"from,omitempty"` // lines from 1; both 0 for the whole file
	To   int    `json:"to,omitempty"`
	Ref  string `json:"ref,omitempty"`
}

// String formats a cite as a model does.
func (c Cite) String() string {
	switch {
	case c.Ref != "":
		return c.Ref
	case c.From == 0:
		return c.File
	case c.From == c.To:
		return c.File + ":" + strconv.Itoa(c.From)
	}
	return fmt.Sprintf("%s:%d-%d", c.File, c.From, c.To)
}

// Shown is the input of a model. The zero value is empty.
type Shown struct {
	lines map[string]map[int]string
	names map[string]bool
	refs  map[string]ref
}

type ref struct {
	text  string
	cites []Cite
}

// AddLines adds lines of a file, the first of which has the number from.
func (s *Shown) AddLines(file string, from int, lines []string) {
	if s.lines == nil {
		s.lines = map[string]map[int]string{}
	}
	if s.lines[file] == nil {
		s.lines[file] = map[int]string{}
	}
	for i, line := range lines {
		s.lines[file][from+i] = line
	}
}

// AddNames adds names of the repository, such as money.Parse.
func (s *Shown) AddNames(names ...string) {
	if s.names == nil {
		s.names = map[string]bool{}
	}
	for _, name := range names {
		s.names[name] = true
	}
}

// AddRef adds something that can be cited by name: a text, and the places that the cite refers to.
func (s *Shown) AddRef(name, text string, cites ...Cite) {
	if s.refs == nil {
		s.refs = map[string]ref{}
	}
	if len(cites) == 0 {
		cites = []Cite{{Ref: name}}
	}
	s.refs[name] = ref{text, cites}
}

// Find returns the places that a cite refers to and their text. ok is false if any of it was not shown.
func (s *Shown) Find(cite string) (cites []Cite, text string, ok bool) {
	cite = strings.Trim(strings.TrimSpace(cite), "`")
	if r, found := s.refs[cite]; found {
		return r.cites, r.text, true
	}
	c, ok := parsePlace(cite)
	if !ok {
		return nil, "", false
	}
	lines := s.lines[c.File]
	if len(lines) == 0 {
		return nil, "", false
	}
	var b strings.Builder
	if c.From == 0 {
		for _, line := range lines {
			b.WriteString(line + "\n") // in any order: only words are looked up in it
		}
		return []Cite{c}, b.String(), true
	}
	if c.To-c.From >= len(lines) {
		return nil, "", false
	}
	for n := c.From; n <= c.To; n++ {
		line, there := lines[n]
		if !there {
			return nil, "", false
		}
		b.WriteString(line + "\n")
	}
	return []Cite{c}, b.String(), true
}

// parsePlace reads FILE, FILE:LINE and FILE:FROM-TO.
func parsePlace(text string) (Cite, bool) {
	file, lines, found := cutLast(text, ":")
	if !found {
		return Cite{File: text}, text != ""
	}
	first, last, isRange := strings.Cut(strings.ReplaceAll(lines, "L", ""), "-")
	if !isRange {
		last = first
	}
	from, err := strconv.Atoi(first)
	to, err2 := strconv.Atoi(last)
	return Cite{File: file, From: from, To: to}, err == nil && err2 == nil && file != "" && 0 < from && from <= to
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// The bounds of an answer.
const (
	longestSentence = 600     // bytes
	mostUnclean     = 8 << 10 // bytes before cleaning
	mostCites       = 12      // of one sentence
)

// Hold returns the valid claims, and the others with the reason.
func (s *Shown) Hold(claims []Claim) (valid []Sentence, dropped []prompt.Dropped) {
	for _, c := range claims {
		sentence, reason := s.hold(c)
		if reason != "" {
			dropped = append(dropped, prompt.Dropped{Text: c.Text, Reason: reason})
			continue
		}
		valid = append(valid, sentence)
	}
	return valid, dropped
}

func (s *Shown) hold(c Claim) (Sentence, prompt.Reason) {
	text, ok := CleanSentence(c.Text)
	if !ok || len(c.Cites) > mostCites {
		return Sentence{}, prompt.NotTheForm
	}
	if len(c.Cites) == 0 {
		return Sentence{}, prompt.NotCited
	}
	out := Sentence{Text: text}
	var cited strings.Builder
	seen := map[Cite]bool{}
	for _, cite := range c.Cites {
		cites, words, ok := s.Find(cite)
		if !ok {
			return Sentence{}, prompt.NoSuchPlace
		}
		cited.WriteString(words + "\n")
		for _, place := range cites {
			if !seen[place] {
				seen[place] = true
				out.Cites = append(out.Cites, place)
			}
		}
	}
	for _, name := range codeNames(text) {
		if !s.names[name] && !HasWord(cited.String(), name) {
			return Sentence{}, prompt.NameNotFound
		}
	}
	return out, ""
}
