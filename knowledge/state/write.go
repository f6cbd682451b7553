package state

import (
	"maps"
	"slices"
	"strings"
)

// Strategy says how a write treats an existing value.
type Strategy string

// The strategies.
const (
	Overwrite Strategy = "overwrite"  // refuses a target that a step of the run wrote before
	Append    Strategy = "append"     // concatenates lists
	DeepMerge Strategy = "deep_merge" // merges maps; new values win
	Replace   Strategy = "replace"    // replaces any value
)

// Strategies are all strategies, the default first.
var Strategies = []Strategy{Overwrite, Append, DeepMerge, Replace}

// CheckStrategy refuses an unknown strategy. The empty one is Overwrite.
func CheckStrategy(m Strategy) error {
	if m != "" && !slices.Contains(Strategies, m) {
		return refuse(UnknownStrategy, string(m), "unknown merge strategy %q; known ones are overwrite, append, deep_merge and replace", string(m))
	}
	return nil
}

// ParseTarget splits a target. A target that no step can write is an *Error.
func ParseTarget(target string) (Namespace, []string, error) {
	words := strings.Split(target, ".")
	n := Namespace(words[0])
	r, known := rules[n]
	switch {
	case !known:
		return "", nil, refuse(UnknownNamespace, target, "unknown target %q; steps write to vars, outputs, working, output and extensions", target)
	case !r.writable:
		return "", nil, refuse(ReadOnly, target, "target %q is read-only", target)
	case len(words) < 2 || slices.ContainsFunc(words, func(w string) bool { return !isWord(w) }):
		return "", nil, refuse(InvalidTarget, target, "target %q has no path; write it as %s.NAME", target, n)
	case r.slots != nil && !slices.Contains(r.slots, words[1]):
		return "", nil, refuse(InvalidTarget, target, "target %q: %s has no %q, only %s", target, n, words[1], strings.Join(r.slots, ", "))
	}
	return n, words[1:], nil
}

// Write writes parts of a result to the targets of a mapping, all or nothing, and lists the targets, sorted. Keys of the mapping
// are paths in the produced map or references.
func (s *State) Write(mapping map[string]string, produced any, how Strategy) (writes []string, err error) {
	if err := CheckStrategy(how); err != nil {
		return nil, err
	}
	if len(mapping) == 0 {
		return nil, nil
	}
	from, ok := produced.(map[string]any)
	if !ok {
		return nil, refuse(NotAMap, "", "the step produced a value that is not a map")
	}
	next := maps.Clone(s.spaces)
	for _, key := range slices.Sorted(maps.Keys(mapping)) {
		target := mapping[key]
		value, err := s.produced(from, key)
		if err != nil {
			return nil, err
		}
		if (how == "" || how == Overwrite) && (s.written[target] || slices.Contains(writes, target)) {
			return nil, refuse(DuplicateTarget, target, "target %q is written twice; set config.merge_strategy", target)
		}
		if err := put(next, target, value, how); err != nil {
			return nil, err
		}
		writes = append(writes, target)
	}
	s.spaces = next
	slices.Sort(writes)
	writes = slices.Compact(writes)
	for _, target := range writes {
		s.written[target] = true
	}
	s.touch()
	return writes, nil
}

func (s *State) produced(from map[string]any, key string) (any, error) {
	if v, ok := walk(from, strings.Split(key, "."), true); ok {
		return Copy(v), nil
	}
	if _, _, ok := ParseRef(key); ok {
		return s.lookUp(key)
	}
	return nil, refuse(Missing, key, "the step did not produce %q", key)
}

// put writes one value. Maps on the path to it are copied: an error leaves everything as it was.
func put(spaces map[Namespace]map[string]any, target string, value any, how Strategy) error {
	n, path, err := ParseTarget(target)
	if err != nil {
		return err
	}
	before, _ := walk(spaces[n], path, false)
	switch how {
	case Append:
		list, ok := value.([]any)
		old, isList := before.([]any)
		if !ok || before != nil && !isList {
			return refuse(NotAList, target, "append to %q: both values have to be lists", target)
		}
		value = append(slices.Clone(old), list...)
	case DeepMerge:
		value = merged(before, value)
	}
	space, err := with(spaces[n], path, value, target)
	if err == nil {
		spaces[n] = space
	}
	return err
}

func with(m map[string]any, path []string, value any, target string) (map[string]any, error) {
	out := maps.Clone(m)
	if out == nil {
		out = map[string]any{}
	}
	if len(path) == 1 {
		out[path[0]] = value
		return out, nil
	}
	inner, ok := m[path[0]].(map[string]any)
	if !ok && m[path[0]] != nil {
		return nil, refuse(InvalidTarget, target, "target %q: %q is not a map", target, path[0])
	}
	inner, err := with(inner, path[1:], value, target)
	out[path[0]] = inner
	return out, err
}

func merged(base, overlay any) any {
	over, ok := overlay.(map[string]any)
	under, isMap := base.(map[string]any)
	if !ok || !isMap {
		return overlay
	}
	out := maps.Clone(under)
	for key, value := range over {
		if old, there := out[key]; there {
			value = merged(old, value)
		}
		out[key] = value
	}
	return out
}
