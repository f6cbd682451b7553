package state

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Kind is the kind of an Error.
type Kind string

// The kinds.
const (
	Missing          Kind = "missing"
	ReadOnly         Kind = "read_only"
	UnknownNamespace Kind = "unknown_namespace"
	InvalidTarget    Kind = "invalid_target"
	NotAMap          Kind = "not_a_map"
	NotAList         Kind = "not_a_list"
	DuplicateTarget  Kind = "duplicate_target"
	UnknownStrategy  Kind = "unknown_strategy"
)

// Error is a reference or a write that a State refuses.
type Error struct {
	Kind Kind
	Ref  string // the reference, target or strategy
	Text string
}

func (e *Error) Error() string { return e.Text }

func refuse(kind Kind, ref, format string, args ...any) *Error {
	return &Error{kind, ref, fmt.Sprintf(format, args...)}
}

// InputMappingError is the error of an input that cannot be resolved.
type InputMappingError struct {
	Key string
	Err error
}

func (e *InputMappingError) Error() string { return "input " + e.Key + ": " + e.Err.Error() }

func (e *InputMappingError) Unwrap() error { return e.Err }

// ParseRef splits a reference such as working.entities.0.name. Any other text is a literal: ok is false.
func ParseRef(text string) (n Namespace, path []string, ok bool) {
	words := strings.Split(text, ".")
	if len(words) < 2 || !rules[Namespace(words[0])].readable || slices.ContainsFunc(words, func(w string) bool { return !isWord(w) }) {
		return "", nil, false
	}
	return Namespace(words[0]), words[1:], true
}

func isWord(s string) bool {
	for _, r := range s {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-' {
			return false
		}
	}
	return s != ""
}

// Refs lists the references in a value, sorted.
func Refs(value any) []string {
	set := map[string]bool{}
	collect(value, set)
	return slices.Sorted(maps.Keys(set))
}

func collect(value any, into map[string]bool) {
	switch v := value.(type) {
	case string:
		if _, _, ok := ParseRef(v); ok {
			into[v] = true
		}
	case map[string]any:
		for _, x := range v {
			collect(x, into)
		}
	case []any:
		for _, x := range v {
			collect(x, into)
		}
	}
}

// IsStrict reports whether reading a missing value of a namespace is an error.
func IsStrict(n Namespace) bool { return rules[n].strict }

// Resolve returns a copy of the value with its references replaced by their values, also in maps and lists.
func (s *State) Resolve(value any) (any, error) {
	switch v := value.(type) {
	case string:
		return s.lookUp(v)
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, key := range slices.Sorted(maps.Keys(v)) {
			x, err := s.Resolve(v[key])
			if err != nil {
				return nil, err
			}
			out[key] = x
		}
		return out, nil
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			var err error
			if out[i], err = s.Resolve(x); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return value, nil
}

// MapInput resolves an input mapping and lists the references that it reads, sorted. Its errors are *InputMappingError.
func (s *State) MapInput(mapping map[string]any) (input map[string]any, reads []string, err error) {
	input, reads = make(map[string]any, len(mapping)), Refs(mapping)
	for _, key := range slices.Sorted(maps.Keys(mapping)) {
		if input[key], err = s.Resolve(mapping[key]); err != nil {
			return nil, reads, &InputMappingError{key, err}
		}
	}
	return input, reads, nil
}

func (s *State) lookUp(text string) (any, error) {
	n, path, ok := ParseRef(text)
	if !ok {
		return text, nil
	}
	v, found := walk(s.spaces[n], path, rules[n].lists)
	if !found && rules[n].strict && !touches(s.absent, text) {
		return nil, refuse(Missing, text, "%s is not set", text)
	}
	return Copy(v), nil
}

func walk(v any, path []string, lists bool) (any, bool) {
	for _, word := range path {
		switch x := v.(type) {
		case map[string]any:
			next, ok := x[word]
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			i, err := strconv.Atoi(word)
			if !lists || err != nil || i < 0 || i >= len(x) {
				return nil, false
			}
			v = x[i]
		default:
			return nil, false
		}
	}
	return v, true
}
