package render

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
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

// answer is what a model, or the plugin's own draft, says of a module.
type answer struct {
	Purpose string `json:"purpose"`
	From    string `json:"from"`
	File    string `json:"file,omitempty"`
}

// draftModule answers without a model: the first sentence that somebody wrote about the module, or about what it is there for, or else
// what is in it.
func draftModule(slice map[string]any) (string, error) {
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
	out, err := json.Marshal(a)
	return string(out), err
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

// check refuses an answer that is no sentence, or that says it comes from where it cannot.
func (a answer) check(k *survey.Module, described survey.Description) error {
	switch {
	case strings.TrimSpace(a.Purpose) == "" || !utf8.ValidString(a.Purpose):
		return errors.New("the answer has no purpose")
	case len(a.Purpose) > mostPurpose:
		return fmt.Errorf("the purpose has %d bytes, more than %d", len(a.Purpose), mostPurpose)
	case a.From != node.FromDoc && a.From != node.FromDerived:
		return fmt.Errorf("the purpose is from %q, which is not %s or %s", a.From, node.FromDoc, node.FromDerived)
	case a.File != "" && a.File != canonical.Path(described.File) && !slices.ContainsFunc(k.Units(), func(u source.Unit) bool { return canonical.Path(u.Path) == a.File }):
		return fmt.Errorf("the purpose is from %q, which is no file of the module", a.File)
	}
	return nil
}
