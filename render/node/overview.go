package node

import (
	"fmt"
	"reflect"

	"go.yaml.in/yaml/v4"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/grounding"
)

// Overview is a model's text about the repository, for the entry page.
type Overview struct {
	Prose         []Sentence `yaml:"prose,omitempty"`
	ProseEvidence []Evidence `yaml:"prose_evidence,omitempty"`
}

// Encode writes the overview in canonical form.
func (o *Overview) Encode() []byte {
	w := new(canonical.Writer)
	w.Raw(header)
	write(w, reflect.ValueOf(o).Elem(), inFile)
	return w.Bytes()
}

// DecodeOverview reads the output of Encode. Unknown keys are errors.
func DecodeOverview(data []byte) (*Overview, error) {
	if line, ok := conflict(data); ok {
		return nil, fmt.Errorf("line %d: conflict markers of a merge", line)
	}
	root, err := canonical.Document(data)
	if err != nil {
		return nil, err
	}
	o := &Overview{}
	if err := root.Load(o, yaml.WithKnownFields()); err != nil {
		return nil, err
	}
	if err := checkProse(o.Prose, o.ProseEvidence); err != nil {
		return nil, err
	}
	return o, nil
}

// checkProse rejects prose with markup: anyone can edit the file.
func checkProse(list []Sentence, evidence []Evidence) error {
	for _, s := range list {
		if clean, ok := grounding.CleanSentence(s.Text); s.Text != "" && (!ok || clean != s.Text) {
			return fmt.Errorf("prose: not a plain sentence: %.60q", s.Text)
		}
	}
	for _, e := range evidence {
		if size := len(e.Of) + len(e.Digest); size > longestEvidence {
			return fmt.Errorf("prose: evidence of %d bytes", size)
		}
	}
	return nil
}

// longestEvidence bounds a piece of evidence: a path and a name.
const longestEvidence = 4 << 10
