package main

import (
	"regexp"
	"strings"

	"github.com/causaldocs/causal/app/proof/reference"
)

// thing is one element that a help text or a page tells of.
type thing struct {
	kind     string // "command", "flag" or "default"
	name     string // of a command or a flag
	fallback string // the default that is told of a flag
}

var (
	heading     = regexp.MustCompile(`(?i)^\S.*:\s*$|^[A-Z][A-Z ]+$|^(options|positional arguments|commands)$`)
	flagLine    = regexp.MustCompile(`^ {1,10}(-[^\s].*)$`)
	commandLine = regexp.MustCompile(`^ {2,8}([a-z0-9][\w:-]*)((?:, [\w-]+)*)(?:\s{2,}.*|\s*)$`)
	spaced      = regexp.MustCompile(`, +-`) // between the names of a flag, which some set in columns
)

// readHelp reads a help text. Flags that a command has from those above it are told with them.
func readHelp(p program, text string) []thing {
	var out []thing
	section, last := "", -1
	for _, line := range strings.Split(strings.ReplaceAll(text, "\t", "    "), "\n") {
		if heading.MatchString(line) {
			section, last = strings.ToLower(strings.TrimRight(strings.TrimSpace(line), ":")), -1
			continue
		}
		switch {
		case strings.Contains(section, "global") && p.library == "cobra":
		case flagLine.MatchString(line):
			last = len(out)
			out = append(out, flagsOf(p, strings.TrimSpace(line))...)
		case (strings.Contains(section, "command") || p.library == "cobra" && lists(section)) && commandLine.MatchString(line):
			m := commandLine.FindStringSubmatch(line)
			out = append(out, thing{kind: "command", name: m[1]})
		case last >= 0 && p.library == "flag":
			if d := reference.Default.FindStringSubmatch(line); d != nil && last < len(out) {
				out[last].fallback = reference.Unquoted(d[1])
			}
		}
	}
	return out
}

// lists reports whether a section of cobra's help may be a group of commands: programs call those as they like.
func lists(section string) bool {
	switch section {
	case "usage", "examples", "aliases", "flags", "environment", "":
		return false
	}
	return !strings.Contains(section, "flags")
}

// flagsOf reads the line of a flag: its names, what the value is called, then what it is for.
func flagsOf(p program, line string) []thing {
	line = spaced.ReplaceAllString(line, ", -")
	spec, about, _ := strings.Cut(line, "  ")
	if p.library == "flag" {
		if !strings.Contains(spec, ",") {
			spec = strings.Fields(line)[0]
		}
	}
	value := ""
	if d := reference.Default.FindStringSubmatch(about); d != nil {
		value = reference.Unquoted(d[1] + d[2])
	}
	var out []thing
	for _, word := range strings.FieldsFunc(spec, func(r rune) bool { return r == ' ' || r == ',' || r == '/' || r == '|' }) {
		m := reference.FlagName.FindStringSubmatch(word)
		if m == nil || m[1] == "help" || m[1] == "h" && len(word) == 2 && strings.Contains(spec, "--help") {
			continue
		}
		out = append(out, thing{"flag", strings.TrimRight(m[1], "."), ""})
	}
	if len(out) > 0 {
		out[longestName(out)].fallback = value
	}
	return out
}

// longestName is the place of the longest name of a flag, which has its default: help texts and pages order the names as they like.
func longestName(names []thing) int {
	at := 0
	for i, n := range names {
		if len(n.name) >= len(names[at].name) {
			at = i
		}
	}
	return at
}
