package condition

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/fact"
)

// Word is one entry of a Vocabulary, given by the room that answers it.
type Word struct {
	Name   string
	Params []string // parameter names; GlobParam is a path pattern
	// Numeric words have a number, which a condition compares with a limit. Others are true or false.
	Numeric bool
	// Matches reports whether a change of evidence makes the word true. It is nil if changes do not determine it.
	Matches func(q Question, c fact.Change) bool
	// Narrow returns a more specific word for one change, or "". It is nil if there is none.
	Narrow func(c fact.Change) (word string, args []string)
}

// GlobParam is the name of a path pattern parameter.
const GlobParam = "glob"

// Question is one term of a condition, to be answered by Facts.
type Question struct {
	Word string
	Args []string
	Glob Glob // only if the word has a path pattern
}

// Answer is the value of a word. Cause explains a true term, or a false one that is negated.
type Answer struct {
	Holds  bool
	Number float64 // for a numeric word
	Cause  Cause
}

// Facts answers questions about one state of a repository.
type Facts interface {
	Answer(q Question) Answer
}

// Cause explains a term. Fields that do not apply are empty.
type Cause struct {
	Change fact.Change // the old and the new observation
	File   string      // path of the file that changed it
	Commit string      // commit of the change; empty if uncommitted
	Detail string      // further details: "Parse gained a parameter"
}

// CausesOf returns a cause for each change, which explain completes.
func CausesOf(changes []fact.Change, explain func(c *Cause)) []Cause {
	causes := make([]Cause, len(changes))
	for i, c := range changes {
		causes[i].Change = c
		explain(&causes[i])
	}
	return causes
}

// Vocabulary holds the allowed words. Parse rejects unknown words, because they would silently be false.
type Vocabulary struct {
	words   map[string]*word
	allowed string // for errors
}

// word is a Word with its rank in the vocabulary, which orders the terms of Any.
type word struct {
	Word
	rank int
}

// NewVocabulary combines the words of all rooms. It panics on duplicate names.
func NewVocabulary(words ...Word) *Vocabulary {
	v := &Vocabulary{words: make(map[string]*word, len(words))}
	usages := make([]string, len(words))
	for i, w := range words {
		if v.words[w.Name] != nil {
			panic("condition: the word " + w.Name + " is answered twice")
		}
		v.words[w.Name] = &word{w, i}
		usages[i] = v.words[w.Name].usage()
	}
	v.allowed = strings.Join(usages, ", ") + "; joined by and, or, not and parentheses"
	return v
}

func (w *word) usage() string {
	call := w.Name + "(" + strings.Join(w.Params, ", ") + ")"
	if w.Numeric {
		return call + " > number"
	}
	return call
}

// Word returns a word by name, or false.
func (v *Vocabulary) Word(name string) (Word, bool) {
	w := v.words[name]
	if w == nil {
		return Word{}, false
	}
	return w.Word, true
}

type comparison struct {
	symbol string
	holds  func(value, limit float64) bool
}

var comparisons = map[string]comparison{
	"<":  {"<", func(v, l float64) bool { return v < l }},
	"<=": {"<=", func(v, l float64) bool { return v <= l }},
	">":  {">", func(v, l float64) bool { return v > l }},
	">=": {">=", func(v, l float64) bool { return v >= l }},
	"==": {"==", func(v, l float64) bool { return v == l }},
	"!=": {"!=", func(v, l float64) bool { return v != l }},
}

func (t *term) spell() {
	size := len(t.word.Name) + 2
	for _, arg := range t.args {
		size += len(arg) + 4
	}
	b := make([]byte, 0, size)
	b = append(b, t.word.Name...)
	b = append(b, '(')
	for i, arg := range t.args {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = strconv.AppendQuote(b, arg)
	}
	b = append(b, ')')
	if t.word.Numeric {
		b = append(b, ' ')
		b = append(b, t.comparison.symbol...)
		b = append(b, ' ')
		b = strconv.AppendFloat(b, t.number, 'g', -1, 64)
	}
	t.text = string(b)
}

func validText(s string) string {
	return strings.ToValidUTF8(s, string(utf8.RuneError))
}
