package render

import (
	"strings"

	"github.com/causaldocs/causal/render/node"
)

// lead returns the first paragraphs of a documentation, from which the purpose is derived.
func lead(doc string) string {
	const enough = 1200
	if len(doc) <= enough {
		return doc
	}
	if i := strings.LastIndex(doc[:enough], "\n\n"); i > 0 {
		return doc[:i]
	}
	return strings.ToValidUTF8(doc[:enough], "")
}

type answer struct {
	Purpose string `json:"purpose"`
	From    string `json:"from"`
	File    string `json:"file,omitempty"`
}

// draftOf answers without a model: the first documented sentence about the module or its main symbol, or else its contents.
func draftOf(slice map[string]any) answer {
	text := func(key string) string { s, _ := slice[key].(string); return s }
	a := answer{From: node.FromDerived, Purpose: shortened(text("contents"))}
	for _, c := range []struct{ doc, language, name string }{
		{"doc", text("language"), text("name")}, {"readme", "markdown", text("name")}, {"described", "markdown", text("name")}, {"symbol", text("language"), ""},
	} {
		s := purpose(text(c.doc), c.language, c.name)
		if s != "" && !restates(s, text("module")) && !(c.doc == "readme" && aboutProduct(s, text("module"))) && !shows(s, text("module")) {
			return answer{From: node.FromDoc, Purpose: s, File: text(c.doc + "_file")}
		}
	}
	return a
}

// shortened limits a text to the length of a purpose.
func shortened(text string) string {
	if len(text) <= mostPurpose {
		return text
	}
	return lead(text)
}

// mostPurpose bounds the bytes of a purpose.
const mostPurpose = 8 << 10
