// Package frame holds the causal call tree: questions, evidence, conclusions, and the conditions that invalidate
// them. A Tree owns the frames of one session, and other code reads copies through a View.
//
// Status says whether a branch is being followed, and Validity whether its conclusions hold. They are independent.
// All returned lists are in call order: a frame before its children.
package frame

import (
	"slices"
)

// Status is the branch status of a frame.
type Status string

// Branch statuses.
const (
	Active    Status = "active"
	Suspended Status = "suspended" // can be resumed
	Completed Status = "completed"
)

// Validity is the validity of a frame's conclusion.
type Validity string

// Validities.
const (
	Valid       Validity = "valid"
	Invalidated Validity = "invalidated"
)

// Frame is one node of the call tree. Outside of this package it is a copy.
type Frame struct {
	ID       string   `json:"frame_id"            yaml:"frame_id"`
	Depth    int      `json:"depth"               yaml:"depth"`               // 0 for a root
	ParentID string   `json:"parent_id,omitempty" yaml:"parent_id,omitempty"` // empty for a root
	Children []string `json:"children,omitempty"  yaml:"children,omitempty"`

	Query        string         `json:"query"                   yaml:"query"`
	ContextSlice map[string]any `json:"context_slice,omitempty" yaml:"context_slice,omitempty"` // the context of this frame only; see Tree.Start
	Evidence     []string       `json:"evidence,omitempty"      yaml:"evidence,omitempty"`      // observations in text form
	Conclusion   string         `json:"conclusion,omitempty"    yaml:"conclusion,omitempty"`    // empty until it concludes
	Confidence   float64        `json:"confidence,omitempty"    yaml:"confidence,omitempty"`    // 0 to 1
	// InvalidationCondition invalidates the conclusion when it holds. It is required with a conclusion.
	InvalidationCondition string `json:"invalidation_condition,omitempty" yaml:"invalidation_condition,omitempty"`

	Status Status `json:"status" yaml:"status"`
	// BranchedFrom is the frame that a pivot suspended for this one.
	BranchedFrom string `json:"branched_from,omitempty" yaml:"branched_from,omitempty"`

	Validity       Validity `json:"validity"                  yaml:"validity"`
	ValidityReason string   `json:"validity_reason,omitempty" yaml:"validity_reason,omitempty"` // reason for the invalidation, with the chain of frames
}

// Clone returns a deep copy.
func (f *Frame) Clone() Frame {
	c := *f
	c.Children = slices.Clone(f.Children)
	c.Evidence = slices.Clone(f.Evidence)
	c.ContextSlice = cloneSlice(f.ContextSlice)
	return c
}
