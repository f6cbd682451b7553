package api

import (
	"fmt"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

var provisional = lazyregexp.New(`\bEXPERIMENTAL\b|@(experimental|internal|alpha|beta|unstable)\b|` +
	`(?i:\b(is|are|still|as) (highly )?(experimental|provisional)\b|subject to change|may change (at any time|without notice|in (a |any )?future)|not part of the public|` +
	`for internal use|internal use only|do not (use|rely on) this|should not (need to )?(use|call|rely on) this|expect this \w+ to change)`)

var decorated = lazyregexp.New(`(?m)^@(\w+\.)*(experimental|provisional|internal|alpha|beta|unstable|preview)\b`)

// provisionalFile matches file comments that mark all declarations of the file as unstable. It is stricter, because
// file comments are long and often about parts only.
var provisionalFile = lazyregexp.New(`(?i)\bthis (module|package|crate|file|header|api) (is|are) (still )?(highly )?(an )?(experimental|provisional|unstable|internal)\b|` +
	`\b(may|might|can|could) (hurt|break) (forward|backwards?|binary|source)[ -]compatibility`)

// growing matches comments of interfaces that users should not implement, or that may get more methods.
var growing = lazyregexp.New(`(?i)\b(new|more|additional|further) methods (may|might|can|could|will) be added\b|@no(implement|extend)\b|` +
	`\b(not (be |intended to be |meant to be |designed to be )(implemented|extended|subclassed)|(do|must|should) not (implement|extend|subclass) this)\b`)

func (p *pair) isProvisional(b breakage) (bool, error) {
	v, at := p.was, b.was
	if at.line == 0 {
		v, at = p.now, b.now
	}
	lines, err := v.source(at.path)
	if err != nil {
		return false, err
	}
	return v.provisionalFile(at.path) || v.provisionalAbove(at, lines) || v.takenBack(b, at.path), nil
}

func (v version) provisionalFile(name string) bool {
	return v.once("file "+name, func() bool {
		u, ok := v.file(name)
		return ok && provisionalFile.MatchString(oneLine(u.File.Doc))
	})
}

func (v version) provisionalAbove(at place, lines []string) bool {
	return v.once(fmt.Sprintf("above %s:%d", at.path, at.line), func() bool {
		for line := at.line - 1; line > 0 && line <= len(lines) && isComment(lines[line-1]); line-- {
			if provisional.MatchString(lines[line-1]) {
				return true
			}
		}
		return false
	})
}

// takenBack reports whether a comment or decorator of a declaration, or of an enclosing one, permits the breakage.
func (v version) takenBack(b breakage, file string) bool {
	for name := b.declared; name != ""; name = name[:max(strings.LastIndexByte(name, '.'), 0)] {
		d := v.declared[name]
		if d == nil || d.Path != file {
			continue
		}
		says := func(what *lazyregexp.Regexp) func() bool {
			return func() bool { return what.MatchString(oneLine(d.Doc)) }
		}
		isDecorated := func() bool { return decorated.MatchString(d.Signature) }
		if v.once("decorators of "+name, isDecorated) || v.once("doc "+name, says(provisional)) || strings.HasPrefix(b.kind, "method added") && v.once("more in "+name, says(growing)) {
			return true
		}
	}
	return false
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func isComment(line string) bool {
	line = strings.TrimSpace(line)
	for _, mark := range []string{"//", "/*", "*", "#"} {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	return false
}
