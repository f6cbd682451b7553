package node_test

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/render/node"
)

// TestForgedProse: a file with prose that is more than plain sentences is not read.
func TestForgedProse(t *testing.T) {
	t.Parallel()
	for text, ok := range map[string]bool{
		"prose:\n- slot: overview\n  text: Reads `it`.\nprose_evidence: []\n":                          true,
		"prose:\n- slot: overview\nprose_evidence: []\n":                                               true,
		"prose:\n- slot: overview\n  text: See http://evil.example.\nprose_evidence: []\n":             false,
		"prose:\n- slot: overview\n  text: \"Reads\\u200b it.\"\nprose_evidence: []\n":                 false,
		"prose:\n- slot: overview\n  text: \"Reads  it.\"\nprose_evidence: []\n":                       false,
		"prose:\n- slot: overview\n  text: " + strings.Repeat("x", 601) + "\nprose_evidence: []\n":     false,
		"prose: []\nprose_evidence: [{of: module " + strings.Repeat("x", 5000) + ", digest: y}]\n":     false,
		"prose:\n- slot: overview\n  text: \"<img src=x>\"\n  cites: [module/a]\nprose_evidence: []\n": false,
	} {
		if _, err := node.DecodeOverview([]byte(text)); (err == nil) != ok {
			t.Errorf("%.80q: %v", text, err)
		}
	}
}
