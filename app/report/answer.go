package report

import "github.com/causaldocs/causal/knowledge/grounding"

// Answer is the answer to a question about a repository, for a comment.
type Answer struct {
	Sentences  []grounding.Sentence `json:"sentences"`
	Confidence float64              `json:"confidence"`
	Open       []string             `json:"open,omitempty"` // unanswered points
	From       string               `json:"from"`           // one of the sources below
	// Failed: a model was asked and gave no answer.
	Failed bool `json:"failed,omitempty"`
}

// The sources of answers.
const (
	FromModel  = "model"
	FromIndex  = "index"  // quotations, without a model
	FromStored = "stored" // an earlier answer that is still valid
)

// Limits of an answer in a comment.
const (
	MostAnswered = 12 // sentences
	MostOpen     = 5  // open points
)
