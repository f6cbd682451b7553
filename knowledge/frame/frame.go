// Package frame holds the causal call tree: what was asked, what was found, what was concluded from it, and what would
// make that wrong.
//
// A Frame is one call. A Tree owns the frames of one session and is the only way to change them: it spawns calls,
// moves between branches (refine, pivot, backtrack, resume), lets conclusions fall when what they rest on changes, and
// re-checks them from the leaves to the root. Everyone else reads through a View, which hands out copies.
//
// Whether a branch is being followed (Status) and whether what it says can be believed (Validity) are kept apart: a
// branch that was set aside stays so when it falls, and can be taken up again once its condition no longer holds.
//
// Every list that this package returns is in call order: a frame before its children, children in the order in which
// they were asked.
package frame

import (
	"slices"
)

// Status says where a frame stands among the branches of its session.
type Status string

// The branch statuses.
const (
	Active    Status = "active"
	Suspended Status = "suspended" // set aside, can be resumed
	Completed Status = "completed"
)

// Validity says whether what a frame concluded can still be believed.
type Validity string

// The validities.
const (
	Valid       Validity = "valid"
	Invalidated Validity = "invalidated"
)

// Frame is one node of the call tree. Outside this package it is a copy: changing it changes no tree.
type Frame struct {
	ID       string   `yaml:"frame_id"`
	Depth    int      `yaml:"depth"`               // 0 for a root
	ParentID string   `yaml:"parent_id,omitempty"` // empty for a root
	Children []string `yaml:"children,omitempty"`

	Query        string         `yaml:"query"`
	ContextSlice map[string]any `yaml:"context_slice,omitempty"` // the context of this frame only; see Tree.Start
	Evidence     []string       `yaml:"evidence,omitempty"`      // each in the form of Evidence
	Conclusion   string         `yaml:"conclusion,omitempty"`    // empty until it concludes
	Confidence   float64        `yaml:"confidence,omitempty"`    // 0 to 1
	// InvalidationCondition is what would make the conclusion wrong; never empty when there is a conclusion.
	InvalidationCondition string `yaml:"invalidation_condition,omitempty"`

	Status Status `yaml:"status"`
	// BranchedFrom is the frame that was set aside for this one, when it began with a pivot.
	BranchedFrom string `yaml:"branched_from,omitempty"`

	Validity       Validity `yaml:"validity"`
	ValidityReason string   `yaml:"validity_reason,omitempty"` // why it is invalidated, with the chain that led here
}

// Clone returns a copy that shares nothing with f.
func (f *Frame) Clone() Frame {
	c := *f
	c.Children = slices.Clone(f.Children)
	c.Evidence = slices.Clone(f.Evidence)
	c.ContextSlice = cloneSlice(f.ContextSlice)
	return c
}
