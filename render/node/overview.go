package node

import (
	"fmt"

	"go.yaml.in/yaml/v4"

	"github.com/causaldocs/causal/knowledge/canonical"
)

// Overview is a model's text about the repository, for the entry page.
type Overview struct {
	Prose         []Sentence `yaml:"prose"`
	ProseEvidence []Evidence `yaml:"prose_evidence"`
}

// Encode writes the overview in its one canonical form.
func (o *Overview) Encode() []byte {
	w := new(canonical.Writer)
	w.Raw(header)
	prose(w, o.Prose, o.ProseEvidence)
	return w.Bytes()
}

// DecodeOverview reads what Encode wrote. Unknown keys are errors.
func DecodeOverview(data []byte) (*Overview, error) {
	if line, ok := conflict(data); ok {
		return nil, fmt.Errorf("line %d: conflict markers of a merge", line)
	}
	d, err := canonical.Reader(data)
	if err != nil {
		return nil, err
	}
	var root yaml.Node
	if err := d.Load(&root); err != nil {
		return nil, err
	}
	o := &Overview{}
	if err := root.Load(o, yaml.WithKnownFields()); err != nil {
		return nil, err
	}
	return o, nil
}

// prose writes a model's sentences and their evidence.
func prose(w *canonical.Writer, list []Sentence, evidence []Evidence) {
	w.Section(0, "prose", len(list))
	for _, s := range list {
		w.Field("slot", s.Slot)
		w.Field("text", s.Text)
		w.Names("cites", s.Cites)
		w.Record()
	}
	w.Section(0, "prose_evidence", len(evidence))
	for _, e := range evidence {
		w.Field("of", e.Of)
		w.Field("digest", e.Digest)
		w.Record()
	}
}
