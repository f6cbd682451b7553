package render

import (
	"cmp"
	"path"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/manifest"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
)

// introduction is what a repository says of itself as a whole.
type introduction struct {
	readme survey.Readme
	// manifest reads one of the root by its name, and returns nil when there is none; nil itself where there are none at all.
	manifest func(name string) []byte
}

// of returns the repository's name and what it is, in its own words, with the file that these stand in: its README, or else a manifest,
// which comes first where the README begins with praise.
func (in introduction) of(c Config, g graph) (name, about, file string) {
	r := source.Readme("README", in.readme.Content)
	if name = markdown.Plain(r.Package, "markdown"); announcing.MatchString(name) || section.MatchString(name) {
		name = ""
	}
	if c.Repository != "" {
		name = cmp.Or(name, path.Base(c.Repository))
	}
	if root, ok := g.Title("."); ok && root != unnamedRoot {
		name = cmp.Or(name, root)
	}
	if name == "" {
		name, _ = in.manifested(func(name, _ string) string { return name })
		name = strings.TrimSuffix(strings.TrimSuffix(name, "-root"), "-monorepo")
		name = cmp.Or(name, "Repository")
	}
	about = purpose(r.Doc, "markdown", "")
	if defining.MatchString(about) {
		return name, about, in.readme.Path
	}
	described, file := in.manifested(func(_, about string) string { return about })
	if described = purpose(described, "markdown", ""); described != "" {
		return name, described, file
	}
	if about != "" {
		file = in.readme.Path
	}
	return name, about, file
}

// section matches the heading of a section, which is no name.
var section = lazyregexp.New(`^(?i:introduction|overview|read ?me|about|documentation|docs|(?:getting|get) started|welcome|(?:table of )?contents|description|installation|usage|features|quick ?start|summary|status|what is (?:this|it)\??)$`)

// announcing matches the title of a README that is news and no name: "Shop is now unmaintained".
var announcing = lazyregexp.New(`\s(?:is|are|was|were|has|have)\s`)

// defining matches a sentence that says what something is: "A library for amounts", "Shop is the fastest shop".
var defining = lazyregexp.New(`^(?:An?|The|This)\s|\b(?:is|are)\s+(?:an?|the|one)\s`)

// manifested is what the first manifest says that says it, and which one that is.
func (in introduction) manifested(part func(name, about string) string) (text, file string) {
	if in.manifest == nil {
		return "", ""
	}
	for _, file := range manifest.Describing {
		if content := in.manifest(file); content != nil {
			if text := part(manifest.Describe(file, content)); text != "" {
				return text, file
			}
		}
	}
	return "", ""
}
