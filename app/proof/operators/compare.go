package main

import (
	"fmt"
	"slices"
	"strings"
)

// surface is what is told of commands: by path, then by name of flag, with defaults.
type surface map[string]map[string]string

func (s surface) add(path string, t thing) {
	if s[path] == nil {
		s[path] = map[string]string{}
	}
	if t.kind == "flag" && (s[path][t.name] == "" || t.fallback != "") {
		s[path][t.name] = t.fallback
	}
}

// guard notes that what is told of a command or a flag cannot be compared: it is for other conditions than this build may meet,
// or the program refuses to tell.
func (s surface) guard(element string) {
	if s[""] == nil {
		s[""] = map[string]string{}
	}
	s[""][element] = "guarded"
}

// score counts what agrees.
type score struct {
	told, page, both int
	misses           []string
}

func (s *score) add(other score) {
	s.told, s.page, s.both = s.told+other.told, s.page+other.page, s.both+other.both
}

func (s *score) recall() float64    { return share(s.both, s.told) }
func (s *score) precision() float64 { return share(s.both, s.page) }

func share(part, all int) float64 {
	if all == 0 {
		return 1
	}
	return float64(part) / float64(all)
}

func (s *score) line(name string) string {
	return fmt.Sprintf("%-28s told %4d, on the page %4d, both %4d: recall %.3f, precision %.3f", name, s.told, s.page, s.both, s.recall(), s.precision())
}

// compare counts commands, flags, and the defaults that either tells.
func compare(told, page surface) score {
	a, b := elements(told), elements(page)
	var s score
	for e := range a {
		s.told++
		if b[e] {
			s.both++
		} else {
			s.misses = append(s.misses, "missing: "+e)
		}
	}
	for e := range b {
		path, _, isDefault := strings.Cut(e, " = ")
		command, _, _ := strings.Cut(path, " --")
		switch {
		case isDefault && !toldDefault(a, path): // many programs do not tell theirs
			continue
		case !a[e] && (page[""][path] != "" || guardedAbove(page[""], command) || told[""][command] != ""):
			continue
		}
		s.page++
		if !a[e] {
			s.misses = append(s.misses, "wrong: "+e)
		}
	}
	slices.Sort(s.misses)
	return s
}

// guardedAbove reports whether a command, or one above it, is for other platforms or builds.
func guardedAbove(guarded map[string]string, path string) bool {
	for {
		if guarded[path] != "" {
			return true
		}
		i := strings.LastIndexByte(path, ' ')
		if i < 0 {
			return false
		}
		path = path[:i]
	}
}

// toldDefault reports whether a program tells a default of a flag.
func toldDefault(told map[string]bool, flag string) bool {
	for e := range told {
		if strings.HasPrefix(e, flag+" = ") {
			return true
		}
	}
	return false
}

// ofLibraries are flags that libraries add themselves.
var ofLibraries = map[string]bool{"help": true, "version": true, "install-completion": true, "show-completion": true, "generate-shell-completion": true}

func elements(s surface) map[string]bool {
	out := map[string]bool{}
	for path, flags := range s {
		if words := strings.Fields(path); len(words) == 0 || slices.Contains(words, "help") || slices.Contains(words, "completion") {
			continue
		}
		out[path] = true
		for name, value := range flags {
			if ofLibraries[name] || name == "h" && hasKey(flags, "help") || strings.EqualFold(name, "v") && (flags["version"] == "" || flags["version"] == "false") && hasKey(flags, "version") && !hasKey(flags, "verbose") {
				continue
			}
			out[path+" --"+name] = true
			if value != "" && value != "false" && value != "[]" {
				out[path+" --"+name+" = "+value] = true
			}
		}
	}
	return out
}

func hasKey(m map[string]string, key string) bool {
	_, ok := m[key]
	return ok
}
