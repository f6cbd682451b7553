package markdown

import (
	"regexp"
	"sync"
)

// pattern is a regular expression that is compiled when it is first used. There are many here, and most runs of the
// program render nothing.
type pattern struct{ get func() *regexp.Regexp }

func lazy(text string) *pattern {
	return &pattern{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })}
}

func (p *pattern) FindString(s string) string           { return p.get().FindString(s) }
func (p *pattern) FindStringSubmatch(s string) []string { return p.get().FindStringSubmatch(s) }
func (p *pattern) MatchString(s string) bool            { return p.get().MatchString(s) }
func (p *pattern) ReplaceAllString(s, by string) string { return p.get().ReplaceAllString(s, by) }

func (p *pattern) ReplaceAllStringFunc(s string, by func(string) string) string {
	return p.get().ReplaceAllStringFunc(s, by)
}
