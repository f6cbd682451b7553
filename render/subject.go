package render

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
)

// topic is the subject of a page: a module, a part of one, or a bundle.
type topic struct {
	module string // empty for a bundle
	part   string // empty for the whole module
	bundle survey.Bundle
}

// A subject is the path of a module, with partMark and the part; for a bundle it is the directory, with its name after
// another mark. Marks in paths are escaped. A module with the name of an overview begins with "./".
const partMark = "#"

var (
	escapeMark   = strings.NewReplacer("%", "%25", partMark, "%23")
	unescapeMark = strings.NewReplacer("%25", "%", "%23", partMark)
)

func (t topic) subject() string {
	switch {
	case t.module == "" && t.bundle.Dir == ".":
		return partMark + t.bundle.Name
	case t.module == "":
		return escapeMark.Replace(t.bundle.Dir) + "/" + partMark + t.bundle.Name
	}
	name := escapeMark.Replace(t.module)
	if reserved(name) {
		name = "./" + name
	}
	if t.part != "" {
		name += partMark + t.part
	}
	return name
}

// topicOf parses a subject; false for an [Overview].
func topicOf(subject string) (topic, bool) {
	if reserved(subject) {
		return topic{}, false
	}
	of, part, _ := strings.Cut(subject, partMark)
	if dir, bundled := strings.CutSuffix(of, "/"); of == "" || bundled {
		if of == "" {
			dir = "."
		}
		return topic{bundle: survey.Bundle{Dir: unescapeMark.Replace(dir), Name: part}}, true
	}
	return topic{module: unescapeMark.Replace(strings.TrimPrefix(of, "./")), part: part}, true
}

func (t topic) path(l store.Layout) string {
	switch {
	case t.module == "":
		return l.Bundle(t.bundle.Dir, t.bundle.Name)
	case t.part != "":
		return l.Part(t.module, t.part)
	}
	return l.Page(t.module)
}

func topicAt(l store.Layout, file string) (topic, bool) {
	if of, part, bundle, ok := l.PartOf(file); ok {
		if bundle {
			return topic{bundle: survey.Bundle{Dir: of, Name: part}}, true
		}
		return topic{module: of, part: part}, true
	}
	module, ok := l.ModuleOf(file)
	return topic{module: module}, ok && l.IsPage(file)
}

// ModuleOfPage returns the module of a page about it or a part of it; false for an [Overview] and for a bundle.
func ModuleOfPage(subject string) (module string, ok bool) {
	t, ok := topicOf(subject)
	return t.module, ok && t.module != ""
}

// PathOfPage returns the file of a page.
func PathOfPage(l store.Layout, subject string) string {
	if o, ok := overviewOf(l, subject); ok {
		return o.Path
	}
	t, _ := topicOf(subject)
	return t.path(l)
}

// ModuleAt returns the module of the page in a file, or of a part of it; several reports a bundle. Both are zero for
// any other file.
func ModuleAt(l store.Layout, file string) (module string, several bool) {
	t, ok := topicAt(l, file)
	return t.module, ok && t.module == ""
}
