package ecma

import (
	"bytes"
	"path"

	"golang.org/x/net/html"
)

// isComponent reports whether a file is a component of Vue or Svelte: scripts among markup and styles.
func isComponent(name string) bool { return path.Ext(name) == ".vue" || path.Ext(name) == ".svelte" }

// scriptLanguages are the languages of scripts that are read, and whether they have JSX.
var scriptLanguages = map[string]bool{"": false, "ts": false, "typescript": false, "js": false, "javascript": false, "tsx": true, "jsx": true}

// scriptsOf returns the source of a component with blanks in place of everything except its scripts, which keep their lines and offsets. It
// reports whether a script may contain JSX.
func scriptsOf(src []byte) (out []byte, jsx bool) {
	out = bytes.Repeat([]byte{' '}, len(src))
	for i, c := range src {
		if c == '\n' || c == '\r' {
			out[i] = c
		}
	}
	z := html.NewTokenizer(bytes.NewReader(src))
	at, inner, reads := 0, 0, false
	for {
		kind := z.Next()
		from := at
		at += len(z.Raw())
		switch kind {
		case html.ErrorToken:
			return out, jsx
		case html.TextToken:
			if reads {
				copy(out[from:at], src[from:at])
			}
		case html.SelfClosingTagToken:
			z.NextIsNotRawText()
		case html.StartTagToken:
			switch name, more := z.TagName(); string(name) {
			case "template", "svelte:head": // their scripts are not those of the component
				inner++
			case "script":
				x, known := scriptLanguages[scriptLanguage(z, more)]
				reads, jsx = known && inner == 0, jsx || x
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) == "template" || string(name) == "svelte:head" {
				inner = max(0, inner-1)
			}
			reads = false
		}
	}
}

// scriptLanguage returns the lang attribute of a tag.
func scriptLanguage(z *html.Tokenizer, more bool) string {
	for more {
		var key, value []byte
		if key, value, more = z.TagAttr(); string(key) == "lang" {
			return string(value)
		}
	}
	return ""
}
