package render

import (
	"encoding/json"
	"strings"

	"github.com/causaldocs/causal/render/node"
)

// lead is what the purpose is taken from: the first paragraphs of a documentation. A frame keeps what it was shown.
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

// answer is the plugin's draft of the purpose of a module.
type answer struct {
	Purpose string `json:"purpose"`
	From    string `json:"from"`
	File    string `json:"file,omitempty"`
}

// draftModule answers without a model: the first sentence that somebody wrote about the module, or about what it is there for, or else
// what is in it.
func draftModule(slice map[string]any) (string, error) {
	out, err := json.Marshal(draftOf(slice))
	return string(out), err
}

// draftOf is that answer.
func draftOf(slice map[string]any) answer {
	text := func(key string) string { s, _ := slice[key].(string); return s }
	a := answer{From: node.FromDerived, Purpose: shortened(text("contents"))}
	if s := purpose(text("doc"), text("language"), text("name")); s != "" {
		a = answer{From: node.FromDoc, Purpose: s, File: text("doc_file")}
	} else if s := purpose(text("readme"), "markdown", text("name")); s != "" {
		a = answer{From: node.FromDoc, Purpose: s, File: text("readme_file")}
	} else if s := purpose(text("described"), "markdown", text("name")); s != "" {
		a = answer{From: node.FromDoc, Purpose: s, File: text("described_file")}
	} else if s := purpose(text("symbol"), text("language"), ""); s != "" {
		a = answer{From: node.FromDoc, Purpose: s, File: text("symbol_file")}
	}
	return a
}

// shortened is a text that may be a purpose.
func shortened(text string) string {
	if len(text) <= mostPurpose {
		return text
	}
	return lead(text)
}

// mostPurpose is how many bytes the sentence may have that says what a module is for: far more than anybody reads.
const mostPurpose = 8 << 10
