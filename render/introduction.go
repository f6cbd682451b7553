package render

import (
	"cmp"
	"errors"
	"path"
	"strings"

	"github.com/causaldocs/causal/knowledge/engine"
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
		name = cmp.Or(withoutWorkspace(name), "Repository")
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

// withoutWorkspace is the name of a project by that of its workspace.
func withoutWorkspace(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name, "-root"), "-monorepo")
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

// introductionOf reads the introduction of the repository. Errors are joined to failed, also later ones.
func introductionOf(in engine.Input, failed *error) introduction {
	read := func(dir string) survey.Readme {
		readme, err := survey.ReadmeOf(in, dir)
		*failed = errors.Join(*failed, err)
		return readme
	}
	intro := introduction{read("."), func(name string) []byte {
		content, err := survey.Blob(in, name)
		*failed = errors.Join(*failed, err)
		return content
	}}
	if to := strings.TrimSpace(string(intro.readme.Content)); leadsToReadme.MatchString(to) { // a symbolic link, checked out as a file
		intro.readme = read(path.Dir(path.Clean(to)))
	} else if to == "" {
		intro.readme = ofMainPackage(intro, read)
	}
	return intro
}

// leadsToReadme matches the path of a README.
var leadsToReadme = lazyregexp.New(`^[\w./-]+/(?i:readme)(?:\.[a-z]+)?$`)

// ofMainPackage is the README of the package that is called as the project, for a repository without one or with a symbolic link.
func ofMainPackage(intro introduction, read func(dir string) survey.Readme) (out survey.Readme) {
	name, _ := intro.manifested(func(name, _ string) string { return name })
	if name = withoutWorkspace(name); name == "" {
		return out
	}
	for _, dir := range []string{"packages/" + name, "crates/" + name, "libs/" + name, name} {
		if out = read(dir); out.Path != "" {
			break
		}
	}
	return out
}
