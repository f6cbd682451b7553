// Package lazyregexp has patterns of the program compiled when they are first used: every command and every child of the server
// would pay for those of all languages and all checks at its start, and uses a few.
package lazyregexp

import (
	"regexp"
	"sync"
)

// Regexp is a pattern of the program. Its methods are those of regexp.Regexp, and safe for concurrent use.
type Regexp struct {
	pattern string
	once    sync.Once
	regexp  *regexp.Regexp
}

// New returns a pattern. An invalid one panics when it is first used; a test compiles all of them. The compiler inlines New, so
// that a package variable costs nothing when the program starts.
func New(pattern string) *Regexp { return &Regexp{pattern: pattern} }

func (r *Regexp) compiled() *regexp.Regexp {
	r.once.Do(r.compile)
	return r.regexp
}

func (r *Regexp) compile() { r.regexp = regexp.MustCompile(r.pattern) }

// Match is regexp.Regexp's.
func (r *Regexp) Match(b []byte) bool { return r.compiled().Match(b) }

// MatchString is regexp.Regexp's.
func (r *Regexp) MatchString(s string) bool { return r.compiled().MatchString(s) }

// Find is regexp.Regexp's.
func (r *Regexp) Find(b []byte) []byte { return r.compiled().Find(b) }

// FindString is regexp.Regexp's.
func (r *Regexp) FindString(s string) string { return r.compiled().FindString(s) }

// FindStringIndex is regexp.Regexp's.
func (r *Regexp) FindStringIndex(s string) []int { return r.compiled().FindStringIndex(s) }

// FindStringSubmatch is regexp.Regexp's.
func (r *Regexp) FindStringSubmatch(s string) []string { return r.compiled().FindStringSubmatch(s) }

// FindAllString is regexp.Regexp's.
func (r *Regexp) FindAllString(s string, n int) []string { return r.compiled().FindAllString(s, n) }

// FindAllStringSubmatch is regexp.Regexp's.
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.compiled().FindAllStringSubmatch(s, n)
}

// FindAllStringSubmatchIndex is regexp.Regexp's.
func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.compiled().FindAllStringSubmatchIndex(s, n)
}

// ReplaceAllString is regexp.Regexp's.
func (r *Regexp) ReplaceAllString(s, replacement string) string {
	return r.compiled().ReplaceAllString(s, replacement)
}

// ReplaceAllStringFunc is regexp.Regexp's.
func (r *Regexp) ReplaceAllStringFunc(s string, replacement func(string) string) string {
	return r.compiled().ReplaceAllStringFunc(s, replacement)
}

// FindAllStringIndex is regexp.Regexp's.
func (r *Regexp) FindAllStringIndex(s string, n int) [][]int {
	return r.compiled().FindAllStringIndex(s, n)
}
