package answer

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/app/inspect"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/lexical"
	"github.com/causaldocs/causal/knowledge/markdown"
)

// rootFiles are files at the root that questions are about, with the words that find them and the line that is quoted.
var rootFiles = []struct {
	name, words string
	line        *lazyregexp.Regexp
}{
	{"LICENSE", licensed, anyWord}, {"LICENSE.md", licensed, anyWord}, {"LICENSE.txt", licensed, anyWord}, {"LICENCE", licensed, anyWord},
	{"LICENSE-MIT", licensed, anyWord}, {"LICENSE-APACHE", licensed, anyWord}, {"COPYING", licensed, anyWord}, {"COPYING.md", licensed, anyWord},
	{"Dockerfile", "docker image container", lazyregexp.New(`^(?i:from)\s`)},
}

const licensed = "license licence"

var (
	anyWord = lazyregexp.New(`\pL`)
	badges  = lazyregexp.New(`^(?:\[?!\[|<|\x60\x60\x60|~~~)`)
)

// leastOfReadme is the share of the words of a question that a line of the README must have.
const leastOfReadme = 0.6

// InRoot returns lines of the README and of other files at the root that answer a question: a fallback, because pages quote little of
// them. A line must have all required terms, if there are any.
func InRoot(ctx context.Context, e *workspace.Knowledge, question string, required []string, most int) (out []Hit, err error) {
	least := leastOfReadme
	if len(required) > 0 {
		question, least = strings.Join(required, " "), 0.99
	}
	index, hits := lexical.New(), map[string]Hit{}
	read := func(name string, add func(line string) (words string, more bool)) {
		o, failed := e.Shown().Run(ctx, inspect.Call{Tool: inspect.Read, About: name, From: 1, To: mostOfRoot})
		if err = failed; err != nil || len(o.Places) == 0 {
			return
		}
		for i, line := range o.Places[0].Lines {
			words, more := add(line)
			if words != "" {
				at := name + ":" + strconv.Itoa(i+1)
				hits[at] = Hit{Kind: "file", Target: name, Text: markdown.Words(strings.TrimLeft(strings.TrimSpace(line), "#->* ")), At: at}
				index.Add(at, words)
			}
			if !more {
				return
			}
		}
	}
	for _, f := range rootFiles {
		read(f.name, func(line string) (string, bool) {
			if !f.line.MatchString(line) {
				return "", true
			}
			return f.words + " " + line, false
		})
	}
	few := len(required) == 0 && len(lexical.Terms(question)) < 2 // a line with one word of a question says little
	if readme, _ := e.Introducers(); readme != "" && !few {
		read(readme, func(line string) (string, bool) {
			if line = strings.TrimSpace(line); badges.MatchString(line) {
				line = ""
			}
			return line, true
		})
	}
	if err != nil {
		return nil, err
	}
	for _, m := range index.Cover(question, func(string) bool { return true }) {
		if h := hits[m.Key]; m.Score >= least && len(out) < most && h.Text != "" && !slices.ContainsFunc(out, func(o Hit) bool { return o.Text == h.Text }) {
			h.Score = m.Score
			out = append(out, h)
		}
	}
	return out, nil
}

// mostOfRoot bounds the lines of a file that are searched.
const mostOfRoot = 400
