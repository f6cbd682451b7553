package session

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/causaldocs/causal/knowledge/frame"
	"go.yaml.in/yaml/v4"
)

// Encode writes a record in its one canonical form: keys in the order of the types, maps sorted by key, a file to a
// line, frames in call order. What is empty is left out.
func Encode(r Record) ([]byte, error) {
	if err := r.check(); err != nil {
		return nil, fmt.Errorf("encode session %s: %w", r.SessionID, err)
	}
	var m mapping
	m.text("session_id", r.SessionID)
	m.text("initial_prompt", r.InitialPrompt)
	m.text("root_frame_id", r.RootFrameID)
	m.text("conversation_log", r.ConversationLog)
	if len(r.Files) > 0 {
		m.add("files", files(r.Files))
	}
	if r.Tree.Len() > 0 {
		frames := &yaml.Node{Kind: yaml.SequenceNode}
		for _, f := range r.Tree.Frames() {
			frames.Content = append(frames.Content, frameNode(f))
		}
		m.add("frames", frames)
	}
	data, err := yaml.Dump(m.node(), yaml.WithLineWidth(-1))
	if err != nil {
		return nil, fmt.Errorf("encode session %s: %w", r.SessionID, err)
	}
	return data, nil
}

func files(records map[string]FileRecord) *yaml.Node {
	var all mapping
	for _, path := range slices.Sorted(maps.Keys(records)) {
		var one mapping
		one.text("hash", records[path].Hash)
		one.text("role", string(records[path].Role))
		all.add(path, one.flow())
	}
	return all.node()
}

func frameNode(f frame.Frame) *yaml.Node {
	var m mapping
	m.text("frame_id", f.ID)
	m.add("depth", integer(f.Depth))
	m.text("parent_id", f.ParentID)
	m.texts("children", f.Children, yaml.FlowStyle)
	m.text("query", f.Query)
	if len(f.ContextSlice) > 0 {
		m.add("context_slice", value(f.ContextSlice))
	}
	m.texts("evidence", f.Evidence, 0)
	m.text("conclusion", f.Conclusion)
	if f.Confidence != 0 {
		m.add("confidence", float(f.Confidence))
	}
	m.text("invalidation_condition", f.InvalidationCondition)
	m.text("status", string(f.Status))
	m.text("branched_from", f.BranchedFrom)
	m.text("validity", string(f.Validity))
	m.text("validity_reason", f.ValidityReason)
	return m.node()
}

// mapping builds a YAML mapping whose keys stay in the order in which they were added.
type mapping []*yaml.Node

func (m *mapping) add(key string, value *yaml.Node) { *m = append(*m, text(key), value) }

func (m *mapping) text(key, s string) {
	if s != "" {
		m.add(key, text(s))
	}
}

func (m *mapping) texts(key string, list []string, style yaml.Style) {
	if len(list) == 0 {
		return
	}
	n := &yaml.Node{Kind: yaml.SequenceNode, Style: style}
	for _, s := range list {
		n.Content = append(n.Content, text(s))
	}
	m.add(key, n)
}

func (m *mapping) node() *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode, Content: *m} }

func (m *mapping) flow() *yaml.Node {
	n := m.node()
	n.Style = yaml.FlowStyle
	return n
}

func scalar(tag, s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: s} }

func text(s string) *yaml.Node { return scalar("!!str", s) }

func integer(i int) *yaml.Node { return scalar("!!int", strconv.Itoa(i)) }

func float(f float64) *yaml.Node {
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return scalar("!!float", strconv.FormatFloat(f, 'f', 1, 64))
	}
	return scalar("!!float", strconv.FormatFloat(f, 'g', -1, 64))
}

// value turns a context slice, which holds only what JSON has, into YAML.
func value(v any) *yaml.Node {
	switch v := v.(type) {
	case map[string]any:
		var m mapping
		for _, key := range slices.Sorted(maps.Keys(v)) {
			m.add(key, value(v[key]))
		}
		if len(v) == 0 {
			return m.flow()
		}
		return m.node()
	case []any:
		n := &yaml.Node{Kind: yaml.SequenceNode}
		for _, item := range v {
			n.Content = append(n.Content, value(item))
		}
		if len(v) == 0 {
			n.Style = yaml.FlowStyle
		}
		return n
	case string:
		return text(v)
	case bool:
		return scalar("!!bool", strconv.FormatBool(v))
	case int:
		return integer(v)
	case float64:
		return float(v)
	default:
		return scalar("!!null", "null")
	}
}
