// Package lazy makes things when they are first used. A program that is started hundreds of times a day, mostly to find
// that nothing changed, should not spend its time on preparing for work that it will not do.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp is a regular expression that is compiled when it is first used. It is safe for concurrent use.
type Regexp struct{ compiled func() *regexp.Regexp }

// MustCompile is regexp.MustCompile, put off: an expression that cannot be compiled panics at its first use.
func MustCompile(text string) *Regexp {
	return &Regexp{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })}
}

// FindString is that of regexp.Regexp, as are the methods below.
func (r *Regexp) FindString(s string) string { return r.compiled().FindString(s) }

// FindStringIndex finds where the first match is.
func (r *Regexp) FindStringIndex(s string) []int { return r.compiled().FindStringIndex(s) }

// FindStringSubmatch finds the first match and its groups.
func (r *Regexp) FindStringSubmatch(s string) []string { return r.compiled().FindStringSubmatch(s) }

// FindAllStringSubmatch finds up to n matches and their groups.
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.compiled().FindAllStringSubmatch(s, n)
}

// Match tells whether there is a match.
func (r *Regexp) Match(b []byte) bool { return r.compiled().Match(b) }

// MatchString tells whether there is a match.
func (r *Regexp) MatchString(s string) bool { return r.compiled().MatchString(s) }

// ReplaceAllString replaces every match.
func (r *Regexp) ReplaceAllString(s, by string) string { return r.compiled().ReplaceAllString(s, by) }

// ReplaceAllStringFunc replaces every match by what by makes of it.
func (r *Regexp) ReplaceAllStringFunc(s string, by func(string) string) string {
	return r.compiled().ReplaceAllStringFunc(s, by)
}
