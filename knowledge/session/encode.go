package session

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
)

// Encode writes a record in canonical form: sorted maps, one file per line, frames in call order, and no empty
// values. A session with only conclusions is short, because there are many of them.
func Encode(r Record) ([]byte, error) {
	if err := r.check(); err != nil {
		return nil, fmt.Errorf("encode session %s: %w", r.SessionID, err)
	}
	w := new(canonical.Writer)
	if len(r.Concluded) > 0 && r.Tree.Len() == 0 && r.ConversationLog == "" {
		writeRun(w, r.Artifacts)
		return w.Bytes(), nil
	}
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
	writeConcluded(w, r.Concluded)
	w.Section(0, "frames", r.Tree.Len())
	for _, f := range r.Tree.Frames() {
		writeFrame(w, f)
	}
	return w.Bytes(), nil
}

func writeRun(w *canonical.Writer, a Artifacts) {
	w.Text(0, "session", fields(a.SessionID, a.RootFrameID, a.Date, a.Commit, a.InitialPrompt))
	var files []string
	for _, path := range slices.Sorted(maps.Keys(a.Files)) {
		files = append(files, string(a.Files[path].Role), a.Files[path].Hash, path)
	}
	w.Text(0, "files", fields(files...))
	writeConcluded(w, a.Concluded)
}

const missing = "-"

func fields(words ...string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = fact.Field(cmp.Or(word, missing))
	}
	return strings.Join(quoted, " ")
}

func writeConcluded(w *canonical.Writer, list []Conclusion) {
	w.Section(0, "concluded", len(list))
	for _, c := range list {
		w.Element(0, strings.TrimSpace(fields(c.Frame, c.Digest, c.Unit)+" "+fact.Join(c.Evidence)))
	}
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
