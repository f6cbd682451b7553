package sarif

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// The parts of SARIF objects that are read. Texts and lists are bounded while they are read.

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

// list has at most mostListed elements. The rest is ignored.
type list[T any] []T

func (l *list[T]) UnmarshalJSON(data []byte) error {
	_, err := elements(data, mostListed, (*[]T)(l))
	return err
}

// large has at most mostEntries elements. cut is set if there are more.
type large[T any] struct {
	list []T
	cut  bool
}

func (l *large[T]) UnmarshalJSON(data []byte) (err error) {
	l.list = nil
	l.cut, err = elements(data, mostEntries, &l.list)
	return err
}

// rules has at most mostRules elements, because their texts have many parts.
type rules large[lenient[descriptor]]

func (l *rules) UnmarshalJSON(data []byte) (err error) {
	l.list = nil
	l.cut, err = elements(data, mostRules, &l.list)
	return err
}

// elements reads a list up to a limit, and reports whether it is longer.
func elements[T any](data []byte, most int, into *[]T) (cut bool, err error) {
	if data[0] != '[' {
		return false, json.Unmarshal(data, into) // null, or returns the error for a value that is not a list
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	_, err = dec.Token()
	for err == nil && dec.More() {
		if len(*into) == most {
			return true, nil
		}
		var v T
		err = dec.Decode(&v)
		*into = append(*into, v)
	}
	return false, err
}

// table has at most mostListed members. The rest is ignored.
type table[T any] map[string]T

func (t *table[T]) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	if start, err := dec.Token(); err != nil || start != json.Delim('{') {
		return json.Unmarshal(data, (*map[string]T)(t)) // null, or returns the error for a value that is not an object
	}
	*t = table[T]{} // of duplicate keys, the last counts
	var err error
	for err == nil && len(*t) < mostListed && dec.More() {
		var v T
		key, _ := dec.Token()
		err = dec.Decode(&v)
		(*t)[fmt.Sprint(key)] = v
	}
	return err
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

type properties struct {
	Tags     lenient[list[word]] `json:"tags"`
	Category word                `json:"category"`
	Severity given               `json:"security-severity"`
}

type toolComponent struct {
	Name     word                    `json:"name"`
	Messages lenient[table[message]] `json:"globalMessageStrings"`
	Rules    rules                   `json:"rules"`

	named map[string]*descriptor // the first rule of each ID
}

type descriptor struct {
	ID            text `json:"id"`
	Configuration struct {
		Level text `json:"level"`
	} `json:"defaultConfiguration"`
	Short      message             `json:"shortDescription"`
	Full       message             `json:"fullDescription"`
	Messages   table[message]      `json:"messageStrings"`
	Properties lenient[properties] `json:"properties"`
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
	Name  word    `json:"name"`
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
	r.settle()
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

type artifact struct {
	Location location `json:"location"`
}

// invocation is set if the tool failed.
type invocation bool

func (i *invocation) UnmarshalJSON(data []byte) error {
	var v struct {
		Successful *bool `json:"executionSuccessful"`
	}
	err := json.Unmarshal(data, &v)
	*i = invocation(err != nil || v.Successful != nil && !*v.Successful)
	return nil
}

// external is set if results are in other files.
type external bool

func (e *external) UnmarshalJSON(data []byte) error {
	var v struct {
		Results list[json.RawMessage] `json:"results"`
	}
	err := json.Unmarshal(data, &v)
	*e = external(err != nil || len(v.Results) > 0)
	return nil
}

type runObject struct {
	Tool struct {
		Driver     toolComponent        `json:"driver"`
		Extensions large[toolComponent] `json:"extensions"`
	} `json:"tool"`
	Results     large[result]            `json:"results"`
	Artifacts   large[lenient[artifact]] `json:"artifacts"`
	Bases       lenient[table[location]] `json:"originalUriBaseIds"`
	Invocations large[invocation]        `json:"invocations"`
	ColumnKind  word                     `json:"columnKind"`
	External    external                 `json:"externalPropertyFileReferences"`
}
