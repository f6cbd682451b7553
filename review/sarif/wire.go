package sarif

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"unicode/utf8"
)

// The parts of SARIF's objects that are looked at. Texts and lists are bounded while they are read.

// What a text and an entry of a map take beside their characters.
const (
	headerSize = 16
	entrySize  = 128
)

// text is a text as far as it is kept.
type text string

func (t *text) UnmarshalJSON(data []byte) error {
	s, err := unquote(data)
	*t = text(clip(s, longestMessage))
	return err
}

// unquote reads a text. Most have nothing to replace.
func unquote(data []byte) (s string, err error) {
	if data[0] == '"' && bytes.IndexByte(data, '\\') < 0 && utf8.Valid(data) {
		return string(data[1 : len(data)-1]), nil
	}
	err = json.Unmarshal(data, &s)
	return s, err
}

// word is a text where there is one; tools write other things as well.
type word string

func (w *word) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		s, _ := unquote(data)
		*w = word(clip(s, longestName))
	}
	return nil
}

// list is the beginning of a list.
type list[T any] []T

func (l *list[T]) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	start, err := dec.Token()
	if err != nil || start == nil {
		return err
	}
	if start != json.Delim('[') {
		return json.Unmarshal(data, (*[]T)(l)) // says what it is instead
	}
	for len(*l) < mostListed && dec.More() {
		var v T
		if err := dec.Decode(&v); err != nil {
			return err
		}
		*l = append(*l, v)
	}
	return nil
}

// lenient is a value whose type tools do not agree on. What is of another type is not there.
type lenient[T any] struct{ v T }

func (l *lenient[T]) UnmarshalJSON(data []byte) error {
	_ = json.Unmarshal(data, &l.v)
	return nil
}

// given reports whether there is a value, whatever it is.
type given bool

func (g *given) UnmarshalJSON(data []byte) error {
	*g = string(data) != "null"
	return nil
}

// number is a number that should be whole.
type number float64

// from is the number where it is whole, not below the least, and fits; otherwise what is said.
func (n *number) from(least, otherwise int) int {
	if n == nil || float64(*n) != math.Trunc(float64(*n)) || float64(*n) < float64(least) || *n > math.MaxInt32 {
		return otherwise
	}
	return int(*n)
}

type message struct {
	Text      text       `json:"text"`
	Markdown  text       `json:"markdown"`
	ID        text       `json:"id"`
	Arguments list[text] `json:"arguments"`
}

// size is what a message takes in memory, nearly.
func (m message) size() int {
	n := len(m.Text) + len(m.Markdown) + len(m.ID)
	for _, a := range m.Arguments {
		n += headerSize + len(a)
	}
	return n
}

// properties are what tools add to a rule or a result.
type properties struct {
	Tags     lenient[list[word]] `json:"tags"`
	Category word                `json:"category"`
	Severity given               `json:"security-severity"`
}

func (p properties) size() int {
	n := len(p.Category)
	for _, t := range p.Tags.v {
		n += headerSize + len(t)
	}
	return n
}

// descriptor is a rule.
type descriptor struct {
	ID            text `json:"id"`
	Configuration struct {
		Level text `json:"level"`
	} `json:"defaultConfiguration"`
	Short      message             `json:"shortDescription"`
	Full       message             `json:"fullDescription"`
	Messages   map[string]message  `json:"messageStrings"`
	Properties lenient[properties] `json:"properties"`
}

func (d descriptor) size() int {
	n := len(d.ID) + d.Short.size() + d.Full.size() + d.Properties.v.size()
	for id, m := range d.Messages {
		n += entrySize + len(id) + m.size()
	}
	return n
}

// location is a file, by its address or by its place in the run's list of files.
type location struct {
	URI   text    `json:"uri"`
	Base  text    `json:"uriBaseId"`
	Index *number `json:"index"`
}

type region struct {
	StartLine   *number `json:"startLine"`
	EndLine     *number `json:"endLine"`
	StartColumn *number `json:"startColumn"`
	EndColumn   *number `json:"endColumn"`
}

type place struct {
	ID       *number `json:"id"`
	Physical *struct {
		Artifact *location `json:"artifactLocation"`
		Region   region    `json:"region"`
	} `json:"physicalLocation"`
}

// component is the part of a tool that a rule belongs to.
type component struct {
	Name  text    `json:"name"`
	Index *number `json:"index"`
}

// ruleReference names a rule.
type ruleReference struct {
	ID        text      `json:"id"`
	Index     *number   `json:"index"`
	Component component `json:"toolComponent"`
}

type result struct {
	RuleID       text                `json:"ruleId"`
	RuleIndex    *number             `json:"ruleIndex"`
	Rule         ruleReference       `json:"rule"`
	Level        text                `json:"level"`
	Kind         text                `json:"kind"`
	Message      message             `json:"message"`
	Baseline     text                `json:"baselineState"`
	Properties   lenient[properties] `json:"properties"`
	Locations    list[place]         `json:"locations"`
	Related      list[place]         `json:"relatedLocations"`
	Suppressions list[suppression]   `json:"suppressions"`

	// What is kept of the lists.
	at         place
	related    map[int]bool
	suppressed bool
	malformed  string
}

// UnmarshalJSON reads as much of a result as is as it should be. Of any other the rule is still known.
func (r *result) UnmarshalJSON(data []byte) error {
	type plain result
	err := json.Unmarshal(data, (*plain)(r))
	if r.malformed = malformation(err); r.malformed == "" {
		return err
	}
	var ids struct {
		RuleID    lenient[text]          `json:"ruleId"`
		RuleIndex lenient[*number]       `json:"ruleIndex"`
		Rule      lenient[ruleReference] `json:"rule"`
	}
	err = json.Unmarshal(data, &ids)
	r.RuleID, r.RuleIndex, r.Rule = ids.RuleID.v, ids.RuleIndex.v, ids.Rule.v
	if malformation(err) != "" {
		return nil // it is no object, as has been said
	}
	return err
}

type suppression struct {
	Status text `json:"status"`
}

// settle keeps of the lists what is asked of them: the first location that is in a file, the numbers of those that a message may
// link to, and whether the result is suppressed. It is where there is a reason to and no reason is in doubt.
func (r *result) settle() {
	for _, l := range r.Locations {
		if l.Physical != nil && l.Physical.Artifact != nil {
			r.at = l
			break
		}
	}
	if strings.Contains(string(r.Message.Text+r.Message.Markdown+r.Message.ID), "](") {
		r.related = map[int]bool{}
		for _, l := range r.Related {
			r.related[l.ID.from(0, -1)] = true
		}
	}
	r.suppressed = len(r.Suppressions) > 0
	for _, s := range r.Suppressions {
		r.suppressed = r.suppressed && s.Status != "underReview" && s.Status != "rejected"
	}
	r.Locations, r.Related, r.Suppressions = nil, nil, nil
}

// size is what the texts and lists of a settled result take.
func (r *result) size() int {
	n := len(r.RuleID) + len(r.Rule.ID) + len(r.Rule.Component.Name) + len(r.Level) + len(r.Kind) + len(r.Baseline) +
		len(r.related)*headerSize + r.Message.size() + r.Properties.v.size()
	if r.at.Physical != nil {
		n += len(r.at.Physical.Artifact.URI) + len(r.at.Physical.Artifact.Base)
	}
	return n
}
