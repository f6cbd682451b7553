package markdown

import (
	"html"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

var htmlTag = lazyregexp.New(`^<(/?)([A-Za-z][A-Za-z0-9]*)((?:\s[^<>]*)?)/?>`)

var tagActions = map[string]func(t *translator, closing bool, attributes string){}

func init() {
	each := func(names string, action func(*translator, bool, string)) {
		for _, name := range strings.Fields(names) {
			tagActions[name] = action
		}
	}
	for _, name := range []string{"code", "tt", "samp", "kbd"} {
		tagActions[name] = codeTag(name)
	}
	each("pre", (*translator).pre)
	each("ul", listTag("-   "))
	each("ol", listTag("1.  "))
	each("li", (*translator).listItem)
	each("a", (*translator).anchor)
	each("img", (*translator).image)
	each("sup", opening("^"))
	each("dt tr", opening("\n- "))
	each("dd td th", opening(" — "))
	each("h1 h2 h3 h4 h5 h6", (*translator).heading)
	each("table", (*translator).table)
	for _, name := range []string{"style", "script"} {
		tagActions[name] = unseen(name)
	}
	each("p div br section article blockquote hr dl thead tbody tfoot caption center details summary figure",
		func(t *translator, _ bool, _ string) { t.breakBlock() })
	each("b strong i em var cite dfn u s strike del ins small big font span sub abbr mark q nobr wbr label strike col colgroup",
		func(*translator, bool, string) {})
}

func (t *translator) heading(closing bool, _ string) {
	t.breakBlock()
	if !closing {
		t.out.WriteString("### ")
	}
}

func (t *translator) tag() {
	rest := t.s[t.i:]
	if strings.HasPrefix(rest, "<!--") {
		if hidden, ok := t.before("-->"); ok {
			t.i += len(hidden) + len("-->")
			return
		}
	}
	m := htmlTag.FindStringSubmatch(rest[:min(len(rest), 1000)])
	if m == nil {
		t.keep(1)
		return
	}
	action := tagActions[strings.ToLower(m[2])]
	if action == nil {
		t.keep(1)
		return
	}
	t.i += len(m[0])
	action(t, m[1] == "/", m[3])
}

func unseen(name string) func(*translator, bool, string) {
	return func(t *translator, closing bool, _ string) {
		if inner, ok := t.before("</" + name + ">"); ok && !closing {
			t.i += len(inner)
		}
	}
}

func opening(s string) func(*translator, bool, string) {
	return func(t *translator, closing bool, _ string) {
		if closing {
			return
		}
		if s == " — " && t.opened() {
			return
		}
		t.out.WriteString(s)
		switch {
		case strings.HasSuffix(s, "- "):
			t.open()
		case s == " — ":
			t.skipBlanks()
		}
	}
}

func codeTag(name string) func(*translator, bool, string) {
	return func(t *translator, closing bool, _ string) {
		if closing {
			return
		}
		inner, ok := t.before("</" + name + ">")
		if !ok {
			return
		}
		t.i += len(inner) + len("</>") + len(name)
		t.out.WriteString(Code(codeOf(inner)))
	}
}

var (
	anyTag    = lazyregexp.New(`</?[A-Za-z][A-Za-z0-9]*(?:\s[^<>]*)?/?>`)
	inlineTag = lazyregexp.New(`\{@(?:code|literal|link|linkplain|value)\s+([^{}]*)\}`)
)

func codeOf(s string) string {
	return html.UnescapeString(untagged(inlineTag.ReplaceAllString(s, "$1")))
}

func untagged(s string) string {
	if !strings.Contains(s, "<") {
		return s
	}
	return anyTag.ReplaceAllStringFunc(s, func(tag string) string {
		if tagActions[strings.ToLower(strings.Trim(strings.Fields(tag)[0], "</>"))] != nil {
			return ""
		}
		return tag
	})
}

func (t *translator) pre(closing bool, _ string) {
	if closing {
		return
	}
	inner, ok := t.before("</pre>")
	if !ok {
		return
	}
	t.i += len(inner) + len("</pre>")
	body := strings.TrimSpace(inner)
	if strings.HasPrefix(body, "{@code") && strings.HasSuffix(body, "}") {
		body = strings.TrimPrefix(body[:len(body)-1], "{@code")
	} else {
		body = codeOf(inner)
	}
	t.breakBlock()
	margin := t.margin()
	for _, line := range strings.Split(Fence("", strings.Join(dedentAll(splitLines(clean(body))), "\n")), "\n") {
		t.out.WriteString(line + "\n" + margin)
	}
	t.out.WriteString("\n" + margin)
}

func listTag(mark string) func(*translator, bool, string) {
	return func(t *translator, closing bool, _ string) {
		if !closing {
			t.lists = append(t.lists, mark)
			t.out.WriteString("\n")
			return
		}
		if n := len(t.lists); n > 0 {
			t.lists = t.lists[:n-1]
		}
		t.breakBlock()
	}
}

func (t *translator) listItem(closing bool, _ string) {
	if closing {
		return
	}
	mark := "-   "
	if n := len(t.lists); n > 0 {
		mark = t.lists[n-1]
	}
	t.out.WriteString("\n" + strings.Repeat("    ", max(min(len(t.lists), maxDepth)-1, 0)) + mark)
	t.open()
}

var hrefValue = lazyregexp.New(`(?i)\shref\s*=\s*(?:"(https?://[^"\s]*)"|'(https?://[^'\s]*)')`)

func (t *translator) anchor(closing bool, attributes string) {
	if closing {
		if t.href != "" && strings.TrimSpace(t.out.String()[t.label:]) != t.href {
			t.out.WriteString(" (" + t.href + ")")
		}
		t.href = ""
		return
	}
	if m := hrefValue.FindStringSubmatch(attributes); m != nil {
		t.href, t.label = html.UnescapeString(m[1]+m[2]), t.out.Len()
	}
}

var altValue = lazyregexp.New(`(?i)\salt\s*=\s*"([^"]*)"`)

func (t *translator) image(_ bool, attributes string) {
	if m := altValue.FindStringSubmatch(attributes); m != nil {
		t.out.WriteString(m[1])
	}
}
