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

// introduction holds the README and manifests that describe a repository.
type introduction struct {
	readme survey.Readme
	// manifest reads a manifest of the root, or returns nil; the func is nil if there are no manifests.
	manifest func(name string) []byte
}

// of returns the repository's name and description with their file: the README, or else a manifest. The manifest wins
// if the README begins with praise.
func (in introduction) of(c Config, g graph) (name, about, file string) {
	r := source.Readme("README", in.readme.Content)
	if name = markdown.Plain(r.Package, "markdown"); announcing.MatchString(name) {
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
		name = cmp.Or(withoutWorkspace(name), untitled)
	}
	about = purpose(exclaimed.ReplaceAllString(r.Doc, "$1"), "markdown", "")
	if markdown.Defines(about) {
		return name, about, in.readme.Path
	}
	described, file := in.manifested(func(_, about string) string { return about })
	if described = purpose(described, "markdown", ""); described != "" {
		return name, described, file
	}
	if about = cmp.Or(about, defining(name, string(in.readme.Content))); about != "" {
		file = in.readme.Path
	}
	return name, about, file
}

// untitled is the title of a repository whose name is unknown.
const untitled = "Repository"

// mostParagraphs bounds the paragraphs of a README that are searched for a definition.
const mostParagraphs = 100

// defining returns the first paragraph of a README that says what something is: below a section of news, or under "About".
func defining(name, readme string) string {
	paragraphs := strings.SplitN(strings.ReplaceAll(readme, "\r\n", "\n"), "\n\n", mostParagraphs+1)
	for _, paragraph := range paragraphs[:min(len(paragraphs), mostParagraphs)] {
		said := strings.TrimLeft(paragraph, "*_`\n ")
		if len(said) < len(name) || !strings.EqualFold(said[:len(name)], name) || !strings.HasPrefix(strings.TrimLeft(said[len(name):], "*_`"), " is ") {
			continue
		}
		if about := purpose(strings.TrimSpace(paragraph), "markdown", ""); markdown.Defines(about) {
			return about
		}
	}
	return ""
}

// exclaimed matches a short exclamation before the description: "Money for all! Holds amounts".
var exclaimed = lazyregexp.New(`^[^.!?\n]{1,40}!\s+(\pL)`)

// withoutWorkspace drops the workspace suffix from a project's name.
func withoutWorkspace(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name, "-root"), "-monorepo")
}

// announcing matches a README title that is news: "Shop is now unmaintained".
var announcing = lazyregexp.New(`\s(?:is|are|was|were|has|have)\s`)

// manifested returns a text from the first manifest that has it, and that manifest.
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

// introductionOf reads the introduction of the repository.
func introductionOf(f *facts) introduction {
	intro := introduction{ask(f, survey.ReadmeOf, "."), f.blob}
	if to := strings.TrimSpace(string(intro.readme.Content)); leadsToReadme.MatchString(to) { // a symbolic link, checked out as a file
		intro.readme = ask(f, survey.ReadmeOf, path.Dir(path.Clean(to)))
	} else if to == "" {
		intro.readme = ofMainPackage(f, intro)
	}
	return intro
}

var leadsToReadme = lazyregexp.New(`^[\w./-]+/(?i:readme)(?:\.[a-z]+)?$`)

// ofMainPackage returns the README of the package with the project's name, if the root has none or a symbolic link.
func ofMainPackage(f *facts, intro introduction) (out survey.Readme) {
	name, _ := intro.manifested(func(name, _ string) string { return name })
	if name = withoutWorkspace(name); name == "" {
		return out
	}
	for _, dir := range []string{"packages/" + name, "crates/" + name, "libs/" + name, name} {
		if out = ask(f, survey.ReadmeOf, dir); out.Path != "" {
			break
		}
	}
	return out
}
