package api

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review/change"
)

func (v version) headers(language string) []source.Unit {
	return slices.DeleteFunc(v.files(language), func(u source.Unit) bool { return !source.IsHeader(u.Path) })
}

// inward matches words that mark directories, files and namespaces of C and C++ as private.
var inward = lazyregexp.New(`(?i)(^|[-_.])(details?|internals?|impl|private|priv|inl)([-_.]|$)`)

// published reports whether callers include a header, and no directory marks it as private. Without a build file for
// its directory, those in a directory called include count.
func (v version) published(header string) (bool, error) {
	dirs := strings.Split(header, "/")
	at := slices.Index(dirs, "include")
	if slices.ContainsFunc(dirs, inward.MatchString) || at > 0 && slices.Contains(dirs[:at], "src") {
		return false, nil
	}
	p, err := survey.PublishedOf(v.reader, header)
	return len(p.Names) > 0 || !p.Ruled && at >= 0, err
}

// headerWords returns the words of all headers of the module and of the change, where a name may have moved.
func (p *pair) headerWords() (map[string]bool, error) {
	var texts []string
	for _, language := range []string{"c", "c++"} {
		for _, u := range p.now.headers(language) {
			text, err := survey.Blob(p.now.reader, u.Path)
			if err != nil {
				return nil, err
			}
			texts = append(texts, string(text))
		}
	}
	for f, err := range change.All(p.now.reader) {
		if err != nil {
			return nil, err
		}
		ending := path.Ext(f.Path)
		if !f.Gone && (source.IsHeader(f.Path) || ending == ".in" || ending == ".inc" || ending == ".cmakein") {
			texts = append(texts, string(f.After))
		}
	}
	return wordsIn(slices.Values(texts)), nil
}
