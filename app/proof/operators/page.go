package main

import (
	"html"
	"regexp"
	"strings"
)

var (
	// row is the line of a flag, which leads nowhere where a page has no room for links.
	row   = regexp.MustCompile("^\\| \\[?`+ ?(.*?) ?`+(?:\\]\\([^)]*\\))? \\| (?:`+ ?(.*?) ?`+)? \\| (.*) \\|$")
	plain = strings.NewReplacer(`\`, "", "`", "")
	only  = regexp.MustCompile(`^Only with|\(only with `)
)

// readPage reads the page of commands: what it tells of one program.
func readPage(text, program string) surface {
	out, path := surface{}, ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if title, ok := strings.CutPrefix(line, "## "); ok {
			path = html.UnescapeString(plain.Replace(title))
			if first, _, _ := strings.Cut(path, " "); first != program {
				path = ""
				continue
			}
			out.add(path, thing{kind: "command"})
			continue
		}
		if path != "" && strings.HasPrefix(line, "Only with") {
			out.guard(path)
		}
		m := row.FindStringSubmatch(line)
		if m == nil || path == "" {
			continue
		}
		var names []thing
		for _, word := range strings.FieldsFunc(m[1], func(r rune) bool { return r == ' ' || r == ',' }) {
			if name := flagName.FindStringSubmatch(word); name != nil {
				names = append(names, thing{"flag", name[1], ""})
				out.add(path, names[len(names)-1])
			}
		}
		if names == nil {
			continue
		}
		last := names[longestName(names)].name
		value := m[2]
		if d := fallback.FindStringSubmatch(html.UnescapeString(plain.Replace(m[3]))); d != nil && value == "" {
			value = d[1] + d[2]
		}
		if value = unquoted(value); value != "" {
			out.add(path, thing{"flag", last, strings.ReplaceAll(value, `\|`, "|")})
		}
		if only.MatchString(m[3]) {
			out.guard(path + " --" + last)
		}
	}
	return out
}
