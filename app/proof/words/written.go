package main

import (
	"html"
	"regexp"
	"strings"
)

// markup matches text that is not a word of the author: names of tags and commands, languages of code blocks, addresses of links. The
// first group replaces the match.
type markup struct {
	languages string
	pattern   *regexp.Regexp
}

// toTools are tags and commands for tools. The rest of their line is not documentation.
const toTools = `(?:internal|public|private|protected|readonly|override|static|abstract|function|func|method|class|constructor|module|namespace|` +
	`memberof|name|alias|kind|interface|typedef|callback|enum|ingroup|addtogroup|defgroup|weakgroup|fn|def|var|struct|union|headerfile|` +
	`copydoc|serial|serialdata|serialfield|hidden|ignore|eslint\S*|ts-\S+|license|preserve|suppress|export|extends|augments|implements|async|` +
	`packagedocumentation|fileoverview|overload|inheritdoc|type|typeparam|template)`

var markups = []markup{
	{"*", regexp.MustCompile(`(?s)<!--.*?-->()`)},
	{"java javascript typescript c c++", regexp.MustCompile(`(?is)<(?:style|script)\b.*?</(?:style|script)>()`)},
	{"*", regexp.MustCompile("(?m)^[ \t]*(?:```+|~~~+)[^`\n]*$()")},
	{"*", regexp.MustCompile(`(?m)^([ \t]*)(?:[0-9]+[.)]|#\.)(?:[ \t]|$)`)},
	{"*", regexp.MustCompile(`(\])\((?:[^()\s]|\([^()]*\))*(?:\s+"[^"]*")?\)`)},
	{"*", regexp.MustCompile(`(?m)^[ \t]*\[[^\]]+\]:.*$()`)},
	{"*", regexp.MustCompile(`(?i)</?` + tagNames + `(?:\s[^<>]*)?/?>()`)},
	{"*", regexp.MustCompile(`(?i)</?(?:var|cite|dfn|u|s|kbd|samp|small|big|font|abbr|nobr|caption|center|details|summary|section|article|tfoot|col|colgroup|figure|script|style|label|mark|q|ins|del|strike)(?:\s[^<>]*)?/?>()`)},
	{"java javascript typescript c c++", regexp.MustCompile(`(?mi)^[ \t]*[@\\]` + toTools + `\b.*$()`)},
	{"c c++", regexp.MustCompile(`[@\\]image\b.*()`)},
	{"c c++", regexp.MustCompile(`[@\\][a-zA-Z]+(?:\[[a-z, ]*\])?(?:\{\.?[a-z+]*\})?()`)},
	{"java javascript typescript", regexp.MustCompile(`(?m)^([ \t]*)@[a-zA-Z]+`)},
	{"java", regexp.MustCompile(`\{@(?:link|linkplain)\s+[^\s(){}]+(?:\([^)]*\))?\s+([^{}]+)\}`)},
	{"javascript typescript", regexp.MustCompile(`\{@link(?:code|plain)?\s+[^\s|{}]+(?:\s*\|\s*|\s+)([^{}]+)\}`)},
	{"java javascript typescript", regexp.MustCompile(`\{@[a-zA-Z]+()`)},
	{"rust javascript typescript", regexp.MustCompile(`(\])\[[^\]]*\]`)},
	{"rust", regexp.MustCompile(`(?m)^\s*#(?: .*)?$()`)},
	{"python", regexp.MustCompile(`(?m)^\.\. *(?:testsetup|testcleanup)::.*\n(?:(?:[ \t]+.*)?\n)*()`)},
	{"python", regexp.MustCompile(`(?m)^[ \t]*\.\. *(?:code|code-block|sourcecode|prompt|auto[a-z]+|module|currentmodule|toctree|index|image|container)::.*$()`)},
	{"python", regexp.MustCompile(`(?m)^[ \t]*\.\. *(?:[a-z:-]+::|_[^:]*:.*$|[^:\n]*$)()`)},
	{"python", regexp.MustCompile(`(?m)^[ \t]*:(?:members|maxdepth|caption|widths|header-rows|linenos|emphasize-lines|undoc-members|show-inheritance|meta [a-z]+|inherited-members):.*$()`)},
	{"python", regexp.MustCompile(`(?m)^[ \t]*(?:Args|Arguments|Parameters|Params|Keyword Args|Keyword Arguments|Attributes|Returns?|Yields?|Raises?|Examples?|Notes?|Usage|References|See Also|Warns|Warnings?|Todo|Other Parameters|Methods|Tips?|Important):?[ \t]*$()`)},
	{"python", regexp.MustCompile("(?m)(^|[^\\w:]):[a-zA-Z][a-zA-Z:]*:`(?:!|~(?:\\w*\\s*\\.)*)?")},
	{"python", regexp.MustCompile(`~(?:\w+\.)+()`)},
	{"python", regexp.MustCompile(`(?m)^[ \t]*:(?:type|vartype)\b[^:\n]*:()`)},
	{"python", regexp.MustCompile(`(?m)^[ \t]*:(?:param|parameter|arg|key|keyword|type|returns?|rtype|raises?|ivar|cvar|var|meta|yields?)\b()`)},
	{"python", regexp.MustCompile("<[^<>`]*>`_*()")},
}

// written returns the words of the author, without markup.
func written(doc, language string) string {
	doc = withinWord.ReplaceAllString(doc, "$1$2")
	for _, m := range markups {
		if m.languages == "*" || strings.Contains(" "+m.languages+" ", " "+language+" ") {
			doc = m.pattern.ReplaceAllString(doc, "${1} ")
		}
	}
	return entity.ReplaceAllStringFunc(doc, html.UnescapeString)
}

// withinWord matches a tag that a word goes on behind.
var withinWord = regexp.MustCompile(`(?i)(\w)</?(?:i|b|em|strong|sub)>(\w)`)

// entity matches the names of characters, which Markdown knows by their semicolon.
var entity = regexp.MustCompile(`&#?[A-Za-z0-9]+;`)

var word = regexp.MustCompile(`[\p{L}\p{N}]+`)

// wordsOf does not regard capitals: labels begin with one.
func wordsOf(s string) []string { return word.FindAllString(strings.ToLower(s), -1) }

// missing lists the words of the one text that the other has not, or not as often.
func missing(said, shown []string) []string {
	left := map[string]int{}
	for _, w := range shown {
		left[w]++
	}
	var out []string
	for _, w := range said {
		if left[w]--; left[w] < 0 {
			out = append(out, w)
		}
	}
	return out
}
