// Package skill implements skills: small programs that users write as YAML files, whose steps call capabilities and
// pass values through the state of a run. [Read] parses and plans the files: every problem has a file and a line. A
// [Runner] executes a planned skill. Capabilities are external: a [Spec] describes one, and the Runner calls it
// through a function.
package skill

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/state"
)

// Trigger says when a skill runs.
type Trigger string

// The triggers.
const (
	OnUpdate Trigger = "update"
	OnReview Trigger = "review"
	Manual   Trigger = "manual"
)

// Triggers are all triggers.
var Triggers = []Trigger{OnUpdate, OnReview, Manual}

// Bounds of skills.
const (
	LargestFile  = 256 << 10 // bytes of a file
	MostSteps    = 64        // of a skill
	mostRunSteps = 1024      // of a run, with those of nested runs
	mostDepth    = 8         // of nested runs
	mostText     = 4000      // bytes of an expression
)

// Skill is one skill as written in its file.
type Skill struct {
	File        string
	ID          string
	Version     string
	Description string
	Inputs      map[string]Input
	Frame       map[string]any
	Steps       []Step
	When        []Trigger

	lines  map[string]int
	source string // digest of the file
}

// Source identifies the exact file content, including comments, because step positions depend on them.
func (s *Skill) Source() string { return s.source }

// Input is an input that a skill declares.
type Input struct {
	Type        Type   `json:"type"`
	Default     any    `json:"default,omitempty"`
	Required    bool   `json:"required"`
	Description string `json:"description"`
}

// Step is one step.
type Step struct {
	ID     string
	Uses   string
	Input  map[string]any
	Output map[string]string
	Merge  state.Strategy
	If     string
	Else   map[string]any // the result if the capability fails; nil for none

	file   string
	line   int
	lines  map[string]int // of keys such as input.data
	blocks map[string]int // first lines of texts that are written as blocks, by keys such as input.template
	refs   map[string]int // of references
	cond   *Expression
}

// File returns the file of the step's skill.
func (s *Step) File() string { return s.file }

// Place returns the file and line of a key of a step, such as input.path.
func (s *Step) Place(key string) string { return fmt.Sprintf("%s:%d", s.file, s.at(key)) }

// LineError is an error at a line of a text in a step's input.
type LineError struct {
	Input string
	Line  int // in the text, from 1
	Err   error
}

func (e *LineError) Error() string { return e.Err.Error() }

func (e *LineError) Unwrap() error { return e.Err }

// lineOf returns the line of an error in the file: that of a key, or of a line in its text.
func (s *Step) lineOf(key string, err error) int {
	if e, ok := errors.AsType[*LineError](err); ok {
		key = "input." + e.Input
		if first := s.blocks[key]; first > 0 {
			return first + e.Line - 1
		}
	}
	return s.at(key)
}

// Runs reports whether a trigger starts the skill.
func (s *Skill) Runs(t Trigger) bool { return slices.Contains(s.When, t) }

// Mentions reports whether a file may contain a skill with a trigger, by its word. It is cheaper than parsing the
// file.
func Mentions(data []byte, t Trigger) bool { return bytes.Contains(data, []byte(t)) }

func (s *Step) at(key string) int {
	if line, ok := s.lines[key]; ok {
		return line
	}
	return s.line
}

// Type is the type of a value.
type Type string

// The types.
const (
	Any     Type = "any"
	String  Type = "string"
	Integer Type = "integer"
	Number  Type = "number"
	Boolean Type = "boolean"
	List    Type = "list"
	Map     Type = "map"
)

// Types are all types.
var Types = []Type{Any, String, Integer, Number, Boolean, List, Map}

// Holds reports whether a value has the type. Null has every type.
func (t Type) Holds(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return t == String || t == Any
	case bool:
		return t == Boolean || t == Any
	case int:
		return t == Integer || t == Number || t == Any
	case float64:
		return t == Number || t == Any || t == Integer && v == float64(int64(v))
	case []any:
		return t == List || t == Any
	case map[string]any:
		return t == Map || t == Any
	}
	return false
}

// Field is an input or an output of a capability.
type Field struct {
	Name     string
	Type     Type
	Required bool
	About    string
	// Check rejects literals of the field when the skill is planned. It may be nil.
	Check func(v any) error
	// Keys are the keys of the map, or of each map in the list; nil if they are unknown.
	Keys []string
	// Over names the list input that the field is about: an output has the list's keys, and a literal refers to some
	// of them.
	Over string
	// Refers lists the paths in an item that a literal of the field refers to. It may be nil.
	Refers func(v any) []string
}

// Spec describes a capability.
type Spec struct {
	ID     string
	About  string
	Input  []Field
	Output []Field
	// Either lists inputs of which a step sets exactly one.
	Either []string
	// Writes marks a capability that changes something outside of the run. Read-only callers cannot run skills with
	// one.
	Writes bool
	// Else allows a step to define its result for a failed capability.
	Else bool
}

// Specs are capabilities by id.
type Specs map[string]Spec

// RunSkill is the capability that runs another skill. The Runner executes it itself.
const RunSkill = "skill.run"

func field(list []Field, name string) (Field, bool) {
	i := slices.IndexFunc(list, func(f Field) bool { return f.Name == name })
	if i < 0 {
		return Field{}, false
	}
	return list[i], true
}

func names(list []Field) string {
	out := make([]string, len(list))
	for i, f := range list {
		out[i] = f.Name
	}
	return strings.Join(out, ", ")
}

// Problem is an error in a file.
type Problem struct {
	File string `json:"file"`
	Line int    `json:"line"`
	What string `json:"problem"`
	// Cause is the file to correct if it is another one.
	Cause string `json:"cause,omitempty"`
}

func (p Problem) String() string { return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.What) }

// Error lists the problems of a skill.
type Error struct{ Problems []Problem }

func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}
