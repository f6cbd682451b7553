package session

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/frame"
)

// Encode writes a record in its one canonical form: keys in the order of the types, maps sorted by key, a file to a
// line, frames in call order. What is empty is left out.
func Encode(r Record) ([]byte, error) {
	if err := r.check(); err != nil {
		return nil, fmt.Errorf("encode session %s: %w", r.SessionID, err)
	}
	w := new(canonical.Writer)
	w.Text(0, "session_id", r.SessionID)
	w.Text(0, "initial_prompt", r.InitialPrompt)
	w.Text(0, "root_frame_id", r.RootFrameID)
	w.Text(0, "conversation_log", r.ConversationLog)
	w.Text(0, "commit", r.Commit)
	w.Text(0, "date", r.Date)
	w.Section(0, "files", len(r.Files))
	for _, path := range slices.Sorted(maps.Keys(r.Files)) {
		writeFile(w, path, r.Files[path])
	}
	w.Section(0, "concluded", len(r.Concluded))
	for _, c := range r.Concluded {
		w.Element(0, c.Frame+" "+c.Digest+" "+c.Unit)
	}
	w.Section(0, "frames", r.Tree.Len())
	for _, f := range r.Tree.Frames() {
		writeFrame(w, f)
	}
	return w.Bytes(), nil
}

func writeFile(w *canonical.Writer, path string, f FileRecord) {
	w.Name(2, path)
	w.Raw(" {")
	if f.Hash != "" {
		w.Raw("hash: ")
		w.Scalar(f.Hash)
		w.Raw(", ")
	}
	w.Raw("role: ")
	w.Scalar(string(f.Role))
	w.Raw("}\n")
}

func writeFrame(w *canonical.Writer, f frame.Frame) {
	w.Item("frame_id", f.ID)
	w.Key(2, "depth")
	w.Raw(" " + strconv.Itoa(f.Depth) + "\n")
	w.Text(2, "parent_id", f.ParentID)
	w.Flow(2, "children", f.Children)
	w.Text(2, "query", f.Query)
	if len(f.ContextSlice) > 0 {
		w.Key(2, "context_slice")
		writeValue(w, 4, f.ContextSlice)
	}
	w.Section(2, "evidence", len(f.Evidence))
	for _, e := range f.Evidence {
		w.Element(2, e)
	}
	w.Text(2, "conclusion", f.Conclusion)
	if f.Confidence != 0 {
		w.Key(2, "confidence")
		w.Raw(" " + float(f.Confidence) + "\n")
	}
	w.Text(2, "invalidation_condition", f.InvalidationCondition)
	w.Text(2, "status", string(f.Status))
	w.Text(2, "branched_from", f.BranchedFrom)
	w.Text(2, "validity", string(f.Validity))
	w.Text(2, "validity_reason", f.ValidityReason)
}
