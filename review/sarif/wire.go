package sarif

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"unicode/utf8"
)

// The parts of SARIF objects that are read. Texts and lists are bounded while they are read.

// Memory overhead of a string and of a map entry.
const (
	headerSize = 16
	entrySize  = 128
)

type text string

func (t *text) UnmarshalJSON(data []byte) error {
	s, err := unquote(data)
	*t = text(clip(s, longestMessage))
	return err
}

// unquote parses a JSON string. Most need no replacement.
func unquote(data []byte) (s string, err error) {
	if data[0] == '"' && bytes.IndexByte(data, '\\') < 0 && utf8.Valid(data) {
		return string(data[1 : len(data)-1]), nil
	}
	err = json.Unmarshal(data, &s)
	return s, err
}

// word is a string, or empty for values of other types.
type word string

func (w *word) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		s, _ := unquote(data)
		*w = word(clip(s, longestName))
	}
	return nil
}

type list[T any] []T

func (l *list[T]) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	start, err := dec.Token()
	if err != nil || start == nil {
		return err
	}
	if start != json.Delim('[') {
		return json.Unmarshal(data, (*[]T)(l)) // returns the error for a value that is not a list
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

// lenient ignores a value of another type, because tools disagree about it.
type lenient[T any] struct{ v T }

func (l *lenient[T]) UnmarshalJSON(data []byte) error {
	_ = json.Unmarshal(data, &l.v)
	return nil
}

type given bool

func (g *given) UnmarshalJSON(data []byte) error {
	*g = string(data) != "null"
	return nil
}

type number float64

// from returns the number if it is an integer of at least least that fits. Otherwise it returns otherwise.
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

func (m message) size() int {
	n := len(m.Text) + len(m.Markdown) + len(m.ID)
	for _, a := range m.Arguments {
		n += headerSize + len(a)
	}
	return n
}

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

type component struct {
	Name  text    `json:"name"`
	Index *number `json:"index"`
}

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

	at         place
	related    map[int]bool
	suppressed bool
	malformed  string
}

// UnmarshalJSON reads the well-formed parts of a result. For a malformed result it still finds the rule.
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
		return nil // not an object, which malformed reports
	}
	return err
}

type suppression struct {
	Status text `json:"status"`
}

// settle reduces the lists to the first location in a file, the IDs of related locations that a message may link to,
// and whether the result is suppressed. A result is suppressed if it has suppressions and none is rejected or under
// review.
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

func (r *result) size() int {
	n := len(r.RuleID) + len(r.Rule.ID) + len(r.Rule.Component.Name) + len(r.Level) + len(r.Kind) + len(r.Baseline) +
		len(r.related)*headerSize + r.Message.size() + r.Properties.v.size()
	if r.at.Physical != nil {
		n += len(r.at.Physical.Artifact.URI) + len(r.at.Physical.Artifact.Base)
	}
	return n
}
