package condition

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"
)

// Glob matches slash-separated paths relative to the repository's root. Within a path segment it follows path.Match:
// `*` is any run of characters, `?` is one, `[a-z]` and `[^a-z]` are classes, and a backslash escapes the next
// character. A segment `**` matches any number of segments, including none: `docs/**/*.md` matches docs/a.md and
// docs/x/y/a.md. Matching is case-sensitive.
//
// The zero Glob matches every path.
type Glob struct {
	pattern  string
	segments []segment
}

type segment struct {
	text string // without escapes if literal
	kind segmentKind
}

type segmentKind uint8

const (
	literal segmentKind = iota
	wildcard
	anyDepth
)

const everything = "**"

// ParseGlob parses a relative pattern without empty, "." or ".." segments. `**` must be a whole segment.
func ParseGlob(pattern string) (Glob, error) {
	if pattern == "" {
		return Glob{}, errors.New("empty glob")
	}
	if !utf8.ValidString(pattern) {
		return Glob{}, fmt.Errorf("glob %q is not valid UTF-8", pattern)
	}
	segments := make([]segment, 0, strings.Count(pattern, "/")+1)
	for part := range strings.SplitSeq(pattern, "/") {
		s, err := parseSegment(part)
		if err != nil {
			return Glob{}, fmt.Errorf("glob %q: %w", pattern, err)
		}
		segments = append(segments, s)
	}
	return Glob{pattern: pattern, segments: segments}, nil
}

func parseSegment(part string) (segment, error) {
	switch part {
	case "":
		return segment{}, errors.New("empty path segment: write it relative to the repository's root, as in \"dir/*.go\"")
	case ".", "..":
		return segment{}, fmt.Errorf("segment %q: write the path from the repository's root", part)
	case everything:
		return segment{text: part, kind: anyDepth}, nil
	}
	if !strings.ContainsAny(part, `*?[\`) {
		return segment{text: part}, nil
	}
	if strings.Contains(part, everything) {
		return segment{}, errors.New("** must be alone between slashes")
	}
	if _, err := path.Match(part, ""); err != nil {
		return segment{}, fmt.Errorf("segment %q: unclosed or empty [ ], or a \\ at the end", part)
	}
	if text, ok := unescape(part); ok {
		return segment{text: text}, nil
	}
	return segment{text: part, kind: wildcard}, nil
}

func unescape(part string) (string, bool) {
	text := make([]byte, 0, len(part))
	for i := 0; i < len(part); i++ {
		switch part[i] {
		case '*', '?', '[':
			return "", false
		case '\\':
			i++
		}
		text = append(text, part[i])
	}
	return string(text), true
}

var escapes = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`)

// PathGlob returns the Glob for exactly one path. Invalid UTF-8 matches any character.
func PathGlob(p string) (Glob, error) {
	return ParseGlob(strings.ToValidUTF8(escapes.Replace(p), "?"))
}

// String returns the pattern.
func (g Glob) String() string {
	if g.segments == nil {
		return everything
	}
	return g.pattern
}

// Match reports whether g matches p. Its cost is at most proportional to the product of both lengths.
func (g Glob) Match(p string) bool {
	if g.segments == nil {
		return true
	}
	// retry backtracks to the last **, one path segment further on.
	next, retry := 0, -1
	rest, retryRest := p, ""
	more, retryMore := true, false
	for more {
		if next < len(g.segments) && g.segments[next].kind == anyDepth {
			next++
			retry, retryRest, retryMore = next, rest, true
			continue
		}
		name, tail, tailMore := strings.Cut(rest, "/")
		if next < len(g.segments) && g.segments[next].match(name) {
			next, rest, more = next+1, tail, tailMore
			continue
		}
		if retry < 0 || !retryMore {
			return false
		}
		_, retryRest, retryMore = strings.Cut(retryRest, "/")
		next, rest, more = retry, retryRest, retryMore
	}
	for next < len(g.segments) && g.segments[next].kind == anyDepth {
		next++
	}
	return next == len(g.segments)
}

func (s segment) match(name string) bool {
	if s.kind == literal {
		return s.text == name
	}
	ok, err := path.Match(s.text, name)
	return ok && err == nil
}
