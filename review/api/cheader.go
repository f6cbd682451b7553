package api

import (
	"maps"
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

var buildFiles = []string{"CMakeLists.txt", "Makefile", "Makefile.in", "Makefile.am", "GNUmakefile", "meson.build"}

var (
	// statement matches a command of CMake or Meson, or a line of a Makefile with its continuation lines.
	statement = lazyregexp.New(`(?m)^[ \t]*\w+[ \t]*\([^()]*\)|^(?:[^\n]*\\\n)*[^\n]*$`)
	installs  = lazyregexp.New(`(?i)install|includedir|public_h|include_headers`)
	remark    = lazyregexp.New(`(?m)#.*$`)
	removes   = lazyregexp.New(`(?i)uninstall|private_h|noinst|\brm\b`)
)

// published reports whether a header is part of the public API: it is in a directory called include that is not below
// src, or a build file installs it.
func (v version) published(header string) (bool, error) {
	for part := range strings.SplitSeq(header, "/") {
		if inward.MatchString(part) {
			return false, nil
		}
	}
	dirs := strings.Split(path.Dir(header), "/")
	if at := slices.Index(dirs, "include"); at >= 0 && !slices.Contains(dirs[:at], "src") {
		return true, nil
	}
	for dir := path.Dir(header); ; dir = path.Dir(dir) {
		for _, name := range buildFiles {
			text, err := survey.Blob(v.reader, path.Join(dir, name))
			if err != nil || installed(string(text), path.Base(header)) {
				return err == nil, err
			}
		}
		if dir == "." {
			return false, nil
		}
	}
}

func installed(build, header string) bool {
	if !strings.Contains(build, header) {
		return false
	}
	build = remark.ReplaceAllString(build, "")
	for _, s := range statement.FindAllString(build, -1) {
		if strings.Contains(s, header) && installs.MatchString(s) && !removes.MatchString(s) &&
			slices.ContainsFunc(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t\n\\()\"'/,[]:", r) }), func(w string) bool { return w == header }) {
			return true
		}
	}
	return false
}

func wordsOf(text string) map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return r < 0x80 && !change.IsWord(byte(r)) }) {
		words[w] = true
	}
	return words
}

// headerWords returns the words of all headers of the module and of the change, where a name may have moved.
func (p *pair) headerWords() (map[string]bool, error) {
	words := map[string]bool{}
	add := func(text []byte) { maps.Copy(words, wordsOf(string(text))) }
	for _, language := range []string{"c", "c++"} {
		for _, u := range p.now.headers(language) {
			text, err := survey.Blob(p.now.reader, u.Path)
			if err != nil {
				return nil, err
			}
			add(text)
		}
	}
	names, err := change.Files(p.now.reader)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		f, err := change.FileOf(p.now.reader, name)
		if err != nil {
			return nil, err
		}
		ending := path.Ext(name)
		if f != nil && !f.Gone && (source.IsHeader(name) || ending == ".in" || ending == ".inc" || ending == ".cmakein") {
			add(f.After)
		}
	}
	return words, nil
}
