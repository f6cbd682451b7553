package python

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
)

// condition records a test of the platform, Python version or type checking in an if, elif or else.
func (w *walker) condition(b *block, word string, from, to int, ended block) {
	if word == "if" {
		ended.otherwise = ""
	}
	own := ""
	if word != "else" && w.buildCondition(from, to) {
		var text strings.Builder
		w.render(&text, from, to)
		own = sound(text.String())
	}
	guard := both(ended.otherwise, own)
	b.guard = both(b.guard, guard)
	if word != "else" {
		b.otherwise = both(ended.otherwise, negated(own))
	}
}

func buildRoot(name string) bool {
	switch name {
	case "TYPE_CHECKING", "typing", "t", "sys", "os", "platform":
		return true
	}
	return false
}

// buildConditions lists names that are constant while a program runs.
var buildConditions = lazy.Set(`
TYPE_CHECKING typing.TYPE_CHECKING t.TYPE_CHECKING sys.platform sys.version_info sys.version sys.implementation.name
sys.hexversion os.name platform.system platform.machine platform.python_implementation
`)

// buildCondition reports whether a condition depends only on values known before the program runs.
func (w *walker) buildCondition(from, to int) bool {
	for i := from; i < to; i++ {
		if !w.isName(i, to) || !buildRoot(w.text(i)) {
			continue
		}
		last := w.chain(i, to)
		if buildConditions[w.dottedText(int32(i), int32(last))] {
			return true
		}
		i = last
	}
	return false
}

func both(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return enclosed(a, " or ") + " and " + enclosed(b, " or ")
}

// enclosed adds brackets to a condition that contains a weaker operator.
func enclosed(s string, operators ...string) string {
	for _, o := range operators {
		if strings.Contains(s, o) {
			return "(" + s + ")"
		}
	}
	return s
}

func negated(s string) string {
	if s == "" {
		return ""
	}
	if rest, ok := strings.CutPrefix(s, "not "); ok && !strings.ContainsAny(rest, " ") {
		return rest
	}
	return "not " + enclosed(s, " ")
}

func either(a, b string) string {
	switch {
	case a == "" || b == "" || a == negated(b) || b == negated(a):
		return ""
	case a == b:
		return a
	}
	return a + " or " + b
}
